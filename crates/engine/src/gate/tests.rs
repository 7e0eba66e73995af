//! Gates over real folders, files and processes.

use std::path::PathBuf;

use sprag_core::{Gate, Name, RunId};
use sprag_formats::Config;
use sprag_store::StoreError;
use sprag_testkit::TestEnv;
use sprag_world::trust::Belongs;

use super::*;

/// A repository with gates, and a person who approved some of them.
struct GatedProject {
    env: TestEnv,
    checks: Checks,
}

impl GatedProject {
    fn new() -> Self {
        let env = TestEnv::new();
        env.git(&["init", "-q"]);
        env.write("src/a.rs", "fn a() {}\n");
        env.write(".sprag/config.yaml", "v: 1\n");
        Self { env, checks: Checks::Ask }
    }

    fn trust(&self) -> PathBuf {
        self.env.home().join("sprag")
    }

    fn place(&self) -> Place {
        Place::of(self.env.project())
    }

    fn approve(&self, check: &Check) {
        let digests: Vec<Hash> =
            commands(check).iter().map(|argv| trust::digest(argv, "", &[])).collect();
        trust::approve(&self.trust(), &self.place(), &digests).unwrap();
    }

    fn outcome(&self, spec: &GateSpec) -> Evaluated {
        let path = std::env::vars_os().find(|(name, _)| name == "PATH");
        let secret = [("API_TOKEN", "hush"), ("PLAIN", "seen")];
        let secret = secret.map(|(name, value)| (name.into(), value.into()));
        let environment: Vec<_> = path.into_iter().chain(secret).collect();
        let place = self.place();
        let deed = Belongs::of(&place, Some(&self.trust())).deed().unwrap_or_default();
        let bench = GateRunner {
            place: &place,
            environment: &environment,
            deed: &deed,
            checks: self.checks,
            stop: None,
        };
        let asked =
            GateOrigin { run: RunId::parse("r-7k2m").unwrap(), phase: None, definition: None };
        let mut tree = Tree::take(&place, &environment).unwrap();
        bench.evaluate(spec, &asked, &ids::receipt().unwrap(), &mut tree).unwrap()
    }

