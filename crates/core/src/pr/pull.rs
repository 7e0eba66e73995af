use super::CiCheck;
use crate::{Fields, Plain, Stored, Time, Unreadable, stored};

/// What a forge says of a pull request, in the keys of `metadata.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pull {
    /// Its number.
    pub number: u32,
    /// Who opened it.
    pub author: Option<String>,
    /// The branch it comes from.
    pub branch: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its text.
    pub description: Option<String>,
    /// The branch it goes to.
    pub base: Option<String>,
    /// The reviews that are not minimised, oldest first.
    pub reviews: Vec<Said>,
    /// The inline threads that are not collapsed.
    pub threads: Vec<Thread>,
    /// The newest review that was minimised.
    pub minimized: Option<Said>,
    /// The commit before the one that was reviewed last.
    pub reviewed_commit: Option<String>,
    /// The checks of the head commit.
    pub checks: Vec<CiCheck>,
    /// The comments after the oldest review that is not minimised.
    pub comments: Vec<Said>,
    /// The comments before it.
    pub historical: Vec<Said>,
    /// How many reviews there were, as the original counts them.
    pub review_count: u32,
    /// The commit that is checked out here.
    pub head: Option<String>,
    /// The commit that the forge has, and that the checks are of; nothing in files of others.
    pub forge_head: Option<String>,
    /// What is in the commit that is checked out here, by git's name for it.
    pub tree: Option<String>,
    /// The forge's own decision.
    pub decision: Option<String>,
    /// Whether it is only a draft.
    pub draft: Option<bool>,
    /// Whether it could be merged, in the forge's word.
    pub merge_state: Option<String>,
}

/// Something that somebody said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The forge's id of it.
    pub id: Option<String>,
    /// The text.
    pub body: String,
    /// When; nothing while it is a draft.
    pub at: Option<String>,
    /// About which commit.
    pub commit: Option<String>,
    /// Who said it; nothing when the account is gone.
    pub author: Option<String>,
    /// Why it was minimised.
    pub reason: Option<String>,
}

/// An inline thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// Its first comment.
    pub first: Said,
    /// The file.
    pub path: String,
    /// The line, while there is one.
    pub line: Option<u32>,
    /// Whether it was resolved.
    pub resolved: bool,
}

impl Said {
    /// Returns when it was said.
    pub fn time(&self) -> Option<Time> {
        self.at.as_deref().and_then(Time::parse)
    }
}

impl Pull {
    /// Where a look says which files of the folder are in no commit; no key of `metadata.yaml`.
    pub const LOOSE: &'static str = "uncommitted";
    /// Where a look says whether git sent this folder's commit to the branch's remote; no key of
    /// `metadata.yaml`.
    pub const PUSHED: &'static str = "pushed";

    /// Returns whether the checks are those of the commit that is checked out here.
    pub fn is_of_head(&self) -> bool {
        self.forge_head.is_none() || self.forge_head == self.head
    }

    /// Returns what only a person can do something about.
    pub fn conditions(&self) -> impl Iterator<Item = &'static str> {
        let draft = (self.draft == Some(true)).then_some("it is a draft");
        let state = match self.merge_state.as_deref() {
            Some("DIRTY") => Some("it conflicts with its base"),
            Some("BEHIND") => Some("it is behind its base"),
            Some(_) | None => None,
        };
        draft.into_iter().chain(state)
    }

    /// Returns the comments that answer a review: not a bot's, and not the reviewer's own.
    pub fn answers(&self) -> impl Iterator<Item = &Said> {
        self.comments.iter().filter(|comment| {
            let by = comment.author.as_deref();
            let bot = by.is_some_and(|name| name.ends_with("[bot]"));
            let reviewer =
                by.is_some() && self.reviews.iter().any(|one| one.author.as_deref() == by);
            !bot && (!reviewer || by == self.author.as_deref())
        })
    }
}

impl Stored for Said {
    fn lower(&self) -> Plain {
        let mut entries = vec![
            ("nodeid", self.id.lower()),
            ("body", self.body.lower()),
            ("timestamp", self.at.lower()),
        ];
        let more = [("commitOid", &self.commit), ("author", &self.author)];
        entries.extend(more.into_iter().map(|(key, value)| (key, value.lower())));
        entries.retain(|(key, value)| *key != "commitOid" || *value != Plain::Null);
        if self.reason.is_some() {
            entries.push(("minimizedReason", self.reason.lower()));
        }
        Plain::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        Ok(Self {
            id: fields.get("nodeid")?,
            body: fields.get::<Option<String>>("body")?.unwrap_or_default(),
            at: fields.get("timestamp")?,
            commit: fields.get("commitOid")?,
            author: fields.get("author")?,
            reason: fields.get("minimizedReason")?,
        })
    }
}

impl Stored for Thread {
    fn lower(&self) -> Plain {
        Plain::map([
            ("nodeid", self.first.id.lower()),
            ("path", self.path.lower()),
            ("line", self.line.lower()),
            ("isResolved", self.resolved.lower()),
            ("body", self.first.body.lower()),
            ("timestamp", self.first.at.lower()),
            ("author", self.first.author.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        Ok(Self {
            first: Said::lift(plain)?,
            path: fields.get::<Option<String>>("path")?.unwrap_or_default(),
            line: fields.get("line")?,
            resolved: fields.get::<Option<bool>>("isResolved")?.unwrap_or_default(),
        })
    }
}

stored!(struct Pull {
    number as "pr": or_default,
    author,
    branch,
    title,
    description,
    base,
    reviews as "latestReviews",
    threads as "reviewThreads",
    minimized as "latestMinimizedReview",
    reviewed_commit as "latestReviewedCommit",
    checks as "ciStatus",
    comments as "latestComments",
    historical as "historicalComments",
    review_count as "reviewCount": or_default,
    head as "latestCommit",
    forge_head as "headRefOid",
    tree as "latestTree",
    decision as "reviewDecision",
    draft as "isDraft",
    merge_state as "mergeStateStatus",
});
