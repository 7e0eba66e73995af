//! `workflow.yaml`: the order of the phases and the texts around them.

use sprag_core::Hash;
use sprag_core::workflow::draft::{DraftEntry, DraftValue, Invalid, WorkflowDraft, WorkflowPart};
use sprag_core::workflow::{Show, Texts};

use super::phase::{self, key_place, text_of};
use super::problem::{ProblemList, ProblemPosition};
use super::source::{Page, WorkflowSource, digest};
use super::tier::{Folder, Way, absolute, follow};
use crate::{Document, Format, Map, Node, Value, keys};

/// A parsed workflow, with its source texts.
#[derive(Debug)]
pub(super) struct File<'t> {
    /// The keys of the workflows that it refers to.
    pub(super) targets: Vec<String>,
    digest: Hash,
    own: Page<'t>,
    phases: Vec<Option<Page<'t>>>,
}

impl File<'_> {
    /// Returns the spot of a problem.
    pub(super) fn spot_of(&self, part: WorkflowPart) -> ProblemPosition {
        match part {
            WorkflowPart::Key(key) => self.spot(|document| key_place(document, key)),
            WorkflowPart::Entry(at) => self.spot(|document| entry_place(document, at)),
            WorkflowPart::Phase(at, key) => match self.phases.get(at) {
                Some(Some(page)) => phase::spot_of(&page.path, &page.text, key),
                Some(None) | None => self.spot(|_| None),
            },
        }
    }

    /// Parses the file again, because spots are needed only for problems.
    fn spot(&self, find: impl Fn(&Document<'_>) -> Option<usize>) -> ProblemPosition {
        let document = Document::parse(Format::Yaml, &self.own.text);
        let at = document.ok().and_then(|document| find(&document));
        ProblemPosition::of(&self.own.path, &self.own.text, at.unwrap_or(0))
    }

    /// Adds the validation errors to the report.
    pub(super) fn complain(&self, key: &str, found: &[Invalid], report: &mut ProblemList) {
        for invalid in found {
            let text = format!("Skipping invalid workflow definition \"{key}\": {}", invalid.text);
            report.reject(self.spot_of(invalid.part), text, None);
        }
    }

    /// Drops the texts and keeps their digest.
    pub(super) fn into_source(self) -> WorkflowSource {
        let path = self.own.path.clone();
        let pages = std::iter::once(self.own).chain(self.phases.into_iter().flatten());
        let files = pages.flat_map(|page| std::iter::once(page.path).chain(page.real)).collect();
        WorkflowSource { path, files, own: self.digest }
    }
}

fn entry_place(document: &Document<'_>, at: usize) -> Option<usize> {
    document.get(&["phases", &at.to_string()]).map(|field| field.node().span.start())
}

/// Reads the workflow in a folder of a tier. If the result is `None`, the report contains the
/// reason, unless there is no such workflow.
pub(super) fn read<'t>(
    tier: &'t dyn Folder,
    key: &str,
    report: &mut ProblemList,
) -> Option<(File<'t>, WorkflowDraft)> {
    let folder = absolute(tier, key);
    let below = format!("{key}/workflow.yaml");
    let path = absolute(tier, &below);
    let why = match tier.read(&below) {
        Way::Text { text, real } => {
            let own = Page { path, text, real: real.map(|real| absolute(tier, &real)) };
            return read_text(tier, key, folder, own, report);
        }
        Way::Absent => return None,
        Way::Unreadable(why) => why,
        Way::Out => "it is a link out of the workflows folder".to_owned(),
    };
    let what = format!("Failed to load workflow from {folder}: {why}");
    report.reject(ProblemPosition::top(&path), what, None);
    None
}

fn read_text<'t>(
    tier: &'t dyn Folder,
    key: &str,
    folder: String,
    own: Page<'t>,
    report: &mut ProblemList,
) -> Option<(File<'t>, WorkflowDraft)> {
    let document = match Document::parse(Format::Yaml, &own.text) {
        Ok(document) => document,
        Err(fault) => {
            let what = format!("Failed to load workflow from {folder}: {}", fault.what);
            let spot = ProblemPosition::of(&own.path, &own.text, fault.span.start());
            report.reject(spot, what, fault.advice());
            return None;
        }
    };
    let empty = Map::default();
    let map = match &document.root().value {
        Value::Map(map) => map,
        Value::List(_) => &empty,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let what = format!("Invalid workflow.yaml in {folder}: not a valid YAML object");
            report.reject(ProblemPosition::of(&own.path, &own.text, 0), what, None);
            return None;
        }
    };
    let mut reader =
        WorkflowReader { tier, key, folder, path: &own.path, document: &document, report };
    reader.notes(map);
    let draft = reader.head(map);
    let (entries, phases) = reader.phases(map);
    if report.is_rejected() {
        return None;
    }
    let draft = WorkflowDraft { phases: Some(entries), ..draft };
    let digest = digest(tier.path(), std::iter::once(&own).chain(phases.iter().flatten()));
    Some((File { targets: targets(&draft), digest, own, phases }, draft))
}

