//! `sprag report --json`: the part that is contract.

use serde_json::{Value, json};

/// The report of a run.
#[derive(Debug)]
pub(crate) struct Report {
    /// The whole object; null if there is none.
    pub(crate) json: Value,
    pub(crate) stderr: String,
}

impl Report {
    pub(crate) fn read(stdout: &str, stderr: &str) -> Self {
        let json = serde_json::from_str(stdout).unwrap_or(Value::Null);
        Self { json, stderr: stderr.to_owned() }
    }

    pub(crate) fn is_proven(&self) -> bool {
        let is_empty = |key: &str| self.json[key].as_array().is_none_or(Vec::is_empty);
        // Reports of earlier releases lack the field.
        self.json["proven"].as_bool().unwrap_or_else(|| {
            self.json["outcome"] == "done"
                && !is_empty("gates")
                && is_empty("unproven")
                && is_empty("doubts")
        })
    }

    /// Returns the doubt about a file or a part of it. A path that begins or ends with a slash
    /// matches any file whose path contains it.
    pub(crate) fn doubt(&self, path: &str) -> Option<&Value> {
        let is_part = path.starts_with('/') || path.ends_with('/');
        let is_about = |doubt: &&Value| {
            let named = doubt["path"].as_str().unwrap_or_default();
            named.split('#').next() == Some(path) || is_part && named.contains(path)
        };
        self.json["doubts"].as_array()?.iter().find(is_about)
    }

    /// Returns whether a file is named as the reason why something is unproven or waits.
    pub(crate) fn names(&self, path: &str) -> bool {
        ["unproven", "doubts", "waits", "put_back", "decisions"]
            .iter()
            .any(|key| self.json[*key].to_string().contains(path))
    }

    /// Returns whether a file is named anywhere.
    pub(crate) fn mentions(&self, path: &str) -> bool {
        self.json.to_string().contains(path)
    }

    /// Returns the relevant fields for an assertion message.
    pub(crate) fn shown(&self) -> String {
        let of = |key: &str| self.json[key].clone();
        let part = json!({
            "outcome": of("outcome"), "proven": of("proven"), "unproven": of("unproven"),
            "doubts": of("doubts"), "waits": of("waits"), "gates": of("gates"), "run": of("run"),
        });
        format!("{part:#}\n{}", self.stderr)
    }

    #[track_caller]
    pub(crate) fn is_proven_now(&self) {
        assert!(self.is_proven(), "it is not proven: {}", self.shown());
        assert!(self.json["doubts"].as_array().is_none_or(Vec::is_empty), "{}", self.shown());
    }

    #[track_caller]
    pub(crate) fn is_doubted_for(&self, path: &str) {
        assert!(!self.is_proven(), "it is proven: {}", self.shown());
        assert!(self.doubt(path).is_some(), "{path} is not in doubt: {}", self.shown());
    }

    /// Asserts that a file keeps the run from being proven, whether it is in doubt or waits for a
    /// person.
    #[track_caller]
    pub(crate) fn is_not_proven_for(&self, path: &str) {
        assert!(!self.is_proven(), "it is proven: {}", self.shown());
        assert!(self.names(path), "{path} is not named: {}", self.shown());
    }
}
