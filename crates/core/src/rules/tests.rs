use std::collections::BTreeMap;

use super::*;
use crate::Ask;

fn work(kind: &str, id: &str) -> UnitInfo {
    UnitInfo {
        kind: Name::parse(kind).unwrap(),
        id: UnitId::parse(id).unwrap(),
        prompt: "P".into(),
        files: vec![],
    }
}

fn command(name: &str) -> Rule {
    Rule::command(Name::parse(name).unwrap(), vec!["true".into()])
}

fn says(what: &str) -> Plain {
    let mut entries = vec![("v".to_owned(), Plain::Int(1)), ("do".to_owned(), what.into())];
    for key in ["why", "prompt", "prepend"] {
        entries.push((key.to_owned(), format!("{key} of {what}").into()));
    }
    heard(Plain::Map(entries))
}

/// Runs a chain of commands with constant answers.
fn walk(chain: &Chain, at: RulePoint, unit: &UnitInfo, said: &[(&str, Plain)]) -> (Decided, u32) {
    let mut answers = BTreeMap::new();
    let mut asked = 0;
    loop {
        let around = Around {
            state: &Plain::Null,
            kept: &|_| Plain::Null,
            cycle: &|_| 0,
            answers: &answers,
        };
        let decided = match at {
            RulePoint::Before => chain.before(unit, &[], &around),
            RulePoint::After => chain.after(unit, &[], None, &around),
        };
        let End::Ask(asks) = &decided.end else { return (decided, asked) };
        for ask in asks.clone() {
            let Ask::Rule { rule, .. } = &ask else { panic!("{ask:?}") };
            let found = said.iter().find(|(name, _)| *name == rule.as_str());
            answers.insert(ask.clone(), found.unwrap().1.clone());
            asked += 1;
        }
    }
}

#[test]
fn lower_priority_comes_first_and_then_who_was_registered_first() {
    let rules = [("c", 100), ("a", 100), ("b", 7), ("d", 100)];
    let rules = rules.map(|(name, priority)| Rule { priority, ..command(name) });
    let chain = Chain::new(rules.to_vec());
    let names: Vec<_> = chain.rules().iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["b", "c", "a", "d"]);
}

#[test]
fn changes_compose_and_the_first_decision_ends_the_chain() {
    let chain = Chain::new(["a", "b", "c", "d"].map(command).to_vec());
    let unit = work("execute-task", "M001/S01/T01");
    let said = |third| {
        [("a", says("pass")), ("b", says("change")), ("c", says(third)), ("d", says("skip"))]
    };
    let (decided, asked) = walk(&chain, RulePoint::Before, &unit, &said("replace"));
    let wording = Wording::whole("prompt of replace".into());
    assert_eq!(decided.end, End::Go { kind: unit.kind.clone(), wording });
    assert_eq!(decided.losers, [Name::literal("d")]);
    assert_eq!(asked, 3, "who comes later is not even asked");
    let words: Vec<_> = decided.said.iter().map(|said| said.what.as_str()).collect();
    assert_eq!(words, ["pass", "change", "replace"]);
    let (decided, _) = walk(&chain, RulePoint::Before, &unit, &said("pass"));
    assert_eq!(decided.end, End::Skip { rule: Name::literal("d"), why: "why of skip".into() });
    let (decided, _) = walk(&chain, RulePoint::Before, &unit, &said("hold"));
    let what = "c of M001/S01/T01: why of hold".to_owned();
    assert_eq!(decided.end, End::Hold(Hold::Asked { what }));
}

