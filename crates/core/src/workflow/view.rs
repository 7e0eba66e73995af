//! The agent's view of its phase.

use super::template::fill;
use super::{Active, Definition, Definitions, OrderEntry, SessionRecord, Texts, Tools, texts};

/// The values for the texts about the current phase.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The outermost workflow's name.
    pub workflow: String,
    /// The outermost workflow's key.
    pub key: String,
    pub task: String,
    pub task_id: String,
    pub phase_id: String,
    pub phase: String,
    pub emoji: String,
    /// The entry before this one, in this workflow or an enclosing one.
    pub previous: String,
    /// The entry after this one, in this workflow or an enclosing one.
    pub next: String,
    /// The tools that the phase blocks.
    pub blocked: String,
    /// The names of the nested workflows.
    pub breadcrumb: String,
    pub steps: i64,
    /// The position in the innermost workflow, counted from 1.
    pub place: usize,
    /// The number of entries in the innermost workflow.
    pub total: usize,
    /// Whether the workflow was entered from another one.
    pub nested: bool,
    /// The profiles for the phase; `None` if undefined.
    pub profiles: Option<Vec<String>>,
    /// All profiles of the workflow and its subworkflows.
    pub all_profiles: Vec<String>,
    /// The phase's instructions, as a template.
    pub instructions: String,
    /// The outermost workflow's own texts.
    pub texts: Texts,
}

impl View {
    /// Returns the view of the current phase; `None` if the state has none.
    pub fn of(definitions: &Definitions, state: &SessionRecord) -> Option<Self> {
        let active = Active::of(definitions, state)?;
        let name = |entry: Option<&OrderEntry>, none: &str| {
            entry.map_or(none, |entry| definitions.name_of(entry)).to_owned()
        };
        let blocked = match &active.phase.tools {
            Some(Tools::Without(list)) => list.join(", "),
            Some(Tools::Only(_)) | None => texts::NONE.to_owned(),
        };
        Some(Self {
            workflow: active.root.name.clone(),
            key: state.key.clone(),
            task: state.task(),
            task_id: state.task_id().to_owned(),
            phase_id: active.phase.id.clone(),
            phase: active.phase.name.clone(),
            emoji: active.phase.emoji.clone(),
            previous: name(beside(definitions, state, -1), "(start)"),
            next: name(beside(definitions, state, 1), "DONE"),
            blocked,
            breadcrumb: active.breadcrumb(),
            steps: state.position.steps,
            place: active.index + 1,
            total: active.scope.phases.len(),
            nested: active.crumbs.len() > 1,
            profiles: active.phase.profiles.clone(),
            all_profiles: profiles(definitions, active.root),
            instructions: active.phase.instructions.clone(),
            texts: active.root.texts.clone(),
        })
    }

    /// Fills in a template with the values of this phase.
    pub fn fill(&self, template: &str) -> String {
        let steps = self.steps.to_string();
        let values = [
            ("workflowName", self.workflow.as_str()),
            ("workflowKey", &self.key),
            ("description", &self.task),
            ("taskId", &self.task_id),
            ("phaseId", &self.phase_id),
            ("phaseName", &self.phase),
            ("previousPhaseName", &self.previous),
            ("nextPhaseName", &self.next),
            ("blockedToolsList", &self.blocked),
            ("toolName", texts::TOOL),
            ("breadcrumbPath", &self.breadcrumb),
            ("globalStepCount", &steps),
        ];
        fill(template, &values)
    }

    pub fn instructions(&self) -> String {
        self.fill(&self.instructions)
    }

