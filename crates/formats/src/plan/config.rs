//! `.gsd/config.md`: the settings of the loops in its front matter. §7 of opti-gsd.
//!
//! An invalid value is replaced by its default, with a warning. An invalid `auto_loop` turns the
//! loops off, which is the safe side. Only a front matter that is not YAML makes the file
//! unreadable.

use sprag_core::plan::{ChecksRun, CiStage, Mode, Settings, Unowned};

use super::loose::{self, Loose, wrong};
use crate::document::{Document, Format};
use crate::duration::duration;
use crate::fault::{Fault, FaultKind};
use crate::field::Field;

/// A warning about the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The key concerned, as people write it: `loop.auto_loop`.
    pub key: String,
    /// The problem and its position.
    pub fault: Fault,
}

/// Reads the settings and their warnings.
pub fn read(text: &str) -> Result<(Settings, Vec<Warning>), Fault> {
    let document = Document::parse(Format::FrontMatter, text)?;
    let top = document.top();
    let mut reader = SettingsReader { warnings: Vec::new() };
    if top.is_null() {
        return Ok((Settings::default(), reader.warnings));
    }
    top.entries()?;
    let mut settings = Settings::default();
    settings.mode = reader.word(&top, &["mode"], mode).unwrap_or(settings.mode);
    settings.checks_run = reader.word(&top, &["checks", "run"], checks_run);
    settings.ci = reader.ci(&top);
    reader.loops(&top, &mut settings);
    Ok((settings, reader.warnings))
}

struct SettingsReader {
    warnings: Vec<Warning>,
}

impl SettingsReader {
    fn warn(&mut self, field: &Field<'_>, fault: Fault) {
        self.warnings.push(Warning { key: field.path(), fault });
    }

    /// Returns a value, or `None` if it is missing or unusable; the latter adds a warning.
    fn value<T>(
        &mut self,
        top: &Field<'_>,
        path: &[&str],
        read: impl Fn(&Field<'_>) -> Result<Loose<T>, Fault>,
    ) -> Option<T> {
        let field = top.optional(path)?;
        match read(&field) {
            Ok(Loose { value, odd }) => {
                if let Some(odd) = odd {
                    self.warn(&field, odd);
                }
                Some(value)
            }
            Err(fault) => {
                self.warn(&field, fault);
                None
            }
        }
    }

    fn word<T>(
        &mut self,
        top: &Field<'_>,
        path: &[&str],
        read: fn(&str) -> Result<T, &'static str>,
    ) -> Option<T> {
        self.value(top, path, |field| {
            let word = loose::text(field).unwrap_or_default();
            let value = read(word.trim()).map_err(|expected| wrong(field, expected))?;
            Ok(Loose { value, odd: None })
        })
    }

    fn loops(&mut self, top: &Field<'_>, settings: &mut Settings) {
        let Some(field) = top.optional(&["loop"]) else { return };
        if let Err(fault) = field.entries() {
            self.warn(&field, fault);
            settings.auto_loop = false;
            return;
        }
        let mut count = |key: &str| self.value(&field, &[key], loose::count);
        let retries = count("execute_max_retries");
        let iterations = count("verify_max_iterations");
        let progress = count("no_progress_limit");
        let parallel = count("max_parallel");
        settings.max_idle_blocks = count("max_idle_blocks");
        settings.execute_max_retries = retries.unwrap_or(settings.execute_max_retries);
        settings.verify_max_iterations = iterations.unwrap_or(settings.verify_max_iterations);
        settings.no_progress_limit = progress.unwrap_or(settings.no_progress_limit).max(1);
        settings.max_parallel = parallel.map(|most| most.max(1));
        settings.max_wall_clock = self.value(&field, &["max_wall_clock"], length);
        settings.unowned = self.word(&field, &["unowned"], unowned).unwrap_or_default();
        if field.optional(&["auto_loop"]).is_some() {
            settings.auto_loop = self.value(&field, &["auto_loop"], loose::flag).unwrap_or(false);
        }
    }

    /// Returns the configured commands, in the order in which they run.
    fn ci(&mut self, top: &Field<'_>) -> Vec<(CiStage, String)> {
        let Some(field) = top.optional(&["ci"]) else { return Vec::new() };
        if let Err(fault) = field.entries() {
            self.warn(&field, fault);
            return Vec::new();
        }
        let command = |field: &Field<'_>| {
            let value = field.as_str()?.trim().to_owned();
            Ok(Loose { value, odd: None })
        };
        let stages = CiStage::ALL.into_iter();
        let set = stages.filter_map(|stage| {
            let command = self.value(&field, &[stage.as_str()], command)?;
            (!command.is_empty()).then_some((stage, command))
        });
        set.collect()
    }
}

fn mode(word: &str) -> Result<Mode, &'static str> {
    match word {
        "interactive" => Ok(Mode::Interactive),
        // The name in versions 2 and 3.
        "yolo" | "autonomous" => Ok(Mode::Yolo),
        _ => Err("`interactive` or `yolo`"),
    }
}

fn checks_run(word: &str) -> Result<ChecksRun, &'static str> {
    match word {
        "ask" => Ok(ChecksRun::Ask),
        "allow" => Ok(ChecksRun::Allow),
        "never" => Ok(ChecksRun::Never),
        _ => Err("`ask`, `allow` or `never`"),
    }
}

fn unowned(word: &str) -> Result<Unowned, &'static str> {
    match word {
        "claim" => Ok(Unowned::Claim),
        "ignore" => Ok(Unowned::Ignore),
        _ => Err("`claim` or `ignore`"),
    }
}

/// Reads a duration in milliseconds: `2h`, or seconds.
fn length(field: &Field<'_>) -> Result<Loose<u32>, Fault> {
    let text = loose::text(field).unwrap_or_default();
    let seconds = text.parse::<u64>().ok().and_then(|seconds| seconds.checked_mul(1000));
    let millis = seconds.or_else(|| u64::try_from(duration(&text)?.as_millis()).ok());
    match millis.map(u32::try_from) {
        Some(Ok(value)) => Ok(Loose { value, odd: None }),
        Some(Err(_)) => {
            let what = format!("`{}` is longer than a month", field.path());
            Err(field.fault(FaultKind::Limit, what))
        }
        None => Err(wrong(field, "a length of time, `2h`")),
    }
}

#[cfg(test)]
mod tests;
