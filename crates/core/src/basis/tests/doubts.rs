use super::*;
use crate::Verdict;

fn unit(run: &RunId) -> UnitEnded<'_> {
    let (host, gate) = (Some("claude"), Some("npm test"));
    UnitEnded { run: Some(run), host, gate, said: None }
}

/// The doubts after an agent changed `was` to `now`.
fn left(was: &str, now: &str) -> Doubts {
    let basis: Basis = [(key("a.py"), weakened(was, now))].into_iter().collect();
    Doubts::default().after(&basis, &TableConditions::default().conditions(), &unit(&run()))
}

/// Pretends that the text of every input is `now`.
fn is(now: &str) -> impl Fn(&OpenDoubt) -> TextNow {
    let now = text(now);
    move |_| TextNow::Is(Some(now))
}

/// Lets the next unit find `now`, changed by `whose`.
fn next(doubts: &Doubts, now: &str, whose: Attribution) -> (Basis, Bearing) {
    let path = key("a.py");
    let was = doubts.was(&path, Some(text(now))).unwrap();
    let input = Input::differs(Role::Test, was, text(now), Difference::Other, whose);
    let input = doubts.carry(&path, input);
    let bearing = bearing(&path, &input, &TableConditions::default().conditions());
    ([(path, input)].into_iter().collect(), bearing)
}

#[test]
fn a_doubt_is_written_and_read_back() {
    let basis: Basis = [
        (key("a#b.py"), weakened("1", "2")),
        (
            InputKey::part("package.json", "scripts.test"),
            Input::departed(Role::Runner, text("1"), Departure::Gone, Attribution::STRANGER),
        ),
    ]
    .into_iter()
    .collect();
    let run = run();
    let said = Some("the \u{1b}[2J API\n changed");
    let doubts = Doubts::default().after(
        &basis,
        &TableConditions::default().conditions(),
        &UnitEnded { said, ..unit(&run) },
    );
    assert_eq!(Doubts::read(&doubts.write()), Ok(doubts.clone()));
    let said: Vec<_> = doubts.iter().map(|doubt| doubt.said.as_deref()).collect();
    assert_eq!(said, [Some("the [2J API changed"); 2]);
    assert_eq!(doubts.get(&key("a#b.py")).unwrap().reported().by, "claude");
    assert!(matches!(Doubts::read("{}"), Err(BadDoubts::Unreadable(_))));
    assert_eq!(Doubts::read("{\"v\": 2, \"doubts\": []}"), Err(BadDoubts::Later(2)));
}

#[test]
fn the_next_unit_begins_from_the_text_before_and_is_not_sent_back_again() {
    let doubts = left("good", "weak");
    assert_eq!(doubts.was(&key("a.py"), Some(text("weak"))), Some(text("good")));
    let (basis, bearing) = next(&doubts, "weak", Attribution::PERSON);
    assert_eq!(bearing, Bearing::Doubted);
    let again = doubts.after(&basis, &TableConditions::default().conditions(), &unit(&run()));
    assert_eq!(again, doubts);
}

#[test]
fn another_text_reopens_a_doubt() {
    let doubts = left("good", "weak");
    let (basis, bearing) = next(&doubts, "weaker", Attribution::AGENT);
    assert_eq!(bearing, Bearing::SendBack);
    let again = doubts.after(&basis, &TableConditions::default().conditions(), &unit(&run()));
    let open = again.get(&key("a.py")).unwrap();
    assert_eq!((open.was, open.now), (Some(text("good")), Some(text("weaker"))));
    // A person who edits the file has not approved the rest of it.
    assert_eq!(next(&doubts, "edited", Attribution::PERSON).1, Bearing::Doubted);
}

#[test]
fn the_reason_is_that_of_the_agent_that_changed_it() {
    let doubts = left("good", "weak");
    let own = run();
    let said = |doubts: &Doubts, said, whose| {
        let (basis, _) = next(doubts, "weak", whose);
        let unit = UnitEnded { said: Some(said), ..unit(&own) };
        doubts.after(&basis, &TableConditions::sent_back().conditions(), &unit)
    };
    let reason = |doubts: &Doubts| doubts.get(&key("a.py")).unwrap().said.clone();
    let doubts = said(&doubts, "the API changed", Attribution::AGENT);
    assert_eq!(reason(&doubts).as_deref(), Some("the API changed"));
    let doubts = said(&doubts, "done", Attribution::SOME_AGENT);
    assert_eq!(reason(&doubts).as_deref(), Some("the API changed"));
}

#[test]
fn a_doubt_goes_when_the_text_is_as_it_was() {
    let doubts = left("good", "weak");
    let (basis, bearing) = next(&doubts, "good", Attribution::AGENT);
    assert_eq!(bearing, Bearing::Untouched);
    assert!(
        doubts.after(&basis, &TableConditions::default().conditions(), &unit(&run())).is_empty()
    );
    assert!(doubts.settled(is("good"), &[]).is_empty());
    assert!(!doubts.settled(is("weak"), &[]).is_empty());
    // An unknown text settles nothing.
    assert!(!doubts.settled(|_| TextNow::Unknown, &[]).is_empty());
}

