//! The fast path: hosts call this before and after every tool, in every folder on the machine.
//!
//! Most of those folders are not sprag projects. So this searches for a project first, and before
//! there is one it does nothing else: no argument parser, no configuration, no thread. In a project
//! it decodes the host's message, the engine decides, and the answer is written in the host's
//! format. On any error the agent continues, and a trace is recorded that `sprag` and `sprag
//! doctor` show.

use std::ffi::{OsStr, OsString};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sprag_core::{RunId, SessionId};

use sprag_engine::attach::HookEnv;
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::hooks::{Beginning, HookOutput, ToolUse};
use sprag_engine::latency;
use sprag_engine::plan;
use sprag_engine::stop::{self, Stopping};
use sprag_hosts::{
    By, Class, EndReason, HookCall, HookEvent, Host, HostAnswer, MAX_BYTES, Output, Reply,
    StartSource, ToolCall, policed, session_file,
};
use sprag_store::{Place, Store, Traced};
use sprag_world::root::{self, RootError, RootSearch};
use sprag_world::{clock, process};

use crate::{belongs, copy, env, slash, status_line};

mod forbidden;
mod written;

use forbidden::forbidden;
use written::{HookOutputText, written};

/// Arguments are cut to this length; those of hosts and events are shorter.
const WORD: usize = 40;

/// Answers a host hook.
pub(crate) fn answer(words: impl Iterator<Item = OsString>) -> ExitCode {
    let watch = clock::Watch::start();
    let place = find();
    let (output, measured) = match &place {
        Ok(Finding::Ours(place)) => in_project(place, words),
        Ok(Finding::Nothing) => (Output::default(), false),
        Ok(Finding::Apart { line }) => (at_the_beginning(words, line), false),
        Err(error) => (nowhere(words, &error.to_string()), false),
    };
    // If the reader is gone, there is nothing left to do.
    let _ = std::io::stdout().lock().write_all(output.stdout.as_bytes());
    let _ = std::io::stderr().lock().write_all(output.stderr.as_bytes());
    if let (Ok(Finding::Ours(place)), true) = (&place, measured) {
        latency::note(place, watch.micros());
    }
    ExitCode::from(output.exit)
}

/// Returns whether Copilot CLI makes a call that is meant for Claude Code.
///
/// Copilot CLI also reads a project's `.claude/settings.json` and `.claude/settings.local.json`,
/// and makes the calls in them in addition to its own. For an entry without a shell it runs the
/// program without its arguments (observed at 1.0.102). Such a session would be judged twice, and a
/// bare `sprag` that fails would deny its tools.
pub(crate) fn is_misdirected(
    first: Option<&OsStr>,
    second: impl FnOnce() -> Option<OsString>,
) -> bool {
    let by_copilot = || env::get(env::COPILOT_PROJECT_DIR).is_some();
    match first {
        None => by_copilot(),
        Some(word) => {
            word == "hook" && by_copilot() && second().is_some_and(|host| host == "claude")
        }
    }
}

/// The result of the search for a project.
pub(crate) enum Finding {
    /// No project, or one without state.
    Nothing,
    /// The user's own project.
    Ours(Place),
    /// A project that the user has not agreed to; its sessions are not held.
    Apart {
        /// The note for the user.
        line: String,
    },
}

/// Finds the project of this call: the one where the session was started, even if its agent has
/// changed folders, else the one around the working directory.
fn find() -> Result<Finding, RootError> {
    let started = env::get(env::CLAUDE_PROJECT_DIR).map(PathBuf::from);
    let started = started.filter(|folder| folder.is_absolute());
    for folder in started.into_iter().chain(std::env::current_dir().ok()) {
        match find_from(&folder)? {
            Finding::Nothing => {}
            found @ (Finding::Ours(_) | Finding::Apart { .. }) => return Ok(found),
        }
    }
    Ok(Finding::Nothing)
}

