//! The documents of `.chipset/state/`: read in every shape, written in the existing one.

use sprag_core::inbox::{AssignmentStatus, Slot, WorkState};
use sprag_core::{Time, UnitId};
use sprag_formats::chipset::{
    AgentFile, Bead, Dialect, Dispatch, DispatchStage, Handoff, Hook, Laid, Letter, Mail, Nudge,
    Shape, WorkFile, beads, lay, logged,
};
use sprag_formats::{Edit, Value};

/// The example from the original's own description, byte for byte.
const SEED: &str = r#"{
  "agent_id": "polecat-alpha",
  "status": "active",
  "work_item": {
    "bead_id": "gt-abc12",
    "title": "Add README section",
    "assigned_at": "2026-03-05T10:30:00Z"
  },
  "last_activity": "2026-03-05T10:32:00Z"
}
"#;

const CODE: &str = r#"{
  "agentId": "polecat-alpha",
  "lastActivity": "2026-03-05T10:32:00.000Z",
  "status": "pending",
  "workItem": {
    "beadId": "gt-abc12",
    "description": "",
    "hookStatus": "empty",
    "priority": "P2",
    "status": "open",
    "title": "Add README section"
  }
}
"#;

fn unit() -> UnitId {
    UnitId::parse("gt-abc12").unwrap()
}

fn now() -> Time {
    Time::parse("2026-03-05T10:40:00Z").unwrap()
}

fn changed(old: &str, edits: &[Edit]) -> String {
    match lay(Some(old), edits).unwrap() {
        Laid::Changed(splices) => sprag_core::apply(old, &splices).unwrap(),
        Laid::New(_) => panic!("it was there"),
    }
}

fn made(edits: &[Edit]) -> String {
    match lay(None, edits).unwrap() {
        Laid::New(text) => text,
        Laid::Changed(_) => panic!("it was not there"),
    }
}

#[test]
fn both_dialects_of_an_assignment_are_read() {
    let seed = Hook::read(SEED).unwrap();
    assert_eq!((seed.dialect, seed.slot), (Dialect::Skill, Slot::Active(unit())));
    assert_eq!(seed.activity, Time::parse("2026-03-05T10:32:00Z"));
    let code = Hook::read(CODE).unwrap();
    assert_eq!((code.dialect, code.slot), (Dialect::Code, Slot::Pending(unit())));
    assert_eq!(code.title.as_deref(), Some("Add README section"));
}

#[test]
fn what_stands_there_already_changes_no_byte() {
    let times = ["2026-03-05T10:30:00Z", "2026-03-05T10:32:00Z"];
    let same = [Edit::set(["status"], "active"), Edit::set(["last_activity"], times[1])];
    assert_eq!(changed(SEED, &same), SEED);
    assert_eq!(changed(SEED, &[]), SEED);
    let there_and_back = changed(&changed(SEED, &[Edit::set(["status"], "completed")]), &same);
    assert_eq!(there_and_back, SEED);
}

#[test]
fn a_step_keeps_order_and_unknown_keys() {
    let theirs = SEED.replace("  \"status\"", "  \"x\": [1, 2.50],\n  \"status\"");
    let done = changed(&theirs, &Hook::go(Dialect::Skill, AssignmentStatus::Completed, now()));
    let expected = theirs
        .replace("\"active\"", "\"completed\"")
        .replace("2026-03-05T10:32:00Z", "2026-03-05T10:40:00.000Z");
    assert_eq!(done, expected);
    let empty = changed(&done, &Hook::clear(Dialect::Skill, "polecat-alpha", now()));
    assert!(empty.contains("\"work_item\": null,\n"), "{empty}");
    assert!(empty.contains("\"x\": [1, 2.50],\n"), "{empty}");
    assert_eq!(Hook::read(&empty).unwrap().slot, Slot::Empty);
    let empty = changed(CODE, &Hook::clear(Dialect::Code, "polecat-alpha", now()));
    assert!(!empty.contains("workItem"), "{empty}");
    assert_eq!(Hook::read(&empty).unwrap().slot, Slot::Empty);
}