    /// Returns the prompt with the agent's position and instructions.
    pub fn context(&self) -> String {
        let Self { breadcrumb, emoji, phase, task, task_id, steps, place, total, .. } = self;
        let role = self.fill(self.texts.role.as_deref().unwrap_or(texts::ROLE));
        let advance = self.fill(self.texts.advance.as_deref().unwrap_or(texts::ADVANCE));
        let unit = if self.nested { "in current scope" } else { "phases" };
        let named = self.profiles.as_deref().filter(|list| !list.is_empty());
        let profiles = named.map_or_else(|| texts::NONE.to_owned(), |list| list.join(", "));
        let all = self.all_profiles.join(", ");
        let instructions = self.instructions();
        [
            &format!("[Workflow path: {breadcrumb} ▸ {emoji} {phase}]"),
            "",
            &role,
            "",
            &format!("**Task:** {task}"),
            &format!("**Task ID:** {task_id}"),
            &format!("**Current Phase:** {emoji} {phase}"),
            &format!("**Progress:** Step {steps} ({place}/{total} {unit})"),
            "",
            "**What to do in this phase:**",
            &instructions,
            "",
            &format!("**Available subagent profiles for this phase:** {profiles}"),
            &format!("**All profiles:** {all}"),
            "",
            &advance,
        ]
        .join("\n")
    }

    /// Returns the prompt for an agent that does this phase alone, without the tool that advances:
    /// a driver decides the next step.
    pub fn alone(&self) -> String {
        let Self { breadcrumb, emoji, phase, task, place, total, .. } = self;
        let role = self.texts.role.as_deref().map(|role| format!("{}\n\n", self.fill(role)));
        format!(
            "[Workflow path: {breadcrumb} ▸ {emoji} {phase}]\n\n{}**Task:** {task}\n\
             **Current Phase:** {emoji} {phase} ({place}/{total})\n\n\
             **What to do in this phase:**\n{}\n\n\
             Do this phase and no other, then stop: what comes next is told to you.",
            role.unwrap_or_default(),
            self.instructions()
        )
    }

    /// Returns the phase and its instructions for an agent that has just entered it.
    pub fn what_to_do(&self) -> String {
        let Self { emoji, phase, .. } = self;
        format!("{emoji} {phase}\n\n**What to do in {phase}:**\n{}", self.instructions())
    }

    /// Returns the reminder for an agent that stops too early.
    pub fn reminder(&self) -> String {
        let instructions = self.instructions();
        let values = [
            ("workflowName", self.workflow.as_str()),
            ("workflowKey", &self.key),
            ("phaseName", &self.phase),
            ("phaseEmoji", &self.emoji),
            ("phaseInstructions", &instructions),
            ("taskDescription", &self.task),
            ("taskId", &self.task_id),
        ];
        fill(self.texts.not_done.as_deref().unwrap_or(texts::NOT_DONE), &values)
    }
}

/// Formats the profiles of a phase for the status and the first message, where undefined and empty
/// lists differ.
pub(super) fn listed(profiles: Option<&Vec<String>>) -> String {
    profiles.map_or_else(|| texts::NONE.to_owned(), |list| list.join(", "))
}

/// Returns the entry before or after the innermost one; at the edge of a workflow, that of the
/// enclosing one.
fn beside<'d>(
    definitions: &'d Definitions,
    state: &SessionRecord,
    way: i64,
) -> Option<&'d OrderEntry> {
    state
        .position
        .path
        .iter()
        .rev()
        .find_map(|level| definitions.get(&level.key)?.entry(level.index.checked_add(way)?))
}

/// Returns every profile of a workflow and its subworkflows, each once, in the order of the work.
fn profiles(definitions: &Definitions, root: &Definition) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let mut open: Vec<std::slice::Iter<'_, OrderEntry>> = vec![root.phases.iter()];
    while let Some(entries) = open.last_mut() {
        match entries.next() {
            None => {
                open.pop();
            }
            Some(OrderEntry::Phase(phase)) => {
                for profile in phase.profiles.iter().flatten() {
                    if !found.contains(profile) {
                        found.push(profile.clone());
                    }
                }
            }
            // A second visit would only find the same profiles.
            Some(OrderEntry::Workflow(key)) if !seen.contains(&key.as_str()) => {
                seen.push(key);
                if let Some(inside) = definitions.get(key) {
                    open.push(inside.phases.iter());
                }
            }
            Some(OrderEntry::Workflow(_)) => {}
        }
    }
    found
}
