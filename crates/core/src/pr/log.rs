use super::{CiCheck, Light, Pull};
use crate::{DocPath, Plain};

/// Where the output of a failed check is kept, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The check.
    pub check: String,
    /// The run that it is a part of, by the forge's number.
    pub run: String,
    /// The file, named as the original does.
    pub path: DocPath,
    /// What it says; nothing while nobody has asked the forge.
    pub text: Option<String>,
}

/// Where they are.
const FOLDER: &str = ".thoughts/pr/ci";
/// So many are looked at.
const MOST: usize = 5;
/// How much of a name a file's name keeps.
const NAME: usize = 80;

impl Log {
    /// Returns where the outputs of what failed belong, one for each run.
    pub fn wanted(pull: &Pull) -> Vec<Self> {
        let mut wanted: Vec<Self> = Vec::new();
        for check in pull.checks.iter().filter(|check| check.light() == Light::Failing) {
            let Some(run) = run_of(check) else { continue };
            let place = DocPath::parse(&format!("{FOLDER}/{}.{run}.log", safe(&check.name)));
            if let (Ok(path), false) = (place, wanted.iter().any(|log| log.run == run)) {
                let (check, run) = (check.name.clone(), run.to_owned());
                wanted.push(Self { check, run, path, text: None });
            }
        }
        wanted.truncate(MOST);
        wanted
    }
}

fn run_of(check: &CiCheck) -> Option<&str> {
    let (_, value) = check.rest.iter().find(|(key, _)| key == "runId")?;
    let Plain::Text(run) = value else { return None };
    let is_number = !run.is_empty() && run.len() <= 20 && run.bytes().all(|c| c.is_ascii_digit());
    is_number.then_some(run)
}

/// Returns a name as a file may have it.
fn safe(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    name.chars().take(NAME).map(|c| if fits(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(name: &str, run: &str) -> CiCheck {
        CiCheck {
            name: name.into(),
            conclusion: Some("FAILURE".into()),
            rest: vec![("runId".into(), Plain::Text(run.into()))],
            ..CiCheck::default()
        }
    }

    #[test]
    fn outputs_of_failed_runs_have_safe_places() {
        let mut good = failed("ok", "9");
        good.conclusion = Some("SUCCESS".into());
        let checks = vec![
            good,
            failed("unit / tests", "55"),
            failed("lint", "55"),
            failed("../../etc/passwd", "56"),
            failed("evil", "../1"),
        ];
        let wanted = Log::wanted(&Pull { checks, ..Pull::default() });
        let paths: Vec<_> = wanted.iter().map(|log| log.path.as_str()).collect();
        let expected =
            [".thoughts/pr/ci/unit___tests.55.log", ".thoughts/pr/ci/.._.._etc_passwd.56.log"];
        assert_eq!(paths, expected);
    }
}
