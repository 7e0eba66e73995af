//! The run of an assignment that a driver works on: one unit, judged by the project's own gates,
//! those of `guard:`.
//!
//! Its id is made of the unit, the fence of the assignment and the project's own suffix. So each
//! assignment has exactly one run, even if drivers are killed and restarted. An agent that loses
//! the assignment loses the run too. And no other project has a run with this id whose agents could
//! pass for ours. The configuration at the beginning is stored beside the run: an agent that
//! changes the gates changes nothing for itself.

use std::time::Duration;

use sprag_core::event::RunStarted;
use sprag_core::guard::{Guard, Position};
use sprag_core::{BadId, Facts, Fence, Hash, Hold, Run, RunId, Signal, UnitId};
use sprag_formats::GuardConfig;
use sprag_store::{Edit, View};

use super::guard::{BASE, GuardRun, NO_TREE, definition, guarding};
use crate::attach::{WALL, deadline};
use crate::config;
use crate::draft::Draft;
use crate::drive::{ACTOR, begin_driven, inbox_settings};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::inbox::{self, Pulled};
use crate::kind::{AnyRun, Entry, Info, Kinds, Reading, check_kernel};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::runs;
use crate::run_file::{DefinitionOrigin, Header, RunFile, Source};
use crate::snapshot::{ConfigSnapshot, protected};
use crate::unusable::Unusable;

pub const INFO: Info = Info {
    word: "assignment",
    is_assigned: true,
    has_config: true,
    is_guarded: true,
    called: "the units of work that are assigned or open",
    one_session: true,
    ..BASE
};

pub static ENTRY: Entry = Entry { info: &INFO, open, check: check_kernel::<Position> };

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    Ok(Box::new(working(file.guard, file.kernel()?)))
}

/// How many characters of the unit's id the run's id contains, if there is room.
const UNIT: usize = 30;
/// How many characters of it the run's id contains at least.
const LEAST: usize = 16;
/// The length of an id, less the part that [`effect`](crate::drive::effect) adds to a run's id and a
/// fence.
const ROOM: usize = 64 - "e-r----".len();

/// Returns the common prefix of the ids of a unit's runs.
fn prefix(unit: &UnitId, length: usize) -> String {
    let unit: String = unit.as_str().chars().take(length).collect();
    format!("r-{unit}")
}

fn name(unit: &UnitId, fence: Fence, word: &str) -> Result<RunId, BadId> {
    let fence = fence.0.0.to_string();
    // The run's id contains the fence, and the id of its process contains it once more.
    let room = ROOM.saturating_sub(2 * fence.len() + word.len());
    RunId::parse(&format!("{}-{fence}-{word}", prefix(unit, room.min(UNIT))))
}

/// Returns the id of an assignment's run in this project.
fn named(view: &View<'_>, unit: &UnitId, fence: Fence) -> Result<RunId, EngineError> {
    let word = inbox_settings(view)?.word;
    Ok(name(unit, fence, word.as_deref().unwrap_or("none"))?)
}

/// Returns the fence in the id of an assignment's run; `None` for other ids.
pub(crate) fn fence_of(run: &RunId) -> Option<u64> {
    let (named, _) = run.as_str().strip_prefix("r-")?.rsplit_once('-')?;
    named.rsplit_once('-')?.1.parse().ok()
}

/// Returns whether an assignment's run is over, or `None` if there is no such run.
pub(crate) fn is_over(kinds: Kinds, view: &View<'_>, unit: &UnitId, fence: Fence) -> Option<bool> {
    let file = RunFile::open(kinds, view, &named(view, unit, fence).ok()?, None).ok()?;
    (file.live.info().is_assigned).then_some(file.header.ended.is_some())
}

/// Combines the project's gates with the run of an assignment.
fn working(guard: Option<&GuardConfig>, run: Run<Position>) -> GuardRun {
    let gates = guard.map_or(&[][..], |guard| &guard.gates);
    let mut held = guarding(&INFO, gates, guard.and_then(|guard| guard.retry), run);
    if let Some((_, unit)) = held.run.subject() {
        held.definition = held.definition.once(unit.clone());
    }
    held
}

impl Engine<'_> {
    /// Starts the run of an assignment, or resumes an interrupted one. Runs of the unit's earlier
    /// assignments end: their holders have lost it.
    pub fn start_assignment(&self, pulled: &Pulled) -> Result<RunId, EngineError> {
        let now = Now::new(self);
        self.commit(ACTOR, PATIENT, |view| {
            let id = named(view, &pulled.unit, pulled.fence)?;
            let mut draft = Draft::default();
            match OpenRun::open(self.kinds, view, &id) {
                Ok(mut case) => go_on(view, &mut case, &now, &mut draft)?,
                Err(EngineError::Run(Unusable::Absent(_))) => {
                    end_earlier(view, &pulled.unit, &now, &mut draft)?;
                    begin(view, &id, pulled, &now, &mut draft)?;
                }
                Err(other) => return Err(other),
            }
            Ok((draft, id))
        })
    }
}

