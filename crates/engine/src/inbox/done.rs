//! `done`: commits work, pushes it, and hands it in.
//!
//! The push is the point of no return. Everything after it is one commit: the claim, the unit, the
//! merge request, the mail. If `done` is killed before that commit, it can simply run again. It
//! never removes a branch or a worktree.

use sprag_core::inbox::{Refusal, Slot, Verb, Who, WorkState};
use sprag_core::{Agent, Time, UnitId};
use sprag_formats::chipset::{AgentFile, Letter, MergeRequest, WorkFile};
use sprag_store::View;
use sprag_world::clock;

use super::assign::{Sent, branch, retire};
use super::assignment_files::{AssignmentFiles, put, text, wrong};
use super::git::Folder;
use super::own::{ClaimedHolder, report};
use super::paths;
use super::post::post;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError};

/// The target branch of merge requests.
const TARGET: &str = "main";

impl Engine<'_> {
    /// Hands in an agent's work.
    pub fn agent_done(
        &self,
        agent: &Agent,
        held: ClaimedHolder<'_>,
        who: &Who,
    ) -> Result<Sent, EngineError> {
        who.may(Verb::Complete, agent)?;
        let work = self.look(|view| valid(view, agent, held))?;
        let branch = branch(&work.unit);
        let place = match Folder::of(self) {
            Some(folder) => {
                let place = self.bring(folder, agent, &work, &branch, who)?;
                format!(", {branch} is in {place}")
            }
            None => String::new(),
        };
        self.decide(agent, who, |at| {
            let events = at.seat.slice.hand_in(held.session, held.fence, &at.facts)?;
            at.settle(events)?;
            hand_in(at.view, agent, &work, &branch, at.facts.now, &mut at.draft)?;
            Ok(at.sent(format!("{agent}: {} is done{place}", work.unit)))
        })
    }

    /// Commits and pushes. If that fails, the dispatcher gets mail and the work stays active.
    fn bring(
        &self,
        folder: Folder<'_>,
        agent: &Agent,
        work: &WorkFile,
        branch: &str,
        who: &Who,
    ) -> Result<String, EngineError> {
        let brought = || {
            let folder = folder.home_of(branch, work.unit.as_str())?;
            if folder.is_dirty()? {
                if folder.branch()?.as_deref() != Some(branch) {
                    return Err(EngineError::Refused {
                        what: format!("something is not committed, and this is not `{branch}`"),
                        help: "commit what belongs to the work, then try again".to_owned(),
                    });
                }
                folder.commit(&format!("{}: {}", work.unit, work.title))?;
            }
            folder.push(branch)
        };
        brought().inspect_err(|error| {
            let subject = format!("FAILED: {} is not pushed", work.unit);
            let kind = "health_escalation".to_owned();
            let letter = Letter { kind, ..report(agent, &subject, &error.to_string()) };
            // The returned error reports the failure as well.
            let _ = self.mail_send(&letter, None, who);
        })
    }
}

/// Checks without a change that the work can be handed in. The messages are the original's.
fn valid(view: &View<'_>, agent: &Agent, held: ClaimedHolder<'_>) -> Result<WorkFile, EngineError> {
    let mut seat = AssignmentFiles::load(view, agent, None, clock::now())?;
    let refused = |why: String| {
        Err(EngineError::Refused { what: why, help: "`sprag agent ls` shows it".to_owned() })
    };
    if !seat.slice.touch(held.session, held.fence)? {
        return refused(format!("No active hook for agent {agent}"));
    }
    let Slot::Active(unit) = seat.slice.slot() else {
        return refused(format!("No active hook for agent {agent}"));
    };
    let Some(work) = seat.work.clone() else {
        return refused(format!("Work item {unit} is not in_progress"));
    };
    if work.assignee.as_deref().is_some_and(|name| name != agent.as_str()) {
        return refused(format!("Agent {agent} is not assigned to {unit}"));
    }
    match seat.slice.work() {
        WorkState::InProgress => Ok(work),
        WorkState::Open
        | WorkState::Hooked
        | WorkState::Done
        | WorkState::Merged
        | WorkState::Other(_) => refused(format!("Work item {unit} is not in_progress")),
    }
}

/// Writes everything that follows from handed-in work.
fn hand_in(
    view: &View<'_>,
    agent: &Agent,
    work: &WorkFile,
    branch: &str,
    now: Time,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let unit: &UnitId = &work.unit;
    let request = MergeRequest {
        id: format!("mr-{unit}"),
        source: branch.to_owned(),
        target: TARGET.to_owned(),
        status: "pending".to_owned(),
        unit: unit.to_string(),
    };
    let path = paths::below("merge-queue", &request.id)?;
    put(&path, text(view, &path)?.as_deref(), &request.made(), draft)?;
    retire(view, unit, draft)?;
    let mut given = Vec::new();
    for (to, kind, subject) in [
        ("mayor", "completion_report", format!("DONE: {unit}")),
        ("witness", "coordination", format!("RETIRED: {agent} from {unit}")),
    ] {
        let letter = Letter {
            to: to.to_owned(),
            kind: kind.to_owned(),
            ..report(agent, &subject, &work.title)
        };
        post(view, &letter, now, &mut given, draft)?;
    }
    set_status(view, agent, AgentFile::IDLE, draft)
}

/// Writes an agent's status.
pub(super) fn set_status(
    view: &View<'_>,
    agent: &Agent,
    status: &str,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let path = paths::agent(agent)?;
    let Some(old) = text(view, &path)? else { return Ok(()) };
    let file = AgentFile::read(&old).map_err(|fault| wrong(&path, &fault))?;
    if file.status == AgentFile::TERMINATED {
        return Err(Refusal::Terminated { agent: agent.clone() }.into());
    }
    put(&path, Some(&old), &[sprag_formats::Edit::set(["status"], status)], draft)
}
