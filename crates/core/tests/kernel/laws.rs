//! The laws of the kernel, over random sequences of signals and over all pairs of a state and a
//! signal; `SPRAG_LONG=1` runs twenty times as many.

use std::collections::BTreeSet;
use std::fmt::Debug;

use proptest::prelude::*;
use sprag_core::guard::{Definition, Guard, Position, UNIT};
use sprag_core::{
    Denied, Fence, Machine, Next, Ran, Run, Seq, Signal, StopCounter, Stored, Time, UnitId,
    Verdict, Word, next, step, vote,
};

use crate::chance::{Chance, chances};
use crate::toy::{Toy, World, gate, id, name, receipt, session, tree};

/// Returns the number of cases to try: `quick`, or twenty times as many.
#[expect(clippy::disallowed_methods, reason = "a test may be asked to be long")]
pub(crate) fn cases(quick: u32) -> u32 {
    let long = std::env::var_os("SPRAG_LONG").is_some_and(|value| value == "1");
    if long { quick * 20 } else { quick }
}

/// Checks invariants of every run.
pub(crate) fn check<P>(run: &Run<P>) {
    for (name, bound) in run.bounds() {
        assert!(bound.used() <= bound.max(), "{name}");
        let attempts = run.attempts().iter();
        let spent =
            attempts.flat_map(sprag_core::Attempt::spent).filter(|spent| *spent == name).count();
        assert!(spent <= bound.used() as usize, "{name}: more spent than used");
    }
    let mut locks = BTreeSet::new();
    let mut units = BTreeSet::new();
    for attempt in run.attempts() {
        assert!(units.insert(attempt.unit()), "two attempts of {}", attempt.unit());
        for lock in attempt.locks() {
            assert!(locks.insert(lock), "two attempts with {lock}");
        }
    }
    assert!(run.attempts().is_sorted_by_key(sprag_core::Attempt::fence));
    assert!(!run.is_cancelled() || run.attempts().is_empty());
}

fn fence_of(signal: &Signal) -> Option<Fence> {
    match signal {
        Signal::Attach { fence, .. }
        | Signal::ReportDone { fence, .. }
        | Signal::End { fence, .. }
        | Signal::Lost { fence, .. }
        | Signal::Hold { fence, .. } => Some(*fence),
        Signal::Begin { .. }
        | Signal::Verb { .. }
        | Signal::Refresh
        | Signal::Performed { .. }
        | Signal::Pause { .. }
        | Signal::Resume
        | Signal::Answered { .. }
        | Signal::Cancel
        | Signal::Claimed { .. }
        | Signal::Released => None,
    }
}

/// Sends one signal and checks everything that must hold around it.
fn sends<M>(world: &mut World<M>, signal: &Signal)
where
    M: Machine<Position: Stored + PartialEq + Debug>,
{
    let before = world.run.clone();
    let (ready, was) = (world.ready(), world.next());
    let result = world.send(signal.clone());
    check(&world.run);
    if result.is_err() {
        assert_eq!(world.run, before, "denied, and nothing changed");
    }
    if let Some(fence) = fence_of(signal) {
        let live = before.attempts().iter().any(|attempt| attempt.fence() == fence);
        let denied = if before.is_cancelled() { Denied::Over } else { Denied::Stale { fence } };
        assert!(live || result == Err(denied), "a stale fence was taken: {result:?}");
    }
    if let (Signal::Begin { unit, .. }, Ok(())) = (signal, &result) {
        assert!(ready.contains(&unit.to_string()), "{unit} was not in next");
    }
    if before.is_cancelled() {
        let outbox = matches!(signal, Signal::Performed { .. });
        assert!(result.is_err() || outbox, "a cancelled run took {signal:?}");
    }
    if was == Next::Done {
        assert!(before.attempts().is_empty());
    }
    counts(&before, &world.run, signal);
    reads_back(world);
    can_begin(world);
}

