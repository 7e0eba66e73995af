//! Plans the change of `.sprag/config.yaml`: a new file, one more gate in an existing one, or
//! nothing.

use std::time::Duration;

use sprag_core::GateSpec;
use sprag_formats::{Config, Document, Edit, Fault, Format, Schema, Value, to_yaml, words};

use crate::config::Configured;
use crate::engine::EngineError;
use crate::judge;

/// The planned configuration.
#[derive(Clone, Debug)]
pub struct Configuring {
    /// The current text.
    pub before: Option<String>,
    /// The new text; `None` if it stays unchanged.
    pub after: Option<String>,
    /// The configuration afterwards.
    pub config: Config,
}

/// A host waits this much longer than a stop, so that it gets the answer.
const LONGER: Duration = Duration::from_secs(30);

impl Configuring {
    /// Plans the file. `asked` are the gates that a person named; `found` is the default gate.
    pub(crate) fn plan(
        now: Configured,
        asked: &[Vec<String>],
        found: Option<&[String]>,
    ) -> Result<Self, EngineError> {
        let (config, before) = match now {
            Configured::Known { config, text, .. } => (config, text),
            Configured::Wrong(faults) => return Err(EngineError::Config(faults)),
            Configured::Unreadable(why) => {
                let path = crate::config::path()?.to_string();
                return Err(EngineError::Unreadable { path, why: why.to_string() });
            }
        };
        let has = gates_of(&config);
        let begins = found.filter(|_| has.is_empty() && asked.is_empty());
        let named = asked.iter().map(Vec::as_slice).filter(|argv| !runs(has, argv));
        let new: Vec<&[String]> = named.chain(begins).collect();
        if new.is_empty() {
            return Ok(Self { before, after: None, config: *config });
        }
        let after = match &before {
            None => fresh(&new),
            Some(text) => extended(text, has.len(), &new).map_err(wrong)?,
        };
        let (config, _) =
            Config::read(&after, &sprag_hosts::names()).map_err(EngineError::Config)?;
        Ok(Self { before, after: Some(after), config })
    }

    /// Returns the gates that will apply.
    pub fn gates(&self) -> &[GateSpec] {
        gates_of(&self.config)
    }

    /// Returns how many tries an agent has before a person decides.
    pub fn tries(&self) -> u32 {
        let set = self.config.guard.as_ref().and_then(|guard| guard.retry);
        set.unwrap_or(sprag_core::guard::Definition::RETRY)
    }

    /// Returns how long a host must wait for the answer to a stop.
    pub fn limit(&self) -> Duration {
        self.config.wait.unwrap_or(judge::WAIT) + LONGER
    }
}

fn gates_of(config: &Config) -> &[GateSpec] {
    config.guard.as_ref().map_or(&[], |guard| &guard.gates)
}

fn runs(gates: &[GateSpec], argv: &[String]) -> bool {
    gates.iter().any(|spec| {
        let commands = crate::gate::commands(&spec.gate.check);
        commands.len() == 1 && commands[0] == argv
    })
}

fn wrong(fault: Fault) -> EngineError {
    EngineError::Config(vec![fault.in_file(".sprag/config.yaml")])
}

/// Builds a new file with only these gates.
fn fresh(gates: &[&[String]]) -> String {
    let gates = Value::list(gates.iter().map(|argv| gate(argv)));
    let guard = Value::map([("gates", gates)]);
    let text = to_yaml(&Value::map([("v", Value::from(1_u32)), ("guard", guard)]));
    // The comment with the schema is optional, so an invalid path just omits it.
    let schema = crate::config::path().map(|path| Schema::Config.header(&path));
    format!("{}# What every agent session here is held to.\n{text}", schema.unwrap_or_default())
}

/// Adds gates to an existing file without any other change.
fn extended(text: &str, has: usize, gates: &[&[String]]) -> Result<String, Fault> {
    let document = Document::parse(Format::Yaml, text)?;
    let edits: Vec<Edit> = if has == 0 {
        let gates = gates.iter().map(|argv| gate(argv));
        vec![Edit::set(["guard", "gates"], Value::list(gates))]
    } else {
        let at = |nth: usize| ["guard".to_owned(), "gates".to_owned(), (has + nth).to_string()];
        gates.iter().enumerate().map(|(nth, argv)| Edit::set(at(nth), gate(argv))).collect()
    };
    let splices = document.edit(&edits)?;
    let bad = |_| document.top().fault(sprag_formats::FaultKind::Guard, "it cannot be edited");
    sprag_core::apply(text, &splices).map_err(bad)
}

/// Formats a command as one line if that parses back to the same words, else as a list.
fn gate(argv: &[String]) -> Value {
    let line = argv.join(" ");
    let run = match words(&line) {
        Ok(same) if same == argv => Value::from(line),
        Ok(_) | Err(_) => Value::list(argv.iter().map(String::as_str)),
    };
    Value::map([("run", run)])
}
