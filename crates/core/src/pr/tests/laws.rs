//! From any metadata, with any forge and any agents, the loop stops within a computed bound.

use proptest::prelude::*;

use super::rounds::LoopPlay;
use super::*;
use crate::{Ask, DocPath, Fence, Hash, Machine as _, Next, Plain, Ran, Signal, Word};

fn any_said() -> impl Strategy<Value = Comment> {
    let author = prop::option::of(prop::sample::select(vec!["ann", "rev", "ci[bot]"]));
    let at = prop::option::of(0u8..60);
    (author, at, "(# Round [0-9]|VERDICT: (pass|issues)|- \\[critical\\] [ab])?").prop_map(
        |(author, at, body)| Comment {
            author: author.map(str::to_owned),
            at: at.map(|second| format!("2026-01-01T00:00:{second:02}Z")),
            body,
            ..Comment::default()
        },
    )
}

fn any_check() -> impl Strategy<Value = CiCheck> {
    let status = prop::sample::select(vec!["COMPLETED", "QUEUED", "IN_PROGRESS", ""]);
    let conclusion = prop::sample::select(vec!["SUCCESS", "FAILURE", "PENDING", "", "ODD"]);
    (status, conclusion, prop::bool::ANY, prop::option::of(prop::bool::ANY)).prop_map(
        |(status, conclusion, context, required)| CiCheck {
            typename: context.then(|| "StatusContext".to_owned()),
            required,
            ..check("c", status, conclusion)
        },
    )
}

fn any_pull() -> impl Strategy<Value = Pull> {
    let list = || prop::collection::vec(any_said(), 0..3);
    let heads = || prop::option::of("[ab]");
    (list(), list(), prop::collection::vec(any_check(), 0..3), 0u32..9, heads(), heads()).prop_map(
        |(reviews, comments, checks, review_count, head, forge_head)| Pull {
            reviews,
            checks,
            comments,
            review_count,
            head,
            forge_head,
            ..known().pull
        },
    )
}

fn any_known() -> impl Strategy<Value = PullRecord> {
    let turn = prop::option::of(prop::sample::select(vec![
        "CI-PENDING",
        "CI-REVIEW",
        "REVIEW",
        "RESPONSE",
        "AUTHOR",
        "ODD",
    ]));
    let agents = (prop::option::of("c"), prop::option::of("f"));
    // A file without a limit is near the limit that applies anyway.
    let rounds = prop_oneof![(1u32..7, 0u32..7), (Just(0u32), 95u32..101)];
    let counts = (rounds, prop::bool::weighted(0.9), prop::option::weighted(0.1, "now"));
    (any_pull(), turn, prop::bool::weighted(0.1), agents, counts).prop_map(
        |(
            pull,
            turn,
            approved,
            (ci_checker, ci_fixer),
            ((max_rounds, round), active, paused_at),
        )| {
            let own = LoopSection {
                active,
                max_rounds,
                paused_at,
                ci_checker,
                ci_fixer,
                round,
                ..known().review_loop.unwrap()
            };
            let turn = turn.map(str::to_owned);
            PullRecord { pull, turn, approved, review_loop: Some(own), ..known() }
        },
    )
}

/// Random events at one step, whatever the loop does.
#[derive(Clone, Debug)]
struct Chance {
    pull: Pull,
    text: Option<String>,
    files: u8,
    ends: u8,
    outage: bool,
    /// The turn that is written into the file while an agent works.
    writes: Option<&'static str>,
}

fn any_chance() -> impl Strategy<Value = Chance> {
    let text = prop::option::of(prop::sample::select(vec![
        "VERDICT: pass",
        "VERDICT: issues\n- [critical] a",
        "VERDICT: issues\n- [important] b\n- [minor] c",
        "REFUSE 1: no",
        "gibberish",
    ]));
    let writes = prop::option::weighted(
        0.2,
        prop::sample::select(vec!["CI-PENDING", "REVIEW", "RESPONSE", "ODD"]),
    );
    (any_pull(), text, 0u8..4, 0u8..10, prop::bool::weighted(0.05), writes).prop_map(
        |(pull, text, files, ends, outage, writes)| Chance {
            pull,
            text: text.map(str::to_owned),
            files,
            ends,
            outage,
            writes,
        },
    )
}

