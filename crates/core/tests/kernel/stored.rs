use proptest::prelude::*;
use sprag_core::{Changes, Hold, Plain, Run, Signal, Stored, Time, Verdict};

use crate::laws::cases;
use crate::toy::{Done, World, id, receipt};

/// A run in which every stored field has a value.
fn full() -> Run<Done> {
    let mut world = World::toy();
    world.fail("d", "boom", "1").unwrap();
    let fence = world.begin("a").unwrap();
    let at = Time::from_millis(5_000_000);
    world.send(Signal::Hold { fence, hold: Hold::Until { at, why: "limit".into() } }).unwrap();
    world.begin("d").unwrap();
    world.send(Signal::Pause { hold: Hold::Person { why: "lunch".into() } }).unwrap();
    world.run.on(sprag_core::RunId::parse("r-up").unwrap(), id("build"))
}

fn at<'a>(plain: &'a mut Plain, path: &str) -> &'a mut Plain {
    path.split('.').fold(plain, |plain, step| match plain {
        Plain::Map(entries) => &mut entries.iter_mut().find(|(key, _)| key == step).unwrap().1,
        Plain::List(items) => &mut items[step.parse::<usize>().unwrap()],
        Plain::Null | Plain::Bool(_) | Plain::Int(_) | Plain::Other(_) | Plain::Text(_) => {
            panic!("{step}")
        }
    })
}

/// Returns the error for the full run with one value replaced.
fn complaint(path: &str, value: Plain) -> String {
    let mut plain = full().lower();
    *at(&mut plain, path) = value;
    Run::<Done>::lift(&plain).unwrap_err().to_string()
}

fn list(texts: &[&str]) -> Plain {
    Plain::List(texts.iter().map(|text| Plain::from(*text)).collect())
}

#[test]
fn what_is_lowered_lifts_to_the_same() {
    let run = full();
    assert_eq!(Run::<Done>::lift(&run.lower()).unwrap(), run);
}

#[test]
fn contradictions_are_named_and_not_repaired() {
    let number = |number: i128| Plain::Int(number);
    for (path, value, said) in [
        ("bounds.retry.used", number(4), "bounds.retry: 4 are used of at most 3"),
        ("bounds.retry.used", number(0), "attempts: 1 of `retry` are spent, but 0 are used"),
        ("bounds.retry.used", number(-1), "bounds.retry.used: -1 is not between 0 and 4294967295"),
        ("bounds.retry.max", "3".into(), "bounds.retry.max: expected a number, found a text"),
        ("attempts.1.locks", list(&["x"]), "attempts: the lock `x` stands twice"),
        ("attempts.1.locks", list(&["y", "y"]), "attempts: the lock `y` stands twice"),
        ("attempts.1.unit", "a".into(), "attempts: the unit `a` stands twice"),
        ("attempts.1.fence", number(1), "attempts: attempt 1 does not come after 3"),
        ("attempts.1.fence", Plain::Null, "attempts[1].fence: expected a number, found nothing"),
        ("cancelled", Plain::Bool(true), "attempts: a cancelled run has none"),
        ("cancelled", "yes".into(), "cancelled: expected true or false, found a text"),
        (
            "hold",
            Plain::map([("levitate", Plain::Null)]),
            "hold.levitate: there is no hold of this name",
        ),
        ("hold", Plain::map([]), "hold: expected exactly one key"),
        (
            "id",
            "../x".into(),
            "id: `../x` is not an id: it must begin with a letter or digit of ASCII",
        ),
        (
            "failed.d.receipt.verdict",
            "pass".into(),
            "failed.d.receipt.verdict: a failure cannot rest on `pass`",
        ),
        (
            "failed.d.receipt.verdict",
            "maybe".into(),
            "failed.d.receipt.verdict: expected one of pass, fail, void, waived, unknown",
        ),
        ("failed.d.receipt.tree", "abc".into(), "failed.d.receipt.tree: expected 64 hex digits"),
        (
            "attempts.0.hold.until.at",
            "soon".into(),
            "attempts[0].hold.until.at: expected an RFC 3339 time",
        ),
        ("position", Plain::Null, "position: expected a map, found nothing"),
    ] {
        assert_eq!(complaint(path, value), said);
    }
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    let Plain::Map(mut entries) = full().lower() else { panic!("a run is a map") };
    entries.push(("cancelled".into(), Plain::Bool(true)));
    let bad = Run::<Done>::lift(&Plain::Map(entries)).unwrap_err();
    assert_eq!(bad.to_string(), "cancelled: this key stands twice");
}

