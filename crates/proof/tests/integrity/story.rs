//! One story, told in several ways: an agent works in a guarded session, in a driven run, in a
//! phase of a workflow, or on a task of a plan. It does the same in each, and the rules are the
//! same.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::scene::{Scene, Typed};
use crate::session::Session;

/// An action of the agent.
#[derive(Clone, Debug)]
enum Step {
    /// Writes a whole file, with a tool if it has one.
    Write(String, String),
    /// Runs a shell line.
    Shell(String),
}

/// A project, and the agent's actions in each turn.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    gate: String,
    files: BTreeMap<String, String>,
    /// The executable files.
    programs: Vec<String>,
    /// Links and their targets.
    links: Vec<(String, String)>,
    /// The path of the code, a text that its tests reject, and another that they accept.
    code: [String; 3],
    /// The actions of each turn; the last turn repeats.
    turns: Vec<Vec<Step>>,
    /// The message at the end of every turn.
    says: String,
    /// Further arguments of `sprag run`.
    words: Vec<String>,
    /// Further configuration of the project.
    config: String,
}

/// How a story ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// Proven at once, without asking a person.
    Proven,
    /// Proven at once, and the report names these files.
    Named(&'static [&'static str]),
    /// Sent back once because of these files, then proven.
    SentBack(&'static [&'static str]),
    /// Sent back once because of these files, then done but not proven.
    Doubted(&'static [&'static str]),
    /// Sent back once because of these files, then held for a person.
    Held(&'static [&'static str]),
}

impl Story {
    /// Begins a project that this command judges.
    pub(crate) fn of(gate: &str) -> Self {
        Self {
            gate: gate.to_owned(),
            files: BTreeMap::new(),
            programs: Vec::new(),
            links: Vec::new(),
            code: Default::default(),
            turns: vec![Vec::new()],
            says: "I did what was asked.".to_owned(),
            words: Vec::new(),
            config: String::new(),
        }
    }

