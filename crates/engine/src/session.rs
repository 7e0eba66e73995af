//! `.sprag/sessions/HOST-ID.json`: what a host hook must know of its session.
//!
//! It is the index of the session's runs, so that a host hook never lists them; the project as the
//! session found it, which its work is measured against; and its side of refused stops. When it was
//! last seen is the file's time.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sprag_core::{BadId, BadPath, Desk, DocPath, Hash, Id, RunId, SessionId, Time};
use sprag_store::{Doc, Edit, MAX_DOCUMENT, View};

const VERSION: u32 = 1;
/// The folder of all of them.
pub(crate) const FOLDER: &str = ".sprag/sessions";

/// Why a session can have no file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFile {
    /// Its name is not safe as that of a file.
    #[error(transparent)]
    Name(#[from] BadId),
    /// A name that we made is not one.
    #[error(transparent)]
    Path(#[from] BadPath),
}

/// Takes a name that a session's file can have, such as a shell finds in `SPRAG_SESSION`.
pub fn named(name: &str) -> Option<SessionId> {
    Id::parse(name).ok().map(SessionId::from)
}

/// Returns the session that a file in the folder of sessions is of.
pub(crate) fn of_file(name: &str) -> Option<SessionId> {
    name.strip_suffix(".json").and_then(named)
}

/// Finds a session among the files of the folder; a name that no file can have is none of them.
pub(crate) fn among<'t>(files: &'t BTreeMap<String, Time>, id: &SessionId) -> Option<&'t Time> {
    file_name(id).ok().and_then(|name| files.get(&name))
}

/// Returns the name of a session's file. A name that is no [`Id`] is not safe as one.
fn file_name(id: &SessionId) -> Result<String, BadId> {
    Ok(format!("{}.json", Id::parse(id.as_str())?))
}

/// Returns the document of a session. Nothing else makes its path.
pub(crate) fn path(id: &SessionId) -> Result<DocPath, NoFile> {
    Ok(DocPath::parse(&format!("{FOLDER}/{}", file_name(id)?))?)
}

/// A session as it stands in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionFile {
    v: u32,
    /// When it was first seen.
    pub began: Time,
    /// The process of its host: a session that follows in it inherits what this one has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// The runs it drives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunId>,
    /// The run that it works on as somebody else's agent: who drives that run judges it, from
    /// outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driven: Option<RunId>,
    /// The runs it drove when it ended; it takes them back when it returns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub released: Vec<RunId>,
    /// Its guard, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<RunId>,
    /// What holds it until a command of a person's passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<RunId>,
    /// The files it found.
    pub tree: Hash,
    /// The configuration it found, whole: what its guard is judged by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The protected files it found.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub protected: BTreeMap<String, Hash>,
    /// What its work is compared with, by the name of the kept text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Hash>,
    /// The files that its tools named to write.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub touched: BTreeSet<String>,
    /// Whether it used a tool that can change files.
    #[serde(default)]
    pub worked: bool,
    /// Whether its stop was allowed and nobody has spoken since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// The linked worktree that it began in; empty for the main one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    home: String,
    /// What it left in other worktrees of the repository, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    elsewhere: BTreeMap<String, InWorktree>,
    /// The worktree that the fields below are about, while it is not the one that it began in.
    #[serde(skip)]
    at: Option<String>,
    /// Whether it worked there, so that it is judged there.
    #[serde(skip)]
    works_there: bool,
    /// How far the work was at the last refused stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Hash>,
    /// The marks before that one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Hash>,
    /// Refusals since the mark last moved.
    #[serde(default)]
    pub idle: u32,
    /// Refusals since a person spoke, or since a unit of a plan or tree passed its gates.
    #[serde(default, skip_serializing_if = "is_none_yet")]
    pub refused: u32,
    /// What it was last refused with: some hosts hand that on as if a person had said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refusal: Option<Hash>,
    /// How many bytes that has: a host may join it with what others said.
    #[serde(default)]
    refusal_bytes: usize,
    /// When it ended, until it returns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Time>,
    /// A person set it free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<Paused>,
    /// What it may change of what judges it, as a person typed it with `/sprag:ok`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_change: Vec<String>,
    /// Keys of a later version.
    #[serde(flatten)]
    other: serde_json::Map<String, serde_json::Value>,
}