#[test]
fn every_verdict_hold_and_effect_goes_both_ways() {
    use sprag_core::{DocPath, Effect, Name, Receipt};
    let text = || "a\nb".to_owned();
    for verdict in Verdict::ALL {
        let receipt = Receipt { exit: Some(-9), ..receipt("g", verdict, "x", "t") };
        assert_eq!(Receipt::lift(&receipt.lower()), Ok(receipt));
    }
    let gate = Name::literal("npm test");
    for hold in [
        Hold::Person { why: text() },
        Hold::Asked { what: text() },
        Hold::RoundsOver { what: text() },
        Hold::Until { at: Time::from_millis(7), why: text() },
        Hold::Exhausted { bound: Name::literal("usd"), used: 3 },
        Hold::NoProgress { what: text().into() },
        Hold::Unproven { gate, why: text() },
        Hold::Unreadable { path: DocPath::parse(".gsd/STATE.md").unwrap() },
        Hold::Untrusted { what: text().into() },
        Hold::SetUp { what: text().into() },
        Hold::Changed { what: Changes::new([text(), text() + "c"], text()) },
    ] {
        assert_eq!(Hold::lift(&hold.lower()), Ok(hold));
    }
    let fence = sprag_core::Fence(sprag_core::Seq(u64::MAX));
    for effect in [
        Effect::Kill { fence },
        Effect::Post { marker: "m".into(), body: text() },
        Effect::Notify { text: text() },
    ] {
        assert_eq!(Effect::lift(&effect.lower()), Ok(effect));
    }
}

fn any_plain() -> impl Strategy<Value = Plain> {
    let leaf = prop_oneof![
        Just(Plain::Null),
        any::<bool>().prop_map(Plain::Bool),
        prop_oneof![-2i128..5, Just(i128::MIN), Just(i128::from(u64::MAX) + 1)]
            .prop_map(Plain::Int),
        prop_oneof!["(?s).{0,4}", "[abcdexyz]", Just("retry".to_owned())].prop_map(Plain::Text),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Plain::List),
            prop::collection::vec(("[a-e]|used|max|until|retry", inner), 0..3).prop_map(Plain::Map),
        ]
    })
}

/// Collects the path to each node of a value.
fn ways(plain: &Plain, way: &str, out: &mut Vec<String>) {
    let below = |step: &str| if way.is_empty() { step.into() } else { format!("{way}.{step}") };
    match plain {
        Plain::Map(entries) => {
            for (key, value) in entries {
                out.push(below(key));
                ways(value, &below(key), out);
            }
        }
        Plain::List(items) => {
            for (at, value) in items.iter().enumerate() {
                out.push(below(&at.to_string()));
                ways(value, &below(&at.to_string()), out);
            }
        }
        Plain::Null | Plain::Bool(_) | Plain::Int(_) | Plain::Other(_) | Plain::Text(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1500)))]

    #[test]
    fn a_hostile_form_is_an_error_or_a_run_that_keeps_the_laws(
        node in any::<prop::sample::Index>(),
        value in any_plain(),
    ) {
        let mut plain = full().lower();
        let mut all = Vec::new();
        ways(&plain, "", &mut all);
        let way: &String = node.get(&all);
        *at(&mut plain, way) = value;
        if let Ok(run) = Run::<Done>::lift(&plain) {
            crate::laws::check(&run);
            prop_assert_eq!(Run::<Done>::lift(&run.lower()), Ok(run));
        }
    }
}
