//! The original's texts, for workflows that do not define their own.

/// The role of the agent.
pub const ROLE: &str = "You are the ORCHESTRATOR for this workflow. You must NOT use the edit or write tools directly. All implementation work must be delegated to subagents via the delegate_to_subagents tool. Follow the phase instructions precisely.";

/// How to advance.
pub const ADVANCE: &str = "When you finish this phase, call the workflow_step tool with action='next' to advance to the next phase. If you need to restart the current scope from the beginning, use action='loop'.";

/// Why a tool is blocked.
pub const BLOCK: &str = "[workflow] The tool \"{toolName}\" is blocked during the {phaseName} phase.\nRefer to the current phase instructions for allowed tools and approaches.\nWhen finished, call workflow_step to advance to the next phase.";

/// The notice at completion.
pub const COMPLETE: &str = "✅ **{workflowName} Complete**\n\n**Task:** {taskDescription}\n**Task ID:** {taskId}\n**Phases completed:** {phaseCount}";

/// The notice at cancellation.
pub const CANCELLED: &str =
    "❌ **{workflowName} Cancelled**\n\n**Task:** {taskDescription}\n**Task ID:** {taskId}";

/// The reminder that the workflow is not done.
pub const NOT_DONE: &str = "⚠️ The {workflowName} is still active. Current phase: {phaseEmoji} {phaseName}.\n\nYou must NOT stop yet. The workflow requires you to complete the current phase and call workflow_step to advance.\n\nCurrent phase instructions:\n{phaseInstructions}\n\nContinue working on the current phase and call workflow_step when done.";

/// The text for an undefined list.
pub const NONE: &str = "(none)";

/// The name of the tool that advances a workflow.
pub const TOOL: &str = "workflow_step";
