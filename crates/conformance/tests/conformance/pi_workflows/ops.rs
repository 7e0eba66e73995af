//! Performs the operations of the recorded cases.

use sprag_conformance::{Case, as_list, as_text, entries, field, is_true};
use sprag_core::Plain;
use sprag_core::workflow::graph::cycles;
use sprag_core::workflow::render::{self, StyledText};
use sprag_core::workflow::session::{Effect, Event, Session, contract};
use sprag_core::workflow::template::fill;
use sprag_core::workflow::{
    Active, NoLoop, OrderEntry, Position, Segment, SessionRecord, advance, back, blocked,
    status_line,
};

use super::difference::{Lens, name_at, standing};
use super::original::take;
use super::recorded::{self, NOW, ended, face, performed, state_of};
use super::{input, load};

/// Answers a case; `None` for an unknown operation.
pub(super) fn answer(case: &Case, lens: &Lens) -> Option<Plain> {
    let input = &case.input;
    let out = match case.op.as_str() {
        "session" => return Some(recorded::answer(input, lens)),
        "load" => return Some(load::answer(input, lens)),
        "agent_end" => return Some(agent_end(input, lens)),
        "loop" => return Some(go_back(input, lens)),
        "resolve_template" => template(input),
        "validate" => validate(input),
        "detect_cycles" => {
            let found = cycles(&input::definitions(input)).told;
            Plain::List(found.iter().map(|cycle| cycle.to_string().into()).collect())
        }
        "find_command" => {
            let definitions = input::definitions(input);
            let command = as_text(field(input, "commandName")).unwrap_or_default();
            optional(definitions.find_command(command).map(|(key, _)| key))
        }
        "status" => {
            let line = status_line(&input::definitions(input), input::state(input).as_ref());
            optional(line.as_deref())
        }
        "tool_call" => tool_call(input),
        "context" => context(input, lens),
        "advance" => go_on(input, lens),
        "resolve_active" => resolve(input),
        "reconstruct" => match state_of(as_list(field(input, "branch"))) {
            Ok(Some(state)) => state.lower(),
            Ok(None) | Err(_) => Plain::Null,
        },
        "render" => show(input),
        "tool_contract" => contract(),
        _ => return None,
    };
    Some(Plain::map([("out", out)]))
}

fn optional(text: Option<&str>) -> Plain {
    text.map_or(Plain::Null, Plain::from)
}

fn template(input: &Plain) -> Plain {
    let template = as_text(field(input, "template")).unwrap_or_default();
    let values: Vec<(&str, &str)> = entries(field(input, "vars"))
        .iter()
        .map(|(key, value)| (key.as_str(), as_text(value).unwrap_or_default()))
        .collect();
    fill(template, &values).into()
}

fn validate(input: &Plain) -> Plain {
    let key = as_text(field(input, "key")).unwrap_or_default();
    let found = input::draft(field(input, "def")).validate(key);
    optional(found.first().map(|invalid| invalid.text.as_str()))
}

fn tool_call(input: &Plain) -> Plain {
    let tool = as_text(field(input, "tool")).unwrap_or_default();
    let reason = blocked(&input::definitions(input), input::state(input).as_ref(), tool);
    reason.map_or(Plain::Null, |reason| {
        Plain::map([("block", Plain::Bool(true)), ("reason", reason.into())])
    })
}

fn context(input: &Plain, lens: &Lens) -> Plain {
    let definitions = input::definitions(input);
    let content = input::state(input).and_then(|state| lens.context(&definitions, &state));
    content.map_or(Plain::Null, |content| {
        let message = Plain::map([
            ("customType", "workflow:context".into()),
            ("content", content.into()),
            ("display", Plain::Bool(false)),
        ]);
        Plain::map([("message", message)])
    })
}

/// Returns the state after a step, as seen through the lens.
fn stepped(state: &SessionRecord, at: &Position, path: Vec<Segment>, lens: &Lens) -> Plain {
    let mut next = state.stepped(Position { path, ..at.clone() }, None);
    next.pending = lens.pending(next.pending, state.pending);
    next.lower()
}

fn go_on(input: &Plain, lens: &Lens) -> Plain {
    let definitions = input::definitions(input);
    let Some(state) = input::state(input) else { return Plain::Null };
    let Some(moved) = advance(&definitions, &state.position) else { return Plain::Null };
    let from = &state.position.path;
    let mut path = moved.position.path.clone();
    let mut to = moved.to.clone();
    if standing(&definitions, from).is_some() {
        path = lens.entered(&definitions, &path, from.len() + 1);
        to = Some(name_at(&definitions, &path).0);
    }
    Plain::map([
        ("advanced", Plain::Bool(true)),
        ("from", moved.from.as_str().into()),
        ("to", optional(to.as_deref())),
        ("newState", stepped(&state, &moved.position, path, lens)),
    ])
}

