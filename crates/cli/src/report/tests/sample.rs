//! Invented runs, as the journal would record them.

use sprag_core::event::{
    AgentEnded, AgentStarted, AttemptBegan, AttemptEnded, EndedBy, GateFlaky, HostLimited,
    QuestionDefaulted, RuleAnswer, RuleDecided, RunPaused, RunResumed, StopRefused,
};
use sprag_core::{Fence, Missing};

use super::*;

/// A run under construction; time advances by minutes.
pub(super) struct Sample {
    pub(super) material: Material,
    minute: i64,
    fence: Fence,
}

impl Sample {
    pub(super) fn new(run: &str) -> Self {
        let started = Time::parse("2026-03-05T09:00:00Z").unwrap();
        let material = Material {
            elsewhere: false,
            run: RunId::parse(run).unwrap(),
            source: "workflow:feature".to_owned(),
            task: Some("Add CSV export".to_owned()),
            at: "Build [2/4]".to_owned(),
            life: RunStatus::Done,
            started,
            ended: Some(started),
            now: started,
            tree: Some(Hash::of("now")),
            facts: Vec::new(),
            slips: Vec::new(),
            counted: None,
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
            unguarded: Vec::new(),
            unfollowed: Vec::new(),
            missing: Missing::default(),
        };
        Self { material, minute: 0, fence: Fence::default() }
    }

    pub(super) fn report(self) -> Report {
        Report::of(self.material)
    }

    fn now(&self) -> Time {
        self.material.started.plus_millis(self.minute * 60_000)
    }

    fn after(&mut self, minutes: i64) -> &mut Self {
        self.minute += minutes;
        (self.material.now, self.material.ended) = (self.now(), Some(self.now()));
        self
    }

    fn tell(&mut self, event: impl Into<Event>) -> &mut Self {
        let event = event.into();
        let fact = Fact { at: self.now(), actor: "sprag".to_owned(), own: true, event };
        self.material.facts.push(fact);
        self
    }

    fn begin(&mut self, unit: &str, host: &str) -> &mut Self {
        self.fence = Fence(self.fence.0.next());
        let fence = self.fence;
        self.tell(AttemptBegan { fence, unit: unit.to_owned(), ..AttemptBegan::default() });
        self.tell(AgentStarted { fence, host: host.to_owned(), ..AgentStarted::default() })
    }

    fn end(&mut self, unit: &str, how: EndedBy) -> &mut Self {
        let (fence, unit) = (self.fence, unit.to_owned());
        self.tell(AttemptEnded { fence, unit, how, ..AttemptEnded::default() })
    }

    fn said(&mut self, unit: &str, said: &str, micro_usd: Option<u64>) -> &mut Self {
        let (unit, said) = (Some(unit.to_owned()), said.to_owned());
        let tokens = micro_usd.map(|price| price / 4);
        self.tell(AgentEnded { unit, said, micro_usd, tokens, ..AgentEnded::default() })
    }

    fn gate(&mut self, phase: &str, gate: &str, verdict: Verdict, tail: &str) -> &mut Self {
        let number = self.material.slips.len();
        let tree =
            if verdict == Verdict::Pass { Hash::of("now") } else { Hash::of(number.to_string()) };
        let by_person = verdict == Verdict::Waived;
        self.material.slips.push(Slip {
            id: ReceiptId::parse(&format!("g-{number:012}")).unwrap(),
            phase: Some(phase.to_owned()),
            kind: if by_person { CheckKind::Human } else { CheckKind::Run },
            command: (!by_person).then(|| format!("npm run {gate}")),
            by: if by_person { "ada" } else { "sprag" }.to_owned(),
            ms: 41_300,
            receipt: Receipt {
                gate: Name::parse(gate).unwrap(),
                verdict,
                exit: (!by_person).then_some(i32::from(verdict != Verdict::Pass)),
                why: if by_person {
                    "the tool is broken on this machine".to_owned()
                } else {
                    String::new()
                },
                tail: tail.to_owned(),
                tree,
                at: self.now(),
                doubt: None,
            },
        });
        self
    }
}

const FAILED: &str = "> shop@1.4.0 test\n> vitest run\n\n ✓ test/cart.spec.ts (12 tests) 210ms\n \
    ✗ test/csv.spec.ts (6 tests | 1 failed) 340ms\n   × quotes commas\n     expected \"a,\"\"b\"\"\" \
    got a,\"b\"\n\n Tests  1 failed | 17 passed (18)\n";
const PASSED: &str = " ✓ test/cart.spec.ts (12 tests) 198ms\n ✓ test/csv.spec.ts (6 tests) 322ms\n\n \
    Tests  18 passed (18)\n";

