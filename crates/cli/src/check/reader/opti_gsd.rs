//! Checks the documents of opti-gsd, and reports their results and errors.

use std::path::Path;

use sprag_core::plan::{CheckDecision, Plan, PlanCheck, Task, schedule};
use sprag_engine::gate;
use sprag_engine::validate::Pointed;
use sprag_formats::plan::state::{self, LoopFile};
use sprag_formats::plan::{self, Problem, answer, config, later, plugin, roadmap, verification};
use sprag_formats::{Fault, MAX_BYTES};
use sprag_world::clock;

use super::super::findings::{
    Checked, FindingKind, Findings, GateCommand, GateCommands, GatedPart,
};
use super::super::sort::Sort;
use super::{CheckReader, read_up_to};
use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Level, Location, Spot};
use crate::style::count;

/// A document being checked.
struct Page<'a> {
    reader: &'a CheckReader,
    file: String,
    text: String,
    findings: &'a mut Findings,
}

impl CheckReader {
    /// Reports a phase that has two folders.
    pub(super) fn doubled(&self, folder: &Path, findings: &mut Findings) {
        let at = Location { file: self.shown.path(&folder.display().to_string()), spot: None };
        findings.complaints.push(Diagnostic {
            level: Level::Error,
            code: Code::Plan,
            message: "this phase has another folder, with or without a leading zero".to_owned(),
            at: Some(at),
            help: Some("keep one of the two, best the one with two digits".to_owned()),
        });
    }

    pub(super) fn opti_gsd(&self, file: &Path, sort: Sort, findings: &mut Findings) {
        let shown = file.display().to_string();
        let most = if sort == Sort::Plan { plan::MAX_PLAN } else { MAX_BYTES };
        let text = match read_up_to(file, most) {
            Ok(text) => text,
            Err(why) => {
                let complaint = self.shown.unreadable(Code::Document, &shown, &why);
                return findings.complaints.push(complaint);
            }
        };
        let mut page = Page { reader: self, file: shown, text, findings };
        match sort {
            Sort::Plan => page.plan(),
            Sort::State => page.state(),
            Sort::Config => page.config(),
            Sort::Verification => page.verification(),
            Sort::Roadmap => page.roadmap(),
            Sort::Plugin => page.plugin(),
            Sort::Later => page.later(file),
        }
    }
}

