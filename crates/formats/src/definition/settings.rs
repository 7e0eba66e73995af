//! Splits the settings of a runner or checker into single values, and determines which ones are
//! stricter.
//!
//! A stricter setting counts at once, and an added rule removes nothing. The direction of a setting
//! follows from its name, because all of these tools use the same words: `ignore`, `exclude`,
//! `strict`, `fail_under`. With any other name, each change of the value is doubted.

use sprag_core::definition::{DefinedPart, PartRole, WhenNew};
use sprag_core::{Hash, definition::PartKey};

use super::paths::folder_of;
use super::read::{Datum, IniSection};
use super::resolver::{CallSite, Resolver};

/// The deepest nesting of settings.
const DEEPEST: usize = 24;

/// Words in the names of exclusions.
const LEAVES_OUT: [&str; 9] =
    ["ignore", "ignores", "ignored", "exclude", "excludes", "excluded", "disable", "skip", "omit"];

/// The first words of switches that make a check stricter.
const ASKS: [&str; 18] = [
    "all", "always", "check", "deny", "disallow", "enable", "enabled", "error", "exact", "extra",
    "fail", "forbid", "force", "isolated", "no", "require", "strict", "warn",
];

/// The first words of switches that make a check laxer.
const FREES: [&str; 5] = ["allow", "implicit", "pass", "suppress", "continue"];

/// Names that look strict, but make a check laxer.
const FREES_BY_NAME: [&str; 4] = ["no_check", "no_lib", "no_resolve", "check_js"];

/// Selections: another item adds checks, but the list itself excludes everything that it does not
/// name.
const CHOOSES: [&str; 15] = [
    "collect_coverage_from",
    "files",
    "include",
    "includes",
    "packages",
    "projects",
    "roots",
    "select",
    "source",
    "source_pkgs",
    "spec",
    "test_match",
    "test_regex",
    "testpaths",
    "workspaces",
];

/// Lists that only add to the defaults.
const ADDS: [&str; 4] = ["enable", "enable_error_code", "extend_select", "references"];

/// Numbers for which a higher value is stricter.
const AT_LEAST: [&str; 6] = ["branches", "fail_under", "functions", "level", "lines", "statements"];

/// Settings that do not change the findings of a check.
const MEANINGLESS: [&str; 12] = [
    "$schema",
    "cache_dir",
    "cache_directory",
    "color",
    "output",
    "pretty",
    "reporter",
    "reporters",
    "run.concurrency",
    "run.timeout",
    "show_error_codes",
    "target_version",
];

/// One setting of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ConfigSetting {
    /// Its path, and for an item of a list also the item.
    part: String,
    text: String,
    /// How strict it is, if that is known.
    level: Option<u32>,
    /// Whether it removes nothing if it is new.
    adds: bool,
}

/// The effect of a setting, from its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Nothing,
    Asks,
    Frees,
    LeavesOut,
    Chooses,
    Adds,
    AtLeast,
    AtMost,
    Severity,
    Unknown,
}

impl Resolver<'_> {
    /// Adds the settings below one key of a file.
    pub(super) fn settings(&mut self, path: &str, key: &str, value: &Datum, site: &CallSite) {
        self.setting_names_tests(folder_of(path), key, value);
        for setting in settings(key, value, &[]) {
            self.setting(path, &setting, site);
        }
    }

    pub(super) fn setting(&mut self, path: &str, setting: &ConfigSetting, site: &CallSite) {
        let when_new = if setting.adds { WhenNew::Free } else { site.when_new() };
        let key = self.runner_if(path, &setting.part, &setting.text, site, when_new);
        self.level(&key, setting.level);
    }

    fn level(&mut self, key: &PartKey, level: Option<u32>) {
        if let Some(part) = self.found.parts.get_mut(key) {
            part.level = level;
        }
    }
}

/// Returns the settings of a value, without those that have one of these names.
pub(super) fn settings(key: &str, value: &Datum, meaningless: &[&str]) -> Vec<ConfigSetting> {
    let mut found = Vec::new();
    let mut names: Vec<String> = key.split('.').map(plain).collect();
    names.retain(|name| !name.is_empty());
    collect(key, &mut names, value, meaningless, &mut found);
    found
}