/// A session's part in one worktree: its guard there, what its work is compared with there, and its
/// side of refused stops.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct InWorktree {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    guard: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    baseline: Option<Hash>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    touched: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stopped: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<Hash>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    before: Vec<Hash>,
    #[serde(default)]
    idle: u32,
}

/// How a person set a session free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paused {
    /// What the person said.
    pub why: String,
    /// When it is held again, if the person said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
}

/// What is known of a session.
#[derive(Debug)]
pub enum Known {
    /// It was never seen here.
    New,
    /// It stands in its file.
    Seen(Box<SessionFile>),
    /// Its file cannot be read.
    Unreadable {
        /// Which file.
        path: DocPath,
        /// Why not.
        why: String,
    },
}

/// Reads a session.
pub fn read(view: &View<'_>, id: &SessionId) -> Result<Known, BadPath> {
    let path = match path(id) {
        Ok(path) => path,
        // A session whose name no file can have was never seen.
        Err(NoFile::Name(_)) => return Ok(Known::New),
        Err(NoFile::Path(bad)) => return Err(bad),
    };
    let unreadable = |why: String| Known::Unreadable { path: path.clone(), why };
    Ok(match view.read(&path) {
        Doc::Absent => Known::New,
        Doc::Unknown(why) => unreadable(why.to_string()),
        Doc::Text(text) => match serde_json::from_str::<SessionFile>(&text) {
            Ok(file) if file.v > VERSION => {
                unreadable(format!("version {}, and this sprag knows {VERSION}", file.v))
            }
            Ok(file) => Known::Seen(Box::new(file)),
            Err(error) => unreadable(error.to_string()),
        },
    })
}

/// Guesses whether a session has something to answer for, from its file as it lies there. Only how
/// the decision is made depends on it, never the decision.
pub(crate) fn seems_at_work(state: &std::path::Path, id: &SessionId) -> bool {
    use std::io::Read as _;
    let Ok(path) = path(id) else { return false };
    let mut text = String::new();
    // Something else in its place, a pipe, is not waited for.
    let file = sprag_store::peek(&state.join(path.as_str()));
    let read = file.and_then(|file| file.take(MAX_DOCUMENT as u64).read_to_string(&mut text));
    let signs = ["\"worked\": true", "\"runs\":", "\"until\":"];
    read.is_ok() && signs.iter().any(|sign| text.contains(sign))
}

/// Serde hands over a reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
const fn is_none_yet(count: &u32) -> bool {
    *count == 0
}

impl SessionFile {
    /// Returns a session seen for the first time.
    pub fn new(began: Time, tree: Hash) -> Self {
        Self {
            v: VERSION,
            began,
            process: None,
            runs: Vec::new(),
            driven: None,
            released: Vec::new(),
            guard: None,
            until: None,
            tree,
            config: None,
            protected: BTreeMap::new(),
            baseline: None,
            touched: BTreeSet::new(),
            worked: false,
            stopped: false,
            home: String::new(),
            elsewhere: BTreeMap::new(),
            at: None,
            works_there: false,
            mark: None,
            before: Vec::new(),
            idle: 0,
            refused: 0,
            refusal: None,
            refusal_bytes: 0,
            ended: None,
            paused: None,
            may_change: Vec::new(),
            other: serde_json::Map::new(),
        }
    }

    /// Returns it such that it begins in a worktree, by its name.
    #[must_use]
    pub(crate) fn beginning_in(self, worktree: &str) -> Self {
        Self { home: worktree.to_owned(), ..self }
    }

    /// Returns the edit that writes it.
    pub fn edit(&self, id: &SessionId) -> Result<Edit, NoFile> {
        // A struct of texts and numbers can always be written.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Ok(Edit::Write { doc: path(id)?, text: format!("{text}\n") })
    }

