use std::ffi::OsString;
use std::path::Path;

use sprag_core::UnitId;
use sprag_core::rules::{Around, Chain, End as Ended, Question, RulePoint, UnitInfo, Wording};
use sprag_formats::Checks;
use sprag_store::Place;
use sprag_testkit::TestEnv;
use sprag_world::trust::{self, Belongs, Deed};

use super::*;

struct RuledProject {
    env: TestEnv,
    variables: Vec<(OsString, OsString)>,
}

impl RuledProject {
    fn new() -> Self {
        let path = "/usr/local/bin:/usr/bin:/bin";
        Self { env: TestEnv::new(), variables: vec![("PATH".into(), path.into())] }
    }

    fn rule(argv: &[&str]) -> Rule {
        let argv = argv.iter().map(|word| (*word).to_owned()).collect();
        Rule::command(Name::literal("veto"), argv)
    }

    fn trusting(&self, rule: &Rule) -> Deed {
        let folder = self.env.home().join("trust");
        let place = Place::of(self.env.project());
        trust::approve(&folder, &place, &[digest(rule).unwrap()]).unwrap();
        Belongs::of(&place, Some(&folder)).deed().unwrap()
    }

    /// Runs a rule that a person approved, and returns the chain's result.
    fn asked(&self, rule: &Rule, unit: &UnitInfo) -> Ended {
        let trust = self.trusting(rule);
        self.with(rule, unit, &trust, Checks::Ask)
    }

    fn with(&self, rule: &Rule, unit: &UnitInfo, deed: &Deed, checks: Checks) -> Ended {
        let place = Place::of(self.env.project());
        let bench =
            GateRunner { place: &place, environment: &self.variables, deed, checks, stop: None };
        let chain = Chain::new(vec![rule.clone()]);
        let mut answers = std::collections::BTreeMap::new();
        loop {
            let around = Around {
                state: &Plain::Null,
                kept: &|_| Plain::Null,
                cycle: &|_| 0,
                answers: &answers,
            };
            match chain.before(unit, &[], &around).end {
                Ended::Ask(asks) => {
                    for ask in asks {
                        let sprag_core::Ask::Rule { question, .. } = &ask else { panic!() };
                        let fact = bench.ask_rule(rule, question);
                        answers.insert(ask, fact);
                    }
                }
                end @ (Ended::Go { .. }
                | Ended::Skip { .. }
                | Ended::Rework { .. }
                | Ended::Hold(_)) => return end,
            }
        }
    }
}

fn unit(kind: &str, id: &str) -> UnitInfo {
    UnitInfo {
        kind: Name::parse(kind).unwrap(),
        id: UnitId::parse(id).unwrap(),
        prompt: "Complete it.".into(),
        files: vec!["M001-ROADMAP.md".into()],
    }
}

/// Returns the result of a chain that changed nothing.
fn goes(unit: &UnitInfo) -> Ended {
    Ended::Go { kind: unit.kind.clone(), wording: Wording::default() }
}

fn why(end: &Ended) -> String {
    let Ended::Hold(Hold::Unproven { gate, why }) = end else { panic!("{end:?}") };
    assert_eq!(gate.as_str(), "veto");
    why.clone()
}

/// The example in another language vetoes a unit, but only on Fridays.
#[test]
fn the_example_vetoes_a_unit() {
    let mut world = RuledProject::new();
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rules/no_friday_release.py");
    let rule = RuledProject::rule(&["python3", script.to_str().unwrap()]);
    let unit = unit("complete-milestone", "M001");
    world.variables.push(("RULE_TODAY".into(), "2026-03-06".into()));
    let what = "veto of M001: M001 waits: nothing is released on a Friday".to_owned();
    assert_eq!(world.asked(&rule, &unit), Ended::Hold(Hold::Asked { what }));
    world.variables.pop();
    world.variables.push(("RULE_TODAY".into(), "2026-03-05".into()));
    assert_eq!(world.asked(&rule, &unit), goes(&unit));
}

