use proptest::prelude::*;
use sprag_core::guard::{Definition, Guard, Position, UNIT};
use sprag_core::{
    Check, Effect, Facts, Fence, Gate, Hash, Hold, Name, Ran, Receipt, Run, RunId, Seq, SessionId,
    Signal, Stored as _, Time, Verdict, Word, apply, next, step,
};

use super::*;

type Guarded = Run<Position>;

fn lift(text: &str) -> Guarded {
    let file = StoredFile::parse(text).unwrap();
    Guarded::lift(file.plain()).unwrap_or_else(|bad| panic!("{}\n{text}", file.fault(&bad)))
}

/// Updates `text` to the current `run`.
fn write(text: &str, run: &Guarded) -> String {
    let file = StoredFile::parse(text).unwrap();
    let before = Guarded::lift(file.plain()).unwrap().lower();
    let splices = file.edit(&before, &run.lower()).unwrap();
    apply(text, &splices).unwrap()
}

fn definition() -> Definition {
    let name = Name::parse("npm test").unwrap();
    let check = Check::Run { argv: vec!["npm".into(), "test".into()] };
    Definition {
        gates: vec![Gate { name, check }],
        retry: 3,
        unit: sprag_core::guard::UNIT,
        once: false,
    }
}

fn new_run() -> Guarded {
    let position = Position::new(Hash::of("start"), &[]);
    Run::new::<Guard>(RunId::parse("r-7k2m").unwrap(), &definition(), position)
}

#[test]
fn a_new_file_says_what_the_run_is_and_nothing_else() {
    let text = new_file(&new_run().lower());
    let start = Hash::of("start");
    let expected = format!(
        "id: r-7k2m\nbounds:\n  retry:\n    used: 0\n    max: 3\nposition:\n  start: {start}\n"
    );
    assert_eq!(text, expected);
    assert_eq!(lift(&text), new_run());
}

#[test]
fn what_we_do_not_know_stays_where_it_is() {
    let text = new_file(&new_run().lower());
    let text = format!("# mine\nlater: [1, 2]   # of a later version\n{text}note: 'x'\n");
    let mut run = lift(&text);
    assert_eq!(write(&text, &run), text, "nothing changed, no byte changes");
    run = step::<Guard>(
        &definition(),
        &run,
        &Signal::Pause { hold: Hold::Person { why: "lunch".into() } },
        &facts(2),
    )
    .unwrap()
    .run;
    let paused = write(&text, &run);
    assert!(paused.starts_with("# mine\nlater: [1, 2]   # of a later version\n"), "{paused}");
    assert!(paused.contains("\nnote: 'x'\n") && paused.contains("lunch"), "{paused}");
    run = step::<Guard>(&definition(), &run, &Signal::Resume, &facts(3)).unwrap().run;
    assert_eq!(write(&paused, &run), text, "and back again");
}

#[test]
fn a_hold_of_the_first_release_is_replaced_and_not_kept_beside_the_new_one() {
    let text = new_file(&new_run().lower());
    let budget = "the budget is spent: 2 s of 1 s; `sprag resume r-7k2m --budget 3s` raises it";
    let later = Hold::Until { at: Time::from_millis(1), why: "by a person".into() };
    for old in ["interrupted", budget] {
        let old = format!("{text}hold: # mine\n  person: \"{old}\"\n");
        let run = lift(&old);
        assert_eq!(write(&old, &run), old, "nothing changed, no byte changes");
        let holds = [later.clone(), Hold::Interrupted, Hold::Person { why: "lunch".into() }];
        for hold in holds {
            let pause = Signal::Pause { hold: hold.clone() };
            let paused = step::<Guard>(&definition(), &run, &pause, &facts(2)).unwrap().run;
            assert_eq!(lift(&write(&old, &paused)), paused, "{old} to {hold:?}");
        }
        let gone_on = step::<Guard>(&definition(), &run, &Signal::Resume, &facts(3)).unwrap().run;
        assert_eq!(write(&old, &gone_on), text);
    }
}

#[test]
fn a_wrong_value_is_pointed_at() {
    for (text, at, what) in [
        ("id: r-1\nbounds:\n  retry:\n    used: 9\n    max: 3\n", (4, 5), "bounds.retry"),
        ("id: r-1\nattempts:\n  - unit: guard\n    fence: x\n", (4, 12), "attempts[0].fence"),
        ("id: r-1\nbounds:\n  retry:\n    used: 1.5\n", (4, 11), "bounds.retry.used"),
        ("id: ../x\n", (1, 5), "id"),
        ("id: r-1\nfailed:\n  T01.1:\n    same: -1\n", (4, 11), "failed.T01.1.same"),
    ] {
        let file = StoredFile::parse(text).unwrap();
        let fault = file.fault(&Guarded::lift(file.plain()).unwrap_err());
        assert!(fault.what.starts_with(&format!("`{what}")), "{fault}");
        assert_eq!((fault.place.line, fault.place.col), at, "{fault}");
    }
}

