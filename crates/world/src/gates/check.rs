//! Evaluates a single check, and combines several.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use sprag_core::{Check, EffectId, Verdict};

use super::{file, shown};
use crate::process::{self, Command, Exit, Ran, StopHandle};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOutcome {
    pub verdict: Verdict,
    pub exit: Option<i32>,
    pub why: String,
    pub output: String,
    /// The question for a person, if only that can decide the check.
    pub asks: Option<String>,
}

impl CheckOutcome {
    fn new(verdict: Verdict, why: impl Into<String>) -> Self {
        Self { verdict, exit: None, why: why.into(), output: String::new(), asks: None }
    }
}

/// Evaluates checks in one folder.
pub struct Checker<'a> {
    pub root: &'a Path,
    pub environment: &'a [(OsString, OsString)],
    pub effect: &'a EffectId,
    pub limit: Duration,
    /// Ends a command at once.
    pub stop: Option<&'a StopHandle>,
}

impl Checker<'_> {
    pub fn check(&self, check: &Check) -> CheckOutcome {
        match check {
            Check::Run { argv } => self.run(argv),
            Check::File { path } => match file::find(self.root, path) {
                Ok(file::FileKind::File(_)) => CheckOutcome::new(Verdict::Pass, ""),
                Ok(other) => {
                    CheckOutcome::new(Verdict::Fail, format!("{} {}", shown(path), other.says()))
                }
                Err(error) => unreadable(&shown(path), &error),
            },
            Check::Absent { path } => match file::find(self.root, path) {
                Ok(file::FileKind::Missing) => CheckOutcome::new(Verdict::Pass, ""),
                Ok(other) => {
                    CheckOutcome::new(Verdict::Fail, format!("{} {}", shown(path), other.says()))
                }
                Err(error) => unreadable(&shown(path), &error),
            },
            Check::Content { path, has } => match file::find(self.root, path) {
                Ok(file::FileKind::File(mut file)) => match file::contains(&mut file, has) {
                    Ok(true) => CheckOutcome::new(Verdict::Pass, ""),
                    Ok(false) => {
                        let why = format!("{} does not hold {has:?}", shown(path));
                        CheckOutcome::new(Verdict::Fail, why)
                    }
                    Err(error) => unreadable(&shown(path), &error),
                },
                Ok(other) => {
                    CheckOutcome::new(Verdict::Fail, format!("{} {}", shown(path), other.says()))
                }
                Err(error) => unreadable(&shown(path), &error),
            },
            Check::Human { what } => {
                let asks = Some(what.clone());
                let why = format!("a person must agree: {what}");
                CheckOutcome { asks, ..CheckOutcome::new(Verdict::Unknown, why) }
            }
            Check::All { of } => self.several(of, Verdict::Fail),
            Check::Any { of } => self.several(of, Verdict::Pass),
        }
    }

    fn run(&self, argv: &[String]) -> CheckOutcome {
        let command = Command {
            argv: argv.to_vec(),
            folder: self.root.to_path_buf(),
            environment: process::clean(self.environment.iter().cloned()),
            effect: self.effect.clone(),
            limit: self.limit,
        };
        match command.run_unless(self.stop) {
            Ok(ran) => judge(&ran, self.limit),
            Err(error) => CheckOutcome::new(Verdict::Unknown, error.to_string()),
        }
    }

    /// Evaluates several checks in order until one decides: the first failure of `all`, or the
    /// first pass of `any`. Questions to persons come last.
    fn several(&self, of: &[Check], settles: Verdict) -> CheckOutcome {
        let is_human = |check: &&Check| matches!(check, Check::Human { .. });
        let humans = of.iter().filter(is_human);
        let ordered = of.iter().filter(|check| !is_human(check)).chain(humans);
        let (mut doubt, mut last, mut outputs) = (None, None, Vec::new());
        for check in ordered {
            let part = self.check(check);
            if !part.output.is_empty() {
                outputs.push(format!("── {}\n{}", check.kind().as_str(), part.output));
            }
            if part.verdict == settles {
                last = Some(part);
                doubt = None;
                break;
            }
            if part.verdict == Verdict::Unknown {
                doubt = doubt.or(Some(part));
            } else {
                last = Some(part);
            }
        }
        let nothing = || CheckOutcome::new(Verdict::Unknown, "there is nothing to check");
        let mut part = doubt.or(last).unwrap_or_else(nothing);
        part.output = outputs.join("\n");
        part
    }
}

fn judge(ran: &Ran, limit: Duration) -> CheckOutcome {
    let (verdict, exit, mut why) = match ran.exit {
        Exit::Code(0) => (Verdict::Pass, Some(0), String::new()),
        Exit::Code(code) => (Verdict::Fail, Some(code), String::new()),
        Exit::Signal(signal) if FROM_OUTSIDE.contains(&signal) => {
            (Verdict::Unknown, None, format!("signal {signal} ended it from outside"))
        }
        Exit::Signal(signal) => (Verdict::Fail, None, format!("it died of signal {signal}")),
        Exit::TimedOut | Exit::Idle | Exit::Flooded => {
            let why = format!("it took longer than {} s and was ended", limit.as_secs_f32());
            (Verdict::Unknown, None, why)
        }
        Exit::Stopped => (Verdict::Unknown, None, "it was interrupted".to_owned()),
    };
    if ran.left_behind {
        let comma = if why.is_empty() { "" } else { "; " };
        why = format!("{why}{comma}something that it started could not be ended");
    }
    CheckOutcome { verdict, exit, why, output: ran.output.text(), asks: None }
}

/// Hangup, interrupt, kill and terminate: sent by people, systems out of memory and shutdowns.
const FROM_OUTSIDE: [i32; 4] = [1, 2, 9, 15];

fn unreadable(what: &str, error: &std::io::Error) -> CheckOutcome {
    CheckOutcome::new(Verdict::Unknown, format!("{what} cannot be read: {error}"))
}