#[test]
fn a_rule_hears_the_whole_question_on_its_input() {
    let world = RuledProject::new();
    let unit = unit("execute-task", "M001/S01/T01");
    let rule =
        RuledProject::rule(&["sh", "-c", "cat > heard.json; echo '{\"v\":1,\"do\":\"pass\"}'"]);
    assert_eq!(world.asked(&rule, &unit), goes(&unit));
    let heard = std::fs::read_to_string(world.env.project().join("heard.json")).unwrap();
    let question = Question {
        at: RulePoint::Before,
        derived: unit.clone(),
        unit,
        state: Plain::Null,
        kept: Plain::Null,
        cycle: 0,
        max: 5,
        result: None,
    };
    assert_eq!(heard, format!("{}\n", json(&question.lower())));
}

#[test]
fn nothing_runs_before_a_person_said_so() {
    let world = RuledProject::new();
    let rule = RuledProject::rule(&["touch", "ran"]);
    let unit = unit("execute-task", "M001/S01/T01");
    let untrusted = Ended::Hold(Hold::Untrusted { what: "touch ran".into() });
    assert_eq!(world.with(&rule, &unit, &Deed::default(), Checks::Allow), untrusted);
    let trust = world.trusting(&rule);
    assert_eq!(world.with(&rule, &unit, &trust, Checks::Never), untrusted);
    let other = RuledProject::rule(&["touch", "ran", "too"]);
    let held = world.with(&other, &unit, &trust, Checks::Ask);
    assert!(matches!(held, Ended::Hold(Hold::Untrusted { .. })), "a changed command asks again");
    assert!(!world.env.project().join("ran").exists());
}

#[test]
fn whatever_goes_wrong_holds_with_the_name_of_the_rule() {
    let world = RuledProject::new();
    let unit = unit("execute-task", "M001/S01/T01");
    let long = format!("head -c {} /dev/zero | tr '\\0' ' '; echo '{{}}'", 65 << 10);
    for (script, expected) in [
        ("echo '{\"v\":1,\"do\":\"pass\"}'; exit 3", "it exited with 3"),
        ("echo sorry >&2; exit 1", "it exited with 1: sorry"),
        ("kill -9 $$", "signal 9 ended it"),
        ("true", "its answer is not JSON"),
        ("echo pass", "its answer is not JSON"),
        ("printf '\\377'", "its answer is not UTF-8"),
        ("echo '{\"v\":1,\"do\":\"levitate\"}'", "its answer is not understood"),
        ("echo '{\"do\":\"pass\"}'", "its answer is not understood"),
        (long.as_str(), "the limit is 65536"),
    ] {
        let rule = RuledProject::rule(&["sh", "-c", script]);
        let said = why(&world.asked(&rule, &unit));
        assert!(said.contains(expected), "{script}: {said}");
    }
    let missing = why(&world.asked(&RuledProject::rule(&["no-such-program-here"]), &unit));
    assert!(missing.contains("was not found"), "{missing}");
}

#[test]
fn a_slow_rule_is_ended_with_everything_it_started() {
    let world = RuledProject::new();
    let argv = ["sh", "-c", "sleep 60 & echo $! > child; sleep 60"].map(str::to_owned);
    let place = Place::of(world.env.project());
    let deed = Deed::default();
    let environment = &world.variables;
    let bench =
        GateRunner { place: &place, environment, deed: &deed, checks: Checks::Ask, stop: None };
    let said = bench.question(&argv, &Plain::Null, Duration::from_secs(3)).unwrap_err();
    assert!(said.contains("took longer than 3 s"), "{said}");
    let child = std::fs::read_to_string(world.env.project().join("child")).unwrap();
    let status = format!("/proc/{}/status", child.trim());
    let gone = std::fs::read_to_string(status).map_or(true, |text| text.contains("State:\tZ"));
    assert!(gone, "{child}");
}

#[test]
fn a_rule_that_reads_nothing_and_says_much_is_heard() {
    let world = RuledProject::new();
    let mut unit = unit("execute-task", "M001/S01/T01");
    unit.prompt = "x".repeat(200 << 10);
    let rule = RuledProject::rule(&[
        "sh",
        "-c",
        "head -c 30000 /dev/zero >&2; echo '{\"v\":1,\"do\":\"pass\"}'",
    ]);
    assert_eq!(world.asked(&rule, &unit), goes(&unit));
}