#[test]
fn numbers_of_a_later_version_stay_as_they_are_written() {
    let huge = i128::MAX.to_string() + "0";
    let later = format!("budget:\n  usd: 1.50\n  all: [.5, 1e400, {huge}, .inf]\n");
    let text = format!("{later}{}", new_file(&new_run().lower()));
    let mut run = lift(&text);
    assert_eq!(write(&text, &run), text);
    let pause = Signal::Pause { hold: Hold::Person { why: "lunch".into() } };
    run = step::<Guard>(&definition(), &run, &pause, &facts(2)).unwrap().run;
    let paused = write(&text, &run);
    assert!(paused.starts_with(&later) && paused.contains("lunch"), "{paused}");
    let file = StoredFile::parse(&later).unwrap();
    let Plain::Map(entries) = file.plain() else { panic!("{:?}", file.plain()) };
    assert_eq!(
        new_file(&entries[0].1),
        format!("usd: 1.50\nall:\n  - .5\n  - 1e400\n  - {huge}\n  - .inf\n")
    );
}

fn facts(seq: u64) -> Facts {
    let now = Time::from_millis(i64::try_from(seq).unwrap() * 1000);
    Facts::new(now, Seq(seq), Hash::of(format!("tree {}", seq / 3)))
}

fn receipt(verdict: Verdict, facts: &Facts) -> Receipt {
    let gate = Name::parse("npm test").unwrap();
    let tail = format!("it says: \"{}\"\n\t- no: {}", facts.tree, "# x");
    let why = "exit 1".to_owned();
    Receipt {
        gate,
        verdict,
        exit: Some(1),
        why,
        tail,
        tree: facts.tree,
        at: facts.now,
        doubt: None,
    }
}

fn signal(kind: u8, run: &Guarded, facts: &Facts) -> Signal {
    let session = SessionId::parse("s-1").unwrap();
    let fence = run.attempts().first().map_or(Fence(Seq(0)), sprag_core::Attempt::fence);
    let end = |verdict| Signal::End {
        fence,
        word: Word::None,
        receipts: vec![receipt(verdict, facts)],
        worth: Some(sprag_core::basis::Worth::Proven),
    };
    match kind {
        0 | 1 => Signal::Begin { unit: UNIT, agent: None, session: Some(session) },
        2 => end(Verdict::Pass),
        3 | 4 => end(Verdict::Fail),
        5 => end(Verdict::Unknown),
        6 => {
            let why = if facts.seq.0.is_multiple_of(2) { "" } else { "exit 1: # 'no'" };
            Signal::Lost { fence, ran: Ran::No, why: why.to_owned() }
        }
        7 => Signal::Pause { hold: Hold::Person { why: "'tis: a\n# pause".into() } },
        8 => Signal::Resume,
        9 => Signal::Claimed { session },
        10 => Signal::Released,
        _ => match run.outbox().first() {
            Some(effect) => Signal::Performed { effect: Effect::clone(effect) },
            None => Signal::Refresh,
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Dropping the memory after any signal and reading the file again changes nothing.
    #[test]
    fn a_run_lives_in_its_file(kinds in prop::collection::vec(0u8..12, 1..24)) {
        let definition = definition();
        let mut text = format!("# a person's\nodd: [~, {{}}]\n{}", new_file(&new_run().lower()));
        for (seq, kind) in (2..).zip(kinds) {
            let (run, facts) = (lift(&text), facts(seq));
            prop_assert_eq!(write(&text, &run), text.clone());
            let Ok(stepped) = step::<Guard>(&definition, &run, &signal(kind, &run, &facts), &facts) else {
                continue;
            };
            text = write(&text, &stepped.run);
            let again = lift(&text);
            prop_assert_eq!(&again, &stepped.run);
            prop_assert_eq!(
                next::<Guard>(&definition, &again, &facts),
                next::<Guard>(&definition, &stepped.run, &facts)
            );
            prop_assert!(text.starts_with("# a person's\nodd: [~, {}]\n"), "{}", text);
        }
    }
}
