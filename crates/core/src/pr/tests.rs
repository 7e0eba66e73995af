use super::*;
use crate::review::Threshold;

mod hostile;
mod laws;
mod rounds;
mod table;

/// A pull request with a loop that is ready for its first review.
fn known() -> PullRecord {
    let review_loop = LoopSection {
        active: true,
        max_rounds: 5,
        reviewer: Some("rev".into()),
        developer: Some("dev".into()),
        ..LoopSection::default()
    };
    PullRecord {
        pull: Pull {
            number: 7,
            author: Some("ann".into()),
            head: Some("aaa".into()),
            ..Pull::default()
        },
        turn: Some("REVIEW".into()),
        approved: false,
        level: Threshold::All,
        review_loop: Some(review_loop),
    }
}

fn check(name: &str, status: &str, conclusion: &str) -> CiCheck {
    CiCheck {
        name: name.into(),
        status: Some(status.into()),
        conclusion: Some(conclusion.into()),
        typename: Some("CheckRun".into()),
        ..CiCheck::default()
    }
}

fn said(author: &str, at: &str, body: &str) -> Comment {
    Comment {
        author: Some(author.into()),
        at: Some(at.into()),
        body: body.into(),
        ..Comment::default()
    }
}