#[test]
fn a_doubt_goes_by_a_yes_to_the_text_that_is_there() {
    let doubts = left("good", "weak");
    let yes = |now: &str| [Consent::OfText(key("a.py"), Some(text(now)))];
    assert!(doubts.settled(is("weak"), &yes("weak")).is_empty());
    // The agent made further changes after the person looked.
    assert!(!doubts.settled(is("weaker"), &yes("weak")).is_empty());
    assert!(!doubts.settled(|_| TextNow::Is(None), &yes("weak")).is_empty());
    let all = [Consent::AllTests, Consent::Beforehand(glob("**"))];
    assert!(!doubts.settled(is("weak"), &all).is_empty());
    let commit = Consent::by_commit(key("a.py"), Some(text("weak")), CommitMade::InATurn);
    assert!(!doubts.settled(is("weak"), commit.as_slice()).is_empty());
}

#[test]
fn a_yes_beforehand_is_about_changes_of_its_own_unit() {
    let doubts = left("good", "weak");
    let given = TableConditions { consents: vec![Consent::AllTests], ..TableConditions::default() };
    let (path, was) = (key("a.py"), text("good"));
    let bearing_of = |now: &str, whose| {
        let input = Input::differs(Role::Test, was, text(now), Difference::Other, whose);
        bearing(&path, &doubts.carry(&path, input), &given.conditions())
    };
    assert_eq!(bearing_of("weak", Attribution::SOME_AGENT), Bearing::Doubted);
    assert_eq!(bearing_of("new", Attribution::AGENT), Bearing::Free(Free::Agreed));
}

#[test]
fn whoever_made_the_text_is_sent_back_also_where_another_doubted_it_first() {
    let doubts = left("good", "weak");
    assert_eq!(next(&doubts, "weak", Attribution::AGENT).1, Bearing::SendBack);
    assert_eq!(next(&doubts, "weak", Attribution::SOME_AGENT).1, Bearing::Doubted);
}

#[test]
fn files_that_begin_with_a_text_in_doubt_take_the_doubt_over() {
    let doubts = left("good", "weak");
    let mut others = Doubts::default();
    others.adopt(doubts.get(&key("a.py")).unwrap().clone());
    assert_eq!(others.was(&key("a.py"), Some(text("weak"))), Some(text("good")));
    let known = left("better", "weak");
    let mut same = known.clone();
    same.adopt(doubts.get(&key("a.py")).unwrap().clone());
    assert_eq!(same, known, "what is known stays");
}

#[test]
fn a_doubt_without_a_run_is_that_of_the_next_unit() {
    let basis: Basis = [(key("a.py"), weakened("good", "weak"))].into_iter().collect();
    let (given, own) = (TableConditions::default(), run());
    let nobody = UnitEnded { run: None, ..unit(&own) };
    let doubts = Doubts::default().after(&basis, &given.conditions(), &nobody);
    assert_eq!(doubts.get(&key("a.py")).unwrap().run, None);
    assert_eq!(Doubts::read(&doubts.write()), Ok(doubts.clone()));
    let (basis, _) = next(&doubts, "weak", Attribution::SOME_AGENT);
    let doubts = doubts.after(&basis, &given.conditions(), &unit(&own));
    assert_eq!(doubts.get(&key("a.py")).unwrap().run, Some(own));
}

#[test]
fn text_once_in_doubt_stays_so_also_where_a_ref_holds_it() {
    let doubts = left("good", "weak");
    let (path, was) = (key("a.py"), text("good"));
    let input = |now: &str, excuse| {
        let input =
            Input::differs(Role::Test, was, text(now), Difference::Other, Attribution::AGENT);
        let input = doubts.carry(&path, input.excused(excuse));
        bearing(&path, &input, &TableConditions::default().conditions())
    };
    assert!(input("weak", Excuse::HeldByRef).is_doubt());
    assert_eq!(input("weak", Excuse::SecondLook), Bearing::Free(Free::Excused(Excuse::SecondLook)));
}

#[test]
fn a_setting_that_only_names_keeps_the_doubt() {
    let doubts = left("good", "weak");
    let (basis, _) = next(&doubts, "weak", Attribution::PERSON);
    let given = TableConditions { tests: OnTests::Name, ..TableConditions::default() };
    assert_eq!(doubts.after(&basis, &given.conditions(), &unit(&run())), doubts);
}

/// The tracked changes after a second look cleared an agent's change of `was`.
fn cleared(was: &str, now: &str) -> Doubts {
    let input = weakened(was, now).excused(Excuse::SecondLook);
    let basis: Basis = [(key("a.py"), input)].into_iter().collect();
    left(was, now).after(&basis, &TableConditions::default().conditions(), &unit(&run()))
}