    /// Adds an initial file.
    pub(crate) fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.to_owned(), text.to_owned());
        self
    }

    /// Appends to an initial file.
    pub(crate) fn adds_file(self, path: &str, more: &str) -> Self {
        let text = format!("{}{more}", self.text(path));
        self.file(path, &text)
    }

    /// Adds an initial executable.
    pub(crate) fn program(mut self, path: &str, text: &str) -> Self {
        self.programs.push(path.to_owned());
        self.file(path, text)
    }

    /// Removes an initial executable.
    pub(crate) fn without_program(mut self, path: &str) -> Self {
        self.files.remove(path);
        self.programs.retain(|program| program != path);
        self
    }

    /// Removes an initial file.
    pub(crate) fn without_file(mut self, path: &str) -> Self {
        self.files.remove(path);
        self
    }

    /// Adds an initial link, replacing any file at its path.
    pub(crate) fn link(mut self, path: &str, to: &str) -> Self {
        self.files.remove(path);
        self.programs.retain(|program| program != path);
        self.links.push((path.to_owned(), to.to_owned()));
        self
    }

    /// Adds the initial code; `wrong` and `better` are its later versions.
    pub(crate) fn code(mut self, path: &str, good: &str, wrong: &str, better: &str) -> Self {
        self.code = [path, wrong, better].map(str::to_owned);
        self.file(path, good)
    }

    /// Sets another gate command.
    pub(crate) fn judged_by(mut self, gate: &str) -> Self {
        gate.clone_into(&mut self.gate);
        self
    }

    /// Adds arguments of `sprag run`.
    pub(crate) fn with(mut self, words: &[&str]) -> Self {
        self.words.extend(words.iter().map(|word| (*word).to_owned()));
        self
    }

    /// Adds configuration below the guard.
    pub(crate) fn configured(mut self, config: &str) -> Self {
        self.config.push_str(config);
        self
    }

    /// Returns the initial text of a file.
    #[track_caller]
    pub(crate) fn text(&self, path: &str) -> &str {
        self.files.get(path).unwrap_or_else(|| panic!("{path} is missing"))
    }

    /// The agent writes code that the tests reject.
    pub(crate) fn breaks(self) -> Self {
        let [path, wrong, _] = self.code.clone();
        self.writes(&path, &wrong)
    }

    /// The agent writes code that the tests accept.
    pub(crate) fn improves(self) -> Self {
        let [path, _, better] = self.code.clone();
        self.writes(&path, &better)
    }

    /// The agent writes a file.
    pub(crate) fn writes(self, path: &str, text: &str) -> Self {
        self.does(Step::Write(path.to_owned(), text.to_owned()))
    }

    /// The agent replaces a part of an initial file.
    #[track_caller]
    pub(crate) fn changes(self, path: &str, from: &str, to: &str) -> Self {
        let text = self.text(path);
        assert!(text.contains(from), "{path} has no `{from}`:\n{text}");
        let text = text.replacen(from, to, 1);
        self.writes(path, &text)
    }

    /// The agent appends to an initial file.
    pub(crate) fn adds(self, path: &str, more: &str) -> Self {
        let text = format!("{}{more}", self.text(path));
        self.writes(path, &text)
    }

    /// The agent replaces a part of a file that it wrote before.
    #[track_caller]
    pub(crate) fn changes_again(mut self, path: &str, from: &str, to: &str) -> Self {
        let text = self.written(path);
        assert!(text.contains(from), "{path} has no `{from}`:\n{text}");
        *text = text.replacen(from, to, 1);
        self
    }

    /// The agent appends to a file that it wrote before.
    #[track_caller]
    pub(crate) fn adds_again(mut self, path: &str, more: &str) -> Self {
        self.written(path).push_str(more);
        self
    }

    #[track_caller]
    fn written(&mut self, path: &str) -> &mut String {
        let steps = self.turns.last_mut().unwrap().iter_mut().rev();
        let mut texts = steps.filter_map(|step| match step {
            Step::Write(own, text) if own == path => Some(text),
            Step::Write(..) | Step::Shell(_) => None,
        });
        texts.next().unwrap_or_else(|| panic!("{path} was not written"))
    }

    /// The agent restores an initial file.
    pub(crate) fn restores(self, path: &str) -> Self {
        let text = self.text(path).to_owned();
        self.writes(path, &text)
    }

    /// The agent runs a shell line.
    pub(crate) fn runs(self, line: &str) -> Self {
        self.does(Step::Shell(line.to_owned()))
    }

    fn does(mut self, step: Step) -> Self {
        self.turns.last_mut().unwrap().push(step);
        self
    }

    /// Starts the next turn, after the agent was sent back.
    pub(crate) fn then(mut self) -> Self {
        self.turns.push(Vec::new());
        self
    }

    /// Sets the agent's message at the end of every turn.
    pub(crate) fn saying(mut self, text: &str) -> Self {
        text.clone_into(&mut self.says);
        self
    }

    /// Creates the project.
    pub(crate) fn scene(&self) -> Scene {
        let scene = Scene::of(&self.files);
        for path in &self.programs {
            scene.writes_program(path, self.text(path));
        }
        for (path, to) in &self.links {
            std::fs::create_dir_all(scene.path(path).parent().unwrap()).unwrap();
            scene.env.link(to, path);
        }
        if !self.programs.is_empty() || !self.links.is_empty() {
            scene.shell("git add -A; git diff --cached --quiet || git commit -qm programs");
        }
        scene
    }

    /// Creates the project, and guards it with `sprag init`.
    #[track_caller]
    pub(crate) fn guarded(&self) -> Scene {
        let scene = self.scene();
        if self.config.is_empty() {
            scene.guarded_by(&self.gate);
        } else {
            let guard =
                format!("v: 1\nguard:\n  gates:\n    - run: {}\n{}", self.gate, self.config);
            scene.configured(&self.gate, &guard);
        }
        scene
    }

    /// Performs the agent's actions of a turn in a session.
    #[track_caller]
    pub(crate) fn plays(&self, session: &Session<'_>, turn: usize) {
        for step in self.turns.get(turn).into_iter().flatten() {
            match step {
                Step::Write(path, text) => {
                    let answer = session.edits(path, text);
                    assert!(!answer.is_denied(), "{path}: {answer:?}");
                }
                Step::Shell(line) => session.runs(line),
            }
        }
    }

    /// Returns the agent's actions as shell code.
    pub(crate) fn script(&self, scene: &Scene) -> String {
        let mut script = "case $turn in\n".to_owned();
        for (nth, steps) in self.turns.iter().enumerate() {
            let is_last = nth + 1 == self.turns.len();
            let label = if is_last { "*".to_owned() } else { (nth + 1).to_string() };
            let _ = writeln!(script, "{label})");
            for (step, what) in steps.iter().enumerate() {
                match what {
                    Step::Write(path, text) => {
                        let staged = scene.env.top().join(format!("staged-{nth}-{step}"));
                        std::fs::write(&staged, text).unwrap();
                        let staged = staged.display();
                        let _ = writeln!(
                            script,
                            "mkdir -p \"$(dirname '{path}')\"; cat '{staged}' > '{path}'"
                        );
                    }
                    Step::Shell(line) => {
                        let _ = writeln!(script, "{line}");
                    }
                }
            }
            script.push_str(":;;\n");
        }
        let _ = writeln!(script, "esac\necho '{}'", self.says);
        script
    }

    /// Drives the agent until the command passes.
    pub(crate) fn driven(&self, scene: &Scene) -> Typed {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let words = [&["Do it", "--until", &self.gate], &words[..]].concat();
        scene.drives(&words, &self.script(scene))
    }

    /// Creates the project with a workflow whose first phase the command judges, and drives it.
    pub(crate) fn phased(&self, more: &str) -> (Scene, Typed) {
        let scene = self.scene();
        let flow = "name: Feat\ncommandName: feat\ninitialMessage: do {description}\nphases:\n  - one.md\n  - two.md\n";
        let phase = |id: &str, rest: &str| {
            format!("---\nid: {id}\nname: {id}\nemoji: 🔨\n{rest}---\nDo {id}.\n")
        };
        scene.writes(".sprag/workflows/feat/workflow.yaml", flow);
        let one = format!("gates:\n  - run: {}\n{more}", self.gate);
        scene.writes(".sprag/workflows/feat/one.md", &phase("one", &one));
        let two = "gates:\n  - file: notes.txt\n";
        scene.writes(".sprag/workflows/feat/two.md", &phase("two", two));
        // The file that the second phase leaves must not affect the files that judged the first.
        scene.writes(".git/info/exclude", "notes.txt\n");
        scene.commits();
        let script = format!(
            "case \"$told\" in *'Do two'*) echo x > notes.txt; exit;; esac\n{}",
            self.script(&scene)
        );
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let typed = scene.drives(&[&["feat", "do it"], &words[..]].concat(), &script);
        (scene, typed)
    }

    /// Creates the project with a plan whose first task the command judges, and drives it.
    pub(crate) fn planned(&self, files: &str) -> (Scene, Typed) {
        let scene = self.scene();
        let own = format!("    <file action=\"modify\">{}</file>\n{files}", self.code[0]);
        let check = format!("<check type=\"test\" cmd=\"{}\">the tests pass</check>", self.gate);
        let other = "    <file action=\"create\">notes.txt</file>\n";
        let plan = format!(
            "---\nphase: 1\ntitle: One\n---\n\n{}\n{}",
            task("01", "1", &own, "Do one.", &check),
            task("02", "2", other, "Do two.", "<check type=\"file\">notes.txt exists</check>"),
        );
        scene.writes(".gsd/plans/phase-01/plan.md", &plan);
        scene.writes(".gsd/config.md", "---\nmode: yolo\n---\n");
        scene.commits();
        let script = format!(
            "case \"$told\" in *'Do one.'*) ;; *'Do two.'*) echo x > notes.txt; echo 'TASK COMPLETE'; exit;;\n\
             *) printf '## Status: passed\\n' > .gsd/plans/phase-01/VERIFICATION.md; echo 'PHASE COMPLETE'; exit;; esac\n\
             {}echo 'TASK COMPLETE'; exit",
            self.script(&scene)
        );
        let typed = scene.drives(&["plan"], &script);
        (scene, typed)
    }
}

