//! The findings of a check as JSON.

use serde_json::{Value, json};
use sprag_core::plain_json;

use super::findings::{Checked, FindingKind, Findings, GateCommand, GateCommands, GatedPart};
use crate::diagnostic::{Diagnostic, Level};
use crate::fault::Next;

pub(super) fn of(findings: &Findings) -> Value {
    let mut object = own(findings);
    // A single document yields a single object: its fields join ours under the names of its
    // samples.
    if let ([answer], Some(object)) = (findings.answers.as_slice(), object.as_object_mut())
        && let Value::Object(fields) = plain_json::json(answer)
    {
        for (key, value) in fields {
            object.entry(key).or_insert(value);
        }
    }
    object
}

fn own(findings: &Findings) -> Value {
    let ok = findings.complaints.iter().all(|complaint| complaint.level != Level::Error);
    json!({
        "ok": ok,
        "checked": findings.checked.iter().map(checked).collect::<Vec<_>>(),
        "problems": findings.complaints.iter().map(problem).collect::<Vec<_>>(),
        "next": Next::default(),
    })
}

fn checked(one: &Checked) -> Value {
    let parts: Vec<_> = one.parts.iter().map(part).collect();
    match &one.kind {
        FindingKind::Config => json!({ "kind": "config", "file": one.file, "held": parts }),
        FindingKind::Tree { told } => json!({ "kind": "tree", "file": one.file, "told": told }),
        FindingKind::Phase => json!({ "kind": "phase", "file": one.file, "phases": parts }),
        FindingKind::Plan { said } => json!({
            "kind": "plan", "file": one.file, "said": said, "tasks": parts,
        }),
        FindingKind::Beside { noun, said } => {
            json!({ "kind": noun, "file": one.file, "said": said })
        }
        FindingKind::Workflow { key, digest } => json!({
            "kind": "workflow", "file": one.file, "key": key, "digest": digest, "phases": parts,
        }),
    }
}

fn part(part: &GatedPart) -> Value {
    match part {
        GatedPart::Workflow { key } => json!({ "workflow": key }),
        GatedPart::Held { name, gates } => json!({
            "id": name,
            "gated": !gates.is_empty(),
            "gates": gates.iter().map(gate).collect::<Vec<_>>(),
        }),
    }
}

fn gate(held: &GateCommands) -> Value {
    let command = |one: &GateCommand| json!({ "argv": one.argv, "approved": one.approved });
    let commands: Vec<_> = held.commands.iter().map(command).collect();
    json!({ "name": held.name, "kind": held.kind, "commands": commands })
}

fn problem(complaint: &Diagnostic) -> Value {
    let mut said = complaint.json();
    said["level"] = match complaint.level {
        Level::Error => "error".into(),
        Level::Warning => "warning".into(),
    };
    said
}
