//! The fast path: what a host calls before and after every tool, in every folder of the machine.
//!
//! Most of those folders are not ours, so this looks for a project first, and reads nothing before
//! there is one: no argument parser, no configuration, no thread. In a project the host's words are
//! decoded, the engine decides, and the answer is written as that host reads it. Whatever goes
//! wrong on the way, the agent goes on, and a trace is left that `sprag` and `sprag doctor` show.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sprag_core::Id;
use sprag_engine::clock;
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::root::{self, RootError, Start};
use sprag_engine::session::SessionId;
use sprag_engine::stop::{self, Stopping};
use sprag_engine::trust;
use sprag_engine::visit::{Beginning, Hears, Using};
use sprag_engine::whose::Told;
use sprag_hosts::edits::{self, Ground};
use sprag_hosts::{
    Answer, By, Call, Class, Happening, Heard, Host, Left, MAX_BYTES, Output, Reply, Source,
    policed, session_file, shell,
};
use sprag_store::{Place, Store};

use crate::env;

/// Longer words than hosts and their events have are cut.
const WORD: usize = 40;

/// Answers a host hook.
pub(crate) fn answer(words: impl Iterator<Item = OsString>) -> ExitCode {
    let output = match find() {
        Ok(Some(place)) => in_project(&place, words),
        Ok(None) => Output::default(),
        Err(error) => nowhere(words, &error.to_string()),
    };
    // Where nobody listens any more, there is nothing left to say.
    let _ = std::io::stdout().lock().write_all(output.stdout.as_bytes());
    let _ = std::io::stderr().lock().write_all(output.stderr.as_bytes());
    ExitCode::from(output.exit)
}

