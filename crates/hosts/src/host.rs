use crate::dialect::Dialect;
use crate::{
    Ability, Call, Class, Grade, Heard, Limit, NotUnderstood, Output, Reply, claude, codex,
    copilot, decode, encode, gemini, opencode, pi,
};

/// A program that runs an agent and calls us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// GitHub Copilot CLI.
    Copilot,
    /// opencode, by its bridge.
    Opencode,
    /// pi. It calls no commands; here is what workflows need of it.
    Pi,
}

/// A file or folder in which a host looks up whom to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Where the path begins.
    pub at: At,
    /// The path below that, with `/`; a folder, with all that is in it, ends with one.
    pub path: &'static str,
}

/// Where the path of a [`Setting`] begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// At the project, or at the folder the session was started in.
    Project,
    /// At the person's home.
    Home,
}

impl Setting {
    /// Returns the steps of the path.
    pub(crate) fn steps(self) -> impl Iterator<Item = &'static str> + Clone {
        self.path.trim_end_matches('/').split('/')
    }

    /// Returns whether it is a folder.
    pub(crate) fn is_folder(self) -> bool {
        self.path.ends_with('/')
    }

    /// Returns whether a path below its beginning is this one, or lies in it.
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
    /// Every host.
    pub const ALL: [Self; 6] =
        [Self::Claude, Self::Codex, Self::Gemini, Self::Copilot, Self::Opencode, Self::Pi];

    pub(crate) const fn dialect(self) -> &'static Dialect {
        match self {
            Self::Claude => &claude::DIALECT,
            Self::Codex => &codex::DIALECT,
            Self::Gemini => &gemini::DIALECT,
            Self::Copilot => &copilot::DIALECT,
            Self::Opencode => &opencode::DIALECT,
            Self::Pi => &pi::DIALECT,
        }
    }

    /// Returns the host of this name, as in `sprag hook claude`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Returns the name, also for file names.
    pub const fn name(self) -> &'static str {
        self.dialect().name
    }

    /// Returns the version at which all this was observed.
    pub const fn observed(self) -> &'static str {
        self.dialect().observed
    }

    /// Returns how many refused stops in a row it endures, where it has such a cap.
    pub const fn refusals(self) -> Option<u32> {
        self.dialect().refusals
    }

    /// Returns the files that say whom this host calls; agents may not edit them.
    pub const fn settings(self) -> &'static [Setting] {
        self.dialect().settings
    }

    /// Returns what kind of tool `name` is at this host.
    pub fn class(self, name: &str) -> Class {
        let found = self.dialect().tools.iter().find(|(_, names)| names.contains(&name));
        found.map_or(Class::Other, |(class, _)| *class)
    }

    /// Returns its tools of a kind as a workflow writes it (`@shell`), none for other words.
    pub(crate) fn names_of(self, entry: &str) -> &'static [&'static str] {
        let found = self.dialect().tools.iter().find(|(class, _)| class.entry() == Some(entry));
        found.map_or(&[], |(_, names)| names)
    }

    /// Returns this host's counterparts of one of pi's tools, none for other names and at pi.
    pub fn counterparts(self, pi: &str) -> &'static [&'static str] {
        let found = self.dialect().counterparts.iter().find(|(of, _)| *of == pi);
        found.map_or(&[], |(_, names)| names)
    }

    /// Returns what this host does only in part, or not at all.
    pub const fn limits(self) -> &'static [Limit] {
        self.dialect().limits
    }

    /// Returns how far this host does something.
    pub fn grade(self, ability: Ability) -> Grade {
        let found = self.limits().iter().find(|limit| limit.of == ability);
        found.map_or(Grade::Enforced, |limit| limit.grade)
    }

    /// Understands what the host said; `event` is the name given on the command line, for what
    /// does not name itself.
    pub fn decode(self, said: &[u8], event: Option<&str>) -> Result<Heard, NotUnderstood> {
        decode::decode(self, said, event)
    }

    /// Understands a call of one of its tools, from a bridge: `input` is the JSON it is given.
    pub fn call(self, tool: &str, input: &[u8]) -> Result<Call, NotUnderstood> {
        decode::bare_call(self, tool, input)
    }

    /// Writes a reply as this host reads it.
    ///
    /// A reply that the event cannot express takes the nearest form that stops nothing.
    pub fn encode(self, heard: &Heard, reply: &Reply) -> Output {
        encode::encode(self, &heard.happening, reply)
    }
}
