use crate::prompt::evidence;
use crate::{Agent, Fence, UnitId};

/// A unit of work as described to its agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub unit: UnitId,
    /// A one-line title.
    pub title: String,
    /// The full description; may be empty.
    pub about: String,
    /// The unfinished units that must be done first.
    pub waits_for: Vec<UnitId>,
}

/// Maximum length of the description in a brief.
const ABOUT: usize = 600;
/// Maximum length of the title.
const TITLE: usize = 200;

impl Job {
    /// Returns the message to an agent that finds this unit in its inbox: begin, and do not ask.
    pub fn brief(&self, agent: &Agent, fence: Option<Fence>) -> String {
        let title = one_line(&self.title);
        let mut text = format!(
            "You are {agent}. {} \"{title}\" is assigned to you: begin now, do not ask.",
            self.unit
        );
        let about = evidence(&self.about, ABOUT);
        if !about.is_empty() {
            text.push('\n');
            text.push_str(&about);
        }
        text.push('\n');
        text.push_str(&ending(agent, fence));
        text
    }

    /// Returns the first line of a refused stop.
    pub(super) fn unfinished(&self) -> String {
        format!("Not finished: {} \"{}\" is assigned to you.", self.unit, one_line(&self.title))
    }
}

/// Returns the commands with which an agent ends its work. The fence proves its identity where the
/// host's shell does not name the session.
pub(super) fn ending(agent: &Agent, fence: Option<Fence>) -> String {
    let proof = fence.map_or_else(String::new, |fence| format!(" --fence {fence}"));
    format!(
        "When it is done: `sprag agent complete {agent}{proof}`. When it cannot be done: `sprag \
         agent fail {agent}{proof} --why \"…\"`."
    )
}

/// Sanitizes and shortens a title from another system.
fn one_line(title: &str) -> String {
    evidence(title, TITLE).trim().replace('\n', " ")
}
