use super::*;
use crate::review::Level;

mod hostile;
mod laws;
mod rounds;
mod table;

/// A pull request with a loop that is ready for its first review.
fn known() -> Known {
    let review_loop = Loop {
        active: true,
        max_rounds: 5,
        reviewer: Some("rev".into()),
        developer: Some("dev".into()),
        ..Loop::default()
    };
    Known {
        pull: Pull {
            number: 7,
            author: Some("ann".into()),
            head: Some("aaa".into()),
            ..Pull::default()
        },
        turn: Some("REVIEW".into()),
        approved: false,
        level: Level::All,
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

fn said(author: &str, at: &str, body: &str) -> Said {
    Said { author: Some(author.into()), at: Some(at.into()), body: body.into(), ..Said::default() }
}
