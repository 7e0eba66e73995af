//! Finds out whether a person or an agent runs this command.
//!
//! Some verbs are for persons only. Hosts set an environment variable for the commands of an agent,
//! or are visible among the parent processes. Agent and person are the same user on the same
//! machine: this stops an agent that takes a shortcut, not one that means to deceive.

use std::io::Read as _;
use std::path::Path;

use crate::process::EFFECT;

/// Who runs this command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    Person,
    /// A mark of an agent's host was found.
    Agent {
        /// The variable or program that gave the agent away.
        mark: String,
    },
}

/// Variables that hosts and the runner set for an agent's commands.
///
/// The list has no variables that a person may set in a shell profile: `CLAUDE_CODE_USE_BEDROCK`
/// and `CODEX_HOME` are settings, not marks.
pub const MARKS: [&str; 15] = [
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
    "PI_CODING_AGENT",
    "SPRAG_AGENT",
    "SPRAG_EFFECT",
    "SPRAG_RUN",
    "SPRAG_SESSION",
];

/// Names of host programs.
const HOSTS: [&str; 6] = ["claude", "codex", "copilot", "gemini", "opencode", "pi"];

/// The most parents to look at. It also ends the search in a chain that changes while we read it.
const DEEPEST: usize = 64;

/// How many bytes of a process's environment are read.
const MOST_ENVIRON: u64 = 4 << 20;

/// Looks for marks in the environment through `is_set`, then among the parent processes.
pub fn caller(is_set: impl Fn(&str) -> bool) -> Caller {
    let mark = MARKS.iter().find(|name| is_set(name)).map(|name| (*name).to_owned());
    let parents = || {
        // The developers of sprag may start its tests from an agent.
        if cfg!(feature = "testing") && is_set("SPRAG_TEST_ALONE") {
            return None;
        }
        agent_among_parents(Path::new("/proc"), std::process::id())
    };
    match mark.or_else(parents) {
        Some(mark) => Caller::Agent { mark },
        None => Caller::Person,
    }
}

/// Returns the second host among the parents if an agent started the host that calls us. The
/// prompts of such a host are the words of that agent and not of a person.
pub fn started_by_agent(is_set: impl Fn(&str) -> bool) -> Option<String> {
    if cfg!(feature = "testing") && is_set("SPRAG_TEST_ALONE") {
        return None;
    }
    second_host(Path::new("/proc"), std::process::id())
}

/// Returns the second host among the parents. Hosts restart themselves, so two in a row count as
/// one.
fn second_host(proc: &Path, process: u32) -> Option<String> {
    let (mut at, mut hosts, mut in_host) = (process, 0, false);
    for _ in 0..DEEPEST {
        at = parent(proc, at).filter(|&parent| parent > 1)?;
        let line = std::fs::read(proc.join(at.to_string()).join("cmdline")).unwrap_or_default();
        let found = host(&line);
        if let (Some(host), false) = (found, in_host) {
            hosts += 1;
            if hosts == 2 {
                return Some(format!("{host} (process {at})"));
            }
        }
        in_host = found.is_some();
    }
    None
}

/// Returns the nearest parent that is a host, or that the runner started as an agent. `None` also
/// where there is no `/proc`.
fn agent_among_parents(proc: &Path, process: u32) -> Option<String> {
    let mut at = process;
    for _ in 0..DEEPEST {
        at = parent(proc, at).filter(|&parent| parent > 1)?;
        let folder = proc.join(at.to_string());
        let line = std::fs::read(folder.join("cmdline")).unwrap_or_default();
        let found = host(&line).or_else(|| is_marked(&folder).then_some(EFFECT));
        if let Some(mark) = found {
            return Some(format!("{mark} (process {at})"));
        }
    }
    None
}

/// Returns whether a process was started with the runner's mark, which its children may have
/// removed. Only this variable is read, and its value is not kept.
fn is_marked(folder: &Path) -> bool {
    let mut environ = Vec::new();
    let file = std::fs::File::open(folder.join("environ"));
    let read = file.and_then(|file| file.take(MOST_ENVIRON).read_to_end(&mut environ));
    let mut variables = environ.split(|&byte| byte == 0);
    let is_mark = |variable: &[u8]| {
        let value = variable.strip_prefix(EFFECT.as_bytes());
        value.is_some_and(|value| value.starts_with(b"="))
    };
    read.is_ok() && variables.any(is_mark)
}

