//! Reads what is to be checked and turns every problem into a complaint with its place.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use sprag_engine::gate::Bench;
use sprag_engine::strict::Pointed;
use sprag_engine::trust::{self, Trust};
use sprag_engine::workflows::{self, Search};
use sprag_formats::workflow::{self, Loaded, Problem, Weight};
use sprag_formats::{Checks, Config, Fault, MAX_BYTES};
use sprag_store::Place;

use super::findings::{Checked, Findings, Kind, Part, held, parts};
use super::target::Target;
use crate::call::Call;
use crate::codes::Code;
use crate::diagnostic::{At, Diagnostic, Level, Spot};
use crate::env;
use crate::fault::Stop;

/// What a check goes by.
pub(super) struct Reader {
    place: Option<Place>,
    /// What paths are shown from.
    base: PathBuf,
    home: Option<PathBuf>,
    config: Option<OsString>,
    pi: Option<OsString>,
    trust: Trust,
    checks: Checks,
}

const CONFIG: &str = ".sprag/config.yaml";

impl Reader {
    pub(super) fn of(call: &Call, target: &Target) -> Result<Self, Stop> {
        let place = match target {
            Target::Project(place) => Some(place.clone()),
            Target::Tier(_) | Target::Workflow { .. } | Target::Phase(_) | Target::Config(_) => {
                call.place()?
            }
        };
        let home = env::get(env::HOME).map(PathBuf::from);
        let state = env::get(env::STATE_HOME);
        let folder = trust::folder(state.as_deref(), home.as_deref());
        Ok(Self {
            checks: place.as_ref().map(checks).unwrap_or_default(),
            base: place.as_ref().map_or(&call.folder, |place| &place.root).clone(),
            place,
            trust: folder.map(|folder| Trust::read(&folder)).unwrap_or_default(),
            home: home.map(|home| std::fs::canonicalize(&home).unwrap_or(home)),
            config: env::get(env::CONFIG_HOME),
            pi: env::get(env::PI_AGENT),
        })
    }

    /// Checks one target.
    pub(super) fn check(&self, target: &Target, findings: &mut Findings) {
        match target {
            Target::Project(place) => {
                let config = place.root.join(CONFIG);
                // A project without one has every default.
                if config.symlink_metadata().is_ok() {
                    self.config(&config, findings);
                }
                self.take(&workflows::load(&self.search()), "", "", findings);
            }
            Target::Tier(tier) => {
                let (tiers, _) = workflows::open(&self.with(tier));
                let below = format!("{}/", tier.display());
                self.take(&workflow::load(&tiers), &below, &below, findings);
            }
            Target::Workflow { tier, key } => {
                let (tiers, _) = workflows::open(&self.with(tier));
                let below = format!("{}/{key}/", tier.display());
                self.take(&workflow::load_one(&tiers, key), &below, "", findings);
            }
            Target::Phase(file) => self.phase(file, findings),
            Target::Config(file) => self.config(file, findings),
        }
    }

