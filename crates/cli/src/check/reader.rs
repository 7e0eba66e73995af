//! Reads and checks the targets.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use sprag_engine::gate::GateRunner;
use sprag_engine::validate::Pointed;
use sprag_engine::workflows::{self, Search};
use sprag_formats::workflow::{self, Loaded, Problem};
use sprag_formats::{Checks, Config, Fault, MAX_BYTES};
use sprag_store::Place;
use sprag_world::state_home;
use sprag_world::trust::{Belongs, Deed};

mod opti_gsd;

use super::findings::{Checked, FindingKind, Findings, GatedPart, held, open_end, parts};
use super::pull;
use super::shown::PathBases;
use super::sort;
use super::target::CheckTarget;
use super::tree;
use crate::codes::Code;
use crate::context::CommandContext;
use crate::diagnostic::Level;
use crate::env;
use crate::fault::EarlyExit;

/// The context of a check.
pub(super) struct CheckReader {
    place: Option<Place>,
    shown: PathBases,
    home: Option<PathBuf>,
    config: Option<OsString>,
    pi: Option<OsString>,
    deed: Deed,
    checks: Checks,
}

const CONFIG: &str = ".sprag/config.yaml";

impl CheckReader {
    pub(super) fn of(call: &CommandContext, target: &CheckTarget) -> Result<Self, EarlyExit> {
        let place = match target {
            CheckTarget::Project(place) => Some(place.clone()),
            CheckTarget::Tree(_)
            | CheckTarget::Tier(_)
            | CheckTarget::Workflow { .. }
            | CheckTarget::Phase(_)
            | CheckTarget::Config(_)
            | CheckTarget::Pull(_)
            | CheckTarget::OptiGsd(..) => call.place()?,
        };
        let home = env::get(env::HOME).map(PathBuf::from);
        let state = env::get(env::STATE_HOME);
        let folder = state_home::folder(state.as_deref(), home.as_deref());
        let agreed = |place: &Place| Belongs::of(place, folder.as_deref()).deed();
        let home = home.map(|home| std::fs::canonicalize(&home).unwrap_or(home));
        let base = place.as_ref().map_or(&call.folder, |place| &place.root);
        Ok(Self {
            shown: PathBases { base: base.clone(), home: home.clone() },
            checks: place.as_ref().map(checks).unwrap_or_default(),
            deed: place.as_ref().and_then(agreed).unwrap_or_default(),
            config: env::get(env::CONFIG_HOME),
            pi: env::get(env::PI_AGENT),
            place,
            home,
        })
    }

