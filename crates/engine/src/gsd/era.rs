use sprag_formats::gsd::{EntryType, Files};

/// The kind of tree in a `.gsd` folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// No GSD tree.
    None,
    /// Markdown holds the state.
    Markdown,
    /// GSD keeps its state in a database, and shows it as Markdown.
    Database,
    /// The flat layout of a later GSD, which is not supported.
    Flat,
}

impl Era {
    /// Determines the kind by the names in the top folder.
    pub fn of(files: &dyn Files) -> Self {
        let entries = files.list("").ok().flatten().unwrap_or_default();
        let has = |name: &str| entries.iter().any(|entry| entry.name == name);
        let is_folder = |name: &str| {
            entries.iter().any(|entry| entry.name == name && entry.found != EntryType::File)
        };
        if is_folder("phases") && !is_folder("milestones") {
            Self::Flat
        } else if has("gsd.db") {
            Self::Database
        } else if is_folder("milestones") || has("PREFERENCES.md") {
            Self::Markdown
        } else {
            Self::None
        }
    }

    /// Returns the name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Markdown => "markdown",
            Self::Database => "database",
            Self::Flat => "flat",
        }
    }

    /// Returns a description for a person.
    pub const fn says(self) -> &'static str {
        match self {
            Self::None => "no GSD tree",
            Self::Markdown => "GSD",
            Self::Database => {
                "GSD with a database, which sprag does not open; it reads the Markdown beside it, \
                 and drives it only with `gsd: {write: markdown}`"
            }
            Self::Flat => "GSD's flat layout, which this sprag does not read",
        }
    }
}

#[cfg(test)]
mod tests {
    use sprag_formats::gsd::Memory;

    use super::*;

    #[test]
    fn eras_are_told_apart_by_names() {
        let era = |names: &[&str]| {
            Era::of(&Memory(names.iter().map(|&n| (n.to_owned(), String::new())).collect()))
        };
        assert_eq!(era(&["milestones/M001/x.md"]), Era::Markdown);
        assert_eq!(era(&["PREFERENCES.md"]), Era::Markdown);
        assert_eq!(era(&["milestones/M001/x.md", "gsd.db"]), Era::Database);
        assert_eq!(era(&["phases/01-a/PLAN.md", "gsd.db"]), Era::Flat);
        assert_eq!(era(&["phases/01-a/PLAN.md", "milestones/M001/x.md"]), Era::Markdown);
        assert_eq!(era(&["STATE.md", "plans/a.md"]), Era::None);
    }
}
