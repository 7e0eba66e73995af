use super::template::fill;
use super::{Active, Definitions, State, Tools, texts};

/// Returns why a tool may not be used in the phase at hand, or nothing when it may.
///
/// The tool that moves the workflow is never blocked.
pub fn blocked(definitions: &Definitions, state: Option<&State>, tool: &str) -> Option<String> {
    let active = Active::of(definitions, state?)?;
    if tool == texts::TOOL {
        return None;
    }
    let listed = |list: &[String]| list.iter().any(|name| name == tool);
    let allowed = match active.phase.tools.as_ref()? {
        Tools::Without(list) if listed(list) => format!("all except: {}", list.join(", ")),
        Tools::Only(list) if !listed(list) => list.join(", "),
        Tools::Without(_) | Tools::Only(_) => return None,
    };
    let values = [
        ("workflowName", active.root.name.as_str()),
        ("phaseName", &active.phase.name),
        ("toolName", tool),
        ("allowedTools", &allowed),
    ];
    Some(fill(active.root.texts.block.as_deref().unwrap_or(texts::BLOCK), &values))
}
