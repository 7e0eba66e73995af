use crate::prompt::evidence;
use crate::{Agent, Fence, UnitId};

/// A unit of work, in the words that its agent is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Which unit.
    pub unit: UnitId,
    /// What it is, in one line.
    pub title: String,
    /// What is to be done, in full; may be empty.
    pub about: String,
    /// The units that must be done first and are not.
    pub waits_for: Vec<UnitId>,
}

/// More of a description than this is not told unasked.
const ABOUT: usize = 600;
/// A longer title than this is cut.
const TITLE: usize = 200;

impl Job {
    /// Returns what an agent is told that finds this in its inbox: begin, and do not ask.
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

/// Returns how an agent ends its work. The attempt is its proof where the host's shell does not tell
/// which session it is.
pub(super) fn ending(agent: &Agent, fence: Option<Fence>) -> String {
    let proof = fence.map_or_else(String::new, |fence| format!(" --fence {fence}"));
    format!(
        "When it is done: `sprag agent complete {agent}{proof}`. When it cannot be done: `sprag \
         agent fail {agent}{proof} --why \"…\"`."
    )
}

/// Makes a title of somebody else's harmless and short.
fn one_line(title: &str) -> String {
    evidence(title, TITLE).trim().replace('\n', " ")
}
