//! `.sprag/sessions/HOST-ID.json`: what a host hook needs to know about its session.
//!
//! The file indexes the session's runs, so that a host hook never lists them all. It also holds the
//! project's state when the session began, against which its work is measured, and its counters of
//! refused stops. The file's modification time is the time when the session was last seen.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sprag_core::{BadId, BadPath, DocPath, Hash, Id, RunId, SessionId, StopCounter, Time};
use sprag_store::{Doc, Edit, MAX_DOCUMENT, View};

const VERSION: u32 = 1;
pub(crate) const FOLDER: &str = ".sprag/sessions";

/// Why a session can have no file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFile {
    /// The id is not safe as a file name.
    #[error(transparent)]
    Name(#[from] BadId),
    /// A path that we built is invalid.
    #[error(transparent)]
    Path(#[from] BadPath),
}

/// Parses a session id that is safe as a file name, such as the value of `SPRAG_SESSION`.
pub fn named(name: &str) -> Option<SessionId> {
    Id::parse(name).ok().map(SessionId::from)
}

/// Returns the session id of a file in the folder of sessions.
pub(crate) fn of_file(name: &str) -> Option<SessionId> {
    name.strip_suffix(".json").and_then(named)
}

/// Looks up a session among the files of the folder.
pub(crate) fn among<'t>(files: &'t BTreeMap<String, Time>, id: &SessionId) -> Option<&'t Time> {
    file_name(id).ok().and_then(|name| files.get(&name))
}

/// Returns the name of a session's file. Only an [`Id`] is safe as a file name.
fn file_name(id: &SessionId) -> Result<String, BadId> {
    Ok(format!("{}.json", Id::parse(id.as_str())?))
}

/// Returns the document of a session. No other function builds this path.
pub(crate) fn path(id: &SessionId) -> Result<DocPath, NoFile> {
    Ok(DocPath::parse(&format!("{FOLDER}/{}", file_name(id)?))?)
}

/// A session in its stored form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionFile {
    v: u32,
    /// When the session was first seen.
    pub began: Time,
    /// The host's process; a later session in the same process inherits from this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// The runs that the session drives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunId>,
    /// The run for which the session works as a driven agent; that run's driver judges its work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driven: Option<RunId>,
    /// The runs it drove when it ended; it gets them back when it returns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub released: Vec<RunId>,
    /// Its guard, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<RunId>,
    /// The run that holds the session until a person's command passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<RunId>,
    /// The hash of the files when it began.
    pub tree: Hash,
    /// The whole configuration when it began; its guard is judged by this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The protected files when it began.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub protected: BTreeMap<String, Hash>,
    /// Its baseline, by the name of the stored text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Hash>,
    /// What it found of a person's uncommitted edits, by the name of the stored text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edits: Option<Hash>,
    /// The files that its tools wrote by name.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub touched: BTreeSet<String>,
    /// The files that have a person's uncommitted lines, so that a tool call looks at no others.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub uncommitted: BTreeSet<String>,
    /// Those of them in which a tool found a person's uncommitted edits.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub rewrote: BTreeSet<String>,
    /// Whether it used a tool that can change files.
    #[serde(default)]
    pub worked: bool,
    /// Whether its last stop was allowed and no prompt has arrived since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// The linked worktree that it began in; empty for the main one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    home: String,
    /// Its parts in other worktrees of the repository, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    elsewhere: BTreeMap<String, InWorktree>,
    /// The worktree of the fields below, if it is not the one that the session began in.
    #[serde(skip)]
    at: Option<String>,
    /// Whether it worked in that worktree and so is judged there.
    #[serde(skip)]
    works_there: bool,
    /// The progress mark at the last refused stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Hash>,
    /// Earlier progress marks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Hash>,
    /// Refusals since the mark last moved.
    #[serde(default)]
    pub idle: u32,
    /// Refusals since the last prompt of a person, or since a unit of a plan or tree passed its
    /// gates.
    #[serde(default, skip_serializing_if = "is_none_yet")]
    pub refused: u32,
    /// The hash of the last refusal's message: some hosts pass that on as a person's prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refusal: Option<Hash>,
    /// The length of that message: a host may join it with other hooks' messages.
    #[serde(default)]
    refusal_bytes: usize,
    /// When it ended, until it returns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Time>,
    /// Set while a person has set the session free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<Paused>,
    /// The inputs that it may change, as a person typed them with `/sprag:ok`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_change: Vec<String>,
    /// Keys of a later version.
    #[serde(flatten)]
    other: serde_json::Map<String, serde_json::Value>,
}

/// A session's part in one worktree: its guard, baseline and counters of refused stops there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct InWorktree {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    guard: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    baseline: Option<Hash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edits: Option<Hash>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    touched: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    uncommitted: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    rewrote: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stopped: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<Hash>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    before: Vec<Hash>,
    #[serde(default)]
    idle: u32,
}

/// A person set the session free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paused {
    /// The person's reason.
    pub why: String,
    /// When the session is held again, if the person set a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
}

/// The result of loading a session.
#[derive(Debug)]
pub enum LoadedSession {
    /// The session was never seen here.
    New,
    Seen(Box<SessionFile>),
    Unreadable {
        path: DocPath,
        why: String,
    },
}

