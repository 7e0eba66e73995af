use sprag_core::HostSession;

use crate::{Happening, Host};

/// What a host said, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Who said it.
    pub host: Host,
    /// The session it is about; nothing only where it is [ignored](Happening::Ignored). sprag's own
    /// name of it: [`session_file`](crate::session_file).
    pub session: Option<HostSession>,
    /// The folder the session works in; nothing where the host did not say.
    pub cwd: Option<String>,
    /// The subagent it comes from; nothing for the session itself.
    pub subagent: Option<String>,
    /// Whether the session may only plan.
    pub plan_mode: bool,
    /// What it was.
    pub happening: Happening,
}
