//! A `workflows` folder, and where its paths lead.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// A `workflows` folder, on disk or in memory.
pub trait Folder {
    /// The absolute path without links, for messages.
    fn path(&self) -> &str;

    /// The names in it that may be workflows, in byte order, or why they cannot be listed.
    fn keys(&self) -> Result<Vec<String>, String>;

    /// Returns whether a name is one of its keys.
    fn has(&self, key: &str) -> bool;

    /// Reads the file at a path below it, following links that stay inside. The path is relative
    /// and contains neither `.` nor `..`.
    fn read(&self, below: &str) -> Way<'_>;
}

/// The target of a path below a `workflows` folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way<'t> {
    Text {
        text: Cow<'t, str>,
        /// Its actual path, if a link led there.
        real: Option<String>,
    },
    Absent,
    /// With the reason.
    Unreadable(String),
    /// Outside the folder.
    Out,
}

/// A `workflows` folder in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tier {
    /// The absolute path without links, for messages.
    pub path: String,
    /// The entries by path: `dev/workflow.yaml`.
    pub files: BTreeMap<String, PathEntry>,
}

/// The entry at a path.
#[derive(Clone, Debug, PartialEq)]
pub enum PathEntry {
    /// A file with this text.
    Text(String),
    /// A link to this path below the tier.
    LinkTo(String),
    /// A link out of the tier.
    LinkOut,
    /// An entry that could not be read, with the reason.
    Unreadable(String),
}

/// Longer chains of links do not occur in practice.
const MAX_LINKS: usize = 40;

impl Folder for Tier {
    fn path(&self) -> &str {
        &self.path
    }

    fn keys(&self) -> Result<Vec<String>, String> {
        let folders = self.files.keys().filter_map(|path| path.strip_suffix("/workflow.yaml"));
        Ok(folders.filter(|folder| !folder.contains('/')).map(str::to_owned).collect())
    }

    fn has(&self, key: &str) -> bool {
        !key.contains('/') && self.files.contains_key(&format!("{key}/workflow.yaml"))
    }

    fn read(&self, below: &str) -> Way<'_> {
        let mut real = None;
        for _ in 0..MAX_LINKS {
            let below = real.as_deref().unwrap_or(below);
            match self.link_on(below) {
                Some((PathEntry::LinkTo(target), rest)) => real = Some(format!("{target}{rest}")),
                Some((PathEntry::LinkOut, _)) => return Way::Out,
                Some((PathEntry::Text(text), "")) => return Way::Text { text: text.into(), real },
                Some((PathEntry::Unreadable(why), "")) => return Way::Unreadable(why.clone()),
                Some((PathEntry::Text(_) | PathEntry::Unreadable(_), _)) | None => {
                    let folder = format!("{below}/");
                    let is_folder = self.files.keys().any(|path| path.starts_with(&folder));
                    let odd = || Way::Unreadable("it is a folder".to_owned());
                    return if is_folder { odd() } else { Way::Absent };
                }
            }
        }
        Way::Unreadable("too many links".to_owned())
    }
}

impl Tier {
    /// Returns the first entry on a path that is not a folder, and the rest of the path.
    fn link_on<'p>(&self, below: &'p str) -> Option<(&PathEntry, &'p str)> {
        let ends = below.match_indices('/').map(|(at, _)| at).chain([below.len()]);
        ends.into_iter().find_map(|at| Some((self.files.get(&below[..at])?, &below[at..])))
    }
}

/// The absolute path of a path below a tier.
pub(super) fn absolute(tier: &dyn Folder, below: &str) -> String {
    format!("{}/{below}", tier.path())
}

/// Returns the target of an entry of the workflow in `folder`, and its path for messages.
pub(super) fn follow<'t>(tier: &'t dyn Folder, folder: &str, entry: &str) -> (String, Way<'t>) {
    let below = format!("{folder}/{entry}");
    let plain = below.split('/').all(|name| !matches!(name, "" | "." | ".."));
    let joined = absolute(tier, &below);
    if plain {
        return (joined, tier.read(&below));
    }
    let joined = normal(&joined);
    let resolved = if entry.starts_with('/') { normal(entry) } else { joined.clone() };
    let Some(below) = resolved.strip_prefix(tier.path()).and_then(|rest| rest.strip_prefix('/'))
    else {
        return (joined, Way::Out);
    };
    if entry.starts_with('/') {
        // The original joins even an absolute entry to the folder.
        return (joined, Way::Absent);
    }
    let way = tier.read(below);
    (joined, way)
}

/// Returns an absolute path without `.`, `..` and doubled slashes.
fn normal(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entry_leads_out_of_the_tier() {
        let files = [
            ("dev/a.md", PathEntry::Text("a".to_owned())),
            ("dev/out.md", PathEntry::LinkOut),
            ("dev/in.md", PathEntry::LinkTo("_s/t.md".to_owned())),
            ("dev/round.md", PathEntry::LinkTo("dev/round.md".to_owned())),
            ("linked", PathEntry::LinkTo("_s".to_owned())),
            ("_s/t.md", PathEntry::Text("t".to_owned())),
        ];
        let files = files.map(|(path, found)| (path.to_owned(), found)).into();
        let tier = Tier { path: "/p/workflows".to_owned(), files };
        let way = |entry: &str| follow(&tier, "dev", entry).1;
        let text = |text: &'static str, real: Option<&str>| Way::Text {
            text: text.into(),
            real: real.map(str::to_owned),
        };
        assert_eq!(way("./x/../a.md"), text("a", None));
        assert_eq!(way("../_s/t.md"), text("t", None));
        assert_eq!(way("in.md"), text("t", Some("_s/t.md")));
        assert_eq!(way("../linked/t.md"), text("t", Some("_s/t.md")));
        assert_eq!(way("../../workflows/dev/a.md"), text("a", None));
        for out in ["../../x.md", "/etc/passwd", "out.md", "../..", "../../workflows-2/a.md", ".."]
        {
            assert_eq!(way(out), Way::Out, "{out}");
        }
        for absent in ["no.md", "/p/workflows/dev/a.md", "a.md/b"] {
            assert_eq!(way(absent), Way::Absent, "{absent}");
        }
        for odd in ["", "round.md"] {
            assert!(matches!(way(odd), Way::Unreadable(_)), "{odd}");
        }
    }
}
