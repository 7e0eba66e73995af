//! How sprag is installed into Copilot CLI.

use crate::install::{Component, FileSpec, SettingsLayout};
use crate::row::{CommandField, EntryLayout, Install, ServerFormat, TimeUnit};
use crate::{Host, Setting};

pub(super) const INSTALL: Install = Install {
    personal: PERSONAL,
    shared: SHARED,
    moved: &[],
    layout: Some(&LAYOUT),
    bridge: None,
    server: ServerFormat::Json { kind: Some("local"), lists_tools: true },
    command: None,
    ignore: "*\n",
    asks_for_trust: true,
    both_refuse: "if both refuse, the agent hears only the last of them",
};

const PERSONAL: &[FileSpec] = &[
    FileSpec::home(".copilot/hooks/sprag.json", &[Component::Entries]),
    FileSpec::home(".copilot/mcp-config.json", &[Component::Server]),
];

const SHARED: &[FileSpec] = &[
    FileSpec::project(".github/hooks/sprag.json", &[Component::Entries]),
    FileSpec::project(".github/mcp.json", &[Component::Server]),
];

const LAYOUT: SettingsLayout = SettingsLayout {
    personal: Setting::home(".copilot/hooks/sprag.json"),
    shared: Setting::project(".github/hooks/sprag.json"),
    read: &[
        Setting::home(".copilot/hooks/sprag.json"),
        Setting::project(".github/hooks/sprag.json"),
    ],
    review: None,
    events: &["sessionStart", "userPromptSubmitted", "preToolUse", "agentStop", "sessionEnd"],
    stop: "agentStop",
    switch: None,
    layout: EntryLayout::Flat,
    unit: TimeUnit::Seconds("timeoutSec"),
    head: Some(("version", 1)),
    label: None,
    command: CommandField::Shell("bash"),
    // It has two names for each event.
    other_stop: Some("Stop"),
    plugins: None,
    reads_folder: true,
    also_reads: &[Host::CLAUDE],
};
