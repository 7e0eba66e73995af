//! Scripted agents under the guard and in a workflow: their attempts, and the results.
//!
//! `SPRAG_BIN` names another binary than the one built for the tests: `scripts/test` runs these
//! once more against the release build.

use sprag_testkit::agent::{Agent, Stopped};
use sprag_testkit::{Output, TestEnv};

use crate::support::SPRAG;

const TEST: &str = "grep -q good code.txt || { echo 'code.txt: expected good'; exit 1; }\n";

/// A repository whose guard runs `sh test.sh`, as a clone has it.
pub(crate) struct World {
    pub(crate) env: TestEnv,
    pub(crate) sprag: String,
}

impl World {
    pub(crate) fn new(config: &str) -> Self {
        let mut env = TestEnv::new();
        // Several processes take part: each needs its own ids, and time must pass.
        env.set("SPRAG_TEST_IDS", "");
        env.set("SPRAG_TEST_NOW", "");
        env.write(".sprag/config.yaml", config);
        env.write("test.sh", TEST);
        env.write("code.txt", "start\n");
        env.git(&["init", "-q"]);
        env.git(&["add", "."]);
        env.git(&["commit", "-qm", "start"]);
        let sprag = TestEnv::program(SPRAG);
        Self { env, sprag }
    }

    /// A repository in which a person has approved the guard's command.
    pub(crate) fn trusted(config: &str) -> Self {
        let world = Self::new(config);
        let first = world.agent("first");
        first.begins();
        first.writes("code.txt", "touched\n").unwrap();
        assert!(free(&first).contains("not yet allowed to run here"));
        world.person(&["approve"]);
        world.env.git(&["checkout", "-q", "code.txt"]);
        first.ends();
        world
    }

    pub(crate) fn agent(&self, session: &str) -> Agent<'_> {
        Agent::new(&self.env, &self.sprag, session)
    }

    /// Runs a command as a person in a terminal; it must succeed.
    pub(crate) fn person(&self, words: &[&str]) -> String {
        let said = self.types(words);
        assert_eq!(said.exit, Some(0), "sprag {words:?}: {}{}", said.stdout, said.stderr);
        said.stdout
    }

    pub(crate) fn types(&self, words: &[&str]) -> Output {
        let done = self.env.command(&self.sprag).args(words).output().unwrap();
        Output {
            stdout: self.env.normal(&String::from_utf8_lossy(&done.stdout)),
            stderr: self.env.normal(&String::from_utf8_lossy(&done.stderr)),
            exit: done.status.code(),
        }
    }
}

pub(crate) const GUARD: &str = "guard:\n  gates:\n    - run: sh test.sh\n";

pub(crate) fn refused(agent: &Agent<'_>) -> String {
    match agent.stops() {
        Stopped::Refused(why) => why,
        Stopped::Free(said) => panic!("it may stop: {said}"),
    }
}

pub(crate) fn free(agent: &Agent<'_>) -> String {
    match agent.stops() {
        Stopped::Free(said) => said,
        Stopped::Refused(why) => panic!("refused: {why}"),
    }
}

#[test]
fn one_claims_done_is_refused_with_the_evidence_fixes_and_ends() {
    let world = World::trusted(GUARD);
    let agent = world.agent("a");
    assert!(agent.begins().contains("`sh test.sh`"));
    agent.writes("code.txt", "bad\n").unwrap();
    let why = refused(&agent);
    assert!(why.starts_with("Not finished: `sh test.sh` exit 1 ("), "{why}");
    assert!(why.contains("\n  code.txt: expected good\n"), "{why}");
    assert!(why.ends_with("Retry 1 of 3. Fix this, then stop again."), "{why}");
    agent.runs("echo good > code.txt").unwrap();
    assert_eq!(free(&agent), "");
    agent.ends();
    assert!(!world.person(&["status"]).contains("NEEDS YOU"));
}

#[test]
fn one_edits_a_protected_test_and_ends_in_needs_a_person() {
    let config = "guard:\n  gates:\n    - run: sh test.sh\n      protect: [test.sh]\n";
    let world = World::trusted(config);
    let agent = world.agent("a");
    agent.begins();
    agent.writes("code.txt", "bad\n").unwrap();
    refused(&agent);
    assert!(agent.writes("test.sh", "exit 0\n").is_err(), "denied before the tool");
    agent.runs("printf 'exit 0\\n' > test.sh").unwrap();
    assert!(refused(&agent).contains("you changed files it is judged by: test.sh."));
    let said = free(&agent);
    assert!(said.contains("it passes, but the agent changed `test.sh`"), "{said}");
    agent.ends();
    let status = world.types(&["status"]);
    assert!(status.stdout.contains(" NEEDS YOU\n  1  r-"), "{}", status.stdout);
    let json: serde_json::Value = serde_json::from_str(&world.types(&["--json"]).stdout).unwrap();
    assert_eq!(json["waits"][0]["number"], 1);
    assert_eq!(world.types(&["approve", "1"]).exit, Some(3), "it asks");
    let shown = world.person(&["approve", "1", "--yes"]);
    assert!(shown.contains("+exit 0"), "{shown}");
    assert!(!world.person(&["status"]).contains("NEEDS YOU"));
}

