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

/// Returns the mode in which a slice is tried out, if its document names one.
pub(super) fn mode(text: &str) -> Option<&'static str> {
    let (_, inside) = section(text, "UAT Type", 2)?;
    let said = bullets(inside)
        .into_iter()
        .find_map(|bullet| Some(bullet.strip_prefix("UAT mode:")?.trim().to_lowercase()))?;
    MODES.into_iter().find(|mode| said.starts_with(mode))
}