/// Finds the project around a folder, if its sessions are held.
pub(crate) fn find_from(folder: &Path) -> Result<Finding, RootError> {
    if env::get(env::SWITCH).is_some_and(|value| value == "off") {
        return Ok(Finding::Nothing);
    }
    let (home, named) = (env::get(env::HOME), env::get(env::ROOT));
    let place = root::find(RootSearch {
        folder,
        home: home.as_ref().map(AsRef::as_ref),
        named: named.as_ref().map(AsRef::as_ref),
    })?;
    // Another system's folder alone is no request to watch it, unless a loop that holds sessions is
    // active in it.
    let is_ours = |place: &Place| {
        let has_state = place.state.join(root::STATE).symlink_metadata().is_ok();
        // State that was cleaned away will be restored.
        has_state || place.has_copy() || plan::is_under_way(place)
    };
    let Some(place) = place.filter(is_ours) else { return Ok(Finding::Nothing) };
    let belongs = belongs::of(&place);
    Ok(match belongs::line(&belongs) {
        None if belongs.counts() => Finding::Ours(place),
        // A process was killed before the project was recorded.
        None => Finding::Nothing,
        Some(line) => Finding::Apart { line },
    })
}

/// Tells the user that the state cannot be located; there is no place for a trace either.
fn nowhere(words: impl Iterator<Item = OsString>, why: &str) -> Output {
    heard(words).map_or_else(Output::default, |heard| {
        let reply = Reply::default().saying(format!("sprag: let go: {why}"));
        heard.host.encode(&heard, &reply)
    })
}

/// Shows a note to the user when a session begins, but not later.
fn at_the_beginning(words: impl Iterator<Item = OsString>, line: &str) -> Output {
    let heard = heard(words);
    let heard = heard.filter(|heard| matches!(heard.happening, HookEvent::SessionStart { .. }));
    heard.map_or_else(Output::default, |heard| {
        heard.host.encode(&heard, &Reply::default().saying(line.to_owned()))
    })
}

/// Decodes the host's message where there is no usable project.
fn heard(words: impl Iterator<Item = OsString>) -> Option<HookCall> {
    let words: Vec<String> = words.take(2).map(|word| word.to_string_lossy().into()).collect();
    let host = Host::from_name(words.first()?)?;
    let mut said = Vec::new();
    std::io::stdin().lock().take(MAX_BYTES as u64).read_to_end(&mut said).ok()?;
    host.decode(&said, words.get(1).map(String::as_str)).ok()
}

/// Answers a call in a project. Also returns whether its duration should be measured.
fn in_project(place: &Place, words: impl Iterator<Item = OsString>) -> (Output, bool) {
    let words: Vec<String> = words.take(2).map(|word| short(&word.to_string_lossy())).collect();
    let what = words.join(" ");
    let let_go = |why: &str| {
        leave_trace(place, &what, why);
        (Output::default(), false)
    };
    let host = words.first().and_then(|name| Host::from_name(name));
    let Some(host) = host else { return let_go("an unknown host") };
    let mut said = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    if let Err(error) = std::io::stdin().lock().take(most).read_to_end(&mut said) {
        return let_go(&format!("standard input cannot be read: {error}"));
    }
    let heard = match host.decode(&said, words.get(1).map(String::as_str)) {
        Ok(heard) => heard,
        Err(error) => return let_go(&error.to_string()),
    };
    match decide(place, &heard) {
        // A stop waits for gates, so its duration is not measured.
        Ok(reply) => {
            (host.encode(&heard, &reply), !matches!(heard.happening, HookEvent::Stop { .. }))
        }
        Err(error) => {
            let why = error.to_string();
            let turns =
                matches!(heard.happening, HookEvent::SessionStart { .. } | HookEvent::Stop { .. });
            leave_trace(place, &what, &why);
            if !turns {
                return (Output::default(), false);
            }
            // No session is released silently: the user is told when it starts or stops.
            let reply = Reply::default().saying(format!("sprag: let go: {why}"));
            (host.encode(&heard, &reply), false)
        }
    }
}

