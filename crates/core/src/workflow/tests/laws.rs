use proptest::prelude::*;

use super::workflows;
use crate::workflow::session::{AgentAction, AgentRunEnd, Effect, Event, Face, Session as Pi};
use crate::workflow::{
    Definitions, ENTRY, OrderEntry, Position, Segment, SessionBranch, SessionRecord, Started, View,
    Workflow, reconstruct,
};
use crate::{
    Closes, Denied, Effect as KernelEffect, Facts, Fence, Hash, Hold, Name, Next, Ran, Receipt,
    Run, RunId, Seq, SessionId, Signal, Stored, Time, UnitId, Verdict, Word, next, step,
};

fn job(definitions: Definitions) -> Started {
    let (task_id, task) = ("wf-1".to_owned(), "the task".to_owned());
    Started { definitions, key: "dev".to_owned(), task_id, task }
}

fn run_of(started: &Started) -> Run<Position> {
    Run::new::<Workflow>(RunId::parse("r-7k2m").unwrap(), started, started.begin())
}

fn facts(seq: u64, files: u8) -> Facts {
    let now = Time::from_millis(i64::try_from(seq).unwrap());
    Facts::new(now, Seq(seq), Hash::of([files]))
}

fn receipt(gate: &Name, verdict: Verdict, facts: &Facts) -> Receipt {
    Receipt {
        gate: gate.clone(),
        verdict,
        exit: Some(i32::from(verdict != Verdict::Pass)),
        why: String::new(),
        tail: facts.seq.0.to_string(),
        tree: facts.tree,
        at: facts.now,
        doubt: None,
    }
}

fn me() -> SessionId {
    SessionId::parse("s1").unwrap()
}

/// Sends a signal that must succeed.
fn go(started: &Started, run: &mut Run<Position>, signal: &Signal, facts: &Facts) {
    *run = step::<Workflow>(started, run, signal, facts).unwrap().run;
}

/// Works until everything is done; returns the number of units.
fn work(started: &Started) -> usize {
    let mut run = run_of(started);
    for units in 0..100 {
        let seq = u64::try_from(units).unwrap() * 2 + 1;
        let facts = facts(seq, 0);
        let unit = match next::<Workflow>(started, &run, &facts) {
            Next::Units(units) => units.into_iter().next().unwrap(),
            Next::Done => return units,
            other @ (Next::Wait { .. } | Next::Held(_) | Next::Cancelled | Next::Ask(_)) => {
                panic!("{other:?}")
            }
        };
        let begin = Signal::Begin { unit: unit.id.clone(), agent: None, session: Some(me()) };
        go(started, &mut run, &begin, &facts);
        let fence = Fence(Seq(seq));
        let said = unit.gates.iter().map(|gate| receipt(&gate.name, Verdict::Pass, &facts));
        let end = Signal::End {
            fence,
            word: Word::None,
            receipts: said.collect(),
            worth: Some(crate::basis::Worth::Proven),
        };
        if unit.closes == Closes::Claim {
            let denied = step::<Workflow>(started, &run, &end, &facts);
            assert_eq!(denied.unwrap_err(), Denied::Unclaimed { fence });
            go(started, &mut run, &Signal::ReportDone { fence, session: me() }, &facts);
        }
        go(started, &mut run, &end, &facts);
    }
    panic!("it does not end")
}

#[test]
fn n_phases_end_after_n_steps() {
    assert_eq!(work(&job(workflows(&["dev: Plan !Build Ship"]))), 3);
    assert_eq!(work(&job(workflows(&["dev: @qa !Build @qa", "qa: @ship !Test", "ship: A B"]))), 7);
    let deep: Vec<String> = (0..50)
        .map(|level| match level {
            0 => "dev: A @w1 B".to_owned(),
            49 => "w49: A !B".to_owned(),
            _ => format!("w{level}: @w{}", level + 1),
        })
        .collect();
    let deep: Vec<&str> = deep.iter().map(String::as_str).collect();
    assert_eq!(work(&job(workflows(&deep))), 4);
}

#[test]
fn a_position_names_what_the_workflows_have_all_the_way_in() {
    let started = job(workflows(&["dev: Plan @qa Ship", "qa: A B"]));
    let said = |path: &[(&str, i64)], done: bool| {
        let segment =
            |(key, index): &(&str, i64)| Segment { key: (*key).to_owned(), index: *index };
        let path = path.iter().map(segment).collect();
        let at = Position { path, done, ..Position::default() };
        at.check(&started.key, &started.definitions).map_err(|bad| bad.to_string())
    };
    for path in [&[("dev", 0)][..], &[("dev", 1)], &[("dev", 1), ("qa", 1)], &[("dev", 2)]] {
        assert_eq!(said(path, false), Ok(()), "{path:?}");
    }
    for (path, why) in [
        (&[("dev", 3)][..], "position.path[0].phaseIndex: it names phase 4 of 3; write 0 to 2"),
        (
            &[("dev", i64::MAX), ("qa", 0)],
            "position.path[0].phaseIndex: it names phase 9223372036854775808 of 3; write 0 to 2",
        ),
        (
            &[("dev", 1), ("qa", -1)],
            "position.path[1].phaseIndex: it names phase 0 of 2; write 0 to 1",
        ),
        (
            &[("dev", 1), ("dev", 0)],
            "position.path[1].workflowKey: `dev` is not the workflow there; write `qa`",
        ),
        (
            &[("dev", 0), ("qa", 0)],
            "position.path[1].workflowKey: no workflow is entered there; take this out",
        ),
    ] {
        assert_eq!(said(path, false), Err(why.to_owned()));
        assert_eq!(said(path, true), Ok(()), "a finished run has no place");
    }
}

