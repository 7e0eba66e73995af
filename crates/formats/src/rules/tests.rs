use sprag_core::rules::{Action, Body, Kinds, Rule};

use super::preferences;
use crate::Config;

fn config(text: &str) -> Result<Vec<Rule>, Vec<String>> {
    match Config::read(text, &[]) {
        Ok((config, _)) => Ok(config.rules),
        Err(faults) => Err(faults.iter().map(ToString::to_string).collect()),
    }
}

#[test]
fn a_rule_is_shipped_or_a_command() {
    let text = "rules:\n- name: review-loop\n  max: 3\n- name: veto\n  run: python3 veto.py\n  \
                before: [execute-task]\n  priority: 5\n";
    let rules = config(text).unwrap();
    assert!(matches!(rules[0].body, Body::ReviewLoop(_)));
    assert_eq!((rules[0].max, rules[0].priority), (3, 100));
    let argv = vec!["python3".to_owned(), "veto.py".to_owned()];
    assert_eq!(rules[1].body, Body::Command { argv });
    assert_eq!((rules[1].priority, &rules[1].after), (5, &Kinds::NONE));
}

#[test]
fn a_rule_that_nobody_ships_is_pointed_at() {
    let wrong = config("rules:\n- name: review-lop\n").unwrap_err();
    assert!(wrong[0].starts_with("2:9: no rule called `review-lop` is shipped"), "{wrong:?}");
    for text in [
        "rules: [{name: review-loop, run: ./x}]",
        "rules: [{name: a, run: ./x}, {name: a, run: ./y}]",
        "rules: [{name: a, run: ./x, level: all}]",
    ] {
        assert_eq!(config(text).unwrap_err().len(), 1, "{text}");
    }
}

const BOTH: &str = "---\ngsd_hooks:\n  enabled:\n    - name: review-loop\n      source: my-review\n\
    post_unit_hooks:\n  - name: check\n    after: [execute-task]\n    prompt: Look at {taskId}.\n    \
    max_cycles: 99\n    artifact: OK.md\n  - {name: off, after: [execute-task], prompt: p, enabled: false}\n\
    pre_dispatch_hooks:\n  - {name: check, before: [plan-slice], action: skip, skip_if: X.md}\n---\n# Preferences\n";

#[test]
fn the_preferences_of_gsd_are_rules() {
    let (rules, notes) = preferences(BOTH).unwrap();
    let names: Vec<_> = rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["review-loop", "check", "check"]);
    let Body::PreDispatch(skip) = &rules[1].body else { panic!() };
    assert_eq!(skip.action, Action::Skip { only_if: Some("X.md".into()) });
    assert_eq!(rules[2].max, 10);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert_eq!(notes[0].what, "taken as 10");
    assert_eq!(preferences("# nothing\n").unwrap().0, []);
}

#[test]
fn what_does_not_parse_is_an_error_with_its_place_and_never_nothing() {
    let wrong = |yaml: &str| {
        let faults = preferences(&format!("---\n{yaml}---\n")).unwrap_err();
        faults.iter().map(|fault| (fault.place.line, fault.what.clone())).collect::<Vec<_>>()
    };
    assert_eq!(wrong("mode: [\n")[0].0, 2);
    assert_eq!(wrong("post_unit_hooks: yes please\n").len(), 1);
    let broken = "post_unit_hooks:\n  - {name: a, after: [x], prompt: p}\n  - {name: a, after: [x], \
                  prompt: q}\n  - {name: b, after: nonsense, prompt: p}\n  - {name: c, prompt: p}\n  \
                  - {name: d, after: [x], prompt: p, artifact: ../up}\n";
    let lines: Vec<_> = wrong(broken).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [4, 5, 6, 7]);
    let broken = "pre_dispatch_hooks:\n  - {name: m, before: [x], action: modify}\n  - {name: r, \
                  before: [x], action: replace}\n  - {name: x, before: [x], action: explode}\n";
    assert_eq!(wrong(broken).len(), 3);
    assert_eq!(wrong("gsd_hooks: {enabled: [{name: mine}]}\n")[0].0, 2);
    assert_eq!(preferences("---\nmode: solo\n").unwrap_err().len(), 1, "not closed");
}
