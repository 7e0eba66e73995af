//! One agent's turn: the agent works on a unit, then the result is judged.

use std::path::PathBuf;
use std::time::Duration;

use sprag_core::systems::SYSTEMS;
use sprag_core::{Hold, Name, Ran, RunId, prompt};
use sprag_engine::drive::{BegunUnit, Judged, UnitEnd};
use sprag_engine::engine::{Engine, EngineError};
use sprag_world::clock;
use sprag_world::git::broken;
use sprag_world::tree::TreeError;

use crate::agent::{self, AgentEnd, Exit, Job, Limits, OutputEvent, StopHandle};
use crate::gates::Gates;
use crate::options::Seat;
use crate::run_end::not_ruined;
use crate::workspace::{Brought, Workspace};
use crate::worktrees::{Worktrees, WorktreesError};
use crate::{RunError, RunEvent, Runner};

/// How many times in a row an agent may leave a conflict unresolved before a person is asked.
const RESOLVES: u32 = 3;
/// How many new conflicts with other agents' work are allowed before a person is asked.
const CONFLICTS: u32 = 20;

/// One agent's turn.
#[derive(Debug)]
pub(crate) struct AgentTurn<'a> {
    pub(crate) runner: &'a Runner<'a>,
    pub(crate) run: &'a RunId,
    pub(crate) seat: &'a Seat,
    pub(crate) gates: &'a Gates,
    pub(crate) stop: &'a StopHandle,
    pub(crate) worktrees: Option<&'a Worktrees>,
    pub(crate) work: Box<BegunUnit>,
    /// The session to continue, if any.
    pub(crate) session: Option<String>,
    /// The agent's last message from a driver that is gone.
    pub(crate) said: Option<String>,
}

/// The task for an agent.
enum AgentTask {
    /// To do the unit.
    Work,
    /// To resolve the conflicts in these files.
    Resolve(Vec<PathBuf>),
}

