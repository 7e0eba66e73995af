//! The tool `workflow_step`: the agent's requests and their results.

use super::{AgentAction, Effect, EventAnswer, ResultKind, Session, StepResult};
use crate::workflow::view::listed;
use crate::workflow::{Active, Position, SessionRecord, View, advance, back, texts};
use crate::{Plain, Stored, Time};

const NO_WORKFLOW: &str = "No active workflow. Use /workflow {name} {description} to start one.";

impl StepResult {
    fn new<const N: usize>(text: impl Into<String>, details: [(&str, Plain); N]) -> Self {
        Self { text: text.into(), details: Plain::map(details), kind: None }
    }

    fn kind(mut self, kind: ResultKind) -> Self {
        self.kind = Some(kind);
        self
    }
}

impl Session {
    /// Handles a call of the tool.
    pub(super) fn step(
        &mut self,
        action: AgentAction,
        summary: Option<&str>,
        answer: &mut EventAnswer,
    ) -> StepResult {
        let Some(state) = self.active().cloned() else {
            let text = match action {
                AgentAction::Next | AgentAction::Status => NO_WORKFLOW,
                AgentAction::Cancel => "No active workflow to cancel.",
                AgentAction::Loop => "No active workflow to loop.",
            };
            return StepResult::new(text, [("active", false.lower())]);
        };
        match action {
            AgentAction::Status => self.where_it_stands(&state),
            AgentAction::Next => self.go_on(&state, summary, answer),
            AgentAction::Cancel => self.give_up(&state, answer),
            AgentAction::Loop => self.go_back(&state, answer),
        }
    }

    fn where_it_stands(&self, state: &SessionRecord) -> StepResult {
        let Some(view) = self.view() else {
            let text = "The workflow configuration for this session is no longer available. Use workflow_step with action='cancel' to clear it, or reload the workflow definitions.";
            let details = [("active", false.lower()), ("stale", true.lower())];
            return StepResult::new(text, details).kind(ResultKind::Error);
        };
        let started = Time::from_millis(state.started);
        let mut lines = vec![
            format!("**Workflow:** {} ({})", view.workflow, view.key),
            format!("**Task ID:** {}", view.task_id),
            format!("**Description:** {}", view.task),
        ];
        let mut steps = String::new();
        if view.nested {
            lines.push(format!("**Path:** {}", view.breadcrumb));
            steps = format!(" (step {})", view.steps);
        }
        let place = format!("[{}/{}]", view.place, view.total);
        lines.extend([
            format!("**Phase:** {} {} {place}{steps}", view.emoji, view.phase),
            format!("**Started:** {started}"),
            String::new(),
            "**What to do:**".to_owned(),
            view.instructions(),
            String::new(),
            format!("**Available profiles:** {}", listed(view.profiles.as_ref())),
        ]);
        let details = [
            ("active", true.lower()),
            ("workflowKey", state.key.lower()),
            ("currentPath", state.position.path.lower()),
        ];
        StepResult::new(lines.join("\n"), details)
    }

    fn go_on(
        &mut self,
        state: &SessionRecord,
        summary: Option<&str>,
        answer: &mut EventAnswer,
    ) -> StepResult {
        let from = Active::of(&self.definitions, state).map(|active| active.phase.name.clone());
        let moved = advance(&self.definitions, &state.position);
        let (Some(from), Some(moved)) = (from, moved) else {
            let text = format!("Workflow definition '{}' not found.", state.key);
            return StepResult::new(text, [("active", false.lower())]).kind(ResultKind::Error);
        };
        let next = state.stepped(moved.position, summary);
        let names = |to: &str| {
            [("advanced", true.lower()), ("from", from.lower()), ("to", Plain::from(to))]
        };
        if !next.active {
            self.settle(next, answer);
            let text = format!("✓ Advanced: {from} → DONE\n\n🎉 **All phases complete!**");
            return StepResult::new(text, names("DONE")).kind(ResultKind::Complete);
        }
        let Some(view) = View::of(&self.definitions, &next) else {
            let text = "Error: could not resolve active workflow after advance.";
            return StepResult::new(text, []).kind(ResultKind::Error);
        };
        let verb = self.verb(&state.position, &next.position, &view);
        let text = format!("✓ {verb}: {from} → {}", view.what_to_do());
        self.settle(next, answer);
        StepResult::new(text, names(moved.to.as_deref().unwrap_or_default()))
    }

    /// Describes the step from one position to another.
    fn verb(&self, from: &Position, to: &Position, view: &View) -> String {
        match to.path.len().cmp(&from.path.len()) {
            std::cmp::Ordering::Equal => "Advanced".to_owned(),
            std::cmp::Ordering::Greater => {
                format!("Entered subworkflow '{}'", self.scope_name(to))
            }
            std::cmp::Ordering::Less => {
                format!("Exited subworkflow, returning to {}", view.breadcrumb)
            }
        }
    }

    fn scope_name(&self, position: &Position) -> &str {
        let scope = position.path.last().and_then(|top| self.definitions.get(&top.key));
        scope.map_or("", |scope| &scope.name)
    }

    fn give_up(&mut self, state: &SessionRecord, answer: &mut EventAnswer) -> StepResult {
        let task = state.task();
        if !state.pending {
            self.state = Some(SessionRecord { pending: true, ..state.clone() });
            let text = format!(
                "⚠️ **Confirm cancellation** of workflow \"{task}\"?\nCall {} with action='cancel' again to confirm. This cannot be undone.",
                texts::TOOL
            );
            let details = [("active", true.lower()), ("cancelPending", true.lower())];
            return StepResult::new(text, details).kind(ResultKind::Cancel);
        }
        self.settle(state.ended(), answer);
        let details = [("active", false.lower()), ("cancelled", true.lower())];
        StepResult::new(format!("Workflow cancelled: \"{task}\""), details).kind(ResultKind::Cancel)
    }

    fn go_back(&mut self, state: &SessionRecord, answer: &mut EventAnswer) -> StepResult {
        let looped = match back(&self.definitions, &state.position) {
            Ok(looped) => looped,
            Err(why) => {
                let details = [("active", true.lower()), ("error", why.to_string().into())];
                return StepResult::new(format!("⚠️ {why}"), details).kind(ResultKind::Error);
            }
        };
        let scope = self.scope_name(&state.position).to_owned();
        let next = state.stepped(looped.position, None);
        let Some(view) = View::of(&self.definitions, &next) else {
            self.stop(answer);
            self.store(next, answer);
            let text = "Error: could not resolve active workflow after loop.";
            return StepResult::new(text, []).kind(ResultKind::Error);
        };
        self.settle(next, answer);
        let text = format!("🔄 Looped '{scope}' back to: {}", view.what_to_do());
        StepResult::new(text, [("looped", true.lower()), ("to", looped.to.into())])
    }

    /// Sets and stores a new state, and clears the display of the old one.
    fn settle(&mut self, state: SessionRecord, answer: &mut EventAnswer) {
        self.stop(answer);
        self.store(state, answer);
        answer.effects.push(Effect::SetStatus { text: None });
    }
}
