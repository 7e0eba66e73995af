//! The watch: checks every assignment and acts on those that stall.
//!
//! It reads without a lock and writes only if it acts, so watching a thousand agents costs a
//! thousand small reads. Its counters are in `.sprag/agents/watch/`, separate from the file whose
//! time is the agent's sign of life. It never takes work away.

use std::collections::BTreeMap;

use sprag_core::event::AssignmentWatched;
use sprag_core::inbox::{Act, AssignmentStatus, Patience, Sight, Watched, Who};
use sprag_core::{Agent, Attempt, DocPath, Fence, Hash, Hold, SessionId, Stored as _, Time};
use sprag_formats::chipset::Letter;
use sprag_store::View;
use sprag_world::clock;

use super::assign::note_adoption;
use super::assignment_files::{AssignmentFiles, read_ours, write_ours};
use super::board::agents;
use super::post::post;
use super::{nudge, paths, run};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::now::Now;
use crate::session;

/// The author of the watch's messages.
const WITNESS: &str = "witness";

/// One action of the watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    pub agent: Agent,
    /// The action.
    pub said: String,
    /// Whether a person is needed.
    pub person: bool,
}

/// The modification times of a folder's files.
type Beats = BTreeMap<String, Time>;

/// One round of the watch.
struct Round<'e> {
    now: Now<'e>,
    beats: (Beats, Beats),
    patience: &'e Patience,
}

impl Engine<'_> {
    /// Checks every assignment once. Unreadable ones are reported and not judged.
    pub fn patrol(&self, patience: &Patience) -> Result<(Vec<Done>, Vec<String>), EngineError> {
        let (mut done, mut trouble) = (Vec::new(), Vec::new());
        let (all, beats) = self.look(|view| Ok((agents(view)?, self.beats()?)))?;
        // The files are scanned once for all agents, and only if needed.
        let round = Round { now: Now::new(self), beats, patience };
        let judged = self.look(|view| {
            let due = all.iter().map(|agent| self.due(view, agent, &round));
            Ok(due.collect::<Vec<Result<bool, EngineError>>>())
        })?;
        for (agent, due) in all.iter().zip(judged) {
            let acted = due.and_then(|due| if due { self.act(agent, &round) } else { Ok(None) });
            match acted {
                Ok(one) => done.extend(one),
                // An error about one agent must not hide the others.
                Err(EngineError::Unreadable { path, why }) => {
                    trouble.push(format!("{path}: {why}"));
                }
                Err(other) => return Err(other),
            }
        }
        Ok((done, trouble))
    }

    fn beats(&self) -> Result<(Beats, Beats), EngineError> {
        let of = |folder: &str| -> Result<Beats, EngineError> {
            Ok(self.store.seen(&DocPath::parse(folder)?)?.into_iter().collect())
        };
        Ok((of(".sprag/agents")?, of(session::FOLDER)?))
    }

    /// Returns whether there is anything to count or to do.
    fn due(&self, view: &View<'_>, agent: &Agent, round: &Round<'_>) -> Result<bool, EngineError> {
        let seat = AssignmentFiles::load(view, agent, None, clock::now())?;
        let (_, watched) = read_ours::<Watched>(view, &path(agent)?)?;
        let Some(sight) = self.sight(&seat, &watched, round)? else { return Ok(false) };
        let (counted, act) = watched.judge(&sight, round.patience);
        Ok(counted != watched || act.is_some())
    }

    /// Updates the counters and acts, in one commit.
    fn act(&self, agent: &Agent, round: &Round<'_>) -> Result<Option<Done>, EngineError> {
        self.commit(WITNESS, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut seat = AssignmentFiles::load(view, agent, None, clock::now())?;
            if seat.adopted {
                // The counters belong to an attempt, so it must have a fence.
                note_adoption(&seat, &mut draft)?;
                seat.save(&mut draft)?;
            }
            let (text, watched) = read_ours::<Watched>(view, &path(agent)?)?;
            let Some(sight) = self.sight(&seat, &watched, round)? else {
                return Ok((draft, None));
            };
            let (counted, act) = watched.judge(&sight, round.patience);
            let before = text.as_ref().map_or(sprag_core::Plain::Null, |_| watched.lower());
            write_ours(&path(agent)?, &(text, before), &counted.lower(), &mut draft)?;
            let unit = seat.slice.slot().unit().map_or_else(String::new, ToString::to_string);
            let done = act.map(|act| perform(view, agent, &unit, &act, &mut draft)).transpose()?;
            Ok((draft, done))
        })
    }

    fn sight(
        &self,
        seat: &AssignmentFiles,
        watched: &Watched,
        round: &Round<'_>,
    ) -> Result<Option<Sight>, EngineError> {
        let Some(attempt) = seat.slice.attempt() else { return Ok(None) };
        let (agents, sessions) = &round.beats;
        let (status, now) = (seat.slice.slot().status(), round.now.at);
        if !matches!(status, AssignmentStatus::Pending | AssignmentStatus::Active) {
            return Ok(None);
        }
        let own = agents.get(&format!("{}.json", seat.slice.agent()));
        let of_session = |id: &SessionId| session::among(sessions, id);
        let beat = attempt.session().and_then(of_session).max(own).copied();
        let waits = attempt.hold().is_some_and(|hold| hold.stands(now));
        let looks = status == AssignmentStatus::Active && !waits;
        let (fence, unit) = (attempt.fence(), attempt.unit().clone());
        let mark = if looks && watched.wants_mark(fence, now, round.patience) {
            Some(self.mark(attempt, &round.now)?)
        } else {
            None
        };
        // An agent without a sign of life counts from the first look.
        let beat = beat.unwrap_or(now);
        Ok(Some(Sight { fence, unit, status, waits, beat, mark, now }))
    }

    /// Returns the progress mark of the work: the files and its branch.
    fn mark(&self, attempt: &Attempt, now: &Now<'_>) -> Result<Hash, EngineError> {
        let tree = now.tree()?.hash();
        let branch = super::assign::branch(attempt.unit());
        let head = self.place.common.as_ref().map(|common| {
            std::fs::read_to_string(common.join("refs/heads").join(branch)).unwrap_or_default()
        });
        Ok(Hash::of(format!("{tree} {}", head.unwrap_or_default())))
    }
}

