use proptest::prelude::*;
use sprag_core::prompt::EVIDENCE;
use sprag_core::{
    Hash, Hold, Prompt, Rank, Receipt, Reply, Retry, StopCounter, StopFacts, Stuck, Time, Verdict,
    Vote,
};

use crate::laws::cases;
use crate::toy::{receipt, session, tree, unit};

fn stop(mark: &str) -> StopFacts {
    let now = Time::from_millis(1_010_000);
    StopFacts { cap: None, limit: None, refusals: None, mark: tree(mark), now }
}

fn desk() -> StopCounter {
    StopCounter::new(session("s1"), tree("start"))
}

/// A vote, and the prompt shown if it refuses.
type Shown = (Rank, Vote, Prompt);

fn refuse(rank: Rank, id: &str, prompt: Prompt) -> Shown {
    (rank, Vote::Refuse { unit: Box::new(unit(id, &[], &[])) }, prompt)
}

fn asked(id: &str, said: &str, evidence: Option<Receipt>) -> Prompt {
    Prompt { said: said.into(), evidence, ..Prompt::of(format!("Do {id}.")) }
}

fn merge(desk: &StopCounter, stop: &StopFacts, shown: &[Shown]) -> (StopCounter, Reply) {
    let votes: Vec<_> = shown.iter().map(|(rank, vote, _)| (*rank, vote.clone())).collect();
    sprag_core::merge(desk, stop, &votes, |at, unit| {
        let (_, vote, prompt) = &shown[at];
        assert_eq!(*vote, Vote::Refuse { unit: Box::new(unit.clone()) }, "it asks for its own");
        prompt.clone()
    })
}

fn text(votes: &[Shown]) -> String {
    match merge(&desk(), &stop("1"), votes).1 {
        Reply::Refused { message } => message,
        Reply::Allow { .. } | Reply::Stalled { .. } => panic!("not refused"),
    }
}

#[test]
fn without_a_refusal_the_session_may_stop() {
    assert_eq!(merge(&desk(), &stop("1"), &[]).1, Reply::Allow { why: vec![] });
    let silent = [(Rank::Guard, Vote::Silent, Prompt::default())];
    assert_eq!(merge(&desk(), &stop("1"), &silent).1, Reply::Allow { why: vec![] });
}

#[test]
fn a_session_that_changes_something_each_time_is_let_go_at_the_limit() {
    let votes = [refuse(Rank::Loop, "a", Prompt::default())];
    let mut desk = desk();
    for nth in 0..StopFacts::REFUSALS {
        let (after, reply) = merge(&desk, &stop(&format!("m{nth}")), &votes);
        assert!(matches!(reply, Reply::Refused { .. }), "{nth}");
        desk = after;
    }
    for mark in ["more", "and more"] {
        let (after, reply) = merge(&desk, &stop(mark), &votes);
        let what = Stuck::Refused { times: StopFacts::REFUSALS };
        let Reply::Stalled { hold, .. } = reply else { panic!("{reply:?}") };
        assert_eq!(hold, Hold::NoProgress { what });
        desk = after;
    }
    desk.refused = 0;
    let (_, reply) = merge(&desk, &stop("a person spoke"), &votes);
    assert!(matches!(reply, Reply::Refused { .. }));
}

#[test]
fn a_question_outranks_refusals() {
    let votes = [
        refuse(Rank::Assignment, "a", Prompt::default()),
        (Rank::Phase, Vote::Yield { why: "which port?".into() }, Prompt::default()),
    ];
    let (desk, reply) = merge(&StopCounter { idle: 2, ..desk() }, &stop("start"), &votes);
    assert_eq!(reply, Reply::Allow { why: vec!["which port?".into()] });
    assert_eq!(desk.idle, 0);
}

#[test]
fn refusals_are_joined_by_rank_and_the_same_evidence_is_shown_once() {
    let red = receipt("npm test", Verdict::Fail, "boom", "1");
    let other = receipt("lint", Verdict::Fail, "style", "1");
    let votes = [
        refuse(Rank::Review, "r", asked("r", "", Some(other))),
        refuse(Rank::Guard, "g", asked("g", "", Some(red.clone()))),
        refuse(Rank::Assignment, "job", asked("job", "Your job waits.", Some(red))),
    ];
    assert_eq!(
        text(&votes),
        "Your job waits.\n\
         Not finished: `npm test` exit 1 (10 s ago)\n  boom\n\
         Do job.\n\n\
         Do g.\n\n\
         Not finished: `lint` exit 1 (10 s ago)\n\
         Do r."
    );
}

#[test]
fn a_unit_without_a_prompt_says_exactly_its_literal_line() {
    let literal = Prompt {
        said: "Loop active. Run /opti-gsd:status to check state.".into(),
        text: String::new(),
        evidence: Some(receipt("npm test", Verdict::Fail, "boom", "1")),
        retry: Some(Retry { number: 1, max: 3 }),
        ..Prompt::default()
    };
    let said = literal.said.clone();
    assert_eq!(text(&[refuse(Rank::Loop, "x", literal)]), said);
}

#[test]
fn the_message_differs_when_the_evidence_differs() {
    let say = |tail: &str| {
        let red = receipt("npm test", Verdict::Fail, tail, "1");
        text(&[refuse(Rank::Guard, "g", asked("g", "", Some(red)))])
    };
    assert_ne!(say("quotes_commas failed"), say("quotes_tabs failed"));
    assert_eq!(say("same"), say("same"));
}

