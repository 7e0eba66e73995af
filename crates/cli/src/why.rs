//! `sprag why`: explains why a session cannot stop, why a tool is blocked, or what a code means.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_core::reporting::{GateEvidence, Slip};
use sprag_core::{SessionId, Time, Verdict};
use sprag_engine::drive::in_a_line;
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::waits::command;
use sprag_engine::why::{Blocks, RunExplanation};
use sprag_hosts::{Class, HOSTS, Host, ToolCall as Tool, host_of, policed};
use sprag_world::clock;

use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat};
use crate::env;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault, Next};
use crate::status::limits_object;
use crate::style::{Colour, Signs, StreamStyle, Tone, WIDTH, age};
use crate::{screen, workflow};

pub(crate) fn show(call: &CommandContext, what: Option<&str>) -> Result<Exit, EarlyExit> {
    let (text, exit) = answer(call, what)?;
    screen::print(&text)?;
    Ok(exit)
}

/// Returns the answer in the call's output form, and whether it is complete.
pub(crate) fn answer(
    call: &CommandContext,
    what: Option<&str>,
) -> Result<(String, Exit), EarlyExit> {
    match what {
        Some(word) if is_code(word) => Ok((code(call, word)?, Exit::Done)),
        // No host has a tool with such a name.
        Some(run) if run.starts_with("r-") => runs(call, Some(run)),
        Some(tool) => tool_blocked(call, tool),
        None => runs(call, None),
    }
}

/// Where the question is asked: the suggested commands differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AskedFrom {
    InShell,
    InSession,
}

/// Answers a user who asks in a session, about that session.
pub(crate) fn in_session(
    engine: &Engine<'_>,
    session: &SessionId,
    what: Option<&str>,
) -> Result<String, EngineError> {
    let look = StreamStyle { colour: Colour::No, signs: Signs::Unicode };
    if let Some(name) = what {
        let near = host_of(session);
        let (runs, unread) = engine.why_tool(|owner| tool(name, owner, near))?;
        return Ok(blocks(look, name, runs) + &unknown(look, &unread));
    }
    let (mut all, unread) = engine.why()?;
    all.retain(|why| why.owner.as_ref() == Some(session));
    if all.is_empty() && !unread.is_empty() {
        return Ok(unknown(look, &unread));
    }
    Ok(text(look, &all, clock::now(), AskedFrom::InSession) + &unknown(look, &unread))
}

/// Lists unreadable runs: they may also hold the session.
fn unknown(look: StreamStyle, unread: &[String]) -> String {
    let mut out = String::new();
    for line in unread {
        let _ = writeln!(out, "Unknown, so it may hold it as well:");
        for line in look.wrap(line, WIDTH - 2) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

/// Returns the exit code for whether everything could be read.
fn whole(unread: &[String]) -> Exit {
    if unread.is_empty() { Exit::Done } else { Exit::Unreadable }
}

/// Returns a tool as a phase's policy sees it: under the names of the host that drives the run,
/// else of the asking host, else of the first host that has such a tool.
fn tool(name: &str, owner: Option<&SessionId>, near: Option<Host>) -> sprag_core::Call {
    let has = |host: &Host| host.class(name) != Class::Other;
    let driving = owner.and_then(host_of).or(near);
    let host = driving.or_else(|| HOSTS.into_iter().find(has)).unwrap_or(HOSTS[0]);
    let (name, class) = (name.to_owned(), host.class(name));
    policed(host, &Tool { name, class, paths: vec![], command: None, prompt: None, id: None })
}

fn line_of(object: &Value) -> String {
    format!("{object}\n")
}

fn is_code(word: &str) -> bool {
    let digits = word.strip_prefix(['K', 'k']);
    digits.is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()))
}