fn collect(
    part: &str,
    names: &mut Vec<String>,
    value: &Datum,
    meaningless: &[&str],
    found: &mut Vec<ConfigSetting>,
) {
    let meaning = meaning(names, meaningless);
    match value {
        _ if meaning == Meaning::Nothing => {}
        Datum::Table(table) if names.len() < DEEPEST => {
            for (key, value) in table {
                names.push(plain(key));
                let inner = if part.is_empty() { key.clone() } else { format!("{part}.{key}") };
                collect(&inner, names, value, meaningless, found);
                names.pop();
            }
        }
        Datum::List(items) if meaning == Meaning::Severity => {
            let level = items.first().and_then(severity);
            found.push(single(part, value, level));
        }
        Datum::List(items) => list(part, items, meaning, found),
        Datum::Table(_) | Datum::Text(_) | Datum::Bare(_) => {
            found.push(leaf(part, value, meaning));
        }
    }
}

/// Adds a list and each of its items.
fn list(part: &str, items: &[Datum], meaning: Meaning, found: &mut Vec<ConfigSetting>) {
    let is_choice = meaning == Meaning::Chooses;
    let item = |item: &Datum| {
        let name = item.text().map_or_else(|| item.canonical(), str::to_owned);
        let leaves_out = name.starts_with(['!', '-']) || meaning == Meaning::LeavesOut;
        let adds = matches!(meaning, Meaning::Chooses | Meaning::Adds) && !leaves_out;
        let level = leaves_out.then_some(0);
        ConfigSetting { part: format!("{part} {name}"), text: item.canonical(), level, adds }
    };
    if is_choice {
        let (part, text) = (part.to_owned(), "a list".to_owned());
        found.push(ConfigSetting { part, text, level: None, adds: false });
    }
    found.extend(items.iter().map(item));
}

/// Returns the setting of a single value.
fn leaf(part: &str, value: &Datum, meaning: Meaning) -> ConfigSetting {
    let number = match value {
        Datum::Bare(text) | Datum::Text(text) => hundredths(text),
        Datum::Table(_) | Datum::List(_) => None,
    };
    let (asks, frees) = (Some(1), Some(0));
    let level = match (meaning, truth(value)) {
        (Meaning::Asks, Some(true)) | (Meaning::Frees | Meaning::LeavesOut, Some(false)) => asks,
        (Meaning::Asks, Some(false)) | (Meaning::Frees | Meaning::LeavesOut, Some(true)) => frees,
        (Meaning::AtLeast, _) => number,
        (Meaning::AtMost, _) => number.map(|most| u32::MAX - most),
        (Meaning::Severity, _) => severity(value),
        (_, _) => severity_word(value),
    };
    let mut setting = single(part, value, level);
    // Without it another limit applies, which may be lower.
    setting.adds &= meaning != Meaning::AtMost;
    setting
}

fn single(part: &str, value: &Datum, level: Option<u32>) -> ConfigSetting {
    let (part, text) = (part.to_owned(), value.canonical());
    ConfigSetting { part, text, level, adds: level.is_some_and(|level| level > 0) }
}

/// Determines the effect of a setting from its name and the names above it.
fn meaning(names: &[String], meaningless: &[&str]) -> Meaning {
    let Some(last) = names.last().map(String::as_str) else { return Meaning::Unknown };
    let whole = names.join(".");
    let ends = |name: &&str| whole == **name || whole.ends_with(&format!(".{name}"));
    let begins = |starts: &[&str]| {
        starts.iter().any(|start| {
            last.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        })
    };
    let leaves_out =
        |name: &String| name.split('_').any(|word| LEAVES_OUT.contains(&word)) && name != "rules";
    let above = &names[..names.len() - 1];
    if MEANINGLESS.iter().chain(meaningless).any(ends) {
        Meaning::Nothing
    } else if above.iter().any(|name| name == "rules" || name == "lints") {
        Meaning::Severity
    } else if names.iter().any(leaves_out) && !begins(&ASKS) {
        Meaning::LeavesOut
    } else if FREES_BY_NAME.contains(&last) || begins(&FREES) {
        Meaning::Frees
    } else if ADDS.contains(&last) {
        Meaning::Adds
    } else if CHOOSES.contains(&last) {
        Meaning::Chooses
    } else if AT_LEAST.contains(&last) {
        Meaning::AtLeast
    } else if is_limit(last) {
        Meaning::AtMost
    } else if begins(&ASKS) {
        Meaning::Asks
    } else {
        Meaning::Unknown
    }
}

fn is_limit(name: &str) -> bool {
    name.split('_').any(|word| word == "max")
        || name.ends_with("_length")
        || name.ends_with("complexity")
        || name.ends_with("_threshold")
}

/// Returns the severity of a rule: `error`, `["error", …]`, `2`.
fn severity(value: &Datum) -> Option<u32> {
    match value {
        Datum::Bare(text) => text.parse().ok().filter(|level| *level <= 2),
        Datum::Text(_) => severity_word(value),
        Datum::List(_) | Datum::Table(_) => None,
    }
}

