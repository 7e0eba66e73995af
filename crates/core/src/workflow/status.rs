use super::{Definitions, OrderEntry, SessionRecord};

/// Returns the status line; `None` if there is nothing to show.
pub fn status_line(definitions: &Definitions, state: Option<&SessionRecord>) -> Option<String> {
    let state = state.filter(|state| state.active)?;
    let path = &state.position.path;
    let mut parts = vec![definitions.get(&path.first()?.key)?.name.clone()];
    for level in path {
        let scope = definitions.get(&level.key)?;
        let entry = scope.entry(level.index)?;
        let place = format!("[{}/{}]", level.index + 1, scope.phases.len());
        let name = definitions.name_of(entry);
        parts.push(match entry {
            OrderEntry::Phase(phase) => format!("{} {name} {place}", phase.emoji),
            OrderEntry::Workflow(_) => format!("{name} {place}"),
        });
    }
    Some(parts.join(" > "))
}
