use std::path::PathBuf;

/// A program's action when it reaches a failpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Ends as by `kill -9`.
    Kill,
    /// Behaves as if the system had returned this error, named as in `errno.h`.
    Error(&'static str),
    /// Creates this file and waits until it is removed, so that a test can act meanwhile.
    Pause(PathBuf),
}

/// Failpoints for programs that a test starts, passed in one environment variable.
///
/// They work only in builds with the store's `failpoints` feature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failpoints(Vec<(String, Action)>);

impl Failpoints {
    /// The variable that carries them.
    pub const VARIABLE: &'static str = "SPRAG_FAILPOINTS";

    /// Adds a failpoint.
    #[must_use]
    pub fn at(mut self, name: &str, action: Action) -> Self {
        self.0.push((name.to_owned(), action));
        self
    }
}

impl std::fmt::Display for Failpoints {
    /// Writes `name=kill;name=error:ENOSPC;name=pause:/path`.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (nth, (name, action)) in self.0.iter().enumerate() {
            let between = if nth == 0 { "" } else { ";" };
            match action {
                Action::Kill => write!(out, "{between}{name}=kill")?,
                Action::Error(error) => write!(out, "{between}{name}=error:{error}")?,
                Action::Pause(file) => write!(out, "{between}{name}=pause:{}", file.display())?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_travel_as_one_text() {
        let points = Failpoints::default()
            .at("line.appended", Action::Kill)
            .at("head.written", Action::Error("ENOSPC"))
            .at("document.renamed", Action::Pause("/tmp/go".into()));
        let text = "line.appended=kill;head.written=error:ENOSPC;document.renamed=pause:/tmp/go";
        assert_eq!(points.to_string(), text);
        assert_eq!(Failpoints::default().to_string(), "");
    }
}