impl AgentTurn<'_> {
    /// Runs the agent and judges the result.
    pub(crate) fn take(mut self) -> Result<UnitEnd, RunError> {
        match self.go() {
            // The agent's last message is in the ledger; the next driver judges it.
            Err(error) if error.is_interrupted() => Ok(UnitEnd::Stopped),
            // A git failure while everything stops is no agent's loss either.
            Err(RunError::Yard(_)) if self.stop.is_asked() => Ok(UnitEnd::Stopped),
            end => end,
        }
    }

    fn go(&mut self) -> Result<UnitEnd, RunError> {
        let engine = self.runner.engine()?;
        let ground = Workspace::take(self.worktrees, &self.work.unit)?;
        // A repository that was broken before the turn is not the agent's doing.
        let git = engine.repository().ok().flatten();
        let (mut told, mut resolves, mut conflicts) = (AgentTask::Work, 0, 0);
        // An end without any change continues in the same attempt, and so does a conflict. The
        // engine limits the former, `RESOLVES` and `CONFLICTS` the latter.
        loop {
            let said = match self.said.take() {
                Some(said) => said,
                // The kernel holds a unit whose time is up.
                None if self.limits().wall.is_zero() => return Ok(UnitEnd::Stopped),
                None => match self.work_on(&engine, &ground, &told)? {
                    Ok(said) => said,
                    Err(end) => return Ok(end),
                },
            };
            if let Some(why) = git.as_ref().and_then(|git| git.amiss(&self.seat.name)) {
                return self.hold(&engine, Hold::Unproven { gate: Name::literal("git"), why });
            }
            let brought = match self.bring(&ground, &told, &said) {
                // git can no longer read the files, so nothing can be judged.
                Err(RunError::Engine(EngineError::Tree(TreeError::Git { why }))) => {
                    let (gate, why) = (Name::literal("git"), broken(&self.seat.name, &why));
                    return self.hold(&engine, Hold::Unproven { gate, why });
                }
                Err(RunError::Yard(error)) if !self.stop.is_asked() => {
                    return self.unbrought(&engine, &ground, &error);
                }
                brought => brought?,
            };
            resolves = if matches!(brought, Brought::Left(_)) { resolves + 1 } else { 0 };
            match brought {
                Brought::Judged(Judged { end: UnitEnd::Unchanged { why, is_news }, .. }) => {
                    if is_news {
                        self.renew(&why);
                    }
                }
                Brought::Judged(judged) => return Ok(judged.end),
                Brought::Conflict(_) | Brought::Left(_)
                    if resolves == RESOLVES || conflicts == CONFLICTS =>
                {
                    // No answer resolves a conflict; the next attempt checks the files again.
                    let (gate, why) = (Name::literal("merge"), unresolved(&self.work, &ground));
                    return self.hold(&engine, Hold::Unproven { gate, why });
                }
                Brought::Conflict(files) | Brought::Left(files) => {
                    conflicts += 1;
                    let (fence, unit) = (self.work.fence, &self.work.unit.id);
                    self.runner.watch.see(&RunEvent::Conflict { fence, unit, files: &files });
                    engine.drive_conflicted(self.run, fence, unit, &files)?;
                    told = AgentTask::Resolve(files);
                }
            }
        }
    }

    /// Adds the current failure to the prompt.
    fn renew(&mut self, why: &str) {
        let now =
            format!("\n\nNow it fails like this:\n{}", prompt::evidence(why, prompt::EVIDENCE));
        for text in [&mut self.work.prompt, &mut self.work.reminder] {
            text.push_str(&now);
        }
    }

    /// Ends or holds this attempt because of what its agent did to its own worktree; other attempts
    /// are not affected.
    fn unbrought(
        &self,
        engine: &Engine<'_>,
        ground: &Workspace<'_>,
        error: &WorktreesError,
    ) -> Result<UnitEnd, RunError> {
        let why = match (error, ground.estranged()) {
            // Only a person knows which of the two histories is meant, or who owns the folder.
            (WorktreesError::Strayed { .. }, _) => error.to_string(),
            (_, Some(why)) => why,
            (_, None) => {
                let why = error.to_string();
                engine.drive_lost(self.run, self.work.fence, Ran::Yes, &why)?;
                return Ok(self.lost(why, None));
            }
        };
        self.hold(engine, Hold::Unproven { gate: Name::literal("branch"), why })
    }

    /// Holds the attempt for a person.
    fn hold(&self, engine: &Engine<'_>, hold: Hold) -> Result<UnitEnd, RunError> {
        engine.drive_stall(self.run, self.work.fence, hold.clone())?;
        let judged = Judged { end: UnitEnd::Held { hold }, shown: Vec::new() };
        self.see_judged(&judged);
        Ok(judged.end)
    }

    /// Runs the agent and returns its last message, or the reason why there is nothing to judge.
    fn work_on(
        &mut self,
        engine: &Engine<'_>,
        ground: &Workspace<'_>,
        told: &AgentTask,
    ) -> Result<Result<String, UnitEnd>, RunError> {
        let (run, fence) = (self.run, self.work.fence);
        let (agent, held, is_judged) = self.follow(engine, ground, told)?;
        self.session.clone_from(&agent.session);
        if let Some(hold) = held {
            self.see_ended(&agent);
            self.see_judged(&Judged { end: UnitEnd::Held { hold }, shown: Vec::new() });
            return Ok(Err(UnitEnd::Stopped));
        }
        let is_stopped = agent.exit == Ok(Exit::Stopped);
        if let Some(limited) = agent.limited.as_ref().filter(|_| !is_stopped && !is_judged) {
            return Ok(Err(UnitEnd::Limited(limited.clone())));
        }
        self.see_ended(&agent);
        if is_judged && !is_stopped {
            return Ok(Ok(agent.said));
        }
        let (how, by_itself) = (agent.how(), agent.is_by_itself());
        let why = match (agent.exit, agent.failed) {
            (Ok(Exit::Stopped), _) => return Ok(Err(UnitEnd::Stopped)),
            (Err(why), _) => {
                // If no other host may work on it, the attempt waits for a person as it is.
                if self.work.host.is_none() {
                    engine.drive_lost(run, fence, Ran::No, &why)?;
                }
                return Ok(Err(UnitEnd::NotStarted { why }));
            }
            (
                Ok(Exit::Code(_) | Exit::Signal(_) | Exit::TimedOut | Exit::Idle | Exit::Flooded),
                failed,
            ) => failed.unwrap_or(how),
        };
        let nth = engine.drive_lost(run, fence, Ran::Yes, &why)?;
        Ok(Err(self.lost(why, by_itself.then_some(nth))))
    }

    /// Follows the agent to its end, and records how it ended and what it changed outside its unit.
    /// Returns the hold that precedes any judgment, and whether the work is to be judged.
    fn follow(
        &mut self,
        engine: &Engine<'_>,
        ground: &Workspace<'_>,
        told: &AgentTask,
    ) -> Result<(AgentEnd, Option<Hold>, bool), RunError> {
        let (run, fence) = (self.run, self.work.fence);
        if ground.apart().is_some() {
            engine.drive_found(run, fence)?;
        }
        let mut met = Ok(());
        let mut hear = |heard: &OutputEvent| {
            if let OutputEvent::Session(session) = heard {
                met = engine.drive_met(run, fence, session);
            }
            self.runner.watch.see(&RunEvent::Heard { fence, heard });
        };
        let before = ground.others(engine);
        let end = agent::work(&self.job(ground, told), self.stop, &mut hear);
        self.see_strays(engine, ground.put_back().as_slice())?;
        let touched = engine.drive_touched(run, &self.work.mark)?;
        let held = not_ruined(touched, &self.seat.name, &self.work.unit.id)?;
        met?;
        let ended = (&end, self.session.as_deref());
        let is_judged = engine.drive_heard(run, fence, ended, held.as_ref())?;
        if end.left_behind {
            let what = "a process that could not be ended".to_owned();
            engine.drive_strayed(run, fence, &self.work.unit.id, &[what])?;
        }
        if let (Some(before), Some(after)) = (before, ground.others(engine)) {
            self.see_strays(engine, &elsewhere(&after.changed_since(&before)))?;
        }
        Ok((end, held, is_judged))
    }

    /// Records changes outside the unit, if there are any.
    fn see_strays(&self, engine: &Engine<'_>, what: &[String]) -> Result<(), RunError> {
        if what.is_empty() {
            return Ok(());
        }
        let (fence, unit) = (self.work.fence, &self.work.unit.id);
        self.runner.watch.see(&RunEvent::Strays { fence, unit, what });
        Ok(engine.drive_strayed(self.run, fence, unit, what)?)
    }

    fn see_ended(&self, end: &AgentEnd) {
        self.runner.watch.see(&RunEvent::Ended { fence: self.work.fence, end });
    }

    /// Reports the attempt as lost.
    fn lost(&self, why: String, in_a_row: Option<u32>) -> UnitEnd {
        let judged = Judged { end: UnitEnd::Lost { why, in_a_row }, shown: Vec::new() };
        self.see_judged(&judged);
        judged.end
    }

    /// Judges what the agent left.
    fn bring(
        &self,
        ground: &Workspace<'_>,
        told: &AgentTask,
        said: &str,
    ) -> Result<Brought, RunError> {
        let engine = self.runner.engine()?;
        self.see_strays(&engine, ground.restore()?.as_slice())?;
        let open = ground.unresolved()?;
        if !open.is_empty() {
            return Ok(Brought::Left(open));
        }
        let unit = &self.work.unit;
        // After a merge, other agents' changes cannot be distinguished from its own.
        let strays = match told {
            AgentTask::Work => ground.strays(unit)?,
            AgentTask::Resolve(_) => Vec::new(),
        };
        let what: Vec<_> = strays.iter().map(|file| file.display().to_string()).collect();
        self.see_strays(&engine, &what)?;
        let place = self.gates.enter();
        let brought =
            ground.bring(self.runner, self.stop, (self.run, self.work.fence), unit, said)?;
        drop(place);
        if let Brought::Judged(judged) = &brought {
            self.see_judged(judged);
        }
        Ok(brought)
    }

    fn see_judged(&self, judged: &Judged) {
        self.runner.watch.see(&RunEvent::Judged {
            fence: self.work.fence,
            unit: &self.work.unit.id,
            gates: &judged.shown,
            end: &judged.end,
        });
    }

    /// Returns the agent's limits, cut to the time that its unit has left.
    fn limits(&self) -> Limits {
        let most = self.runner.options.limits;
        let left = self.work.until.map(|until| until.since(clock::now()));
        let left = left.map(|left| Duration::from_millis(u64::try_from(left).unwrap_or(0)));
        Limits { wall: left.map_or(most.wall, |left| left.min(most.wall)), ..most }
    }

    fn job(&self, ground: &Workspace<'_>, told: &AgentTask) -> Job {
        let prompt = match (told, &self.session) {
            (AgentTask::Resolve(files), _) => resolve(files),
            (AgentTask::Work, Some(_)) => self.work.reminder.clone(),
            (AgentTask::Work, None) => self.work.prompt.clone(),
        };
        let set = self.seat.environment.iter().chain(ground.variables());
        let set = set.map(|(name, value)| (name.into(), value.into()));
        let own = [("SPRAG_RUN".into(), self.run.as_str().into())];
        Job {
            kind: self.seat.kind.clone(),
            prompt,
            folder: ground.folder(self.runner.place).to_path_buf(),
            person: self.runner.environment.to_vec(),
            environment: set.chain(own).collect(),
            effect: self.work.effect.clone(),
            resume: self.session.clone(),
            limits: self.limits(),
            deny: self.work.denied.clone(),
            extra: self.seat.extra.clone(),
        }
    }
}