/// Returns a task of a plan.
pub(crate) fn task(id: &str, wave: &str, files: &str, action: &str, check: &str) -> String {
    format!(
        "<task id=\"{id}\" wave=\"{wave}\">\n  <files>\n{files}  </files>\n  <action>{action}</action>\n  \
         <verify>\n    {check}\n  </verify>\n  <done>it is there</done>\n</task>\n"
    )
}

impl Story {
    /// Checks the story itself without sprag. The command passes at the beginning and at the end.
    /// If the end is in doubt, the command fails once the doubtful files are restored, so that no
    /// second look can prove it.
    #[track_caller]
    pub(crate) fn is_sound(&self, end: End) {
        let scene = self.scene();
        let judge = || {
            let mut command = scene.env.command("sh");
            crate::scene::typed({
                command.args(["-c", &self.gate]);
                command
            })
        };
        let (first, mut last) = (judge(), None);
        assert_eq!(first.exit, Some(0), "it is not green at first: {}", first.all());
        for step in self.turns.iter().flatten() {
            match step {
                Step::Write(path, text) => {
                    let is_program = self.programs.contains(path);
                    if is_program {
                        scene.writes_program(path, text);
                    } else {
                        scene.writes(path, text);
                    }
                }
                Step::Shell(line) => scene.shell(line),
            }
            last = Some(step);
        }
        assert!(last.is_some(), "nothing is done");
        let done = judge();
        assert_eq!(done.exit, Some(0), "it is not green at the end: {}", done.all());
        if let End::Doubted(paths) = end {
            for path in paths {
                // Restoring a source file that contains tests would restore its code as well.
                if self.code[0] == *path {
                    return;
                }
                self.puts_back(&scene, path);
            }
            let again = judge();
            assert_ne!(again.exit, Some(0), "the earlier texts pass as well: {}", again.all());
        }
    }
}