fn code(call: &CommandContext, word: &str) -> Result<String, EarlyExit> {
    let known = Code::ALL.into_iter().find(|code| code.text().eq_ignore_ascii_case(word));
    let known = known.ok_or_else(|| {
        Fault::new(Exit::NotFound, Code::Usage, format!("there is no code `{word}`"))
            .help("`sprag man` lists them")
    })?;
    Ok(match call.answer {
        OutputFormat::Text => format!("{}: {}\n", known.text(), known.meaning()),
        OutputFormat::Json => {
            line_of(&json!({ "ok": true, "code": known.text(), "meaning": known.meaning() }))
        }
    })
}

fn tool_blocked(call: &CommandContext, name: &str) -> Result<(String, Exit), EarlyExit> {
    let (place, _) = call.project_to_show()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let near = workflow::session(&engine).and_then(|session| host_of(&session));
    let (runs, unread) = engine.why_tool(|owner| tool(name, owner, near))?;
    let text = match call.answer {
        OutputFormat::Text => blocks(call.look, name, runs) + &unknown(call.look, &unread),
        OutputFormat::Json => {
            let run = |(id, why): &Blocks| json!({ "run": id, "blocked": why });
            line_of(&json!({
                "ok": unread.is_empty(),
                "tool": name,
                "runs": runs.iter().map(run).collect::<Vec<_>>(),
                "unknown": unread,
            }))
        }
    };
    Ok((text, whole(&unread)))
}

/// Explains which workflows block a tool.
fn blocks(look: StreamStyle, name: &str, runs: Vec<Blocks>) -> String {
    let mut out = String::new();
    if runs.is_empty() {
        let _ = writeln!(out, "No workflow goes on here, so no phase blocks `{name}`.");
    }
    for (run, why) in runs {
        match why {
            Some(why) => {
                let _ = writeln!(out, "{run} blocks it:");
                for line in why.lines() {
                    let _ = writeln!(out, "  {}", look.clip(line, WIDTH - 2));
                }
            }
            None => {
                let _ = writeln!(out, "{run} does not block `{name}` in its phase.");
            }
        }
    }
    out
}

/// Explains why sessions cannot stop, for one run or all.
fn runs(call: &CommandContext, name: Option<&str>) -> Result<(String, Exit), EarlyExit> {
    let (place, _) = call.project_to_show()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let named = name.map(|name| engine.find_run(name)).transpose()?;
    let (mut all, unread) = engine.why()?;
    all.retain(|why| named.as_ref().is_none_or(|run| why.run == *run));
    let over = named.filter(|_| all.is_empty() && unread.is_empty());
    let text = match (call.answer, over) {
        (OutputFormat::Text, Some(run)) => format!("{run} is over.\nNext: sprag report {run}\n"),
        (OutputFormat::Text, None) => {
            text(call.look, &all, clock::now(), AskedFrom::InShell) + &unknown(call.look, &unread)
        }
        (OutputFormat::Json, _) => line_of(&json!({
            "ok": unread.is_empty(),
            "runs": all.iter().map(object).collect::<Vec<_>>(),
            "unknown": unread,
            "next": Next {
                safe: vec!["sprag".to_owned()],
                human: all.iter().map(|why| format!("sprag pause {}", why.run)).collect(),
            },
        })),
    };
    Ok((text, whole(&unread)))
}

fn object(why: &RunExplanation) -> Value {
    let gate = |gate: &String| {
        let now = why.evidence.now(gate);
        json!({
            "gate": gate,
            "now": now.map(|receipt| receipt.verdict),
            "why": now.map(|receipt| &receipt.why),
            "last": why.evidence.last(gate).map(|last| json!({
                "verdict": last.receipt.verdict, "exit": last.receipt.exit, "at": last.began(),
                "by": last.by,
            })),
        })
    };
    json!({
        "run": why.run,
        "at": why.at,
        "session": why.owner.as_ref().map(SessionId::as_str),
        "gates": why.gates.iter().map(gate).collect::<Vec<_>>(),
        "holds": why.holds.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "limits": limits_object(&why.limits),
        "refused": why.refused,
    })
}

