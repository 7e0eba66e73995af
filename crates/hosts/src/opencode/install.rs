//! How sprag is installed into opencode.

use crate::install::{Component, FileSpec};
use crate::row::{Bridge, BridgeProtocol, Install, ServerFormat};

pub(super) const INSTALL: Install = Install {
    personal: PERSONAL,
    shared: SHARED,
    moved: &[],
    layout: None,
    bridge: Some(Bridge {
        text: include_str!("../../../../bridges/opencode/sprag.js"),
        protocol: BridgeProtocol::HookPayloads,
    }),
    server: ServerFormat::Json { kind: None, lists_tools: false },
    command: None,
    ignore: "/sprag.js\n/.gitignore\n",
    asks_for_trust: false,
    both_refuse: "if both refuse, the agent is prompted by both",
};

// Its bridge includes the tools and the commands.
const PERSONAL: &[FileSpec] = &[
    FileSpec::project(".opencode/plugin/sprag.js", &[Component::Bridge]),
    FileSpec::project(".opencode/plugin/.gitignore", &[Component::Ignore]),
];

const SHARED: &[FileSpec] = &[FileSpec::project(".opencode/plugin/sprag.js", &[Component::Bridge])];
