//! `sprag run` of a workflow with a reviewed phase: scripted workers and reviewers, real processes.

use sprag_testkit::TestEnv;

use crate::support::SPRAG;

const BUILD: &str = "---\nid: build\nname: Build\nemoji: 🔨\ngates:\n  - run: grep -q good code.txt\n\
                     review: { reviewer: reviewer, max_rounds: 2, level: important }\n---\nBuild.\n";
const SHIP: &str =
    "---\nid: ship\nname: Ship\nemoji: 🚢\ngates:\n  - file: code.txt\n---\nShip it.\n";

/// Records its prompts, and works each time.
const WORKER: &str = "#!/bin/sh\ncat >> $0.heard\necho x >> $0.n\necho good >> code.txt\n\
                      echo worked $(wc -l < $0.n)\n";
/// Records its prompts, and runs the script of its turn.
const REVIEWER: &str = "#!/bin/sh\ncat >> $0.heard\necho x >> $0.n\n\
                        . $0.$(($(wc -l < $0.n)))\n";

const PASS: &str = "echo 'VERDICT: pass'\n";

/// A repository with such a workflow, and its agents.
struct World(TestEnv);

impl World {
    /// Creates a world; each of the reviewer's turns is a script.
    fn new(reviews: &[&str]) -> Self {
        let env = TestEnv::new();
        env.git(&["init", "-q", "-b", "main"]);
        env.write("code.txt", "start\n");
        let workflow = "name: Dev\ncommandName: dev\ninitialMessage: 'Begin {description}'\n\
                        phases: [build.md, ship.md]\n";
        env.write(".sprag/workflows/dev/workflow.yaml", workflow);
        env.write(".sprag/workflows/dev/build.md", BUILD);
        env.write(".sprag/workflows/dev/ship.md", SHIP);
        env.git(&["add", "-A"]);
        env.git(&["commit", "-qm", "one"]);
        let world = Self(env);
        world.0.write(world.agent("worker"), WORKER);
        world.0.write(world.agent("reviewer"), REVIEWER);
        for (at, text) in (1..).zip(reviews) {
            world.0.write(world.agent(&format!("reviewer.{at}")), text);
        }
        let both = [world.agent("worker"), world.agent("reviewer")];
        assert!(world.0.command("chmod").arg("+x").args(both).status().unwrap().success());
        world
    }

    fn agent(&self, name: &str) -> String {
        self.0.top().join("agents").join(name).display().to_string()
    }

    fn heard(&self, name: &str) -> String {
        self.0.read(self.agent(&format!("{name}.heard"))).unwrap_or_default()
    }

    fn sprag(&self, arguments: &[&str]) -> (String, Option<i32>) {
        let mut command = self.0.command(SPRAG);
        command.env_remove("SPRAG_TEST_NOW").env_remove("SPRAG_TEST_IDS");
        let output = command.args(arguments).output().unwrap();
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (said.concat(), output.status.code())
    }

    fn run(&self) -> (String, Option<i32>) {
        let (worker, reviewer) = (self.agent("worker"), self.agent("reviewer"));
        self.sprag(&["run", "dev", "csv", "--yes", "--host", &worker, "--or", &reviewer])
    }

    /// Returns the name of the only run.
    fn id(&self) -> String {
        let (log, _) = self.sprag(&["log", "--json"]);
        let at = log.find("\"r-").unwrap();
        log[at + 1..].split('"').next().unwrap().to_owned()
    }
}

