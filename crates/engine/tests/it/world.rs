use std::ffi::OsString;

use sprag_core::{Call, RunId, SessionId};
use sprag_engine::attach::HookEnv;
use sprag_engine::engine::Engine;
use sprag_engine::hooks::{Beginning, ToolUse};
use sprag_engine::stop::{StopAnswer, Stopping};
use sprag_store::Place;
use sprag_testkit::TestEnv;
use sprag_world::trust;

/// A project with sessions in it.
pub(crate) struct World {
    pub(crate) env: TestEnv,
    pub(crate) place: Place,
    variables: Vec<(OsString, OsString)>,
}

pub(crate) fn session(name: &str) -> SessionId {
    SessionId::parse(&format!("claude-{name}")).unwrap()
}

impl World {
    /// Creates a project whose guard runs `sh test.sh`, approved by a person.
    pub(crate) fn guarded() -> Self {
        let world = Self::new("guard:\n  gates:\n    - run: sh test.sh\n");
        world.trust(&["sh", "test.sh"]);
        world
    }

    pub(crate) fn new(config: &str) -> Self {
        let env = TestEnv::new();
        env.write(".sprag/config.yaml", config);
        env.write("test.sh", "grep -q good code.txt || { echo 'code.txt: not good'; exit 1; }\n");
        env.write("code.txt", "start\n");
        Self::in_env(env)
    }

    /// Opens a world that another process made.
    pub(crate) fn at(top: &std::path::Path) -> Self {
        Self::in_env(TestEnv::visit(top))
    }

    pub(crate) fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }

    fn in_env(env: TestEnv) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let variables = vec![
            ("PATH".into(), path),
            ("HOME".into(), env.home().into_os_string()),
            ("XDG_STATE_HOME".into(), env.home().join("state").into_os_string()),
        ];
        let place = Place::of(env.project());
        Self { env, place, variables }
    }

    pub(crate) fn trust(&self, argv: &[&str]) {
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
        let folder = self.env.home().join("state/sprag");
        trust::approve(&folder, &self.place, &[trust::digest(&argv, "", &[])]).unwrap();
    }

    pub(crate) fn engine(&self) -> Engine<'_> {
        Engine::open(&self.place, &self.variables).unwrap()
    }

    pub(crate) fn begins(&self, name: &str) -> Option<String> {
        let engine = self.engine();
        let told = engine
            .session_begins(&session(name), Beginning::Plain, None, HookEnv::default())
            .unwrap();
        told.context
    }

    /// Uses a tool that can change files, and changes one.
    pub(crate) fn edits(&self, name: &str, file: &str, text: &str) {
        assert_eq!(self.uses(name, &Call::named("Edit"), false), None);
        self.env.write(file, text);
    }

    /// Uses a tool that can change files; returns why it is blocked, if it is.
    pub(crate) fn uses(&self, name: &str, call: &Call, subagent: bool) -> Option<String> {
        let using = ToolUse { call, changes: true, writes: &[], subagent };
        self.engine().before_tool(&session(name), &using).unwrap()
    }

    pub(crate) fn stops(&self, name: &str) -> StopAnswer {
        self.stops_saying(name, None)
    }

    pub(crate) fn stops_saying(&self, name: &str, said: Option<&str>) -> StopAnswer {
        let stopping = Stopping { cap: Some(8), told: HookEnv::default(), said };
        self.engine().stop(&session(name), stopping).unwrap()
    }

    /// Stops and must be refused; returns the message for the agent.
    pub(crate) fn refused(&self, name: &str) -> String {
        match self.stops(name) {
            StopAnswer::Refuse { message, .. } => message,
            StopAnswer::Allow { say } => panic!("let go: {say:?}"),
        }
    }

    /// Stops and must be allowed; returns the messages for the person.
    pub(crate) fn free(&self, name: &str) -> Vec<String> {
        match self.stops(name) {
            StopAnswer::Allow { say } => say,
            StopAnswer::Refuse { message, .. } => panic!("refused: {message}"),
        }
    }

    /// A person reviews the doubts of a run and approves them.
    pub(crate) fn agrees(&self, run: &RunId) {
        let engine = self.engine();
        let seen = engine.in_doubt(run).unwrap();
        assert!(!seen.is_empty(), "nothing is in doubt");
        engine.agree(run, &seen, "person").unwrap();
        engine.approve(run, None, "person").unwrap();
    }

    pub(crate) fn run(&self) -> RunId {
        let (runs, trouble) = self.engine().shown().unwrap();
        assert_eq!(trouble, [""; 0]);
        runs.last().unwrap().id.clone()
    }

    pub(crate) fn waits(&self) -> Vec<String> {
        let waits = self.engine().waits().unwrap();
        waits.into_iter().map(|wait| wait.hold.to_string()).collect()
    }
}
