//! Helpers shared by the tests.

use std::time::Duration;

use serde_json::Value;
use sprag_core::{DocPath, RunId, Seq, Time};
use sprag_store::{CommitRequest, Doc, Edit, Event, Place, Store};
use sprag_testkit::{Output, Ran, Test, TestEnv};

/// The program under test.
pub(crate) const SPRAG: &str = env!("CARGO_BIN_EXE_sprag");

/// A run as a session's guard leaves it.
pub(crate) const RUN: &str = "v: 1\nid: r-7k2m\nsource: guard\nstarted: 2026-03-05T10:00:00.000Z\n\
    position:\n  start: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";

/// The same run with a task.
pub(crate) const TWO: &str = "v: 1\nid: r-7k2m\nsource: guard\ntask: two\n\
    started: 2026-03-05T10:00:00.000Z\nposition:\n  \
    start: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";

/// Creates an empty world.
pub(crate) fn sprag() -> Test {
    Test::of(SPRAG)
}

/// Creates a world with a project in it.
pub(crate) fn project() -> Test {
    sprag().folder(".sprag")
}

/// Commits an event together with a document's new text.
pub(crate) fn commit(test: &Test, run: Option<&str>, kind: &str, data: &Value, new: Option<&str>) {
    let store = Store::open(&Place::of(test.env.project()), Seq(1)).unwrap();
    let doc = DocPath::parse(".sprag/runs/r-7k2m/run.yaml").unwrap();
    let decide = |view: &sprag_store::View<'_>| {
        assert!(!matches!(view.read(&doc), Doc::Unknown(_)));
        let run = run.map(|id| RunId::parse(id).unwrap());
        let event = Event { run, kind: kind.into(), data: data.clone() };
        let edit = new.map(|text| Edit::Write { doc: doc.clone(), text: text.to_owned() });
        Ok::<_, std::convert::Infallible>(CommitRequest {
            at: Time::parse(TestEnv::NOW).unwrap(),
            actor: "test".to_owned(),
            events: vec![event],
            edits: edit.into_iter().collect(),
        })
    };
    store.commit(Duration::from_secs(5), decide).unwrap();
}

/// Parses the JSON object that was printed.
pub(crate) fn object(ran: Ran) -> (Value, Option<i32>) {
    let (Output { stdout, stderr, exit }, _) = ran.output();
    assert_eq!((stderr.as_str(), stdout.lines().count()), ("", 1), "{stdout}");
    (serde_json::from_str(&stdout).unwrap(), exit)
}

/// Runs a command line, which must end with this code, and returns its output.
#[track_caller]
pub(crate) fn ends(test: Test, words: &str, code: i32) -> (Output, Test) {
    let words: Vec<&str> = words.split_whitespace().collect();
    let (output, test) = test.run(&words).output();
    assert_eq!(output.exit, Some(code), "{words:?}: {}{}", output.stdout, output.stderr);
    (output, test)
}
