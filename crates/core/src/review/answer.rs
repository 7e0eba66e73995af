//! Reads a reviewer's answer: JSON, or Markdown with a line `VERDICT: …` and a list of findings.
//!
//! Only the reviewer's own unambiguous statements count. A verdict is a whole line with one known
//! word; a sentence that contains the word, a template with all the words and a quotation are not
//! verdicts.

use super::prose::{item, said};
use super::{Finding, Severity, json};

/// Maximum size of an answer, in bytes.
const LONGEST: usize = 256 << 10;
/// Maximum number of findings in an answer.
const MOST: usize = 200;

/// A parsed answer of a reviewer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewAnswer {
    /// The reviewer's own verdict; the findings outweigh it, unless it is stricter.
    pub opinion: Option<Opinion>,
    pub findings: Vec<Finding>,
}

/// A reviewer's own verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    Pass,
    Issues,
}

/// Why an answer is unclear.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unclear {
    /// It has neither a verdict nor a finding.
    #[error("there is no line `VERDICT: pass` or `VERDICT: issues`, and no finding")]
    NoVerdict,
    /// It reports issues but lists none.
    #[error("it says that there are issues and names none")]
    NamesNone,
    /// It has both verdicts.
    #[error("it says `pass` and `issues`")]
    Contradicts,
    /// It begins as JSON but is invalid.
    #[error("it is no JSON of a review: {0}")]
    NotJson(String),
    /// It is longer than any plausible review.
    #[error("it is longer than a review may be")]
    TooLong,
}

pub fn read(text: &str) -> Result<ReviewAnswer, Unclear> {
    if text.len() > LONGEST {
        return Err(Unclear::TooLong);
    }
    if let Some(json) = json::whole(text) {
        return json::read(json);
    }
    let mut reader =
        ProseReader { under: Under::Other, opinions: Vec::new(), findings: Vec::new() };
    for line in said(text) {
        reader.take(line);
    }
    let pass = reader.opinions.contains(&Opinion::Pass);
    let opinion = match (pass, reader.opinions.contains(&Opinion::Issues)) {
        (true, true) => return Err(Unclear::Contradicts),
        (true, false) => Some(Opinion::Pass),
        (false, true) => Some(Opinion::Issues),
        (false, false) => None,
    };
    ReviewAnswer { opinion, findings: reader.findings }.checked()
}

impl ReviewAnswer {
    /// Returns the answer, if it is conclusive.
    pub(super) fn checked(self) -> Result<Self, Unclear> {
        if self.findings.len() > MOST {
            return Err(Unclear::TooLong);
        }
        match (self.opinion, self.findings.is_empty()) {
            (None, true) => Err(Unclear::NoVerdict),
            (Some(Opinion::Issues), true) => Err(Unclear::NamesNone),
            (Some(Opinion::Pass), true) | (Some(_) | None, false) => Ok(self),
        }
    }
}

impl Opinion {
    /// Parses one of the words that reviewers use, with nothing else around it.
    pub(super) fn of_words(text: &str) -> Option<Self> {
        let words = text.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        let words = words.replace(['-', '_'], " ");
        match words.split_whitespace().collect::<Vec<_>>().join(" ").as_str() {
            "pass" | "passed" | "passes" | "approve" | "approved" | "clean" | "ok" => {
                Some(Self::Pass)
            }
            "issues" | "issues found" | "fail" | "failed" | "reject" | "rejected" | "revise"
            | "blocked" | "changes requested" | "request changes" | "needs work"
            | "needs rework" | "needs fixes" | "not approved" => Some(Self::Issues),
            _ => None,
        }
    }
}

/// The section that contains the current lines.
#[derive(Clone, Copy)]
enum Under {
    Other,
    /// A heading `Verdict`: the next line may be the word alone.
    Verdict,
    /// A heading such as `Findings` or `Critical issues`.
    Findings(Option<Severity>),
}

struct ProseReader {
    under: Under,
    opinions: Vec<Opinion>,
    findings: Vec<Finding>,
}

impl ProseReader {
    fn take(&mut self, line: &str) {
        let text = line.trim();
        if text.is_empty() {
            return;
        }
        if let Under::Verdict = self.under {
            self.under = Under::Other;
            self.opinions.extend(Opinion::of_words(text));
        }
        let shallow = line.len() - line.trim_start().len() < 4 && !line.starts_with('\t');
        if !shallow {
            return self.advise(text);
        }
        if let Some(opinion) = verdict(text) {
            self.opinions.push(opinion);
        } else if let Some(title) = heading(text) {
            self.enter(title);
        } else if let Some(inner) = item(line) {
            self.find(inner);
        } else {
            self.advise(text);
        }
    }

    fn enter(&mut self, title: &str) {
        let name = title.trim_end_matches(':').trim();
        let lower = name.to_ascii_lowercase();
        let stem = ["findings", "finding", "issues", "issue", "problems"]
            .iter()
            .find_map(|word| lower.strip_suffix(word))
            .map(str::trim);
        self.under = match (lower.as_str(), stem) {
            ("verdict", _) => Under::Verdict,
            (_, Some("")) => Under::Findings(None),
            (name, None) | (_, Some(name)) => match Severity::of_word(name) {
                Some(severity) => Under::Findings(Some(severity)),
                None => Under::Other,
            },
        };
        if let (Under::Other, Some((severity, category, rest))) = (self.under, graded(title)) {
            self.add(severity, category, rest);
        }
    }