/// A begin charges exactly the bounds that its attempt records; a loss refunds at most those; other
/// signals leave the counters unchanged, except those that may reset them.
fn counts<P>(before: &Run<P>, after: &Run<P>, signal: &Signal) {
    let spent = |run: &Run<P>, fence, name| {
        let found = run.attempts().iter().find(|attempt| attempt.fence() == fence);
        let spent = found.map_or(&[][..], sprag_core::Attempt::spent);
        u32::try_from(spent.iter().filter(|spent| *spent == name).count()).unwrap()
    };
    for (name, bound) in after.bounds() {
        let (was, is) = (before.bounds()[name].used(), bound.used());
        match signal {
            Signal::Begin { .. } if before.attempts().len() < after.attempts().len() => {
                let fence = after.attempts().last().map(sprag_core::Attempt::fence).unwrap();
                assert_eq!(is, was + spent(after, fence, name));
            }
            Signal::Lost { fence, ran, .. } => {
                let is_kept = *ran == Ran::Yes && *name != crate::toy::name("retry");
                let most = if is_kept { 0 } else { spent(before, *fence, name) };
                assert!(is <= was && was - is <= most, "{name}: {was} became {is}");
            }
            Signal::End { .. } => assert!(is <= was),
            Signal::Resume | Signal::Verb { .. } => assert!(is == was || is == 0),
            Signal::Begin { .. }
            | Signal::Attach { .. }
            | Signal::ReportDone { .. }
            | Signal::Hold { .. }
            | Signal::Refresh
            | Signal::Performed { .. }
            | Signal::Pause { .. }
            | Signal::Answered { .. }
            | Signal::Cancel
            | Signal::Claimed { .. }
            | Signal::Released => assert_eq!(is, was),
        }
    }
}

/// Storing and reading a run gives the same run, the same `next` and the same vote.
fn reads_back<M>(world: &World<M>)
where
    M: Machine<Position: Stored + PartialEq + Debug>,
{
    let read = Run::<M::Position>::lift(&world.run.lower()).unwrap();
    assert_eq!(read, world.run);
    assert_eq!(next::<M>(&world.definition, &read, &world.facts), world.next());
    let desk = StopCounter::new(session("s1"), tree("0"));
    let votes = |run| vote::<M>(&world.definition, run, &desk, &world.facts);
    assert_eq!(votes(&read), votes(&world.run));
}

/// Every unit that `next` offers can begin, and is then charged.
fn can_begin<M: Machine<Position: PartialEq + Debug>>(world: &World<M>) {
    let mut facts = world.facts.clone();
    facts.seq = facts.seq.next();
    for unit in world.ready() {
        let session = world.run.owner().cloned();
        let begin = Signal::Begin { unit: id(&unit), agent: None, session };
        let result = step::<M>(&world.definition, &world.run, &begin, &facts);
        assert!(result.is_ok(), "{unit} was offered, but {result:?}");
    }
}

fn drive<M>(mut world: World<M>, units: &[UnitId], chances: &[Chance])
where
    M: Machine<Position: Stored + PartialEq + Debug>,
{
    for chance in chances {
        world.facts.now = world.facts.now.plus_millis(1);
        world.files(&chance.files.to_string());
        let signal = chance.signal(&world.run, units, world.facts.now);
        sends(&mut world, &signal);
    }
}

fn guard() -> World<Guard> {
    let gates = vec![gate("test"), gate("lint")];
    let definition = Definition { gates, retry: 3, unit: UNIT, once: false };
    let before = [receipt("test", Verdict::Fail, "bang", "0")];
    World::new(definition, Position::new(tree("0"), &before))
}

fn toy_units() -> Vec<UnitId> {
    ["a", "b", "c", "d", "e", "nobody"].map(id).to_vec()
}

