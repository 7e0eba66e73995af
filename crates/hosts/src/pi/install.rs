//! How sprag is installed into pi.

use crate::install::{Component, FileSpec};
use crate::row::{Bridge, BridgeProtocol, Install, ServerFormat};

pub(super) const INSTALL: Install = Install {
    personal: PERSONAL,
    shared: SHARED,
    moved: &[("PI_CODING_AGENT_DIR", ".pi/agent/")],
    layout: None,
    bridge: Some(Bridge {
        text: include_str!("../../../../bridges/pi/sprag.ts"),
        protocol: BridgeProtocol::PiWorkflows,
    }),
    server: ServerFormat::Json { kind: None, lists_tools: false },
    command: None,
    ignore: "*\n",
    asks_for_trust: true,
    both_refuse: "if both refuse, the agent is prompted by both",
};

// A project's extensions need the person's trust; a person's own do not.
const PERSONAL: &[FileSpec] =
    &[FileSpec::home(".pi/agent/extensions/sprag.ts", &[Component::Bridge])];

const SHARED: &[FileSpec] = &[FileSpec::project(".pi/extensions/sprag.ts", &[Component::Bridge])];
