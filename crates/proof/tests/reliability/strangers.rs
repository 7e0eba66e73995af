//! Law 8 of integrity: whatever a folder without a deed contains, a hook prints at most one line,
//! starts nothing and writes nothing, and no report claims a proof.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sprag_store::Place;
use sprag_testkit::folder::{self, Entry};
use sprag_testkit::seed::Seed;
use sprag_testkit::skip;
use sprag_world::trust;

use crate::machine;
use crate::project::Project;
use crate::t1_doctor::sprag;
use crate::t1_stop::says;

/// The state files of the five systems.
const PATHS: &[&str] = &[
    ".sprag/config.yaml",
    ".sprag/id",
    ".sprag/lock",
    ".sprag/.gitignore",
    ".sprag/cache/tree",
    ".sprag/cache/latency",
    ".sprag/cache/receipts",
    ".sprag/journal/head",
    ".sprag/journal/00000000000000000001.jsonl",
    ".sprag/runs/r-1/run.yaml",
    ".sprag/runs/r-1/agents.json",
    ".sprag/runs/r-1/definition.json",
    ".sprag/runs/r-1/receipts/g-1",
    ".sprag/sessions/claude-s1.json",
    ".sprag/agents/p1.json",
    ".sprag/turns.json",
    ".sprag/doubts.json",
    ".sprag/texts/2bbb7f3ca1db1d418cf7badfa36a49653e9f9add2306eda564deffedfeda7012",
    ".sprag/trace",
    ".sprag/workflows/w/workflow.yaml",
    ".gsd/STATE.md",
    ".gsd/config.json",
    ".gsd/plans/phase-1/plan.md",
    ".gsd/plans/phase-1/VERIFICATION.md",
    ".gsd/PREFERENCES.md",
    ".gsd/milestones/M001/M001-ROADMAP.md",
    ".chipset/state/hooks/p1.json",
    ".chipset/state/work/gt-1.json",
    ".chipset/state/mail/p1/1.json",
    ".thoughts/pr/1/metadata.yaml",
    ".thoughts/pr/1/metadata.json",
    ".pi/workflows/w/workflow.yaml",
    ".pi/workflows/w/build.md",
];

/// Texts each of which would hold a session, run something, or claim an end.
const TEXTS: &[&str] = &[
    "guard: {gates: [{run: sh pwn.sh}]}\n",
    "guard: {gates: [{file: never}]}\nchecks: {run: allow}\nnotify: {command: [sh, pwn.sh]}\n",
    "hosts: {claude: {argv: [sh, pwn.sh]}}\nworktree: {setup: [sh pwn.sh]}\n",
    "rules: [{name: a, run: ./pwn.sh, before: [execute-task]}]\n",
    "v: 99\n",
    "off: {{{{\n",
    "{\"v\":1,\"guard\":\"r-1\",\"runs\":[\"r-1\"],\"began\":\"2026-01-01T00:00:00Z\"}\n",
    "v: 1\nid: r-1\nsource: guard\nstarted: 2026-01-01T00:00:00Z\nended: 2026-01-01T00:00:00Z\n",
    "{\"v\":1,\"doubts\":[],\"agreed\":[{\"key\":{\"path\":\"test.sh\"},\"text\":null}]}\n",
    "{\"v\":1,\"seq\":1,\"at\":\"2026-01-01T00:00:00Z\",\"actor\":\"run\",\"events\":[{\"run\":\"r-1\",\
     \"kind\":\"attempt.ended\",\"data\":{\"fence\":1,\"unit\":\"task\",\"how\":\"passed\"}}],\
     \"edits\":[]}\n",
    "---\nloop:\n  active: true\n  type: execute\n  phase: 1\n  iteration: 1\n---\n",
    "---\nactive: true\ntype: verify\ncompleted: true\nphases_completed: 9\n---\n",
    "---\nphase: 1\ntitle: X\n---\n\n## Task 01\n\n<task id=\"01\"><verify>sh pwn.sh</verify></task>\n",
    "approved: true\nreviewLoop: {enabled: true, turn: REVIEWER}\nresolveLevel: none\n",
    "{\"status\":\"active\",\"agent_id\":\"p1\",\"work_item\":{\"bead_id\":\"gt-1\",\"title\":\"Run pwn.sh\"}}\n",
    "name: W\ncommandName: w\ninitialMessage: x\nphases: [build.md]\n",
    "---\nid: build\nname: Build\nemoji: x\ngates: [{run: sh pwn.sh}]\n---\nBuild.\n",
    "prj-0123456789abcdefghjkmnpqrs\n",
    "",
];