fn targets(draft: &WorkflowDraft) -> Vec<String> {
    let entries = draft.phases.as_deref().unwrap_or_default();
    let target = |entry: &DraftEntry| match entry {
        DraftEntry::Workflow(target) => target.clone(),
        DraftEntry::Phase(_) => None,
    };
    entries.iter().filter_map(target).collect()
}

struct WorkflowReader<'a, 't> {
    tier: &'t dyn Folder,
    key: &'a str,
    folder: String,
    path: &'a str,
    document: &'a Document<'a>,
    report: &'a mut ProblemList,
}

impl<'t> WorkflowReader<'_, 't> {
    fn spot(&self, at: usize) -> ProblemPosition {
        ProblemPosition::of(self.path, self.document.text(), at)
    }

    fn missing(&mut self, map: &Map, key: &str, what: &str, help: &str) {
        let spot = self.spot(map.get(key).map_or(0, |node| node.span.start()));
        let text = format!("Missing or invalid \"{key}\"{what} in {}", self.folder);
        self.report.reject(spot, text, Some(help.to_owned()));
    }

    /// Notes unknown keys and values of a wrong type, which are ignored.
    fn notes(&mut self, map: &Map) {
        for fault in self.document.top().unknown_keys(&keys::WORKFLOW) {
            self.report.fault(self.spot(fault.span.start()), &fault);
        }
        for entry in map {
            let key = entry.key.as_str();
            let text = match (key, &entry.node.value) {
                _ if !keys::WORKFLOW.contains(&key) => continue,
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
            self.report.ignore(self.spot(entry.key_span.start()), text);
        }
    }

    fn head(&mut self, map: &Map) -> WorkflowDraft {
        let text = |key: &str| text_of(map, key);
        let show =
            if text("show").as_deref() == Some("workflows") { Show::Workflows } else { Show::User };
        let mut draft = WorkflowDraft {
            name: text("name"),
            command: text("commandName"),
            initial_message: text("initialMessage"),
            phases: None,
            show: DraftValue::Is(show),
            loopable: match map.get("loopable").map(|node| &node.value) {
                Some(Value::Bool(flag)) => DraftValue::Is(*flag),
                Some(_) | None => DraftValue::Absent,
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
            self.missing(map, "name", "", "give it a text: what people call the workflow");
        }
        match show {
            Show::User => {
                if empty(&draft.command) {
                    let help = "give it what starts it, or `show: workflows` if only others use it";
                    self.missing(map, "commandName", "", help);
                }
                if empty(&draft.initial_message) {
                    let help = "give it a text: the first message to the agent";
                    self.missing(map, "initialMessage", "", help);
                }
            }
            Show::Workflows => {
                draft.command.get_or_insert_default();
                draft.initial_message.get_or_insert_default();
            }
        }
        draft
    }

    fn phases(&mut self, map: &Map) -> (Vec<DraftEntry>, Vec<Option<Page<'t>>>) {
        let list = match map.get("phases").map(|node| &node.value) {
            Some(Value::List(list)) if !list.is_empty() => list.as_slice(),
            Some(_) | None => {
                self.missing(map, "phases", " array", "list the phase files, in order");
                &[]
            }
        };
        list.iter().filter_map(|node| self.entry(node)).unzip()
    }

    fn entry(&mut self, node: &Node) -> Option<(DraftEntry, Option<Page<'t>>)> {
        let at = node.span.start();
        if let Value::Map(map) = &node.value
            && let Some(target) = text_of(map, "subworkflow")
        {
            return Some((DraftEntry::Workflow(Some(target)), None));
        }
        let Value::String(entry) = &node.value else {
            let what = "expected string or { subworkflow: key } object";
            let text = format!("Invalid phase entry in {}: {what}", self.path);
            self.report.reject(self.spot(at), text, None);
            return None;
        };
        let (path, way) = follow(self.tier, self.key, entry);
        let text = match way {
            Way::Text { text, real } => {
                let draft = phase::read(&path, &text, self.report);
                let page = Page { path, text, real: real.map(|real| absolute(self.tier, &real)) };
                return Some((DraftEntry::Phase(Box::new(draft)), Some(page)));
            }
            Way::Absent => format!("Failed to load phase file {path}: no such file"),
            Way::Unreadable(why) => format!("Failed to load phase file {path}: {why}"),
            Way::Out => format!("Phase file path escapes workflows root: {entry} in {}", self.path),
        };
        self.report.reject(self.spot(at), text, None);
        None
    }
}
