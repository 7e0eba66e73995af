use std::time::Duration;

use sprag_core::Time;
use sprag_store::{CommitRequest, Edit};
use sprag_testkit::TestEnv;

use super::*;

const RUN: &str = "v: 1\nid: r-7k2m\nsource: guard\nstarted: 2026-03-05T10:00:00.000Z\n\
    position:\n  start: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";

fn status(env: &TestEnv) -> Status {
    Status::of(&Place::of(env.project())).unwrap()
}

fn whys(status: &Status) -> Vec<(What, &str, &str)> {
    status.unknown.iter().map(|one| (one.what, one.path.as_str(), one.why.as_str())).collect()
}

#[test]
fn an_empty_project_has_nothing_wrong_with_it() {
    let env = TestEnv::new();
    let status = status(&env);
    assert_eq!((status.last, status.runs.len(), status.unknown.len()), (Some(Seq(0)), 0, 0));
    assert_eq!(env.files(), Vec::<String>::new());
}

#[test]
fn runs_are_listed_and_what_is_not_one_is_unknown() {
    let env = TestEnv::new();
    env.write(".sprag/runs/r-7k2m/run.yaml", RUN);
    env.write(".sprag/runs/r-gone/receipts/a", "");
    env.write(".sprag/runs/r-latin/run.yaml", b"task: \xe9\n");
    env.write(".sprag/runs/not an id/run.yaml", "");
    let status = status(&env);
    assert_eq!(status.runs, [RunId::parse("r-7k2m").unwrap()]);
    let named = "`not an id` is not an id: only letters and digits of ASCII, `.`, `_` and `-` are \
                 allowed";
    let expected = [
        (What::Document, ".sprag/runs/not an id/run.yaml", named),
        (What::Document, ".sprag/runs/r-gone/run.yaml", "it is missing"),
        (What::Document, ".sprag/runs/r-latin/run.yaml", "byte 6 is not UTF-8"),
    ];
    assert_eq!(whys(&status), expected);
}

#[test]
fn a_state_folder_that_is_none_is_unknown() {
    let env = TestEnv::new();
    env.write(".sprag", "");
    let status = status(&env);
    assert_eq!(status.unknown.len(), 1);
    assert_eq!(status.unknown[0].what, What::State);
    assert_eq!(status.unknown[0].path, ".sprag");
}

#[test]
fn a_broken_journal_is_unknown_and_nothing_is_concluded() {
    let env = TestEnv::new();
    env.write(".sprag/runs/r-7k2m/run.yaml", RUN);
    env.write(".sprag/journal/00000000000000000001.jsonl", "broken\nbroken\n");
    let status = status(&env);
    assert_eq!(status.unknown[0].what, What::Journal, "{:?}", status.unknown);
    assert!(status.runs.is_empty());
}

#[test]
fn what_a_writer_has_at_hand_is_not_left_behind() {
    let env = TestEnv::new();
    let store = Store::open(&Place::of(env.project()), Seq(1)).unwrap();
    let put = |text: &str| {
        let doc = DocPath::parse(".sprag/agents/a.json").unwrap();
        let edits = vec![Edit::Write { doc, text: text.to_owned() }];
        let (at, actor) = (Time::from_millis(0), "test".to_owned());
        let decide = |_: &View<'_>| {
            let (events, edits, actor) = (Vec::new(), edits.clone(), actor.clone());
            Ok::<_, StoreError>(CommitRequest { at, actor, events, edits })
        };
        store.commit(Duration::from_secs(5), decide).unwrap();
    };
    put("1");
    // As if the last commit had not completed.
    let head = env.read(".sprag/journal/head").unwrap();
    put("2");
    env.write(".sprag/journal/head", head);
    env.write(".sprag/agents/a.json", "1");
    assert_eq!(status(&env).pending, [".sprag/agents/a.json"]);
    let lock = std::fs::File::open(env.project().join(".sprag/lock")).unwrap();
    lock.lock().unwrap();
    let status = status(&env);
    assert_eq!((status.busy, status.pending), (true, Vec::new()));
}
