//! Starts workflow runs, and copies their definition again after a person accepts a change.

use std::ffi::OsStr;

use serde_json::Value;
use sprag_core::event::RunStarted;
use sprag_core::workflow::{Show, Started, Workflow};
use sprag_core::{Hash, Run, RunId, SessionId};
use sprag_formats::workflow::{Loaded, Problem, Weight};
use sprag_store::{Edit, View};

use super::{ENTRY, WorkflowRun};
use crate::attach::{WALL, deadline, hand_over, in_journal, new_run};
use crate::definition_copy::{self, RecordedFolder};
use crate::draft::Draft;
use crate::drive::{ACTOR, begin_driven};
use crate::engine::kind::Kinds;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::integrity::law;
use crate::now::Now;
use crate::run_file::runs;
use crate::run_file::{DefinitionOrigin, Header, RunFile, Source};
use crate::snapshot::{ConfigSnapshot, protected};
use crate::workflows::{self, Search};

/// The name that starts the milestone tree; `workflow:gsd` means a workflow of that name.
pub const TREE: &str = "gsd";
/// A run that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    pub run: RunId,
    /// The workflow's name.
    pub workflow: String,
    /// The first message to the agent, followed by the current position.
    pub message: String,
    /// Whether a session drives it.
    pub driven: bool,
}

impl Engine<'_> {
    /// Returns the folders in which workflows are searched.
    pub fn search(&self) -> Search<'_> {
        let value = |name: &str| -> Option<&OsStr> {
            let found = self.environment.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.as_os_str()).filter(|value| !value.is_empty())
        };
        Search {
            root: Some(&self.place.root),
            home: value("HOME").map(AsRef::as_ref),
            config: value("XDG_CONFIG_HOME"),
            pi: value("PI_CODING_AGENT_DIR"),
        }
    }

    /// Starts a workflow by its command or key, or the milestone tree by the name `gsd`. The
    /// session drives the run if there is one.
    pub fn start(
        &self,
        name: &str,
        task: &str,
        session: Option<&SessionId>,
    ) -> Result<Begun, EngineError> {
        if name == TREE {
            return self.start_tree(session);
        }
        let actor = session.map_or("person", SessionId::as_str);
        self.start_for(name, task, actor, |view, file, now, draft| {
            nothing_unknown(self.kinds, view)?;
            hand_over(view, file, session, now, draft)?;
            Ok(session.is_some())
        })
    }

    /// Starts a workflow by its command or key. `give` assigns it to a driver and returns whether
    /// there is one.
    pub(crate) fn start_for(
        &self,
        name: &str,
        task: &str,
        actor: &str,
        give: impl Fn(&View<'_>, &mut RunFile, &Now<'_>, &mut Draft) -> Result<bool, EngineError>,
    ) -> Result<Begun, EngineError> {
        let key = self.find_workflow(name)?;
        let now = Now::new(self);
        let earlier = self.look(|view| law::earlier_texts(view, &now))?;
        let (tiers, _) = workflows::open(&self.search().folders());
        let kept: Vec<_> = tiers.iter().map(|tier| RecordedFolder::new(tier, &earlier)).collect();
        let loaded = sprag_formats::workflow::load_one(&kept, &key);
        let (digest, path) = usable(&loaded, &key)?;
        let definitions = loaded.definitions;
        law::keep(self.place, kept.iter().flat_map(RecordedFolder::texts));
        self.commit(actor, PATIENT, |view| {
            let id = new_run(view)?;
            let (task_id, task) = (id.to_string(), task.to_owned());
            let started =
                Started { definitions: definitions.clone(), key: key.clone(), task_id, task };
            let mut draft = Draft::default();
            draft.edit(definition_copy::keep(id.as_str(), &definitions, &kept)?);
            let definition = DefinitionOrigin { path: path.clone(), digest };
            let mut file = begin(view, started, definition, &now, &mut draft)?;
            let driven = give(view, &mut file, &now, &mut draft)?;
            draft.run(&file)?;
            Ok((draft, begun(&file, driven)))
        })
    }

    /// Starts a driven workflow.
    pub fn start_workflow(
        &self,
        name: &str,
        task: &str,
        how: &Value,
    ) -> Result<RunId, EngineError> {
        let begun = self.start_for(name, task, ACTOR, |view, file, now, draft| {
            begin_driven(file, how, now, view, draft)?;
            Ok(true)
        })?;
        Ok(begun.run)
    }

    /// Resolves a name to the key of a workflow.
    pub fn find_workflow(&self, name: &str) -> Result<String, EngineError> {
        let name = name.strip_prefix("workflow:").unwrap_or(name);
        let loaded = workflows::load(&self.search());
        let by_command = loaded.definitions.find_command(name);
        let found = by_command.or_else(|| loaded.definitions.iter().find(|(key, _)| *key == name));
        if let Some((key, definition)) = found {
            return match definition.show {
                Show::User => Ok(key.to_owned()),
                Show::Workflows => Err(EngineError::Refused {
                    what: format!("`{name}` only runs as a part of other workflows"),
                    help: "start one that uses it".to_owned(),
                }),
            };
        }
        let of_it = |problem: &&Problem| problem.file.contains(&format!("/{name}/"));
        if let Some(problem) = loaded.problems.iter().find(of_it) {
            return Err(EngineError::Invalid { problem: problem.to_string() });
        }
        let known: Vec<String> =
            loaded.definitions.shown().map(|known| known.command.clone()).collect();
        let what = format!("no workflow is called `{}`", name.escape_debug());
        if known.is_empty() {
            return Err(EngineError::NotFound { what });
        }
        Err(EngineError::NotFound { what: format!("{what}; there are: {}", known.join(", ")) })
    }
}

