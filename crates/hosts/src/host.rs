use crate::dialect::Dialect;
use crate::{
    Ability, Class, Grade, HookCall, Limit, NotUnderstood, Output, Reply, ToolCall, claude, codex,
    copilot, decode, encode, gemini, opencode, pi,
};

/// A program that runs an agent and calls sprag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    Claude,
    Codex,
    Gemini,
    Copilot,
    /// opencode, through its bridge.
    Opencode,
    /// pi. It calls no commands; this crate has only the facts that workflows need.
    Pi,
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
    pub const ALL: [Self; 6] =
        [Self::Claude, Self::Codex, Self::Gemini, Self::Copilot, Self::Opencode, Self::Pi];

    pub(crate) const fn dialect(self) -> &'static Dialect {
        match self {
            Self::Claude => &claude::hooks::DIALECT,
            Self::Codex => &codex::hooks::DIALECT,
            Self::Gemini => &gemini::hooks::DIALECT,
            Self::Copilot => &copilot::hooks::DIALECT,
            Self::Opencode => &opencode::hooks::DIALECT,
            Self::Pi => &pi::hooks::DIALECT,
        }
    }

    /// The host with this name, as in `sprag hook claude`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// The name, also used in file names.
    pub const fn name(self) -> &'static str {
        self.dialect().name
    }

    /// The version of the host at which all of this was observed.
    pub const fn observed(self) -> &'static str {
        self.dialect().observed
    }

    /// How many consecutive refused stops the host tolerates; `None` if no limit is known.
    pub const fn refusals(self) -> Option<u32> {
        self.dialect().refusals
    }

    /// The files that configure which programs this host calls; agents may not edit them.
    pub const fn settings(self) -> &'static [Setting] {
        self.dialect().settings
    }

    /// The kind of the tool `name` at this host.
    pub fn class(self, name: &str) -> Class {
        let found = self.dialect().tools.iter().find(|(_, names)| names.contains(&name));
        found.map_or(Class::Other, |(class, _)| *class)
    }

    /// The host's tools of a kind, as a workflow names it (`@shell`); empty for any other word.
    pub(crate) fn names_of(self, entry: &str) -> &'static [&'static str] {
        let found = self.dialect().tools.iter().find(|(class, _)| class.entry() == Some(entry));
        found.map_or(&[], |(_, names)| names)
    }

    /// The host's counterparts of one of pi's tools; empty for other names, and for pi itself.
    pub fn counterparts(self, pi: &str) -> &'static [&'static str] {
        let found = self.dialect().counterparts.iter().find(|(of, _)| *of == pi);
        found.map_or(&[], |(_, names)| names)
    }

    /// The abilities that this host has only in part, or not at all.
    pub const fn limits(self) -> &'static [Limit] {
        self.dialect().limits
    }

    /// How far this host has an ability.
    pub fn grade(self, ability: Ability) -> Grade {
        let found = self.limits().iter().find(|limit| limit.of == ability);
        found.map_or(Grade::Enforced, |limit| limit.grade)
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