/// Loads a session. Only we write its file: if that is missing or was changed by another program,
/// the text that the journal left counts, so an agent frees itself from nothing.
pub fn read(view: &View<'_>, id: &SessionId) -> Result<LoadedSession, BadPath> {
    let path = match path(id) {
        Ok(path) => path,
        // A session without a possible file name was never seen.
        Err(NoFile::Name(_)) => return Ok(LoadedSession::New),
        Err(NoFile::Path(bad)) => return Err(bad),
    };
    let unreadable = |why: String| LoadedSession::Unreadable { path: path.clone(), why };
    let doc = match view.read_remembered(&path) {
        Ok(doc) => doc,
        Err(error) => return Ok(unreadable(error.to_string())),
    };
    Ok(match doc {
        Doc::Absent => LoadedSession::New,
        Doc::Unknown(why) => unreadable(why.to_string()),
        Doc::Text(text) => match serde_json::from_str::<SessionFile>(&text) {
            Ok(file) if file.v > VERSION => {
                unreadable(format!("version {}, and this sprag knows {VERSION}", file.v))
            }
            Ok(file) => LoadedSession::Seen(Box::new(file)),
            Err(error) => unreadable(error.to_string()),
        },
    })
}

/// Guesses from the raw file whether a session has work to answer for. The guess decides only how a
/// decision is made, never its outcome.
pub(crate) fn seems_at_work(state: &std::path::Path, id: &SessionId) -> bool {
    use std::io::Read as _;
    let Ok(path) = path(id) else { return false };
    // With this much room, the usual file takes one read and not seven.
    let mut text = String::with_capacity(4 << 10);
    // Does not wait on a pipe that took the file's place.
    let file = sprag_store::peek(&state.join(path.as_str()));
    let read = file.and_then(|file| file.take(MAX_DOCUMENT as u64).read_to_string(&mut text));
    let signs = ["\"worked\": true", "\"runs\":", "\"until\":"];
    read.is_ok() && signs.iter().any(|sign| text.contains(sign))
}

/// Serde passes a reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
const fn is_none_yet(count: &u32) -> bool {
    *count == 0
}

impl SessionFile {
    /// Creates the record of a session seen for the first time.
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
            edits: None,
            touched: BTreeSet::new(),
            uncommitted: BTreeSet::new(),
            rewrote: BTreeSet::new(),
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

    /// Sets the worktree that it begins in.
    #[must_use]
    pub(crate) fn beginning_in(self, worktree: &str) -> Self {
        Self { home: worktree.to_owned(), ..self }
    }

    /// Returns the edit that writes the session's file.
    pub fn edit(&self, id: &SessionId) -> Result<Edit, NoFile> {
        // A struct of texts and numbers can always be serialized.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Ok(Edit::Write { doc: path(id)?, text: format!("{text}\n") })
    }

    /// Inherits from another session: the same conversation, or the one before it.
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

    /// Switches to the guard, baseline and counters of a worktree. The runs it drives stay with it.
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

    /// Records that the session works in the current worktree.
    pub(crate) fn works(&mut self) {
        self.worked = true;
        self.works_there = self.at.is_some();
    }

    /// Switches back to the worktree it began in, which is the stored form.
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
        std::mem::swap(&mut self.edits, &mut spot.edits);
        std::mem::swap(&mut self.touched, &mut spot.touched);
        std::mem::swap(&mut self.uncommitted, &mut spot.uncommitted);
        std::mem::swap(&mut self.rewrote, &mut spot.rewrote);
        std::mem::swap(&mut self.stopped, &mut spot.stopped);
        std::mem::swap(&mut self.mark, &mut spot.mark);
        std::mem::swap(&mut self.before, &mut spot.before);
        std::mem::swap(&mut self.idle, &mut spot.idle);
    }

    /// Returns the baseline of the worktree it began in, while it is elsewhere. It is needed for a
    /// worktree that one call both created and changed.
    pub(crate) fn baseline_at_home(&self) -> Option<Hash> {
        self.elsewhere.get(&self.home)?.baseline
    }

    /// Returns the other worktrees that it worked in; an empty name is the main one.
    pub(crate) fn other_worktrees(&self) -> Vec<String> {
        let at_hand = self.at.as_ref().unwrap_or(&self.home);
        let all = self.elsewhere.keys().chain([&self.home]);
        let others: BTreeSet<&String> = all.filter(|name| *name != at_hand).collect();
        others.into_iter().cloned().collect()
    }

    /// Returns its guard in another worktree.
    pub(crate) fn guard_in(&self, worktree: &str) -> Option<&RunId> {
        self.elsewhere.get(worktree)?.guard.as_ref()
    }

    /// Returns its guards in the other worktrees.
    pub(crate) fn other_guards(&self) -> impl Iterator<Item = &RunId> {
        self.elsewhere.values().filter_map(|spot| spot.guard.as_ref())
    }

    /// Returns whether the session is free at `now`.
    pub fn is_paused(&self, now: Time) -> bool {
        self.paused.as_ref().is_some_and(|paused| paused.until.is_none_or(|until| now < until))
    }

    /// Returns its counters for a stop.
    pub fn desk(&self, session: SessionId) -> StopCounter {
        let mut desk = StopCounter::new(session, self.mark.unwrap_or(self.tree));
        desk.before.clone_from(&self.before);
        desk.idle = self.idle;
        desk.refused = self.refused;
        desk
    }

    /// Records the message of a refused stop.
    pub fn refuse_with(&mut self, message: &str) {
        let said = message.trim();
        (self.refusal, self.refusal_bytes) = (Some(Hash::of(said)), said.len());
    }

    /// Returns whether a prompt contains the last refusal, alone or in lines of its own next to
    /// other hooks' messages, because Gemini CLI joins them.
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

    /// Stores its counters after a stop.
    pub fn sit(&mut self, desk: StopCounter) {
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
