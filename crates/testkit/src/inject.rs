//! Runs a command once for each fault: a kill or an error at each of its system calls.
//!
//! Every run starts from a fresh copy of one prepared folder, so a fault is the only difference
//! between two runs. The verifier decides what the folder must look like afterwards.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::folder;
use crate::strace::{self, Call};

#[cfg(test)]
mod tests;

/// The effect at a call, in place of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process is killed before the call takes effect.
    Kill,
    /// This call fails; the next one succeeds.
    Error(&'static str),
    /// This call and every later one of its name fail.
    Lasting(&'static str),
}

#[derive(Clone, Debug)]
pub struct Injection {
    /// The call as it was recorded without the fault.
    pub call: Call,
    pub fault: Fault,
}

impl Injection {
    /// Returns whether the command cannot write any message afterwards, because every write fails.
    pub fn mutes(&self) -> bool {
        self.call.name == "write" && matches!(self.fault, Fault::Lasting(_))
    }

    fn options(&self) -> [String; 4] {
        let (name, nth) = (&self.call.name, self.call.nth);
        let inject = match self.fault {
            Fault::Kill => format!("inject={name}:signal=SIGKILL:when={nth}"),
            Fault::Error(errno) => format!("inject={name}:error={errno}:when={nth}"),
            Fault::Lasting(errno) => format!("inject={name}:error={errno}:when={nth}+"),
        };
        ["-e".to_owned(), format!("trace={name}"), "-e".to_owned(), inject]
    }
}

/// A command, the folder that it starts from, and the faults to try.
pub struct Sweep<'a> {
    /// The prepared folder; it is copied for each run and never changed.
    pub fixture: &'a Path,
    /// Builds the command line for a copy of the folder.
    pub command: &'a (dyn Fn(&Path) -> Vec<OsString> + Sync),
    /// Chooses the faults for a call that touches the folder.
    pub faults: fn(&Call) -> Vec<Fault>,
}

pub struct Trial<'a> {
    /// The copy of the folder, as the command left it.
    pub root: &'a Path,
    pub injection: &'a Injection,
    /// The command's output and exit status.
    pub output: &'a Output,
}

/// The results of a sweep.
#[derive(Debug, Default)]
pub struct Tally {
    /// The number of runs that reached their fault.
    pub hits: usize,
    /// The number of runs that ended before their fault.
    pub misses: usize,
    /// The verifier's findings, each with a command line that reproduces it.
    pub violations: Vec<String>,
}

impl Sweep<'_> {
    /// Runs every injection on two threads and passes each trial to `verify`.
    ///
    /// `scratch` must be empty. It is not removed, so that a printed command line still works.
    pub fn run(
        &self,
        scratch: &Path,
        verify: &(dyn Fn(&Trial<'_>) -> Result<(), String> + Sync),
    ) -> io::Result<Tally> {
        let injections = self.injections(scratch)?;
        let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
        let work = || -> io::Result<()> {
            while let Some(at) = injections.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.try_one(scratch, at, &tally, verify)?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let other = scope.spawn(work);
            work()?;
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        Ok(tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn injections(&self, scratch: &Path) -> io::Result<Vec<Injection>> {
        let root = scratch.join("recorded");
        folder::copy(self.fixture, &root)?;
        let (calls, output) = strace::record(&(self.command)(&root), &scratch.join("record"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(io::Error::other(format!("fails without any fault: {said}")));
        }
        let injections = calls.into_iter().filter(|call| call.touches(&root)).flat_map(|call| {
            let faults = (self.faults)(&call);
            faults.into_iter().map(move |fault| Injection { call: call.clone(), fault })
        });
        Ok(injections.collect())
    }

    fn try_one(
        &self,
        scratch: &Path,
        injection: &Injection,
        tally: &Mutex<Tally>,
        verify: &(dyn Fn(&Trial<'_>) -> Result<(), String> + Sync),
    ) -> io::Result<()> {
        let copy = tempfile::Builder::new().prefix("run-").tempdir_in(scratch)?;
        let (root, log) = (copy.path().join("root"), copy.path().join("log"));
        folder::copy(self.fixture, &root)?;
        let command = (self.command)(&root);
        let output = strace::run(&injection.options(), &log, &command)?;
        let record = std::fs::read_to_string(&log)?;
        let met = record.contains("(INJECTED)") || record.contains("killed by SIGKILL");
        let verdict = verify(&Trial { root: &root, injection, output: &output });
        let mut tally = tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if met {
            tally.hits += 1;
        } else {
            tally.misses += 1;
        }
        if let Err(why) = verdict {
            tally.violations.push(self.reproduce(scratch, injection, &why));
        }
        Ok(())
    }

    fn reproduce(&self, scratch: &Path, injection: &Injection, why: &str) -> String {
        let again: PathBuf = scratch.join("again");
        let words: Vec<String> = (self.command)(&again)
            .iter()
            .map(|word| format!("'{}'", word.to_string_lossy().replace('\'', r"'\''")))
            .collect();
        format!(
            "{why}\n  at {}\n  rm -rf {again} && cp -a {fixture} {again} && strace -f -y {options} -- {command}\n",
            injection.call.text,
            again = again.display(),
            fixture = self.fixture.display(),
            options = injection.options().join(" "),
            command = words.join(" "),
        )
    }
}

/// The errors that a healthy kernel may return for `call`.
pub fn errors(call: &Call) -> Vec<Fault> {
    use Fault::{Error, Lasting};
    match call.name.as_str() {
        "openat" | "openat2" | "creat" if call.only_reads() => vec![Error("EIO"), Error("EACCES")],
        "openat" | "openat2" | "creat" | "mkdir" | "mkdirat" | "link" | "linkat" | "symlinkat" => {
            vec![Error("ENOSPC"), Error("EIO"), Error("EACCES"), Error("EDQUOT"), Lasting("ENOSPC")]
        }
        "write" | "pwrite64" | "writev" | "pwritev" | "copy_file_range" | "fallocate" => {
            vec![Error("ENOSPC"), Error("EIO"), Error("EDQUOT"), Error("EINTR"), Lasting("ENOSPC")]
        }
        "fsync" | "fdatasync" | "sync_file_range" => {
            vec![Error("EIO"), Error("ENOSPC"), Error("EINTR"), Lasting("EIO")]
        }
        "rename" | "renameat" | "renameat2" => {
            vec![Error("EIO"), Error("ENOSPC"), Error("EACCES"), Lasting("EIO")]
        }
        "unlink" | "unlinkat" | "rmdir" => vec![Error("EIO"), Error("EACCES"), Lasting("EIO")],
        "ftruncate" | "truncate" => vec![Error("EIO"), Error("EINTR"), Lasting("EIO")],
        "flock" => vec![Error("EINTR"), Error("ENOLCK")],
        "read" | "pread64" => vec![Error("EIO"), Error("EINTR")],
        "statx" | "newfstatat" | "fstat" | "getdents64" => vec![Error("EIO")],
        // Modes, owners and times: a file system without them returns an error.
        _ => vec![Error("EPERM"), Error("EIO")],
    }
}
