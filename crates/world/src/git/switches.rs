//! Finds the repository settings that start a program when git reads or writes files, and switches
//! them off.
//!
//! The repository chooses their names, which need not be UTF-8, so they are bytes here.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

/// How to treat programs from a person's own settings, such as the filter of git-lfs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Persons {
    /// They do not run, and files are used as they are.
    Off,
    /// They run, because a written file would be wrong without them.
    Run,
}

/// The settings that git knows, with their origins.
#[derive(Debug, Default)]
pub(super) struct GitSettings(Vec<GitSetting>);

#[derive(Debug)]
struct GitSetting {
    is_persons: bool,
    key: Vec<u8>,
    value: Vec<u8>,
}

/// A setting that overrides the repository's.
pub(super) type Switch = (OsString, OsString);

impl GitSettings {
    /// The arguments with which git lists all settings.
    pub(super) const LIST: [&'static str; 5] =
        ["config", "-z", "--list", "--includes", "--show-scope"];

    /// Parses git's answer: a scope, then a key with a newline and a value, each followed by a zero
    /// byte.
    pub(super) fn read(out: &[u8]) -> Self {
        let parts: Vec<&[u8]> = out.split(|&byte| byte == 0).collect();
        let setting = |pair: &[&[u8]]| {
            let (key, value) = cut(pair[1], b'\n').unwrap_or((pair[1], b"true"));
            let is_persons = matches!(pair[0], b"system" | b"global" | b"command");
            GitSetting { is_persons, key: key.to_vec(), value: value.to_vec() }
        };
        Self(parts.chunks_exact(2).map(setting).collect())
    }

    /// Returns whether a person allows the use of another user's folder.
    pub(super) fn is_safe(&self, folder: &Path) -> bool {
        let mut safe = false;
        for one in self.0.iter().filter(|one| one.is_persons && one.key == b"safe.directory") {
            let folder = folder.as_os_str().as_bytes();
            safe = match one.value.as_slice() {
                // An empty value clears the list.
                b"" => false,
                b"*" => true,
                value => match value.strip_suffix(b"/*") {
                    Some(above) => safe || cut_prefix(folder, above),
                    None => safe || value == folder,
                },
            };
        }
        safe
    }

    /// Returns the settings that switch off every program that git would run for a file.
    pub(super) fn switches(&self, persons: Persons) -> Vec<Switch> {
        let mut own: BTreeMap<&[u8], &[u8]> = BTreeMap::new();
        for one in self.0.iter().filter(|one| one.is_persons) {
            own.insert(&one.key, &one.value);
        }
        let mut off: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        for one in &self.0 {
            let Some((section, name, last)) = parts(&one.key) else { continue };
            let kept = match persons {
                Persons::Run => own.get(one.key.as_slice()).map(|value| value.to_vec()),
                Persons::Off => None,
            };
            match (section, last) {
                (b"filter", b"clean" | b"smudge" | b"process") => {
                    // Then git stops at a file that must not be written without its filter.
                    let is_missed = kept.is_none() && persons == Persons::Run;
                    let required: &[u8] = if is_missed { b"true" } else { b"false" };
                    if is_missed || persons == Persons::Off {
                        let key = [b"filter.", name, b".required"].concat();
                        off.insert(key, required.to_vec());
                    }
                    off.insert(one.key.clone(), kept.unwrap_or_default());
                }
                // A merge that needs the driver becomes a conflict.
                (b"merge", b"driver") => {
                    off.insert(one.key.clone(), kept.unwrap_or_else(|| b"exit 1".to_vec()));
                }
                (b"hook", _) => {
                    off.insert([b"hook.", name, b".enabled"].concat(), b"false".to_vec());
                }
                _ => {}
            }
        }
        let text = |(key, value)| (OsString::from_vec(key), OsString::from_vec(value));
        off.into_iter().map(text).collect()
    }
}

/// Returns the variables that pass settings to git, after those that are already passed.
pub(super) fn variables(
    environment: &[(OsString, OsString)],
    switches: Vec<Switch>,
) -> Vec<(OsString, OsString)> {
    const COUNT: &str = "GIT_CONFIG_COUNT";
    if switches.is_empty() {
        return Vec::new();
    }
    let known = environment.iter().rev().find(|(name, _)| name == COUNT);
    let known = known.and_then(|(_, value)| value.to_str()?.parse::<usize>().ok()).unwrap_or(0);
    let count = known + switches.len();
    let pairs = switches.into_iter().enumerate().flat_map(|(nth, (key, value))| {
        let named = |what: &str| OsString::from(format!("GIT_CONFIG_{what}_{}", known + nth));
        [(named("KEY"), key), (named("VALUE"), value)]
    });
    pairs.chain([(COUNT.into(), count.to_string().into())]).collect()
}

/// Splits `section.any.thing.last` into its section, its name and its last part.
fn parts(key: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (section, rest) = cut(key, b'.')?;
    let dot = rest.iter().rposition(|&byte| byte == b'.')?;
    Some((section, &rest[..dot], &rest[dot + 1..]))
}

fn cut(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().position(|&byte| byte == at)?;
    Some((&text[..place], &text[place + 1..]))
}

fn cut_prefix(path: &[u8], above: &[u8]) -> bool {
    Path::new(OsStr::from_bytes(path)).starts_with(OsStr::from_bytes(above))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(pairs: &[(&str, &[u8], &[u8])]) -> GitSettings {
        let mut out = Vec::new();
        for (scope, key, value) in pairs {
            out.extend([scope.as_bytes(), b"\0", key, b"\n", value, b"\0"].concat());
        }
        GitSettings::read(&out)
    }

    fn shown(settings: &GitSettings, persons: Persons) -> Vec<String> {
        let show = |(key, value): Switch| format!("{key:?}={value:?}");
        settings.switches(persons).into_iter().map(show).collect()
    }

    #[test]
    fn filters_of_any_name_are_off() {
        let found =
            settings(&[("local", b"filter.y\xff.clean", b"x"), ("local", b"user.name", b"me")]);
        let off = [r#""filter.y\xFF.clean"="""#, r#""filter.y\xFF.required"="false""#];
        assert_eq!(shown(&found, Persons::Off), off);
        let found = settings(&[("worktree", b"filter.a.b.process", b"x\ny")]);
        let stops = [r#""filter.a.b.process"="""#, r#""filter.a.b.required"="true""#];
        assert_eq!(shown(&found, Persons::Run), stops);
    }

    #[test]
    fn a_persons_own_filter_runs_where_it_is_needed_and_nobody_replaces_it() {
        let found = settings(&[
            ("global", b"filter.lfs.clean", b"git-lfs clean"),
            ("local", b"filter.lfs.clean", b"evil"),
        ]);
        assert_eq!(shown(&found, Persons::Run), [r#""filter.lfs.clean"="git-lfs clean""#]);
        let off = [r#""filter.lfs.clean"="""#, r#""filter.lfs.required"="false""#];
        assert_eq!(shown(&found, Persons::Off), off);
    }

    #[test]
    fn merge_drivers_conflict_and_hooks_of_settings_are_off() {
        let found = settings(&[
            ("local", b"merge.m.driver", b"evil"),
            ("global", b"hook.h.command", b"lint"),
            ("local", b"merge.conflictstyle", b"diff3"),
        ]);
        let off = [r#""hook.h.enabled"="false""#, r#""merge.m.driver"="exit 1""#];
        assert_eq!(shown(&found, Persons::Run), off);
    }

    #[test]
    fn only_a_person_calls_a_folder_safe() {
        let safe = |pairs: &[(&str, &[u8], &[u8])]| settings(pairs).is_safe(Path::new("/a/b"));
        let key = b"safe.directory";
        assert!(!safe(&[("local", key, b"*")]));
        assert!(safe(&[("global", key, b"*")]) && safe(&[("system", key, b"/a/b")]));
        assert!(safe(&[("global", key, b"/a/*")]) && !safe(&[("global", key, b"/a/b/c")]));
        assert!(!safe(&[("global", key, b"*"), ("global", key, b"")]));
    }

    #[test]
    fn settings_come_after_those_of_the_environment() {
        let known = [("GIT_CONFIG_COUNT".into(), "2".into())];
        let said = variables(&known, vec![("a.b".into(), "c".into())]);
        let said: Vec<String> = said
            .iter()
            .map(|(name, value)| format!("{}={}", name.display(), value.display()))
            .collect();
        assert_eq!(said, ["GIT_CONFIG_KEY_2=a.b", "GIT_CONFIG_VALUE_2=c", "GIT_CONFIG_COUNT=3"]);
    }
}