    pub(super) fn check(&self, target: &CheckTarget, findings: &mut Findings) {
        match target {
            CheckTarget::Project(place) => {
                let config = place.root.join(CONFIG);
                // A project without a configuration uses the defaults.
                if config.symlink_metadata().is_ok() {
                    self.config(&config, findings);
                }
                self.take(&workflows::load(&self.search()), "", "", findings);
                for folder in sort::doubled(&place.root) {
                    self.doubled(&folder, findings);
                }
                pull::of_project(&self.shown, &place.root, findings);
                for (file, sort) in sort::of_project(&place.root) {
                    self.opti_gsd(&file, sort, findings);
                }
                tree::check(&self.shown, &place.root, self.home.as_deref(), findings);
            }
            CheckTarget::Tree(root) => {
                tree::check(&self.shown, root, self.home.as_deref(), findings);
            }
            CheckTarget::Tier(tier) => {
                let (tiers, _) = workflows::open(&self.with(tier));
                let below = format!("{}/", tier.display());
                self.take(&workflow::load(&tiers), &below, &below, findings);
            }
            CheckTarget::Workflow { tier, key } => {
                let (tiers, _) = workflows::open(&self.with(tier));
                let below = format!("{}/{key}/", tier.display());
                self.take(&workflow::load_one(&tiers, key), &below, "", findings);
            }
            CheckTarget::Phase(file) => self.phase(file, findings),
            CheckTarget::Config(file) => self.config(file, findings),
            CheckTarget::Pull(file) => pull::check(&self.shown, file, findings),
            CheckTarget::OptiGsd(file, sort) => self.opti_gsd(file, *sort, findings),
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

    /// Returns the workflow folders, with `tier` as the one of highest precedence.
    fn with(&self, tier: &Path) -> Vec<PathBuf> {
        let mut folders = self.search().folders();
        folders.retain(|folder| std::fs::canonicalize(folder).is_ok_and(|real| real != tier));
        folders.push(tier.to_path_buf());
        folders
    }

    /// Adds the workflows whose files start with `below`, and the problems of files that start with
    /// `about`.
    fn take(&self, loaded: &Loaded, below: &str, about: &str, findings: &mut Findings) {
        for (key, definition) in loaded.definitions.iter() {
            let Some(source) = loaded.sources.get(key) else { continue };
            if !source.path.starts_with(below) {
                continue;
            }
            let digest = loaded.digest(key);
            findings.checked.push(Checked {
                file: self.shown.path(&source.path),
                kind: FindingKind::Workflow { key: key.to_owned(), digest },
                parts: parts(definition, &|argv| self.approved(argv)),
            });
            let end = open_end(definition).map(|end| self.shown.open_end(&source.path, end));
            findings.complaints.extend(end);
        }
        let ours = |problem: &&Problem| problem.file.starts_with(about);
        let said = loaded.problems.iter().filter(ours).map(|problem| self.shown.complaint(problem));
        findings.complaints.extend(said);
    }

    fn phase(&self, file: &Path, findings: &mut Findings) {
        let shown = file.display().to_string();
        let text = match read(file) {
            Ok(text) => text,
            Err(why) => {
                return findings.complaints.push(self.shown.unreadable(
                    Code::Definition,
                    &shown,
                    &why,
                ));
            }
        };
        let (phase, problems) = workflow::read_phase(&shown, &text);
        findings.checked.extend(phase.map(|phase| Checked {
            file: self.shown.path(&shown),
            kind: FindingKind::Phase,
            parts: vec![GatedPart::of(&phase, &|argv| self.approved(argv))],
        }));
        findings.complaints.extend(problems.iter().map(|problem| self.shown.complaint(problem)));
    }

    fn config(&self, file: &Path, findings: &mut Findings) {
        let shown = file.display().to_string();
        let text = match read(file) {
            Ok(text) => text,
            Err(why) => {
                return findings.complaints.push(self.shown.unreadable(
                    Code::Document,
                    &shown,
                    &why,
                ));
            }
        };
        let say = |fault: &Fault, level: Level, code: Code| {
            self.shown.pointed(level, code, &shown, Pointed::new(&text, fault))
        };
        match Config::read(&text, &sprag_hosts::names()) {
            Err(errors) => {
                let said = errors.iter().map(|fault| say(fault, Level::Error, Code::Document));
                findings.complaints.extend(said);
            }
            Ok((config, notes)) => {
                let said = notes.iter().map(|fault| say(fault, Level::Warning, Code::UnknownKey));
                findings.complaints.extend(said);
                let guard = config.guard.iter().map(|guard| GatedPart::Held {
                    name: "guard".to_owned(),
                    gates: held(&guard.gates, &|argv| self.approved(argv)),
                });
                findings.checked.push(Checked {
                    file: self.shown.path(&shown),
                    kind: FindingKind::Config,
                    parts: guard.collect(),
                });
            }
        }
    }

    /// Returns whether a command may run in this project; `None` outside a project.
    fn approved(&self, argv: &[String]) -> Option<bool> {
        let (place, checks) = (self.place.as_ref()?, self.checks);
        let bench = GateRunner { place, environment: &[], deed: &self.deed, checks, stop: None };
        Some(bench.may_run(argv))
    }
}

/// Returns the `checks` section of a project's configuration; errors in it are reported elsewhere.
fn checks(place: &Place) -> Checks {
    let text = read(&place.root.join(CONFIG)).unwrap_or_default();
    Config::read(&text, &sprag_hosts::names()).map(|(config, _)| config.checks).unwrap_or_default()
}

fn read(file: &Path) -> Result<String, String> {
    read_up_to(file, MAX_BYTES)
}

/// Reads a text of at most `most` bytes.
pub(super) fn read_up_to(file: &Path, most: usize) -> Result<String, String> {
    let opened = sprag_store::peek(file).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    opened.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > most {
        return Err(format!("it has more than {most} bytes"));
    }
    let not_text = |bad: std::string::FromUtf8Error| {
        format!("byte {} is not UTF-8", bad.utf8_error().valid_up_to())
    };
    String::from_utf8(bytes).map_err(not_text)
}
