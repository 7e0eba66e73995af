//! How sprag is installed into Claude Code.

use crate::Setting;
use crate::install::component::{OK, PAUSE, START, UNTIL, WHY};
use crate::install::{Component, FileSpec, SettingsLayout, Slash};
use crate::row::{CommandField, EntryLayout, Install, ServerFormat, TimeUnit};

pub(super) const INSTALL: Install = Install {
    personal: PERSONAL,
    shared: SHARED,
    moved: &[("CLAUDE_CONFIG_DIR", ".claude/"), ("CLAUDE_CONFIG_DIR", "")],
    layout: Some(&LAYOUT),
    bridge: None,
    server: ServerFormat::Json { kind: Some("stdio"), lists_tools: false },
    command: Some(command),
    ignore: "*\n",
    asks_for_trust: false,
    both_refuse: "if both refuse, the agent hears both",
};

const PERSONAL: &[FileSpec] = &[
    FileSpec::project(".claude/settings.local.json", &[Component::Entries]),
    // The file of Claude Code's "local" scope: one person in one project.
    FileSpec::home(".claude.json", &[Component::ServerHere]),
    FileSpec::project(".claude/commands/sprag/.gitignore", &[Component::Ignore]),
    FileSpec::project(".claude/commands/sprag/until.md", UNTIL),
    FileSpec::project(".claude/commands/sprag/start.md", START),
    FileSpec::project(".claude/commands/sprag/why.md", WHY),
    FileSpec::project(".claude/commands/sprag/pause.md", PAUSE),
    FileSpec::project(".claude/commands/sprag/ok.md", OK),
];

const SHARED: &[FileSpec] = &[
    FileSpec::project(".claude/settings.json", &[Component::Entries]),
    FileSpec::project(".mcp.json", &[Component::Server]),
    FileSpec::project(".claude/commands/sprag/until.md", UNTIL),
    FileSpec::project(".claude/commands/sprag/start.md", START),
    FileSpec::project(".claude/commands/sprag/why.md", WHY),
    FileSpec::project(".claude/commands/sprag/pause.md", PAUSE),
    FileSpec::project(".claude/commands/sprag/ok.md", OK),
];

const LAYOUT: SettingsLayout = SettingsLayout {
    personal: Setting::project(".claude/settings.local.json"),
    shared: Setting::project(".claude/settings.json"),
    read: &[
        Setting::project(".claude/settings.local.json"),
        Setting::project(".claude/settings.json"),
        Setting::home(".claude/settings.json"),
    ],
    review: None,
    events: &["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"],
    stop: "Stop",
    switch: Some((&["disableAllHooks"], true)),
    layout: EntryLayout::Groups { matcher: None },
    unit: TimeUnit::Seconds("timeout"),
    head: None,
    label: None,
    command: CommandField::Program,
    other_stop: None,
    plugins: Some("enabledPlugins"),
    reads_folder: false,
    also_reads: &[],
};

fn command(slash: Slash) -> String {
    // The commands are for a person; the agent must not invoke them.
    format!(
        "---\ndescription: \"{}\"\nargument-hint: \"{}\"\n\
         disable-model-invocation: true\n---\n{}",
        slash.about(),
        slash.arguments(),
        slash.body("$ARGUMENTS")
    )
}
