//! Measures a tool call that a phase forbids, against the smallest possible program and against the
//! scripts that people write for this.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::rounds::Pair;
use crate::{Failure, Figure};

const CALL: &str = r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"work.txt"}}"#;
const DENY: &str = "\"permissionDecision\":\"deny\"";

/// A handwritten script for the same question: the phase is in the run's file.
const BASH: &str = r#"
input=$(cat)
if grep -q '"tool_name": *"\(Edit\|Write\)"' <<<"$input" && grep -q 'phaseIndex: 0' .sprag/runs/*/run.yaml; then
    echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"blocked during the Plan phase"}}'
fi
"#;
const NODE: &str = r#"
const fs = require("fs");
const call = JSON.parse(fs.readFileSync(0, "utf8"));
const run = fs.readdirSync(".sprag/runs")[0];
const state = fs.readFileSync(`.sprag/runs/${run}/run.yaml`, "utf8");
if (["Edit", "Write"].includes(call.tool_name) && /phaseIndex: 0/.test(state)) {
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse",
    permissionDecision: "deny", permissionDecisionReason: "blocked during the Plan phase" } }));
}
"#;

/// A project with a run in its first phase, driven by a session.
pub(crate) struct Phases {
    root: PathBuf,
    home: PathBuf,
}

impl Phases {
    pub(crate) fn new(sprag: &Path, scratch: &Path, name: &str) -> Result<Self, Failure> {
        let home = scratch.join(format!("{name}-home"));
        let world = Self { root: scratch.join(name), home };
        std::fs::create_dir_all(&world.home)?;
        let flow = world.root.join(".sprag/workflows/flow");
        std::fs::create_dir_all(&flow)?;
        let mut head = "name: Flow\ncommandName: flow\ninitialMessage: Go.\nphases:\n".to_owned();
        for phase in ["plan", "build", "test", "document", "release"] {
            writeln!(head, "  - {phase}.md")?;
            let text = format!(
                "---\nid: {phase}\nname: {phase}\nemoji: 🔨\ntools: {{ blacklist: [edit, write] }}\n\
                 gates:\n  - file: {phase}.done\n---\nDo it.\n"
            );
            std::fs::write(flow.join(format!("{phase}.md")), text)?;
        }
        std::fs::write(flow.join("workflow.yaml"), head)?;
        std::fs::write(world.root.join("bash-hook"), BASH)?;
        std::fs::write(world.root.join("node-hook.js"), NODE)?;
        std::fs::write(world.home.join("call"), CALL)?;
        let begin = r#"{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}"#;
        std::fs::write(world.home.join("begin"), begin)?;
        world.run(Command::new("git").args(["init", "-q"]), None)?;
        world.run(Command::new(sprag).args(["start", "flow", "a task"]), None)?;
        world.run(Command::new(sprag).args(["hook", "claude"]), Some("begin"))?;
        Ok(world)
    }

    fn run(&self, command: &mut Command, input: Option<&str>) -> Result<Vec<u8>, Failure> {
        let stdin = match input {
            Some(name) => Stdio::from(File::open(self.home.join(name))?),
            None => Stdio::null(),
        };
        command.current_dir(&self.root).env("HOME", &self.home).env_remove("XDG_STATE_HOME");
        let done = command.stdin(stdin).stderr(Stdio::null()).output()?;
        let failed = || format!("{command:?}: {}", done.status);
        if done.status.success() { Ok(done.stdout) } else { Err(failed().into()) }
    }

    /// Runs sprag's hook, which must deny the call.
    pub(crate) fn denied_by(&self, sprag: &Path) -> Result<(), Failure> {
        self.denies(sprag, &["hook", "claude"])
    }

    /// Runs a hook, which must deny the call; any other answer would be fast but meaningless.
    fn denies(&self, program: &Path, words: &[&str]) -> Result<(), Failure> {
        let said = self.run(Command::new(program).args(words), Some("call"))?;
        if String::from_utf8_lossy(&said).contains(DENY) {
            return Ok(());
        }
        Err(format!("{} did not deny the call", program.display()).into())
    }
}

/// Measures a denied call against an empty program, bash with grep, and node.
pub(crate) fn denied(sprag: &Path, scratch: &Path, runs: usize) -> Result<Vec<Figure>, Failure> {
    let world = Phases::new(sprag, scratch, "phases")?;
    let ours = || world.denied_by(sprag);
    let nothing = || world.run(&mut Command::new("/bin/true"), Some("call")).map(drop);
    let what = "a tool call denied in a phase / `true`";
    let mut figures = vec![Pair::measure(runs, ours, nothing)?.ratio(what, Some(1.5))];
    let others = [
        ("the same / a host hook of bash and grep", "bash", "bash-hook"),
        ("the same / a host hook of node", "node", "node-hook.js"),
    ];
    for (what, program, script) in others {
        let theirs = || world.denies(Path::new(program), &[script]);
        if let Err(why) = theirs() {
            let detail = format!("not measured: {program}: {why}");
            figures.push(Figure { what, measured: 0.0, goal: None, unit: "×", detail });
            continue;
        }
        figures.push(Pair::measure(runs.min(100), ours, theirs)?.ratio(what, None));
    }
    Ok(figures)
}