#[test]
fn a_cleared_text_is_no_doubt_and_still_compared_with_the_one_before() {
    let doubts = cleared("good", "other");
    assert!(doubts.is_empty() && doubts.get(&key("a.py")).is_none());
    assert_eq!(Doubts::read(&doubts.write()), Ok(doubts.clone()));
    // The code has changed since, so another look is needed. This agent did not change the test.
    assert_eq!(doubts.was(&key("a.py"), Some(text("other"))), Some(text("good")));
    let (basis, bearing) = next(&doubts, "other", Attribution::AGENT);
    assert_eq!(bearing, Bearing::Doubted);
    let doubts = doubts.after(&basis, &TableConditions::default().conditions(), &unit(&run()));
    assert_eq!(doubts.get(&key("a.py")).map(|doubt| doubt.was), Some(Some(text("good"))));
    assert_eq!(doubts.tracked().count(), 1);
}

#[test]
fn a_cleared_text_is_forgotten_once_a_person_has_it() {
    let doubts = cleared("good", "other");
    // A unit that finds another text begins from that.
    assert_eq!(doubts.was(&key("a.py"), Some(text("person's"))), Some(text("person's")));
    let mut agreed = doubts.clone();
    agreed.agree(AgreedText { key: key("a.py"), text: Some(text("other")) });
    assert_eq!(agreed.was(&key("a.py"), Some(text("other"))), Some(text("other")));
    let back = doubts.settled(is("good"), &[]);
    assert_eq!((doubts.tracked().count(), back.tracked().count()), (1, 0));
}

#[test]
fn what_is_cleared_is_bounded() {
    let many = (0..3_000).map(|number| {
        (key(&format!("{number}.py")), weakened("1", "2").excused(Excuse::SecondLook))
    });
    let doubts = Doubts::default().after(
        &many.collect(),
        &TableConditions::default().conditions(),
        &unit(&run()),
    );
    assert!(doubts.write().len() < 1 << 20, "{}", doubts.write().len());
    assert_only_a_person_settles_the_rest(&doubts);
}

#[test]
fn open_doubts_are_bounded_and_the_rest_is_for_a_person() {
    let many = (0..4_000).map(|number| (key(&format!("{number}.py")), weakened("1", "2")));
    let given = TableConditions::sent_back();
    let doubts = Doubts::default().after(&many.collect(), &given.conditions(), &unit(&run()));
    assert!(doubts.write().len() < 1 << 20, "{}", doubts.write().len());
    assert!(doubts.iter().count() > 200, "many are still named");
    assert_only_a_person_settles_the_rest(&doubts);
}

/// Agreeing to every named change leaves the doubt about the others, and a later unit keeps it.
fn assert_only_a_person_settles_the_rest(doubts: &Doubts) {
    let rest = key("more");
    let rest = InputKey::part(".sprag/doubts.json", rest.path());
    let mut agreed = doubts.clone();
    for doubt in doubts.tracked().filter(|doubt| doubt.key != rest) {
        agreed.agree(AgreedText { key: doubt.key.clone(), text: doubt.now });
    }
    assert_eq!(agreed.iter().map(|doubt| &doubt.key).collect::<Vec<_>>(), [&rest]);
    let later: Basis = agreed.missing_memory().collect();
    let given = TableConditions::default();
    assert!(matches!(weigh(Verdict::Pass, &later, &given.conditions()), Worth::Doubted(_)));
    let now = agreed.get(&rest).unwrap().now;
    agreed.agree(AgreedText { key: rest, text: now });
    assert!(agreed.is_empty());
    // A yes to these is none to the next ones.
    let consents = agreed.consents();
    let next = (0..4_000).map(|number| (key(&format!("other{number}.py")), weakened("1", "2")));
    let next = Doubts::default().after(&next.collect(), &given.conditions(), &unit(&run()));
    let later: Basis = next.missing_memory().collect();
    let given = TableConditions { consents, ..TableConditions::default() };
    assert!(matches!(weigh(Verdict::Pass, &later, &given.conditions()), Worth::Doubted(_)));
}

#[test]
fn a_test_that_no_gate_asked_for_is_compared_with_its_earlier_text_later() {
    let basis: Basis = [(key("a.py"), weakened("good", "weak"))].into_iter().collect();
    let (basis, given) = (basis.without_tests(), TableConditions::default());
    assert_eq!(weigh(Verdict::Pass, &basis, &given.conditions()), Worth::Proven);
    let doubts = Doubts::default().after(&basis, &given.conditions(), &unit(&run()));
    assert!(doubts.is_empty(), "it is no doubt of this unit");
    let (_, bearing) = next(&doubts, "weak", Attribution::PERSON);
    assert_eq!(bearing, Bearing::Doubted, "and it is one of a unit whose gate runs it");
    // A doubt that is open already stays open.
    let open = left("good", "weak");
    assert_eq!(open.after(&basis, &given.conditions(), &unit(&run())), open);
}
