use super::bullets::bullets;
use super::section::section;

const MODES: [&str; 6] = [
    "artifact-driven",
    "browser-executable",
    "runtime-executable",
    "live-runtime",
    "human-experience",
    "mixed",
];

/// Returns how a slice is tried out, where its paper says so.
pub(super) fn mode(text: &str) -> Option<&'static str> {
    let (_, inside) = section(text, "UAT Type", 2)?;
    let said = bullets(inside)
        .into_iter()
        .find_map(|bullet| Some(bullet.strip_prefix("UAT mode:")?.trim().to_lowercase()))?;
    MODES.into_iter().find(|mode| said.starts_with(mode))
}