/// Resumes a run whose driver was interrupted; the new driver implies consent.
fn go_on(
    view: &View<'_>,
    case: &mut OpenRun,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    if case.run.live.standing_hold(now.at) != Some(Hold::Interrupted) {
        return Ok(());
    }
    let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
    draft.tell(&case.run.id().clone(), case.run.live.step(&Signal::Resume, &facts)?);
    draft.run(&case.run)
}

/// Ends the runs of a unit's earlier assignments.
fn end_earlier(
    view: &View<'_>,
    unit: &UnitId,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let prefix = prefix(unit, LEAST);
    for id in runs(view)?.into_iter().filter(|id| id.as_str().starts_with(&prefix)) {
        let Ok(mut file) = RunFile::open(now.engine.kinds, view, &id, None) else { continue };
        let held = file.live.of::<GuardRun>();
        let subject = held.and_then(|held| held.run.subject());
        let is_of_unit = subject.is_some_and(|(_, known)| known == unit);
        if is_of_unit && file.header.ended.is_none() {
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            draft.tell(&file.id().clone(), file.live.step(&Signal::Cancel, &facts)?);
            file.header.ended = Some(now.at);
            file.header.notified = true;
            draft.run(&file)?;
        }
    }
    Ok(())
}

fn begin(
    view: &View<'_>,
    id: &RunId,
    pulled: &Pulled,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let (law, text) = ConfigSnapshot::of_new(view, now)?;
    let guard = law.config.guard.as_ref();
    let gates = guard.map_or(&[][..], |guard| &guard.gates);
    let judged = definition(gates, guard.and_then(|guard| guard.retry));
    let position = Position::new(Hash::of(NO_TREE), &[]);
    let wall: Duration = law.config.limits.wall.unwrap_or(WALL);
    let run = Run::new::<Guard>(id.clone(), &judged, position)
        .on(inbox::run()?, pulled.unit.clone())
        .until(deadline(now.at, wall));
    let path = config::path()?.to_string();
    let mut header =
        Header::new(Source::of(&ENTRY), DefinitionOrigin { path, digest: law.digest }, now.at);
    header.task = Some(inbox::told(view, pulled, now.at)?);
    header.protected = protected(now, gates)?;
    let (unit, agent) = (Some(pulled.unit.to_string()), Some(pulled.agent.to_string()));
    draft.note(Some(id), RunStarted { unit, agent, ..RunStarted::of("assignment") });
    if let Some(text) = text {
        draft.edit(Edit::Write { doc: config::copy_path(id)?, text });
    }
    let mut file = RunFile::new(header, Box::new(working(guard, run)));
    // It has the settings of the inbox driver, also if it is resumed alone.
    let how = inbox_settings(view)?.how.unwrap_or_default();
    begin_driven(&mut file, &how, now, view, draft)?;
    draft.run(&file)
}

#[cfg(test)]
mod tests {
    use sprag_core::Seq;

    use super::*;

    #[test]
    fn the_name_of_a_run_says_which_assignment_it_is_of_and_fits_however_long_the_unit() {
        for unit in ["gt-abc12", &"x".repeat(64), "T01.1"] {
            let unit = UnitId::parse(unit).unwrap();
            for fence in [3, u64::from(u32::MAX), 1_794_977_895_768_005, Seq::MAX.0] {
                let fence = Fence(Seq(fence));
                let run = name(&unit, fence, "7k2m9x").unwrap();
                assert_eq!(fence_of(&run), Some(fence.0.0), "{run}");
                assert!(run.as_str().starts_with(&prefix(&unit, LEAST)), "{run}");
                crate::drive::effect(&run, fence).unwrap();
            }
        }
        {
            // The form that earlier versions used.
            let unit = UnitId::parse(&"x".repeat(64)).unwrap();
            let run = name(&unit, Fence(Seq(388)), "7k2m9x").unwrap();
            assert_eq!(run.as_str(), format!("r-{}-388-7k2m9x", "x".repeat(30)));
        }
        let other = ["r-7k2m", "r-1234", "r-u1-9", "init"].map(|name| RunId::parse(name).unwrap());
        assert_eq!(other.map(|run| fence_of(&run)), [None; 4]);
    }
}
