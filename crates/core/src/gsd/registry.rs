//! The first pass over a tree: the status of every milestone, and the active one.

use super::{Fill, Milestone, MilestoneStatus, Paper, Quirk, QuirkReader, RegistryRow, Tree};

/// All milestones and the active one.
pub(super) struct Registry<'t> {
    pub(super) rows: Vec<RegistryRow>,
    pub(super) active: Option<&'t Milestone>,
    /// Whether the active milestone has a draft that no person has agreed to.
    pub(super) draft: bool,
}

/// Determines the status of each milestone in order.
pub(super) fn registry<'t>(tree: &'t Tree, reader: &mut QuirkReader<String>) -> Registry<'t> {
    let complete: Vec<&str> = tree
        .milestones
        .iter()
        .filter(|milestone| !milestone.papers.has(Paper::Parked) && milestone.is_closed())
        .map(|milestone| milestone.id.as_str())
        .collect();
    let mut pass = Pass {
        reader,
        complete: &complete,
        found: Registry { rows: Vec::new(), active: None, draft: false },
        leaked: None,
    };
    for milestone in &tree.milestones {
        pass.look(milestone);
    }
    pass.found
}

struct Pass<'t, 'p> {
    reader: &'p mut QuirkReader<String>,
    complete: &'p [&'t str],
    found: Registry<'t>,
    /// The draft of an earlier milestone that could not become active.
    leaked: Option<&'t str>,
}

impl<'t> Pass<'t, '_> {
    fn look(&mut self, milestone: &'t Milestone) {
        let title = milestone.roadmap.as_ref().map(|roadmap| without_id(&roadmap.title));
        if milestone.papers.has(Paper::Parked) {
            let title = title.unwrap_or_else(|| milestone.id.clone());
            return self.add(milestone, title, MilestoneStatus::Parked, vec![]);
        }
        match (&milestone.roadmap, title) {
            (Some(roadmap), Some(title)) if roadmap.is_done() => self.done(milestone, title),
            (Some(_), Some(title)) => self.open(milestone, title),
            (Some(_) | None, Some(_) | None) => self.unplanned(milestone),
        }
    }

    /// Handles a milestone without a roadmap.
    fn unplanned(&mut self, milestone: &'t Milestone) {
        if let Some(summary) = milestone.summary.as_ref().filter(|summary| summary.terminal) {
            let named = Some(&summary.title).filter(|title| !title.is_empty());
            let title = named.unwrap_or(&milestone.id).clone();
            return self.add(milestone, title, MilestoneStatus::Complete, vec![]);
        }
        if is_ghost(milestone) {
            return;
        }
        let title = context_title(milestone);
        if self.found.active.is_some() {
            return self.add(milestone, title, MilestoneStatus::Pending, vec![]);
        }
        let has = |paper| milestone.papers.has(paper);
        let draft = !has(Paper::Context) && has(Paper::ContextDraft);
        let depends_on = depends_on(milestone);
        if self.is_unmet(&depends_on) {
            if draft {
                self.leaked = Some(&milestone.id);
            }
            return self.add(milestone, title, MilestoneStatus::Pending, depends_on);
        }
        let leaks = !draft && self.leaked.is_some();
        let leaked = leaks && !self.reader.mends(Quirk::DraftLeak, milestone.id.clone());
        self.found.draft = draft || leaked;
        self.add(milestone, title, MilestoneStatus::Active, depends_on);
    }

    /// Handles a milestone with open slices.
    fn open(&mut self, milestone: &'t Milestone, title: String) {
        if milestone.is_closed() {
            return self.add(milestone, title, MilestoneStatus::Complete, vec![]);
        }
        let depends_on = depends_on(milestone);
        let waits = self.found.active.is_some() || self.is_unmet(&depends_on);
        let status = if waits { MilestoneStatus::Pending } else { MilestoneStatus::Active };
        self.add(milestone, title, status, depends_on);
    }

    /// Handles a milestone whose slices are all done.
    fn done(&mut self, milestone: &'t Milestone, title: String) {
        let verdict = milestone.verdict.as_deref();
        let id = || milestone.id.clone();
        if verdict == Some("needs-attention") {
            let ended = milestone.is_closed();
            if !(ended && self.reader.mends(Quirk::AttentionFirst, id())) {
                return self.add(milestone, title, MilestoneStatus::Parked, vec![]);
            }
        }
        if milestone.is_closed() {
            return self.add(milestone, title, MilestoneStatus::Complete, vec![]);
        }
        if self.found.active.is_some() {
            let validated = verdict.is_some_and(|verdict| verdict != "needs-remediation");
            let theirs = validated && !self.reader.mends(Quirk::CompleteUnsummarised, id());
            let status = if theirs { MilestoneStatus::Complete } else { MilestoneStatus::Pending };
            return self.add(milestone, title, status, vec![]);
        }
        let depends_on = depends_on(milestone);
        if self.is_unmet(&depends_on) && self.reader.mends(Quirk::UncheckedDeps, id()) {
            return self.add(milestone, title, MilestoneStatus::Pending, depends_on);
        }
        self.add(milestone, title, MilestoneStatus::Active, vec![]);
    }

    fn is_unmet(&self, depends_on: &[String]) -> bool {
        depends_on.iter().any(|id| !self.complete.contains(&id.as_str()))
    }

    fn add(
        &mut self,
        milestone: &'t Milestone,
        title: String,
        status: MilestoneStatus,
        depends_on: Vec<String>,
    ) {
        if status == MilestoneStatus::Active {
            self.found.active = Some(milestone);
        }
        self.found.rows.push(RegistryRow { id: milestone.id.clone(), title, status, depends_on });
    }
}

/// Returns whether a milestone has nothing but its folder.
fn is_ghost(milestone: &Milestone) -> bool {
    let papers = [Paper::Context, Paper::ContextDraft, Paper::Roadmap, Paper::Summary];
    !milestone.worktree && !papers.iter().any(|paper| milestone.papers.has(*paper))
}

/// Returns the dependencies of a milestone, from its context or else from the draft.
fn depends_on(milestone: &Milestone) -> Vec<String> {
    let said = milestone.context.as_ref().or(milestone.draft.as_ref());
    said.map_or_else(Vec::new, |context| context.depends_on.clone())
}

fn context_title(milestone: &Milestone) -> String {
    let written = |context: &&super::MilestoneContext| context.fill != Fill::Empty;
    let context = milestone.context.as_ref().filter(written);
    let context = context.or(milestone.draft.as_ref().filter(written));
    context.and_then(|context| context.title.clone()).unwrap_or_else(|| milestone.id.clone())
}

/// Strips the leading id from a title: `M001: Title` becomes `Title`.
pub(super) fn without_id(title: &str) -> String {
    let rest = (|| {
        let digits = title.strip_prefix('M')?;
        digits.starts_with(|c: char| c.is_ascii_digit()).then_some(())?;
        let (_, rest) = title.split_once(':')?;
        Some(rest.trim_start())
    })();
    rest.filter(|rest| !rest.is_empty()).unwrap_or(title).to_owned()
}
