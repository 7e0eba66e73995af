use sprag_core::HostSession;

use crate::{HookEvent, Host};

/// A decoded payload of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookCall {
    pub host: Host,
    /// The host's id of the session; `None` only for an [ignored](HookEvent::Ignored) event. For
    /// sprag's own name of the session see [`session_file`](crate::session_file).
    pub session: Option<HostSession>,
    /// The folder that the session works in, if the host reported it.
    pub cwd: Option<String>,
    /// The subagent that it comes from; `None` for the session itself.
    pub subagent: Option<String>,
    /// Whether the session may only plan.
    pub plan_mode: bool,
    pub happening: HookEvent,
}