/// Records the current definition of a workflow again.
pub(crate) fn copy_again(
    held: &mut WorkflowRun,
    view: &View<'_>,
    now: &Now<'_>,
    header: &mut Header,
) -> Result<Vec<Edit>, EngineError> {
    let key = held.definition.key.clone();
    let earlier = law::earlier_texts(view, now)?;
    let (tiers, _) = workflows::open(&now.engine.search().folders());
    let kept: Vec<_> = tiers.iter().map(|tier| RecordedFolder::new(tier, &earlier)).collect();
    let loaded = sprag_formats::workflow::load_one(&kept, &key);
    let (digest, path) = usable(&loaded, &key)?;
    law::keep(now.engine.place, kept.iter().flat_map(RecordedFolder::texts));
    still_there(held, &loaded)?;
    let copy = definition_copy::keep(held.run.id().as_str(), &loaded.definitions, &kept)?;
    header.definition = Some(DefinitionOrigin { path, digest });
    held.definition.definitions = loaded.definitions;
    held.run.learn::<Workflow>(&held.definition);
    Ok(vec![copy])
}

/// Refuses a definition that lacks the run's position.
fn still_there(held: &WorkflowRun, loaded: &Loaded) -> Result<(), EngineError> {
    let stands = held.run.position().check(&held.definition.key, &loaded.definitions);
    let id = held.run.id();
    stands.map_err(|bad| EngineError::Refused {
        what: format!("in the workflow as it is now, `{}` of {id}: {}", bad.at, bad.why),
        help: format!("write that into its run.yaml, or `sprag cancel {id}`"),
    })
}

/// Returns the digest and path of a workflow, if it can be used.
fn usable(loaded: &Loaded, key: &str) -> Result<(Hash, String), EngineError> {
    let rejected = loaded.problems.iter().find(|problem| problem.weight == Weight::Rejects);
    if let Some(problem) = rejected {
        return Err(EngineError::Invalid { problem: problem.to_string() });
    }
    let found = loaded.digest(key).zip(loaded.sources.get(key));
    let (digest, source) = found.ok_or_else(|| EngineError::NotFound {
        what: format!("the workflow `{}` is not there any more", key.escape_debug()),
    })?;
    Ok((digest, source.path.clone()))
}

/// Refuses if a run cannot be read: it may be the same job, which would then be done twice.
fn nothing_unknown(kinds: Kinds, view: &View<'_>) -> Result<(), EngineError> {
    runs(view)?.iter().try_for_each(|id| Ok(RunFile::check(kinds, view, id)?))
}

fn begin(
    view: &View<'_>,
    started: Started,
    definition: DefinitionOrigin,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<RunFile, EngineError> {
    let id = RunId::parse(&started.task_id)?;
    let (law, _) = ConfigSnapshot::of_new(view, now)?;
    let wall = law.config.limits.wall.unwrap_or(WALL);
    let run =
        Run::new::<Workflow>(id.clone(), &started, started.begin()).until(deadline(now.at, wall));
    let source = Source::named(&ENTRY, &started.key);
    let mut header = Header::new(source, definition, now.at);
    header.task = Some(started.task.clone());
    let task = Some(in_journal(&started.task));
    draft.note(Some(&id), RunStarted { task, ..RunStarted::of(&started.key) });
    let live = Box::new(WorkflowRun { definition: started, run });
    let mut file = RunFile::new(header, live);
    file.header.protected = protected(now, file.live.specs())?;
    file.header.base = file.is_reviewed().then(|| now.engine.checked_out()).flatten();
    Ok(file)
}

/// Builds the answer to a start.
fn begun(file: &RunFile, driven: bool) -> Begun {
    let (workflow, first) = match file.live.of::<WorkflowRun>() {
        Some(held) => (held.definition.name().to_owned(), held.definition.first_message()),
        None => (String::new(), String::new()),
    };
    let context = file.live.view().map_or_else(String::new, |view| view.context());
    let message = format!("{first}\n\n{context}");
    Begun { run: file.id().clone(), workflow, message, driven }
}
