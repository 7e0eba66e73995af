//! How sprag is installed into Gemini CLI.

use crate::Setting;
use crate::install::component::{OK, PAUSE, START, UNTIL, WHY};
use crate::install::{Component, FileSpec, SettingsLayout, Slash};
use crate::row::{CommandField, EntryLayout, Install, ServerFormat, TimeUnit};

pub(super) const INSTALL: Install = Install {
    personal: PERSONAL,
    shared: SHARED,
    moved: &[],
    layout: Some(&LAYOUT),
    bridge: None,
    server: ServerFormat::Json { kind: None, lists_tools: false },
    command: Some(command),
    ignore: "*\n",
    asks_for_trust: true,
    both_refuse: "if both refuse, the agent hears both in one prompt",
};

const PERSONAL: &[FileSpec] = &[
    FileSpec::home(".gemini/settings.json", &[Component::Entries, Component::Server]),
    FileSpec::home(".gemini/commands/sprag/until.toml", UNTIL),
    FileSpec::home(".gemini/commands/sprag/start.toml", START),
    FileSpec::home(".gemini/commands/sprag/why.toml", WHY),
    FileSpec::home(".gemini/commands/sprag/pause.toml", PAUSE),
    FileSpec::home(".gemini/commands/sprag/ok.toml", OK),
];

const SHARED: &[FileSpec] = &[
    FileSpec::project(".gemini/settings.json", &[Component::Entries, Component::Server]),
    FileSpec::project(".gemini/commands/sprag/until.toml", UNTIL),
    FileSpec::project(".gemini/commands/sprag/start.toml", START),
    FileSpec::project(".gemini/commands/sprag/why.toml", WHY),
    FileSpec::project(".gemini/commands/sprag/pause.toml", PAUSE),
    FileSpec::project(".gemini/commands/sprag/ok.toml", OK),
];

const LAYOUT: SettingsLayout = SettingsLayout {
    personal: Setting::home(".gemini/settings.json"),
    shared: Setting::project(".gemini/settings.json"),
    read: &[Setting::home(".gemini/settings.json"), Setting::project(".gemini/settings.json")],
    review: None,
    events: &["SessionStart", "BeforeAgent", "BeforeTool", "AfterAgent", "SessionEnd"],
    stop: "AfterAgent",
    switch: Some((&["hooksConfig", "enabled"], false)),
    layout: EntryLayout::Groups { matcher: Some("*") },
    unit: TimeUnit::Milliseconds("timeout"),
    head: None,
    label: Some("sprag"),
    command: CommandField::Shell("command"),
    other_stop: None,
    plugins: None,
    reads_folder: false,
    also_reads: &[],
};

fn command(slash: Slash) -> String {
    let (about, body) = (slash.about(), slash.body("{{args}}"));
    format!("description = \"{about}\"\nprompt = '''\n{body}'''\n")
}
