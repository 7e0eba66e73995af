//! Selects the variables that a project's command gets.

use std::ffi::{OsStr, OsString};

use crate::caller::MARKS;

/// The variable that marks all processes of a command.
pub const EFFECT: &str = "SPRAG_EFFECT";

/// The variables in which hosts pass the id of their session to child processes.
const SESSION_NAMES: [&str; 3] =
    ["CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "COPILOT_AGENT_SESSION_ID"];

/// Returns the marks in the environment of a session's processes. `session` is the name of its
/// file.
pub fn session_marks(session: &str) -> Vec<String> {
    let own = std::iter::once(format!("SPRAG_SESSION={session}"));
    let id = session.split_once('-').map(|(_, id)| id);
    let of_host = SESSION_NAMES.iter().zip(std::iter::repeat(id));
    own.chain(of_host.filter_map(|(name, id)| Some(format!("{name}={}", id?)))).collect()
}

/// Parts of names that indicate a secret.
const SECRET: [&str; 12] = [
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "API_KEY",
    "APIKEY",
    "ACCESS_KEY",
    "PRIVATE_KEY",
    "_AUTH_",
    "BEARER",
];

/// Ends of names that indicate a secret.
const SECRET_END: [&str; 6] = ["_KEY", "_KEYS", "_PAT", "_PASS", "_PWD", "__AUTH"];

/// Prefixes of variables that belong to one session of a host, or to us.
const SESSION: [&str; 2] = ["CLAUDE_CODE_", "SPRAG_"];

/// Removes tokens, keys and the variables of the calling session.
pub fn clean(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    variables.into_iter().filter(|(name, _)| is_harmless(name)).collect()
}

/// Variables of a host's session that reveal it to child processes; complete together with
/// [`MARKS`]. `CLAUDE_CODE_USE_BEDROCK` and `CLAUDE_CODE_OAUTH_TOKEN` are a person's settings and
/// stay.
const OF_A_SESSION: [&str; 22] = [
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXECPATH",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_EFFORT",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PID",
    "CLAUDE_PLUGIN_DATA",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
    "CODEX_CI",
    "CODEX_SESSION_ID",
    "CODEX_TOOL_CALL_ID",
    "COPILOT_PROJECT_DIR",
    "GEMINI_CLI_NO_RELAUNCH",
    "GEMINI_PROJECT_DIR",
    "OPENCODE_PID",
    "PI_SESSION_FILE",
    "PI_SESSION_ID",
];

/// Returns a person's variables for their own agent: all of them including keys, except those of
/// another agent's session or of another run of ours.
pub fn inherited(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let is_another_s = |name: &OsStr| {
        name.to_str().is_some_and(|name| {
            name.starts_with("SPRAG_") || MARKS.contains(&name) || OF_A_SESSION.contains(&name)
        })
    };
    variables.into_iter().filter(|(name, _)| !is_another_s(name)).collect()
}

fn is_harmless(name: &OsStr) -> bool {
    // A name that is not UTF-8 is no known setting and cannot be judged.
    let Some(name) = name.to_str().map(str::to_ascii_uppercase) else { return false };
    // The agent's socket does not reveal a key, and private dependencies need it.
    if name == "SSH_AUTH_SOCK" {
        return true;
    }
    !(SECRET.iter().any(|part| name.contains(part))
        || SECRET_END.iter().any(|end| name.ends_with(end))
        || SESSION.iter().any(|start| name.starts_with(start))
        || MARKS.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_sessions_stay_behind() {
        for name in [
            "GITHUB_TOKEN",
            "gh_token",
            "CARGO_REGISTRIES_X_TOKEN",
            "ANTHROPIC_API_KEY",
            "OPENAI_APIKEY",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_ACCESS_KEY_ID",
            "PGPASSWORD",
            "DEPLOY_KEY",
            "NPM_CONFIG__AUTH",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "CLAUDECODE",
            "CLAUDE_CODE_SESSION_ID",
            "SPRAG_RUN",
            "SPRAG_EFFECT",
        ] {
            assert!(!is_harmless(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "HOME", "LANG", "RUSTFLAGS", "SSH_AUTH_SOCK", "KEYBOARD", "CI"] {
            assert!(is_harmless(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn an_agent_gets_the_keys_and_not_the_session() {
        let names = |names: &[&str]| -> Vec<(OsString, OsString)> {
            names.iter().map(|name| (name.into(), "x".into())).collect()
        };
        let kept = ["PATH", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "SPRAG", "CODEX_HOME"];
        let gone =
            ["CLAUDECODE", "SPRAG_RUN", "SPRAG_EFFECT", "CLAUDE_CODE_SESSION_ID", "OPENCODE"];
        assert_eq!(inherited(names(&[kept, gone].concat())), names(&kept));
    }
}