    /// Reads a list item: anywhere if it names a severity, without one only in a findings section.
    fn find(&mut self, inner: &str) {
        let inner = match inner.get(..3) {
            // A ticked item was resolved.
            Some("[x]" | "[X]") => return,
            Some("[ ]") => inner[3..].trim_start(),
            Some(_) | None => inner,
        };
        match (graded(inner), self.under) {
            (Some((severity, category, rest)), _) => self.add(severity, category, rest),
            (None, Under::Findings(severity)) if !is_none(inner) => {
                // A finding without a severity may be of the worst.
                self.add(severity.unwrap_or(Severity::Critical), "", inner);
            }
            (None, Under::Findings(_) | Under::Other | Under::Verdict) => self.advise(inner),
        }
    }

    /// Reads the suggested fix of the last finding.
    fn advise(&mut self, text: &str) {
        let text = bare(text);
        let advice = text.get(..4).filter(|word| word.eq_ignore_ascii_case("fix:"));
        if let (Some(_), Some(last)) = (advice, self.findings.last_mut())
            && last.fix.is_empty()
        {
            bare(&text[4..]).clone_into(&mut last.fix);
        }
    }

    fn add(&mut self, severity: Severity, category: &str, rest: &str) {
        let (file, line, rest) = located(rest);
        let cut = rest.to_ascii_lowercase().find(" fix: ");
        let (problem, fix) = cut.map_or((rest, ""), |at| (&rest[..at], &rest[at + 6..]));
        let problem = problem.trim().trim_end_matches(['.', ';']).to_owned();
        if problem.is_empty() {
            return;
        }
        let (category, fix) = (category.to_owned(), fix.trim().to_owned());
        self.findings.push(Finding { severity, category, file, line, problem, fix });
    }
}

/// Parses a whole line as a verdict.
fn verdict(line: &str) -> Option<Opinion> {
    let line = line.trim_matches(|c: char| c == '#' || c == '*' || c == '_' || c.is_whitespace());
    let word = line.get(..7).filter(|word| word.eq_ignore_ascii_case("verdict"))?;
    let rest = line[word.len()..].trim_start_matches(['*', '_', ' ']);
    Opinion::of_words(rest.strip_prefix([':', '=', '-', '—'])?)
}

/// Returns the title of a heading line: after `#`, or a line entirely in bold.
fn heading(line: &str) -> Option<&str> {
    let hashes = line.trim_start_matches('#');
    if (1..=6).contains(&(line.len() - hashes.len())) && hashes.starts_with(' ') {
        return Some(bare(hashes));
    }
    let bold = line.strip_prefix("**")?.trim_end_matches(':').strip_suffix("**")?;
    (!bold.contains("**")).then(|| bare(bold))
}

/// Splits `[critical/security] rest`, `**Critical**: rest` and `critical: rest`.
fn graded(text: &str) -> Option<(Severity, &str, &str)> {
    let text = text.trim_start_matches(['*', '_', ' ']);
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((tag, rest)) = text.strip_prefix(open).and_then(|text| text.split_once(close)) {
            let (word, category) = tag.split_once(['/', ',']).unwrap_or((tag, ""));
            let rest = rest.trim_start_matches(['*', '_', ':', '-', '—', ' ']);
            return Some((Severity::of_word(word)?, category.trim(), rest));
        }
    }
    let (word, rest) = text.split_once(':')?;
    let rest = rest.trim_start_matches(['*', '_', ' ']);
    Some((Severity::of_word(bare(word))?, "", rest))
}

/// Splits `src/a.rs:12: rest`.
fn located(text: &str) -> (String, Option<u32>, &str) {
    let none = (String::new(), None, text);
    let (quoted, inner) = text.strip_prefix('`').map_or((false, text), |inner| (true, inner));
    let end = if quoted { inner.find('`') } else { inner.find(char::is_whitespace) };
    let Some((place, rest)) = end.map(|at| inner.split_at(at)) else { return none };
    let rest = rest.strip_prefix('`').unwrap_or(rest);
    let mut parts = place.trim_end_matches(':').split(':');
    let file = parts.next().unwrap_or_default();
    let line = parts.next().map(str::parse::<u32>);
    let is_path = file.contains(['.', '/']) && !file.ends_with('.') && !file.contains(' ');
    let follows = place.ends_with(':') || rest.trim_start().starts_with([':', '-', '—', '–']);
    if !is_path || matches!(line, Some(Err(_))) || !(quoted || follows || line.is_some()) {
        return none;
    }
    let rest = rest.trim_start_matches([':', '-', '—', '–', ' ']);
    (file.to_owned(), line.and_then(Result::ok), rest)
}

fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c == '*' || c == '_' || c.is_whitespace())
}

/// Returns whether an item only states that there are no findings.
fn is_none(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    ["none", "none found", "nothing", "no issues", "no issues found", "no findings", "n/a"]
        .contains(&text.as_str())
}
