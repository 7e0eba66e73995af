//! Random rules, and random answers of commands.

use sprag_core::rules::{Action, Body, Chain, Kinds, PostUnit, PreDispatch, Rule, heard, refused};
use sprag_core::{Hold, Name, Plain};

use crate::random::Random;

/// Makes a chain of a few rules of all sorts.
pub(super) fn chain(random: &mut Random) -> Chain {
    let mut rules = Vec::new();
    for at in 0..=random.below(3) {
        let name = Name::parse(&format!("rule-{at}")).unwrap();
        let mut rule = match [0, 0, 0, 1, 2, 3, 3][random.below(7)] {
            0 => Rule::shipped("review-loop").unwrap(),
            1 => Rule::command(name, vec!["true".into()]),
            2 => {
                let body = Body::PreDispatch(PreDispatch { action: action(random) });
                let kinds = Kinds::These(vec![Name::literal("execute-task")]);
                Rule { before: kinds, after: Kinds::NONE, body, ..Rule::command(name, vec![]) }
            }
            _ => {
                let body = Body::PostUnit(PostUnit {
                    prompt: "Look at {taskId}.".into(),
                    artifact: Some("OK.md".into()),
                    retry_on: Some("NO.md".into()),
                });
                let kinds = Kinds::These(vec![Name::literal("execute-task")]);
                Rule { before: Kinds::NONE, after: kinds, body, ..Rule::command(name, vec![]) }
            }
        };
        rule.priority = [100, 50, 7][random.below(3)];
        rule.max = 1 + u32::try_from(random.below(5)).unwrap();
        if rules.iter().all(|other: &Rule| other.name != rule.name) {
            rules.push(rule);
        }
    }
    Chain::new(rules)
}

fn action(random: &mut Random) -> Action {
    match random.below(4) {
        0 => Action::Skip { only_if: None },
        1 => Action::Skip { only_if: Some("PLAN.md".into()) },
        2 => Action::Replace { prompt: "Another way.".into(), kind: Some(Name::literal("odd")) },
        _ => Action::Modify { prepend: "First.".into(), append: String::new() },
    }
}

/// Answers for a command, usually with a sensible value.
pub(super) fn answer(random: &mut Random) -> Plain {
    // A rule that could name these would ask for finished work again.
    let kinds = ["execute-task", "plan-slice", "review-task", "look", "reactive-execute"];
    let kind = kinds[random.below(kinds.len())];
    let unit = Plain::map([
        ("kind", kind.into()),
        ("id", "M001/S01/T01".into()),
        ("cycle", Plain::Int(i128::try_from(random.below(4)).unwrap())),
    ]);
    let word =
        ["pass", "pass", "pass", "change", "replace", "skip", "rework", "rework", "hold", "?"];
    let mut entries = vec![
        ("v", Plain::Int(1)),
        ("do", word[random.below(word.len())].into()),
        ("why", "because".into()),
        ("prompt", "Do this.".into()),
        ("append", "And that.".into()),
    ];
    if random.below(2) == 0 {
        entries.push(("unit", unit));
    }
    if random.below(3) == 0 {
        entries.push(("extensions", Plain::map([("seen", Plain::Int(1))])));
    }
    if random.below(20) == 0 {
        return refused(&Hold::Untrusted { what: "true".into() });
    }
    heard(Plain::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
}
