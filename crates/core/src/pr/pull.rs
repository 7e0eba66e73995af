use super::CiCheck;
use crate::{Fields, Plain, Stored, Time, Unreadable, stored};

/// The forge's data about a pull request, under the keys of `metadata.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pull {
    pub number: u32,
    /// The account that opened it.
    pub author: Option<String>,
    /// The source branch.
    pub branch: Option<String>,
    pub title: Option<String>,
    pub description: Option<String>,
    /// The target branch.
    pub base: Option<String>,
    /// The reviews that are not minimised, oldest first.
    pub reviews: Vec<Comment>,
    /// The inline threads that are not collapsed.
    pub threads: Vec<Thread>,
    /// The newest review that was minimised.
    pub minimized: Option<Comment>,
    /// The commit before the one that was reviewed last.
    pub reviewed_commit: Option<String>,
    /// The checks of the head commit.
    pub checks: Vec<CiCheck>,
    /// The comments after the oldest review that is not minimised.
    pub comments: Vec<Comment>,
    /// The earlier comments.
    pub historical: Vec<Comment>,
    /// The number of reviews, as the original counts them.
    pub review_count: u32,
    /// The commit that is checked out here.
    pub head: Option<String>,
    /// The forge's head commit, to which the checks belong; `None` in files of other programs.
    pub forge_head: Option<String>,
    /// Git's tree hash of the commit that is checked out here.
    pub tree: Option<String>,
    /// The forge's own decision.
    pub decision: Option<String>,
    pub draft: Option<bool>,
    /// Whether it can be merged, in the forge's word.
    pub merge_state: Option<String>,
}

/// A review or a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// The forge's id.
    pub id: Option<String>,
    pub body: String,
    /// The time; `None` for a draft.
    pub at: Option<String>,
    /// The commit it refers to.
    pub commit: Option<String>,
    /// The author; `None` if the account is gone.
    pub author: Option<String>,
    /// Why it was minimised.
    pub reason: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// Its first comment.
    pub first: Comment,
    pub path: String,
    /// The line, if it still exists.
    pub line: Option<u32>,
    pub resolved: bool,
}

impl Comment {
    /// Returns the parsed time.
    pub fn time(&self) -> Option<Time> {
        self.at.as_deref().and_then(Time::parse)
    }
}

impl Pull {
    /// The key under which a look reports the folder's uncommitted files; not a key of
    /// `metadata.yaml`.
    pub const LOOSE: &'static str = "uncommitted";
    /// The key under which a look reports whether git pushed this folder's commit to the branch's
    /// remote; not a key of `metadata.yaml`.
    pub const PUSHED: &'static str = "pushed";

    /// Returns whether the checks belong to the commit that is checked out here.
    pub fn is_of_head(&self) -> bool {
        self.forge_head.is_none() || self.forge_head == self.head
    }

    /// Returns the conditions that only a person can resolve.
    pub fn conditions(&self) -> impl Iterator<Item = &'static str> {
        let draft = (self.draft == Some(true)).then_some("it is a draft");
        let state = match self.merge_state.as_deref() {
            Some("DIRTY") => Some("it conflicts with its base"),
            Some("BEHIND") => Some("it is behind its base"),
            Some(_) | None => None,
        };
        draft.into_iter().chain(state)
    }

    /// Returns the comments that answer a review: neither a bot's nor the reviewer's own.
    pub fn answers(&self) -> impl Iterator<Item = &Comment> {
        self.comments.iter().filter(|comment| {
            let by = comment.author.as_deref();
            let bot = by.is_some_and(|name| name.ends_with("[bot]"));
            let reviewer =
                by.is_some() && self.reviews.iter().any(|one| one.author.as_deref() == by);
            !bot && (!reviewer || by == self.author.as_deref())
        })
    }
}

impl Stored for Comment {
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
            first: Comment::lift(plain)?,
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
