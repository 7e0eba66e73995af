use serde_json::Value;

use super::*;
use crate::event::{AttemptEnded, EndedBy, GateFlaky};
use crate::{
    CheckKind, Event, Hash, Kind, Missing, MissingText, Name, OtherLocation, Outcome, Receipt,
    ReceiptId, RunStatus, Verdict,
};

fn at(minute: i64) -> Time {
    Time::from_millis(1_772_700_000_000 + minute * 60_000)
}

fn fact<const N: usize>(minute: i64, kind: &Kind, data: [(&str, Value); N]) -> Fact {
    let event = Event::read(kind, &data.into_iter().collect());
    Fact { at: at(minute), actor: "sprag".to_owned(), own: true, event }
}

fn slip(gate: &str, verdict: Verdict, tree: &str, minute: i64) -> Slip {
    Slip {
        id: ReceiptId::parse(&format!("g-{gate}-{minute}")).unwrap(),
        phase: None,
        kind: if verdict == Verdict::Waived { CheckKind::Human } else { CheckKind::Run },
        command: Some("make".to_owned()),
        by: "ada".to_owned(),
        ms: 1_000,
        receipt: Receipt {
            gate: Name::parse(gate).unwrap(),
            verdict,
            exit: None,
            why: "why".to_owned(),
            tail: String::new(),
            tree: Hash::of(tree),
            at: at(minute),
            doubt: None,
        },
    }
}

fn material() -> Material {
    Material {
        elsewhere: false,
        run: RunId::parse("r-1").unwrap(),
        source: "guard".to_owned(),
        task: None,
        at: "guard: tests".to_owned(),
        life: RunStatus::Ready,
        started: at(0),
        ended: None,
        now: at(60),
        tree: Some(Hash::of("now")),
        facts: Vec::new(),
        slips: Vec::new(),
        counted: Some(Vec::new()),
        doubts: Vec::new(),
        asked: Vec::new(),
        findings: None,
        waits: Vec::new(),
        held: None,
        limits: Vec::new(),
        branch: None,
        files: None,
        rewritten: Vec::new(),
        doubted: Vec::new(),
        inputs: Vec::new(),
        unfollowed: Vec::new(),
        unguarded: Vec::new(),
        missing: Missing::default(),
    }
}

fn unproven(report: &Report) -> Vec<String> {
    report.evidence.unproven().iter().map(ToString::to_string).collect()
}

fn fence(number: i64) -> (&'static str, Value) {
    ("fence", number.into())
}

#[test]
fn what_was_waived_stays_so_until_somebody_works_on_it_again() {
    let of_phase = |verdict, minute| Slip {
        phase: Some("build".to_owned()),
        ..slip("tests", verdict, "now", minute)
    };
    let left = |minute: i64| {
        let id = format!("g-tests-{minute}");
        fact(minute, &Kind::GateReceipt, [("id", id.as_str().into())])
    };
    let began = |minute, unit: &str| fact(minute, &Kind::AttemptBegan, [("unit", unit.into())]);
    let standing = |found, facts: &[Fact]| {
        let slips = vec![of_phase(Verdict::Waived, 2), of_phase(found, 9)];
        Report::of(Material { slips, facts: facts.to_vec(), ..material() }).evidence.gates.lines[0]
            .standing
    };
    let looked = [began(1, "dev/build"), left(2), began(2, "dev/build"), left(9)];
    assert_eq!(standing(Verdict::Fail, &looked), ReceiptWorth::Waived);
    assert_eq!(standing(Verdict::Unknown, &looked), ReceiptWorth::Waived);
    assert_eq!(standing(Verdict::Pass, &looked), ReceiptWorth::Holds);
    for (unit, expected) in [
        ("dev/build", ReceiptWorth::Fails),
        ("dev/build fix 1", ReceiptWorth::Fails),
        ("dev/build review 1", ReceiptWorth::Waived),
        ("dev/builder", ReceiptWorth::Waived),
    ] {
        assert_eq!(standing(Verdict::Fail, &[left(2), began(3, unit)]), expected, "{unit}");
    }
}