/// Reads the parent's id from `/proc/N/stat`: the second word after the name in parentheses.
fn parent(proc: &Path, process: u32) -> Option<u32> {
    let stat = std::fs::read(proc.join(process.to_string()).join("stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat).into_owned();
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Recognises a host's command line: `codex …` as well as `node /usr/bin/codex …`.
fn host(line: &[u8]) -> Option<&'static str> {
    let mut words = line.split(|&byte| byte == 0).map(String::from_utf8_lossy);
    let (program, script) = (words.next()?, words.next());
    let name = |word: &str| {
        let file = word.rsplit(['/', '\\']).next().unwrap_or(word);
        HOSTS.into_iter().find(|host| *host == file.split('.').next().unwrap_or(file))
    };
    let runs_scripts = ["node", "bun", "deno"].iter().any(|by| program.ends_with(by));
    name(&program).or_else(|| script.filter(|_| runs_scripts).and_then(|script| name(&script)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_in_the_environment_is_an_agent() {
        let asked = caller(|name| name == "GEMINI_CLI");
        assert_eq!(asked, Caller::Agent { mark: "GEMINI_CLI".to_owned() });
    }

    #[test]
    fn hosts_are_known_by_program_or_script() {
        assert_eq!(host(b"/usr/local/bin/codex\0exec\0"), Some("codex"));
        assert_eq!(host(b"node\0/usr/lib/node_modules/.bin/gemini\0-p\0hi\0"), Some("gemini"));
        assert_eq!(host(b"/usr/bin/node\0/opt/pi/dist/pi.js\0"), Some("pi"));
        assert_eq!(host(b"claude\0"), Some("claude"));
    }

    #[test]
    fn a_person_who_only_names_a_host_is_none() {
        for line in [&b"vim\0claude\0"[..], b"grep\0codex\0", b"/bin/sh\0", b"pip\0", b"", b"\0"] {
            assert_eq!(host(line), None, "{line:?}");
        }
    }

    #[test]
    fn parents_are_walked_up_to_the_host() {
        let proc = tempfile::tempdir().unwrap();
        for (process, parent, line) in [
            (90, 80, "sprag\0"),
            (80, 70, "sh\0-c\0"),
            (70, 60, "node\0/x/copilot\0"),
            (60, 1, "sh\0"),
        ] {
            let folder = proc.path().join(process.to_string());
            std::fs::create_dir(&folder).unwrap();
            put(&folder.join("stat"), &format!("{process} (a) b) S {parent} 1 1"));
            put(&folder.join("cmdline"), line);
        }
        let found = agent_among_parents(proc.path(), 90);
        assert_eq!(found.as_deref(), Some("copilot (process 70)"));
        assert_eq!(agent_among_parents(proc.path(), 70), None);
        assert_eq!(agent_among_parents(proc.path(), 5), None);
        assert_eq!(second_host(proc.path(), 90), None);
    }

    #[test]
    fn an_agent_that_puts_its_mark_away_is_known_by_its_parents() {
        let proc = tempfile::tempdir().unwrap();
        for (process, parent, environ) in [
            (90, 80, "HOME=/x\0"),
            (80, 70, "HOME=/x\0SPRAG_EFFECT=e-1\0"),
            (70, 1, "SPRAG_EFFECTIVE=1\0X=SPRAG_EFFECT=1\0"),
        ] {
            let folder = proc.path().join(process.to_string());
            std::fs::create_dir(&folder).unwrap();
            put(&folder.join("stat"), &format!("{process} (sh) S {parent} 1 1"));
            put(&folder.join("cmdline"), "sh\0");
            put(&folder.join("environ"), environ);
        }
        let found = agent_among_parents(proc.path(), 90);
        assert_eq!(found.as_deref(), Some("SPRAG_EFFECT (process 80)"));
        assert_eq!(agent_among_parents(proc.path(), 80), None);
    }

    #[test]
    fn a_host_in_the_shell_of_another_is_an_agent_s() {
        let proc = tempfile::tempdir().unwrap();
        for (process, parent, line) in [
            (90, 80, "sprag\0"),
            (80, 70, "claude\0-p\0/sprag:pause\0"),
            (70, 60, "node\0/x/claude\0"),
            (60, 50, "sh\0-c\0claude\0"),
            (50, 1, "codex\0"),
        ] {
            let folder = proc.path().join(process.to_string());
            std::fs::create_dir(&folder).unwrap();
            put(&folder.join("stat"), &format!("{process} (a) S {parent} 1 1"));
            put(&folder.join("cmdline"), line);
        }
        assert_eq!(second_host(proc.path(), 90).as_deref(), Some("codex (process 50)"));
        assert_eq!(second_host(proc.path(), 80), Some("codex (process 50)".to_owned()));
        assert_eq!(second_host(proc.path(), 60), None);
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    fn put(path: &Path, text: &str) {
        std::fs::write(path, text).unwrap();
    }
}
