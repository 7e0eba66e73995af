//! The Gemini generateContent protocol.

use serde_json::{Value, json};

use super::wire::{ASIDE, Event, Turn};

/// The whole answer.
pub(super) fn whole(turn: &Turn<'_>) -> Value {
    let text = (!turn.step.text.is_empty()).then(|| json!({ "text": turn.step.text }));
    let calls = turn
        .step
        .calls
        .iter()
        .map(|call| json!({ "functionCall": { "name": call.name, "args": call.fields() } }));
    let parts: Vec<Value> = text.into_iter().chain(calls).collect();
    json!({
        "candidates": [{
            "content": { "role": "model", "parts": parts },
            "finishReason": "STOP",
            "index": 0,
        }],
        "usageMetadata": { "promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15 },
        "modelVersion": "scripted",
        "responseId": format!("r{}", turn.id),
    })
}

/// The answer as a stream of one piece, which this protocol allows.
pub(super) fn stream(turn: &Turn<'_>) -> Vec<Event> {
    vec![Event::plain(whole(turn))]
}

/// The answer when Gemini CLI asks a model which model to use, or who speaks next.
pub(super) fn aside(body: &Value) -> &'static str {
    if body["generationConfig"]["responseMimeType"] != "application/json" {
        return ASIDE;
    }
    r#"{"reasoning":"x","next_speaker":"user","model_choice":"flash","complexity_reasoning":"x","complexity_score":10}"#
}
