use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use super::*;

/// Sends bytes to a model and returns its whole answer.
fn send(model: &Model, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(model.address).unwrap();
    stream.write_all(bytes).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn post(model: &Model, path: &str, body: &Value) -> String {
    let body = body.to_string();
    let head = format!("POST {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n", body.len());
    send(model, format!("{head}{body}").as_bytes())
}

/// The JSON of an answer: the body, or the pieces of a stream.
fn pieces(answer: &str) -> Vec<Value> {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    if head.contains("application/json") {
        return vec![serde_json::from_str(body).unwrap()];
    }
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).unwrap()).collect()
}

/// Sends a request with tools in a protocol, streaming or not.
fn ask(model: &Model, wire: Wire, streams: bool) -> Vec<Value> {
    let mut body = json!({ "model": "m", "stream": streams, "tools": [{}], "messages": ["hello"] });
    let path = match (wire, streams) {
        (Wire::Anthropic, _) => "/v1/messages?beta=true",
        (Wire::Responses, _) => "/v1/responses",
        (Wire::Chat, _) => "/v1/chat/completions",
        (Wire::Gemini, false) => "/v1beta/models/m:generateContent",
        (Wire::Gemini, true) => "/v1beta/models/m:streamGenerateContent?alt=sse",
    };
    if wire == Wire::Gemini {
        body.as_object_mut().unwrap().remove("stream");
    }
    pieces(&post(model, path, &body))
}

const WIRES: [Wire; 4] = [Wire::Anthropic, Wire::Responses, Wire::Chat, Wire::Gemini];

fn steps() -> [Step; 2] {
    let calls = ["one", "two"].map(|word| Call::new("shell", json!({ "command": word })));
    [Step { text: "first".to_owned(), ..Step::uses(calls) }, Step::says("last")]
}

#[test]
fn each_protocol_plays_the_script_whole_and_in_pieces() {
    for (wire, streams) in WIRES.into_iter().flat_map(|wire| [(wire, false), (wire, true)]) {
        let model = Model::start(steps());
        let first = Value::from(ask(&model, wire, streams)).to_string();
        for part in ["first", "shell", "command", "one", "two"] {
            assert!(first.contains(part), "{wire:?} {streams}: no {part} in {first}");
        }
        let last = Value::from(ask(&model, wire, streams)).to_string();
        assert!(last.contains("last") && !last.contains("shell"), "{wire:?}: {last}");
        let more = Value::from(ask(&model, wire, streams)).to_string();
        assert!(more.contains(EXHAUSTED), "{wire:?}: {more}");
        let heard = model.heard();
        assert_eq!(heard.len(), 3);
        assert!(heard.iter().all(|heard| heard.wire == wire && heard.says("hello")));
        assert_eq!(model.faults(), Vec::<String>::new());
    }
}