fn go_back(input: &Plain, lens: &Lens) -> Plain {
    let definitions = input::definitions(input);
    let Some(state) = input::state(input) else { return Plain::Null };
    let out = match back(&definitions, &state.position) {
        Err(NoLoop::Missing) => return Plain::map([("throws", "TypeError".into())]),
        Err(NoLoop::Disabled) => {
            let why = NoLoop::Disabled.to_string();
            Plain::map([("looped", Plain::Bool(false)), ("error", why.into())])
        }
        Ok(looped) => {
            let path = lens.entered(&definitions, &looped.position.path, state.position.path.len());
            Plain::map([
                ("looped", Plain::Bool(true)),
                ("to", name_at(&definitions, &path).0.into()),
                ("newState", stepped(&state, &looped.position, path, lens)),
            ])
        }
    };
    Plain::map([("out", out)])
}

fn resolve(input: &Plain) -> Plain {
    let definitions = input::definitions(input);
    let state = input::state(input);
    let Some(active) = state.as_ref().and_then(|state| Active::of(&definitions, state)) else {
        return Plain::Null;
    };
    let last = active.crumbs.len() - 1;
    let crumbs = active.crumbs.iter().enumerate().map(|(at, (key, known))| {
        let (phase, emoji) = if at == last {
            (&active.phase.name, active.phase.emoji.as_str())
        } else {
            (&known.name, "")
        };
        Plain::map([
            ("workflowKey", (*key).into()),
            ("name", known.name.as_str().into()),
            ("phaseName", phase.as_str().into()),
            ("emoji", emoji.into()),
        ])
    });
    let name = |entry: &OrderEntry| definitions.name_of(entry).to_owned();
    Plain::map([
        ("definition", active.root.name.as_str().into()),
        ("currentPhase", active.phase.id.as_str().into()),
        ("entryIsSubworkflow", Plain::Bool(active.parked)),
        ("nextPhase", optional(active.next.map(name).as_deref())),
        ("breadcrumb", Plain::List(crumbs.collect())),
    ])
}

/// Answers `agent_end`: the immediate effects, and those of each following second.
fn agent_end(input: &Plain, lens: &Lens) -> Plain {
    let definitions = input::definitions(input);
    let mut session = Session { definitions, state: input::state(input), ..Session::default() };
    let event = Event::AgentEnd { ended: ended(input), face: face(input) };
    let fails = is_true(field(input, "sendFails"));
    let mut written = None;
    let mut timeline = Vec::new();
    for second in 0..=4 {
        let event = if second == 0 { event.clone() } else { Event::Tick };
        let answer = take(&mut session, event, NOW + second * 1000, lens);
        let mut effects = Vec::new();
        for effect in &answer.effects {
            if let Effect::AppendEntry { state } = effect {
                written = Some(state.clone());
            } else {
                effects.push(performed(effect, fails));
            }
        }
        if second == 0 || !effects.is_empty() {
            let at = Plain::Int((second * 1000).into());
            timeline.push(Plain::map([("at_ms", at), ("effects", Plain::List(effects))]));
        }
    }
    let said = Plain::Bool(written.is_some());
    let mut out = vec![("unload".to_owned(), said.clone()), ("persist".to_owned(), said)];
    // The original's answer contains the notice flag; only the state that it writes lacks it.
    out.extend(written.map(|state| {
        let said = SessionRecord { notified: Some(true), ..*state };
        ("state".to_owned(), said.lower())
    }));
    Plain::map([("out", Plain::Map(out)), ("timeline", Plain::List(timeline))])
}

fn show(input: &Plain) -> Plain {
    let pieces = match as_text(field(input, "kind")) {
        Some("message") => {
            let content = as_text(field(input, "content")).unwrap_or_default();
            render::message(as_text(field(input, "customType")).unwrap_or_default(), content)
        }
        Some("call") => {
            let action = as_text(field(field(input, "args"), "action")).unwrap_or_default();
            Some(render::call(action))
        }
        Some(_) | None => {
            let result = field(input, "result");
            let text = as_list(field(result, "content")).first();
            let text = text.and_then(|item| as_text(field(item, "text")));
            render::result(text, as_text(field(result, "resultType")))
        }
    };
    let component = if pieces.is_some() { "Text" } else { "Container" };
    let text = pieces.map(|pieces| pieces.iter().map(tagged).collect::<String>());
    Plain::map([("component", component.into()), ("text", optional(text.as_deref()))])
}

fn tagged(piece: &StyledText) -> String {
    let StyledText { colour, bold, text } = piece;
    let text = if *bold { format!("<b>{text}</b>") } else { text.clone() };
    format!("<{colour}>{text}</{colour}>")
}
