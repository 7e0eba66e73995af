//! The systems whose documents sprag reads and writes, by their folders in a project.
//!
//! This is the only list of these folders. It says which of them make a project, which paths are
//! records of the work and not part of it, and what agents may rewrite there.

/// A system with a folder of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct System {
    /// Its folder, which makes the folder around it a project.
    pub folder: &'static str,
    /// What it holds, for a person.
    pub what: &'static str,
    /// Paths that record the state of the work and are no part of it. A folder ends with `/`.
    pub records: &'static [&'static str],
    /// Whether a driver writes its documents into the user's own folder.
    pub is_driven: bool,
    /// Whether agents and sprag rewrite its documents in the course of the work.
    pub is_rewritten: bool,
}

/// All systems, in the order in which texts list them.
pub const SYSTEMS: [System; 4] = [
    System {
        folder: ".gsd",
        what: "opti-gsd or GSD",
        records: &[".gsd/STATE.md"],
        is_driven: true,
        is_rewritten: true,
    },
    System {
        folder: ".chipset",
        what: "assignments",
        records: &[".chipset/state/"],
        is_driven: true,
        is_rewritten: true,
    },
    System {
        folder: ".thoughts",
        what: "review loop",
        records: &[".thoughts/"],
        is_driven: true,
        is_rewritten: false,
    },
    System {
        folder: ".pi/workflows",
        what: "pi-workflows",
        records: &[],
        is_driven: false,
        is_rewritten: false,
    },
];

impl System {
    /// Returns whether a path is below the system's folder.
    pub fn has(&self, path: &str) -> bool {
        path.strip_prefix(self.folder).is_some_and(|rest| rest.starts_with('/'))
    }
}

/// Returns all paths that record the state of the work. A folder ends with `/`.
pub fn records() -> impl Iterator<Item = &'static str> {
    SYSTEMS.iter().flat_map(|system| system.records).copied()
}

/// Lists all folders in a sentence, with ours first.
pub fn listed(ours: &str) -> String {
    let mut names: Vec<&str> = SYSTEMS.iter().map(|system| system.folder).collect();
    let last = names.pop().unwrap_or_default();
    let first: Vec<&str> = std::iter::once(ours).chain(names).collect();
    format!("{} or {last}", first.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_the_paths_below_it_and_no_others() {
        let [gsd, ..] = SYSTEMS;
        assert!(gsd.has(".gsd/STATE.md"));
        assert!(!gsd.has(".gsd") && !gsd.has(".gsdx/a") && !gsd.has("a/.gsd/b"));
    }

    #[test]
    fn every_record_is_below_its_folder() {
        for system in SYSTEMS {
            assert!(system.records.iter().all(|path| system.has(path)), "{system:?}");
        }
    }

    #[test]
    fn the_folders_are_listed_as_a_sentence_has_them() {
        assert_eq!(listed(".sprag"), ".sprag, .gsd, .chipset, .thoughts or .pi/workflows");
    }
}
