use super::*;
use crate::{Plain, RunId, Stored, UnitId};

fn run(name: &str) -> Driven {
    Driven::of(&RunId::parse(name).unwrap())
}

fn overspent(by: &str) -> Overspent {
    let [used, most, raise] = ["$15.02", "$15.00", "31usd"].map(str::to_owned);
    Overspent { used, most, raise, by: run(by) }
}

fn unstarted(by: &str) -> Unstarted {
    Unstarted { host: "sh".to_owned(), why: "`sh`: not found; gone".to_owned(), by: run(by) }
}

fn gate() -> Name {
    Name::literal("sh test.sh")
}

fn doubtful(why: Doubt) -> Hold {
    Hold::Doubtful { gate: gate(), why }
}

fn text(text: &str) -> Plain {
    text.into()
}

#[test]
fn only_a_timed_hold_ends_by_itself() {
    let at = Time::from_millis(1000);
    let until = Hold::Until { at, why: "rate limit".into() };
    assert!(until.stands(Time::from_millis(999)));
    assert!(!until.stands(at));
    assert!(Hold::Person { why: "lunch".into() }.stands(at));
}

/// Entries of the first release in `run.yaml`, `agents.json` and `inbox.json`, with their current
/// form.
fn first_release() -> Vec<(&'static str, Plain, Hold)> {
    let person = |why: &str| Plain::map([("person", text(why))]);
    let unproven = |why: &str| {
        let fields = Plain::map([("gate", text("sh test.sh")), ("why", text(why))]);
        Plain::map([("unproven", fields)])
    };
    let said = |why: &str| Doubt::Said { what: why.to_owned() };
    let (first, more) = ("a`b.sh".to_owned(), 2);
    let path = |path: &str| path.to_owned();
    let plain = |key: &str, value: &str| Plain::map([(key, text(value))]);
    vec![
        ("a pause", person("lunch"), Hold::Person { why: "lunch".into() }),
        ("an interrupt", person("interrupted"), Hold::Interrupted),
        (
            "a budget",
            person(
                "the budget is spent: $15.02 of $15.00; `sprag resume r-1 --budget 31usd` raises it",
            ),
            Hold::Budget(overspent("r-1")),
        ),
        (
            "the inbox's budget",
            person(
                "the budget is spent: $15.02 of $15.00; `sprag run inbox --budget 31usd` raises it",
            ),
            Hold::Budget(overspent("inbox")),
        ),
        (
            "a host",
            person(
                "no agent can be started: `sh`: `sh`: not found; gone; \
                 `sprag run r-1 --host NAME` names another one",
            ),
            Hold::NoHost(unstarted("r-1")),
        ),
        (
            "a part of a loop",
            person(
                "the loop names `codex` as ciFixer, and it is not here: install it, or \
                 `sprag pr resume --ci-fixer NAME` names another",
            ),
            Hold::NoPart { part: TurnRole::CiFixer, host: "codex".into() },
        ),
        (
            "words that only begin like ours",
            person("the budget is spent: ask Anna"),
            Hold::Person { why: "the budget is spent: ask Anna".into() },
        ),
        ("a question", plain("asked", "may it ship?"), Hold::Asked { what: "may it ship?".into() }),
        (
            "no progress",
            plain("no_progress", "nothing changed after the stop was refused 2 times"),
            Hold::NoProgress { what: "nothing changed after the stop was refused 2 times".into() },
        ),
        (
            "a gate that could not run",
            unproven("it exited with 127"),
            Hold::Unproven { gate: gate(), why: "it exited with 127".into() },
        ),
        (
            "a protected file",
            unproven("it passes, but `a`b.sh` and 2 more is protected and was changed"),
            doubtful(Doubt::Protected { first, more }),
        ),
        (
            "a protected file with an odd name",
            unproven("it passes, but `a\\n.sh` is protected and was changed"),
            doubtful(said("`a\\n.sh` is protected and was changed")),
        ),
        (
            "a workflow",
            unproven("it passes, but `w.yaml` changed since the run began"),
            doubtful(Doubt::Definition { first: path("w.yaml"), more: 0 }),
        ),
        (
            "the configuration",
            unproven("it passes, but `.sprag/config.yaml` changed since the session began"),
            doubtful(Doubt::Config { path: path(".sprag/config.yaml") }),
        ),
        (
            "rules",
            unproven(
                "it passes, but the rules in `.gsd/PREFERENCES.md` changed since the run began",
            ),
            doubtful(Doubt::Rules { path: path(".gsd/PREFERENCES.md") }),
        ),
        (
            "a plan",
            unproven("it passes, but `plan.md` or its commands changed since the run began"),
            doubtful(Doubt::Plan { path: path("plan.md") }),
        ),
        ("another doubt", unproven("it passes, but who knows"), doubtful(said("who knows"))),
        ("a command", plain("untrusted", "npm test"), Hold::Untrusted { what: "npm test".into() }),
        (
            "two commands",
            plain("set_up", "npm ci` and `npm test"),
            Hold::SetUp { what: ["npm ci", "npm test"].map(str::to_owned).into_iter().collect() },
        ),
    ]
}