#[test]
fn going_back_is_bounded() {
    let started = job(workflows(&["dev: Plan Ship"]));
    let mut run = run_of(&started);
    let back = Signal::Verb { verb: "loop".to_owned() };
    for seq in 0..Started::LOOPS {
        go(&started, &mut run, &back, &facts(u64::from(seq) + 1, 0));
    }
    let denied = step::<Workflow>(&started, &run, &back, &facts(100, 0)).unwrap_err();
    assert_eq!(denied.to_string(), "gave up: `loop` reached its limit of 20");
    go(&started, &mut run, &Signal::Resume, &facts(101, 0));
    go(&started, &mut run, &back, &facts(102, 0));
}

/// Returns a signal that fits the run often enough to make progress.
fn signal(run: &Run<Position>, started: &Started, (what, how): (u8, u8), facts: &Facts) -> Signal {
    let unit = match next::<Workflow>(started, run, facts) {
        Next::Units(units) => units.into_iter().next(),
        Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled | Next::Ask(_) => None,
    };
    let fence = run.attempts().last().map_or(Fence(Seq(0)), crate::Attempt::fence);
    let verdict = Verdict::ALL[usize::from(how) % Verdict::ALL.len()];
    match (what, unit) {
        (0..=3, Some(unit)) => Signal::Begin { unit: unit.id, agent: None, session: Some(me()) },
        (0..=6, _) => {
            let names = ["build", "test", "Build", "Test"].map(Name::literal);
            let receipts = names.iter().map(|name| receipt(name, verdict, facts)).collect();
            let word = if how < 4 { Word::Done } else { Word::None };
            Signal::End { fence, word, receipts, worth: Some(crate::basis::Worth::Proven) }
        }
        (7, _) => Signal::ReportDone { fence, session: me() },
        (8, _) => Signal::Verb { verb: ["loop", "fly"][usize::from(how % 2)].to_owned() },
        (9, _) => Signal::Lost {
            fence,
            ran: [Ran::No, Ran::Yes][usize::from(how % 2)],
            why: String::new(),
        },
        (10, _) => Signal::Resume,
        (11, _) => Signal::Refresh,
        (12, _) => Signal::Answered { text: "yes".to_owned() },
        (13, _) if how == 0 => Signal::Cancel,
        (13, _) => Signal::Pause { hold: Hold::Until { at: facts.now, why: "lunch".to_owned() } },
        (14, _) => Signal::Hold { fence, hold: Hold::NoProgress { what: "again".into() } },
        (15, _) => Signal::Attach { fence, session: me() },
        (16, _) => Signal::Claimed { session: me() },
        (17, _) => {
            let effect = run.outbox().first().cloned();
            let none = KernelEffect::Notify { text: String::new() };
            Signal::Performed { effect: effect.unwrap_or(none) }
        }
        (_, _) => Signal::Released,
    }
}