#[test]
fn whatever_is_not_understood_holds_with_the_name_of_the_rule() {
    let chain = Chain::new(vec![command("odd")]);
    let unit = work("execute-task", "M001/S01/T01");
    let no_version = Plain::map([("do", "pass".into())]);
    let two = Plain::map([("v", Plain::Int(2)), ("do", "pass".into())]);
    let no_reason = Plain::map([("v", Plain::Int(1)), ("do", "skip".into())]);
    let path = Plain::map([("file", "../x".into())]);
    let escape = Plain::map([
        ("v", Plain::Int(1)),
        ("do", "rework".into()),
        ("prompt", "x".into()),
        ("unit", path),
    ]);
    let broken = [Plain::Null, "pass".into(), no_version, two, no_reason, escape];
    for (at, plain) in broken.into_iter().map(heard).enumerate() {
        let when = if at == 5 { RulePoint::After } else { RulePoint::Before };
        let (decided, _) = walk(&chain, when, &unit, &[("odd", plain.clone())]);
        let held = matches!(&decided.end, End::Hold(Hold::Unproven { gate, .. }) if gate.as_str() == "odd");
        assert!(held, "{plain:?}: {decided:?}");
    }
    // A known word at the wrong time is invalid, too.
    for (at, word) in
        [(RulePoint::Before, "rework"), (RulePoint::After, "skip"), (RulePoint::After, "replace")]
    {
        let (decided, _) = walk(&chain, at, &unit, &[("odd", says(word))]);
        assert!(matches!(decided.end, End::Hold(Hold::Unproven { .. })), "{word}: {decided:?}");
    }
    let untrusted = refused(&Hold::Untrusted { what: "./rule".into() });
    let (decided, _) = walk(&chain, RulePoint::Before, &unit, &[("odd", untrusted)]);
    assert_eq!(decided.end, End::Hold(Hold::Untrusted { what: "./rule".into() }));
}

#[test]
fn only_the_kinds_that_a_rule_names_are_asked_about() {
    let mut rule = command("plans");
    rule.before = Kinds::These(vec![Name::literal("plan-slice")]);
    rule.after = Kinds::NONE;
    let chain = Chain::new(vec![rule]);
    let said = [("plans", says("hold"))];
    let (decided, asked) =
        walk(&chain, RulePoint::Before, &work("execute-task", "M001/S01/T01"), &said);
    assert!(matches!(decided.end, End::Go { .. }) && asked == 0);
    let (decided, _) = walk(&chain, RulePoint::Before, &work("plan-slice", "M001/S01"), &said);
    assert!(matches!(decided.end, End::Hold(_)));
    let (decided, asked) = walk(&chain, RulePoint::After, &work("plan-slice", "M001/S01"), &said);
    assert!(matches!(decided.end, End::Go { .. }) && asked == 0);
}

#[test]
fn an_answer_belongs_to_exactly_one_question() {
    let chain = Chain::new(vec![command("a")]);
    let said = [("a", says("hold"))];
    let (_, asked) = walk(&chain, RulePoint::Before, &work("execute-task", "M001/S01/T01"), &said);
    assert_eq!(asked, 1);
    let answered = work("execute-task", "M001/S01/T01");
    let question = |unit: &UnitInfo, cycle| Question {
        at: RulePoint::Before,
        unit: unit.clone(),
        derived: unit.clone(),
        state: Plain::Null,
        kept: Plain::Null,
        cycle,
        max: 5,
        result: None,
    };
    let other = work("execute-task", "M001/S01/T02");
    assert_ne!(question(&answered, 0).lower(), question(&other, 0).lower());
    assert_ne!(question(&answered, 0).lower(), question(&answered, 1).lower());
}

#[test]
fn what_a_rule_keeps_is_its_own_and_may_be_forgotten() {
    let answer = |entries: &[(&str, Plain)]| {
        let own = [("v", Plain::Int(1)), ("do", Plain::from("pass"))];
        let all = own.iter().chain(entries).map(|(key, value)| ((*key).to_owned(), value.clone()));
        RuleDecision::read(&Plain::Map(all.collect())).unwrap().keep
    };
    assert_eq!(answer(&[]), None);
    assert_eq!(answer(&[("extensions", Plain::Null)]), Some(Plain::Null));
    assert_eq!(answer(&[("extensions", Plain::Int(3))]), Some(Plain::Int(3)));
}
