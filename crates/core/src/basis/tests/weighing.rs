use super::*;
use crate::Verdict;

fn weighed(input: &Input, given: &TableConditions) -> Bearing {
    bearing(&key("tests/a.py"), input, &given.conditions())
}

#[test]
fn each_change_of_each_role_has_its_answer() {
    use Bearing::{Doubted, Free as F, Waits};
    let (was, now, agent) = (text("was"), text("now"), Attribution::AGENT);
    let other = |role| Input::differs(role, was, now, Difference::Other, agent);
    let new = |role| Input::arrived(role, now, Arrival::New, agent);
    let harmless = F(Free::Harmless);
    let table = [
        ("an old test", other(Role::Test), Doubted),
        ("a test that is gone", Input::departed(Role::Test, was, Departure::Gone, agent), Doubted),
        ("a test that moved", Input::departed(Role::Test, was, Departure::Moved, agent), harmless),
        ("a longer test", Input::differs(Role::Test, was, now, Difference::Grew, agent), harmless),
        (
            "blanks of a test",
            Input::differs(Role::Test, was, now, Difference::Blank, agent),
            harmless,
        ),
        ("a new test", new(Role::Test), harmless),
        ("a new runner", new(Role::Runner), Doubted),
        ("a new script", new(Role::Script), harmless),
        ("a new program", new(Role::Program), harmless),
        (
            "a program before another",
            Input::arrived(Role::Program, now, Arrival::Shadows, agent),
            Doubted,
        ),
        (
            "a stricter runner",
            Input::differs(Role::Runner, was, now, Difference::Stricter, agent),
            harmless,
        ),
        ("a new plan", Input::arrived(Role::Law, now, Arrival::Stricter, agent), harmless),
        ("the law", other(Role::Law), Waits),
        ("the host", other(Role::Host), Waits),
        ("a protected file", other(Role::Protected), Waits),
        ("a document of state", other(Role::State), Doubted),
        (
            "nothing",
            Input::differs(Role::Test, was, was, Difference::Other, agent),
            Bearing::Untouched,
        ),
        (
            "a person's",
            Input::differs(Role::Law, was, now, Difference::Other, Attribution::PERSON),
            F(Free::Trusted),
        ),
        (
            "ours",
            Input::departed(Role::Test, was, Departure::Gone, Attribution::SPRAG),
            F(Free::Trusted),
        ),
    ];
    for (what, input, expected) in table {
        assert_eq!(weighed(&input, &TableConditions::sent_back()), expected, "{what}");
    }
}

#[test]
fn a_unit_is_sent_back_once_for_all_changes_together() {
    let basis: Basis = [("a.py", weakened("1", "2")), ("b.py", weakened("3", "4"))]
        .map(|(at, it)| (key(at), it))
        .into_iter()
        .collect();
    let fresh = TableConditions::default();
    assert_eq!(
        weigh(Verdict::Pass, &basis, &fresh.conditions()),
        Worth::SendBack(keys(&["a.py", "b.py"]))
    );
    let again =
        TableConditions { sent_back: SentBack::For(keys(&["a.py"])), ..TableConditions::default() };
    assert_eq!(
        weigh(Verdict::Pass, &basis, &again.conditions()),
        Worth::Doubted(keys(&["a.py", "b.py"]))
    );
}

#[test]
fn who_may_not_have_done_it_is_not_sent_back() {
    let input = |whose| Input::differs(Role::Test, text("1"), text("2"), Difference::Other, whose);
    assert_eq!(
        weighed(&input(Attribution::SOME_AGENT), &TableConditions::default()),
        Bearing::Doubted
    );
    assert_eq!(
        weighed(&input(Attribution::STRANGER), &TableConditions::default()),
        Bearing::Doubted
    );
    assert_eq!(weighed(&input(Attribution::AGENT), &TableConditions::default()), Bearing::SendBack);
}

#[test]
fn what_a_person_protects_may_not_change_at_all() {
    let given = TableConditions { protect: vec![glob("tests/**")], ..TableConditions::sent_back() };
    let (was, now) = (text("1"), text("2"));
    for how in [Difference::Blank, Difference::Grew, Difference::Stricter, Difference::Other] {
        let input = Input::differs(Role::Test, was, now, how, Attribution::AGENT);
        assert_eq!(weighed(&input, &given), Bearing::Waits, "{how:?}");
        assert_eq!(weighed(&input.excused(Excuse::SecondLook), &given), Bearing::Waits, "{how:?}");
    }
    let moved = Input::departed(Role::Test, was, Departure::Moved, Attribution::AGENT);
    assert_eq!(weighed(&moved, &given), Bearing::Waits);
    // An input that did not exist before is free, however often it is edited.
    let new = Input::arrived(Role::Test, now, Arrival::New, Attribution::AGENT);
    assert_eq!(weighed(&new, &given), Bearing::Free(Free::Harmless));
}

#[test]
fn a_persons_yes_frees_what_it_is_about() {
    let path = key("tests/a.py");
    let with =
        |consent| TableConditions { consents: vec![consent], ..TableConditions::sent_back() };
    let agreed = Bearing::Free(Free::Agreed);
    let test = || weakened("1", "2");
    assert_eq!(weighed(&test(), &with(Consent::Beforehand(glob("tests/*")))), agreed);
    assert_eq!(weighed(&test(), &with(Consent::AllTests)), agreed);
    assert_eq!(weighed(&test(), &with(Consent::OfText(path.clone(), Some(text("2"))))), agreed);
    assert_eq!(
        weighed(&test(), &with(Consent::OfText(path.clone(), Some(text("3"))))),
        Bearing::Doubted
    );
    assert_eq!(weighed(&test(), &with(Consent::Beforehand(glob("src/*")))), Bearing::Doubted);
    let other_role =
        |role| Input::differs(role, text("1"), text("2"), Difference::Other, Attribution::AGENT);
    assert_eq!(weighed(&other_role(Role::Script), &with(Consent::AllTests)), Bearing::Doubted);
    // An input that decides more than one verdict needs consent to its very text.
    assert_eq!(
        weighed(&other_role(Role::Law), &with(Consent::Beforehand(glob("**")))),
        Bearing::Waits
    );
    assert_eq!(
        weighed(&other_role(Role::Law), &with(Consent::OfText(path, Some(text("2"))))),
        agreed
    );
}

