//! The laws of a verdict's worth, for any basis and any conditions.

use proptest::prelude::*;

use super::*;
use crate::Verdict;

fn any_hash() -> impl Strategy<Value = Hash> {
    prop::sample::select(vec![text("1"), text("2"), text("3"), text("4")])
}

fn any_key() -> impl Strategy<Value = InputKey> {
    prop::sample::select(vec![
        key("tests/a.py"),
        key("tests/b.py"),
        key("run.sh"),
        InputKey::part("package.json", "scripts.test"),
    ])
}

fn any_untrusted() -> impl Strategy<Value = Attribution> {
    prop::sample::select(vec![Attribution::AGENT, Attribution::SOME_AGENT, Attribution::STRANGER])
}

fn any_trusted() -> impl Strategy<Value = Attribution> {
    prop::sample::select(vec![Attribution::PERSON, Attribution::SPRAG])
}

fn any_whose() -> impl Strategy<Value = Attribution> {
    prop_oneof![any_untrusted(), any_trusted()]
}

/// How the two texts of an input relate, regardless of the author.
#[derive(Clone, Copy, Debug)]
struct Made {
    role: Role,
    was: Option<Hash>,
    now: Option<Hash>,
    difference: Difference,
    arrival: Arrival,
    departure: Departure,
    excuse: Option<Excuse>,
}

impl Made {
    fn by(self, whose: Attribution) -> Input {
        let Self { role, was, now, difference, arrival, departure, excuse } = self;
        let input = match (was, now) {
            (None, None) => Input::same(role, None),
            (Some(was), Some(now)) => Input::differs(role, was, now, difference, whose),
            (None, Some(now)) => Input::arrived(role, now, arrival, whose),
            (Some(was), None) => Input::departed(role, was, departure, whose),
        };
        match excuse {
            Some(excuse) => input.excused(excuse),
            None => input,
        }
    }
}

fn any_made() -> impl Strategy<Value = Made> {
    let difference = prop::sample::select(vec![
        Difference::Blank,
        Difference::Stricter,
        Difference::Grew,
        Difference::Other,
    ]);
    let arrival = prop::sample::select(vec![Arrival::New, Arrival::Stricter, Arrival::Shadows]);
    let departure =
        prop::sample::select(vec![Departure::Gone, Departure::Moved, Departure::Stricter]);
    let excuse = prop::option::of(prop::sample::select(vec![
        Excuse::HeldByRef,
        Excuse::LockFile,
        Excuse::SecondLook,
        Excuse::OtherGate,
    ]));
    let texts = (prop::option::of(any_hash()), prop::option::of(any_hash()));
    (prop::sample::select(Role::ALL.to_vec()), texts, difference, arrival, departure, excuse)
        .prop_map(|(role, (was, now), difference, arrival, departure, excuse)| Made {
            role,
            was,
            now,
            difference,
            arrival,
            departure,
            excuse,
        })
}

fn any_given() -> impl Strategy<Value = TableConditions> {
    let consent = prop_oneof![
        Just(Consent::AllTests),
        Just(Consent::Beforehand(glob("tests/**"))),
        (any_key(), prop::option::of(any_hash()))
            .prop_map(|(key, text)| Consent::OfText(key, text)),
    ];
    let protect = prop::sample::select(vec![vec![], vec![glob("tests/a.py")], vec![glob("**")]]);
    let sent_back = prop_oneof![Just(SentBack::NotYet), Just(SentBack::For(keys(&["run.sh"])))];
    let tests = prop::sample::select(OnTests::ALL.to_vec());
    (prop::collection::vec(consent, 0..3), protect, sent_back, tests).prop_map(
        |(consents, protect, sent_back, tests)| TableConditions {
            consents,
            protect,
            sent_back,
            tests,
        },
    )
}

fn any_inputs() -> impl Strategy<Value = Vec<(InputKey, Made, Attribution)>> {
    prop::collection::vec((any_key(), any_made(), any_whose()), 0..5)
}

fn basis(inputs: &[(InputKey, Made, Attribution)]) -> Basis {
    inputs.iter().map(|(key, made, whose)| (key.clone(), made.by(*whose))).collect()
}

fn unit(run: &RunId) -> UnitEnded<'_> {
    UnitEnded { run: Some(run), host: None, gate: None, said: None }
}

fn any_doubts() -> impl Strategy<Value = Doubts> {
    (any_inputs(), any_given()).prop_map(|(inputs, given)| {
        let run = run();
        Doubts::default().after(&basis(&inputs), &given.conditions(), &unit(&run))
    })
}

/// How much a worth favours the agent.
fn good(worth: &Worth) -> u8 {
    match worth {
        Worth::Proven => 1,
        Worth::SendBack(_) | Worth::Doubted(_) | Worth::Waits(_) | Worth::NoPass(_) => 0,
    }
}

impl std::fmt::Debug for TableConditions {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.conditions().fmt(out)
    }
}