#[test]
fn only_a_pass_on_the_files_as_they_are_now_proves() {
    let standing = |verdict, tree: &str| {
        let slips = vec![slip("tests", verdict, tree, 1)];
        Report::of(Material { slips, ..material() }).evidence.gates.lines[0].standing
    };
    assert_eq!(standing(Verdict::Pass, "now"), ReceiptWorth::Holds);
    assert_eq!(standing(Verdict::Pass, "then"), ReceiptWorth::Stale);
    assert_eq!(standing(Verdict::Fail, "now"), ReceiptWorth::Fails);
    assert_eq!(standing(Verdict::Waived, "now"), ReceiptWorth::Waived);
    assert_eq!(standing(Verdict::Unknown, "now"), ReceiptWorth::Unknown);
    assert_eq!(standing(Verdict::Void, "now"), ReceiptWorth::Missing);
    let unknown =
        Material { tree: None, slips: vec![slip("t", Verdict::Pass, "now", 1)], ..material() };
    assert_eq!(
        Report::of(unknown).evidence.gates.lines[0].standing,
        ReceiptWorth::Stale,
        "the files cannot be listed"
    );
}

#[test]
fn a_guard_is_done_while_its_gates_hold_and_a_gate_without_a_receipt_does_not() {
    let green = Material { slips: vec![slip("tests", Verdict::Pass, "now", 1)], ..material() };
    let report = Report::of(green.clone());
    assert_eq!((report.evidence.outcome, unproven(&report)), (Some(Outcome::Proven), vec![]));
    let held = Report::of(Material { life: RunStatus::Held, ..green.clone() });
    assert_eq!(unproven(&held), ["what is left to do"], "although all gates hold");
    let half = Report::of(Material { asked: vec!["tests".to_owned(), "lint".to_owned()], ..green });
    assert_eq!(half.evidence.outcome, None);
    assert_eq!(unproven(&half), ["never checked: lint"]);
    assert_eq!(unproven(&Report::of(material())), ["nothing was checked"]);
}

#[test]
fn before_any_unit_has_passed_everything_is_unproven_and_what_fails_is_named() {
    let began = Material { source: "task".to_owned(), life: RunStatus::Held, ..material() };
    let everything = "everything: no unit has passed yet";
    let asked = vec!["tests".to_owned(), "lint".to_owned()];
    let never = Material { asked, ..began.clone() };
    assert_eq!(unproven(&Report::of(began.clone())), [everything]);
    assert_eq!(
        unproven(&Report::of(never.clone())),
        [everything],
        "that line says it was never checked"
    );
    let slips = vec![slip("tests", Verdict::Fail, "now", 1)];
    let failed = Material { slips, ..never.clone() };
    assert_eq!(unproven(&Report::of(failed)), [everything, "fails: tests"]);
    let ended = [fence(1), ("unit", "plan".into()), ("how", "passed".into())];
    let facts = vec![fact(1, &Kind::AttemptEnded, ended)];
    let passed = Material { facts, ..never };
    assert_eq!(unproven(&Report::of(passed)), ["never checked: tests, lint"]);
    let done = Report::of(Material { life: RunStatus::Done, ..began });
    assert_eq!(unproven(&done), ["nothing was checked"]);
}

#[test]
fn the_last_receipt_counts_and_what_does_not_count_is_named() {
    let slips = vec![slip("t", Verdict::Fail, "now", 1), slip("t", Verdict::Pass, "now", 2)];
    let doubts = vec![Doubt { id: "g-x".to_owned(), wrong: Wrong::Forged }];
    let report = Report::of(Material { slips, doubts, ..material() });
    assert_eq!(
        (report.evidence.gates.lines[0].standing, report.evidence.gates.lines[0].times),
        (ReceiptWorth::Holds, 2)
    );
    let flaky = "failed and passed on the same files: t";
    assert_eq!(unproven(&report), [flaky, "receipts that do not count: g-x"]);
    assert_eq!(report.evidence.flaky, ["t"]);
    let slips = vec![slip("t", Verdict::Fail, "then", 1), slip("t", Verdict::Pass, "now", 2)];
    let report = Report::of(Material { slips, ..material() });
    assert_eq!((report.evidence.flaky.len(), unproven(&report).len()), (0, 0), "on other files");
}