#[test]
fn an_instruction_of_a_whole_book_is_cut() {
    let book = refuse(Rank::Phase, "g", Prompt::of("do ".repeat(100_000)));
    let (_, reply) = merge(&desk(), &stop("1"), &[book]);
    let Reply::Refused { message } = reply else { panic!() };
    assert!(message.chars().count() <= 1500 && message.ends_with('…'), "{}", message.len());
}

#[test]
fn patience_is_two_or_what_the_host_leaves() {
    let patience = |cap| StopFacts { cap, ..stop("1") }.patience();
    let caps = [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(8), Some(u32::MAX)];
    assert_eq!(caps.map(patience), [2, 0, 0, 0, 1, 2, 2, 2]);
    let wanted = |limit, cap| StopFacts { cap, limit: Some(limit), ..stop("1") }.patience();
    assert_eq!([wanted(0, None), wanted(5, None), wanted(5, Some(4))], [0, 5, 2]);
}

/// Stops with each mark in turn; `r` for refused, `s` for stalled.
fn answers(cap: Option<u32>, marks: &str) -> String {
    let mut desk = desk();
    let votes = [refuse(Rank::Guard, "g", asked("g", "", None))];
    let mut answer = |mark: char| {
        let stop = StopFacts { cap, ..stop(&mark.to_string()) };
        let (after, reply) = merge(&desk, &stop, &votes);
        desk = after;
        match reply {
            Reply::Refused { .. } => 'r',
            Reply::Stalled { hold: Hold::NoProgress { .. }, .. } => 's',
            Reply::Stalled { .. } | Reply::Allow { .. } => '?',
        }
    };
    marks.chars().map(&mut answer).collect()
}

#[test]
fn refusals_without_progress_are_counted() {
    assert_eq!(answers(None, "aaaaa"), "rrsrr", "held, and counted anew");
    assert_eq!(answers(Some(3), "aaa"), "rsr");
    assert_eq!(answers(Some(2), "ab"), "ss");
    assert_eq!(answers(None, "aabbccdd"), "rrrrrrrr", "progress starts the count again");
}

#[test]
fn going_back_and_forth_is_no_progress() {
    assert_eq!(answers(None, "abab"), "rrrs");
    assert_eq!(answers(None, "aabbaabb"), "rrrrrrsr");
    assert_eq!(answers(None, "abcabc"), "rrrrrr");
    assert_eq!(answers(None, "abacab"), "rrrrrr");
}

fn any_prompt() -> impl Strategy<Value = Prompt> {
    let evidence = ("(?s).{0,40}", prop::option::of(-3i32..3), "(?s).{0,80}", any::<u8>());
    let evidence = evidence.prop_map(|(why, exit, tail, many)| {
        let tail = tail.repeat(usize::from(many));
        Receipt { why, exit, ..receipt("npm test", Verdict::Fail, &tail, "1") }
    });
    ("(?s).{0,10}", "[ab]{0,2}", prop::option::of(evidence)).prop_map(|(said, text, evidence)| {
        Prompt { said, text, evidence, retry: None, ..Prompt::default() }
    })
}

fn any_vote() -> impl Strategy<Value = Shown> {
    use Rank::{Assignment, Guard, Loop, Phase, Review};
    let refusal = |id: String| Vote::Refuse { unit: Box::new(unit(&id, &[], &[])) };
    let vote = prop_oneof![
        1 => Just(Vote::Silent),
        6 => "[abc]".prop_map(refusal),
        1 => "[ab]".prop_map(|why| Vote::Yield { why }),
    ];
    (prop::sample::select(vec![Assignment, Phase, Guard, Loop, Review]), vote, any_prompt())
}

fn permutations<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for at in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(at);
        all.extend(permutations(&rest).into_iter().map(|mut tail| {
            tail.insert(0, first.clone());
            tail
        }));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(120)))]

    #[test]
    fn merge_has_an_answer_that_no_order_changes(
        votes in prop::collection::vec(any_vote(), 0..5),
        cap in prop::option::of(0u32..10),
        idle in 0u32..5,
        mark in 0u8..3,
    ) {
        let desk = StopCounter { idle, ..desk() };
        let (now, mark) = (Time::from_millis(0), Hash::of([mark]));
        let stop = StopFacts { cap, limit: None, refusals: None, mark, now };
        let answer = merge(&desk, &stop, &votes);
        prop_assert!(answer.0.before.len() <= 2);
        for votes in permutations(&votes) {
            prop_assert_eq!(&merge(&desk, &stop, &votes), &answer);
        }
    }

    #[test]
    fn refusals_are_bounded_whatever_changes(
        marks in prop::collection::vec(0u8..200, 0..120),
        refusals in prop::option::of(0u32..40),
        limit in prop::option::of(0u32..1000),
        voices in 1usize..4,
    ) {
        let votes = vec![refuse(Rank::Loop, "a", Prompt::default()); voices];
        let (mut desk, mut refused) = (desk(), 0);
        for mark in marks {
            let (now, mark) = (Time::from_millis(0), Hash::of([mark]));
            let stop = StopFacts { cap: None, limit, refusals, mark, now };
            let (after, reply) = merge(&desk, &stop, &votes);
            desk = after;
            refused += u32::from(matches!(reply, Reply::Refused { .. }));
            prop_assert!(refused <= refusals.unwrap_or(StopFacts::REFUSALS));
        }
    }

    #[test]
    fn hostile_evidence_is_short_and_only_text(prompt in any_prompt()) {
        let said = prompt.said.clone();
        let message = text(&[refuse(Rank::Guard, "g", prompt)]);
        let rest = message.strip_prefix(&said).unwrap_or(&message);
        prop_assert!(rest.chars().count() <= EVIDENCE + 300, "{}", rest.chars().count());
        prop_assert!(rest.chars().all(|c| c == '\n' || !c.is_control()));
    }
}
