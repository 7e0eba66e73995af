//! `init --json`: a single object.

use serde_json::{Value, json};
use sprag_engine::init::plan::InitPlan;
use sprag_engine::init::setting::{FileChange, SettingPlan};
use sprag_engine::receipt::Record;

use super::Done;
use crate::fault::Next;

/// Returns the plan, and its results if it was applied.
pub(super) fn of(plan: &InitPlan, tree: &Value, done: Option<&Done>) -> Value {
    let hosts = plan.hosts.iter().map(|found| {
        json!({
            "name": found.host.name(),
            "path": found.path.display().to_string(),
            "version": found.version,
        })
    });
    let closed = plan.closed.iter();
    let closed = closed.map(|(host, why)| json!({ "name": host.name(), "why": why }));
    let checks = plan.checks.iter().map(|one| json!({ "argv": one.argv, "from": one.from }));
    let foreign = plan.foreign.iter().map(|one| json!({ "path": one.path, "what": one.what }));
    let gates = plan.config.gates().iter().map(|spec| spec.gate.name.as_str());
    let protect = plan.config.gates().iter().flat_map(|spec| &spec.protect);
    let protect: Vec<&str> = protect.map(sprag_core::Glob::as_str).collect();
    let state = match (&plan.config.before, &plan.config.after) {
        (None, _) => "written",
        (Some(_), Some(_)) => "changed",
        (Some(_), None) => "already",
    };
    let cannot = |file: &SettingPlan| matches!(file.change, FileChange::Cannot { .. });
    json!({
        "ok": !plan.files.iter().any(cannot),
        "applied": done.is_some(),
        "written": done.map_or(&[][..], |done| &done.applied.written),
        "at": done.map(|done| done.started),
        "hosts": hosts.collect::<Vec<_>>(),
        "skipped": closed.collect::<Vec<_>>(),
        "checks": checks.collect::<Vec<_>>(),
        "foreign": foreign.collect::<Vec<_>>(),
        "tree": tree,
        "config": {
            "path": ".sprag/config.yaml",
            "state": state,
            "gates": gates.collect::<Vec<_>>(),
            "protect": protect,
        },
        "files": plan.files.iter().map(file).collect::<Vec<_>>(),
        "trusted": plan.untrusted,
        "receipts": done.map_or(&[][..], |done| &done.records).iter().map(receipt).collect::<Vec<_>>(),
        "next": Next {
            safe: vec!["sprag doctor".to_owned()],
            human: vec!["sprag init --undo".to_owned()],
        },
    })
}

fn file(setting: &SettingPlan) -> Value {
    let path = setting.spot.path().display().to_string();
    let host = setting.spot.host.name();
    match &setting.change {
        FileChange::Already => json!({ "path": path, "host": host, "state": "already" }),
        FileChange::Keep { why } => {
            json!({ "path": path, "host": host, "state": "kept", "why": why })
        }
        FileChange::Cannot { why } => {
            json!({ "path": path, "host": host, "state": "cannot", "why": why })
        }
        FileChange::Write(done) => json!({
            "path": path,
            "host": host,
            "state": "written",
            "added": done.added,
            "mended": done.mended,
            "kept": done.kept,
        }),
    }
}

fn receipt(record: &Record) -> Value {
    json!({
        "id": record.id,
        "gate": record.gate,
        "verdict": record.verdict,
        "exit": record.exit,
        "ms": record.ms,
        "why": record.why,
    })
}