impl Story {
    /// Restores the doubtful file or part to its initial state.
    fn puts_back(&self, scene: &Scene, path: &str) {
        let is_meant = |own: &str| {
            own == path || (path.starts_with('/') || path.ends_with('/')) && own.contains(path)
        };
        for own in scene.env.files().iter().filter(|own| is_meant(own)) {
            scene.env.remove(own);
        }
        for (own, text) in self.files.iter().filter(|(own, _)| is_meant(own)) {
            let is_program = self.programs.contains(own);
            if is_program { scene.writes_program(own, text) } else { scene.writes(own, text) }
        }
        for (own, to) in self.links.iter().filter(|(own, _)| is_meant(own)) {
            scene.env.link(to, own);
        }
    }
}

/// Plays a story in a guarded session.
#[track_caller]
pub(crate) fn session(story: &Story, end: End) {
    story.is_sound(end);
    let scene = story.guarded();
    let agent = scene.session("s1").begins();
    story.plays(&agent, 0);
    let first = agent.stops_saying(&story.says);
    match end {
        End::Proven => {
            first.allows();
            scene.report(None).is_proven_now();
        }
        End::Named(paths) => {
            first.allows();
            let report = scene.report(None);
            report.is_proven_now();
            assert!(paths.iter().all(|path| report.mentions(path)), "{paths:?}: {}", report.json);
        }
        End::SentBack(paths) => {
            for path in paths {
                first.refuses_for(path);
            }
            story.plays(&agent, 1);
            agent.stops_saying(&story.says).allows();
            scene.report(None).is_proven_now();
        }
        End::Doubted(paths) | End::Held(paths) => {
            for path in paths {
                first.refuses_for(path);
            }
            story.plays(&agent, 1);
            let second = agent.stops_saying(&story.says);
            for path in paths {
                second.allows_and_names(path);
            }
            let report = scene.report(None);
            for path in paths {
                match end {
                    End::Held(_) => report.is_not_proven_for(path),
                    End::Proven | End::Named(_) | End::SentBack(_) | End::Doubted(_) => {
                        report.is_doubted_for(path);
                    }
                }
            }
        }
    }
}