#[test]
fn a_claim_is_told_as_a_claim_and_never_proves() {
    let claimed = [fence(1), ("unit", "plan".into()), ("how", "claimed".into())];
    let facts = vec![
        fact(1, &Kind::AgentEnded, [("unit", "plan".into()), ("said", "first".into())]),
        fact(2, &Kind::AgentEnded, [("unit", "plan".into()), ("said", " done! ".into())]),
        fact(3, &Kind::AttemptEnded, claimed),
    ];
    let report = Report::of(Material { facts, ..material() });
    let said: Vec<_> = report.evidence.claims.iter().map(|one| (one.source, &*one.text)).collect();
    assert_eq!(said, [(ClaimSource::Said, "done!"), (ClaimSource::Ungated, "")]);
    assert_eq!(unproven(&report), ["no gate, only claimed: plan"]);
}

#[test]
fn what_of_a_unit_only_its_agent_says_is_claimed_beside_the_gates_that_hold() {
    let ended = |minute, claims: &[&str]| {
        let claims = claims.iter().map(|text| Value::from(*text)).collect();
        let data = [fence(1), ("unit", "T01".into()), ("how", "passed".into())];
        let [first, second, third] = data;
        let data = [first, second, third, ("claims", Value::Array(claims))];
        fact(minute, &Kind::AttemptEnded, data)
    };
    let began = fact(1, &Kind::AttemptBegan, [fence(1), ("unit", "T01".into())]);
    let slips = vec![slip("tests", Verdict::Pass, "now", 1)];
    let facts = vec![began, ended(2, &["it is blue"])];
    let report = Report::of(Material { facts, slips, ..material() });
    let said: Vec<_> = report.evidence.claims.iter().map(|one| (one.source, &*one.text)).collect();
    assert_eq!(said, [(ClaimSource::Judged, "it is blue")]);
    assert_eq!(unproven(&report), ["claims that no gate looks at: T01"]);
    assert_eq!(report.timeline.rows[0].bars[0].how, How::Claimed);

    let facts = vec![ended(2, &["it is blue"]), ended(3, &["it is red", "it is quick"])];
    let report = Report::of(Material { facts, ..material() });
    let last = ["claims that no gate looks at: 2 (T01)"];
    assert_eq!(unproven(&report), last, "the last end stands for those before");
    assert_eq!(report.evidence.unproven()[0].short(), "claims that no gate looks at: 2");
}

#[test]
fn what_an_agent_said_of_a_unit_that_gates_proved_is_no_claim_without_proof() {
    let passed = [fence(1), ("unit", "build".into()), ("how", "passed".into())];
    let facts = vec![
        fact(1, &Kind::AgentEnded, [("unit", "build".into()), ("said", "done!".into())]),
        fact(2, &Kind::AttemptEnded, passed),
    ];
    let report = Report::of(Material { facts, ..material() });
    assert_eq!(report.evidence.claims, []);
}

#[test]
fn what_a_session_of_the_run_was_refused_counts_and_what_others_were_does_not() {
    let refused = |session: &str| Fact {
        own: false,
        ..fact(2, &Kind::StopRefused, [("session", session.into())])
    };
    let facts =
        vec![fact(1, &Kind::RunClaimed, [("session", "s1".into())]), refused("s1"), refused("s2")];
    assert_eq!(Report::of(Material { facts, ..material() }).story.refused, 1);
}

#[test]
fn a_cost_is_unknown_whole_or_at_least() {
    let ended = |price: Option<i64>| {
        let price = Value::from(price);
        fact(1, &Kind::AgentEnded, [("micro_usd", price.clone()), ("tokens", price)])
    };
    let cost = |prices: &[Option<i64>]| {
        let facts = prices.iter().map(|price| ended(*price)).collect();
        let cost = Report::of(Material { facts, ..material() }).cost;
        (cost.money(), cost.tokens())
    };
    assert_eq!(cost(&[]), ("unknown".to_owned(), None));
    assert_eq!(cost(&[None]), ("unknown".to_owned(), None));
    assert_eq!(cost(&[Some(1_234_567)]), ("$1.23".to_owned(), Some("1.2M tokens".to_owned())));
    let (money, tokens) = cost(&[Some(5_000), None]);
    assert_eq!((money.as_str(), tokens.as_deref()), ("at least $0.01", Some("at least 5k tokens")));
}