/// Joins wrapped text into one line.
fn flat(said: &str) -> String {
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_phase_is_reviewed_fixed_and_reviewed_again() {
    let found = "echo 'VERDICT: issues'; echo '- [important] code.txt:1: too good. Fix: less'\n";
    let world = World::new(&[found, PASS]);
    let head = world.0.git(&["rev-parse", "HEAD"]);
    let (said, exit) = world.run();
    assert_eq!(exit, Some(0), "{said}");
    for line in [
        "Entered dev/build  worker",
        "Entered dev/build review 1  reviewer",
        "Reviewed dev/build review 1  1 finding",
        "Finding [important] code.txt:1: too good",
        "Entered dev/build fix 1  worker",
        "Entered dev/build review 2  reviewer",
        "Reviewed dev/build review 2  0 findings",
        "Entered dev/ship  worker",
    ] {
        assert!(said.contains(line), "{line}:\n{said}");
    }
    let told = world.heard("reviewer");
    assert!(told.contains(&format!("git diff {}", head.trim())), "{told}");
    assert!(
        told.contains("- open [important] code.txt:1: too good. Fix: less"),
        "the ledger: {told}"
    );
    let told = world.heard("worker");
    assert!(told.contains("1. - open [important] code.txt:1: too good. Fix: less"), "{told}");
    assert_eq!(world.0.read(world.agent("worker.n")).unwrap().lines().count(), 3);
    let (log, _) = world.sprag(&["log", "--json"]);
    assert_eq!(log.matches("\"review.ended\"").count(), 2, "{log}");
    let (report, _) = world.sprag(&["report"]);
    for line in [
        "build, review 1: issues, 1 finding open",
        "[important] code.txt:1: too good. Fix: less",
        "build, review 2: pass, 0 findings open",
    ] {
        assert!(report.contains(line), "{line}:\n{report}");
    }
}

#[test]
fn a_finding_that_the_agent_refused_is_told_with_the_reason_and_proves_nothing() {
    let found = "echo 'VERDICT: issues'; echo '- [critical] code.txt:1: not safe. Fix: bind it'\n";
    let world = World::new(&[found, PASS]);
    let worker = format!("{WORKER}echo 'REFUSE 1: the reviewer is wrong'\n");
    world.0.write(world.agent("worker"), &worker);
    let (said, exit) = world.run();
    assert_eq!(exit, Some(0), "{said}");
    let refused = "[critical] code.txt:1: not safe; refused by the agent: the reviewer is wrong";
    let line = format!("Claimed dev/build fix 1 1 claim without proof: {refused}");
    assert!(flat(&said).contains(&line), "{said}");
    assert!(flat(&said).contains("refused findings: [critical] code.txt:1: not safe"), "{said}");
    let (report, _) = world.sprag(&["report"]);
    assert!(
        flat(&report).contains(&format!("review 2: pass, 0 findings open {refused}")),
        "{report}"
    );
    assert!(report.contains("refused findings: "), "{report}");
    assert!(!report.contains(", and proven on"), "{report}");
    let (page, _) = world.sprag(&["report", "--html", "-"]);
    assert!(page.contains(refused), "{page}");
    let (object, _) = world.sprag(&["report", "--json"]);
    assert!(object.contains(refused), "{object}");
}

/// A host that meets a usage limit of two seconds in its first turn, and then works.
const CLAUDE: &str = r#"#!/bin/sh
cat > /dev/null
echo '{"type":"system","session_id":"s"}'
if mkdir "$0.limit" 2> /dev/null; then
  echo '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":'$(($(date +%s) + 2))',"rateLimitType":"five_hour"}}'
  exit 1
fi
echo good >> code.txt
echo '{"type":"result","subtype":"success","result":"ok","session_id":"s"}'
"#;

#[test]
fn whoever_reviews_a_phase_does_not_build_it_while_the_worker_is_limited() {
    let mut world = World::new(&[PASS]);
    let claude = world.agent("claude");
    world.0.write(&claude, CLAUDE);
    assert!(world.0.command("chmod").args(["+x", &claude]).status().unwrap().success());
    let bin = world.0.top().join("agents");
    world.0.set("PATH", &format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display()));
    let reviewer = world.agent("reviewer");
    let words = ["run", "dev", "csv", "--yes", "--host", "claude", "--or", &reviewer];
    let (said, exit) = world.sprag(&words);
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("Limited claude"), "{said}");
    assert!(said.contains("Entered dev/build review 1  reviewer"), "{said}");
    assert!(!said.contains("Entered dev/build  reviewer"), "it built what it reviewed: {said}");
    // Its only turn was the review.
    assert_eq!(world.0.read(world.agent("reviewer.n")).unwrap().lines().count(), 1, "{said}");
}