#[test]
fn a_new_assignment_is_written_as_the_original_writes_one() {
    let whole = Value::map([("beadId", "gt-abc12")]);
    let title = "Add README section";
    let new = Hook::assign(Dialect::Skill, "polecat-alpha", &unit(), title, &whole, now());
    let expected = r#"{
  "agent_id": "polecat-alpha",
  "last_activity": "2026-03-05T10:40:00.000Z",
  "status": "pending",
  "work_item": {
    "assigned_at": "2026-03-05T10:40:00.000Z",
    "bead_id": "gt-abc12",
    "title": "Add README section"
  }
}
"#;
    assert_eq!(made(&new), expected);
    let new = Hook::assign(Dialect::Code, "polecat-alpha", &unit(), title, &whole, now());
    assert!(made(&new).contains("\"workItem\": {\n    \"beadId\": \"gt-abc12\"\n  }\n"));
}

#[test]
fn an_assignment_that_contradicts_itself_is_a_fault() {
    let torn = &SEED[..SEED.len() / 2];
    let no_unit = SEED.replace("\"work_item\": {", "\"was\": {");
    let empty = SEED.replace("\"active\"", "\"empty\"");
    let odd = SEED.replace("\"active\"", "\"resting\"");
    let both = SEED.replace("  \"status\"", "  \"agentId\": \"x\",\n  \"status\"");
    let emptied = SEED.replace("\"gt-abc12\"", "\"\"");
    for text in ["", "null", "[]", "{}", torn, &no_unit, &empty, &odd, &both, &emptied] {
        assert!(Hook::read(text).is_err(), "{text}");
    }
}

#[test]
fn units_of_work_are_made_read_and_placed() {
    let mut work = WorkFile::new(unit(), "Add README section");
    work.needs = vec![UnitId::parse("gt-0").unwrap()];
    let text = made(&work.made());
    assert_eq!(WorkFile::read(&text).unwrap(), work);
    assert!(!text.contains("assignee"));
    work.assignee = Some("polecat-alpha".to_owned());
    (work.work, work.hook) = (WorkState::Hooked, AssignmentStatus::Pending);
    let placed = changed(&text, &work.placed());
    assert_eq!(WorkFile::read(&placed).unwrap(), work);
    work.assignee = None;
    (work.work, work.hook) = (WorkState::Open, AssignmentStatus::Empty);
    assert!(!changed(&placed, &work.placed()).contains("assignee"));
    let blocked = text.replace("\"open\"", "\"blocked\"");
    assert_eq!(WorkFile::read(&blocked).unwrap().work, WorkState::Other("blocked".to_owned()));
    assert!(WorkFile::read("{\"beadId\": \"x\"}").is_err(), "without a title");
}

#[test]
fn both_shapes_of_mail_are_read_and_kept() {
    let letter = Letter {
        from: "mayor".to_owned(),
        to: "polecat-alpha".to_owned(),
        kind: "work_assignment".to_owned(),
        subject: "gt-abc12".to_owned(),
        body: "größe / ünd\u{1}".to_owned(),
        priority: "normal".to_owned(),
    };
    let text = made(&letter.made(now()));
    assert!(text.contains("größe / ünd\\u0001"), "{text}");
    let mail = Mail::read(&text).unwrap();
    assert_eq!((mail.shape, &mail.letter, mail.read), (Shape::Skill, &letter, false));
    let acked = Mail::read(&changed(&text, &Mail::acknowledge(now()))).unwrap();
    assert!(acked.read && acked.acked.is_some());
    let theirs = r#"{"from":"polecat-a","to":"mayor","channel":"mail","payload":"DONE: gt-1","timestamp":"2026-03-05T10:30:00.000Z","durable":true}"#;
    let mail = Mail::read(theirs).unwrap();
    assert_eq!(mail.shape, Shape::Code);
    assert_eq!((mail.letter.subject.as_str(), mail.letter.body.as_str()), ("DONE", "DONE: gt-1"));
    let read = changed(theirs, &[Mail::mark_read()]);
    assert_eq!(read, theirs.replace("true}", "true,\"read\":true}"));
}

