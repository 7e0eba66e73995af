//! What only persons do: agree, waive, pause, let go on, end.

use std::time::Duration;

use sprag_core::{Facts, Hold, Id, Kind, Name, Signal, Verdict};
use sprag_store::View;

use crate::case::Case;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::evaluate::Gathered;
use crate::live::Live;
use crate::receipt::{Asked, Record, Word};
use crate::run_file::Source;
use crate::session::{self, Known, Paused, SessionId};
use crate::sitting::{Now, protected};
use crate::whose::Unclaimed;
use crate::{config, gate, ids, known, trust};

/// What a person did, said back in one line.
pub type Said = String;

impl Engine<'_> {
    /// Agrees to what a run waits for: a question, a command, a change of what is protected; one
    /// that is tired tries again.
    pub fn approve(&self, run: &Id, by: &str) -> Result<Said, EngineError> {
        let now = Now::new(self);
        let (hold, commands) = self.look(|view| {
            let case = Case::open(view, run)?;
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            let waits = case.run.live.waiting(&facts);
            let hold = waits.into_iter().next().map(|waiting| waiting.hold);
            let specs = case.run.live.specs().iter();
            let commands = specs.flat_map(|spec| gate::commands(&spec.gate.check));
            let commands: Vec<Vec<String>> = commands.map(<[String]>::to_vec).collect();
            Ok((hold, commands))
        })?;
        let hold = hold.ok_or_else(|| EngineError::Refused {
            what: format!("nothing in {run} waits for a person"),
            help: "`sprag` lists what does".to_owned(),
        })?;
        match &hold {
            Hold::Untrusted { .. } => self.trust_commands(&commands)?,
            Hold::Unreadable { path } => {
                return Err(EngineError::Unreadable {
                    path: path.to_string(),
                    why: "it cannot be read, so nothing can be agreed to".to_owned(),
                });
            }
            Hold::Asked { .. }
            | Hold::Unproven { .. }
            | Hold::Person { .. }
            | Hold::Until { .. }
            | Hold::Exhausted { .. }
            | Hold::NoProgress { .. } => {}
        }
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut case = Case::open(view, run)?;
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            let mut gathered = Gathered::default();
            let what = match &hold {
                Hold::Asked { what } => {
                    self.agree(&case, by, what, &now, &mut gathered)?;
                    format!("agreed: {what}")
                }
                Hold::Unproven { gate, why } => {
                    self.accept(view, &mut case, gate, why, &now, &mut draft)?;
                    format!("agreed: {why}")
                }
                Hold::Untrusted { what } => format!("`{what}` may run here now"),
                Hold::Person { .. }
                | Hold::Until { .. }
                | Hold::Exhausted { .. }
                | Hold::NoProgress { .. }
                | Hold::Unreadable { .. } => "it goes on".to_owned(),
            };
            let id = case.run.id().clone();
            draft.tell(&id, case.run.live.step(&Signal::Resume, &facts)?);
            for evidence in &gathered.evidence {
                draft.evidence(evidence)?;
            }
            let said = case.conclude(self, view, &now, &gathered, &mut draft)?;
            draft.run(&case.run)?;
            Ok((draft, join(format!("{run}: {what}"), said)))
        })
    }

    /// Lets a gate of a run through unproven, and writes down that it was.
    pub fn waive(&self, run: &Id, gate: &str, why: &str, by: &str) -> Result<Said, EngineError> {
        let now = Now::new(self);
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut case = Case::open(view, run)?;
            let name = case.run.live.specs().iter().map(|spec| &spec.gate.name);
            let name = name.filter(|name| name.as_str() == gate).next().cloned();
            let name = name.ok_or_else(|| EngineError::NotFound {
                what: format!("{run} has no gate `{}`", gate.escape_debug()),
            })?;
            let mut gathered = Gathered::default();
            self.word(&case, by, why, &name, Verdict::Waived, &now, &mut gathered)?;
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            let id = case.run.id().clone();
            draft.tell(&id, case.run.live.step(&Signal::Resume, &facts)?);
            for evidence in &gathered.evidence {
                draft.evidence(evidence)?;
            }
            let said = case.conclude(self, view, &now, &gathered, &mut draft)?;
            draft.run(&case.run)?;
            Ok((draft, join(format!("{run}: `{gate}` is waived, not proven"), said)))
        })
    }

    /// Holds a run until a person lets it go on, or for some time.
    pub fn pause(
        &self,
        run: &Id,
        why: &str,
        length: Option<Duration>,
        by: &str,
    ) -> Result<Said, EngineError> {
        let now = Now::new(self);
        let until = length.map(|length| {
            now.at.plus_millis(i64::try_from(length.as_millis()).unwrap_or(i64::MAX))
        });
        self.signal(run, by, &now, &Signal::Pause { why: why.to_owned(), until })?;
        Ok(match until {
            Some(until) => format!("{run}: paused until {until}"),
            None => format!("{run}: paused; `sprag resume {run}` lets it go on"),
        })
    }

    /// Sets a session free, or for some time; its stops are not looked at.
    pub fn pause_session(
        &self,
        id: &SessionId,
        why: &str,
        length: Option<Duration>,
        by: &str,
    ) -> Result<Said, EngineError> {
        let now = Now::new(self);
        let until = length.map(|length| {
            now.at.plus_millis(i64::try_from(length.as_millis()).unwrap_or(i64::MAX))
        });
        self.change_session(id, by, Some(Paused { why: why.to_owned(), until }))?;
        Ok(match until {
            Some(until) => format!("{id}: free until {until}"),
            None => format!("{id}: free; `sprag resume {id}` holds it again"),
        })
    }

    /// Holds a session again.
    pub fn resume_session(&self, id: &SessionId, by: &str) -> Result<Said, EngineError> {
        self.change_session(id, by, None)?;
        Ok(format!("{id}: held to its gates again"))
    }

    fn change_session(
        &self,
        id: &SessionId,
        by: &str,
        paused: Option<Paused>,
    ) -> Result<(), EngineError> {
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut file = match session::read(view, id)? {
                Known::Seen(file) => file,
                Known::New => {
                    return Err(EngineError::NotFound { what: format!("no session `{id}` here") });
                }
                Known::Unreadable { path, why } => {
                    return Err(EngineError::Unreadable { path: path.to_string(), why });
                }
            };
            file.paused.clone_from(&paused);
            let why = paused.as_ref().map(|paused| paused.why.as_str());
            let data = serde_json::json!({ "session": id.as_str(), "why": why });
            draft.note(None, Kind::SessionPaused, data);
            draft.session(id, &file)?;
            Ok((draft, ()))
        })
    }

    /// Lets a run go on with fresh bounds, and frees it from an owner that is gone.
    pub fn resume(&self, run: &Id, by: &str) -> Result<Said, EngineError> {
        let now = Now::new(self);
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut case = Case::open(view, run)?;
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            let id = case.run.id().clone();
            draft.tell(&id, case.run.live.step(&Signal::Resume, &facts)?);
            let mut freed = "";
            if let (Source::Workflow(_), Some((owner, mut file))) =
                (&case.run.header.source, case.owner.take())
                && !self.there(view, now.at)?.contains(&owner)
            {
                draft.tell(&id, case.run.live.step(&Signal::Released, &facts)?);
                file.runs.retain(|known| known != run);
                draft.session(&owner, &file)?;
                let mut unclaimed = Unclaimed::read(view)?;
                unclaimed.runs.push(run.clone());
                draft.edit(unclaimed.edit()?);
                freed = "; the next session here takes it up";
            }
            draft.run(&case.run)?;
            Ok((draft, format!("{run}: goes on{freed}")))
        })
    }

    /// Ends a run for good.
    pub fn cancel(&self, run: &Id, by: &str) -> Result<Said, EngineError> {
        let now = Now::new(self);
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut case = Case::open(view, run)?;
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            let id = case.run.id().clone();
            draft.tell(&id, case.run.live.step(&Signal::Cancel, &facts)?);
            case.run.header.ended = Some(now.at);
            case.run.header.notified = true;
            draft.run(&case.run)?;
            if let Some((owner, mut file)) = case.owner.take() {
                file.runs.retain(|known| known != run);
                draft.session(&owner, &file)?;
            }
            let mut unclaimed = Unclaimed::read(view)?;
            if unclaimed.runs.contains(run) {
                unclaimed.runs.retain(|known| known != run);
                draft.edit(unclaimed.edit()?);
            }
            Ok((draft, format!("{run}: cancelled")))
        })
    }

    fn signal(
        &self,
        run: &Id,
        by: &str,
        now: &Now<'_>,
        signal: &Signal,
    ) -> Result<(), EngineError> {
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut case = Case::open(view, run)?;
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            draft.tell(&case.run.id().clone(), case.run.live.step(signal, &facts)?);
            draft.run(&case.run)?;
            Ok((draft, ()))
        })
    }

    /// Trusts commands of this project.
    fn trust_commands(&self, commands: &[Vec<String>]) -> Result<(), EngineError> {
        let digests: Vec<_> = commands.iter().map(|argv| trust::digest(argv, "", &[])).collect();
        let folder = self.trust_folder().ok_or_else(|| EngineError::Refused {
            what: "there is no place to keep what you trust".to_owned(),
            help: "set HOME or XDG_STATE_HOME".to_owned(),
        })?;
        Ok(trust::add(&folder, &self.place.state, &digests)?)
    }

    /// Writes down that a person agreed to the question of a gate.
    fn agree(
        &self,
        case: &Case,
        by: &str,
        what: &str,
        now: &Now<'_>,
        gathered: &mut Gathered,
    ) -> Result<(), EngineError> {
        let asks = case.run.live.specs().iter().filter(|spec| {
            matches!(&spec.gate.check, sprag_core::Check::Human { what: asked } if asked == what)
        });
        for name in asks.map(|spec| spec.gate.name.clone()).collect::<Vec<_>>() {
            self.word(case, by, what, &name, Verdict::Pass, now, gathered)?;
        }
        Ok(())
    }

    /// Makes the record of a person's word about a gate.
    #[expect(clippy::too_many_arguments, reason = "who says what of which gate, and when")]
    fn word(
        &self,
        case: &Case,
        by: &str,
        why: &str,
        gate: &Name,
        verdict: Verdict,
        now: &Now<'_>,
        gathered: &mut Gathered,
    ) -> Result<(), EngineError> {
        let asked = Asked {
            run: Id::parse(case.run.id().as_str())?,
            phase: case.run.phase(),
            definition: case.run.header.definition.as_ref().map(|known| known.digest),
        };
        let word = Word { by, why, at: now.at, tree: now.tree()?.hash() };
        gathered.evidence.push(Record::of_person(ids::receipt()?, &asked, gate, verdict, &word));
        Ok(())
    }

    /// Takes what is protected, and what the run is judged by, as it is now.
    fn accept(
        &self,
        view: &View<'_>,
        case: &mut Case,
        gate: &Name,
        why: &str,
        now: &Now<'_>,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        let tree = now.tree()?;
        let specs = case.run.live.specs().to_vec();
        let passed = known::find(view, self.place, tree.hash(), &specs);
        let passed = passed
            .iter()
            .any(|record| record.gate == gate.as_str() && record.verdict == Verdict::Pass.as_str());
        if !passed {
            return Err(EngineError::Refused {
                what: format!("`{gate}` did not run, so there is nothing to agree to: {why}"),
                help: format!(
                    "mend that and `sprag resume {id}`, or `sprag approve {id} --waive \"why\"`",
                    id = case.run.id()
                ),
            });
        }
        match &case.run.live {
            Live::Guard(_) => {
                let Some((owner, file)) = &mut case.owner else { return Ok(()) };
                file.protected = protected(tree, &specs);
                if let config::Configured::Known { text, config, .. } = config::load(view)? {
                    if let Some(guard) = &config.guard {
                        file.protected = protected(tree, &guard.gates);
                    }
                    file.config = text;
                }
                draft.session(owner, file)?;
                // From here on the run is judged by what was agreed to.
                case.law.drift = None;
            }
            Live::Workflow(_) => {
                case.run.header.protected = protected(tree, &specs);
                self.record_again(&mut case.run, draft)?;
            }
        }
        Ok(())
    }
}

fn join(first: String, more: Vec<String>) -> Said {
    std::iter::once(first).chain(more).collect::<Vec<_>>().join("\n")
}
