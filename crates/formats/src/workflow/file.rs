//! `workflow.yaml`: the order of the phases and what is said around them.

use sprag_core::workflow::draft::{Draft, DraftEntry, Given, Invalid, Part};
use sprag_core::workflow::{Show, Texts};

use super::phase::{self, Places, text_of};
use super::problem::{Report, TOP, said};
use super::tier::{Tier, Way};
use crate::{Document, Format, Map, Node, Place, Value};

const KEYS: [&str; 13] = [
    "name",
    "commandName",
    "initialMessage",
    "phases",
    "show",
    "loopable",
    "sessionNamePrefix",
    "sessionNameMaxLength",
    "roleInstruction",
    "advanceReminder",
    "blockReasonTemplate",
    "completionMessage",
    "notDoneReminder",
];

/// A workflow that was read, and where its parts stand.
#[derive(Debug)]
pub(super) struct File {
    pub(super) draft: Draft,
    pub(super) path: String,
    places: Vec<(String, Place)>,
    entries: Vec<Item>,
}

/// Where an entry of `phases` stands, and its phase.
#[derive(Debug)]
struct Item {
    place: Place,
    phase: Option<(String, Places)>,
}

impl File {
    /// Returns the file and place that a complaint is about.
    pub(super) fn place_of(&self, part: Part) -> (&str, Place) {
        let key = |key: &str| {
            self.places.iter().find(|(known, _)| known == key).map_or(TOP, |(_, place)| *place)
        };
        match part {
            Part::Key(name) => (&self.path, key(name)),
            Part::Entry(at) => (&self.path, self.entries.get(at).map_or(TOP, |entry| entry.place)),
            Part::Phase(at, name) => match self.entries.get(at).map(|entry| &entry.phase) {
                Some(Some((file, places))) => (file, places.of(name)),
                Some(None) | None => (&self.path, TOP),
            },
        }
    }

    /// Adds the complaints of validation to the report.
    pub(super) fn complain(&self, key: &str, found: &[Invalid], report: &mut Report) {
        for invalid in found {
            let (file, place) = self.place_of(invalid.part);
            let text = format!("Skipping invalid workflow definition \"{key}\": {}", invalid.text);
            report.reject(file, place, text);
        }
    }
}

/// Reads the workflow in a folder of a tier; without an answer the report says why.
pub(super) fn read(tier: &Tier, key: &str, report: &mut Report) -> Option<File> {
    let folder = tier.absolute(key);
    let path = format!("{folder}/workflow.yaml");
    let text = match tier.read(&format!("{key}/workflow.yaml")) {
        Way::Text(text) => text,
        Way::Nothing(why) => {
            report.reject(&path, TOP, format!("Failed to load workflow from {folder}: {why}"));
            return None;
        }
        Way::Out => {
            let why = "it is a link out of the workflows folder";
            report.reject(&path, TOP, format!("Failed to load workflow from {folder}: {why}"));
            return None;
        }
    };
    let document = match Document::parse(Format::Yaml, text) {
        Ok(document) => document,
        Err(fault) => {
            let what = format!("Failed to load workflow from {folder}: {}", said(&fault));
            report.reject(&path, fault.place, what);
            return None;
        }
    };
    let empty = Map::default();
    let map = match &document.root().value {
        Value::Map(map) => map,
        Value::List(_) => &empty,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let what = format!("Invalid workflow.yaml in {folder}: not a valid YAML object");
            report.reject(&path, TOP, what);
            return None;
        }
    };
    let places: Vec<_> = map
        .iter()
        .map(|entry| (entry.key.clone(), document.place(entry.key_span.start())))
        .collect();
    let mut reader = Reader { tier, key, folder, path, document: &document, report };
    reader.notes(map);
    let draft = reader.head(map);
    let (phases, entries) = reader.phases(map);
    let path = reader.path;
    if report.is_rejected() {
        return None;
    }
    Some(File { draft: Draft { phases: Some(phases), ..draft }, path, places, entries })
}

struct Reader<'a> {
    tier: &'a Tier,
    key: &'a str,
    folder: String,
    path: String,
    document: &'a Document<'a>,
    report: &'a mut Report,
}