fn severity_word(value: &Datum) -> Option<u32> {
    match value.text()?.to_ascii_lowercase().as_str() {
        "off" | "allow" | "ignore" => Some(0),
        "warn" | "warning" | "info" => Some(1),
        "error" | "deny" => Some(2),
        "forbid" => Some(3),
        _ => None,
    }
}

/// Returns the value of a switch, even from a file whose values are all texts.
fn truth(value: &Datum) -> Option<bool> {
    let (Datum::Bare(text) | Datum::Text(text)) = value else { return None };
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    }
}

fn hundredths(text: &str) -> Option<u32> {
    let number: f64 = text.trim().parse().ok()?;
    // Larger numbers are as good as unlimited.
    let cut = (number * 100.0).clamp(0.0, 1e9);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
    Some(cut as u32)
}

/// Writes `noUnusedLocals` and `no-unused-locals` as `no_unused_locals`.
fn plain(name: &str) -> String {
    let (mut out, mut was_small) = (String::new(), false);
    for c in name.chars() {
        if c.is_uppercase() && was_small {
            out.push('_');
        }
        was_small = c.is_lowercase() || c.is_ascii_digit();
        out.extend(c.to_lowercase().map(|c| if c == '-' { '_' } else { c }));
    }
    out
}

/// Returns the values of a section, whose lists are written as one text.
pub(super) fn of_section(section: &IniSection) -> Datum {
    let value = |(key, text): &(String, String)| {
        let names = [plain(key)];
        let is_list =
            matches!(meaning(&names, &[]), Meaning::Chooses | Meaning::Adds | Meaning::LeavesOut)
                && truth(&Datum::Text(text.clone())).is_none();
        let items = text.split([',', '\n']).map(str::trim).filter(|item| !item.is_empty());
        let items = items.map(|item| Datum::Text(item.to_owned()));
        let value = if is_list { Datum::List(items.collect()) } else { Datum::Text(text.clone()) };
        (key.clone(), value)
    };
    Datum::Table(section.values.iter().map(value).collect())
}

/// A part for the mere existence of a file: with it, some tools read no other one.
pub(super) fn presence(path: &str, site: &CallSite) -> (PartKey, DefinedPart) {
    let part = Resolver::part(PartRole::Runner, Hash::of("there"), site);
    (PartKey::part(path, "is there"), part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(String, Option<u32>, bool)> {
        let found = settings("", &Datum::json(text).unwrap(), &["out_dir"]);
        found.into_iter().map(|one| (one.part, one.level, one.adds)).collect()
    }

    fn one(part: &str, level: Option<u32>, adds: bool) -> Vec<(String, Option<u32>, bool)> {
        vec![(part.to_owned(), level, adds)]
    }

    #[test]
    fn names_say_what_a_setting_asks_for() {
        assert_eq!(of(r#"{"strict":true}"#), one("strict", Some(1), true));
        assert_eq!(of(r#"{"noUnusedLocals":false}"#), one("noUnusedLocals", Some(0), false));
        assert_eq!(of(r#"{"skipLibCheck":true}"#), one("skipLibCheck", Some(0), false));
        assert_eq!(of(r#"{"noCheck":true}"#), one("noCheck", Some(0), false));
        assert_eq!(
            of(r#"{"nested":{"fail_under":92.5}}"#),
            one("nested.fail_under", Some(9250), true)
        );
        assert_eq!(of(r#"{"rules":{"semi":["error",{"a":1}]}}"#), one("rules.semi", Some(2), true));
        assert_eq!(of(r#"{"rules":{"semi":0}}"#), one("rules.semi", Some(0), false));
        assert_eq!(of(r#"{"other":"x"}"#), one("other", None, false));
        assert_eq!(of(r#"{"outDir":"x","a":{"$schema":"y"}}"#), []);
        let most = |number: u32| Some(u32::MAX - number * 100);
        assert_eq!(of(r#"{"line-length":80}"#), one("line-length", most(80), false));
    }

    #[test]
    fn lists_choose_add_or_leave_out() {
        let found =
            of(r#"{"select":["E","!F"],"extend-select":["B"],"per-file-ignores":{"a":["C"]}}"#);
        let expected = [
            ("extend-select B", None, true),
            ("per-file-ignores.a C", Some(0), false),
            ("select", None, false),
            ("select E", None, true),
            ("select !F", Some(0), false),
        ];
        assert_eq!(found, expected.map(|(part, level, adds)| (part.to_owned(), level, adds)));
    }

    #[test]
    fn any_number_has_an_answer() {
        for text in ["1e400", "-5", "NaN", "", "x", "99999999999"] {
            hundredths(text);
        }
        assert_eq!(hundredths("-5"), Some(0));
    }
}
