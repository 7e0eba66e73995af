use crate::prompt::short;
use crate::{Fingerprint, Plain, Stored, Unreadable, stored};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A suggestion.
    Minor,
    /// It should be fixed.
    Important,
    /// It must be fixed.
    Critical,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Minor, Self::Important, Self::Critical];

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Important => "important",
            Self::Critical => "critical",
        }
    }

    /// Parses one of the words that reviewers use.
    pub fn of_word(word: &str) -> Option<Self> {
        Some(match word.trim().to_ascii_lowercase().as_str() {
            "critical" | "blocker" | "blocking" | "must fix" | "breaking" | "security issue"
            | "p0" => Self::Critical,
            "important" | "should fix" | "high" | "high priority" | "major" | "required" | "p1" => {
                Self::Important
            }
            "minor" | "suggestion" | "nice to have" | "nit" | "consider" | "optional" | "low"
            | "medium" | "info" | "p2" | "p3" => Self::Minor,
            _ => return None,
        })
    }
}

/// One finding of a reviewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub severity: Severity,
    /// The kind of finding in the reviewer's word; may be empty.
    pub category: String,
    /// The file; empty if there is none.
    pub file: String,
    /// The line, if given. It moves with every edit, so it is not part of the finding's identity.
    pub line: Option<u32>,
    pub problem: String,
    /// The suggested fix; may be empty.
    pub fix: String,
}

impl Finding {
    /// Creates a finding with only a problem.
    pub fn new(severity: Severity, problem: impl Into<String>) -> Self {
        Self {
            severity,
            category: String::new(),
            file: String::new(),
            line: None,
            problem: problem.into(),
            fix: String::new(),
        }
    }

    /// Returns the finding with texts of at most `cap` characters each, for storage.
    #[must_use]
    pub fn shortened(&self, cap: usize) -> Self {
        Self {
            severity: self.severity,
            category: short(&self.category, cap),
            file: short(&self.file, cap),
            line: self.line,
            problem: short(&self.problem, cap),
            fix: short(&self.fix, cap),
        }
    }

    /// Returns the fingerprint by which a repeated finding is recognized.
    pub fn fingerprint(&self) -> Fingerprint {
        let file = self.file.replace('\\', "/");
        let file = file.strip_prefix("./").unwrap_or(&file);
        let plain = |text: &str| {
            let text = text.replace(['*', '`', '_', '"', '\''], "").to_lowercase();
            text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
        };
        Fingerprint::of(&[file, &plain(&self.category)], &[&plain(&self.problem)])
    }

    /// Formats the finding with its fix on one line, of at most `cap` characters each.
    pub fn advised(&self, cap: usize) -> String {
        let line = short(&self.line(), cap);
        match self.fix.split_whitespace().collect::<Vec<_>>().join(" ").as_str() {
            "" => line,
            fix => format!("{}. Fix: {}", line.trim_end_matches('.'), short(fix, cap)),
        }
    }

    /// Formats the finding on one line: `src/a.rs:12: the cap is off by one`.
    pub fn line(&self) -> String {
        let place = match (self.file.as_str(), self.line) {
            ("", _) => String::new(),
            (file, Some(line)) => format!("{file}:{line}: "),
            (file, None) => format!("{file}: "),
        };
        let problem = self.problem.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{place}{problem}")
    }
}

impl Stored for Severity {
    fn lower(&self) -> Plain {
        self.as_str().into()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let text = String::lift(plain)?;
        Self::of_word(&text)
            .ok_or_else(|| Unreadable::here("expected critical, important or minor"))
    }
}

stored!(filled struct Finding {
    severity,
    category: unless_default,
    file: unless_default,
    line,
    problem,
    fix: unless_default,
});