impl Reader<'_> {
    fn place(&self, node: Option<&Node>) -> Place {
        node.map_or(TOP, |node| self.document.place(node.span.start()))
    }

    fn missing(&mut self, map: &Map, key: &str, what: &str) {
        let place = self.place(map.get(key));
        let text = format!("Missing or invalid \"{key}\"{what} in {}", self.folder);
        self.report.reject(&self.path, place, text);
    }

    /// Notes what is not known or of another type, and therefore ignored.
    fn notes(&mut self, map: &Map) {
        for entry in map {
            let place = self.document.place(entry.key_span.start());
            let key = entry.key.as_str();
            let text = match (key, &entry.node.value) {
                _ if !KEYS.contains(&key) => format!("`{key}` is not known here and ignored"),
                ("loopable", Value::Bool(_)) | ("sessionNameMaxLength", Value::Number(_)) => {
                    continue;
                }
                ("loopable", _) => "`loopable` is neither true nor false and ignored".to_owned(),
                ("sessionNameMaxLength", _) => {
                    "`sessionNameMaxLength` is not a number and ignored".to_owned()
                }
                ("show", Value::String(text)) if text == "user" || text == "workflows" => continue,
                ("show", _) => {
                    "`show` is neither `user` nor `workflows` and read as `user`".to_owned()
                }
                ("phases" | "name" | "commandName" | "initialMessage", _)
                | (_, Value::String(_)) => continue,
                (_, _) => format!("`{key}` is not a text and ignored"),
            };
            self.report.note(&self.path, place, text);
        }
    }

    fn head(&mut self, map: &Map) -> Draft {
        let text = |key: &str| text_of(map, key);
        let show =
            if text("show").as_deref() == Some("workflows") { Show::Workflows } else { Show::User };
        let mut draft = Draft {
            name: text("name"),
            command: text("commandName"),
            initial_message: text("initialMessage"),
            phases: None,
            show: Given::Is(show),
            loopable: match map.get("loopable").map(|node| &node.value) {
                Some(Value::Bool(flag)) => Given::Is(*flag),
                Some(_) | None => Given::Absent,
            },
            session_prefix: text("sessionNamePrefix"),
            session_length: match map.get("sessionNameMaxLength").map(|node| &node.value) {
                Some(Value::Number(number)) => Some(number.as_f64()),
                Some(_) | None => None,
            },
            texts: Texts {
                role: text("roleInstruction"),
                advance: text("advanceReminder"),
                block: text("blockReasonTemplate"),
                complete: text("completionMessage"),
                not_done: text("notDoneReminder"),
            },
        };
        let empty = |text: &Option<String>| text.as_deref().is_none_or(str::is_empty);
        if empty(&draft.name) {
            self.missing(map, "name", "");
        }
        match show {
            Show::User => {
                if empty(&draft.command) {
                    self.missing(map, "commandName", "");
                }
                if empty(&draft.initial_message) {
                    self.missing(map, "initialMessage", "");
                }
            }
            Show::Workflows => {
                draft.command.get_or_insert_default();
                draft.initial_message.get_or_insert_default();
            }
        }
        draft
    }

    fn phases(&mut self, map: &Map) -> (Vec<DraftEntry>, Vec<Item>) {
        let list = match map.get("phases").map(|node| &node.value) {
            Some(Value::List(list)) if !list.is_empty() => list.as_slice(),
            Some(_) | None => {
                self.missing(map, "phases", " array");
                &[]
            }
        };
        let mut drafts = Vec::new();
        let mut items = Vec::new();
        for node in list {
            let place = self.document.place(node.span.start());
            match self.entry(node, place) {
                Some((draft, phase)) => {
                    drafts.push(draft);
                    items.push(Item { place, phase });
                }
                None => items.push(Item { place, phase: None }),
            }
        }
        (drafts, items)
    }

    fn entry(
        &mut self,
        node: &Node,
        place: Place,
    ) -> Option<(DraftEntry, Option<(String, Places)>)> {
        if let Value::Map(map) = &node.value
            && let Some(target) = text_of(map, "subworkflow")
        {
            return Some((DraftEntry::Workflow(Some(target)), None));
        }
        let Value::String(entry) = &node.value else {
            let what = "expected string or { subworkflow: key } object";
            let text = format!("Invalid phase entry in {}: {what}", self.path);
            self.report.reject(&self.path, place, text);
            return None;
        };
        let (file, way) = self.tier.follow(self.key, entry);
        match way {
            Way::Text(text) => {
                let (draft, places) = phase::read(&file, text, self.report);
                Some((DraftEntry::Phase(Box::new(draft)), Some((file, places))))
            }
            Way::Nothing(why) => {
                let text = format!("Failed to load phase file {file}: {why}");
                self.report.reject(&self.path, place, text);
                None
            }
            Way::Out => {
                let text =
                    format!("Phase file path escapes workflows root: {entry} in {}", self.path);
                self.report.reject(&self.path, place, text);
                None
            }
        }
    }
}
