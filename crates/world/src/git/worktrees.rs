use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

/// A worktree that git lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registered {
    /// Its folder, which may be gone.
    pub folder: PathBuf,
    /// The branch that is checked out, without `refs/heads/`.
    pub branch: Option<String>,
    /// Whether git had not finished creating it.
    pub is_unfinished: bool,
}

impl Registered {
    /// The arguments that list all worktrees; a git before 2.36 does not know the last one.
    pub const LIST: [&str; 4] = ["worktree", "list", "--porcelain", "-z"];
    /// The exit code of git for an unknown option.
    pub const USAGE: i32 = 129;

    pub fn read(out: &[u8]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for line in out.split(|&byte| byte == 0) {
            if let Some(path) = line.strip_prefix(b"worktree ") {
                let folder = PathBuf::from(OsStr::from_bytes(path));
                found.push(Self { folder, ..Self::default() });
            } else if let Some(one) = found.last_mut() {
                if let Some(name) = line.strip_prefix(b"branch refs/heads/") {
                    one.branch = Some(String::from_utf8_lossy(name).into_owned());
                }
                one.is_unfinished |= line == UNFINISHED;
            }
        }
        found
    }
}

/// The mark that git sets while it creates a worktree.
const UNFINISHED: &[u8] = b"locked initializing";

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sprag_testkit::TestEnv;

    use super::*;

    #[test]
    fn a_list_of_git_is_read() {
        let out = b"worktree /a\0HEAD 1\0branch refs/heads/main\0\0worktree /b\nc\0HEAD 2\0detached\0\
            locked initializing\0\0worktree /d\0HEAD 3\0branch refs/heads/sprag/r-1\0locked mine\0\0";
        let found = Registered::read(out);
        let branches: Vec<_> = found.iter().map(|one| one.branch.as_deref()).collect();
        assert_eq!(branches, [Some("main"), None, Some("sprag/r-1")]);
        assert_eq!(found[1].folder, Path::new("/b\nc"));
        let unfinished: Vec<_> = found.iter().map(|one| one.is_unfinished).collect();
        assert_eq!(unfinished, [false, true, false]);
    }

    #[test]
    fn whatever_a_folder_is_called_it_is_found() {
        let env = TestEnv::new();
        env.git(&["init", "-q"]);
        env.git(&["commit", "-qm", "one", "--allow-empty"]);
        let names = ["a b", "c\nbranch refs/heads/main", "\"d\" 'e' \\f", "g\n\nworktree /h"];
        for (nth, name) in names.iter().enumerate() {
            let folder = env.top().join(name).display().to_string();
            env.git(&["worktree", "add", "-q", "-b", &format!("b{nth}"), &folder]);
        }
        let found = Registered::read(env.git(&Registered::LIST).as_bytes());
        for (nth, name) in names.iter().enumerate() {
            let branch = Some(format!("b{nth}"));
            let one = found.iter().find(|one| one.branch == branch).unwrap();
            assert!(one.folder.ends_with(name), "{:?} is not {name:?}", one.folder);
        }
        assert_eq!(found.len(), names.len() + 1);
    }
}