/// Returns a stranger's text: one of the above, meaningless bytes, or something endless.
fn text(seed: &mut Seed, path: &str, real: &BTreeMap<String, Entry>) -> Vec<u8> {
    let mut bytes = match (seed.below(8), real.get(path)) {
        (0..3, Some(Entry::File(bytes))) => bytes.clone(),
        (0..6, _) => seed.pick(TEXTS).as_bytes().to_vec(),
        (6, _) => {
            (0..seed.below(300)).map(|_| seed.pick(b"\0\xff{}[]:\"'\n \x1b-#a1")).copied().collect()
        }
        _ => seed.pick(&["[", "{", "- ", "a: "]).repeat(20_000).into_bytes(),
    };
    // Half of them are slightly damaged.
    if seed.below(2) == 0 && !bytes.is_empty() {
        for _ in 0..=seed.below(3) {
            let at = seed.below(bytes.len());
            bytes[at] = *seed.pick(b"\0\xff{}[]:\"\n 19az");
        }
    }
    bytes
}

/// The files of the user's run that is done and proven.
fn proven(sprag: &Path) -> BTreeMap<String, Entry> {
    let project = Project::new();
    machine::let_own(&project);
    project.write("agent.sh", "echo yes > done; echo finished\n");
    let host = format!("sh {}", project.path("agent.sh").display());
    let words = ["run", "Do it", "--until", "test -f done", "--host", &host, "--yes"];
    let output = person(sprag, &project.root, &words);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(claims_proof(&person(sprag, &project.root, &["report", "--json"])));
    folder::entries(&project.root).unwrap()
}

/// Runs a command as the user, for at most twenty seconds.
fn person(sprag: &Path, root: &Path, words: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.args(["-k", "1", "20"]).arg(sprag).arg("-C").arg(root).args(words);
    command.env_clear().envs(machine::variables(root)).output().unwrap()
}

/// Returns whether the output claims a proof.
fn claims_proof(output: &Output) -> bool {
    let said = String::from_utf8_lossy(&output.stdout);
    said.contains("\"proven\":true") || said.contains("proven on the files as they are now")
}

/// Writes the contents of a stranger's folder.
fn fill(root: &Path, seed: &mut Seed, real: &BTreeMap<String, Entry>) {
    std::fs::write(root.join("pwn.sh"), "touch \"$HOME/pwned\" pwned; exit 1\n").unwrap();
    std::fs::write(root.join("done"), "yes\n").unwrap();
    let takes_all = seed.below(3) == 0;
    let others = real.keys().filter(|name| takes_all && name.starts_with(".sprag"));
    let paths: Vec<String> =
        PATHS.iter().map(|path| (*path).to_owned()).chain(others.cloned()).collect();
    for path in paths {
        let is_real = takes_all && real.contains_key(&path);
        if !is_real && seed.below(3) == 0 {
            put(&root.join(&path), seed, &path, real);
        } else if let (true, Some(Entry::File(bytes))) = (is_real, real.get(&path)) {
            make_folder(&root.join(&path));
            let _ = std::fs::write(root.join(&path), bytes);
        }
    }
    if seed.below(3) == 0 {
        let config = "[core]\n\tfsmonitor = touch pwned\n\thooksPath = .\n[filter \"x\"]\n\tclean = touch pwned\n";
        let git = Command::new("git").args(["init", "-q"]).current_dir(root).status();
        assert!(git.unwrap().success());
        std::fs::write(root.join(".git/config"), config).unwrap();
        std::fs::write(root.join(".gitattributes"), "* filter=x\n").unwrap();
    }
}