#[test]
fn a_silent_step_is_heard_and_lasts_until_the_client_goes() {
    let model = Model::start([Step::thinks(), Step::says("awake")]);
    let mut stream = TcpStream::connect(model.address).unwrap();
    let body = json!({ "tools": [{}] }).to_string();
    let head = format!("POST /v1/messages HTTP/1.1\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    model.wait_for(1);
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(answer, "");
    assert!(Value::from(ask(&model, Wire::Anthropic, false)).to_string().contains("awake"));
}

#[test]
fn an_error_is_answered_once_with_its_status_and_headers() {
    let error = || Error::limit(vec![("retry-after", "2".to_owned())], json!({ "error": "slow" }));
    let model = Model::start([Step::fails(error), Step::says("on")]);
    let body = json!({ "tools": [{}] });
    let answer = post(&model, "/v1/messages", &body);
    assert!(answer.starts_with("HTTP/1.1 429 Too Many Requests\r\n"), "{answer}");
    let (head, said) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.ends_with("\r\nretry-after: 2"), "{answer}");
    assert_eq!(said, r#"{"error":"slow"}"#);
    assert!(post(&model, "/v1/messages", &body).contains("on"));
    assert_eq!((model.heard().len(), model.faults().len()), (2, 0));
}

#[test]
fn a_call_in_a_namespace_says_so_to_codex() {
    let call = Call::new("step", json!({})).within("server");
    let model = Model::start([Step::uses([call])]);
    let answer = ask(&model, Wire::Responses, false);
    assert_eq!(answer[0]["output"][0]["namespace"], "server", "{answer:?}");
}

#[test]
fn the_pieces_say_when_the_turn_is_over() {
    let reason = |wire| {
        let model = Model::start(steps());
        [ask(&model, wire, true), ask(&model, wire, true)].map(|events| {
            let found = events.iter().find_map(|event| match wire {
                Wire::Anthropic => event["delta"]["stop_reason"].as_str(),
                Wire::Responses => {
                    event["response"]["status"].as_str().filter(|s| *s != "in_progress")
                }
                Wire::Chat => event["choices"][0]["finish_reason"].as_str(),
                Wire::Gemini => event["candidates"][0]["finishReason"].as_str(),
            });
            found.map(str::to_owned).unwrap()
        })
    };
    assert_eq!(reason(Wire::Anthropic), ["tool_use", "end_turn"]);
    assert_eq!(reason(Wire::Responses), ["completed", "completed"]);
    assert_eq!(reason(Wire::Chat), ["tool_calls", "stop"]);
    assert_eq!(reason(Wire::Gemini), ["STOP", "STOP"]);
}

#[test]
fn calls_with_a_text_are_those_of_codex() {
    let model = Model::start([Step::uses([Call::of_text("apply_patch", "*** Begin")])]);
    let answer = ask(&model, Wire::Responses, false).remove(0);
    assert_eq!(answer["output"][0]["type"], "custom_tool_call");
    assert_eq!(answer["output"][0]["input"], "*** Begin");
}

#[test]
fn questions_aside_are_answered_and_take_no_step() {
    let model = Model::start(steps());
    let aside = post(&model, "/v1/chat/completions", &json!({ "messages": [], "tools": [] }));
    assert!(aside.contains(wire::ASIDE), "{aside}");
    let json = json!({ "generationConfig": { "responseMimeType": "application/json" } });
    assert!(post(&model, "/m:generateContent", &json).contains("next_speaker"));
    assert!(send(&model, b"GET /v1/models HTTP/1.1\r\n\r\n").contains("scripted"));
    assert!(post(&model, "/v1/messages/count_tokens", &json!({})).contains("input_tokens"));
    assert!(post(&model, "/telemetry", &json!({})).ends_with("{}"));
    assert_eq!(model.heard(), Vec::new());
}

#[test]
fn bodies_may_come_in_chunks() {
    let model = Model::start([Step::says("heard")]);
    let head = "POST /v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    let body = "a\r\n{\"tools\":[\r\n5;x=y\r\n{}]}\n\r\n0\r\n\r\n";
    assert!(send(&model, format!("{head}{body}").as_bytes()).contains("heard"));
}

#[test]
fn what_makes_no_sense_is_refused_and_noted() {
    let model = Model::start(steps());
    for bytes in [
        &b"POST /v1/messages HTTP/1.1\r\nContent-Length: 3\r\n\r\n{]}"[..],
        b"nonsense\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nContent-Length: 2\r\nContent-Encoding: zstd\r\n\r\n{}",
        b"POST /x HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
    ] {
        assert!(send(&model, bytes).starts_with("HTTP/1.1 400 "));
    }
    assert_eq!(model.faults().len(), 4, "{:?}", model.faults());
    assert_eq!(model.heard(), Vec::new());
}

#[test]
fn only_what_the_model_reads_counts() {
    let body =
        json!({ "tools": [{ "description": "bad" }], "messages": [{ "content": ["bad, bad"] }] });
    let heard = Heard { wire: Wire::Chat, body };
    assert_eq!((heard.count("bad"), heard.says("good")), (2, false));
}

#[test]
fn agents_of_the_agent_have_a_conversation_of_their_own() {
    let model = Model::with_agents([Step::says("main")], [("MARK", vec![Step::says("beside")])]);
    let ask = |messages: Value| {
        let body = json!({ "tools": [{}], "messages": messages });
        post(&model, "/v1/chat/completions", &body)
    };
    let system = json!({ "role": "system", "content": "x" });
    let marked = json!({ "role": "user", "content": "MARK this" });
    assert!(ask(json!([system, marked])).contains("beside"));
    // The agent's own words do not select another conversation.
    let user = json!({ "role": "user", "content": "hello" });
    let call = json!({ "role": "assistant", "content": "MARK this" });
    assert!(ask(json!([system, user, call, marked])).contains("main"));
    model.wait_for(1);
    assert_eq!((model.heard().len(), model.heard_from("MARK").len()), (1, 1));
}
