//! Runs many processes against one place, kills some, and collects the lines of each.
//!
//! A process prints `call …` before an operation and the outcome after it, each line in one write.
//! A victim is killed after a random number of lines, inside an operation or between two. The
//! scheduler decides the exact point; nothing here waits by the clock.
#![expect(clippy::disallowed_methods, reason = "starts the processes that race")]

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::linear::{Operation, What};
use crate::seed::Seed;

/// A racing process: its command line and, for a victim, the line after which it is killed.
pub struct Racer {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// The number of lines before the kill.
    pub killed_after: Option<usize>,
}

/// Starts all racers at once and returns the lines of each.
pub fn run(racers: &[Racer], seed: &Seed) -> io::Result<Vec<Vec<String>>> {
    let mut children = Vec::new();
    for racer in racers {
        let mut child = Command::new(&racer.command[0])
            .args(&racer.command[1..])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let Some(said) = child.stdout.take() else {
            return Err(io::Error::other("the pipe is missing"));
        };
        children.push((child, said));
    }
    std::thread::scope(|scope| {
        let watchers: Vec<_> = children
            .into_iter()
            .zip(racers)
            .zip(0_u64..)
            .map(|(((child, said), racer), number)| {
                let mut seed = Seed::new(seed.clone().next() ^ number);
                scope.spawn(move || watch(child, said, racer.killed_after, &mut seed))
            })
            .collect();
        watchers
            .into_iter()
            .map(|watcher| watcher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

fn watch(
    mut child: Child,
    said: ChildStdout,
    killed_after: Option<usize>,
    seed: &mut Seed,
) -> io::Result<Vec<String>> {
    let mut reader = BufReader::new(said);
    let mut lines = Vec::new();
    loop {
        if killed_after == Some(lines.len()) {
            // Yield a few times, so that the kills do not all hit the same instruction.
            (0..seed.below(64)).for_each(|_| std::thread::yield_now());
            child.kill()?;
        }
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            break;
        }
        lines.push(String::from_utf8_lossy(&line).into_owned());
    }
    let status = child.wait()?;
    if killed_after.is_none() && !status.success() {
        return Err(io::Error::other(format!("a racer ended with {status} after {lines:?}")));
    }
    Ok(lines)
}

/// Parses a process's lines into operations on a register.
///
/// The lines are `call TIME read` or `call TIME swap FROM TO`, then `saw TIME VALUE`,
/// `swapped TIME`, or `unclear TIME`. A last `call` without an answer is a process that died in
/// between.
pub fn operations(process: u32, lines: &[String]) -> Result<Vec<Operation>, String> {
    let mut found = Vec::new();
    let mut rows = lines.iter().peekable();
    while let Some(line) = rows.next() {
        let (called, asked) = parse_call(line).ok_or_else(|| format!("not a call: {line}"))?;
        let answer = rows.next().map(String::as_str);
        let operation = |returned, what| Operation { process, called, returned, what };
        let words: Vec<&str> = answer.unwrap_or("unclear 0").split(' ').collect();
        let time = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
        match (words[0], asked, time(1), time(2)) {
            ("saw", Some((from, _)), Some(_), Some(value)) if value == from => {
                return Err(format!(
                    "refused although it saw what it expected: {line} / {answer:?}"
                ));
            }
            ("saw", _, Some(at), Some(value)) => found.push(operation(at, What::Saw(value))),
            ("swapped", Some((from, to)), Some(at), _) => {
                found.push(operation(at, What::Swapped(from, to)));
            }
            ("unclear", Some((from, to)), _, _) => {
                found.push(operation(u64::MAX, What::Unclear(from, to)));
            }
            // A read that never returned proves nothing.
            ("unclear", None, _, _) => {}
            _ => return Err(format!("not an answer to {line}: {answer:?}")),
        }
    }
    Ok(found)
}

type Asked = Option<(u64, u64)>;

fn parse_call(line: &str) -> Option<(u64, Asked)> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["call", at, "read"] => Some((at.parse().ok()?, None)),
        ["call", at, "swap", from, to] => {
            Some((at.parse().ok()?, Some((from.parse().ok()?, to.parse().ok()?))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, killed_after: Option<usize>) -> Racer {
        Racer { command: vec!["sh".into(), "-c".into(), script.into()], killed_after }
    }

    #[test]
    fn victims_die_and_the_others_are_heard_to_the_end() {
        let racers = [shell("echo a; echo b", None), shell("while :; do echo x; done", Some(3))];
        let said = run(&racers, &Seed::new(1)).unwrap();
        assert_eq!(said[0], ["a", "b"]);
        assert!(said[1].len() >= 3);
        assert!(run(&[shell("exit 3", None)], &Seed::new(1)).is_err());
    }

    #[test]
    fn lines_become_operations() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let found = operations(
            4,
            &lines(
                "call 1 read\nsaw 2 0\ncall 3 swap 0 9\nswapped 4\ncall 5 swap 0 8\nsaw 6 9\ncall 7 swap 9 7",
            ),
        );
        let whats: Vec<What> = found.unwrap().iter().map(|one| one.what).collect();
        assert_eq!(whats, [What::Saw(0), What::Swapped(0, 9), What::Saw(9), What::Unclear(9, 7)]);
        assert!(operations(4, &lines("call 1 swap 5 6\nsaw 2 5")).is_err());
        assert!(operations(4, &lines("saw 2 5")).is_err());
    }
}
