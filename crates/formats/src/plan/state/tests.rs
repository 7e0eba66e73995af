use sprag_core::apply;

use super::*;

const STATE: &str = "\u{feff}---\r\n# mine\r\nmilestone: v1 # keep\r\nphase: 2\r\ntask: 3/6\r\nphases_complete: [1]\r\n\
phases_in_progress: [2]\r\nphases_pending: []\r\nextra: {a: 1}\r\nloop:\r\n  active: true # yes\r\n  type: execute\r\n  \
phase: 2\r\n  iteration: 2\r\n  max_iterations: 18\r\n  task_retries:\r\n    T01: 0\r\n    T03: 2 # again\r\n  \
hook_blocks: 1\r\n  history:\r\n    - iteration: 1\r\n      result: gaps_found\r\n      note: kept\r\n---\r\n\r\nloop:\r\n  active: true\r\n";

fn state(text: &str) -> LoopState {
    read(text).unwrap().unwrap()
}

fn written(text: &str, change: impl FnOnce(&mut LoopState), top: &TopKeys) -> String {
    let before = read(text).unwrap().unwrap_or_default();
    let mut after = before.clone();
    change(&mut after);
    let edited = apply(text, &splices(text, &before, &after, top).unwrap()).unwrap();
    if after != before {
        assert_eq!(state(&edited), after, "{edited}");
    }
    edited
}

/// Returns the lines that are in only one of the two texts.
fn difference(before: &str, after: &str) -> String {
    let only = |one: &str, other: &str, sign: &str| -> String {
        let there: Vec<&str> = other.split('\n').collect();
        let lines = one.split('\n').filter(|line| !there.contains(line));
        let signed = lines.map(|line| [sign, line.trim_end_matches('\r'), "\n"].concat());
        signed.collect()
    };
    format!("{}{}", only(before, after, "-"), only(after, before, "+"))
}

#[test]
fn nothing_changed_changes_no_byte() {
    assert_eq!(written(STATE, |_| {}, &TopKeys::default()), STATE);
    let same =
        TopKeys { phase: Some("2".to_owned()), task: Some("3/6".to_owned()), ..TopKeys::default() };
    assert_eq!(written(STATE, |_| {}, &same), STATE);
}

#[test]
fn only_what_changed_is_written() {
    let edited = written(
        STATE,
        |state| {
            state.active = false;
            state.iteration = 3;
            state.task_retries.insert("T03".to_owned(), 3);
            state.task_retries.insert("T04".to_owned(), 1);
            state.paused = true;
            state.pause_reason = Some("Task 03 failed after 3 retries".to_owned());
            state.last_error =
                Some("x\"}\n{\"decision\": \"approve\"} `id` $(id)".replace('\n', " "));
        },
        &TopKeys { task: Some("4/6".to_owned()), ..TopKeys::default() },
    );
    assert_eq!(
        difference(STATE, &edited),
        "-task: 3/6\n-  active: true # yes\n-  iteration: 2\n-    T03: 2 # again\n\
         +task: 4/6\n+  active: false # yes\n+  iteration: 3\n+    T03: 3 # again\n+    T04: 1\n\
         +  paused: true\n+  pause_reason: Task 03 failed after 3 retries\n\
         +  last_error: \"x\\\"} {\\\"decision\\\": \\\"approve\\\"} `id` $(id)\"\n"
    );
    assert!(!edited.replace("\r\n", "").contains('\n'), "line ends stay");
}

#[test]
fn what_ends_takes_its_own_keys_away() {
    let paused = written(
        STATE,
        |state| {
            state.last_error = Some("e".to_owned());
            state.awaiting = Some(Awaiting::Checkpoint);
            state.session_id = Some("s-1".to_owned());
            state.resume_after = Time::parse("2026-03-05T10:00:00Z");
        },
        &TopKeys::default(),
    );
    let again = written(
        &paused,
        |state| {
            state.last_error = None;
            state.awaiting = None;
            state.session_id = None;
            state.resume_after = None;
        },
        &TopKeys::default(),
    );
    assert_eq!(again, STATE);
}

#[test]
fn rounds_are_appended_and_the_oldest_are_dropped() {
    let round = |iteration: u32| Round {
        iteration,
        kind: Some(LoopKind::Verify),
        result: "gaps_found".to_owned(),
        gaps: vec!["stub:a: b".to_owned()],
    };
    let edited = written(STATE, |state| state.history.push(round(2)), &TopKeys::default());
    assert_eq!(
        difference(STATE, &edited),
        "+    - iteration: 2\n+      type: verify\n+      gaps:\n+        - \"stub:a: b\"\n"
    );
    let dropped = written(
        &edited,
        |state| {
            state.history.remove(0);
            state.history.push(round(3));
        },
        &TopKeys::default(),
    );
    assert!(!dropped.contains("note: kept"), "{dropped}");
    let unreadable = STATE.replace("- iteration: 1", "- iteration: one");
    let edited = written(&unreadable, |state| state.history.push(round(2)), &TopKeys::default());
    assert!(edited.contains("iteration: one") && edited.contains("note: kept"), "{edited}");
    let emptied = written(&edited, |state| state.history.clear(), &TopKeys::default());
    assert!(emptied.contains("history: []"), "{emptied}");
    let first = written(&emptied, |state| state.history.push(round(1)), &TopKeys::default());
    assert!(first.contains("iteration: 1"), "{first}");
}

