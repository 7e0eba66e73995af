//! Finds out whether a person or an agent runs this command.
//!
//! Some verbs are for persons only. Hosts set an environment variable for the commands of an agent,
//! or are visible among the parent processes. Agent and person are the same user on the same
//! machine: this stops an agent that takes a shortcut, not one that means to deceive.

use crate::process::{EFFECT, Parents, parents};

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

/// Looks for marks in the environment through `is_set`, then among the parent processes.
pub fn caller(is_set: impl Fn(&str) -> bool) -> Caller {
    let mark = MARKS.iter().find(|name| is_set(name)).map(|name| (*name).to_owned());
    let among_parents = || {
        // The developers of sprag may start its tests from an agent.
        if cfg!(feature = "testing") && is_set("SPRAG_TEST_ALONE") {
            return None;
        }
        agent_among_parents(&parents(), std::process::id())
    };
    match mark.or_else(among_parents) {
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
    second_host(&parents(), std::process::id())
}

/// Returns the second host among the parents. Hosts restart themselves, so two in a row count as
/// one.
fn second_host(all: &impl Parents, process: u32) -> Option<String> {
    let (mut at, mut hosts, mut in_host) = (process, 0, false);
    for _ in 0..DEEPEST {
        at = all.parent(at).filter(|&parent| parent > 1)?;
        let found = host(&all.line(at));
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
/// if the system does not show its processes.
fn agent_among_parents(all: &impl Parents, process: u32) -> Option<String> {
    let mut at = process;
    for _ in 0..DEEPEST {
        at = all.parent(at).filter(|&parent| parent > 1)?;
        let found = host(&all.line(at)).or_else(|| all.has_variable(at, EFFECT).then_some(EFFECT));
        if let Some(mark) = found {
            return Some(format!("{mark} (process {at})"));
        }
    }
    None
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

    /// Processes with their parent, their command line and whether they have the runner's mark.
    struct Fake(&'static [(u32, u32, &'static str, bool)]);

    impl Fake {
        fn get(&self, id: u32) -> Option<(u32, &'static str, bool)> {
            let found = self.0.iter().find(|(own, ..)| *own == id);
            found.map(|(_, parent, line, mark)| (*parent, *line, *mark))
        }
    }

    impl Parents for Fake {
        fn parent(&self, id: u32) -> Option<u32> {
            Some(self.get(id)?.0)
        }

        fn line(&self, id: u32) -> Vec<u8> {
            self.get(id).map_or_else(Vec::new, |(_, line, _)| line.as_bytes().to_vec())
        }

        fn has_variable(&self, id: u32, name: &str) -> bool {
            name == EFFECT && self.get(id).is_some_and(|(.., mark)| mark)
        }
    }

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
        let all = Fake(&[
            (90, 80, "sprag\0", false),
            (80, 70, "sh\0-c\0", false),
            (70, 60, "node\0/x/copilot\0", false),
            (60, 1, "sh\0", false),
        ]);
        let found = agent_among_parents(&all, 90);
        assert_eq!(found.as_deref(), Some("copilot (process 70)"));
        assert_eq!(agent_among_parents(&all, 70), None);
        assert_eq!(agent_among_parents(&all, 5), None);
        assert_eq!(second_host(&all, 90), None);
    }

    #[test]
    fn an_agent_that_puts_its_mark_away_is_known_by_its_parents() {
        let all = Fake(&[(90, 80, "sh\0", false), (80, 70, "sh\0", true), (70, 1, "sh\0", false)]);
        let found = agent_among_parents(&all, 90);
        assert_eq!(found.as_deref(), Some("SPRAG_EFFECT (process 80)"));
        assert_eq!(agent_among_parents(&all, 80), None);
    }

    #[test]
    fn a_host_in_the_shell_of_another_is_an_agent_s() {
        let all = Fake(&[
            (90, 80, "sprag\0", false),
            (80, 70, "claude\0-p\0/sprag:pause\0", false),
            (70, 60, "node\0/x/claude\0", false),
            (60, 50, "sh\0-c\0claude\0", false),
            (50, 1, "codex\0", false),
        ]);
        assert_eq!(second_host(&all, 90).as_deref(), Some("codex (process 50)"));
        assert_eq!(second_host(&all, 80), Some("codex (process 50)".to_owned()));
        assert_eq!(second_host(&all, 60), None);
    }

    #[test]
    fn the_system_shows_our_parent() {
        let all = parents();
        let own = std::process::id();
        assert_eq!(all.parent(own), Some(std::os::unix::process::parent_id()));
        assert!(!all.line(own).is_empty() && !all.has_variable(own, "SPRAG_NO_SUCH_VARIABLE"));
    }
}
