use super::template::fill;
use super::{Active, Definitions, SessionRecord, Tools, texts};
use crate::Call;

/// Returns why a tool is blocked in the current phase; `None` if it is allowed. The tool is given
/// by pi's exact name.
pub fn blocked(
    definitions: &Definitions,
    state: Option<&SessionRecord>,
    tool: &str,
) -> Option<String> {
    blocked_call(definitions, state, &Call::named(tool))
}

/// Returns why a call is blocked in the current phase; `None` if it is allowed.
///
/// A tool that only advances the workflow is never blocked.
pub(super) fn blocked_call(
    definitions: &Definitions,
    state: Option<&SessionRecord>,
    call: &Call,
) -> Option<String> {
    let active = Active::of(definitions, state?)?;
    if call.name == texts::TOOL || call.advances {
        return None;
    }
    let listed = |list: &[String]| list.iter().any(|entry| call.is_meant_by(entry));
    let allowed = match active.phase.tools.as_ref()? {
        Tools::Without(list) if listed(list) => format!("all except: {}", list.join(", ")),
        Tools::Only(list) if !listed(list) => list.join(", "),
        Tools::Without(_) | Tools::Only(_) => return None,
    };
    let values = [
        ("workflowName", active.root.name.as_str()),
        ("phaseName", &active.phase.name),
        ("toolName", &call.name),
        ("allowedTools", &allowed),
    ];
    Some(fill(active.root.texts.block.as_deref().unwrap_or(texts::BLOCK), &values))
}
