use std::fmt;
use std::hash::{Hash, Hasher};

use crate::row::{Bridge, HostRow, SessionVariable};
use crate::{
    Ability, Class, Grade, HOSTS, HookCall, Limit, NotUnderstood, Output, Reply, ToolCall, decode,
    encode,
};

/// A program that runs an agent and calls sprag; it is known by its name.
#[derive(Clone, Copy)]
pub struct Host(&'static HostRow);

impl PartialEq for Host {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Host {}

impl Hash for Host {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A file or folder that configures which programs a host calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The base of the path.
    pub at: PathBase,
    /// The path below the base, separated by `/`. A trailing `/` means a folder with everything in
    /// it.
    pub path: &'static str,
}

/// The base of a [`Setting`]'s path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathBase {
    /// The project, or the folder that the session was started in.
    Project,
    /// The person's home folder.
    Home,
}

impl Setting {
    /// A file or folder in the project.
    pub const fn project(path: &'static str) -> Self {
        Self { at: PathBase::Project, path }
    }

    /// A file or folder in the person's home folder.
    pub const fn home(path: &'static str) -> Self {
        Self { at: PathBase::Home, path }
    }

    /// The components of the path.
    pub(crate) fn steps(self) -> impl Iterator<Item = &'static str> + Clone {
        self.path.trim_end_matches('/').split('/')
    }

    /// Returns whether the setting is a folder.
    pub(crate) fn is_folder(self) -> bool {
        self.path.ends_with('/')
    }

    /// Returns whether a path below the base is this setting, or inside it. Ignores case.
    pub(crate) fn holds(self, path: &[impl AsRef<str>]) -> bool {
        let length = self.steps().count();
        let long = path.len() == length || self.is_folder() && path.len() > length;
        long && path
            .iter()
            .zip(self.steps())
            .all(|(one, two)| one.as_ref().eq_ignore_ascii_case(two))
    }
}

impl Host {
    /// The host of a row.
    pub const fn of(row: &'static HostRow) -> Self {
        Self(row)
    }

    pub(crate) const fn row(self) -> &'static HostRow {
        self.0
    }

    /// The host with this name, as in `sprag hook claude`.
    pub fn from_name(name: &str) -> Option<Self> {
        HOSTS.into_iter().find(|host| host.name() == name)
    }

    /// The name, also used in file names.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The version of the host at which all of this was observed.
    pub const fn observed(self) -> &'static str {
        self.0.observed
    }

    /// How many consecutive refused stops the host tolerates; `None` if no limit is known.
    pub const fn refusals(self) -> Option<u32> {
        self.0.refusals
    }

    /// The files that configure which programs this host calls; agents may not edit them.
    pub const fn settings(self) -> &'static [Setting] {
        self.0.settings
    }

    /// The kind of the tool `name` at this host.
    pub fn class(self, name: &str) -> Class {
        let found = self.0.tools.iter().find(|(_, names)| names.contains(&name));
        found.map_or(Class::Other, |(class, _)| *class)
    }

    /// The host's tools of a kind, as a workflow names it (`@shell`); empty for any other word.
    pub(crate) fn names_of(self, entry: &str) -> &'static [&'static str] {
        let found = self.0.tools.iter().find(|(class, _)| class.entry() == Some(entry));
        found.map_or(&[], |(_, names)| names)
    }

    /// The host's counterparts of one of pi's tools; empty for other names, and for pi itself.
    pub fn counterparts(self, pi: &str) -> &'static [&'static str] {
        let found = self.0.counterparts.iter().find(|(of, _)| *of == pi);
        found.map_or(&[], |(_, names)| names)
    }

    /// The abilities that this host has only in part, or not at all.
    pub const fn limits(self) -> &'static [Limit] {
        self.0.limits
    }

    /// How far this host has an ability.
    pub fn grade(self, ability: Ability) -> Grade {
        let found = self.limits().iter().find(|limit| limit.of == ability);
        found.map_or(Grade::Enforced, |limit| limit.grade)
    }

    /// How a command finds its session of this host.
    pub const fn session_variable(self) -> SessionVariable {
        self.0.variables.session
    }

    /// The variables by which a command of this host's agent is known.
    pub const fn marks(self) -> &'static [&'static str] {
        self.0.variables.marks
    }

    /// The variables of one session, besides the marks, that no other agent may inherit.
    pub const fn session_variables(self) -> &'static [&'static str] {
        self.0.variables.others
    }

    /// The host's bridge, if it needs one.
    pub const fn bridge(self) -> Option<Bridge> {
        self.0.install.bridge
    }

    /// Whether the host reports times on the person's clock without an offset.
    pub const fn has_local_times(self) -> bool {
        self.0.headless.local_times
    }

    /// Whether the host ignores a project's settings until the person trusts the folder.
    pub const fn asks_for_trust(self) -> bool {
        self.0.install.asks_for_trust
    }

    /// What happens at this host if both sprag and another hook refuse a stop.
    pub const fn both_refuse(self) -> &'static str {
        self.0.install.both_refuse
    }

    /// Decodes a payload; `event` is the name from the command line, for payloads that do not name
    /// their event.
    pub fn decode(self, said: &[u8], event: Option<&str>) -> Result<HookCall, NotUnderstood> {
        decode::decode(self, said, event)
    }

    /// Decodes a tool call from a bridge; `input` is the tool's JSON input.
    pub fn call(self, tool: &str, input: &[u8]) -> Result<ToolCall, NotUnderstood> {
        decode::bare_call(self, tool, input)
    }

    /// Encodes a reply in this host's format.
    ///
    /// A reply that the event cannot express takes the nearest form that does not stop the agent.
    pub fn encode(self, heard: &HookCall, reply: &Reply) -> Output {
        encode::encode(self, &heard.happening, reply)
    }
}