/// Performs an action of the watch.
fn perform(
    view: &View<'_>,
    agent: &Agent,
    unit: &str,
    act: &Act,
    draft: &mut Draft,
) -> Result<Done, EngineError> {
    let now = clock::now();
    let (said, mail, person) = match act {
        Act::Nudge => (format!("HEALTH_CHECK: {agent} is silent on {unit}"), None, false),
        Act::Alert => (format!("STALL_ALERT: {agent} is silent on {unit}"), Some(WITNESS), false),
        Act::Restart { number } => {
            let said = format!(
                "RESTART_REQUEST: {agent} is silent on {unit}. Restart #{number} of {}.",
                Patience::USUAL.restarts
            );
            (said, Some("mayor"), false)
        }
        Act::Escalate { why } => {
            (format!("HUMAN_ESCALATION: {agent}, {unit}: {why}"), Some("mayor"), true)
        }
    };
    if matches!(act, Act::Nudge | Act::Alert) {
        let one = nudge::new(WITNESS, "health_check", &said, true, now);
        nudge::send(view, agent, &one, draft)?;
    }
    if let Some(to) = mail {
        let letter = Letter {
            from: Who::Agent(Agent::parse(WITNESS)?).name().to_owned(),
            to: to.to_owned(),
            kind: "health_escalation".to_owned(),
            subject: said.clone(),
            body: String::new(),
            priority: if person { "urgent" } else { "normal" }.to_owned(),
        };
        post(view, &letter, now, &mut Vec::new(), draft)?;
    }
    let watched = AssignmentWatched { agent: agent.to_string(), said: said.clone() };
    draft.note(Some(&run()?), watched);
    Ok(Done { agent: agent.clone(), said, person })
}

/// Returns the hold that the watch reported to a person, while it lasts.
pub(super) fn told(view: &View<'_>, agent: &Agent, fence: Option<Fence>) -> Option<Hold> {
    // The watch itself reports unreadable counters.
    let (_, watched) = read_ours::<Watched>(view, &path(agent).ok()?).ok()?;
    let what = watched.why().filter(|_| fence.is_some() && watched.fence == fence)?;
    Some(Hold::NoProgress { what: what.into() })
}

/// Records that a person has looked at the report.
pub(super) fn answered(
    view: &View<'_>,
    agent: &Agent,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let (text, watched) = read_ours::<Watched>(view, &path(agent)?)?;
    if watched.why().is_none() {
        return Ok(());
    }
    let kept = (text, watched.lower());
    write_ours(&path(agent)?, &kept, &watched.answered().lower(), draft)
}

fn path(agent: &Agent) -> Result<DocPath, EngineError> {
    Ok(DocPath::parse(&format!("{}/watch/{agent}.json", paths::OURS))?)
}