#[test]
fn a_review_by_the_host_that_wrote_it_is_marked_in_every_report() {
    const MARK: &str = "build, review 1 by the host that wrote it: pass, 0 findings open";
    let work = "echo good >> code.txt\n";
    let world = World::new(&[work, PASS, work]);
    let reviewer = world.agent("reviewer");
    let (said, exit) = world.sprag(&["run", "dev", "csv", "--yes", "--host", &reviewer]);
    assert_eq!(exit, Some(0), "{said}");
    for words in [&["report"][..], &["report", "--html", "-"]] {
        let (report, _) = world.sprag(words);
        assert!(report.contains(MARK), "{report}");
    }
    let (report, _) = world.sprag(&["report", "--json"]);
    assert!(report.replace(' ', "").contains("\"by_writer\":true"), "{report}");

    let world = World::new(&[PASS]);
    assert_eq!(world.run().1, Some(0));
    let (report, _) = world.sprag(&["report"]);
    assert!(!report.contains("that wrote it"), "{report}");
    let (report, _) = world.sprag(&["report", "--json"]);
    assert!(report.replace(' ', "").contains("\"by_writer\":false"), "{report}");
}

#[test]
fn rounds_that_are_used_up_hold_and_a_person_accepts() {
    let issue = |what: &str| format!("echo 'VERDICT: issues'; echo '- [critical] {what}'\n");
    let world = World::new(&[&issue("one"), &issue("another")]);
    let (said, exit) = world.run();
    assert_eq!(exit, Some(5), "{said}");
    assert!(said.contains("gave up after 2 review rounds"), "{said}");
    let id = world.id();
    let (said, exit) = world.sprag(&["approve", &id]);
    assert!(exit == Some(0) && said.contains("accepted as it is"), "{said}");
    let (said, exit) = world.sprag(&["resume", &id]);
    assert!(exit == Some(0) && said.contains("Entered dev/ship"), "{said}");
    // The shipping agent changes the file as well, so the build's gate passed on other files.
    let unproven = "passed on other files: build/grep -q good code.txt; accepted by a person: \
                    build review 2";
    let summary = said.replace("\n             ", " ");
    assert!(summary.contains(&format!("Unproven {unproven}\n")), "{said}");
    assert!(summary.contains("3 gates passed\n"), "{said}");
    let (report, _) = world.sprag(&["report", "--json"]);
    for part in unproven.split("; ") {
        assert!(report.contains(&format!("\"{part}\"")), "{report}");
    }
    assert!(!report.contains("only claimed"), "a review with findings claims nothing: {report}");
}

#[test]
fn a_review_that_says_nothing_or_changes_files_does_not_count() {
    let world = World::new(&["echo fine\n", "echo x > new.txt\necho 'VERDICT: pass'\n", PASS]);
    let (said, exit) = world.run();
    assert_eq!(exit, Some(3), "{said}");
    assert!(said.contains("review 1  does not count: there is no line `VERDICT"), "{said}");
    assert!(flat(&said).contains("does not count, twice: the reviewer changed files"), "{said}");
    assert_eq!(said.matches("Entered dev/build  worker").count(), 1, "{said}");
    assert!(said.ends_with(&format!("Next sprag resume {}\n", world.id())), "{said}");
    // A person resumes it: the gate results were for other files, so the gates run again.
    let (said, exit) = world.sprag(&["resume", &world.id()]);
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("Reviewed dev/build review 1  0 findings"), "{said}");
    // They pass, so no agent works on the phase again, and no line claims that one does.
    assert!(said.contains("Judging dev/build  as it is") && said.contains("Entered dev/ship"));
    assert!(!said.contains("Entered dev/build  worker"), "{said}");
    assert_eq!(world.0.read(world.agent("worker.n")).unwrap().lines().count(), 2, "{said}");
}

#[test]
fn a_reviewer_that_is_not_here_holds_the_phase() {
    let world = World::new(&[PASS]);
    let worker = world.agent("worker");
    let (said, exit) = world.sprag(&["run", "dev", "csv", "--yes", "--host", &worker]);
    assert_eq!(exit, Some(3), "{said}");
    assert!(flat(&said).contains("only `reviewer` may review this, and it is not here"), "{said}");
    assert!(said.ends_with(&format!("Next sprag resume {}\n", world.id())), "{said}");
    let reviewer = world.agent("reviewer");
    let id = world.id();
    assert_eq!(world.sprag(&["resume", &id]).1, Some(3), "it is still not here");
    let again = ["run", &id, "--yes", "--host", &worker, "--or", &reviewer];
    world.sprag(&["approve", &id]);
    let (said, exit) = world.sprag(&again);
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("Entered dev/ship"), "{said}");
}
