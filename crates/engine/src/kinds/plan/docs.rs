//! Finds and reads the documents of a plan.

use sprag_core::plan::{
    Beside, CheckDecision, ChecksRun, CiStage, LoopBaseline, LoopState, Plan, Settings, Stage,
    TurnOrigin, weigh,
};
use sprag_core::{BadPath, Check, DocPath, Hash, Hold, Plain, SessionId, Time};
use sprag_formats::{Checks, words};
use sprag_store::{Doc, Listing, Place, Store, StoreError, View};
use sprag_world::clock;

use crate::integrity::in_force;
use crate::run_file::Unusable;

/// The folder of opti-gsd's documents.
pub(crate) const FOLDER: &str = ".gsd";
/// The document with the state of the loop.
pub(crate) const STATE: &str = ".gsd/STATE.md";
/// The settings of plans.
pub(crate) const CONFIG: &str = ".gsd/config.md";
/// The list of phases with their states.
pub(crate) const ROADMAP: &str = ".gsd/ROADMAP.md";
pub(crate) const PLANS: &str = ".gsd/plans";

/// The documents of a plan's run, as they were read.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanDocs {
    /// The folder of the plan.
    pub folder: String,
    /// The digest of the plan and its commands when they were read.
    pub digest: Hash,
    /// The plain form in the run's own file.
    pub(crate) own: Plain,
    /// The hold set because the plan's text changed. It is not stored and lasts while the texts
    /// differ.
    pub(crate) drifted: Option<Hold>,
    /// The text of `STATE.md`, if it exists.
    pub(crate) state: Option<String>,
    /// The loop's state in that text.
    pub(crate) read: LoopState,
    /// The state that the run continues from. It leaves out other runs' counters and fields that an
    /// agent set in its turn.
    pub(crate) base: LoopState,
    /// The fields that agents may not decide during their turn.
    pub(crate) turn: PlanTurn,
    /// The text of `ROADMAP.md`.
    pub(crate) roadmap: Option<String>,
    /// The plan's stage.
    pub(crate) stage: Stage,
    /// The number of finished tasks.
    pub(crate) done: usize,
    /// When they were read.
    pub(crate) at: Time,
    /// Whether the loop in `STATE.md` belongs to another run; then we must not write it.
    pub(crate) elsewhere: bool,
}

/// The fields of `STATE.md` that agents of a driven loop may not decide.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PlanTurn {
    /// The values stored in `run.yaml`; `None` while no agent has the turn.
    pub(crate) kept: Option<LoopBaseline>,
    /// Whether an agent has the turn from now on.
    pub(crate) is_open: bool,
    /// The values of the document besides the loop's.
    pub(crate) beside: Beside,
}

impl PlanTurn {
    /// Combines the stored values with the current document.
    pub(crate) fn new(kept: Option<LoopBaseline>, text: Option<&str>) -> Self {
        let is_open = kept.is_some();
        let beside = text.map(sprag_formats::plan::state::beside).unwrap_or_default();
        Self { kept, is_open, beside }
    }

    /// Returns the loop's state without changes that do not count.
    pub(crate) fn count(&self, read: &LoopState) -> LoopState {
        let Some(kept) = &self.kept else { return read.clone() };
        let now = LoopBaseline { state: read.clone(), beside: self.beside.clone() };
        weigh(kept, &now, TurnOrigin::Driven).kept.state
    }

