//! Records what becomes of the agents of a run.

use std::collections::BTreeSet;

use sprag_core::basis::Tool;
use sprag_core::event::{AgentEnded, PersonTold};
use sprag_core::{Fence, Hold, Missing, RunId, UnitId, Waiting, prompt};

use super::notify::{NEEDS_YOU, News, in_a_line, needs_you};
use super::{ACTOR, AgentEnd};
use crate::agents_file::{AgentsFile, known_found, mode_of, told_key};
use crate::draft::Draft;
use crate::edits::{EditsLeft, MadeApart, RunBaseline};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::integrity::{Turns, unit_key};
use crate::now::Now;
use crate::open_run::pause;
use crate::run_file::RunFile;
use crate::spent::Spent;

/// How many bytes of an agent's last message are kept for judging it.
const KEPT: usize = 16 << 10;

impl AgentsFile {
    /// Forgets the notices of holds that are resolved: if one comes back, it is announced again.
    pub(super) fn forget_told(&mut self, run: &RunId, still: &[Waiting]) {
        let kept = |wait: &Waiting| {
            let text = needs_you(run, &in_a_line(&wait.hold));
            let of = |unit: Option<&str>| told_key(NEEDS_YOU, unit, &text);
            [of(None), of(wait.unit.as_ref().map(UnitId::as_str))]
        };
        let kept: BTreeSet<String> = still.iter().flat_map(kept).collect();
        self.told.retain(|told| !is_told_as(NEEDS_YOU, told) || kept.contains(told));
    }

    /// Records the end of an agent. Returns whether its work is to be judged: it ended well, or a
    /// person waived a gate and no agent works on it again.
    fn finish(&mut self, fence: Fence, end: &AgentEnd, session: Option<&str>) -> bool {
        self.spent.micro_usd = self.spent.micro_usd.saturating_add(end.micro_usd.unwrap_or(0));
        self.spent.tokens = self.spent.tokens.saturating_add(end.tokens.unwrap_or(0));
        self.spent.millis = self.spent.millis.saturating_add(end.millis());
        let silent = end.micro_usd.is_none();
        self.spent.unknown = self.spent.unknown.saturating_add(u32::from(silent));
        let uncounted = u32::from(end.tokens.is_none());
        self.spent.uncounted = self.spent.uncounted.saturating_add(uncounted);
        let Some(working) = self.working.get_mut(&fence.0.0) else { return end.is_well() };
        if end.is_well() {
            self.limits.remove(&working.host);
        }
        let is_judged = end.is_well() || !working.waived.is_empty();
        working.said = is_judged.then(|| last(&end.said));
        working.begun_apart = false;
        working.session = session.map(str::to_owned);
        if working.apart {
            return is_judged;
        }
        match session.map(str::to_owned) {
            Some(session) => self.sessions.insert(working.host.clone(), session),
            None => self.sessions.remove(&working.host),
        };
        is_judged
    }
}

/// Returns whether a key belongs to a notice of this kind.
fn is_told_as(what: &str, key: &str) -> bool {
    key.split_once(": ").is_some_and(|(known, _)| known == what)
}

/// Returns the end of a message, where agents put their report.
fn last(text: &str) -> String {
    let mut from = text.len().saturating_sub(KEPT);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..].to_owned()
}

