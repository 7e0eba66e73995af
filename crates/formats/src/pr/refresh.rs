//! Merges a fresh state of the forge into the file, without dropping values that are not the
//! forge's.

use sprag_core::pr::{Metadata, Pull, PullRecord, merge, recompute};
use sprag_core::{Plain, Splice, Stored as _};

use super::metadata::{MetadataFile, edits, new};
use crate::edit::Edit;
use crate::fault::Fault;
use crate::stored::to_whole_value;

/// The result of querying the forge.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched {
    pub found: ForgeMatch,
    pub branch: String,
    /// The folder of the worktree.
    pub worktree: String,
    /// The time, in the format of the file.
    pub now: String,
}

/// The pull request found on the forge.
#[derive(Clone, Debug, PartialEq)]
pub enum ForgeMatch {
    Pull(Box<Pull>),
    /// The branch has no open pull request.
    None,
}

/// Returns the number at the start of a text, and the rest.
fn digits(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok().map(|number| (number, &text[end..]))
}

/// Returns the issue that a branch is named after.
pub fn linked_issue(branch: &str) -> Option<u32> {
    let after = |mark: &str| {
        branch.match_indices(mark).find_map(|(at, mark)| digits(&branch[at + mark.len()..]))
    };
    let slashed = || {
        let starts = branch.match_indices('/');
        let mut found = starts.filter_map(|(at, _)| digits(&branch[at + 1..]));
        found.find(|(_, rest)| rest.starts_with('-'))
    };
    after("issue-").or_else(|| after("#")).or_else(slashed).map(|(number, _)| number)
}

impl Fetched {
    /// The text of a new file.
    pub fn new_file(&self) -> String {
        let ForgeMatch::Pull(pull) = &self.found else { return new(&self.none()) };
        let known = PullRecord { pull: (**pull).clone(), ..PullRecord::default() };
        let turn = recompute(&known).as_str();
        let own = [
            ("worktree", self.worktree.as_str().into()),
            ("linkedIssue", linked_issue(&self.branch).lower()),
            ("turn", turn.into()),
            ("approved", Plain::Bool(false)),
            ("resolveLevel", known.level.as_str().into()),
            ("createdAt", self.now.as_str().into()),
            ("updatedAt", self.now.as_str().into()),
        ];
        let Plain::Map(mut entries) = pull.lower() else { return String::new() };
        entries.extend(own.map(|(key, value)| (key.to_owned(), value)));
        new(&Plain::Map(entries))
    }

    fn none(&self) -> Plain {
        Plain::map([
            ("pr", Plain::Null),
            ("branch", self.branch.as_str().into()),
            ("worktree", self.worktree.as_str().into()),
            ("noPr", Plain::Bool(true)),
            ("message", format!("No open PR found for branch: {}", self.branch).into()),
            ("timestamp", self.now.as_str().into()),
        ])
    }
}

impl MetadataFile<'_> {
    /// Returns the splices that merge the result of a query.
    pub fn refresh(&self, fetched: &Fetched) -> Result<Vec<Splice>, Fault> {
        let wishes = match &fetched.found {
            ForgeMatch::Pull(pull) => self.taken(pull, fetched),
            ForgeMatch::None => {
                let Plain::Map(entries) = fetched.none() else { return Ok(Vec::new()) };
                let set = |(key, value): (String, Plain)| Edit::set([key], to_whole_value(&value));
                entries.into_iter().map(set).collect()
            }
        };
        self.stamped(wishes, &fetched.now)
    }

    fn taken(&self, pull: &Pull, fetched: &Fetched) -> Vec<Edit> {
        let blank = PullRecord::default();
        let before = self.metadata().known().unwrap_or(&blank);
        let kept = match self.metadata() {
            Metadata::Known(_) => before.clone(),
            // A loop that was started before the forge went away is still running.
            Metadata::Missing | Metadata::Failed { .. } | Metadata::NoPr => PullRecord::default(),
        };
        let mut after = merge(&kept, pull.clone());
        after.turn = Some(recompute(&after).spelled(before.turn.as_deref()).to_owned());
        let mut wishes: Vec<Edit> = Vec::new();
        if self.metadata().known().is_none() {
            let stale = ["error", "noPr", "message", "timestamp"];
            wishes.extend(stale.map(|key| Edit::remove([key])));
            wishes.push(Edit::set(["approved"], false));
        }
        wishes.extend(edits(before, &after));
        wishes.push(Edit::set(["worktree"], fetched.worktree.as_str()));
        if let Some(issue) = linked_issue(&fetched.branch) {
            wishes.push(Edit::set(["linkedIssue"], issue));
        }
        if self.document().get(&["createdAt"]).is_none() {
            wishes.push(Edit::set(["createdAt"], fetched.now.as_str()));
        }
        wishes.extend(self.result(pull));
        wishes
    }
}