    /// Returns the other values without changes that do not count.
    pub(crate) fn counted_beside(&self) -> &Beside {
        self.kept.as_ref().map_or(&self.beside, |kept| &kept.beside)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct LocatedPlan {
    pub(crate) folder: String,
    pub(crate) text: String,
    pub(crate) plan: Plan,
}

pub(crate) fn path(text: &str) -> Result<DocPath, BadPath> {
    DocPath::parse(text)
}

/// Reads a document, if it exists.
pub(crate) fn read(view: &View<'_>, text: &str) -> Result<Option<String>, Unusable> {
    let path = path(text)?;
    let doc = view.read(&path);
    text_of(path, doc)
}

/// Reads the text in force of a document that a plan is judged by.
fn read_in_force(view: &View<'_>, text: &str) -> Result<Option<String>, Unusable> {
    let path = path(text)?;
    let doc = in_force::document(view, &path);
    text_of(path, doc)
}

fn text_of(path: DocPath, doc: Doc) -> Result<Option<String>, Unusable> {
    match doc {
        Doc::Text(text) => Ok(Some(text)),
        Doc::Absent => Ok(None),
        Doc::Unknown(why) => Err(Unusable::Unreadable { path, why }),
    }
}

/// Reads `STATE.md` and parses the loop's state.
pub(crate) fn state(view: &View<'_>) -> Result<(Option<String>, Option<LoopState>), Unusable> {
    let Some(text) = read(view, STATE)? else { return Ok((None, None)) };
    let found = sprag_formats::plan::state::read(&text);
    let found = found.map_err(|fault| Unusable::Definition {
        path: STATE.to_owned(),
        why: format!("loop state unreadable: {fault}"),
    })?;
    Ok((Some(text), found))
}

/// Returns whether a project has an active loop, or one whose state cannot be read and must be
/// reported.
pub fn is_under_way(place: &Place) -> bool {
    // Most folders have no such file, and then no store is opened.
    if place.root.join(STATE).symlink_metadata().is_err() {
        return false;
    }
    let look = |view: &View<'_>| Ok::<_, StoreError>(state(view));
    let found = Store::open(place, clock::first()).and_then(|store| store.read(look));
    match found {
        Ok(Ok((_, state))) => state.is_some_and(|state| state.active && !state.completed),
        Ok(Err(_)) | Err(_) => true,
    }
}

/// Reads the settings; without the file they have their defaults.
pub(crate) fn settings(view: &View<'_>) -> Result<Settings, Unusable> {
    let Some(text) = read_in_force(view, CONFIG)? else { return Ok(Settings::default()) };
    let read = sprag_formats::plan::config::read(&text);
    let read = read.map_err(|fault| Unusable::Wrong(Box::new(fault.in_file(CONFIG))))?;
    Ok(read.0)
}

/// Returns where the plan of a phase may be.
pub(crate) fn plan_files(phase: Option<&str>) -> impl Iterator<Item = String> {
    let names = phase.map(sprag_formats::plan::roadmap::folders).into_iter().flatten();
    names.map(|name| format!("{PLANS}/{name}/plan.md"))
}

/// Finds the plan of a phase, under either spelling of its folder.
pub(crate) fn find(view: &View<'_>, phase: &str) -> Result<LocatedPlan, Unusable> {
    let names = sprag_formats::plan::roadmap::folders(phase);
    let mut found = Vec::new();
    for name in &names {
        let folder = format!("{PLANS}/{name}");
        if found.iter().any(|(known, _)| *known == folder) {
            continue;
        }
        if let Some(text) = read_in_force(view, &format!("{folder}/plan.md"))? {
            found.push((folder, text));
        }
    }
    let wrong = |path: &str, why: String| Unusable::Definition { path: path.to_owned(), why };
    let (folder, text) = match found.as_slice() {
        [] => return Err(wrong(PLANS, format!("phase {phase} has no plan.md"))),
        [one] => one.clone(),
        [one, other, ..] => {
            let why = format!("`{}` and `{}` are both phase {phase}", one.0, other.0);
            return Err(wrong(PLANS, why));
        }
    };
    let file = format!("{folder}/plan.md");
    let plan = sprag_formats::plan::parse(&text).map_err(|problems| {
        let all: Vec<_> = problems.iter().map(ToString::to_string).collect();
        wrong(&file, all.join("; "))
    })?;
    Ok(LocatedPlan { folder, text, plan })
}

/// Returns the phases that have a folder, in order.
pub(crate) fn phases(view: &View<'_>) -> Result<Vec<String>, Unusable> {
    let folder = path(PLANS)?;
    let names = match view.list(&folder) {
        Listing::Names(names) => names,
        Listing::Absent => Vec::new(),
        Listing::Unknown(why) => return Err(Unusable::Unreadable { path: folder, why }),
    };
    let number = |name: &String| -> Option<(u32, u32, String)> {
        let text = name.strip_prefix("phase-")?;
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let (whole, part): (u32, u32) = (whole.parse().ok()?, part.parse().ok()?);
        let shown = if text.contains('.') { format!("{whole}.{part}") } else { whole.to_string() };
        Some((whole, part, shown))
    };
    let mut found: Vec<_> = names.iter().filter_map(number).collect();
    found.sort();
    found.dedup();
    Ok(found.into_iter().map(|(_, _, shown)| shown).collect())
}

/// Returns whether the folder is also used by GSD: then `STATE.md` may be GSD's own.
pub(crate) fn is_of_gsd(view: &View<'_>) -> Result<bool, Unusable> {
    if view.list(&path(".gsd/milestones")?) != Listing::Absent {
        return Ok(true);
    }
    // A database is not text, but a failure to read it shows that it exists.
    let files = [".gsd/PREFERENCES.md", ".gsd/gsd.db"];
    for file in files {
        if view.read(&path(file)?) != Doc::Absent {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the CI commands as argument lists. They are a person's own, so one that needs a shell
/// gets one.
pub(crate) fn ci(settings: &Settings) -> Vec<(CiStage, Vec<String>)> {
    let argv =
        |line: &str| words(line).unwrap_or_else(|_| ["sh", "-c", line].map(str::to_owned).to_vec());
    settings.ci.iter().map(|(stage, line)| (*stage, argv(line))).collect()
}

/// Converts the checks of a plan to checks that can be decided here. Commands count only if they
/// may run, and a file named by its ending only if exactly one file matches.
pub(crate) fn decide(plan: &mut Plan, may_run: bool, files: &dyn Fn() -> Vec<String>) {
    let mut known = None;
    for check in plan.tasks.iter_mut().flat_map(|task| &mut task.checks) {
        let decided = match &check.decision {
            CheckDecision::Gate(Check::Run { .. }) if !may_run => {
                CheckDecision::Claim { why: "commands of plans do not run here".to_owned() }
            }
            CheckDecision::Ending { ending, has } => {
                ended(known.get_or_insert_with(files), ending, has)
            }
            CheckDecision::Gate(_) | CheckDecision::Claim { .. } => continue,
        };
        check.decision = decided;
    }
}

fn ended(files: &[String], ending: &str, has: &[String]) -> CheckDecision {
    let below = format!("/{ending}");
    let is_it = |name: &&String| *name == ending || name.ends_with(&below);
    let mut found = files.iter().filter(is_it);
    let path = match (found.next(), found.next()) {
        (Some(one), None) => DocPath::parse(one).ok(),
        (None | Some(_), _) => None,
    };
    let Some(path) = path else {
        let why = format!("no file, or more than one, ends with `{ending}`");
        return CheckDecision::Claim { why };
    };
    let content = |has: &String| Check::Content { path: path.clone(), has: has.clone() };
    match has {
        [one] => CheckDecision::Gate(content(one)),
        several => CheckDecision::Gate(Check::All { of: several.iter().map(content).collect() }),
    }
}

/// Returns whether commands of plans may run: the stricter of both settings counts.
pub(crate) fn may_run(settings: &Settings, checks: Checks) -> bool {
    checks != Checks::Never && settings.checks_run != Some(ChecksRun::Never)
}

/// Returns the host's own id of a session, as far as the session's name contains it.
pub(crate) fn own_id(session: &SessionId) -> &str {
    let name = session.as_str();
    name.split_once('-').map_or(name, |(_, id)| id)
}

/// Returns whether `text` is the host's own id of a session.
pub(crate) fn is_session(text: &str, session: &SessionId) -> bool {
    let own = own_id(session);
    own == text || own == format!("_{}", Hash::of(text).short(40))
}