/// Plays a story in a driven run.
#[track_caller]
pub(crate) fn run(story: &Story, end: End) {
    let scene = if story.config.is_empty() { story.scene() } else { story.guarded() };
    let typed = story.driven(&scene);
    ends(&scene, typed, end);
    assert!(is_proven(end) == scene.report(None).is_proven(), "{}", scene.report(None).shown());
}

/// Plays a story in the first of two phases.
#[track_caller]
pub(crate) fn workflow(story: &Story, end: End) {
    let (scene, typed) = story.phased("");
    assert!(scene.path("notes.txt").exists(), "the second phase was not done: {}", typed.all());
    ends(&scene, typed, end);
    assert!(is_proven(end) == scene.report(None).is_proven(), "{}", scene.report(None).shown());
}

/// Plays a story in the first of two tasks.
#[track_caller]
pub(crate) fn plan(story: &Story, end: End) {
    let (scene, typed) = story.planned("");
    assert!(scene.path("notes.txt").exists(), "the second task was not done: {}", typed.all());
    ends(&scene, typed, end);
    assert!(is_proven(end) || !scene.report(None).is_proven(), "{}", scene.report(None).shown());
}

const fn is_proven(end: End) -> bool {
    matches!(end, End::Proven | End::Named(_) | End::SentBack(_))
}

/// Asserts how a driver ended, the agent's prompts, and the report's doubts.
#[track_caller]
fn ends(scene: &Scene, typed: Typed, end: End) {
    let typed = typed.exits(if is_proven(end) { 0 } else { 3 });
    let told = scene.told("agent");
    let report = scene.report(None);
    // A gate may be named after its program, so only the text after "judged by" counts.
    let blamed = told.iter().filter_map(|prompt| prompt.split_once("judged by"));
    let blamed: Vec<&str> = blamed.map(|(_, names)| names).collect();
    let times = |path: &str| blamed.iter().filter(|names| names.contains(path)).count();
    let context = || format!("{}\n{told:#?}\n{}", typed.all(), report.shown());
    match end {
        End::Proven => {
            assert!(report.json["doubts"].as_array().is_none_or(Vec::is_empty), "{}", context());
        }
        End::Named(paths) => {
            assert!(paths.iter().all(|path| times(path) == 0), "sent back: {}", context());
            assert!(paths.iter().all(|path| report.mentions(path)), "not named: {}", context());
        }
        End::SentBack(paths) => {
            assert!(paths.iter().all(|path| times(path) == 1), "shown {paths:?}: {}", context());
        }
        End::Doubted(paths) => {
            assert!(paths.iter().all(|path| times(path) == 1), "shown {paths:?}: {}", context());
            for path in paths {
                report.is_doubted_for(path);
            }
        }
        End::Held(paths) => {
            for path in paths {
                report.is_not_proven_for(path);
            }
        }
    }
}

/// Generates a test for each way to tell a story.
macro_rules! tells {
    ($($(#[$doc:meta])* $name:ident ($($way:ident)+): $story:expr => $end:expr;)+) => {
        $($(#[$doc])* mod $name {
            use super::*;
            $(#[test] fn $way() { $crate::story::$way(&$story, $end) })+
        })+
    };
}
pub(crate) use tells;