/// Finds the project that this call is about: where the session was started, whatever folder its
/// agent has gone to, else the working directory.
fn find() -> Result<Option<Place>, RootError> {
    let started = env::get(env::CLAUDE_PROJECT_DIR).map(PathBuf::from);
    let started = started.filter(|folder| folder.is_absolute());
    for folder in started.into_iter().chain(std::env::current_dir().ok()) {
        if let Some(place) = find_from(&folder)? {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// Finds the project that a folder is in, if its sessions are held.
pub(crate) fn find_from(folder: &Path) -> Result<Option<Place>, RootError> {
    if env::get(env::SWITCH).is_some_and(|value| value == "off") {
        return Ok(None);
    }
    let (home, named) = (env::get(env::HOME), env::get(env::ROOT));
    let place = root::find(Start {
        folder,
        home: home.as_ref().map(AsRef::as_ref),
        named: named.as_ref().map(AsRef::as_ref),
    })?;
    // A folder of another system alone is nothing that we were asked to watch.
    let is_ours = |place: &Place| place.state.join(root::STATE).symlink_metadata().is_ok();
    Ok(place.filter(is_ours))
}

/// Says to the person that nobody knows where the state is; there is no place for a trace.
fn nowhere(words: impl Iterator<Item = OsString>, why: &str) -> Output {
    let words: Vec<String> = words.take(2).map(|word| word.to_string_lossy().into()).collect();
    let mut said = Vec::new();
    let heard = words.first().and_then(|name| Host::from_name(name)).and_then(|host| {
        std::io::stdin().lock().take(MAX_BYTES as u64).read_to_end(&mut said).ok()?;
        host.decode(&said, words.get(1).map(String::as_str)).ok()
    });
    heard.map_or_else(Output::default, |heard| {
        let reply = Reply::default().saying(format!("sprag: let go: {why}"));
        heard.host.encode(&heard, &reply)
    })
}

fn in_project(place: &Place, words: impl Iterator<Item = OsString>) -> Output {
    let words: Vec<String> = words.take(2).map(|word| short(&word.to_string_lossy())).collect();
    let let_go = |why: &str| {
        let_go(place, &words.join(" "), why);
        Output::default()
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
        Ok(reply) => host.encode(&heard, &reply),
        Err(error) => let_go(&error.to_string()),
    }
}

/// Leaves a trace of something that could not be decided.
pub(crate) fn let_go(place: &Place, what: &str, why: &str) {
    let text = format!("{what} let go: {why}");
    // Where not even this can be written, there is nobody left to tell.
    let _ = Store::open(place).map(|store| store.trace(clock::now(), text.trim_start()));
}

/// Decides what the host is answered.
pub(crate) fn decide(place: &Place, heard: &Heard) -> Result<Reply, EngineError> {
    let file = heard.session.as_ref().map(|session| session_file(heard.host, session));
    let Some(session) = file.as_deref().and_then(SessionId::parse) else {
        return Ok(Reply::default());
    };
    // What is forbidden is so before anything is read.
    if let Happening::BeforeTool(call) = &heard.happening
        && let Some(why) = forbidden(place, heard, call)
    {
        return Ok(Answer::Deny { why }.into());
    }
    let environment = env::all();
    let engine = || Engine::open(place, &environment);
    let run = env::get(env::RUN).and_then(|run| Id::parse(&run.to_string_lossy()).ok());
    let named = env::get(env::SESSION).is_some_and(|name| name == session.as_str());
    let agent = env::agent();
    let told = Told { run: run.as_ref(), agent: agent.as_ref(), named };
    match &heard.happening {
        Happening::SessionStart { source } => {
            let process = env::get(env::CLAUDE_PID).map(|pid| pid.to_string_lossy().into_owned());
            let engine = engine()?;
            let how = beginning(*source);
            let said = engine.session_begins(&session, how, process.as_deref(), told)?;
            share(&session);
            Ok(context(said))
        }
        Happening::Prompt { by, text } => {
            let person = match by {
                By::Person => Some(text.as_str()),
                By::Notification => None,
            };
            Ok(context(engine()?.prompted(&session, person, told)?))
        }
        Happening::BeforeTool(call) => {
            let writes = writes(heard, call);
            let using = Using {
                call: &policed(heard.host, call),
                changes: changes(call.class) || !writes.is_empty(),
                writes: &writes,
                subagent: heard.subagent.is_some(),
            };
            let blocked = engine()?.before_tool(&session, &using)?;
            Ok(blocked.map_or_else(Reply::default, |why| Answer::Deny { why }.into()))
        }
        Happening::AfterTool { .. } => {
            engine()?.seen(&session)?;
            Ok(Reply::default())
        }
        Happening::Stop { background, .. } => {
            // Not an end at all: somebody still works, or nothing was to be done.
            let goes_on = background.iter().any(sprag_hosts::Background::holds_the_session);
            if goes_on || heard.plan_mode || heard.subagent.is_some() {
                return Ok(Reply::default());
            }
            let stopping = Stopping { cap: heard.host.refusals(), told };
            Ok(stopped(engine()?.stop(&session, stopping)?))
        }
        Happening::SessionEnd { left } => {
            let goes_on = match left {
                Left::Clear | Left::Resume => true,
                Left::Other => false,
            };
            engine()?.session_ends(&session, goes_on)?;
            Ok(Reply::default())
        }
        Happening::SubagentStop
        | Happening::PreCompact
        | Happening::Notification { .. }
        | Happening::StopFailure { .. }
        | Happening::StatusLine
        | Happening::Ignored { .. } => Ok(Reply::default()),
    }
}

/// Returns why a tool may not be used by any agent, whatever it works on.
fn forbidden(place: &Place, heard: &Heard, call: &Call) -> Option<String> {
    let by_shell = call.command.as_deref().and_then(|text| shell::forbidden(heard.host, text));
    if let Some(forbidden) = by_shell {
        return Some(forbidden.to_string());
    }
    let home = env::get(env::HOME).map(PathBuf::from);
    let cwd = heard.cwd.as_ref().map_or(place.root.as_path(), Path::new);
    let ground = Ground { root: &place.root, cwd, home: home.as_deref() };
    let state = Ground { root: &place.state, ..ground };
    let trusted = trust::folder(env::get(env::STATE_HOME).as_deref(), home.as_deref());
    call.writes().iter().find_map(|path| {
        let real = real(&cwd.join(path));
        let seen = [path.as_str(), real.as_deref().unwrap_or(path)];
        let is_trust =
            |path: &str| trusted.as_ref().is_some_and(|folder| cwd.join(path).starts_with(folder));
        let is_ours = |path: &&str| {
            is_trust(path)
                || edits::protected(heard.host, path, ground).is_some()
                || edits::protected(heard.host, path, state).is_some()
        };
        seen.iter().any(is_ours).then(|| format!("`{path}` is not for agents to change"))
    })
}

/// Returns where a path leads through links, as far as it exists.
fn real(path: &Path) -> Option<String> {
    let mut rest = Vec::new();
    let mut at = path;
    loop {
        if let Ok(found) = std::fs::canonicalize(at) {
            let whole = rest.iter().rev().fold(found, |whole, name| whole.join(name));
            return whole.to_str().map(str::to_owned);
        }
        rest.push(at.file_name()?);
        at = at.parent()?;
    }
}

fn writes(heard: &Heard, call: &Call) -> Vec<PathBuf> {
    let Some(cwd) = &heard.cwd else { return Vec::new() };
    call.writes().iter().map(|path| Path::new(cwd).join(path)).collect()
}

/// Returns whether a tool of this kind can change files.
const fn changes(class: Class) -> bool {
    match class {
        Class::Edit | Class::Shell => true,
        Class::Read | Class::Search | Class::Web | Class::Agent | Class::Other => false,
    }
}

const fn beginning(source: Source) -> Beginning {
    match source {
        Source::Clear | Source::Fork => Beginning::Follows,
        Source::Startup | Source::Resume | Source::Compact | Source::Other => Beginning::Plain,
    }
}

/// Lets the commands that the agent starts know their session, where the host has a file for that.
fn share(session: &SessionId) {
    let Some(path) = env::get(env::CLAUDE_ENV_FILE) else { return };
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    // Without it, `sprag step` is told the session by the host's own variable.
    let _ = file.and_then(|mut file| writeln!(file, "export SPRAG_SESSION={session}"));
}

fn context(told: Hears) -> Reply {
    let reply = told.context.map_or_else(Reply::default, |text| Answer::Context(text).into());
    said(reply, &told.say)
}

fn stopped(answer: stop::Answer) -> Reply {
    match answer {
        stop::Answer::Allow { say } => said(Reply::default(), &say),
        stop::Answer::Refuse { message, say } => said(Answer::Refuse { why: message }.into(), &say),
    }
}

fn said(reply: Reply, say: &[String]) -> Reply {
    if say.is_empty() {
        return reply;
    }
    let lines: Vec<String> = say.iter().map(|line| format!("sprag: {line}")).collect();
    reply.saying(lines.join("\n"))
}

/// Cuts a word of somebody else's, for a trace.
pub(crate) fn short(word: &str) -> String {
    word.chars().take(WORD).collect()
}