proptest! {
    /// Law 1: attributing a change to the agent or a stranger never improves the result.
    #[test]
    fn an_agents_change_is_never_worth_more(
        inputs in any_inputs(),
        untrusted in any_untrusted(),
        at in 0usize..5,
        given in any_given(),
        doubts in any_doubts(),
    ) {
        let weighed = |inputs: &[(InputKey, Made, Attribution)]| {
            let carried = basis(inputs);
            let carried = carried.iter().map(|(key, it)| (key.clone(), doubts.carry(key, it.clone())));
            weigh(Verdict::Pass, &carried.collect(), &given.conditions())
        };
        let mut changed = inputs.clone();
        if let Some((_, _, whose)) = changed.get_mut(at).filter(|(_, _, by)| by.author.is_trusted()) {
            *whose = untrusted;
        }
        prop_assert!(good(&weighed(&changed)) <= good(&weighed(&inputs)));
    }

    /// Law 2: a failure stays a failure, regardless of who changed the inputs.
    #[test]
    fn a_failure_stays_a_failure(inputs in any_inputs(), given in any_given()) {
        for verdict in Verdict::ALL.into_iter().filter(|one| *one != Verdict::Pass) {
            let worth = weigh(verdict, &basis(&inputs), &given.conditions());
            prop_assert_eq!(worth, Worth::NoPass(verdict));
        }
    }

    /// Law 3: a doubt ends only by consent, by the original text, by a second look, or by a text
    /// that contains all of the original.
    #[test]
    fn a_doubt_ends_for_few_reasons(
        doubts in any_doubts(),
        made in any_made(),
        whose in any_whose(),
        given in any_given(),
    ) {
        for doubt in doubts.iter() {
            let key = &doubt.key;
            let made = Made { role: doubt.role, was: doubts.was(key, made.now), ..made };
            let input = doubts.carry(key, made.by(whose));
            let basis: Basis = [(key.clone(), input.clone())].into_iter().collect();
            let run = run();
            let is_open = doubts.after(&basis, &given.conditions(), &unit(&run)).get(key).is_some();
            let takes_nothing = matches!(
                input.change(),
                InputChange::Same | InputChange::Grew | InputChange::Stricter | InputChange::Moved
            ) || input.change() == InputChange::New && !matches!(doubt.role, Role::Runner | Role::Host);
            let is_ended = input.now() == doubt.was
                || given.consents.iter().any(|consent| consent.covers(key, &input))
                || input.excuse() == Some(Excuse::SecondLook) && doubt.role.is_inferred()
                || takes_nothing;
            prop_assert!(is_open || is_ended, "{doubt:?}\n{input:?}");
        }
    }

    /// Law 3: consent to one text does not cover another.
    #[test]
    fn another_text_reopens(now in any_hash(), then in any_hash()) {
        let path = key("tests/a.py");
        let given = TableConditions { consents: vec![Consent::OfText(path.clone(), Some(now))], ..TableConditions::default() };
        let was = text("was");
        let input = Input::differs(Role::Test, was, then, Difference::Other, Attribution::AGENT);
        prop_assert_eq!(bearing(&path, &input, &given.conditions()).is_doubt(), now != then);
    }

    /// Law 4: every change is named.
    #[test]
    fn every_change_is_named(inputs in any_inputs(), given in any_given()) {
        let basis = basis(&inputs);
        let named: Vec<_> =
            named(&basis, &given.conditions()).into_iter().map(|change| change.key).collect();
        let changed: Vec<_> = basis
            .iter()
            .filter(|(_, input)| input.was() != input.now())
            .map(|(key, _)| key.clone())
            .collect();
        prop_assert_eq!(named, changed);
    }

    /// Law 5: tests that are new, have grown or moved are never in doubt, unless a person protects
    /// them.
    #[test]
    fn more_tests_are_never_in_doubt(made in any_made(), whose in any_whose(), given in any_given()) {
        let input = Made { role: Role::Test, ..made }.by(whose);
        let given = TableConditions { protect: vec![], ..given };
        if matches!(input.change(), InputChange::New | InputChange::Grew | InputChange::Moved) {
            prop_assert!(!bearing(&key("tests/a.py"), &input, &given.conditions()).is_doubt());
        }
    }

    /// Law 6: a unit is sent back at most once, no matter how often it is weighed and what changes
    /// meanwhile.
    #[test]
    fn a_unit_is_sent_back_at_most_once(
        looks in prop::collection::vec(any_inputs(), 1..6),
        given in any_given(),
    ) {
        let mut given = TableConditions { sent_back: SentBack::NotYet, ..given };
        let mut times = 0;
        for inputs in looks {
            if let Worth::SendBack(keys) = weigh(Verdict::Pass, &basis(&inputs), &given.conditions()) {
                prop_assert!(!keys.is_empty());
                given.sent_back = SentBack::For(keys);
                times += 1;
            }
        }
        prop_assert!(times <= 1);
    }

    /// Law 7: no matter how many units follow, each begins from the text before the doubt.
    #[test]
    fn a_doubt_keeps_the_text_before(
        units in prop::collection::vec((any_key(), any_made(), any_untrusted()), 1..8),
        found in prop::option::of(any_hash()),
    ) {
        let (given, run) = (TableConditions::default(), run());
        let mut doubts = Doubts::default();
        for (key, made, whose) in units {
            let before = doubts.get(&key).cloned();
            let made = Made { was: doubts.was(&key, made.was), ..made };
            let input = doubts.carry(&key, made.by(whose));
            let basis: Basis = [(key.clone(), input)].into_iter().collect();
            doubts = doubts.after(&basis, &given.conditions(), &unit(&run));
            if let (Some(before), Some(open)) = (before, doubts.get(&key)) {
                prop_assert_eq!(open.was, before.was);
                prop_assert_eq!(doubts.was(&key, found), before.was);
            }
            prop_assert_eq!(Doubts::read(&doubts.write()), Ok(doubts.clone()));
        }
    }

    /// The gates of a unit can be combined in any order.
    #[test]
    fn gates_are_put_together_in_any_order(
        one in any_inputs(),
        other in any_inputs(),
        third in any_inputs(),
        given in any_given(),
    ) {
        let [one, other, third] =
            [one, other, third].map(|it| weigh(Verdict::Pass, &basis(&it), &given.conditions()));
        prop_assert_eq!(one.clone().and(other.clone()), other.clone().and(one.clone()));
        prop_assert_eq!(
            one.clone().and(other.clone()).and(third.clone()),
            one.and(other.and(third))
        );
    }
}