/// Creates random workflows: `shape` has the phases of each level, whether each has a gate, and
/// where the next level is entered. Also returns the total number of phases.
fn random(shape: &[(Vec<bool>, u8)]) -> (Definitions, usize) {
    let mut lines = Vec::new();
    for (level, (gates, at)) in shape.iter().enumerate() {
        let word = |(nth, gated): (usize, &bool)| {
            format!("{}P{level}x{nth}", if *gated { "!" } else { "" })
        };
        let mut words: Vec<String> = gates.iter().enumerate().map(word).collect();
        if level + 1 < shape.len() {
            let at = usize::from(*at) % (words.len() + 1);
            words.insert(at, format!("@w{}", level + 1));
        }
        let key = if level == 0 { "dev".to_owned() } else { format!("w{level}") };
        lines.push(format!("{key}: {}", words.join(" ")));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    (workflows(&lines), shape.iter().map(|(gates, _)| gates.len()).sum())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_workflow_of_n_phases_ends_after_n_steps(
        shape in prop::collection::vec((prop::collection::vec(any::<bool>(), 1..6), 0u8..8), 1..8),
    ) {
        let (definitions, phases) = random(&shape);
        prop_assert_eq!(work(&job(definitions)), phases);
    }

    #[test]
    fn every_signal_has_an_answer_and_every_run_reloads(
        chances in prop::collection::vec((0u8..19, 0u8..8, 0u8..3), 200),
    ) {
        let lines = ["dev: Plan @qa !Build", "qa: @ship !Test", "ship: A B"];
        let started = job(workflows(&lines));
        let mut run = run_of(&started);
        for (seq, (what, how, files)) in (1..).zip(chances) {
            let facts = facts(seq, files);
            let signal = signal(&run, &started, (what, how), &facts);
            if let Ok(stepped) = step::<Workflow>(&started, &run, &signal, &facts) {
                run = stepped.run;
            }
            prop_assert_eq!(&Run::<Position>::lift(&run.lower()).unwrap(), &run);
            prop_assert_eq!(run.position().check("dev", &started.definitions), Ok(()));
            for bound in run.bounds().values() {
                prop_assert!(bound.used() <= bound.max());
            }
        }
    }

    #[test]
    fn every_session_goes_on_from_its_last_entry(
        chances in prop::collection::vec(0u8..12, 200),
    ) {
        let lines = ["dev: Plan @qa !Build", "qa: @ship Test", "ship: A B"];
        let definitions = workflows(&lines);
        let mut session = Pi::default();
        let mut last = None;
        for (now, chance) in (0..).step_by(700).zip(chances) {
            let answer = session.take(event(chance, &definitions, last.clone()), now);
            for effect in answer.effects {
                if let Effect::AppendEntry { state } = effect {
                    let data = state.lower();
                    let entry = SessionBranch { kind: "custom", custom: ENTRY, data: &data };
                    let read = reconstruct([entry].into_iter()).unwrap();
                    prop_assert_eq!(read.as_ref().map(SessionRecord::lower), Some(data));
                    last = read;
                }
            }
            // An active state resolves to a phase.
            if let Some(state) = session.state.as_ref().filter(|state| state.active) {
                prop_assert!(View::of(&definitions, state).is_some(), "{:?}", state);
            }
        }
    }
}

fn event(chance: u8, definitions: &Definitions, state: Option<SessionRecord>) -> Event {
    let step = |action| Event::Step { action, summary: None };
    match chance {
        0..=3 => step(AgentAction::Next),
        4 => step(AgentAction::Loop),
        5 => step(AgentAction::Cancel),
        6 => step(AgentAction::Status),
        7 => Event::Open { fresh: definitions.clone(), state: Ok(state) },
        8 => Event::AgentEnd { ended: AgentRunEnd::Itself, face: Face::Widget },
        9 => Event::AgentStart,
        10 => Event::Tick,
        _ => Event::Start {
            args: "dev the task".to_owned(),
            fresh: definitions.clone(),
            suffix: "x".to_owned(),
            confirm: true,
        },
    }
}

#[test]
fn the_time_of_a_phase_is_over_with_the_phase_and_begins_anew_when_it_comes_again() {
    let mut definitions = workflows(&["dev: !Plan !Build"]);
    let mut dev = definitions.get("dev").cloned().unwrap();
    for entry in &mut dev.phases {
        if let OrderEntry::Phase(phase) = entry {
            phase.limits.wall = Some(std::time::Duration::from_millis(10));
        }
    }
    definitions = [("dev".to_owned(), dev)].into_iter().collect();
    let started = job(definitions);
    let mut run = run_of(&started);
    let begin = |run: &mut Run<Position>, unit: &str, seq: u64| {
        let unit = UnitId::parse(unit).unwrap();
        let signal = Signal::Begin { unit, agent: None, session: Some(me()) };
        go(&started, run, &signal, &facts(seq, 0));
        Fence(Seq(seq))
    };
    let pass = |run: &mut Run<Position>, fence: Fence, gate: &'static str, seq: u64| {
        let said = vec![receipt(&Name::literal(gate), Verdict::Pass, &facts(seq, 0))];
        let end = Signal::End {
            fence,
            word: Word::None,
            receipts: said,
            worth: Some(crate::basis::Worth::Proven),
        };
        go(&started, run, &end, &facts(seq, 0));
    };
    let held = |run: &Run<Position>, seq: u64| match next::<Workflow>(&started, run, &facts(seq, 0))
    {
        Next::Held(hold) => Some(hold.to_string()),
        Next::Units(_) | Next::Wait { .. } | Next::Done | Next::Cancelled | Next::Ask(_) => None,
    };
    let fence = begin(&mut run, "dev/plan", 100);
    pass(&mut run, fence, "Plan", 105);
    begin(&mut run, "dev/build", 106);
    assert_eq!(held(&run, 115), None, "the time of the one before does not count");
    assert_eq!(held(&run, 116).unwrap(), "the time for `dev/build` is over");
    let lost = Signal::Lost { fence: Fence(Seq(106)), ran: Ran::Yes, why: String::new() };
    go(&started, &mut run, &lost, &facts(117, 0));
    go(&started, &mut run, &Signal::Verb { verb: "loop".into() }, &facts(118, 0));
    let fence = begin(&mut run, "dev/plan", 120);
    pass(&mut run, fence, "Plan", 121);
    begin(&mut run, "dev/build", 122);
    assert_eq!((held(&run, 131), held(&run, 132).is_some()), (None, true));
}