#[test]
fn what_the_first_release_wrote_is_read_and_reads_the_same() {
    for (name, old, hold) in first_release() {
        assert_eq!(Hold::lift(&old).as_ref(), Ok(&hold), "{name}");
        let (Plain::Map(entries), said) = (&old, hold.to_string()) else { panic!("a map") };
        let value = &entries[0].1;
        let words = if let Plain::Map(fields) = value { &fields[1].1 } else { value };
        let Plain::Text(words) = words else { panic!("{name}") };
        assert!(said.contains(words.as_str()), "{name}: {said}");
    }
}

#[test]
fn every_hold_goes_both_ways_also_with_words_of_the_first_release() {
    let stuck = [
        Stuck::SameFailure { gate: gate(), times: 3 },
        Stuck::Lost { unit: UnitId::literal("T01"), times: 3, why: String::new() },
        Stuck::BackAndForth,
        Stuck::Unheeded { times: 1 },
        Stuck::Refused { times: 25 },
        Stuck::Unchanged { unit: UnitId::literal("T01"), failure: "exit 1".into() },
        Stuck::Unfixed { gaps: vec!["a".into(), "b".into()] },
        Stuck::SameGaps { gaps: vec!["a".into()] },
        Stuck::GapsInTurns { gaps: vec!["a".into()] },
        Stuck::ReviewRepeats { what: "a".into() },
        Stuck::NotFewer { rounds: "3, 3, 3".into() },
        Stuck::FindingsLeft,
        Stuck::FilesMove,
        Stuck::Skips { most: 32 },
    ];
    let told = first_release().into_iter().map(|(_, _, hold)| hold.said());
    let person = |why: String| Hold::Person { why };
    let unproven = |why: String| Hold::Unproven { gate: gate(), why };
    let odd = Commands::from("a` and `b");
    let all = first_release().into_iter().map(|(_, _, hold)| hold).chain([
        Hold::DriverGone { by: Driven::Inbox, over: true },
        Hold::Blocked { why: "interrupted".into() },
        Hold::NoHost(unstarted("inbox")),
        Hold::Untrusted { what: odd },
        Hold::Untrusted { what: Commands::default() },
        unproven("it passes, but `a` is protected and was changed".into()),
    ]);
    let all = all.chain(stuck.map(|what| Hold::NoProgress { what }));
    let all = all.chain(told.flat_map(|why| [person(why.clone()), unproven(why)]));
    for hold in all {
        assert_eq!(Hold::lift(&hold.lower()), Ok(hold));
    }
}

#[test]
fn a_hold_that_only_a_person_gives_is_stored_as_ever() {
    let stored = |hold: Hold| hold.lower();
    let lunch = Hold::Person { why: "lunch".into() };
    assert_eq!(stored(lunch), Plain::map([("person", text("lunch"))]));
    let one = Hold::Untrusted { what: "npm test".into() };
    assert_eq!(stored(one), Plain::map([("untrusted", text("npm test"))]));
    let said = Hold::NoProgress { what: "a rule repeats itself".into() };
    assert_eq!(stored(said), Plain::map([("no_progress", text("a rule repeats itself"))]));
}
