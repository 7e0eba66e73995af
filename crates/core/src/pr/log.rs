use super::{CiCheck, Light, Pull};
use crate::{DocPath, Plain};

/// The stored output of a failed check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckLog {
    /// The name of the check.
    pub check: String,
    /// The forge's number of its run.
    pub run: String,
    /// The file, named as in the original.
    pub path: DocPath,
    /// The output; `None` until it was fetched.
    pub text: Option<String>,
}

/// The folder of the logs.
const FOLDER: &str = ".thoughts/pr/ci";
/// Maximum number of logs.
const MOST: usize = 5;
/// Maximum length of a check's name in a file name.
const NAME: usize = 80;

impl CheckLog {
    /// Returns the log files of the failed checks, one for each run.
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

/// Makes a name safe for a file name.
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
        let wanted = CheckLog::wanted(&Pull { checks, ..Pull::default() });
        let paths: Vec<_> = wanted.iter().map(|log| log.path.as_str()).collect();
        let expected =
            [".thoughts/pr/ci/unit___tests.55.log", ".thoughts/pr/ci/.._.._etc_passwd.56.log"];
        assert_eq!(paths, expected);
    }
}