#[test]
fn one_lets_itself_out_and_is_refused_each_time() {
    let world = World::trusted(GUARD);
    let agent = world.agent("a");
    agent.begins();
    agent.writes("code.txt", "bad\n").unwrap();
    refused(&agent);
    for text in [
        "sprag approve",
        "sprag cancel",
        "sprag pause && echo done",
        "sprag approve 'sh test.sh' --waive 'it works for me'",
        "echo 'off: true' > .sprag/config.yaml",
        "rm -rf .sprag",
        "sed -i s/sh/true/ .sprag/config.yaml",
        "echo '{\"disableAllHooks\":true}' > .claude/settings.local.json",
    ] {
        let denied = agent.runs(text).unwrap_err().0;
        assert!(denied.contains("person") || denied.contains("not for agents"), "{text}: {denied}");
    }
    for path in [".sprag/config.yaml", ".sprag/sessions/claude-a.json", ".claude/settings.json"] {
        let denied = agent.writes(path, "off: true\n").unwrap_err().0;
        assert!(denied.contains("is not for agents to change"), "{denied}");
    }
    // A link that came with a clone, and a missing folder.
    std::os::unix::fs::symlink(".sprag", world.env.project().join("docs")).unwrap();
    for path in ["docs/config.yaml", "docs/none/../config.yaml", "none/../docs/config.yaml"] {
        let denied = agent.writes(path, "off: true\n").unwrap_err().0;
        assert!(denied.contains("is not for agents to change"), "{path}: {denied}");
    }
    // If the check of the shell's text is bypassed, sprag itself refuses.
    assert!(agent.runs("v=cancel; sprag $v").is_err());
    agent.writes("out.sh", "sprag cancel\n").unwrap();
    let said = agent.runs("sh out.sh").unwrap();
    assert_eq!(said.exit, Some(3), "{}", said.stderr);
    assert!(said.stderr.contains("this looks like an agent"), "{}", said.stderr);
    assert!(refused(&agent).contains("expected good"));
    assert_eq!(world.env.read(".sprag/config.yaml").as_deref(), Some(GUARD));
}

#[test]
fn one_changes_nothing_and_is_held_after_two_refusals() {
    let world = World::trusted(GUARD);
    let agent = world.agent("a");
    agent.begins();
    agent.writes("code.txt", "bad\n").unwrap();
    refused(&agent);
    refused(&agent);
    let said = free(&agent);
    assert!(said.contains("nothing changed after the stop was refused 2 times"), "{said}");
    assert_eq!(world.types(&["status"]).stdout.matches("NEEDS YOU").count(), 1);
    agent.hears("go on");
    assert!(refused(&agent).contains("expected good"), "a person spoke");
}

#[test]
fn one_byte_after_done_makes_the_receipt_stale() {
    let world = World::trusted(GUARD);
    let agent = world.agent("a");
    agent.begins();
    agent.writes("code.txt", "good\n").unwrap();
    assert_eq!(free(&agent), "");
    assert!(!world.person(&["status"]).contains("other files"));
    world.env.write("code.txt", "good\n\n");
    let status = world.person(&["status"]);
    assert!(status.contains("sh test.sh: passed on other files than there are now"), "{status}");
}

#[test]
fn a_gate_that_takes_longer_than_the_host_allows_spends_nothing() {
    let world = World::trusted("wait: 1s\nguard:\n  gates:\n    - run: sh test.sh\n");
    let agent = world.agent("a");
    agent.begins();
    // The test waits for a file, which determines how long it takes.
    agent.writes("code.txt", "bad\n").unwrap();
    world.env.write("test.sh", format!("while ! test -e ../go; do sleep 0.05; done\n{TEST}"));
    let said = free(&agent);
    assert!(said.contains("`sh test.sh` still runs"), "{said}");
    world.env.write("../go", "");
    // The receipt arrives even though the stop is over; then the next stop is refused as the first.
    let receipts = || {
        let files = world.env.files();
        files.into_iter().filter(|file| file.contains("/receipts/")).count()
    };
    world.env.wait_until("a receipt", || receipts() > 0);
    let why = refused(&agent);
    assert!(why.ends_with("Retry 1 of 3. Fix this, then stop again."), "{why}");
}