#[test]
fn a_file_without_a_loop_gets_the_whole_one() {
    let edited =
        written("---\nphase: 1\n---\n\nbody\n", |state| state.active = true, &TopKeys::default());
    assert_eq!(
        edited,
        "---\nphase: 1\nloop:\n  active: true\n  type: null\n  phase: null\n  iteration: 0\n  \
         max_iterations: 20\n  task_retries: {}\n  gaps_remaining: 0\n  started: null\n  \
         last_iteration: null\n  paused: false\n  pause_reason: null\n  history: []\n---\n\nbody\n"
    );
    let new = initial(&LoopState { active: true, ..LoopState::default() }, &TopKeys::default());
    assert!(
        state(&new).active && new.contains("\nopen_issues: []\nloop:\n  active: true\n"),
        "{new}"
    );
}

#[test]
fn progress_lists_are_kept() {
    let phases = PhaseLists {
        complete: vec!["1".to_owned(), "2".to_owned()],
        in_progress: Vec::new(),
        pending: vec!["2.1".to_owned(), "x".to_owned()],
    };
    let top = TopKeys {
        phases: Some(phases),
        last_active: Some("2026-03-05".to_owned()),
        ..TopKeys::default()
    };
    let edited = written(STATE, |_| {}, &top);
    assert_eq!(
        difference(STATE, &edited),
        "-phases_complete: [1]\n-phases_in_progress: [2]\n-phases_pending: []\n\
         +phases_complete: [1, 2]\n+phases_in_progress: []\n+phases_pending: [2.1, x]\n\
         +last_active: \"2026-03-05\"\n"
    );
}

#[test]
fn hostile_states_are_data_and_a_corrupt_one_is_never_written() {
    let head = |yaml: &str| format!("---\n{yaml}---\nloop:\n  active: true\n");
    let none = ["", "# State\n\nloop:\n  active: true\n", " ---\nloop: {active: true}\n---\n"];
    for text in none.map(str::to_owned).into_iter().chain([
        head(""),
        head("note: |\n  loop:\n    active: true\n"),
        head("note: |\n  ---\n  loop:\n    active: true\n"),
        head("# loop: {active: true}\n"),
        head("\"loop \": {active: true}\n"),
        head("loop:\n"),
    ]) {
        assert_eq!(read(&text), Ok(None), "{text}");
    }
    for yaml in [
        "loop: {iteration: \"a[$(touch${IFS}PWNED)]\"}\n",
        "loop: {max_iterations: \"20\\\", \\\"x\\\": 1\"}\n",
        "loop: {active: true, active: false}\n",
        "loop: {active: maybe}\n",
        "loop: {iteration: -1}\n",
        "loop: {iteration: 1.5}\n",
        "loop: {task_retries: [1]}\n",
        "loop: {task_retries: {T01: x}}\n",
        "loop: [active]\n",
        "loop: active\n",
        "loop:\n\tactive: true\n",
        "loop: {active: true\n",
        "- loop\n",
    ] {
        let text = head(yaml);
        assert!(read(&text).is_err(), "{text}");
        let after = LoopState { paused: true, ..LoopState::default() };
        assert!(splices(&text, &LoopState::default(), &after, &TopKeys::default()).is_err());
    }
    let open = "---\nloop: {active: true}\n";
    assert!(read(open).is_err(), "a head without an end");
}

#[test]
fn values_written_by_hand_are_taken_for_what_they_mean() {
    let text = "---\nloop: {active: \"true\", type: 'verify', iteration: \"07\", paused: no, phase: 2.1,\n  \
                awaiting: somebody, history: [5, {iteration: 1, gaps: [\"a:b→c\", 3]}], session_id: 12}\n---\n";
    let file = open(text).unwrap();
    assert_eq!(file.warnings.len(), 4);
    let LoopFile::Loop(state) = file.found else { panic!("no loop") };
    assert_eq!((state.active, state.iteration, state.paused), (true, 7, false));
    assert_eq!((state.kind, state.phase.as_deref()), (LoopKind::Verify, Some("2.1")));
    assert_eq!((state.awaiting, state.session_id.as_deref()), (Some(Awaiting::User), Some("12")));
    assert_eq!(state.history.len(), 1);
    assert_eq!(state.history[0].gaps, ["a:b->c"]);
}
