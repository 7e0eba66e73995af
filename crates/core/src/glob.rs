//! Matches paths: `*` and `?` within a name, `**` for any number of names.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// A pattern over paths below the project: `tests/**`, `src/*.rs`, `**/fixtures/?.txt`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Glob(String);

/// Why a text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a pattern: {why}", text.escape_debug())]
pub struct BadGlob {
    text: String,
    why: &'static str,
}

impl Glob {
    /// Accepts a pattern that cannot point outside the project; a trailing `/` matches everything
    /// below.
    pub fn parse(text: &str) -> Result<Self, BadGlob> {
        let whole = if text.ends_with('/') { format!("{text}**") } else { text.to_owned() };
        let why = if whole.is_empty() || whole.len() > 1024 {
            "it must have 1 to 1024 bytes"
        } else if whole.chars().any(|c| c.is_control() || c == '\\') {
            "control characters and `\\` are not allowed"
        } else if whole.split('/').any(|name| matches!(name, "" | "." | "..")) {
            "it must be relative, without `.`, `..` and empty names"
        } else if whole.split('/').any(|name| name != "**" && name.contains("**")) {
            "`**` stands alone between two `/`"
        } else {
            return Ok(Self(whole));
        };
        Err(BadGlob { text: text.chars().take(80).collect(), why })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the whole path matches, with `/` between its names.
    pub fn matches(&self, path: &[u8]) -> bool {
        let pattern: Vec<&[u8]> = self.0.as_bytes().split(|&byte| byte == b'/').collect();
        let names: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
        let any = |part: &&[u8]| **part == *b"**";
        let letter = |pattern: &u8, byte: &u8| *pattern == b'?' || pattern == byte;
        wild(&pattern, &names, any, |pattern, name| {
            wild(pattern, name, |byte| *byte == b'*', letter)
        })
    }
}

impl<'de> Deserialize<'de> for Glob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Matches one kind of wildcard that stands for any number of items. Backtracking to the last
/// wildcard is enough, so hostile patterns cost at most the product of both lengths.
fn wild<P, T>(
    pattern: &[P],
    items: &[T],
    is_any: impl Fn(&P) -> bool,
    is_one: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut item, mut back) = (0, 0, None);
    while item < items.len() {
        match pattern.get(at) {
            Some(part) if is_any(part) => {
                back = Some((at, item));
                at += 1;
            }
            Some(part) if is_one(part, &items[item]) => {
                at += 1;
                item += 1;
            }
            Some(_) | None => {
                let Some((star, taken)) = back else { return false };
                back = Some((star, taken + 1));
                at = star + 1;
                item = taken + 1;
            }
        }
    }
    pattern[at..].iter().all(is_any)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(glob: &str, path: &str) -> bool {
        Glob::parse(glob).unwrap().matches(path.as_bytes())
    }

    #[test]
    fn wildcards_stay_within_a_name_unless_doubled() {
        for (glob, path) in [
            ("tests/**", "tests/a.rs"),
            ("tests/**", "tests/a/b.rs"),
            ("tests/", "tests/a/b.rs"),
            ("**/a.rs", "a.rs"),
            ("**/a.rs", "x/y/a.rs"),
            ("a/**/b", "a/b"),
            ("a/**/b", "a/x/y/b"),
            ("*.rs", "lib.rs"),
            ("src/?.rs", "src/a.rs"),
            ("**", "any/thing"),
            ("a*b*c", "a__b_b_c"),
            ("[x].md", "[x].md"),
        ] {
            assert!(matches(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("tests/**", "test/a.rs"),
            ("tests/**", "atests/a.rs"),
            ("*.rs", "src/lib.rs"),
            ("src/?.rs", "src/ab.rs"),
            ("src/?.rs", "src/.rs"),
            ("a/**/b", "a/x/bb"),
            ("a", "a/b"),
            ("a/b", "a"),
        ] {
            assert!(!matches(glob, path), "{glob} {path}");
        }
    }

    #[test]
    fn patterns_that_leave_the_project_are_refused() {
        for text in ["", "/etc/*", "../x", "a//b", "./a", "a/..", "a**", "a\\b", "a\n"] {
            assert!(Glob::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn many_stars_end_soon() {
        let glob = Glob::parse(&"*a".repeat(400)).unwrap();
        assert!(!glob.matches(&[b'a'; 399]));
        let deep = Glob::parse(&format!("{}b", "**/*a*/".repeat(100))).unwrap();
        assert!(!deep.matches("a/".repeat(2000).as_bytes()));
    }

    /// A naive reference implementation without regard to time.
    fn slow(pattern: &[&str], names: &[&str]) -> bool {
        match (pattern, names) {
            ([], _) => names.is_empty(),
            (["**", rest @ ..], _) => (0..=names.len()).any(|skip| slow(rest, &names[skip..])),
            ([_, ..], []) => false,
            ([one, rest @ ..], [name, below @ ..]) => {
                slow_name(one.as_bytes(), name.as_bytes()) && slow(rest, below)
            }
        }
    }

    fn slow_name(pattern: &[u8], name: &[u8]) -> bool {
        match pattern {
            [] => name.is_empty(),
            [b'*', rest @ ..] => (0..=name.len()).any(|skip| slow_name(rest, &name[skip..])),
            [one, rest @ ..] => {
                !name.is_empty() && (*one == b'?' || *one == name[0]) && slow_name(rest, &name[1..])
            }
        }
    }

    proptest! {
        #[test]
        fn going_back_once_is_enough(
            glob in proptest::collection::vec("\\*\\*|[ab*?]{1,4}", 1..5),
            path in proptest::collection::vec("[ab]{1,4}", 1..6),
        ) {
            let text = glob.join("/");
            prop_assume!(Glob::parse(&text).is_ok());
            let parts: Vec<&str> = text.split('/').collect();
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            prop_assert_eq!(matches(&text, &path.join("/")), slow(&parts, &names));
        }
    }
}