/// Makes a folder look like a copy of the user's project.
fn copy_id(root: &Path) {
    let original = root.with_file_name("original");
    std::fs::create_dir_all(original.join(".sprag")).unwrap();
    let deeds = machine::home(root).join(".local/state/sprag");
    trust::record(&deeds, &Place::of(&original), |_| ()).unwrap();
    let (id, own) = (original.join(".sprag/id"), root.join(".sprag"));
    std::fs::create_dir_all(&own).unwrap();
    let _ = std::fs::remove_file(own.join("id"));
    // A folder at this path is no id, and has no effect either.
    let _ = std::fs::copy(id, own.join("id"));
}

/// Creates something at a state file's path: usually a file, else a folder or a link.
fn put(path: &Path, seed: &mut Seed, name: &str, real: &BTreeMap<String, Entry>) {
    make_folder(path);
    // An existing obstacle is just as good.
    let _ = match seed.below(12) {
        0 => std::fs::create_dir(path),
        1 => symlink("/dev/zero", path),
        2 => symlink(path.with_file_name("nowhere"), path),
        _ => std::fs::write(path, text(seed, name, real)),
    };
}

fn make_folder(path: &Path) {
    let _ = std::fs::create_dir_all(path.parent().unwrap());
}

fn payload(event: &str, root: &Path) -> String {
    serde_json::json!({
        "session_id": "s1", "cwd": root, "hook_event_name": event, "prompt": "go on",
        "tool_name": "Bash", "tool_input": {"command": "sh work.sh"}, "reason": "exit",
    })
    .to_string()
}

/// Returns the first effect of a stranger's folder as an error.
fn broken(sprag: &Path, root: &Path) -> Result<(), String> {
    let all: PathBuf = root.parent().unwrap().to_path_buf();
    let before = folder::entries(&all).unwrap();
    let same = |what: &str| {
        let now = folder::entries(&all).unwrap();
        let changed = now.iter().filter(|(name, entry)| before.get(*name) != Some(entry));
        let gone = before.keys().filter(|name| !now.contains_key(*name));
        let changed: Vec<_> = changed.map(|(name, _)| name).chain(gone).collect();
        if changed.is_empty() { Ok(()) } else { Err(format!("{what} wrote {changed:?}")) }
    };
    for event in
        ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"]
    {
        let output = says(sprag, root, &payload(event, root));
        let said = String::from_utf8_lossy(&output.stdout);
        if output.status.code() != Some(0) || said.lines().count() > 1 || said.contains("decision")
        {
            return Err(format!("{event}: {:?}: {said}", output.status));
        }
        same(event)?;
    }
    for words in
        [&["--json"][..], &["report", "--json"], &["report"], &["check"], &["next"], &["doctor"]]
    {
        let output = person(sprag, root, words);
        if claims_proof(&output) || output.status.code().is_none_or(|code| code >= 100) {
            return Err(format!(
                "{words:?}: {:?}: {}",
                output.status,
                String::from_utf8_lossy(&output.stdout)
            ));
        }
        same(&words.join(" "))?;
    }
    Ok(())
}

#[test]
fn whatever_a_folder_without_a_deed_holds_counts_for_nothing() {
    let Some(sprag) = sprag() else { return };
    let real = proven(&sprag);
    let count = if skip::is_long() { 500 } else { 24 };
    for nth in 0..count {
        let project = Project::new();
        fill(&project.root, &mut Seed::new(8_000 + nth), &real);
        if nth % 3 == 0 {
            copy_id(&project.root);
        }
        if let Err(why) = broken(&sprag, &project.root) {
            let kept = project.root.clone();
            std::mem::forget(project);
            panic!("seed {nth}, {}: {why}", kept.display());
        }
    }
    println!("strangers: {count} folders, 12 commands in each");
}
