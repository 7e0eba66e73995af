//! Aborts and their obstacles: torn nudges, strange senders, aborts of work that ended long ago.

use serde_json::Value;
use sprag_testkit::Test;

use crate::support::{SPRAG, ends};

const LATEST: &str = ".chipset/state/nudge/polecat-1/latest.json";

/// Returns a field of the nudge that the original sees.
fn shown(test: &Test, field: &str) -> Option<String> {
    let nudge: Value = serde_json::from_str(&test.env.read(LATEST)?).unwrap();
    nudge[field].as_str().map(str::to_owned)
}

/// Returns the waiting nudges, by name.
fn queue(test: &Test) -> Vec<String> {
    let files = test.env.files();
    files.into_iter().filter(|file| file.contains("/nudge/polecat-1/queue/")).collect()
}

#[test]
fn a_torn_nudge_neither_hides_an_abort_nor_keeps_it_from_being_answered() {
    let test = Test::of(SPRAG).set("SPRAG_TEST_IDS", "");
    let (_, test) = ends(test, "agent set polecat-1 gt-1 --title One --as mayor", 0);
    let (_, test) = ends(test, "agent activate polecat-1 --as polecat-1", 0);
    let (_, test) = ends(test, "agent nudge send polecat-1 halt --type abort --as mayor", 0);
    let torn = queue(&test).pop().unwrap();
    let test = test.file(torn.clone(), "{ torn");
    let (poll, test) = ends(test, "agent poll polecat-1", 0);
    assert!(poll.stdout.contains("ABORT from mayor: halt"), "{}", poll.stdout);
    let id = shown(&test, "id").unwrap();
    let (_, test) = ends(test, "agent nudge send polecat-1 again --type abort --as mayor", 0);
    assert_eq!(queue(&test).len(), 2);
    let (_, test) = ends(test, &format!("agent nudge reply polecat-1 {id} --as polecat-1"), 0);
    assert_eq!(shown(&test, "message").as_deref(), Some("again"), "the next one is seen");
    let id = shown(&test, "id").unwrap();
    let (_, test) = ends(test, &format!("agent nudge reply polecat-1 {id} --as polecat-1"), 0);
    assert_eq!((shown(&test, "id"), queue(&test)), (None, vec![torn]));
    ends(test, "agent nudge reply polecat-1 n-1 --as polecat-1", 9);
}

#[test]
fn an_abort_of_somebody_who_is_no_agent_is_answered_all_the_same() {
    let abort = "{\"from\":\"Mayor Bob\",\"type\":\"abort\",\"message\":\"stop\",\
                 \"timestamp\":\"2026-03-05T10:29:00Z\",\"requires_response\":true}";
    let (all, test) = ends(Test::of(SPRAG).file(LATEST, abort), "agent nudge ls polecat-1", 0);
    assert!(all.stdout.contains("abort  Mayor Bob: stop"), "{}", all.stdout);
    let id = all.stdout.split_whitespace().next().unwrap();
    let (_, test) = ends(test, &format!("agent nudge reply polecat-1 {id} --as polecat-1"), 0);
    assert_eq!(test.env.read(LATEST), None);
}

#[test]
fn aborts_of_earlier_work_go_when_an_agent_gets_new_work() {
    let mut test = Test::of(SPRAG).set("SPRAG_TEST_IDS", "");
    for unit in ["gt-1", "gt-2"] {
        let set = format!("agent set polecat-1 {unit} --title One --as mayor");
        test = ends(test, &set, 0).1;
        assert_eq!((queue(&test), shown(&test, "id")), (Vec::new(), None), "{unit}");
        test = ends(test, "agent activate polecat-1 --as polecat-1", 0).1;
        test = ends(test, "agent release polecat-1 --as mayor", 0).1;
        assert_eq!((queue(&test).len(), shown(&test, "type").as_deref()), (1, Some("abort")));
    }
    let (_, test) = ends(test, "agent nudge send polecat-1 alive? --as witness", 0);
    assert_eq!(shown(&test, "type").as_deref(), Some("abort"));
    let (_, test) = ends(test, "agent set polecat-1 gt-3 --title One --as mayor", 0);
    assert_eq!((queue(&test).len(), shown(&test, "type").as_deref()), (1, Some("health_check")));
}

#[test]
fn an_abort_that_a_full_queue_dropped_is_shown_no_longer() {
    let mut test = Test::of(SPRAG);
    for id in 1..=51 {
        test = test.set("SPRAG_TEST_IDS", &id.to_string());
        test = ends(test, "agent nudge send polecat-1 halt --type abort --as mayor", 0).1;
    }
    let (all, id) = (queue(&test), shown(&test, "id").unwrap());
    assert_eq!((all.len(), id.as_str()), (50, "n-000002"));
    assert!(all[0].contains(&id), "{all:?}");
}
