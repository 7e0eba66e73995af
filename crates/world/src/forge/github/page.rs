//! A pull request in GitHub's GraphQL: four lists, each with its own pages.

use serde_json::Value;

use super::{ForgeError, odd};

/// Queries all lists at once, each from its cursor.
pub(super) const QUERY: &str = "\
query($owner:String!,$repo:String!,$number:Int!,$reviews:String,$threads:String,$comments:String,\
$checks:String){repository(owner:$owner,name:$repo){pullRequest(number:$number){\
isDraft mergeStateStatus title body baseRefName headRefOid reviewDecision \
author{__typename login} \
reviews(first:100,after:$reviews){pageInfo{hasNextPage endCursor} nodes{id body submittedAt \
isMinimized minimizedReason viewerDidAuthor author{__typename login} \
commit{oid parents(first:1){nodes{oid}}}}} \
reviewThreads(first:100,after:$threads){pageInfo{hasNextPage endCursor} nodes{id path line \
isResolved isCollapsed comments(first:1){nodes{id body createdAt \
author{__typename login}}}}} \
comments(first:100,after:$comments){pageInfo{hasNextPage endCursor} nodes{id body createdAt \
viewerDidAuthor author{__typename login}}} \
commits(last:1){nodes{commit{oid statusCheckRollup{contexts(first:100,after:$checks){\
pageInfo{hasNextPage endCursor} nodes{__typename \
... on CheckRun{name status conclusion detailsUrl isRequired(pullRequestNumber:$number) \
checkSuite{workflowRun{workflow{name}}}} \
... on StatusContext{context state targetUrl isRequired(pullRequestNumber:$number)}}}}}}}}}}";

/// Hides a review as resolved.
pub(super) const MINIMIZE: &str = "mutation($id:ID!){minimizeComment(input:{subjectId:$id,\
classifier:RESOLVED}){minimizedComment{isMinimized}}}";

/// The data read so far.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// The pull request itself.
    pub(super) head: Value,
    pub(super) reviews: Vec<Value>,
    /// The inline threads.
    pub(super) threads: Vec<Value>,
    pub(super) comments: Vec<Value>,
    /// The checks of the head commit.
    pub(super) checks: Vec<Value>,
    cursors: [Option<String>; 4],
}

const NAMES: [&str; 4] = ["reviews", "threads", "comments", "checks"];

impl Pages {
    /// More pages than any pull request has.
    pub(super) const MOST: u32 = 100;

    /// Returns the cursor of each list.
    pub(super) fn cursors(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let cursors = NAMES.into_iter().zip(&self.cursors);
        cursors.filter_map(|(name, cursor)| Some((name, cursor.as_deref()?)))
    }

    /// Adds a page; returns whether it was the last.
    pub(super) fn take(&mut self, answer: &Value) -> Result<bool, ForgeError> {
        let pull = &answer["data"]["repository"]["pullRequest"];
        if !pull.is_object() {
            return Err(odd("there is no such pull request"));
        }
        let commit = &pull["commits"]["nodes"][0]["commit"];
        let lists = [
            &pull["reviews"],
            &pull["reviewThreads"],
            &pull["comments"],
            &commit["statusCheckRollup"]["contexts"],
        ];
        let places = [&mut self.reviews, &mut self.threads, &mut self.comments, &mut self.checks];
        let mut last = true;
        for ((list, place), cursor) in lists.into_iter().zip(places).zip(&mut self.cursors) {
            place.extend(list["nodes"].as_array().into_iter().flatten().cloned());
            // A list at its end keeps its cursor while the others continue.
            if let Some(end) = list["pageInfo"]["endCursor"].as_str() {
                *cursor = Some(end.to_owned());
            }
            last &= list["pageInfo"]["hasNextPage"].as_bool() != Some(true);
        }
        self.head = pull.clone();
        Ok(last)
    }
}
