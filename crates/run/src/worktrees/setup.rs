//! Sets up a new worktree: copies the ignored files that the work needs, and runs the approved
//! set-up commands.

use std::ffi::OsString;
use std::path::Path;

use sprag_core::{Commands, typed};
use sprag_engine::drive::{set_up_asks, together};
use sprag_engine::gate::{GateRunner, LIMIT};
use sprag_formats::WorktreeConfig;
use sprag_world::git;
use sprag_world::ids;
use sprag_world::process::{self, Command, Exit};

use super::Worktrees;
use super::error::WorktreesError;

/// How many lines of a failed set-up's output are kept.
const TAIL: usize = 20;

/// Returns the unapproved parts of a set-up, formatted for the user.
pub fn untrusted(bench: &GateRunner<'_>, config: &WorktreeConfig) -> Commands {
    let asked = set_up_asks(config).into_iter();
    together(&asked.filter(|one| !bench.covers(one.digest)).collect::<Vec<_>>())
}

impl Worktrees {
    pub(super) fn furnish(&self, folder: &Path) -> Result<(), WorktreesError> {
        self.copy_ignored(folder)?;
        for argv in &self.config.setup {
            self.set_up(folder, argv)?;
        }
        if self.config.setup.is_empty() {
            return Ok(());
        }
        let changed = self.changed(folder)?;
        if changed.is_empty() {
            return Ok(());
        }
        // The change would count as the agent's work.
        let what = self.config.setup.last().map(|argv| typed(argv)).unwrap_or_default();
        let why = format!("it changed files that git does not ignore: {}", changed.join(", "));
        Err(WorktreesError::SetUp { what, why, tail: String::new() })
    }

    fn set_up(&self, folder: &Path, argv: &[String]) -> Result<(), WorktreesError> {
        let failed =
            |why: String, tail: String| WorktreesError::SetUp { what: typed(argv), why, tail };
        let command = Command {
            argv: argv.to_vec(),
            folder: folder.join(&self.place.below),
            environment: self.surroundings(),
            effect: ids::effect()?,
            limit: LIMIT,
        };
        let ran = command
            .run_unless(self.stop.as_ref())
            .map_err(|bad| failed(bad.to_string(), String::new()))?;
        let why = match ran.exit {
            Exit::Code(0) => return Ok(()),
            Exit::Code(code) => format!("it exited with {code}"),
            Exit::Signal(signal) => format!("signal {signal} ended it"),
            Exit::Stopped => return Err(WorktreesError::Interrupted),
            Exit::TimedOut | Exit::Idle | Exit::Flooded => {
                format!("it took longer than {} s and was ended", LIMIT.as_secs())
            }
        };
        let text = ran.output.text();
        let lines: Vec<&str> = text.lines().collect();
        Err(failed(why, lines[lines.len().saturating_sub(TAIL)..].join("\n")))
    }

    /// Returns the environment of a command in a worktree: ours without secrets, then the
    /// project's.
    fn surroundings(&self) -> Vec<(OsString, OsString)> {
        let ours = process::clean(git::without_git(&self.environment));
        let theirs = self.config.env.iter().map(|(name, value)| (name.into(), value.into()));
        ours.into_iter().chain(theirs).collect()
    }
}
