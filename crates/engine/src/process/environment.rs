//! Which variables a command of a project gets to see.

use std::ffi::{OsStr, OsString};

use crate::asker::MARKS;

/// Names the variable by which everything that a command started can be found again.
pub const EFFECT: &str = "SPRAG_EFFECT";

/// Parts of names that tell of a secret.
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

/// Ends of names that tell of one.
const SECRET_END: [&str; 6] = ["_KEY", "_KEYS", "_PAT", "_PASS", "_PWD", "__AUTH"];

/// Beginnings of names that belong to one session of a host, or to us.
const SESSION: [&str; 2] = ["CLAUDE_CODE_", "SPRAG_"];

/// Returns the variables without tokens, keys and what belongs to the session that asks.
pub fn clean(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    variables.into_iter().filter(|(name, _)| is_harmless(name)).collect()
}

fn is_harmless(name: &OsStr) -> bool {
    // A name that is not text is nobody's setting, and cannot be judged.
    let Some(name) = name.to_str().map(str::to_ascii_uppercase) else { return false };
    // The socket of an agent gives no key away, and private dependencies need it.
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
}
