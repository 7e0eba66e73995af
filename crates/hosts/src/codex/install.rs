//! How sprag is installed into Codex CLI.

use crate::Setting;
use crate::install::{Component, FileSpec, SettingsLayout};
use crate::row::{CommandField, EntryLayout, Install, ServerFormat, TimeUnit};

pub(super) const INSTALL: Install = Install {
    personal: PERSONAL,
    shared: SHARED,
    moved: &[("CODEX_HOME", ".codex/")],
    layout: Some(&LAYOUT),
    bridge: None,
    server: ServerFormat::Toml,
    command: None,
    ignore: "*\n",
    asks_for_trust: false,
    both_refuse: "if both refuse, the agent hears both",
};

const PERSONAL: &[FileSpec] = &[
    FileSpec::home(".codex/hooks.json", &[Component::Entries]),
    FileSpec::home(".codex/config.toml", &[Component::Server]),
];

const SHARED: &[FileSpec] = &[
    FileSpec::project(".codex/hooks.json", &[Component::Entries]),
    FileSpec::project(".codex/config.toml", &[Component::Server]),
];

const LAYOUT: SettingsLayout = SettingsLayout {
    personal: Setting::home(".codex/hooks.json"),
    shared: Setting::project(".codex/hooks.json"),
    read: &[Setting::home(".codex/hooks.json"), Setting::project(".codex/hooks.json")],
    review: Some("/hooks"),
    events: &["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"],
    stop: "Stop",
    switch: None,
    layout: EntryLayout::Groups { matcher: None },
    unit: TimeUnit::Seconds("timeout"),
    head: None,
    label: None,
    command: CommandField::Shell("command"),
    other_stop: None,
    plugins: None,
    reads_folder: false,
    also_reads: &[],
};