/// Records a call that could not be decided; returns whether that worked.
pub(crate) fn leave_trace(place: &Place, what: &str, why: &str) -> bool {
    let text = format!("{what} let go: {why}");
    Store::open(place, clock::first())
        .and_then(|store| store.trace(clock::now(), Traced::LetGo, text.trim_start()))
        .is_ok()
}

/// Decides the answer to a host's call. The project is a person's.
pub(crate) fn decide(place: &Place, heard: &HookCall) -> Result<Reply, EngineError> {
    let Some(session) = &heard.session else { return Ok(Reply::default()) };
    let session = session_file(heard.host, session);
    // The agent may work in another worktree of the repository.
    let moved = heard.cwd.as_ref().and_then(|cwd| root::in_worktree(place, Path::new(cwd)));
    let is_here = moved.is_none();
    let place = moved.as_ref().unwrap_or(place);
    let environment = env::all();
    let engine = || {
        let engine = Engine::open(place, &environment)?;
        Ok::<_, EngineError>(if is_here { engine.of_a_person() } else { engine })
    };
    let run = env::get(env::RUN).and_then(|run| RunId::parse(&run.to_string_lossy()).ok());
    let named = env::get(env::SESSION).is_some_and(|name| name == session.as_str());
    let agent = env::agent();
    let told = HookEnv { run: run.as_ref(), agent: agent.as_ref(), named };
    if let HookEvent::SessionStart { .. } | HookEvent::Prompt { .. } | HookEvent::Stop { .. } =
        &heard.happening
    {
        copy::restore_quietly(place);
    }
    match &heard.happening {
        HookEvent::SessionStart { source } => {
            let process = env::get(env::CLAUDE_PID);
            let process = process.map(|pid| process::identity(&pid.to_string_lossy()));
            let engine = engine()?;
            let how = beginning(*source);
            let said = engine.session_begins(&session, how, process.as_deref(), told)?;
            share(&session);
            latency::prepare(place);
            Ok(context(said))
        }
        HookEvent::Prompt { by, text } => prompted(&engine()?, &session, heard, (*by, text), told),
        HookEvent::BeforeTool(call) => {
            let home = env::get(env::HOME).map(PathBuf::from);
            let writes = written(call, cwd(place, heard), home.as_deref());
            // Forbidden calls are rejected before anything is read.
            match forbidden(place, heard, call, &writes) {
                Some(why) => Ok(HostAnswer::Deny { why }.into()),
                None => before_tool(&engine()?, &session, heard, call, &writes),
            }
        }
        HookEvent::AfterTool { call, .. } => {
            let engine = engine()?;
            engine.tool_ended(&session, call.id.as_deref());
            Ok(context(engine.after_tool(&session, told)?))
        }
        HookEvent::Stop { background, message, .. } => {
            // This is no real end: a background task still runs, or there was nothing to do.
            let goes_on = background.iter().any(sprag_hosts::Background::holds_the_session);
            if goes_on || heard.plan_mode || heard.subagent.is_some() {
                return Ok(Reply::default());
            }
            let cap = heard.host.refusals();
            let stopping = Stopping { cap, told, said: message.as_deref() };
            let engine = engine()?;
            engine.tools_over(&session);
            Ok(stopped(engine.stop(&session, stopping)?))
        }
        HookEvent::StopFailure { error } => {
            engine()?.stop_failed(&session, error)?;
            Ok(Reply::default())
        }
        HookEvent::SessionEnd { left } => {
            let goes_on = match left {
                EndReason::Clear | EndReason::Resume => true,
                EndReason::Other => false,
            };
            engine()?.session_ends(&session, goes_on)?;
            copy::keep(place);
            Ok(Reply::default())
        }
        HookEvent::SubagentStop
        | HookEvent::PreCompact
        | HookEvent::Notification { .. }
        | HookEvent::Ignored { .. } => Ok(Reply::default()),
        HookEvent::StatusLine => {
            Ok(HostAnswer::Line(status_line::of(&engine()?, &session)?).into())
        }
    }
}