impl Engine<'_> {
    /// Records that an agent ended, which had resumed the session `resumed`. Its message, cost and
    /// resulting hold are stored before anything is judged, so that none of it is lost. Returns
    /// whether its work is to be judged.
    pub fn drive_heard(
        &self,
        run: &RunId,
        fence: Fence,
        (end, resumed): (&AgentEnd, Option<&str>),
        held: Option<&Hold>,
    ) -> Result<bool, EngineError> {
        let now = Now::new(self);
        // Taken now, because a person's later deletions are no loss. If it fails, the end still
        // counts.
        let (found, left) = self.left_of(run).unwrap_or_default();
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            let working = ledger.working.get(&fence.0.0).cloned().unwrap_or_default();
            let session = end.session_after(resumed);
            let is_judged = ledger.finish(fence, end, session);
            ledger.found.clone_from(&found);
            let mut draft = Draft::default();
            draft.edit(ledger.edit(run)?);
            let said = prompt::evidence(&end.said, prompt::EVIDENCE);
            let EditsLeft { missing: Missing { gone, away, unseen }, .. } = left.clone();
            let ended = AgentEnded {
                fence,
                unit: Some(working.unit.clone()),
                host: working.host,
                how: end.how(),
                session: session.map(str::to_owned),
                said: said.trim().to_owned(),
                micro_usd: end.micro_usd,
                tokens: end.tokens,
                ms: end.millis(),
                gone,
                reverted: Vec::new(),
                away,
                unseen,
                rewritten: None,
            };
            draft.note(Some(run), ended);
            let mut turns = Turns::read(view)?;
            turns.end(&unit_key(run, &working.unit), now.at, Tool::Closed);
            turns.save(&mut draft)?;
            if let Some(hold) = held {
                // A cancelled run cannot be held, but its agent's cost is still recorded.
                if !RunFile::open(self.kinds, view, run, None)?.live.is_cancelled() {
                    pause(view, run, hold, &now, &mut draft)?;
                }
            } else if let Ok(mut file) = RunFile::open(self.kinds, view, run, None)
                && file.live.info().is_measured
            {
                file.live.set_turn(ledger.is_at_work(fence));
                draft.run(&file)?;
            }
            Ok((draft, is_judged))
        })
    }

    /// Records the session in which an agent works, so that it can be resumed even if the driver
    /// dies.
    pub fn drive_met(&self, run: &RunId, fence: Fence, session: &str) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            let mut draft = Draft::default();
            if let Some(working) = ledger.working.get_mut(&fence.0.0) {
                working.session = Some(session.to_owned());
                draft.edit(ledger.edit(run)?);
            }
            Ok((draft, ()))
        })
    }

    /// Records the settings of a run's driver.
    pub fn drive_keep(&self, run: &RunId, how: &serde_json::Value) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            ledger.how = Some(how.clone());
            let mut draft = Draft::default();
            draft.edit(ledger.edit(run)?);
            Ok((draft, ()))
        })
    }

    /// Sets the plan's mode for this run. Returns false for an unknown mode.
    pub fn drive_mode(&self, run: &RunId, word: &str) -> Result<bool, EngineError> {
        let Some(mode) = mode_of(word) else { return Ok(false) };
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            ledger.mode = Some(word.to_owned());
            let mut draft = Draft::default();
            draft.edit(ledger.edit(run)?);
            let mut file = RunFile::open(self.kinds, view, run, None)?;
            file.live.set_mode(mode);
            draft.run(&file)?;
            Ok((draft, true))
        })
    }

    /// Returns the settings of a run's driver, or `None` if it never had one.
    pub fn drive_kept(&self, run: &RunId) -> Result<Option<serde_json::Value>, EngineError> {
        self.look(|view| Ok(AgentsFile::read(view, run)?.how))
    }

    /// Records a notice to a person. Returns whether it is new.
    pub(super) fn drive_tell(&self, run: &RunId, news: &News<'_>) -> Result<bool, EngineError> {
        let News { what, unit, text, .. } = *news;
        self.commit(ACTOR, PATIENT, |view| {
            let mut ledger = AgentsFile::read(view, run)?;
            let mut draft = Draft::default();
            if !ledger.told.insert(told_key(what, unit, text)) {
                return Ok((draft, false));
            }
            draft.edit(ledger.edit(run)?);
            let told = PersonTold { what: what.to_owned(), text: text.to_owned() };
            draft.note(Some(run), told);
            Ok((draft, true))
        })
    }

    pub fn drive_spent(&self, run: &RunId) -> Result<Spent, EngineError> {
        self.look(|view| Ok(AgentsFile::read(view, run)?.spent))
    }

    /// Returns the session in which the agent of an attempt worked, if its host is the same.
    pub fn drive_own_session(
        &self,
        run: &RunId,
        fence: Fence,
        host: &str,
    ) -> Result<Option<String>, EngineError> {
        self.look(|view| {
            let working = AgentsFile::read(view, run)?.working.remove(&fence.0.0);
            Ok(working.filter(|working| working.host == host).and_then(|working| working.session))
        })
    }

    /// Returns the session of a host in which the run's last agent worked.
    pub fn drive_session(&self, run: &RunId, host: &str) -> Result<Option<String>, EngineError> {
        self.look(|view| Ok(AgentsFile::read(view, run)?.sessions.get(host).cloned()))
    }
}

impl Engine<'_> {
    /// Returns what a run found when it began, and what is left of it now. A run in worktrees has
    /// no files of a person, so nothing can be lost there.
    pub(crate) fn left_of(
        &self,
        run: &RunId,
    ) -> Result<(Option<RunBaseline>, EditsLeft), EngineError> {
        let (known, is_apart) = self.look(|view| known_found(view, run))?;
        let found = match known {
            Some(found) => found,
            None => self.found(run)?,
        };
        let left = if is_apart { EditsLeft::default() } else { self.left(&found) };
        Ok((Some(found), left))
    }

    fn left(&self, found: &RunBaseline) -> EditsLeft {
        let missing = self.missing(&found.edits, found.tree, &MadeApart::default());
        EditsLeft { missing, rewritten: Vec::new() }
    }
}
