//! A snapshot of a `workflows` folder, and where a path in it leads.

use std::collections::{BTreeMap, BTreeSet};

/// One `workflows` folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tier {
    /// Its absolute path without links, as messages show it.
    pub path: String,
    /// What is in it, by path below it: `dev/workflow.yaml`.
    pub files: BTreeMap<String, Found>,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// A file with this text.
    Text(String),
    /// A link to this path below the tier.
    LinkTo(String),
    /// A link out of the tier.
    LinkOut,
    /// Something that could not be read, and why.
    Unreadable(String),
}

/// Where an entry of `phases` leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way<'t> {
    /// To this text.
    Text(&'t str),
    /// To nothing that could be read, and why.
    Nothing(String),
    /// Out of the tier.
    Out,
}

/// Nobody chains more links than that.
const MAX_LINKS: usize = 40;

impl Tier {
    /// Returns the folders that hold a workflow, in order of their bytes.
    pub(super) fn keys(&self) -> BTreeSet<&str> {
        let folders = self.files.keys().filter_map(|path| path.strip_suffix("/workflow.yaml"));
        folders.filter(|folder| !folder.contains('/')).collect()
    }

    /// Returns the absolute path of a path below this tier.
    pub(super) fn absolute(&self, below: &str) -> String {
        format!("{}/{below}", self.path)
    }

    /// Returns what stands at a path below this tier, through links inside it.
    pub(super) fn read(&self, below: &str) -> Way<'_> {
        let mut below = below.to_owned();
        for _ in 0..MAX_LINKS {
            match self.link_on(&below) {
                Some((Found::LinkTo(target), rest)) => {
                    let rest = rest.to_owned();
                    below = format!("{target}{rest}");
                }
                Some((Found::LinkOut, _)) => return Way::Out,
                Some((Found::Text(text), "")) => return Way::Text(text),
                Some((Found::Unreadable(why), "")) => return Way::Nothing(why.clone()),
                Some((Found::Text(_) | Found::Unreadable(_), _)) | None => {
                    let folder = format!("{below}/");
                    let is_folder = self.files.keys().any(|path| path.starts_with(&folder));
                    let why = if is_folder { "it is a folder" } else { "no such file" };
                    return Way::Nothing(why.to_owned());
                }
            }
        }
        Way::Nothing("too many links".to_owned())
    }

    /// Returns the first thing on the way to a path that is not a folder, and the rest of the way.
    fn link_on<'p>(&self, below: &'p str) -> Option<(&Found, &'p str)> {
        let ends = below.match_indices('/').map(|(at, _)| at).chain([below.len()]);
        ends.into_iter().find_map(|at| Some((self.files.get(&below[..at])?, &below[at..])))
    }

    /// Returns where an entry of the workflow in `folder` leads, and the path that messages show.
    pub(super) fn follow(&self, folder: &str, entry: &str) -> (String, Way<'_>) {
        let here = self.absolute(folder);
        let joined = normal(&format!("{here}/{entry}"));
        let resolved = if entry.starts_with('/') { normal(entry) } else { joined.clone() };
        let Some(below) = resolved.strip_prefix(&format!("{}/", self.path)) else {
            return (joined, Way::Out);
        };
        if entry.starts_with('/') {
            // The original joins an absolute entry to the folder all the same.
            return (joined, Way::Nothing("no such file".to_owned()));
        }
        let way = self.read(below);
        (joined, way)
    }
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
            ("dev/a.md", Found::Text("a".to_owned())),
            ("dev/out.md", Found::LinkOut),
            ("dev/in.md", Found::LinkTo("_s/t.md".to_owned())),
            ("dev/round.md", Found::LinkTo("dev/round.md".to_owned())),
            ("linked", Found::LinkTo("_s".to_owned())),
            ("_s/t.md", Found::Text("t".to_owned())),
        ];
        let files = files.map(|(path, found)| (path.to_owned(), found)).into();
        let tier = Tier { path: "/p/workflows".to_owned(), files };
        let way = |entry: &str| tier.follow("dev", entry).1;
        assert_eq!(way("./x/../a.md"), Way::Text("a"));
        assert_eq!(way("../_s/t.md"), Way::Text("t"));
        assert_eq!(way("in.md"), Way::Text("t"));
        assert_eq!(way("../linked/t.md"), Way::Text("t"));
        assert_eq!(way("../../workflows/dev/a.md"), Way::Text("a"));
        for out in ["../../x.md", "/etc/passwd", "out.md", "../..", "../../workflows-2/a.md", ".."]
        {
            assert_eq!(way(out), Way::Out, "{out}");
        }
        for nothing in ["", "no.md", "round.md", "/p/workflows/dev/a.md", "a.md/b"] {
            assert!(matches!(way(nothing), Way::Nothing(_)), "{nothing}");
        }
    }
}