#[test]
fn a_commit_is_a_yes_only_outside_any_turn() {
    let of = |made| Consent::by_commit(key("a.py"), None, made);
    assert_eq!(of(CommitMade::OutsideAnyTurn), Some(Consent::OfText(key("a.py"), None)));
    assert_eq!(of(CommitMade::InATurn), None);
    assert_eq!(of(CommitMade::BySprag), None);
}

#[test]
fn an_excuse_frees_what_it_is_evidence_for() {
    let given = TableConditions::sent_back();
    let free = |excuse| Bearing::Free(Free::Excused(excuse));
    assert_eq!(
        weighed(&weakened("1", "2").excused(Excuse::HeldByRef), &given),
        free(Excuse::HeldByRef)
    );
    assert_eq!(
        weighed(&weakened("1", "2").excused(Excuse::SecondLook), &given),
        free(Excuse::SecondLook)
    );
    assert_eq!(weighed(&weakened("1", "2").excused(Excuse::LockFile), &given), Bearing::Doubted);
    let of =
        |role| Input::differs(role, text("1"), text("2"), Difference::Other, Attribution::AGENT);
    assert_eq!(
        weighed(&of(Role::Program).excused(Excuse::LockFile), &given),
        free(Excuse::LockFile)
    );
    assert_eq!(weighed(&of(Role::Law).excused(Excuse::SecondLook), &given), Bearing::Waits);
}

#[test]
fn a_team_may_want_its_tests_only_named() {
    let given = TableConditions { tests: OnTests::Name, ..TableConditions::default() };
    assert_eq!(weighed(&weakened("1", "2"), &given), Bearing::Free(Free::OnlyNamed));
    let runner = Input::arrived(Role::Runner, text("1"), Arrival::New, Attribution::AGENT);
    assert_eq!(weighed(&runner, &given), Bearing::SendBack);
    let given = TableConditions { protect: vec![glob("tests/**")], ..given };
    assert_eq!(weighed(&weakened("1", "2"), &given), Bearing::SendBack);
}

#[test]
fn a_gate_that_does_not_rest_on_tests_still_names_them() {
    let basis: Basis = [(key("tests/a.py"), weakened("1", "2"))].into_iter().collect();
    let given = TableConditions::default();
    assert_eq!(
        weigh(Verdict::Pass, &basis.clone().without_tests(), &given.conditions()),
        Worth::Proven
    );
    assert_eq!(named(&basis, &given.conditions()).len(), 1);
}

#[test]
fn a_report_gives_the_file_and_who_changed_it() {
    let part = InputKey::part("package.json", "scripts.test");
    let input =
        Input::differs(Role::Runner, text("1"), text("2"), Difference::Other, Attribution::AGENT);
    let basis: Basis = [(part, input)].into_iter().collect();
    let given = TableConditions::sent_back();
    let named = named(&basis, &given.conditions());
    assert!(named[0].is_doubt());
    let reported = named[0].reported(Some("claude"), Some("npm test"), Some("the API changed"));
    let json = serde_json::json!({
        "path": "package.json#scripts.test", "role": "runner", "how": "changed", "by": "claude",
        "gate": "npm test", "said": "the API changed",
    });
    assert_eq!(serde_json::to_value(reported).unwrap(), json);
}

#[test]
fn a_second_look_clears_tests_and_only_where_nothing_else_is_in_doubt() {
    let agent = Attribution::AGENT;
    let test = || (key("tests/a.py"), weakened("was", "now"));
    let gone = || {
        let gone = Input::departed(Role::Test, text("was"), Departure::Gone, agent);
        (key("tests/b.py"), gone)
    };
    let other = |role| {
        let input = Input::differs(role, text("was"), text("now"), Difference::Other, agent);
        (key("other"), input)
    };
    for given in [TableConditions::default(), TableConditions::sent_back()] {
        let conditions = given.conditions();
        let both: Basis = [test(), gone()].into_iter().collect();
        assert_eq!(clearable(&both, &conditions), keys(&["tests/a.py", "tests/b.py"]));
        let cleared = both.excused(&keys(&["tests/a.py", "tests/b.py"]), Excuse::SecondLook);
        assert_eq!(weigh(Verdict::Pass, &cleared, &conditions), Worth::Proven);
        assert_eq!(clearable(&cleared, &conditions), InputKeys::new());
        for role in Role::ALL.into_iter().filter(|role| *role != Role::Test) {
            let basis: Basis = [test(), other(role)].into_iter().collect();
            assert_eq!(clearable(&basis, &conditions), InputKeys::new(), "{role:?}");
        }
    }
    let protect = TableConditions { protect: vec![glob("tests/**")], ..TableConditions::default() };
    let basis: Basis = [test()].into_iter().collect();
    assert_eq!(clearable(&basis, &protect.conditions()), InputKeys::new());
    let cleared = basis.excused(&keys(&["tests/a.py"]), Excuse::SecondLook);
    assert_ne!(weigh(Verdict::Pass, &cleared, &protect.conditions()), Worth::Proven);
}