#[test]
fn attempts_are_bars_from_begin_to_end_and_retries_are_counted() {
    let unit = || ("unit", Value::from("build"));
    let facts = vec![
        fact(5, &Kind::AttemptBegan, [fence(1), unit()]),
        fact(10, &Kind::AttemptEnded, [fence(1), unit(), ("how", "failed".into())]),
        fact(10, &Kind::AttemptBegan, [fence(2), unit()]),
        fact(20, &Kind::AttemptLost, [fence(2)]),
        fact(25, &Kind::AttemptBegan, [fence(3), unit()]),
        // Begun and ended by one stop: the work was done before it.
        fact(40, &Kind::AttemptBegan, [fence(4), ("unit", "fix".into())]),
        fact(40, &Kind::AttemptEnded, [fence(4), ("unit", "fix".into()), ("how", "passed".into())]),
    ];
    let report = Report::of(Material { facts, ..material() });
    let bars = |row: usize| -> Vec<_> {
        let bars = report.timeline.rows[row].bars.iter();
        bars.map(|bar| (bar.from, bar.to, bar.how)).collect()
    };
    let open = (at(25), at(60), How::Open);
    assert_eq!(bars(0), [(at(5), at(10), How::Failed), (at(10), at(20), How::Lost), open]);
    assert_eq!(bars(1), [(at(20), at(40), How::Passed)]);
    assert_eq!((report.story.retries, report.story.lost), (1, 1));
}

#[test]
fn a_long_wait_is_folded_and_places_never_go_back() {
    let facts = vec![
        fact(1, &Kind::AttemptBegan, [fence(1), ("unit", "build".into())]),
        fact(10, &Kind::AttemptStalled, [fence(1), ("why", "asks".into())]),
        fact(50, &Kind::RunResumed, []),
    ];
    let timeline = Report::of(Material { facts, ..material() }).timeline;
    assert_eq!(timeline.waited(), 40 * 60_000);
    assert_eq!(timeline.axis.folds, [Fold { from: at(10), to: at(50), waited: true }]);
    let places: Vec<u32> = (-5..70).map(|minute| timeline.axis.place(at(minute))).collect();
    assert!(places.windows(2).all(|pair| pair[0] <= pair[1]), "{places:?}");
    assert_eq!((places[0], places[74]), (0, WIDTH));
    assert!(timeline.axis.place(at(50)) - timeline.axis.place(at(10)) < WIDTH / 10);
}

#[test]
fn what_went_beyond_a_unit_is_told_once_and_every_review_with_what_it_left_open() {
    let text = |text: &str| Value::from(text);
    let of_unit = |minute, kind: &Kind| {
        let what = Value::Array(vec![text("src/b.rs"), text("docs/x.md")]);
        fact(minute, kind, [("unit", text("t01")), ("what", what)])
    };
    let strayed = |minute| of_unit(minute, &Kind::WorkStrayed);
    let conflicted = |minute| of_unit(minute, &Kind::WorkConflicted);
    let review = |minute, round: i64, verdict: &str, findings: Vec<Value>| {
        let open = findings.len().into();
        let data = [
            ("round", round.into()),
            ("verdict", text(verdict)),
            ("open", open),
            ("findings", Value::Array(findings)),
            ("phase", text("build")),
        ];
        fact(minute, &Kind::ReviewEnded, data)
    };
    let finding = "[important] src/a.rs:3: a";
    let facts = vec![
        strayed(1),
        strayed(2),
        conflicted(2),
        conflicted(3),
        review(3, 1, "issues", vec![text(finding)]),
        review(4, 2, "pass", Vec::new()),
    ];
    let Report { story, evidence, .. } = Report::of(Material { facts, ..material() });
    let strays: Vec<_> =
        story.strays.iter().map(|(unit, what)| format!("{unit}: {what}")).collect();
    assert_eq!(strays, ["t01: src/b.rs", "t01: docs/x.md"]);
    assert_eq!(story.conflicts, story.strays);
    let lines: Vec<_> = evidence.reviews.iter().map(Reviewed::line).collect();
    assert_eq!(
        lines,
        ["build, review 1: issues, 1 finding open", "build, review 2: pass, 0 findings open"]
    );
    assert_eq!(evidence.reviews[0].ended.findings, [finding]);
}

