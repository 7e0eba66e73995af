//! The keys that each reader knows: the single list for warnings about unknown keys and for the
//! schemas.

pub use crate::gates::{CHECK, CONTENT, GATE};

/// The keys of `config.yaml`.
pub const CONFIG: [&str; 14] = [
    "v", "off", "guard", "checks", "wait", "limits", "budget", "agents", "rules", "gsd", "hosts",
    "worktree", "notify", "tests",
];

/// The keys below `guard:`.
pub const GUARD: [&str; 4] = ["gates", "retry", "limits", "may_change"];

/// The keys of an entry of `rules:`.
pub const RULE: [&str; 8] =
    ["name", "run", "before", "after", "priority", "max", "level", "enabled"];

/// The keys below `gsd:`.
pub const GSD: [&str; 1] = ["write"];

/// The keys below `budget:`.
pub const BUDGET: [&str; 3] = ["usd", "tokens", "wall"];

/// The keys below `worktree:`.
pub const WORKTREE: [&str; 3] = ["setup", "copy", "env"];

/// The keys below `notify:`.
pub const NOTIFY: [&str; 1] = ["command"];

/// The keys of one host below `hosts:`.
pub const HOST: [&str; 2] = ["argv", "env"];

/// The keys below `checks:`.
pub const CHECKS: [&str; 1] = ["run"];

/// The keys below `retry:`.
pub const RETRY: [&str; 1] = ["max"];

/// The keys below `limits:`.
pub const LIMITS: [&str; 3] = ["wall", "blocks_without_progress", "refusals"];

/// The keys of `workflow.yaml`.
pub const WORKFLOW: [&str; 13] = [
    "name",
    "commandName",
    "initialMessage",
    "phases",
    "show",
    "loopable",
    "sessionNamePrefix",
    "sessionNameMaxLength",
    "roleInstruction",
    "advanceReminder",
    "blockReasonTemplate",
    "completionMessage",
    "notDoneReminder",
];

/// The keys of an entry of `phases:` that is another workflow.
pub const SUBWORKFLOW: [&str; 1] = ["subworkflow"];

/// The keys of a phase: the original's, and ours.
pub const PHASE: [&str; 10] = [
    "id",
    "name",
    "emoji",
    "tools",
    "availableProfiles",
    "gates",
    "retry",
    "review",
    "limits",
    "may_change",
];

/// The keys below `tools:`.
pub const TOOLS: [&str; 2] = ["blacklist", "whitelist"];

/// The keys below `review:`.
pub const REVIEW: [&str; 3] = ["reviewer", "max_rounds", "level"];

/// The keys of an entry of GSD's `post_unit_hooks` that sprag reads.
pub const POST_UNIT: [&str; 7] =
    ["name", "after", "prompt", "max_cycles", "artifact", "retry_on", "enabled"];

/// The keys of an entry of GSD's `pre_dispatch_hooks` that sprag reads.
pub const PRE_DISPATCH: [&str; 9] =
    ["name", "before", "action", "prepend", "append", "prompt", "unit_type", "skip_if", "enabled"];

/// The keys of an entry of `gsd_hooks.enabled`.
pub const ENABLED: [&str; 2] = ["name", "source"];
