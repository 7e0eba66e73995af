//! The Anthropic Messages protocol.

use serde_json::{Value, json};

use super::wire::{Event, Turn};

/// The answer as one message.
pub(super) fn whole(turn: &Turn<'_>) -> Value {
    let mut message = message(turn);
    message["content"] = content(turn).into();
    message["stop_reason"] = stop_reason(turn).into();
    message
}

/// The answer as a stream.
pub(super) fn stream(turn: &Turn<'_>) -> Vec<Event> {
    let mut start = message(turn);
    start["content"] = json!([]);
    let mut events = vec![Event::named("message_start", json!({ "message": start }))];
    for (index, block) in content(turn).into_iter().enumerate() {
        let (empty, delta) = parts(&block);
        events.extend([
            Event::named("content_block_start", json!({ "index": index, "content_block": empty })),
            Event::named("content_block_delta", json!({ "index": index, "delta": delta })),
            Event::named("content_block_stop", json!({ "index": index })),
        ]);
    }
    let delta = json!({ "stop_reason": stop_reason(turn), "stop_sequence": null });
    let usage = json!({ "output_tokens": 5 });
    events.push(Event::named("message_delta", json!({ "delta": delta, "usage": usage })));
    events.push(Event::named("message_stop", json!({})));
    events
}

fn message(turn: &Turn<'_>) -> Value {
    json!({
        "id": format!("msg_{}", turn.id),
        "type": "message",
        "role": "assistant",
        "model": turn.body["model"],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": {
            "input_tokens": 10,
            "output_tokens": 1,
            "cache_read_input_tokens": 0,
            "cache_creation_input_tokens": 0,
        },
    })
}

fn content(turn: &Turn<'_>) -> Vec<Value> {
    let text =
        (!turn.step.text.is_empty()).then(|| json!({ "type": "text", "text": turn.step.text }));
    let calls = turn.step.calls.iter().enumerate().map(|(at, call)| {
        let id = format!("toolu_{}_{at}", turn.id);
        json!({ "type": "tool_use", "id": id, "name": call.name, "input": call.fields() })
    });
    text.into_iter().chain(calls).collect()
}

/// Splits a block into its empty start and the delta that fills it.
fn parts(block: &Value) -> (Value, Value) {
    let mut empty = block.clone();
    if block["type"] == "text" {
        empty["text"] = "".into();
        return (empty, json!({ "type": "text_delta", "text": block["text"] }));
    }
    empty["input"] = json!({});
    (empty, json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() }))
}

fn stop_reason(turn: &Turn<'_>) -> &'static str {
    if turn.step.calls.is_empty() { "end_turn" } else { "tool_use" }
}
