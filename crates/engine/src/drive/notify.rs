//! Tells a person who is not there, by the command of `notify:`.

use std::time::Duration;

use serde_json::json;
use sprag_core::Id;

use crate::engine::{Engine, EngineError};
use crate::gate::typed;
use crate::process::{self, Command, End};
use crate::{clock, ids};

/// How long the command may take.
const LIMIT: Duration = Duration::from_secs(10);

/// What came of telling a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// The command ran and took it.
    Sent,
    /// No command is set, or this was said before.
    Silent,
    /// It could not be sent; the reason.
    Failed(String),
}

impl Engine<'_> {
    /// Tells a person once that a run needs them, is done or failed: the command of `notify:` reads
    /// one JSON object and has the text as its last word. Nothing that goes wrong with it matters
    /// to the run.
    pub fn drive_notify(
        &self,
        run: &Id,
        what: &str,
        text: &str,
        command: &str,
    ) -> Result<Told, EngineError> {
        if !self.drive_tell(run, what, text)? {
            return Ok(Told::Silent);
        }
        let config = self.drive_config()?;
        let Some(argv) = config.notify.command else { return Ok(Told::Silent) };
        let trust = self.trust();
        if !self.bench(&trust, config.checks).may_run(&argv) {
            let why = format!("`{}` is not allowed here; `sprag run` asks for it", typed(&argv));
            return Ok(Told::Failed(why));
        }
        let event = json!({
            "v": 1, "what": what, "run": run.as_str(), "text": text, "command": command,
            "root": self.place.root.display().to_string(), "at": clock::now().to_string(),
        });
        let mut words = argv;
        words.push(format!("{text}: {command}"));
        let told = self.tell_by(words, &format!("{event}\n"));
        Ok(told.map_or_else(Told::Failed, |()| Told::Sent))
    }

    fn tell_by(&self, argv: Vec<String>, event: &str) -> Result<(), String> {
        let command = Command {
            argv,
            folder: self.place.root.clone(),
            environment: process::clean(self.environment.iter().cloned()),
            effect: ids::receipt().map_err(|bad| bad.to_string())?,
            limit: LIMIT,
        };
        let asked = command.ask(event.as_bytes().to_vec());
        let (ran, complaint) = asked.map_err(|bad| bad.to_string())?;
        let said = if complaint.is_empty() { String::new() } else { format!(": {complaint}") };
        match ran.end {
            End::Exit(0) => Ok(()),
            End::Exit(code) => Err(format!("it exited with {code}{said}")),
            End::Signal(signal) => Err(format!("signal {signal} ended it{said}")),
            End::TimeOut | End::Stopped => {
                Err(format!("it took longer than {} s", LIMIT.as_secs()))
            }
        }
    }
}
