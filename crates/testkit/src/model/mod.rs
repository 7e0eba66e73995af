//! A scripted model on loopback: it plays a conversation and records the requests it receives.
//!
//! Tests point the hosts' real clients at it instead of their vendor. So a test knows the agent's
//! next action, and can look at the texts that the agent received. It supports the four protocols
//! of those clients ([`Wire`]), streaming or not, and needs neither a key nor a network.
//!
//! ```
//! use sprag_testkit::model::{Model, Step};
//!
//! let model = Model::start([Step::says("I am done.")]);
//! assert!(model.url().starts_with("http://127.0.0.1:"));
//! assert!(model.heard().is_empty());
//! ```

mod anthropic;
mod chat;
mod conversation;
mod gemini;
mod heard;
mod http;
mod responses;
mod script;
#[cfg(test)]
mod tests;
mod wire;

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

pub use conversation::EXHAUSTED;
pub use heard::Heard;
pub use script::{Call, Error, Input, Step};
pub use wire::Wire;

use conversation::Conversation;
use http::{Request, Response};
use wire::{Answer, Turn};

/// How long a client may take to send a request that it has started.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a test waits for a request: longer than any client may hang.
const LONGEST: Duration = Duration::from_mins(5);

/// A model that listens until it is dropped.
#[derive(Debug)]
pub struct Model {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    /// The main one is last, because it takes every request that no other takes.
    conversations: Mutex<Vec<Conversation>>,
    spoke: Condvar,
    port: u16,
    turns: AtomicUsize,
    faults: Mutex<Vec<String>>,
    over: AtomicBool,
}

impl Model {
    /// Starts a model that plays these steps, one per request.
    pub fn start(steps: impl IntoIterator<Item = Step>) -> Self {
        Self::with_agents(steps, [])
    }

    /// Starts a model that also plays subagents: each is identified by a mark in its first prompt
    /// and has its own steps.
    pub fn with_agents(
        steps: impl IntoIterator<Item = Step>,
        agents: impl IntoIterator<Item = (&'static str, Vec<Step>)>,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port on loopback");
        let address = listener.local_addr().expect("its address");
        let agents = agents.into_iter().map(|(mark, steps)| Conversation::of(Some(mark), steps));
        let main = Conversation::of(None, steps.into_iter().collect());
        let shared = Arc::new(Shared {
            conversations: Mutex::new(agents.chain([main]).collect()),
            spoke: Condvar::new(),
            port: address.port(),
            turns: AtomicUsize::new(0),
            faults: Mutex::default(),
            over: AtomicBool::new(false),
        });
        let of_thread = Arc::clone(&shared);
        let accepting = std::thread::spawn(move || accept(&listener, &of_thread));
        Self { address, shared, accepting: Some(accepting) }
    }

    /// The model's address, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests of the main conversation so far, in order.
    pub fn heard(&self) -> Vec<Heard> {
        self.heard_of(None)
    }

    /// The requests of the subagent with this mark.
    pub fn heard_from(&self, mark: &str) -> Vec<Heard> {
        self.heard_of(Some(mark))
    }

    fn heard_of(&self, mark: Option<&str>) -> Vec<Heard> {
        let all = locked(&self.shared.conversations);
        all.iter().find(|one| one.mark == mark).map_or(Vec::new(), |one| one.heard.clone())
    }

    /// Waits until the main conversation has at least `requests` requests.
    pub fn wait_for(&self, requests: usize) {
        let all = locked(&self.shared.conversations);
        let few =
            |all: &mut Vec<Conversation>| all.last().is_none_or(|main| main.heard.len() < requests);
        let waited = self.shared.spoke.wait_timeout_while(all, LONGEST, few);
        let (_all, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "{requests} requests did not come");
    }

    /// The requests that it could not read, as messages.
    pub fn faults(&self) -> Vec<String> {
        locked(&self.shared.faults).clone()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // Wakes the accepting thread; a failure means that it has already ended.
        let woken = TcpStream::connect(self.address);
        if let (Ok(_), Some(thread)) = (woken, self.accepting.take()) {
            let _ = thread.join();
        }
    }
}

/// Locks a mutex. A thread that panicked while holding it leaves the list intact.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming().flatten() {
        if shared.over.load(Ordering::SeqCst) {
            return;
        }
        let shared = Arc::clone(shared);
        std::thread::spawn(move || serve(&stream, &shared));
    }
}

/// Answers the one request of a connection.
fn serve(stream: &TcpStream, shared: &Shared) {
    if stream.set_read_timeout(Some(PATIENCE)).is_err() {
        return;
    }
    let response = match Request::read(stream) {
        // A connection that was opened in advance and never used.
        Ok(None) => return,
        Ok(Some(request)) => shared.answer(&request),
        Err(error) => Some(shared.fault(error.to_string())),
    };
    // A client that was killed reads no answer.
    let _ = match response {
        Some(response) => response.write(stream),
        None => outlast(stream),
    };
}

/// Keeps a connection open until the other side closes it.
fn outlast(mut stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(None)?;
    io::copy(&mut stream, &mut io::sink()).map(|_| ())
}

impl Shared {
    /// Answers a request, or returns `None` if the script has it wait.
    fn answer(&self, request: &Request) -> Option<Response> {
        let path = request.path.split('?').next().unwrap_or_default();
        if request.method != "POST" {
            return Some(Response::json(&models(path)));
        }
        if path.ends_with("/count_tokens") || path.ends_with(":countTokens") {
            return Some(Response::json(&json!({ "input_tokens": 10, "totalTokens": 10 })));
        }
        // Clients also send telemetry; an empty answer is enough.
        let Some(wire) = Wire::of(path) else { return Some(Response::json(&json!({}))) };
        let body: Value = match serde_json::from_slice(&request.body) {
            Ok(body) => body,
            Err(error) => return Some(self.fault(format!("{path}: {error}"))),
        };
        let step = self.next(wire, &body);
        if step.silent {
            return None;
        }
        if let Some(error) = step.error {
            return Some(Response::error(&error()));
        }
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        let turn = Turn { id: &format!("{}_{turn}", self.port), step: &step, body: &body };
        Some(match wire.answer(&turn, wire.streams(path, &body)) {
            Answer::Whole(value) => Response::json(&value),
            Answer::Stream(events) => Response::events(&events),
        })
    }

    /// Takes the next step of the request's conversation. A request without tools belongs to none
    /// and gets a side answer.
    fn next(&self, wire: Wire, body: &Value) -> Step {
        if !wire::offers_tools(body) {
            return Step::says(wire.aside(body));
        }
        let mut all = locked(&self.conversations);
        let opening = wire::opening(body);
        let step = all
            .iter_mut()
            .find(|one| one.mark.is_none_or(|mark| opening.says(mark)))
            .map(|one| one.next(Heard { wire, body: body.clone() }));
        self.spoke.notify_all();
        step.unwrap_or_default()
    }

    fn fault(&self, why: String) -> Response {
        let response = Response::refused(&why);
        locked(&self.faults).push(why);
        response
    }
}

/// Answers the clients' initial question for the available models.
fn models(path: &str) -> Value {
    if path.ends_with("/models") {
        let models = json!([{ "id": "scripted", "object": "model" }]);
        return json!({ "object": "list", "data": models, "models": [] });
    }
    json!({})
}