/// A working day: a plan that was only claimed, two retries, a limit, a review and a waiver.
pub(super) fn shop() -> Report {
    let mut run = Sample::new("r-7k2m");
    run.begin("plan", "claude").after(14);
    run.said("plan", "The plan is in docs/PLAN.md and covers everything.", Some(640_000));
    run.end("plan", EndedBy::Claimed);
    run.begin("build", "claude").after(31).gate("build", "tests", Verdict::Fail, FAILED);
    run.said("build", "Done! All tests pass.", Some(2_900_000)).end("build", EndedBy::Failed);
    run.begin("build", "claude").after(22).gate("build", "tests", Verdict::Fail, FAILED);
    run.end("build", EndedBy::Failed).begin("build", "claude").after(9);
    let until = Some(run.now().plus_millis(110 * 60_000));
    let why = "usage limit".to_owned();
    run.tell(HostLimited { until, why, ..HostLimited::default() });
    run.after(110).after(18).gate("build", "tests", Verdict::Pass, PASSED);
    run.gate("build", "lint", Verdict::Pass, "");
    let words = "Quoting is fixed. It also handles files of 2 GB without loading them.";
    run.said("build", words, Some(8_300_000)).end("build", EndedBy::Passed);
    run.begin("review", "codex").after(24).gate(
        "review",
        "findings",
        Verdict::Fail,
        "2 findings\n",
    );
    run.said("review", "Two findings: an unclosed handle, a missing test.", None);
    run.end("review", EndedBy::Failed).begin("review", "codex").after(40);
    run.gate("review", "findings", Verdict::Pass, "").gate(
        "review",
        "coverage",
        Verdict::Waived,
        "",
    );
    run.said("review", "No findings left.", None).end("review", EndedBy::Waived);
    let question = "Which separator, comma or semicolon?".to_owned();
    run.tell(QuestionDefaulted { question, answer: "comma, the declared default".to_owned() });
    run.begin("release-notes", "claude").after(6).gate(
        "release-notes",
        "changelog",
        Verdict::Pass,
        "",
    );
    run.end("release-notes", EndedBy::Passed);
    for _ in 0..3 {
        run.tell(StopRefused::default());
    }
    run.material.findings = Some(Findings { rounds: 2, found: 2, fixed: 2, refused: 0, open: 0 });
    let change = |path: &str, added, removed| ChangedFile {
        path: path.to_owned(),
        added: Some(added),
        removed: Some(removed),
        untracked: false,
    };
    run.material.files = Some(Files {
        since: "9f3c1e2a0b1c".to_owned(),
        until: None,
        exact: true,
        changed: vec![
            change("CHANGELOG.md", 21, 0),
            change("src/export/csv.ts", 402, 71),
            change("src/export/index.ts", 12, 3),
            change("test/csv.spec.ts", 198, 14),
        ],
        scope: String::new(),
        new_scope: String::new(),
    });
    run.report()
}

/// A run in which every text is hostile.
pub(super) fn hostile() -> Report {
    let bad = "</pre></details><script>alert('x')</script> ]]> \"' onload=\"x\" \u{1b}[2J\u{1b}]0;t\u{7}\0 \
        \u{202e}txt.exe\u{2066} &amp; <b>";
    let named: String = bad.chars().filter(|c| !c.is_control()).collect();
    let mut run = Sample::new("r-bad");
    run.material.task = Some(format!("{bad}\n{bad}"));
    run.material.at = bad.to_owned();
    run.material.source = named.clone();
    run.begin(bad, bad).after(3).gate(bad, &named, Verdict::Fail, &bad.repeat(40));
    run.said(bad, bad, None).end(bad, EndedBy::Claimed);
    run.tell(RunPaused { why: bad.to_owned(), until: None }).after(9).tell(RunResumed::default());
    run.tell(QuestionDefaulted { question: bad.to_owned(), answer: bad.to_owned() });
    let (unit, rule, what) = (bad.to_owned(), bad.to_owned(), RuleAnswer::Skip);
    run.tell(RuleDecided { unit, rule, what, ..RuleDecided::default() });
    run.tell(GateFlaky { gate: bad.to_owned() });
    run.material.slips[0].command = Some(bad.to_owned());
    run.material.slips[0].by = bad.to_owned();
    run.gate(bad, "waived", Verdict::Waived, "");
    run.material.slips[1].receipt.why = bad.to_owned();
    run.material.doubts.push(Doubt { id: bad.to_owned(), wrong: Wrong::Forged });
    let (unit, why, command) = (Some(bad.to_owned()), bad.to_owned(), bad.to_owned());
    run.material.waits.push(Wait { number: 1, unit, why, command });
    let path = format!("tests/{bad}");
    let change = ChangedFile { path, added: None, removed: None, untracked: true };
    let (name, commit) = (bad.to_owned(), bad.to_owned());
    run.material.branch =
        Some(WorkBranch { name, at: BranchState::Gone { commit, merged: false } });
    let since = bad.to_owned();
    run.material.files = Some(Files {
        since,
        until: None,
        exact: false,
        changed: vec![change],
        scope: bad.to_owned(),
        new_scope: bad.to_owned(),
    });
    run.report()
}

/// A run of many units, each with a failure, a pass and much output.
pub(super) fn many(units: usize) -> Report {
    let mut run = Sample::new("r-many");
    let output = "a line of output that is long enough to be cut\n".repeat(80);
    for nth in 0..units {
        let unit = format!("M001/S{:02}/T{:02}", nth / 20, nth % 20);
        run.begin(&unit, "claude").after(2).gate(&unit, "tests", Verdict::Fail, &output);
        run.said(&unit, &output, Some(10_000)).end(&unit, EndedBy::Failed).begin(&unit, "claude");
        run.after(1).gate(&unit, "tests", Verdict::Pass, &output).end(&unit, EndedBy::Passed);
    }
    run.report()
}
