//! Single processes, for a walk from a process up to its parents.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::process::Parents;

/// How many bytes of a process's environment are read.
const MOST_ENVIRON: u64 = 4 << 20;

/// A folder such as `/proc`.
struct ProcFolder<'a>(&'a Path);

pub(crate) fn parents() -> impl Parents {
    ProcFolder(Path::new("/proc"))
}

impl ProcFolder<'_> {
    fn file(&self, id: u32, name: &str) -> PathBuf {
        self.0.join(id.to_string()).join(name)
    }
}

impl Parents for ProcFolder<'_> {
    /// Reads `/proc/N/stat`: the second word after the name in parentheses.
    fn parent(&self, id: u32) -> Option<u32> {
        let stat = std::fs::read(self.file(id, "stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat).into_owned();
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    }

    fn line(&self, id: u32) -> Vec<u8> {
        std::fs::read(self.file(id, "cmdline")).unwrap_or_default()
    }

    fn has_variable(&self, id: u32, name: &str) -> bool {
        let mut environ = Vec::new();
        let file = std::fs::File::open(self.file(id, "environ"));
        let read = file.and_then(|file| file.take(MOST_ENVIRON).read_to_end(&mut environ));
        let mut variables = environ.split(|&byte| byte == 0);
        let is_it = |variable: &[u8]| {
            let value = variable.strip_prefix(name.as_bytes());
            value.is_some_and(|value| value.starts_with(b"="))
        };
        read.is_ok() && variables.any(is_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    fn a_process_is_read_from_its_files() {
        let proc = tempfile::tempdir().unwrap();
        let folder = proc.path().join("90");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("stat"), "90 (a) b) S 80 1 1").unwrap();
        std::fs::write(folder.join("cmdline"), "sh\0-c\0").unwrap();
        std::fs::write(folder.join("environ"), "MARKED=1\0X=MARK=1\0MARK=\0").unwrap();
        let all = ProcFolder(proc.path());
        assert_eq!((all.parent(90), all.line(90).as_slice()), (Some(80), &b"sh\0-c\0"[..]));
        assert!(all.has_variable(90, "MARK") && !all.has_variable(90, "MARKE"));
        assert_eq!(
            (all.parent(5), all.line(5), all.has_variable(5, "MARK")),
            (None, vec![], false)
        );
    }
}
