use sprag_core::{Check, DocPath, Gate, GateSpec, Verdict};
use sprag_store::{Edit, Place};
use sprag_testkit::TestEnv;

use super::*;
use crate::receipt::GateOrigin;

/// Passes only while the store is not locked.
const GATE: [&str; 4] = ["flock", "--nonblock", ".sprag/lock", "true"];

/// A project in which one command may run.
struct JudgedProject {
    env: TestEnv,
    place: Place,
    variables: Vec<(std::ffi::OsString, std::ffi::OsString)>,
}

impl JudgedProject {
    fn new() -> Self {
        let env = TestEnv::new();
        env.write(".sprag/config.yaml", "");
        let place = Place::of(env.project());
        let state = env.home().join("state");
        let path = "/usr/local/bin:/usr/bin:/bin".into();
        let variables =
            vec![("PATH".into(), path), ("XDG_STATE_HOME".into(), state.clone().into_os_string())];
        let digest = sprag_world::trust::digest(&GATE.map(str::to_owned), "", &[]);
        sprag_world::trust::approve(&state.join("sprag"), &place, &[digest]).unwrap();
        Self { env, place, variables }
    }

    fn engine(&self) -> Engine<'_> {
        Engine::open(&self.place, &self.variables).unwrap()
    }

    /// Requests the gate.
    fn gate<T>() -> Progress<T> {
        let asked =
            GateOrigin { run: RunId::parse("r-test").unwrap(), phase: None, definition: None };
        let check = Check::Run { argv: GATE.map(str::to_owned).to_vec() };
        let gate = Gate { name: Name::parse("gate").unwrap(), check };
        let spec = GateSpec { gate, timeout: None, protect: Vec::new() };
        Progress::needs(&Config::default(), vec![Wanted { asked, spec }], Vec::new())
    }

    fn note(tx: &mut Tx<'_>) {
        let doc = DocPath::parse(".sprag/note.md").unwrap();
        tx.edit(Edit::Write { doc, text: "decided\n".to_owned() });
    }

    fn has_note(&self) -> bool {
        self.env.project().join(".sprag/note.md").exists()
    }
}

#[test]
fn a_decision_that_never_ends_is_given_up() {
    let (world, mut rounds) = (JudgedProject::new(), 0);
    let engine = world.engine();
    let settled = engine.settle("test", Within::Caller, &mut |_: &mut Tx<'_>, _: &Known| {
        rounds += 1;
        Ok(Progress::<()>::Again)
    });
    assert!(matches!(settled, Err(EngineError::Restless)), "{settled:?}");
    assert_eq!(rounds, ROUNDS);
    rounds = 0;
    let settled = engine.settle("test", Within::Caller, &mut |_: &mut Tx<'_>, _: &Known| {
        rounds += 1;
        Ok(JudgedProject::gate::<()>())
    });
    assert!(matches!(settled, Err(EngineError::Restless)), "{settled:?}");
    assert_eq!(rounds, ROUNDS);
}

#[test]
fn nothing_is_written_before_everything_is_known() {
    let world = JudgedProject::new();
    let engine = world.engine();
    let decided = engine.settle("test", Within::Caller, &mut |tx: &mut Tx<'_>, known: &Known| {
        JudgedProject::note(tx);
        if !known.is_evaluated() {
            return Ok(JudgedProject::gate());
        }
        assert!(!world.has_note(), "the first round wrote something");
        tx.receipts(known, |_| true)?;
        Ok(Progress::Done(known.is_fresh("gate")))
    });
    assert!(decided.unwrap());
    assert!(world.has_note());
    let lines = engine.store.history().unwrap().map(Result::unwrap);
    let ours = lines.filter(|line| line.actor == "test").count();
    assert_eq!(ours, 1, "a decision is one commit");
}

#[test]
fn a_look_leaves_the_receipts_and_nothing_else() {
    let world = JudgedProject::new();
    let engine = world.engine();
    let looked = engine.settle("test", Within::Caller, &mut |tx: &mut Tx<'_>, known: &Known| {
        JudgedProject::note(tx);
        let found = known.evidence.iter().map(|one| one.record.id.clone()).collect::<Vec<_>>();
        Ok(if found.is_empty() { JudgedProject::gate() } else { Progress::Looked(found) })
    });
    let [receipt] = &looked.unwrap()[..] else { panic!("one gate leaves one receipt") };
    let receipts = world.env.project().join(".sprag/runs/r-test/receipts");
    assert!(receipts.join(format!("{receipt}.json")).exists());
    assert!(!world.has_note());
}

#[test]
fn no_gate_runs_while_the_store_is_locked() {
    let world = JudgedProject::new();
    let engine = world.engine();
    for within in [Within::Host { at_work: false }, Within::Host { at_work: true }] {
        let settled = engine.settle("test", within, &mut |tx: &mut Tx<'_>, known: &Known| {
            let verdict = known.evidence.last().map(|one| one.record.receipt().unwrap().verdict);
            JudgedProject::note(tx);
            Ok(verdict.map_or_else(JudgedProject::gate, Progress::Done))
        });
        assert_eq!(settled.unwrap(), Verdict::Pass, "{within:?}");
    }
    // The same command fails while the lock is held.
    let held = engine.store.commit_at_once(PATIENT, |_| -> Result<_, EngineError> {
        let mut known = Known::default();
        let lock = GateLock::default();
        let mut turn = None;
        lock.enter(&engine, &mut turn, clock::now())?;
        let Progress::Needs(needs) = JudgedProject::gate::<()>() else { panic!() };
        let due = Within::Caller.due(clock::now(), &needs);
        engine.evaluate(&needs, due, Now::new(&engine), &turn.unwrap(), &mut known)?;
        assert_eq!(known.evidence[0].record.receipt().unwrap().verdict, Verdict::Fail);
        Err(EngineError::Restless)
    });
    held.unwrap_err();
}

#[test]
fn the_files_are_looked_at_only_where_the_facts_are_asked_for() {
    let world = JudgedProject::new();
    world.env.write(".git", "gitdir: nowhere\n");
    let engine = world.engine();
    let now = Now::new(&engine);
    let noted = engine.transact("test", &now, |tx| {
        JudgedProject::note(tx);
        Ok(())
    });
    noted.unwrap();
    assert!(world.has_note());
    let facts = engine.transact("test", &now, |tx| Ok(tx.facts()?.tree));
    assert!(matches!(facts, Err(EngineError::Tree(_))), "{facts:?}");
}