#[test]
fn a_review_that_passed_is_a_claim_and_one_that_a_person_accepted_is_not_proven() {
    let review = |phase: &str, verdict: &str| {
        let data = [("round", 1.into()), ("verdict", verdict.into()), ("phase", phase.into())];
        fact(2, &Kind::ReviewEnded, data)
    };
    let ended = |phase: &str| {
        let unit = format!("dev/{phase} review 1").as_str().into();
        fact(2, &Kind::AttemptEnded, [fence(1), ("unit", unit), ("how", "claimed".into())])
    };
    let said = |phase: &str, words: &str| {
        let unit = format!("dev/{phase} review 1").as_str().into();
        fact(1, &Kind::AgentEnded, [("unit", unit), ("said", words.into())])
    };
    let of = |facts| Report::of(Material { facts, ..material() });
    let passed = [ended("plan"), review("plan", "pass")];
    let again = [ended("build"), review("build", "changed files"), review("build", "accepted")];
    let report = of(passed.iter().chain(&again).cloned().collect());
    let expected =
        ["accepted by a person: build review 1", "no gate, only claimed: dev/plan review 1"];
    assert_eq!(unproven(&report), expected);
    assert_eq!(report.evidence.claimed(), ["dev/plan review 1"]);
    // The findings of a review are reported as such, not as a claim that something is done.
    let words = |facts: &[Fact]| {
        let claims = of(facts.to_vec()).evidence.claims.into_iter();
        claims.map(|claim| claim.text).filter(|text| !text.is_empty()).collect::<Vec<_>>()
    };
    let began = fact(1, &Kind::AttemptBegan, [fence(1), ("unit", "dev/build review 1".into())]);
    let found = [began, said("build", "it is bad"), ended("build"), review("build", "issues")];
    assert_eq!(words(&found), Vec::<String>::new());
    assert_eq!(of(found.to_vec()).timeline.rows[0].bars[0].how, How::Failed);
    let good = [said("plan", "it is good"), ended("plan"), review("plan", "pass")];
    assert_eq!(words(&good), ["it is good"]);
    // An event without its own attempt does not use another one's.
    let report = of(passed.into_iter().chain([review("an", "accepted")]).collect());
    assert_eq!(report.evidence.claimed(), ["dev/plan review 1"]);
}

#[test]
fn an_end_is_proven_only_where_gates_judged_all_of_it() {
    let said = |end: AttemptEnded| (end.is_proven(), end.unproven());
    let end = |how| AttemptEnded { how, ..AttemptEnded::default() };
    let gates = || vec!["tests".to_owned()];
    assert_eq!(said(end(EndedBy::Passed)), (true, vec![]));
    let waived = AttemptEnded { waived: gates(), ..end(EndedBy::Waived) };
    assert_eq!(said(waived), (false, vec!["`tests` is waived".to_owned()]));
    let known = AttemptEnded { known: gates(), ..end(EndedBy::Passed) };
    assert_eq!(said(known), (false, vec!["`tests` failed in the same way before".to_owned()]));
    let claims = AttemptEnded { claims: gates(), ..end(EndedBy::Passed) };
    assert_eq!(said(claims), (false, gates()));
    assert_eq!(said(end(EndedBy::Claimed)), (false, vec![]));
}

