use super::*;
use crate::Time;

fn at(second: i64) -> Time {
    Time::from_millis(second * 1000)
}

/// A turn that was interrupted at 10, a file that changed at 20, and a check at 30.
fn interrupted() -> ChangeFacts {
    ChangeFacts {
        origin: Origin::Here,
        turn: TurnExtent::Interrupted { last_call: at(10), tool: Tool::Closed },
        processes: Processes::Gone,
        others: Others::None,
        modified: Some(at(20)),
        now: at(30),
    }
}

const OTHERS_TOUCHED: Others = Others::Open { own: OwnCalls::Touched };
const OTHERS_LEFT: Others = Others::Open { own: OwnCalls::Left };

#[test]
fn in_a_turn_every_change_is_the_agents() {
    let open = ChangeFacts { turn: TurnExtent::Open, ..interrupted() };
    assert_eq!(whose(&open), Attribution::AGENT);
    assert_eq!(whose(&ChangeFacts { others: OTHERS_TOUCHED, ..open }), Attribution::AGENT);
    assert_eq!(whose(&ChangeFacts { others: OTHERS_LEFT, ..open }), Attribution::SOME_AGENT);
    assert_eq!(whose(&ChangeFacts { origin: Origin::Ours, ..open }), Attribution::SPRAG);
    assert_eq!(whose(&ChangeFacts { origin: Origin::Elsewhere, ..open }), Attribution::STRANGER);
}

#[test]
fn outside_a_turn_it_is_a_persons() {
    for turn in [TurnExtent::None, TurnExtent::Stopped] {
        let outside = ChangeFacts { turn, ..interrupted() };
        assert_eq!(whose(&outside), Attribution::PERSON);
        assert_eq!(whose(&ChangeFacts { modified: None, ..outside }), Attribution::PERSON);
        let living = ChangeFacts { processes: Processes::Living, ..outside };
        assert_eq!(whose(&living), Attribution::SOME_AGENT);
        let later = ChangeFacts { modified: Some(at(31)), ..outside };
        assert_eq!(whose(&later), Attribution::SOME_AGENT);
        let others = ChangeFacts { others: OTHERS_LEFT, ..outside };
        assert_eq!(whose(&others), Attribution::SOME_AGENT);
    }
}

#[test]
fn after_an_interrupt_the_time_tells() {
    assert_eq!(whose(&interrupted()), Attribution::PERSON);
    let before = ChangeFacts { modified: Some(at(10)), ..interrupted() };
    assert_eq!(whose(&before), Attribution::AGENT);
    assert_eq!(whose(&ChangeFacts { others: OTHERS_LEFT, ..before }), Attribution::SOME_AGENT);
    // The time of a removal is unknown.
    assert_eq!(whose(&ChangeFacts { modified: None, ..interrupted() }), Attribution::AGENT);
    let turn = TurnExtent::Interrupted { last_call: at(10), tool: Tool::Open };
    assert_eq!(whose(&ChangeFacts { turn, ..interrupted() }), Attribution::SOME_AGENT);
    let later = ChangeFacts { modified: Some(at(31)), ..interrupted() };
    assert_eq!(whose(&later), Attribution::SOME_AGENT);
    let living = ChangeFacts { processes: Processes::Living, ..interrupted() };
    assert_eq!(whose(&living), Attribution::SOME_AGENT);
}