/// Drives the loop until it stops; returns the number of begins and ends, and of looks.
fn drive(world: &mut LoopPlay, chances: &[Chance]) -> (u32, u32) {
    let (mut steps, mut looks) = (0, 0);
    for chance in chances.iter().cycle().take(100_000) {
        world.pull = chance.pull.clone();
        let unit = match world.next() {
            Next::Done | Next::Held(_) | Next::Cancelled => return (steps, looks),
            Next::Ask(asks) => panic!("{asks:?}"),
            Next::Wait { until, .. } => {
                world.facts.now = until.expect("a wait has an end");
                looks += 1;
                if chance.outage {
                    world.take(&Signal::Verb { verb: "outage".into() }).unwrap();
                } else {
                    world.look();
                }
                continue;
            }
            Next::Units(units) => units[0].id.clone(),
        };
        let fence = Fence(world.facts.seq);
        world.take(&Signal::Begin { unit, agent: None, session: None }).unwrap();
        world.facts.tree = Hash::of([chance.files]);
        if let Some(turn) = chance.writes {
            let known = PullRecord { turn: Some(turn.to_owned()), ..world.metadata().clone() };
            world.definition.metadata = Metadata::Known(Box::new(known));
        }
        for file in [REVIEW_FILE, RESPONSE_FILE] {
            let text = chance.text.clone().map_or(Plain::Null, Plain::Text);
            world.facts.answers.insert(Ask::Text(DocPath::parse(file).unwrap()), text);
        }
        let says = if chance.ends == 1 { Word::Failed { why: "no".into() } } else { Word::Done };
        let end = match chance.ends {
            0 => Signal::Lost {
                fence,
                ran: if chance.outage { Ran::No } else { Ran::Yes },
                why: String::new(),
            },
            _ => Signal::End {
                fence,
                word: says,
                receipts: vec![],
                worth: Some(crate::basis::Worth::Proven),
            },
        };
        match world.take(&end) {
            Ok(()) => {}
            // Nothing has changed since the last failure: the runner abandons the attempt.
            Err(crate::Denied::Unchanged { .. }) => {
                world.take(&Signal::Lost { fence, ran: Ran::Yes, why: String::new() }).unwrap();
            }
            Err(other) => panic!("{other:?}"),
        }
        world.posted();
        world.look();
        steps += 2;
    }
    panic!("it goes on for ever");
}

/// Returns the maximum number of begins and ends before a loop stops.
fn most_steps(definition: &Definition) -> u32 {
    let known = definition.metadata.known();
    let review_loop = known.and_then(|known| known.review_loop.as_ref());
    let rounds = review_loop.map_or(0, LoopSection::rounds);
    let left = rounds.saturating_sub(known.map_or(0, PullRecord::round)).saturating_add(1);
    // A review and a response, each requested twice, plus the bounds; each may be lost twice before
    // it ends, and has a begin and an end.
    let bounds: u32 = Pr::limits(definition).iter().map(|(_, max)| max).sum();
    left.saturating_mul(4 + bounds).saturating_mul(2 * 3)
}

proptest! {
    #[test]
    fn every_loop_stands_within_its_bound(
        known in any_known(),
        chances in prop::collection::vec(any_chance(), 1..40),
    ) {
        let mut world = LoopPlay::new(known);
        let most = most_steps(&world.definition);
        let (steps, looks) = drive(&mut world, &chances);
        prop_assert!(steps <= most, "{steps} of {most}");
        let patience = world.metadata().patience();
        // At most one wait per step, and each is limited.
        let waits = u32::try_from(patience.most / patience.poll).unwrap() + 1;
        prop_assert!(looks <= (most + 1) * waits, "{looks}");
    }

    #[test]
    fn what_is_stored_is_read_again(known in any_known(), pull in any_pull()) {
        use crate::Stored as _;
        prop_assert_eq!(Pull::lift(&pull.lower()), Ok(pull));
        let review_loop = known.review_loop.clone().unwrap();
        prop_assert_eq!(LoopSection::lift(&review_loop.lower()), Ok(review_loop));
    }

    #[test]
    fn nobody_is_sent_where_checks_are_red_or_running(known in any_known()) {
        let decision = decide(&Metadata::Known(Box::new(known.clone())), Trust::Computed);
        let stored_words = matches!(known.stored_turn(), Some(ReviewTurn::Review | ReviewTurn::Response));
        if let TurnAction::Run { part: TurnRole::Reviewer | TurnRole::Developer, .. } = decision.action {
            prop_assert!(stored_words);
            prop_assert!(decision.lights.pending.is_empty() && decision.lights.failing.is_empty());
        }
    }
}