    /// Takes over what another session had: it is the same conversation, or what follows it.
    pub fn inherit(&mut self, from: &mut Self) {
        let own = (self.began, self.process.take());
        *self = from.clone();
        (self.began, self.process) = own;
        self.ended = None;
        from.runs.clear();
        from.released.clear();
        from.guard = None;
        from.until = None;
        from.elsewhere.clear();
        from.worked = false;
    }

    /// Turns to a worktree, by its name: its guard there and its refused stops there are at hand from
    /// now on. What it drives goes with it.
    pub(crate) fn turn_to(&mut self, worktree: &str) {
        self.turn_home();
        if self.home != worktree {
            let known = self.elsewhere.remove(worktree);
            self.works_there = known.is_some();
            let mut spot = known.unwrap_or_default();
            self.swap(&mut spot);
            self.elsewhere.insert(self.home.clone(), spot);
            self.at = Some(worktree.to_owned());
        }
    }

    /// Notes that it works where it is.
    pub(crate) fn works(&mut self) {
        self.worked = true;
        self.works_there = self.at.is_some();
    }

    /// Turns back to the worktree that it began in: so its file records it.
    pub(crate) fn turn_home(&mut self) {
        let Some(worktree) = self.at.take() else { return };
        let mut spot = self.elsewhere.remove(&self.home).unwrap_or_default();
        self.swap(&mut spot);
        if std::mem::take(&mut self.works_there) || spot != InWorktree::default() {
            self.elsewhere.insert(worktree, spot);
        }
    }

    fn swap(&mut self, spot: &mut InWorktree) {
        std::mem::swap(&mut self.guard, &mut spot.guard);
        std::mem::swap(&mut self.baseline, &mut spot.baseline);
        std::mem::swap(&mut self.touched, &mut spot.touched);
        std::mem::swap(&mut self.stopped, &mut spot.stopped);
        std::mem::swap(&mut self.mark, &mut spot.mark);
        std::mem::swap(&mut self.before, &mut spot.before);
        std::mem::swap(&mut self.idle, &mut spot.idle);
    }

    /// Returns what its work is compared with where it began, while it is elsewhere: a worktree that it
    /// made and changed with one call was never seen before.
    pub(crate) fn baseline_at_home(&self) -> Option<Hash> {
        self.elsewhere.get(&self.home)?.baseline
    }

    /// Returns the worktrees that it worked in, besides the one at hand; an empty name is the main one.
    pub(crate) fn other_worktrees(&self) -> Vec<String> {
        let at_hand = self.at.as_ref().unwrap_or(&self.home);
        let all = self.elsewhere.keys().chain([&self.home]);
        let others: BTreeSet<&String> = all.filter(|name| *name != at_hand).collect();
        others.into_iter().cloned().collect()
    }

    /// Returns the guards that it has in other worktrees than the one at hand.
    pub(crate) fn other_guards(&self) -> impl Iterator<Item = &RunId> {
        self.elsewhere.values().filter_map(|spot| spot.guard.as_ref())
    }

    /// Returns whether a person set it free at `now`.
    pub fn is_paused(&self, now: Time) -> bool {
        self.paused.as_ref().is_some_and(|paused| paused.until.is_none_or(|until| now < until))
    }

    /// Returns its side of a stop.
    pub fn desk(&self, session: SessionId) -> Desk {
        let mut desk = Desk::new(session, self.mark.unwrap_or(self.tree));
        desk.before.clone_from(&self.before);
        desk.idle = self.idle;
        desk.refused = self.refused;
        desk
    }

    /// Remembers what a stop is refused with.
    pub fn refuse_with(&mut self, message: &str) {
        let said = message.trim();
        (self.refusal, self.refusal_bytes) = (Some(Hash::of(said)), said.len());
    }

