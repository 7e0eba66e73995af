use sprag_core::Hash;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// There is no such file, or it cannot be read.
    Absent,
    /// Its bytes.
    Bytes(Vec<u8>),
    /// It is too large to be read; only its hash is known.
    TooLarge(Hash),
}

/// The files of a project as they are, or were.
pub trait ProjectFiles {
    /// Returns the content of a file below the root, also of one that git ignores. Links are
    /// followed, so that the hash is that of the file they lead to.
    fn read(&self, path: &str) -> FileContent;

    /// Returns the paths of all files that git does not ignore. It is asked for at most once; where
    /// it is empty, patterns such as `packages/*` match nothing.
    fn paths(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether a program of this name is found in an absolute folder of `PATH`.
    fn is_elsewhere(&self, _program: &str) -> bool {
        false
    }

    /// Returns the folders of the project in which programs are looked for, because `PATH` has them.
    fn search_folders(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether a folder is there, also one that git ignores.
    fn is_folder(&self, _path: &str) -> bool {
        false
    }

    /// Returns when a file came or changed last, in milliseconds; links are not followed.
    fn changed_at(&self, _path: &str) -> Option<i64> {
        None
    }
}
