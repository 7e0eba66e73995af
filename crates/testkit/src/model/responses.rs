//! The `OpenAI` Responses protocol.

use serde_json::{Value, json};

use super::wire::{Event, Turn};
use super::{Call, Input};

/// The answer as one response.
pub(super) fn whole(turn: &Turn<'_>) -> Value {
    let mut response = begun(turn);
    response["status"] = "completed".into();
    response["output"] = output(turn).into();
    response["usage"] = json!({
        "input_tokens": 10,
        "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 5,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": 15,
    });
    response
}

/// The answer as a stream.
pub(super) fn stream(turn: &Turn<'_>) -> Vec<Event> {
    let mut events = vec![Event::named("response.created", json!({ "response": begun(turn) }))];
    for (index, item) in output(turn).into_iter().enumerate() {
        if item["type"] == "message" {
            let mut empty = item.clone();
            empty["content"] = json!([]);
            empty["status"] = "in_progress".into();
            let added = json!({ "output_index": index, "item": empty });
            let delta = json!({
                "item_id": item["id"],
                "output_index": index,
                "content_index": 0,
                "delta": turn.step.text,
            });
            events.push(Event::named("response.output_item.added", added));
            events.push(Event::named("response.output_text.delta", delta));
        }
        let done = json!({ "output_index": index, "item": item });
        events.push(Event::named("response.output_item.done", done));
    }
    events.push(Event::named("response.completed", json!({ "response": whole(turn) })));
    events
}

fn begun(turn: &Turn<'_>) -> Value {
    json!({
        "id": format!("resp_{}", turn.id),
        "object": "response",
        "created_at": 1_700_000_000,
        "model": turn.body["model"],
        "status": "in_progress",
        "output": [],
    })
}

fn output(turn: &Turn<'_>) -> Vec<Value> {
    let text = (!turn.step.text.is_empty()).then(|| {
        json!({
            "type": "message",
            "id": format!("msg_{}", turn.id),
            "role": "assistant",
            "status": "completed",
            "content": [{ "type": "output_text", "text": turn.step.text, "annotations": [] }],
        })
    });
    let calls = turn.step.calls.iter().enumerate();
    let calls = calls.map(|(at, call)| item(&format!("{}_{at}", turn.id), call));
    text.into_iter().chain(calls).collect()
}

fn item(id: &str, call: &Call) -> Value {
    let call_id = format!("call_{id}");
    let mut item = match &call.input {
        Input::Fields(fields) => json!({
            "type": "function_call",
            "id": format!("fc_{id}"),
            "call_id": call_id,
            "name": call.name,
            "arguments": fields.to_string(),
            "status": "completed",
        }),
        Input::Text(text) => json!({
            "type": "custom_tool_call",
            "id": format!("ctc_{id}"),
            "call_id": call_id,
            "name": call.name,
            "input": text,
            "status": "completed",
        }),
    };
    if let Some(namespace) = &call.namespace {
        item["namespace"] = namespace.as_str().into();
    }
    item
}