    /// Returns whether a prompt says what a stop was refused with: alone, or in lines of its own
    /// beside what other host hooks said, because Gemini CLI joins them.
    pub fn was_refused_with(&self, words: &str) -> bool {
        let Some(refusal) = self.refusal else { return false };
        let words = words.trim();
        let breaks = words.match_indices('\n').map(|(at, _)| at + 1);
        std::iter::once(0).chain(breaks).any(|start| {
            let rest = words[start..].split_at_checked(self.refusal_bytes);
            let whole = |(said, after): &(&str, &str)| {
                (after.is_empty() || after.starts_with('\n')) && Hash::of(said) == refusal
            };
            rest.as_ref().is_some_and(whole)
        })
    }

    /// Takes its side of a stop.
    pub fn sit(&mut self, desk: Desk) {
        self.mark = Some(desk.mark);
        self.before = desk.before;
        self.idle = desk.idle;
        self.refused = desk.refused;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_a_guard_in_each_worktree_and_stands_in_its_file_as_it_began() {
        let guard = |name: &str| Some(RunId::parse(name).unwrap());
        let mut file = SessionFile::new(Time::from_millis(0), Hash::of(""));
        file.turn_to("");
        (file.guard, file.idle) = (guard("r-aaaa"), 1);
        file.turn_to("side");
        assert_eq!(
            (file.guard.clone(), file.idle, file.other_worktrees()),
            (None, 0, vec![String::new()])
        );
        file.guard = guard("r-bbbb");
        file.turn_to("third");
        assert_eq!(file.other_worktrees(), ["", "side"]);
        assert_eq!(file.other_guards().count(), 2);
        file.turn_to("fourth");
        assert_eq!(file.other_worktrees(), ["", "side"], "nothing was done in the third");
        file.works();
        file.turn_to("third");
        assert_eq!(file.other_worktrees(), ["", "fourth", "side"]);
        file.turn_to("");
        assert_eq!((file.guard.clone(), file.idle), (guard("r-aaaa"), 1));
        file.turn_to("side");
        let at_side = file.guard.clone();
        file.turn_home();
        assert_eq!((file.guard.clone(), at_side), (guard("r-aaaa"), guard("r-bbbb")));
        let text = serde_json::to_string(&file).unwrap();
        assert_eq!(serde_json::from_str::<SessionFile>(&text).unwrap(), file);
    }

    #[test]
    fn only_a_name_that_is_safe_as_a_file_leads_to_one() {
        let id = |text: &str| SessionId::parse(text).unwrap();
        let path = |text: &str| path(&id(text)).map(|path| path.to_string());
        assert_eq!(path("claude-1").unwrap(), ".sprag/sessions/claude-1.json");
        let files = BTreeMap::from([("a b.json".to_owned(), Time::from_millis(0))]);
        for text in ["../../config", "a/b", "a b", ".", "-rf"] {
            assert!(matches!(path(text), Err(NoFile::Name(_))), "{text}");
            assert_eq!(of_file(&format!("{text}.json")), None, "{text}");
            assert_eq!(among(&files, &id(text)), None, "{text}");
        }
    }

    #[test]
    fn a_refusal_is_known_again_alone_and_beside_what_others_said() {
        let mut file = SessionFile::new(Time::from_millis(0), Hash::of(""));
        assert!(!file.was_refused_with(""), "it never was");
        let ours = "Not finished: `make` exit 1\n  é\nFix this, then stop again.\n";
        file.refuse_with(ours);
        for back in [
            ours.to_owned(),
            format!("  {}\n\n", ours.trim()),
            format!("{ours}\nAnd lint."),
            format!("Lint first.\n{ours}"),
            format!("é\n\n{}\nAnd lint.", ours.trim()),
        ] {
            assert!(file.was_refused_with(&back), "{back:?}");
        }
        for other in [
            String::new(),
            "Not finished: `make` exit 1".to_owned(),
            format!("it said: {ours}"),
            format!("{} Why?", ours.trim()),
            ours.replace('1', "2"),
        ] {
            assert!(!file.was_refused_with(&other), "{other:?}");
        }
    }
}