/// Sends only signals that can neither pass nor come from a person; returns the number of begins.
#[expect(clippy::similar_names, reason = "a word in a world")]
fn begins_without_progress<M: Machine>(
    world: &mut World<M>,
    units: &[UnitId],
    chances: &[Chance],
    losses: u8,
) -> usize {
    let mut begins = 0;
    for (at, chance) in chances.iter().enumerate() {
        // The files change all the time, so a failure always counts as a new one.
        let files = format!("{at}");
        world.files(&files);
        let mut said = receipt("test", Verdict::Fail, &format!("{:?}", chance.word()), &files);
        said.why = ["boom", "bang", "clang"][usize::from(chance.how % 3)].into();
        let fence = chance.fence(&world.run);
        let signal = match chance.what {
            0..=12 => Signal::Begin {
                unit: units[usize::from(chance.which) % units.len()].clone(),
                agent: None,
                session: None,
            },
            what if what - 13 < losses => Signal::Lost {
                fence,
                ran: [Ran::No, Ran::Yes][usize::from(chance.how % 2)],
                why: String::new(),
            },
            _ => {
                let failed = Word::Failed { why: "cannot".into() };
                let word = if chance.how == 1 { failed } else { Word::None };
                Signal::End {
                    fence,
                    word,
                    receipts: vec![said],
                    worth: Some(sprag_core::basis::Worth::Proven),
                }
            }
        };
        let begun = matches!(signal, Signal::Begin { .. });
        if world.send(signal).is_ok() && begun {
            begins += 1;
        }
    }
    begins
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(300)))]

    #[test]
    fn the_laws_hold_for_a_machine_of_many_units(chances in chances(60)) {
        drive(World::toy(), &toy_units(), &chances);
    }

    #[test]
    fn the_laws_hold_for_the_guard(chances in chances(60)) {
        drive(guard(), &[UNIT], &chances);
    }

    #[test]
    fn a_step_is_a_function_of_values(chances in chances(20)) {
        let mut world = World::toy();
        for chance in chances {
            let signal = chance.signal(&world.run, &toy_units(), world.facts.now);
            let facts = world.facts.clone();
            let once = step::<Toy>(&world.definition, &world.run, &signal, &facts);
            let twice = step::<Toy>(&world.definition, &world.run, &signal, &facts);
            prop_assert_eq!(once, twice);
            world.send(signal).ok();
        }
    }

    #[test]
    fn begins_without_progress_come_to_an_end(chances in chances(400), losses in 0u8..=15) {
        // For each of five units a first begin, and the retries shared by all; before each failure
        // at most two losses, and three at the end.
        let begins = begins_without_progress(&mut World::toy(), &toy_units(), &chances, losses);
        prop_assert!(begins <= (5 + 3) * 3 + 5 * 3, "{}", begins);
        let mut guard = guard();
        let begins = begins_without_progress(&mut guard, &[UNIT], &chances, losses);
        prop_assert!(begins <= (1 + 3) * 3 + 3, "{}", begins);
    }
}

/// All signals that apply to a given run.
fn signals(run: &Run<crate::toy::Done>, now: Time) -> Vec<Signal> {
    let numbers = (0..28).flat_map(|what| (0..6).map(move |how| (what, how)));
    let mut all = Vec::new();
    for (what, how) in numbers {
        let chance = Chance { what, which: how % 5, how, files: how % 2 };
        let signal = chance.signal(run, &toy_units(), now);
        if !all.contains(&signal) {
            all.push(signal);
        }
    }
    all
}

#[test]
fn every_state_has_an_answer_to_every_signal() {
    let mut states = vec![World::toy().run];
    let mut pairs = 0;
    for depth in 1..=3 {
        let mut reached = Vec::new();
        for run in &states {
            for signal in signals(run, World::toy().facts.now) {
                let mut world = World::toy();
                world.run = run.clone();
                world.facts.seq = Seq(depth);
                sends(&mut world, &signal);
                pairs += 1;
                if depth < 3 && !reached.contains(&world.run) {
                    reached.push(world.run);
                }
            }
        }
        if depth < 3 {
            states = reached;
        }
    }
    assert!(pairs > 4_000, "only {pairs} pairs were tried");
    assert!(states.iter().any(Run::is_cancelled));
    assert!(states.iter().any(|run| run.bounds()[&name("rounds")].used() > 0));
    assert!(states.iter().any(|run| run.attempts().len() > 1));
}
