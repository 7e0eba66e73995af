//! The registration of `sprag mcp` in JSON files: one value at one path.

use sprag_formats::{Document, Edit, Node, Value};

use super::component::Component;
use super::entry::{Wanted, is_sprag};
use super::refused::Refused;
use super::survey::{edited, read};

/// The name under which hosts list it; the hosts' names for its tools contain it.
const NAME: &str = "sprag";
const SERVERS: &str = "mcpServers";

/// The owner of the registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ServerOwner {
    Ours,
    ByHand,
    Other,
}

/// Registers it and returns the new text. Returns `None` if a person has registered it by hand.
pub(crate) fn add(
    text: &str,
    part: Component,
    root: &str,
    value: Value,
) -> Result<Option<String>, Refused> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let document = read(text)?;
    let path = path(part, root);
    match found(&document, &path)? {
        Some(node) => match whose(node) {
            ServerOwner::Ours if node.value == value => Ok(Some(text.to_owned())),
            ServerOwner::Ours => edited(text, &document, &[Edit::set(path, value)]).map(Some),
            ServerOwner::ByHand => Ok(None),
            ServerOwner::Other => {
                Err(Refused::new(format!("`{}` is something else", shown(&path))))
            }
        },
        None => edited(text, &document, &[Edit::set(path, value)]).map(Some),
    }
}

/// Removes it, with the maps that become empty. Returns `None` if it is not there.
pub(crate) fn remove(text: &str, part: Component, root: &str) -> Result<Option<String>, Refused> {
    let document = read(text)?;
    let mut path = path(part, root);
    match found(&document, &path)? {
        Some(node) if whose(node) == ServerOwner::Ours => {}
        Some(_) | None => return Ok(None),
    }
    while path.len() > 1 && document.root().at(&path[..path.len() - 1]).is_some_and(has_one) {
        path.pop();
    }
    edited(text, &document, &[Edit::remove(path)]).map(Some)
}

fn path(part: Component, root: &str) -> Vec<String> {
    let steps = match part {
        Component::ServerHere => vec!["projects", root, SERVERS, NAME],
        Component::Entries
        | Component::Server
        | Component::Bridge
        | Component::Command(_)
        | Component::Ignore => {
            vec![SERVERS, NAME]
        }
    };
    steps.into_iter().map(str::to_owned).collect()
}

/// Returns the node at a path; every step before its end must be a map.
fn found<'d>(document: &'d Document<'_>, path: &[String]) -> Result<Option<&'d Node>, Refused> {
    for end in 1..path.len() {
        match document.root().at(&path[..end]).map(|node| &node.value) {
            Some(Value::Map(_)) => {}
            None => return Ok(None),
            Some(other) => {
                let kind = other.type_name();
                return Err(Refused::new(format!(
                    "`{}` is {kind}, not a map",
                    shown(&path[..end])
                )));
            }
        }
    }
    Ok(document.root().at(path))
}

/// The value to register: `kind` is its `type`, and some hosts need a list of the tools.
pub(crate) fn value(wanted: &Wanted<'_>, kind: Option<&str>, lists_tools: bool) -> Value {
    let kind = kind.map(|kind| ("type", Value::from(kind)));
    let call = [("command", Value::from(wanted.named())), ("args", Value::list(["mcp"]))];
    let tools = lists_tools.then(|| ("tools", Value::list(["*"])));
    Value::map(kind.into_iter().chain(call).chain(tools))
}

fn whose(node: &Node) -> ServerOwner {
    let Value::Map(fields) = &node.value else { return ServerOwner::Other };
    let Some(Value::String(program)) = fields.get("command").map(|node| &node.value) else {
        return ServerOwner::Other;
    };
    if !is_sprag(program)
        || fields.get("args").map(|node| &node.value) != Some(&Value::list(["mcp"]))
    {
        return ServerOwner::Other;
    }
    let known = ["type", "command", "args", "tools"];
    let plain = fields.iter().all(|entry| known.contains(&entry.key.as_str()));
    if plain { ServerOwner::Ours } else { ServerOwner::ByHand }
}

fn has_one(node: &Node) -> bool {
    match &node.value {
        Value::Map(map) => map.len() == 1,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::List(_) => {
            false
        }
    }
}

fn shown(path: &[String]) -> String {
    path.join(".")
}