    /// Approves and evaluates a gate, which must be decided.
    #[track_caller]
    fn all(&self, gate: &str) -> Vec<Evidence> {
        let spec = spec(gate);
        if !commands(&spec.gate.check).is_empty() {
            self.approve(&spec.gate.check);
        }
        match self.outcome(&spec) {
            Evaluated::Decided(all) => all,
            other @ (Evaluated::Person { .. } | Evaluated::Untrusted { .. }) => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn says(&self, gate: &str) -> (String, String) {
        let evidence = self.all(gate).pop().unwrap();
        (evidence.record.verdict.as_str().to_owned(), evidence.record.why)
    }
}

/// Parses one gate in the form of `config.yaml`.
fn spec(gate: &str) -> GateSpec {
    let text = format!("guard: {{gates: [{gate}]}}");
    let (config, notes) = Config::read(&text, &sprag_hosts::names()).unwrap();
    assert_eq!(notes, []);
    config.guard.unwrap().gates.pop().unwrap()
}

fn verdict(word: &str, why: &str) -> (String, String) {
    (word.to_owned(), why.to_owned())
}

#[test]
fn a_command_passes_by_its_exit_code_and_leaves_its_output() {
    let world = GatedProject::new();
    let all = world.all("{run: [sh, -c, 'echo fine'], name: tests}");
    let [evidence] = all.as_slice() else { panic!("{all:?}") };
    let record = &evidence.record;
    assert_eq!((record.verdict.as_str(), record.exit), ("pass", Some(0)));
    assert_eq!((record.gate.as_str(), record.kind.as_str()), ("tests", "run"));
    assert_eq!((record.tail.as_str(), evidence.output.as_str()), ("fine\n", "fine\n"));
    assert!(record.output.as_ref().unwrap().as_str().starts_with(".sprag/runs/r-7k2m/output/g-"));
    assert_eq!(record.argv.as_ref().unwrap()[2], "echo fine");
    let failed = world.all("{run: [sh, -c, 'echo no; exit 3']}").pop().unwrap().record;
    assert_eq!((failed.verdict.as_str(), failed.exit), ("fail", Some(3)));
    assert_eq!(failed.tree, record.tree);
}

#[test]
fn what_could_not_run_is_unknown() {
    let world = GatedProject::new();
    let missing = "the program `no-such-program` was not found";
    assert_eq!(world.says("{run: no-such-program}"), verdict("unknown", missing));
    let slow = "it took longer than 0.2 s and was ended";
    assert_eq!(world.says("{run: sleep 60, timeout: 200ms}"), verdict("unknown", slow));
    let killed = world.says("{run: [sh, -c, 'kill -9 $$']}");
    assert_eq!(killed, verdict("unknown", "signal 9 ended it from outside"));
    let died = world.says("{run: [sh, -c, 'kill -SEGV $$']}");
    assert_eq!(died, verdict("fail", "it died of signal 11"));
}

#[test]
fn nothing_runs_that_a_person_did_not_approve() {
    let mut world = GatedProject::new();
    let gate = spec("{any: [{file: src/a.rs}, {run: [sh, -c, 'touch ran']}]}");
    let Evaluated::Untrusted { what } = world.outcome(&gate) else { panic!() };
    assert_eq!(what, "sh -c 'touch ran'".into());
    world.approve(&spec("{run: [sh, -c, 'touch other']}").gate.check);
    assert!(matches!(world.outcome(&gate), Evaluated::Untrusted { .. }), "another command");
    world.checks = Checks::Allow;
    assert!(matches!(world.outcome(&gate), Evaluated::Untrusted { .. }), "its own word");
    world.approve(&gate.gate.check);
    assert!(matches!(world.outcome(&gate), Evaluated::Decided(_)));
    world.checks = Checks::Never;
    assert!(matches!(world.outcome(&gate), Evaluated::Untrusted { .. }), "never is never");
    assert_eq!(world.env.read("ran"), None);
}

#[test]
fn a_command_sees_no_secret_and_knows_its_effect() {
    let world = GatedProject::new();
    let evidence = world.all("{run: [sh, -c, 'echo $API_TOKEN$PLAIN $SPRAG_EFFECT']}").remove(0);
    assert_eq!(evidence.output, format!("seen {}\n", evidence.record.id));
}

#[test]
fn files_that_change_meanwhile_make_it_void_then_unknown() {
    let world = GatedProject::new();
    let all = world.all("{run: [sh, -c, 'date +%N >> log; echo x > once']}");
    let words: Vec<_> = all.iter().map(|one| one.record.verdict.as_str()).collect();
    assert_eq!(words, ["void", "unknown"]);
    assert_eq!(all[0].record.why, "`log`, `once` changed while it ran");
    let why = "`log` changed while it ran, twice; if it writes them, let git ignore them \
               (`.gitignore`) or do not let it; nobody else may change them then";
    assert_eq!(all[1].record.why, why);
    let slow = world.all("{run: [sh, -c, 'date +%N > log; sleep 60'], timeout: 200ms}");
    assert_eq!((slow.len(), slow[0].record.verdict.as_str()), (1, "unknown"), "not tried again");
    let once = world.all("{run: [sh, -c, 'test -e made || echo made > made']}");
    let words: Vec<_> = once.iter().map(|one| one.record.verdict.as_str()).collect();
    assert_eq!(words, ["void", "pass"]);
    assert_ne!(once[0].record.id, once[1].record.id);
}

#[test]
fn files_and_contents_are_looked_at_without_leaving_the_project() {
    let world = GatedProject::new();
    world.env.write("docs/notes.md", b"csv \xff and more");
    world.env.link("/etc", "etc");
    world.env.link("src/a.rs", "link.rs");
    assert!(world.env.command("mkfifo").arg("pipe").status().unwrap().success());
    let pass = || verdict("pass", "");
    let fail = |why: &str| verdict("fail", why);
    assert_eq!(world.says("{file: docs/notes.md}"), pass());
    assert_eq!(world.says("{content: {path: docs/notes.md, has: and}}"), pass());
    let none = "`docs/notes.md` does not hold \"json\"";
    assert_eq!(world.says("{content: {path: docs/notes.md, has: json}}"), fail(none));
    assert_eq!(world.says("{file: docs}"), fail("`docs` is not a file"));
    assert_eq!(world.says("{file: pipe}"), fail("`pipe` is not a file"));
    assert_eq!(world.says("{file: no/file}"), fail("`no/file` is not there"));
    assert_eq!(world.says("{file: src/a.rs/x}"), fail("`src/a.rs/x` is not there"));
    for gate in
        ["{file: etc/passwd}", "{file: link.rs}", "{content: {path: etc/passwd, has: root}}"]
    {
        let (found, why) = world.says(gate);
        assert!(found == "fail" && why.ends_with("and those are not followed"), "{gate}: {why}");
    }
}

#[test]
fn all_and_any_weigh_what_is_in_them() {
    let world = GatedProject::new();
    let (yes, no) = ("{run: 'true'}", "{run: [sh, -c, 'echo bad; exit 2']}");
    let (odd, me) = ("{run: no-such-program}", "{human: look}");
    for (gate, expected) in [
        (format!("{{all: [{yes}, {yes}]}}"), "pass"),
        (format!("{{all: [{odd}, {no}]}}"), "fail"),
        (format!("{{all: [{yes}, {odd}]}}"), "unknown"),
        (format!("{{all: [{me}, {no}]}}"), "fail"),
        (format!("{{any: [{no}, {yes}]}}"), "pass"),
        (format!("{{any: [{odd}, {yes}]}}"), "pass"),
        (format!("{{any: [{no}, {no}]}}"), "fail"),
        (format!("{{any: [{no}, {odd}]}}"), "unknown"),
        (format!("{{any: [{me}, {yes}]}}"), "pass"),
    ] {
        assert_eq!(world.says(&gate).0, expected, "{gate}");
    }
    // If only the person can decide it, the person is asked.
    for gate in [format!("{{all: [{me}, {yes}]}}"), format!("{{any: [{me}, {no}]}}")] {
        let spec = spec(&gate);
        world.approve(&spec.gate.check);
        assert!(matches!(world.outcome(&spec), Evaluated::Person { what } if what == "look"));
    }
    let evidence = world.all(&format!("{{all: [{yes}, {no}]}}")).remove(0);
    assert_eq!((evidence.output.as_str(), evidence.record.exit), ("── run\nbad\n", Some(2)));
    let human = spec("{human: approve the plan}");
    assert!(
        matches!(world.outcome(&human), Evaluated::Person { what } if what == "approve the plan")
    );
}

#[test]
fn protected_files_have_a_fingerprint_and_a_change_of_them_a_name() {
    let world = GatedProject::new();
    world.env.write("tests/one.rs", "assert!(true)");
    let gate = "{run: 'true', protect: ['tests/**']}";
    let globs = spec(gate).protect;
    let take = || Tree::take(&world.place(), &[]).unwrap();
    let before = protect::files(&world.place().root, &take(), &globs);
    let first = world.all(gate).remove(0).record.protect;
    world.env.write("src/a.rs", "changed");
    assert_eq!(world.all(gate).remove(0).record.protect, first);
    world.env.write("tests/one.rs", "");
    world.env.write("tests/two.rs", "");
    assert_ne!(world.all(gate).remove(0).record.protect, first);
    let after = protect::files(&world.place().root, &take(), &globs);
    assert_eq!(protect::changed(&before, &after), ["tests/one.rs", "tests/two.rs"]);
    assert_eq!(world.all("{run: 'true'}").remove(0).record.protect, None);
}

#[test]
fn gates_of_one_folder_take_turns() {
    let world = GatedProject::new();
    let room = room(&world.place()).unwrap();
    let turn = room.turn(Duration::ZERO).unwrap();
    let again = super::room(&world.place()).unwrap();
    assert!(matches!(again.turn(Duration::ZERO), Err(StoreError::Busy { .. })));
    // An evaluation meanwhile still writes the tree's table.
    assert_eq!(world.says("{file: src/a.rs}").0, "pass");
    assert!(world.env.read(".sprag/cache/tree").is_some());
    drop(turn);
    assert!(again.turn(Duration::from_secs(5)).is_ok());
}

#[test]
fn a_gate_of_a_plain_value_is_evaluated_too() {
    let world = GatedProject::new();
    let check = Check::All { of: vec![] };
    let gate = Gate { name: Name::literal("empty"), check };
    let spec = GateSpec { gate, timeout: None, protect: vec![] };
    let Evaluated::Decided(all) = world.outcome(&spec) else { panic!() };
    assert_eq!(all[0].record.verdict, Verdict::Unknown, "nothing proves nothing");
}
