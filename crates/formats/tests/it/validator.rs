//! The part of JSON Schema (draft 2020-12) that our schemas use. An unknown keyword is an error, so
//! that no part of a schema goes unchecked.

use std::collections::BTreeMap;

use sprag_formats::{Map, Node, Value};

/// Checks a value against a schema. The error names the first keyword that does not hold.
pub(crate) fn check(schema: &Node, value: &Node) -> Result<(), String> {
    Validator { root: schema }.check(schema, value)
}

/// Returns the keys of every object in a schema, by its position: `$defs.gate.content`.
pub(crate) fn properties(schema: &Node) -> BTreeMap<String, Vec<&str>> {
    let mut found = BTreeMap::new();
    let root = map(schema);
    collect(schema, "", &mut found);
    for entry in root.get("$defs").into_iter().flat_map(map) {
        collect(&entry.node, &format!("$defs.{}", entry.key), &mut found);
    }
    found
}

/// Calls `each` for every key of every object in a schema.
pub(crate) fn each_property(schema: &Node, each: &mut impl FnMut(&str, &Node)) {
    let own = map(schema);
    for entry in own.get("properties").into_iter().flat_map(map) {
        each(&entry.key, &entry.node);
        each_property(&entry.node, each);
    }
    for entry in own.get("$defs").into_iter().flat_map(map) {
        each_property(&entry.node, each);
    }
}

fn collect<'s>(schema: &'s Node, at: &str, found: &mut BTreeMap<String, Vec<&'s str>>) {
    let own = map(schema);
    if let Some(properties) = own.get("properties") {
        let mut keys: Vec<_> = map(properties).iter().map(|entry| entry.key.as_str()).collect();
        keys.sort_unstable();
        found.insert(at.to_owned(), keys);
        for entry in map(properties) {
            let below =
                if at.is_empty() { entry.key.clone() } else { format!("{at}.{}", entry.key) };
            collect(&entry.node, &below, found);
        }
    }
    // An item that is one of several alternatives has the position of its list.
    let items = own.get("items").map(map);
    for choice in items.and_then(|items| items.get("anyOf")).into_iter().flat_map(list) {
        collect(choice, at, found);
    }
}

fn map(node: &Node) -> &Map {
    let Value::Map(map) = &node.value else { panic!("a schema is a map: {node:?}") };
    map
}

fn list(node: &Node) -> &[Node] {
    let Value::List(list) = &node.value else { panic!("expected a list: {node:?}") };
    list
}

fn text(node: &Node) -> &str {
    let Value::String(text) = &node.value else { panic!("expected a text: {node:?}") };
    text
}

fn size(node: &Node) -> usize {
    let Value::Number(number) = &node.value else { panic!("expected a number: {node:?}") };
    usize::try_from(number.as_u64().unwrap()).unwrap()
}

fn number(node: &Node) -> f64 {
    let Value::Number(number) = &node.value else { panic!("expected a number: {node:?}") };
    number.as_f64()
}

struct Validator<'s> {
    root: &'s Node,
}

impl Validator<'_> {
    fn check(&self, schema: &Node, value: &Node) -> Result<(), String> {
        for entry in map(schema) {
            let holds = self.keyword(map(schema), &entry.key, &entry.node, value)?;
            if !holds {
                return Err(format!("{}: {:?}", entry.key, value.value));
            }
        }
        Ok(())
    }

    fn keyword(&self, own: &Map, key: &str, said: &Node, value: &Node) -> Result<bool, String> {
        let holds = |schema: &Node| self.check(schema, value).is_ok();
        Ok(match key {
            "$schema" | "title" | "description" | "$defs" => true,
            "$ref" => {
                let name = text(said).strip_prefix("#/$defs/").unwrap();
                let target = self.root.at(&["$defs", name]).unwrap();
                self.check(target, value)?;
                true
            }
            "type" => match &said.value {
                Value::List(types) => types.iter().any(|one| is_type(text(one), value)),
                _ => is_type(text(said), value),
            },
            "enum" => list(said).contains(value),
            "const" => said == value,
            "anyOf" => list(said).iter().any(holds),
            "oneOf" => list(said).iter().filter(|one| holds(one)).count() == 1,
            "not" => !holds(said),
            "minLength" | "pattern" => match &value.value {
                Value::String(found) if key == "pattern" => {
                    regex_lite::Regex::new(text(said)).unwrap().is_match(found)
                }
                Value::String(found) => found.chars().count() >= size(said),
                _ => true,
            },
            "minimum" | "maximum" => match &value.value {
                Value::Number(found) if key == "minimum" => found.as_f64() >= number(said),
                Value::Number(found) => found.as_f64() <= number(said),
                _ => true,
            },
            "minItems" | "items" => return self.items(key, said, value),
            "properties" | "required" | "additionalProperties" => {
                return self.members(own, key, said, value);
            }
            unknown => panic!("the keyword `{unknown}` is not checked here"),
        })
    }

    fn items(&self, key: &str, said: &Node, value: &Node) -> Result<bool, String> {
        let Value::List(items) = &value.value else { return Ok(true) };
        if key == "minItems" {
            return Ok(items.len() >= size(said));
        }
        items.iter().try_for_each(|item| self.check(said, item)).map(|()| true)
    }

    fn members(&self, own: &Map, key: &str, said: &Node, value: &Node) -> Result<bool, String> {
        let Value::Map(members) = &value.value else { return Ok(true) };
        Ok(match key {
            "required" => list(said).iter().all(|name| members.get(text(name)).is_some()),
            "additionalProperties" => {
                let known = own.get("properties").map(map);
                let is_known = |key: &str| known.is_some_and(|known| known.get(key).is_some());
                let mut others = members.iter().filter(|one| !is_known(&one.key));
                if said.value == Value::Bool(false) {
                    return Ok(others.next().is_none());
                }
                others.try_for_each(|one| self.check(said, &one.node))?;
                true
            }
            _ => {
                for one in members {
                    if let Some(schema) = map(said).get(&one.key) {
                        self.check(schema, &one.node)?;
                    }
                }
                true
            }
        })
    }
}

fn is_type(name: &str, value: &Node) -> bool {
    match (name, &value.value) {
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("array", Value::List(_))
        | ("object", Value::Map(_)) => true,
        ("integer", Value::Number(number)) => number.as_i64().is_some(),
        _ => false,
    }
}
