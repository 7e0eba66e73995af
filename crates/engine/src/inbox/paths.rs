//! The paths of the inbox's documents. A name that is not a valid id never becomes part of a path.

use sprag_core::{Agent, DocPath, Id, UnitId};

use crate::engine::EngineError;

/// The folder of the original's documents.
pub(crate) const STATE: &str = ".chipset/state";
/// The folder of our documents.
pub(crate) const OURS: &str = ".sprag/agents";

/// Returns a folder of the original.
pub(crate) fn folder(name: &str) -> Result<DocPath, EngineError> {
    Ok(DocPath::parse(&format!("{STATE}/{name}"))?)
}

/// Returns the document of an agent's assignment.
pub(crate) fn hook(agent: &Agent) -> Result<DocPath, EngineError> {
    below("hooks", agent.as_str())
}

/// Returns the document that describes an agent.
pub(crate) fn agent(agent: &Agent) -> Result<DocPath, EngineError> {
    below("agents", agent.as_str())
}

/// Returns the document of a unit.
pub(crate) fn work(unit: &UnitId) -> Result<DocPath, EngineError> {
    below("work", unit.as_str())
}

/// Returns the dispatch record of a unit.
pub(crate) fn dispatch(unit: &UnitId) -> Result<DocPath, EngineError> {
    below("dispatch", unit.as_str())
}

/// Returns our record about an agent.
pub(crate) fn holder(agent: &Agent) -> Result<DocPath, EngineError> {
    Ok(DocPath::parse(&format!("{OURS}/{agent}.json"))?)
}

/// Returns our record about a unit.
pub(crate) fn tally(unit: &UnitId) -> Result<DocPath, EngineError> {
    let unit = Id::parse(unit.as_str())?;
    Ok(DocPath::parse(&format!("{OURS}/units/{unit}.json"))?)
}

/// Returns the document `name` in a folder of the original.
pub(crate) fn below(kind: &str, name: &str) -> Result<DocPath, EngineError> {
    let name = Id::parse(name)?;
    Ok(DocPath::parse(&format!("{STATE}/{kind}/{name}.json"))?)
}