impl Page<'_> {
    fn plan(&mut self) {
        let read = plan::read(&self.text);
        let lines = lines(&self.text);
        for problem in &read.problems {
            let said = self.complaint(problem, &lines);
            self.findings.complaints.push(said);
        }
        self.findings.answers.push(answer::plan(&read));
        if read.errors().next().is_none() {
            let parts = read.plan.tasks.iter().map(|task| self.part(task)).collect();
            self.checked(FindingKind::Plan { said: outline(&read.plan) }, parts);
        }
    }

    fn complaint(&self, problem: &Problem, lines: &[&str]) -> Diagnostic {
        let is_error = problem.code.is_error();
        let level = if is_error { Level::Error } else { Level::Warning };
        let code = if is_error { Code::Plan } else { Code::PlanOdd };
        let text = lines.get(problem.place.line - 1).copied().unwrap_or_default().to_owned();
        let spot = Spot { line: problem.place.line, column: problem.place.col, text };
        Diagnostic {
            level,
            code,
            message: format!("{} ({})", problem.text, problem.name()),
            at: Some(Location { file: self.reader.shown.path(&self.file), spot: Some(spot) }),
            help: problem.help.clone(),
        }
    }

    fn part(&self, task: &Task) -> GatedPart {
        let held = |check: &PlanCheck| {
            let commands = match &check.decision {
                CheckDecision::Gate(decided) => gate::commands(decided),
                CheckDecision::Ending { .. } | CheckDecision::Claim { .. } => Vec::new(),
            };
            let command = |argv: &[String]| GateCommand {
                argv: argv.to_vec(),
                approved: self.reader.approved(argv),
            };
            GateCommands {
                name: match &check.cmd {
                    Some(cmd) => cmd.clone(),
                    None => check.text.clone(),
                },
                kind: answer::decided_by(check),
                commands: commands.into_iter().map(command).collect(),
            }
        };
        GatedPart::Held { name: task.id.clone(), gates: task.checks.iter().map(held).collect() }
    }

    fn state(&mut self) {
        match state::open(&self.text) {
            Err(fault) => {
                self.findings.answers.push(answer::corrupt());
                self.wrong(&fault);
            }
            Ok(file) => {
                self.odd(&file.warnings);
                self.findings.answers.push(answer::state(&file.found, clock::now()));
                let said = match &file.found {
                    LoopFile::NoFrontMatter => "no front matter, so no loop".to_owned(),
                    LoopFile::NoLoop => "no loop".to_owned(),
                    LoopFile::Loop(state) => {
                        let kind = state.kind.as_str().unwrap_or("no kind");
                        let stand = match (state.completed, state.paused, state.active) {
                            (true, _, _) => "completed",
                            (_, true, _) => "paused",
                            (_, _, true) => "active",
                            (_, _, false) => "inactive",
                        };
                        let (used, max) = (state.iteration, state.max_iterations);
                        format!("loop {stand}: {kind}, iteration {used} of {max}")
                    }
                };
                self.checked(FindingKind::Beside { noun: "state", said }, Vec::new());
            }
        }
    }

    fn config(&mut self) {
        match config::read(&self.text) {
            Err(fault) => self.wrong(&fault),
            Ok((settings, warnings)) => {
                self.findings.answers.push(answer::config(&settings, &warnings));
                let faults: Vec<Fault> =
                    warnings.into_iter().map(|warning| warning.fault).collect();
                self.odd(&faults);
                let stages: Vec<_> = settings.ci.iter().map(|(stage, _)| stage.as_str()).collect();
                let said = format!(
                    "retries {}, rounds {}, loops {}, ci {}",
                    settings.execute_max_retries,
                    settings.verify_max_iterations,
                    if settings.auto_loop { "on" } else { "off" },
                    if stages.is_empty() { "none".to_owned() } else { stages.join(", ") },
                );
                self.checked(FindingKind::Beside { noun: "settings", said }, Vec::new());
            }
        }
    }

    fn verification(&mut self) {
        let found = verification::read(&self.text);
        self.findings.answers.push(answer::verification(&found));
        let gaps = count(found.gaps.len(), "gap");
        let (status, effective) = (found.status.as_str(), found.effective().as_str());
        let so = if status == effective { "" } else { &format!(": so {effective}") };
        let said = format!("{status}, {gaps}{so}");
        self.checked(FindingKind::Beside { noun: "verification", said }, Vec::new());
    }

    fn roadmap(&mut self) {
        let phases = roadmap::phases(&self.text);
        let one = |phase: &roadmap::RoadmapPhase| {
            format!(
                "phase {} {}",
                phase.phase,
                phase.status.as_deref().unwrap_or("without a status")
            )
        };
        let said = phases.iter().map(one).collect::<Vec<_>>().join(", ");
        self.checked(FindingKind::Beside { noun: "roadmap", said }, Vec::new());
    }

    fn plugin(&mut self) {
        let entries = match plugin::read(&self.text) {
            Err(fault) => return self.wrong(&fault),
            Ok(entries) => entries,
        };
        for entry in &entries {
            if let Some(defect) = entry.defect {
                let message = format!("the entry for {} does not work: {defect}", entry.event);
                let help = "`sprag init` puts an entry there that does".to_owned();
                self.note(Code::PlanOdd, message, Some(help));
            }
        }
        let one = |entry: &plugin::PluginEntry| format!("{}: {}", entry.event, entry.kind);
        let said = entries.iter().map(one).collect::<Vec<_>>().join(", ");
        self.checked(FindingKind::Beside { noun: "plugin", said }, Vec::new());
    }

    fn later(&mut self, file: &Path) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        match later::read(&name, &self.text) {
            Err(fault) => self.wrong(&fault),
            Ok(found) => {
                let unread = match found.unread.as_slice() {
                    [] => "nothing in it decides anything".to_owned(),
                    keys => format!("not read: {}", keys.join(", ")),
                };
                let message = format!("{}: shown only; {unread}", found.what);
                let help = "sprag drives the `.gsd` of opti-gsd 0.6 to 0.8".to_owned();
                self.note(Code::LaterVersion, message, Some(help));
                let shown = found.shown.iter().map(|(key, value)| format!("{key} {value}"));
                let said = shown.collect::<Vec<_>>().join(", ");
                self.checked(FindingKind::Beside { noun: "later", said }, Vec::new());
            }
        }
    }

    fn checked(&mut self, kind: FindingKind, parts: Vec<GatedPart>) {
        let file = self.reader.shown.path(&self.file);
        self.findings.checked.push(Checked { file, kind, parts });
    }

    fn wrong(&mut self, fault: &Fault) {
        let pointed = Pointed::new(&self.text, fault);
        let said = self.reader.shown.pointed(Level::Error, Code::Document, &self.file, pointed);
        self.findings.complaints.push(said);
    }

    fn odd(&mut self, faults: &[Fault]) {
        for fault in faults {
            let pointed = Pointed::new(&self.text, fault);
            let said =
                self.reader.shown.pointed(Level::Warning, Code::Ignored, &self.file, pointed);
            self.findings.complaints.push(said);
        }
    }

    fn note(&mut self, code: Code, message: String, help: Option<String>) {
        let at = Some(Location { file: self.reader.shown.path(&self.file), spot: None });
        let level = Level::Warning;
        self.findings.complaints.push(Diagnostic { level, code, message, at, help });
    }
}

/// Summarizes a plan in one line: how many tasks it has, and which run together.
fn outline(plan: &Plan) -> String {
    let batches = schedule(plan);
    let ids = |run: &[usize]| {
        run.iter()
            .filter_map(|at| Some(plan.tasks.get(*at)?.id.as_str()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let together = batches.iter().map(|batch| ids(&batch.run)).collect::<Vec<_>>().join(", ");
    let waves = count(plan.waves(), "wave");
    format!("{} in {waves}: {together}", count(plan.tasks.len(), "task"))
}

/// Splits a text into lines, with any kind of line break.
fn lines(text: &str) -> Vec<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.contains('\n') {
        return text.split('\r').collect();
    }
    text.split('\n').map(|line| line.trim_end_matches('\r')).collect()
}