/// Lists the user's own files that changed while an agent worked in its worktree, except those that
/// the driver writes there. The author is unknown: it may have been another agent or the user.
fn elsewhere(changed: &[String]) -> Vec<String> {
    let is_ours = |name: &str| SYSTEMS.iter().any(|system| system.is_driven && system.has(name));
    let is_theirs = |name: &&String| !is_ours(name);
    let theirs = changed.iter().filter(is_theirs);
    theirs.map(|name| format!("{name} in your own folder (if not you)")).collect()
}

/// Returns the prompt that asks an agent to resolve conflicts.
fn resolve(files: &[PathBuf]) -> String {
    let names: Vec<_> = files.iter().map(|file| format!("- {}", file.display())).collect();
    format!(
        "Your work and that of others changed the same lines. Their work is merged into your files \
         now, and these hold conflicts (`<<<<<<<`, `=======`, `>>>>>>>`):\n\n{}\n\nResolve every \
         one so that both changes keep their meaning, remove the marks, then stop.",
        names.join("\n")
    )
}

fn unresolved(work: &BegunUnit, ground: &Workspace<'_>) -> String {
    let at = match ground {
        Workspace::Here => String::new(),
        Workspace::Apart { tree, .. } => format!(" in `{}`", tree.folder().display()),
    };
    let unit = &work.unit.id;
    format!("`{unit}` conflicts with others' work; resolve its files{at}, then let the run go on")
}
