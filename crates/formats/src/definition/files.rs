use sprag_core::Hash;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// The file does not exist or cannot be read.
    Absent,
    Bytes(Vec<u8>),
    /// The file is too large to read; only its hash is known.
    TooLarge(Hash),
}

/// The files of a project, now or at an earlier time.
pub trait ProjectFiles {
    /// Reads a file below the root, even one that git ignores. Follows links, so that the hash is
    /// that of the target.
    fn read(&self, path: &str) -> FileContent;

    /// The paths of all files that git does not ignore. Called at most once. If it is empty,
    /// patterns such as `packages/*` match nothing.
    fn paths(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether a program of this name exists in an absolute folder of `PATH`.
    fn is_elsewhere(&self, _program: &str) -> bool {
        false
    }

    /// The folders of the project that are in `PATH`.
    fn search_folders(&self) -> Vec<String> {
        Vec::new()
    }

    /// The names in a folder, even those that git ignores.
    fn names_in(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether a folder exists, even one that git ignores.
    fn is_folder(&self, _path: &str) -> bool {
        false
    }

    /// Returns when a file was created or last changed, in milliseconds. Links are not followed.
    fn changed_at(&self, _path: &str) -> Option<i64> {
        None
    }
}
