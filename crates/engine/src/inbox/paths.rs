//! Where the documents of the inbox stand. A name that is no id never becomes a path.

use sprag_core::{Agent, DocPath, Id, UnitId};

use crate::engine::EngineError;

/// The folder of the original's documents.
pub(crate) const STATE: &str = ".chipset/state";
/// The folder of ours.
pub(crate) const OURS: &str = ".sprag/agents";

/// Returns a folder of the original's.
pub(crate) fn folder(name: &str) -> Result<DocPath, EngineError> {
    Ok(DocPath::parse(&format!("{STATE}/{name}"))?)
}

/// Returns the assignment of an agent.
pub(crate) fn hook(agent: &Agent) -> Result<DocPath, EngineError> {
    below("hooks", agent.as_str())
}

/// Returns who an agent is.
pub(crate) fn agent(agent: &Agent) -> Result<DocPath, EngineError> {
    below("agents", agent.as_str())
}

/// Returns a unit of work.
pub(crate) fn work(unit: &UnitId) -> Result<DocPath, EngineError> {
    below("work", unit.as_str())
}

/// Returns the record of a unit that was sent.
pub(crate) fn dispatch(unit: &UnitId) -> Result<DocPath, EngineError> {
    below("dispatch", unit.as_str())
}

/// Returns what we know of an agent.
pub(crate) fn holder(agent: &Agent) -> Result<DocPath, EngineError> {
    Ok(DocPath::parse(&format!("{OURS}/{agent}.json"))?)
}

/// Returns what we know of a unit.
pub(crate) fn tally(unit: &UnitId) -> Result<DocPath, EngineError> {
    let unit = Id::parse(unit.as_str())?;
    Ok(DocPath::parse(&format!("{OURS}/units/{unit}.json"))?)
}

/// Returns the document `name` in a folder of the original's.
pub(crate) fn below(kind: &str, name: &str) -> Result<DocPath, EngineError> {
    let name = Id::parse(name)?;
    Ok(DocPath::parse(&format!("{STATE}/{kind}/{name}.json"))?)
}