#[test]
fn a_gate_that_passed_on_the_files_the_run_began_with_does_not_prove_its_work() {
    let of = |start: &str, verdict, tree: &str| {
        let began = ("tree", Hash::of(start).to_string().as_str().into());
        let facts = vec![fact(0, &Kind::RunStarted, [began])];
        let slips = vec![slip("tests", verdict, tree, 1)];
        Report::of(Material { facts, slips, ended: Some(at(2)), ..material() })
    };
    let said = ["no file changed, and it passed before: tests"];
    assert_eq!(unproven(&of("now", Verdict::Pass, "now")), said);
    assert!(unproven(&of("then", Verdict::Pass, "now")).is_empty());
    assert_eq!(unproven(&of("now", Verdict::Fail, "now")), ["fails: tests"]);
    // A gate that first failed on these files did not pass before.
    let tree = ("tree", Hash::of("now").to_string().as_str().into());
    let slips =
        vec![slip("tests", Verdict::Fail, "now", 1), slip("tests", Verdict::Pass, "now", 2)];
    let facts = vec![fact(0, &Kind::RunStarted, [tree])];
    let report = Report::of(Material { facts, slips, ended: Some(at(3)), ..material() });
    assert_eq!(unproven(&report), ["failed and passed on the same files: tests"]);
}

#[test]
fn a_changed_test_and_edits_that_are_gone_are_said_before_anything_is_proven() {
    let rewritten = vec!["test.sh".to_owned()];
    let slips = vec![slip("tests", Verdict::Pass, "now", 1)];
    let text = |path: &str, place| MissingText { path: path.to_owned(), place };
    let missing = Missing {
        gone: vec![text("wip.txt", None), text("code.txt", Some(OtherLocation::Stash))],
        away: vec![text("new.txt", Some(OtherLocation::Branch("feat".to_owned())))],
        unseen: vec!["long.txt".to_owned()],
    };
    let report = Report::of(Material { slips, rewritten, missing, ..material() });
    let said = [
        "your uncommitted edits are gone: wip.txt, code.txt (in `git stash`)",
        "the work is not in these files: new.txt (on branch feat)",
        "not committed, and too many to look at: long.txt",
        "changed although a gate runs it: test.sh",
    ];
    assert_eq!(unproven(&report), said);
    let needs: Vec<_> =
        report.evidence.unproven().iter().map(|one| one.what.needs_person()).collect();
    assert_eq!(needs, [true, true, false, false]);
}

#[test]
fn files_that_are_too_many_to_look_at_are_said_where_the_work_is_done_among_them() {
    let of = |branch| {
        let facts = vec![fact(0, &Kind::RunStarted, [("more", 7.into())])];
        let slips = vec![slip("tests", Verdict::Pass, "now", 1)];
        Report::of(Material { facts, slips, branch, ended: Some(at(2)), ..material() })
    };
    assert_eq!(unproven(&of(None)), ["not committed, and too many to look at: 7"]);
    let branch = WorkBranch { name: "sprag/r-1".to_owned(), at: BranchState::Empty };
    assert!(!unproven(&of(Some(branch))).join(" ").contains("too many"));
}

#[test]
fn what_nobody_told_is_unknown_and_never_a_small_amount() {
    let cost = |agents, unpriced, micro_usd| Cost {
        agents,
        unpriced,
        micro_usd,
        uncounted: unpriced,
        tokens: micro_usd,
    };
    let said = |cost: Cost| (cost.money(), cost.tokens());
    let unknown = || "unknown".to_owned();
    assert_eq!(said(cost(0, 0, 0)), (unknown(), None));
    assert_eq!(said(cost(2, 1, 0)), (unknown(), None));
    assert_eq!(said(cost(1, 0, 0)), ("$0.00".to_owned(), Some("0 tokens".to_owned())));
    assert_eq!(cost(2, 1, 20_000).money(), "at least $0.02");
}

fn gate_evidence(slips: Vec<Slip>, counted: Vec<Receipt>) -> GateEvidence {
    let files = JudgedFiles { now: Some(Hash::of("now")), apart: Some(Hash::of("apart")) };
    GateEvidence::of(slips, Some(counted), files, &["nice".to_owned()], |_| false)
}

