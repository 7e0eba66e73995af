//! Converts GitHub's answer to a [`Pull`], as in `metadata.yaml`.

use serde_json::Value;
use sprag_core::Plain;
use sprag_core::pr::{CiCheck, Comment, Pull, Thread};

use super::page::Pages;
use super::{ForgeError, odd};

/// How many lines of a review are searched for its round.
const HEAD: usize = 5;

/// Converts the collected pages.
pub(super) fn pull(pages: &Pages) -> Result<Pull, ForgeError> {
    let head = &pages.head;
    let forge_head = text(&head["headRefOid"]);
    if forge_head.is_none() {
        return Err(odd("the pull request has no head commit"));
    }
    // Right after a push the checks may still belong to the previous commit.
    let checked = text(&head["commits"]["nodes"][0]["commit"]["oid"]);
    // A review that was begun and not submitted does not count yet.
    let sent = |node: &&Value| node["submittedAt"].is_string();
    let minimized = |node: &&Value| node["isMinimized"].as_bool() == Some(true);
    let mut reviews: Vec<_> =
        pages.reviews.iter().filter(sent).filter(|node| !minimized(node)).map(said).collect();
    reviews.sort_by_key(Comment::time);
    let hidden = pages.reviews.iter().filter(sent).filter(minimized).map(said);
    let newest = hidden.max_by_key(Comment::time);
    let oldest = reviews.first().and_then(Comment::time);
    let comments = pages.comments.iter().map(said);
    let (latest, historical) =
        comments.partition(|comment| oldest.is_none_or(|oldest| comment.time() > Some(oldest)));
    let review_count = count(&reviews, pages.reviews.iter().filter(sent).count());
    let pull = Pull {
        author: author(head),
        title: text(&head["title"]),
        description: Some(text(&head["body"]).unwrap_or_default()),
        base: text(&head["baseRefName"]),
        reviewed_commit: reviewed(pages),
        threads: pages.threads.iter().filter_map(thread).collect(),
        minimized: newest,
        checks: pages.checks.iter().map(check).collect(),
        comments: latest,
        historical,
        review_count,
        forge_head: checked.or(forge_head),
        decision: text(&head["reviewDecision"]),
        draft: head["isDraft"].as_bool(),
        merge_state: text(&head["mergeStateStatus"]),
        reviews,
        ..Pull::default()
    };
    Ok(pull.capped())
}

/// Returns the author; a bot's name gets the ending that the forge shows elsewhere.
fn author(node: &Value) -> Option<String> {
    let login = text(&node["author"]["login"])?;
    let bot = node["author"]["__typename"] == "Bot" && !login.ends_with("[bot]");
    Some(if bot { format!("{login}[bot]") } else { login })
}

/// Returns a text with normalized line ends, or `None` if it is empty.
fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(|text| text.replace("\r\n", "\n"))
}

fn said(node: &Value) -> Comment {
    let at = text(&node["submittedAt"]).or_else(|| text(&node["createdAt"]));
    Comment {
        id: text(&node["id"]),
        body: text(&node["body"]).unwrap_or_default(),
        at,
        commit: text(&node["commit"]["oid"]),
        author: author(node),
        reason: text(&node["minimizedReason"]),
    }
}

fn thread(node: &Value) -> Option<Thread> {
    if node["isCollapsed"].as_bool() == Some(true) {
        return None;
    }
    let first = said(&node["comments"]["nodes"][0]);
    Some(Thread {
        first: Comment { id: text(&node["id"]), ..first },
        path: text(&node["path"]).unwrap_or_default(),
        line: node["line"].as_u64().and_then(|line| u32::try_from(line).ok()),
        resolved: node["isResolved"].as_bool() == Some(true),
    })
}

/// Counts the reviews as the original does: by the round in the newest one, else by their number; 0
/// if all are minimised.
fn count(reviews: &[Comment], all: usize) -> u32 {
    let Some(newest) = reviews.last() else { return 0 };
    let named = newest.body.lines().take(HEAD).find_map(|line| {
        let lower = line.to_ascii_lowercase();
        let after = |(at, word): (usize, &str)| {
            let rest = lower[at + word.len()..].trim_start();
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..end].parse().ok()
        };
        lower.match_indices("round").find_map(after)
    });
    named.unwrap_or_else(|| u32::try_from(all).unwrap_or(u32::MAX))
}

/// Returns the parent of the commit that was reviewed last, or that commit if it has none.
fn reviewed(pages: &Pages) -> Option<String> {
    let seen = pages.reviews.iter().filter(|node| node["isMinimized"].as_bool() != Some(true));
    let newest =
        seen.filter(|node| node["submittedAt"].is_string()).max_by_key(|node| said(node).time())?;
    let commit = &newest["commit"];
    text(&commit["parents"]["nodes"][0]["oid"]).or_else(|| text(&commit["oid"]))
}

fn check(node: &Value) -> CiCheck {
    let state = text(&node["state"]);
    let url = text(&node["detailsUrl"]).or_else(|| text(&node["targetUrl"]));
    let run = url
        .as_deref()
        .and_then(|url| url.split_once("/runs/"))
        .map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    let run = run.filter(|digits| !digits.is_empty());
    let workflow = text(&node["checkSuite"]["workflowRun"]["workflow"]["name"]);
    let or_null = |text: Option<String>| text.map_or(Plain::Null, Plain::Text);
    let rest = [
        ("workflowName", Plain::Text(workflow.unwrap_or_default())),
        ("detailsUrl", or_null(url.clone())),
        ("runId", or_null(run)),
        ("url", or_null(url)),
    ];
    CiCheck {
        name: text(&node["name"])
            .or_else(|| text(&node["context"]))
            .unwrap_or_else(|| "unknown".to_owned()),
        status: text(&node["status"]).or_else(|| state.is_some().then(|| "COMPLETED".to_owned())),
        conclusion: text(&node["conclusion"]).or(state),
        typename: text(&node["__typename"]),
        required: node["isRequired"].as_bool(),
        rest: rest.map(|(key, value)| (key.to_owned(), value)).to_vec(),
    }
}