#[test]
fn a_cloned_repository_runs_nothing() {
    let world = World::new(GUARD);
    world.env.write("test.sh", "touch ../ran\n");
    let agent = world.agent("a");
    agent.begins();
    agent.writes("code.txt", "bad\n").unwrap();
    let said = free(&agent);
    assert!(said.contains("`sh test.sh` is not yet allowed to run here"), "{said}");
    assert_eq!(world.env.read("../ran"), None);
    let status = world.person(&["status"]);
    assert!(status.contains("`sh test.sh` is not yet allowed to run here"), "{status}");
}

#[test]
fn a_workflow_is_driven_from_its_first_phase_to_its_end() {
    let world = World::new("");
    let phase = |id: &str, more: &str| {
        format!("---\nid: {id}\nname: {id}\nemoji: 🔨\n{more}---\nDo {id} for {{description}}.\n")
    };
    let folder = ".sprag/workflows/feature";
    world.env.write(
        format!("{folder}/workflow.yaml"),
        "name: Feature\ncommandName: feature\ninitialMessage: Begin.\n\
         phases: [plan.md, build.md, ship.md]\n",
    );
    world.env.write(format!("{folder}/plan.md"), phase("plan", "tools: {blacklist: ['@edit']}\n"));
    world.env.write(format!("{folder}/build.md"), phase("build", "gates: [{run: sh test.sh}]\n"));
    world.env.write(format!("{folder}/ship.md"), phase("ship", "gates: [{human: may it ship?}]\n"));
    let agent = world.agent("a");
    agent.begins();
    let started = agent.runs("sprag start feature 'csv export'").unwrap();
    assert!(started.stdout.contains("Do plan for csv export."), "{}", started.stdout);
    assert!(agent.hears("go").contains("[Workflow path: Feature ▸ 🔨 plan]"));
    let denied = agent.writes("code.txt", "bad\n").unwrap_err().0;
    assert!(denied.contains("is blocked during the plan phase"), "{denied}");
    assert!(refused(&agent).contains("You must NOT stop yet"));
    let next = agent.runs("sprag step next --summary 'a plan'").unwrap();
    assert!(next.stdout.starts_with("✓ Advanced: plan → 🔨 build"), "{}", next.stdout);
    agent.writes("code.txt", "bad\n").unwrap();
    assert!(free(&agent).contains("not yet allowed"), "a person is asked before it runs");
    world.person(&["approve"]);
    assert!(refused(&agent).contains("expected good"));
    let failed = agent.runs("sprag step next").unwrap();
    assert_eq!(failed.exit, Some(1), "{}", failed.stdout);
    agent.writes("code.txt", "good\n").unwrap();
    let next = agent.runs("sprag step next").unwrap();
    assert!(next.stdout.starts_with("✓ Advanced: build → 🔨 ship"), "{}", next.stdout);
    let held = agent.runs("sprag step next").unwrap();
    assert_eq!((held.exit, held.stdout.as_str()), (Some(3), "Held: asks: may it ship?\n"));
    assert!(free(&agent).contains("may it ship?"));
    let said = world.person(&["approve"]);
    assert!(said.contains("✅ **Feature Complete**"), "{said}");
    assert_eq!(free(&agent), "");
    assert!(agent.runs("sprag step status").unwrap().stderr.contains("No active workflow"));
}

#[test]
fn a_person_waives_a_gate_and_that_is_never_proven() {
    let world = World::trusted(GUARD);
    let agent = world.agent("a");
    agent.begins();
    agent.writes("code.txt", "bad\n").unwrap();
    refused(&agent);
    let said = world.person(&["approve", "sh test.sh", "--waive", "known to be broken"]);
    assert!(said.contains("`sh test.sh` is waived, not proven"), "{said}");
    assert_eq!(free(&agent), "");
    let log = world.person(&["log", "-n", "50"]);
    assert!(log.contains("how=waived") && !log.contains("how=passed"), "{log}");
    agent.writes("code.txt", "worse\n").unwrap();
    assert!(refused(&agent).contains("expected good"), "it was waived for other files");
    let report = world.person(&["report"]);
    assert!(report.contains("Unproven   fails: sh test.sh"), "{report}");
    let missing = world.types(&["approve", "no such gate", "--waive", "why"]);
    assert_eq!(missing.exit, Some(4), "{}", missing.stderr);
}

#[test]
fn one_that_goes_to_another_folder_is_still_the_project_s() {
    let world = World::trusted(GUARD);
    world.env.write("vendored/.git/HEAD", "ref: refs/heads/main\n");
    let agent = world.agent("a");
    agent.begins();
    agent.writes("code.txt", "bad\n").unwrap();
    let agent = agent.goes_to("vendored");
    assert!(refused(&agent).contains("expected good"));
}
