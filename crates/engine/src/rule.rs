//! Runs the command of a rule: JSON in, JSON out, within limits, and only if a person approved it.
//!
//! Every failure becomes a hold with the rule's name. A rule that cannot answer never passes.

use std::time::Duration;

use serde_json::{Map, Value};
use sprag_core::rules::{Rule, heard, refused};
use sprag_core::{Hold, Name, Plain, typed};
use sprag_formats::{Document, Format, to_plain};
use sprag_world::ids;
use sprag_world::process::{self, Command, Exit};
use sprag_world::trust;

use crate::gate::GateRunner;

#[cfg(test)]
mod tests;

/// The time limit of a rule's command.
pub const LIMIT: Duration = Duration::from_secs(10);
/// The most bytes of an answer.
pub const LONGEST: u64 = 64 << 10;

impl GateRunner<'_> {
    /// Returns the rule's answer to a question as a fact.
    pub fn ask_rule(&self, rule: &Rule, question: &Plain) -> Plain {
        let Some(argv) = rule.command_words() else {
            return refused(&unproven(&rule.name, "it has no command".to_owned()));
        };
        if !self.may_run(argv) {
            return refused(&Hold::Untrusted { what: typed(argv).into() });
        }
        match self.question(argv, question, LIMIT) {
            Ok(plain) => heard(plain),
            Err(why) => refused(&unproven(&rule.name, why)),
        }
    }

    fn question(
        &self,
        argv: &[String],
        question: &Plain,
        limit: Duration,
    ) -> Result<Plain, String> {
        let command = Command {
            argv: argv.to_vec(),
            folder: self.place.root.clone(),
            environment: process::clean(self.environment.iter().cloned()),
            effect: ids::effect().map_err(|bad| bad.to_string())?,
            limit,
        };
        let input = format!("{}\n", json(question));
        let (ran, complaint) =
            command.ask_unless(input.into_bytes(), self.stop).map_err(|bad| bad.to_string())?;
        let said = if complaint.is_empty() { String::new() } else { format!(": {complaint}") };
        match ran.exit {
            Exit::Code(0) => {}
            Exit::Code(code) => return Err(format!("it exited with {code}{said}")),
            Exit::Signal(signal) => return Err(format!("signal {signal} ended it{said}")),
            Exit::Stopped => return Err("it was interrupted".to_owned()),
            Exit::TimedOut | Exit::Idle | Exit::Flooded => {
                return Err(format!("it took longer than {} s and was ended", limit.as_secs_f32()));
            }
        }
        if ran.left_behind {
            return Err("something that it started could not be ended".to_owned());
        }
        if ran.output.total() > LONGEST {
            let total = ran.output.total();
            return Err(format!("its answer has {total} bytes, the limit is {LONGEST}"));
        }
        let bytes = ran.output.whole().unwrap_or_default();
        let text = String::from_utf8(bytes).map_err(|_| "its answer is not UTF-8".to_owned())?;
        let document = Document::parse(Format::Json, &text)
            .map_err(|fault| format!("its answer is not JSON: {fault}"))?;
        Ok(to_plain(document.root()))
    }
}

/// Returns the digest of a rule's command, which is what a person approves.
pub fn digest(rule: &Rule) -> Option<sprag_core::Hash> {
    rule.command_words().map(|argv| trust::digest(argv, "", &[]))
}

fn unproven(rule: &Name, why: String) -> Hold {
    Hold::Unproven { gate: rule.clone(), why }
}

/// Converts plain values to JSON, leaving out keys without a value.
fn json(plain: &Plain) -> Value {
    match plain {
        Plain::Null => Value::Null,
        Plain::Bool(flag) => Value::Bool(*flag),
        Plain::Int(number) => {
            i64::try_from(*number).map_or_else(|_| Value::String(number.to_string()), Value::from)
        }
        Plain::Other(text) | Plain::Text(text) => Value::String(text.clone()),
        Plain::List(items) => items.iter().map(json).collect(),
        Plain::Map(entries) => {
            let filled = entries.iter().filter(|(_, value)| *value != Plain::Null);
            let entries = filled.map(|(key, value)| (key.clone(), json(value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}
