use super::*;

/// A seeded random generator.
pub(super) struct Dice(u64);

impl Dice {
    /// Returns a number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        // Xorshift: every test run with the same seed gets the same numbers.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    /// Returns a number that every JSON reader can represent.
    pub(super) fn number(&mut self) -> u64 {
        let bits = self.below(54);
        self.below(1 << bits)
    }

    /// Returns a text, with characters that JSON must escape.
    pub(super) fn text(&mut self) -> String {
        const PARTS: [&str; 8] = ["", "passed", "T01", "\"", "\\u{1b}\n", "\u{0}", "ü→", "null"];
        (0..self.below(4)).map(|_| self.one_of(&PARTS)).collect()
    }

    /// Picks one of the items.
    pub(super) fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).unwrap()].clone()
    }
}

#[test]
fn text_and_kind_go_both_ways() {
    for kind in Kind::ALL {
        assert_eq!(Kind::from(kind.as_str()), *kind);
        assert!(!matches!(kind, Kind::Other(_)));
    }
    let texts: std::collections::BTreeSet<_> = Kind::ALL.iter().map(Kind::as_str).collect();
    assert_eq!(texts.len(), Kind::ALL.len());
}

#[test]
fn an_unknown_kind_is_kept() {
    for text in ["", "run.levitated", "Checkpoint", "\0"] {
        assert_eq!(Kind::from(text).as_str(), text);
    }
}

proptest::proptest! {
    #[test]
    fn every_kind_is_written_and_read_as_the_same(seed in 1..u64::MAX) {
        let mut dice = Dice(seed);
        for kind in Kind::ALL {
            let event = Event::sample(kind, &mut dice);
            assert_eq!(event.kind(), *kind);
            let (written, data) = event.clone().write();
            assert_eq!(written, *kind);
            // Passes through a text, as in the journal.
            let line: Value = serde_json::from_str(&data.to_string()).unwrap();
            assert_eq!(Event::read(&written, &line), event);
        }
    }
}

#[test]
fn a_kind_of_another_version_is_kept_as_it_is() {
    let (kind, data) = (Kind::from("run.levitated"), serde_json::json!({ "height": 1.5 }));
    let event = Event::read(&kind, &data);
    assert!(matches!(event, Event::Other { .. }));
    assert_eq!(event.write(), (kind, data));
}

#[test]
fn what_cannot_be_read_is_the_default_and_the_rest_is_read() {
    for kind in Kind::ALL {
        for data in [serde_json::json!(null), serde_json::json!([1]), serde_json::json!("x")] {
            assert_eq!(Event::read(kind, &data).kind(), *kind, "{data}");
        }
    }
    let data = serde_json::json!({
        "fence": "7", "unit": "T01", "how": "levitated", "known": [1, "lint", null], "claims": {},
        "since": 3,
    });
    let expected = AttemptEnded {
        unit: "T01".to_owned(),
        how: EndedBy::Claimed,
        known: vec!["lint".to_owned()],
        ..AttemptEnded::default()
    };
    assert_eq!(Event::read(&Kind::AttemptEnded, &data), expected.into());
    let data = serde_json::json!({ "verdict": "sleepy", "round": -1 });
    let Event::ReviewEnded(review) = Event::read(&Kind::ReviewEnded, &data) else { panic!() };
    assert_eq!((review.verdict.as_str(), review.round), ("sleepy", 0));
    let data = serde_json::json!({ "law": { "a.md": "no hash" }, "fence": 7 });
    let Event::AgentStarted(started) = Event::read(&Kind::AgentStarted, &data) else { panic!() };
    assert_eq!((started.law, started.fence.0.0), (None, 7), "half of it would miss a change");
}

#[test]
fn nothing_is_left_out_or_null_as_it_always_was() {
    let data = |event: Event| event.write().1.to_string();
    let ended = AttemptEnded { how: EndedBy::Passed, ..AttemptEnded::default() };
    assert_eq!(data(ended.into()), r#"{"fence":0,"how":"passed","unit":""}"#);
    let paused = SessionPaused { session: "s".to_owned(), why: None };
    assert_eq!(data(paused.into()), r#"{"session":"s","why":null}"#);
    let found = RunStarted { loose: Some(Vec::new()), ..RunStarted::default() };
    assert_eq!(data(found.into()), r#"{"loose":[],"source":""}"#);
    assert_eq!(data(RunLooked.into()), "{}");
    assert_eq!(data(RunForgotten.into()), "null");
}

#[test]
fn the_session_is_found_wherever_an_event_names_one() {
    let data = serde_json::json!({ "session": "s1" });
    let named = |kind: &&Kind| Event::read(kind, &data).session() == Some("s1");
    let kinds: Vec<_> = Kind::ALL.iter().filter(named).map(Kind::as_str).collect();
    let expected = [
        "session.began",
        "session.paused",
        "session.ended",
        "run.started",
        "run.claimed",
        "run.released",
        "run.did",
        "attempt.began",
        "attempt.bound",
        "attempt.claimed",
        "stop.refused",
        "stop.allowed",
        "agent.ended",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(Event::read(&Kind::from("later"), &data).session(), Some("s1"));
}