#[test]
fn the_other_records_are_read_and_made() {
    let agent = AgentFile::new("refinery-f5g6h", "default");
    assert_eq!(agent.role, "refinery");
    assert_eq!(AgentFile::new("refiner", "x").role, "polecat");
    assert_eq!(AgentFile::read(&made(&agent.made())).unwrap(), agent);
    let work = WorkFile::new(unit(), "T");
    let edits =
        Dispatch::made(&work, "polecat-alpha", "polecat/gt-abc12", DispatchStage::Stored, now());
    let text = made(&edits);
    assert_eq!(Dispatch::read(&text).unwrap().stage, DispatchStage::Stored);
    let on = changed(&text, &[Dispatch::at(DispatchStage::Confirmed)]);
    assert_eq!(Dispatch::read(&on).unwrap().stage, DispatchStage::Confirmed);
    let nudge = Nudge {
        id: Some("n-1".to_owned()),
        from: "witness".to_owned(),
        kind: "health_check".to_owned(),
        message: "alive?".to_owned(),
        sent: now().to_string(),
        seq: Some(7),
        asks: true,
    };
    assert_eq!(Nudge::read(&made(&nudge.made())).unwrap(), nudge);
    let handoff = Handoff {
        agent: "polecat-alpha".to_owned(),
        session: Some("claude-1".to_owned()),
        unit: "gt-abc12".to_owned(),
        summary: "taken back".to_owned(),
        branch: Some("polecat/gt-abc12".to_owned()),
        at: now().to_string(),
    };
    assert_eq!(Handoff::read(&made(&handoff.made())).unwrap(), handoff);
    let log = "{\"timestamp\":\"t\",\"severity\":\"info\",\"message\":\"m\"}\n\nnot json\n";
    let lines = logged(log);
    assert!(lines.len() == 2 && lines[0].is_ok() && lines[1].is_err());
}

const BEADS: &str = r#"{"id":"gt-1","title":"One","status":"closed","priority":0,"labels":["a"]}
{"id":"gt-2","title":"Two","description":"d","status":"open","priority":3,"dependencies":[{"issue_id":"gt-2","depends_on_id":"gt-1","type":"blocks"},{"issue_id":"gt-2","depends_on_id":"gt-9","type":"related"}]}
"#;

#[test]
fn beads_go_there_and_back() {
    let all = beads(BEADS).unwrap();
    assert_eq!((all[0].work.clone(), all[0].priority), (WorkState::Done, "P1"));
    let texts: Vec<_> = all.iter().map(|bead| made(&bead.import(None))).collect();
    let two = WorkFile::read(&texts[1]).unwrap();
    assert_eq!(two.needs, [UnitId::parse("gt-1").unwrap()], "only what blocks");
    for (bead, text) in all.iter().zip(&texts) {
        let there = WorkFile::read(text).unwrap();
        assert_eq!(&changed(text, &bead.import(Some(&there))), text, "once more changes nothing");
        let back = beads(&Bead::export(text, sprag_core::Time::from_millis(0)).unwrap()).unwrap();
        assert_eq!(back[0], *bead, "{text}");
    }
    let done = texts[1].replacen(
        "\"status\": \"open\",\n  \"title\"",
        "\"status\": \"done\",\n  \"title\"",
        1,
    );
    let back = Bead::export(&done, sprag_core::Time::from_millis(0)).unwrap();
    assert!(back.contains("\"status\":\"closed\""), "{done}");
    assert!(back.contains("\"closed_at\":\"1970-01-01T00:00:00.000Z\""), "{back}");
    let (line, _) = beads("{\"id\":\"a\",\"title\":\"t\"}\n{\"id\":\"b\"}\n").unwrap_err();
    assert_eq!(line, 2);
}

#[test]
fn a_unit_that_is_assigned_is_not_moved_by_an_import() {
    let bead = &beads(BEADS).unwrap()[1];
    let mut there = WorkFile::read(&made(&bead.import(None))).unwrap();
    there.assignee = Some("polecat-alpha".to_owned());
    there.work = WorkState::InProgress;
    let text = changed(&made(&bead.import(None)), &there.placed());
    let again = changed(&text, &bead.import(Some(&there)));
    assert_eq!(WorkFile::read(&again).unwrap().work, WorkState::InProgress);
}
