//! The `OpenAI` Chat Completions protocol.

use serde_json::{Value, json};

use super::wire::{Event, Turn};

/// The answer as one completion.
pub(super) fn whole(turn: &Turn<'_>) -> Value {
    let mut message = json!({ "role": "assistant", "content": turn.step.text });
    let calls = calls(turn);
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    let mut completion = completion(turn, "chat.completion");
    completion["choices"] =
        json!([{ "index": 0, "message": message, "finish_reason": finish_reason(turn) }]);
    completion["usage"] = usage();
    completion
}

/// The answer as a stream.
pub(super) fn stream(turn: &Turn<'_>) -> Vec<Event> {
    let chunk = |delta: Value, finish: Option<&str>| {
        let mut chunk = completion(turn, "chat.completion.chunk");
        chunk["choices"] = json!([{ "index": 0, "delta": delta, "finish_reason": finish }]);
        Event::plain(chunk)
    };
    let mut events = vec![chunk(json!({ "role": "assistant", "content": turn.step.text }), None)];
    for (index, mut call) in calls(turn).into_iter().enumerate() {
        call["index"] = index.into();
        events.push(chunk(json!({ "tool_calls": [call] }), None));
    }
    events.push(chunk(json!({}), Some(finish_reason(turn))));
    let mut last = completion(turn, "chat.completion.chunk");
    last["choices"] = json!([]);
    last["usage"] = usage();
    events.push(Event::plain(last));
    events.push(Event::done());
    events
}

fn completion(turn: &Turn<'_>, object: &str) -> Value {
    json!({
        "id": format!("chatcmpl-{}", turn.id),
        "object": object,
        "created": 1_700_000_000,
        "model": turn.body["model"],
    })
}

fn calls(turn: &Turn<'_>) -> Vec<Value> {
    let calls = turn.step.calls.iter().enumerate();
    let calls = calls.map(|(at, call)| {
        json!({
            "id": format!("call_{}_{at}", turn.id),
            "type": "function",
            "function": { "name": call.name, "arguments": call.fields().to_string() },
        })
    });
    calls.collect()
}

fn finish_reason(turn: &Turn<'_>) -> &'static str {
    if turn.step.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn usage() -> Value {
    json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 })
}