/// Handles a prompt: commands to sprag are executed here, anything else is for the agent.
fn prompted(
    engine: &Engine<'_>,
    session: &SessionId,
    heard: &HookCall,
    (by, text): (By, &str),
    told: HookEnv<'_>,
) -> Result<Reply, EngineError> {
    if let Some(typed) = slash::typed(heard)
        && let Some(reply) = slash::answer(engine, session, &typed, text, told)?
    {
        return Ok(reply);
    }
    let person = match by {
        By::Person => Some(text),
        By::Notification => None,
    };
    Ok(context(engine.prompted(session, person, told)?))
}

/// Checks a tool call against the session's work.
fn before_tool(
    engine: &Engine<'_>,
    session: &SessionId,
    heard: &HookCall,
    call: &ToolCall,
    writes: &[HookOutputText<'_>],
) -> Result<Reply, EngineError> {
    let writes: Vec<PathBuf> = writes.iter().flat_map(|one| one.leads.clone()).collect();
    let using = ToolUse {
        call: &policed(heard.host, call),
        changes: changes(call.class) || !writes.is_empty(),
        writes: &writes,
        subagent: heard.subagent.is_some(),
    };
    let blocked = engine.before_tool(session, &using)?;
    // Failing to record the time must not cost the answer.
    let _ = engine.seen(session);
    if using.changes && blocked.is_none() {
        engine.tool_began(session, call.id.as_deref());
    }
    Ok(blocked.map_or_else(Reply::default, |why| HostAnswer::Deny { why }.into()))
}

/// Returns the folder in which the agent works.
fn cwd<'a>(place: &'a Place, heard: &'a HookCall) -> &'a Path {
    let cwd = heard.cwd.as_ref().map(Path::new).filter(|cwd| cwd.is_absolute());
    cwd.unwrap_or(&place.root)
}

/// Returns whether a tool of this class can change files.
const fn changes(class: Class) -> bool {
    match class {
        Class::Edit | Class::Shell => true,
        Class::Read | Class::Search | Class::Web | Class::Agent | Class::Other => false,
    }
}

const fn beginning(source: StartSource) -> Beginning {
    match source {
        StartSource::Clear | StartSource::Fork => Beginning::Follows,
        StartSource::Startup | StartSource::Resume | StartSource::Compact | StartSource::Other => {
            Beginning::Plain
        }
    }
}

/// Passes the session's name to the commands that the agent starts, if the host has a file for
/// that.
fn share(session: &SessionId) {
    let Some(path) = env::get(env::CLAUDE_ENV_FILE) else { return };
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    // Without it, `sprag step` reads the host's own variable.
    let _ = file.and_then(|mut file| writeln!(file, "export SPRAG_SESSION={session}"));
}

fn context(told: HookOutput) -> Reply {
    let reply = told.context.map_or_else(Reply::default, |text| HostAnswer::Context(text).into());
    said(reply, &told.say)
}

fn stopped(answer: stop::StopAnswer) -> Reply {
    match answer {
        stop::StopAnswer::Allow { say } => said(Reply::default(), &say),
        stop::StopAnswer::Refuse { message, say } => {
            said(HostAnswer::Refuse { why: message }.into(), &say)
        }
    }
}

fn said(reply: Reply, say: &[String]) -> Reply {
    if say.is_empty() {
        return reply;
    }
    let lines: Vec<String> = say.iter().map(|line| format!("sprag: {line}")).collect();
    reply.saying(lines.join("\n"))
}

/// Shortens a foreign word for a trace.
pub(crate) fn short(word: &str) -> String {
    word.chars().take(WORD).collect()
}