#[test]
fn a_gate_is_stale_by_its_newest_receipt() {
    let of_phase = |phase: &str, slip: Slip| Slip { phase: Some(phase.to_owned()), ..slip };
    let stale = gate_evidence(
        vec![
            of_phase("build", slip("tests", Verdict::Pass, "then", 2)),
            of_phase("ship", slip("tests", Verdict::Pass, "now", 3)),
            slip("lint", Verdict::Pass, "then", 4),
            slip("types", Verdict::Fail, "then", 5),
        ],
        Vec::new(),
    );
    assert_eq!(stale.stale(), ["lint"]);
    let of_build: Vec<_> = stale.standing(ReceiptWorth::Stale).map(GateLine::name).collect();
    assert_eq!(of_build, ["build/tests", "lint"], "the report names each phase");
}

#[test]
fn a_person_s_agreement_counts_as_long_as_the_judge_counts_it() {
    let agreed = |gate| Slip { kind: CheckKind::Human, ..slip(gate, Verdict::Pass, "then", 1) };
    let (plan, nice) = (agreed("plan"), agreed("nice"));
    let standings = |counted: Vec<Receipt>| {
        let evidence = gate_evidence(vec![plan.clone(), nice.clone()], counted);
        [evidence.lines[0].standing, evidence.lines[1].standing]
    };
    let here = vec![nice.receipt.clone()];
    assert_eq!(standings(here), [ReceiptWorth::Agreed; 2]);
    // The gate of an earlier phase is no longer evaluated.
    assert_eq!(standings(Vec::new()), [ReceiptWorth::Agreed, ReceiptWorth::Stale]);
}

#[test]
fn a_pass_that_the_judge_does_not_count_proves_nothing() {
    let passed = slip("tests", Verdict::Pass, "now", 1);
    let why = "it passes, but `test.sh` is protected and was changed".to_owned();
    let taken = Receipt { verdict: Verdict::Unknown, why, ..passed.receipt.clone() };
    let of = |counted: Receipt| {
        let (slips, counted) = (vec![passed.clone()], vec![counted]);
        Report::of(Material { slips, counted: Some(counted), ..material() })
    };
    let counts = of(passed.receipt.clone());
    assert_eq!(counts.evidence.outcome, Some(Outcome::Proven));
    let not = of(taken);
    assert_eq!(not.evidence.outcome, None, "a guard is not done while its judge says no");
    assert_eq!(unproven(&not), ["passes, not counted: tests"]);
}

#[test]
fn receipts_about_a_worktree_that_was_judged_last_are_not_stale() {
    let slips = ["apart", "then"].map(|tree| slip(tree, Verdict::Fail, tree, 1));
    let evidence = gate_evidence(slips.into(), Vec::new());
    let [apart, then] = ["apart", "then"].map(|gate| evidence.last(gate).unwrap());
    assert!(!evidence.is_stale(apart) && evidence.is_stale(then));
    assert_eq!(apart.began().plus_millis(1_000), apart.receipt.at);
}

#[test]
fn what_a_unit_rests_on_is_told_from_its_end() {
    let unit = crate::UnitId::parse("build").unwrap();
    let end = |how: EndedBy| {
        vec![Event::from(AttemptEnded { unit: "build".to_owned(), how, ..AttemptEnded::default() })]
    };
    let receipts = [slip("tests", Verdict::Pass, "now", 1).receipt];
    let of = |events: &[Event], start: &str| {
        let decided = receipts.iter().cloned();
        UnitEvidence::of(events, &unit, &receipts, decided, Some(Hash::of(start)))
    };
    let proven = of(&end(EndedBy::Passed), "then");
    assert_eq!((proven.is_proven(), proven.gates), (true, 1));
    let idle = of(&end(EndedBy::Passed), "now");
    assert_eq!((idle.is_proven(), idle.weak[0].what), (false, UnprovenReason::Untouched));
    let claimed = of(&end(EndedBy::Claimed), "then");
    assert_eq!((claimed.is_proven(), claimed.gates), (false, 0));
    let flaky = [end(EndedBy::Passed), vec![GateFlaky::default().into()]].concat();
    let whats: Vec<_> = of(&flaky, "now").weak.iter().map(|one| one.what).collect();
    assert_eq!(whats, [UnprovenReason::Flaky], "what failed on these files did not pass before");
}