    fn search(&self) -> Search<'_> {
        Search {
            root: self.place.as_ref().map(|place| place.root.as_path()),
            home: self.home.as_deref(),
            config: self.config.as_deref(),
            pi: self.pi.as_deref(),
        }
    }

    /// Returns the folders of workflows, with this one above all others.
    fn with(&self, tier: &Path) -> Vec<PathBuf> {
        let mut folders = self.search().folders();
        folders.retain(|folder| std::fs::canonicalize(folder).is_ok_and(|real| real != tier));
        folders.push(tier.to_path_buf());
        folders
    }

    /// Takes in the workflows whose files begin with `below`, and the problems of files that begin
    /// with `about`.
    fn take(&self, loaded: &Loaded, below: &str, about: &str, findings: &mut Findings) {
        for (key, definition) in loaded.definitions.iter() {
            let Some(source) = loaded.sources.get(key) else { continue };
            if !source.path.starts_with(below) {
                continue;
            }
            let digest = loaded.digest(key);
            findings.checked.push(Checked {
                file: self.shown(&source.path),
                kind: Kind::Workflow { key: key.to_owned(), digest },
                parts: parts(definition, &|argv| self.approved(argv)),
            });
        }
        let ours = |problem: &&Problem| problem.file.starts_with(about);
        let said = loaded.problems.iter().filter(ours).map(|problem| self.complaint(problem));
        findings.complaints.extend(said);
    }

    fn phase(&self, file: &Path, findings: &mut Findings) {
        let shown = file.display().to_string();
        let text = match read(file) {
            Ok(text) => text,
            Err(why) => {
                return findings.complaints.push(self.unreadable(Code::Definition, &shown, &why));
            }
        };
        let (phase, problems) = workflow::read_phase(&shown, &text);
        findings.checked.extend(phase.map(|phase| Checked {
            file: self.shown(&shown),
            kind: Kind::Phase,
            parts: vec![Part::of(&phase, &|argv| self.approved(argv))],
        }));
        findings.complaints.extend(problems.iter().map(|problem| self.complaint(problem)));
    }

    fn config(&self, file: &Path, findings: &mut Findings) {
        let shown = file.display().to_string();
        let text = match read(file) {
            Ok(text) => text,
            Err(why) => {
                return findings.complaints.push(self.unreadable(Code::Document, &shown, &why));
            }
        };
        let say = |fault: &Fault, level: Level, code: Code| {
            let at = Pointed::new(&text, fault);
            let spot = Spot { line: at.line, column: at.column, text: at.text };
            let at_file = Some(At { file: self.shown(&shown), spot: Some(spot) });
            Diagnostic { level, code, message: at.why, at: at_file, help: at.help }
        };
        match Config::read(&text) {
            Err(errors) => {
                let said = errors.iter().map(|fault| say(fault, Level::Error, Code::Document));
                findings.complaints.extend(said);
            }
            Ok((config, notes)) => {
                let said = notes.iter().map(|fault| say(fault, Level::Warning, Code::UnknownKey));
                findings.complaints.extend(said);
                let guard = config.guard.iter().map(|guard| Part::Held {
                    name: "guard".to_owned(),
                    gates: held(&guard.gates, &|argv| self.approved(argv)),
                });
                findings.checked.push(Checked {
                    file: self.shown(&shown),
                    kind: Kind::Config,
                    parts: guard.collect(),
                });
            }
        }
    }

    /// Returns whether a command may run in this project.
    fn approved(&self, argv: &[String]) -> Option<bool> {
        let (place, checks) = (self.place.as_ref()?, self.checks);
        let bench = Bench { place, environment: &[], trust: &self.trust, checks };
        Some(bench.may_run(argv))
    }

    fn complaint(&self, problem: &Problem) -> Diagnostic {
        let (level, code) = match problem.weight {
            Weight::Rejects | Weight::Also => (Level::Error, Code::Definition),
            Weight::Warns => (Level::Warning, Code::Ambiguous),
            Weight::Ignores => (Level::Warning, Code::Ignored),
            Weight::Notes => (Level::Warning, Code::UnknownKey),
        };
        let spot = problem.line.as_ref().map(|line| Spot {
            line: problem.place.line,
            column: problem.place.col,
            text: line.clone(),
        });
        Diagnostic {
            level,
            code,
            message: self.short(&problem.text),
            at: Some(At { file: self.shown(&problem.file), spot }),
            help: problem.help.clone(),
        }
    }

    fn unreadable(&self, code: Code, file: &str, why: &str) -> Diagnostic {
        let at = Some(At { file: self.shown(file), spot: None });
        let message = format!("it cannot be read: {why}");
        Diagnostic { level: Level::Error, code, message, at, help: None }
    }

    /// Returns a path as people know it.
    fn shown(&self, path: &str) -> String {
        let below = |base: &Path| path.strip_prefix(base.to_str()?)?.strip_prefix('/');
        if let Some(below) = below(&self.base) {
            return below.to_owned();
        }
        let home = self.home.as_deref().and_then(below);
        home.map_or_else(|| path.to_owned(), |below| format!("~/{below}"))
    }

    /// Shortens the paths inside a message.
    fn short(&self, message: &str) -> String {
        let mut message = message.to_owned();
        for (base, short) in [(Some(self.base.as_path()), ""), (self.home.as_deref(), "~/")] {
            if let Some(base) = base.and_then(Path::to_str).filter(|base| base.len() > 1) {
                message = message.replace(&format!("{base}/"), short);
            }
        }
        message
    }
}

/// Returns what a project's configuration says of commands; a wrong one is complained about
/// elsewhere.
fn checks(place: &Place) -> Checks {
    let text = read(&place.root.join(CONFIG)).unwrap_or_default();
    Config::read(&text).map(|(config, _)| config.checks).unwrap_or_default()
}

fn read(file: &Path) -> Result<String, String> {
    let opened = sprag_store::peek(file).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let most = MAX_BYTES as u64;
    opened.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > MAX_BYTES {
        return Err(format!("it has more than {MAX_BYTES} bytes"));
    }
    let not_text = |bad: std::string::FromUtf8Error| {
        format!("byte {} is not UTF-8", bad.utf8_error().valid_up_to())
    };
    String::from_utf8(bytes).map_err(not_text)
}
