//! Commands that a user types into a session for sprag and not for the agent: `/sprag:until cargo
//! test`.
//!
//! They act only in the prompt host hook, because an agent cannot create a user's prompt.
//! Lookalikes do nothing: a refusal of sprag's that comes back, a task that ended, a subagent's
//! task, a session that an agent started. The user always gets an answer to a command.

use sprag_core::SessionId;
use sprag_engine::attach::HookEnv;
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::hooks::STEP;
use sprag_hosts::{By, HookCall, HookEvent, HostAnswer, Reply, SlashCommand};
use sprag_store::Traced;
use sprag_world::caller;

use crate::{env, person, why};

/// Returns the command that the user has just typed, if any.
pub(crate) fn typed(heard: &HookCall) -> Option<SlashCommand> {
    match &heard.happening {
        HookEvent::Prompt { by: By::Person, text } if heard.subagent.is_none() => {
            SlashCommand::read(text)
        }
        HookEvent::Prompt { by: By::Person | By::Notification, .. }
        | HookEvent::SessionStart { .. }
        | HookEvent::BeforeTool(_)
        | HookEvent::AfterTool { .. }
        | HookEvent::Stop { .. }
        | HookEvent::SubagentStop
        | HookEvent::SessionEnd { .. }
        | HookEvent::PreCompact
        | HookEvent::Notification { .. }
        | HookEvent::StopFailure { .. }
        | HookEvent::StatusLine
        | HookEvent::Ignored { .. } => None,
    }
}

/// Executes a command in a prompt; `None` if the text is sprag's own.
pub(crate) fn answer(
    engine: &Engine<'_>,
    session: &SessionId,
    slash: &SlashCommand,
    words: &str,
    told: HookEnv<'_>,
) -> Result<Option<Reply>, EngineError> {
    if engine.is_refusal(session, words)? {
        return Ok(None);
    }
    if let Some(mark) = caller::started_by_agent(env::is_set) {
        let why = format!("an agent started this session ({mark}), so nothing was done");
        return Ok(Some(say(&why)));
    }
    // An agent could feed this prompt to the host hook by its own tool. A pause proves nothing, and a
    // person may need it after an interrupt, which leaves a tool open.
    if matches!(slash, SlashCommand::Ok { .. }) && engine.has_open_tool(session) {
        return Ok(Some(say(
            "a tool of this session is still at work, so this may be its agent, and nothing was \
             done\nType it again when the tool has ended, or decide in a terminal: sprag approve",
        )));
    }
    act(engine, session, slash, told).map(Some)
}

/// Executes a command and answers it.
pub(crate) fn act(
    engine: &Engine<'_>,
    session: &SessionId,
    slash: &SlashCommand,
    told: HookEnv<'_>,
) -> Result<Reply, EngineError> {
    // This may be the first sight of the session.
    engine.prompted(session, None, told)?;
    let by = person::name();
    let done = match slash {
        SlashCommand::Until { command } => engine
            .hold_until(session, command, &by)
            .map(|said| say(&format!("{said}\nTo end that: /sprag:until off"))),
        SlashCommand::UntilOff => engine.hold_no_longer(session, &by).map(|said| say(&said)),
        SlashCommand::Start { name, task } => {
            engine.start(name, task, Some(session)).map(|begun| {
                let context = format!("{}\n{STEP}", begun.message);
                let said = format!("sprag: started {} ({})", begun.run, begun.workflow);
                Reply::from(HostAnswer::Context(context)).saying(said)
            })
        }
        SlashCommand::Why { what } => {
            why::in_session(engine, session, what.as_deref()).map(|text| say(&text))
        }
        SlashCommand::Pause { length, why } => {
            let why = why.as_deref().unwrap_or("by a person");
            engine.pause_session(session, why, *length, &by).map(|said| say(&said))
        }
        SlashCommand::PauseOff => engine.resume_session(session, &by).map(|said| say(&said)),
        SlashCommand::Ok { may } if may.is_empty() => {
            engine.agree_in_session(session, &by).map(|settled| say(&agreed(&settled)))
        }
        SlashCommand::Ok { may } => engine.ok_globs(session, may, &by).map(|said| say(&said)),
        SlashCommand::Wrong { why, help } => {
            Ok(say(&format!("{why}, so nothing was done\n{help}")))
        }
    };
    Ok(done.unwrap_or_else(|error| undone(engine, &error)))
}

/// Lists the doubts that the user settled.
fn agreed(settled: &[String]) -> String {
    if settled.is_empty() {
        return "no change is in doubt in this session\n\
                To agree before a change: /sprag:ok tests, or /sprag:ok GLOB"
            .to_owned();
    }
    format!("agreed to {}", settled.join(", "))
}

/// Explains why nothing was done.
fn undone(engine: &Engine<'_>, error: &EngineError) -> Reply {
    match error {
        EngineError::Refused { what, help } => say(&format!("{what}\n{help}")),
        EngineError::NotFound { what } | EngineError::Several { what, .. } => say(what),
        EngineError::Invalid { problem } => say(problem),
        EngineError::Store(_)
        | EngineError::NotWritten(_)
        | EngineError::Tree(_)
        | EngineError::Run(_)
        | EngineError::Gate(_)
        | EngineError::Deed(_)
        | EngineError::Config(_)
        | EngineError::Denied(_)
        | EngineError::Unreadable { .. }
        | EngineError::Restless
        | EngineError::Inbox(_)
        | EngineError::Exhausted { .. }
        | EngineError::Path(_)
        | EngineError::Id(_)
        | EngineError::Name(_) => {
            // `sprag doctor` must also show problems with the state.
            engine.trace(Traced::LetGo, &format!("a command of a person's was not done: {error}"));
            say(&format!("nothing was done: {error}"))
        }
    }
}

fn say(text: &str) -> Reply {
    HostAnswer::Told(format!("sprag: {}", text.trim_end())).into()
}