fn text(look: StreamStyle, all: &[RunExplanation], now: Time, asked: AskedFrom) -> String {
    if all.is_empty() {
        return match asked {
            AskedFrom::InShell => "Nothing holds a session here.\nNext: sprag\n".to_owned(),
            AskedFrom::InSession => "Nothing holds this session.\n".to_owned(),
        };
    }
    let mut out = String::new();
    for why in all {
        let owner = why.owner.as_ref().map_or("nobody", SessionId::as_str);
        let _ =
            writeln!(out, "Why can't it stop?  {}, driven by {}", why.run, look.clip(owner, 44));
        let _ = writeln!(out, "  {}", look.clip(&why.at, WIDTH - 2));
        for gate in &why.gates {
            let line = line(look, gate, &why.evidence, now);
            let _ = writeln!(out, "    {}", look.clip(&line, WIDTH + 8));
        }
        for hold in &why.holds {
            for line in look.wrap(&format!("It waits for you: {}", in_a_line(hold)), WIDTH - 2) {
                let _ = writeln!(out, "  {line}");
            }
        }
        for limit in &why.limits {
            for line in look.wrap(&format!("{limit}: {}", limit.why), WIDTH - 2) {
                let _ = writeln!(out, "  {line}");
            }
        }
        if why.refused > 0 {
            let times = match why.refused {
                1 => "once".to_owned(),
                times => format!("{times} times"),
            };
            let _ = writeln!(
                out,
                "  Refused {times} without progress. If that goes on, sprag hands it to you."
            );
        }
        let command = match (why.holds.first(), asked) {
            (None, AskedFrom::InShell) => format!("To let it stop now:  sprag pause {}", why.run),
            (None, AskedFrom::InSession) => "To let it stop now:  /sprag:pause".to_owned(),
            (Some(hold), _) => format!("To let it go on:  {}", command(&why.run, hold)),
        };
        let _ = writeln!(out, "{command}\n");
    }
    out.pop();
    out
}

fn line(look: StreamStyle, gate: &str, evidence: &GateEvidence, now: Time) -> String {
    let (counts, last) = (evidence.now(gate), evidence.last(gate));
    let is_stale = |last: &Slip| evidence.is_stale(last);
    // A failed gate will run again, and refuses until then.
    let has_failed = |last: &&Slip| !is_stale(last) && last.receipt.verdict == Verdict::Fail;
    let failed = last.filter(has_failed).map(|_| Verdict::Fail);
    let mark = match counts.map(|receipt| receipt.verdict).or(failed) {
        Some(Verdict::Pass | Verdict::Waived) => look.paint(Tone::Good, look.sign("✓", "+")),
        Some(Verdict::Fail) => look.paint(Tone::Bad, look.sign("✗", "x")),
        Some(Verdict::Void | Verdict::Unknown) => look.paint(Tone::Note, "!"),
        None => look.sign("–", "-").to_owned(),
    };
    let said = match (counts.map(|receipt| (receipt.verdict, &receipt.why)), last) {
        (Some((Verdict::Waived, _)), _) => "waived, not proven".to_owned(),
        (Some((verdict @ (Verdict::Void | Verdict::Unknown), why)), _) => {
            format!("{}: {why}", verdict.as_str())
        }
        (Some((Verdict::Pass | Verdict::Fail, _)) | None, Some(last)) => {
            let exit = last.receipt.exit.map_or_else(String::new, |code| format!(" exit {code}"));
            format!("{}{exit}", last.receipt.verdict.as_str())
        }
        (Some((verdict @ (Verdict::Pass | Verdict::Fail), _)), None) => verdict.as_str().to_owned(),
        (None, None) => "not run yet".to_owned(),
    };
    let stale = counts.is_none() && last.is_some_and(is_stale);
    let ago = last.map(|last| format!(", {} ago", age(now.since(last.began()))));
    let stale = if stale { " (the files have changed since)" } else { "" };
    format!("{mark} {gate}  {said}{}{stale}", ago.unwrap_or_default())
}
