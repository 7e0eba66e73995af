//! Fields of `metadata.yaml` and an agent's turn: an agent may set none of them. Its `turn` is a
//! claim that the loop checks itself; every other field is an input of a verdict.

use super::{LoopSection, PullRecord};
use crate::review::Threshold;
use crate::{FieldKind, Fields, Plain, Stored, Unreadable};

/// The fields of `metadata.yaml` besides the forge's data, as they were at the start of an agent's
/// turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    turn: Option<String>,
    approved: bool,
    level: Threshold,
    /// The forge's count of rounds; an older version did not store it.
    review_count: Option<u32>,
    review_loop: Option<LoopSection>,
}

/// Returns the owner of a field; the forge's data are replaced at the next look.
fn kind(field: &str) -> FieldKind {
    match field {
        "turn" => FieldKind::Claim,
        _ => FieldKind::Verdict,
    }
}

impl Own {
    /// Extracts the own fields of a file.
    pub fn of(known: &PullRecord) -> Self {
        Self {
            turn: known.turn.clone(),
            approved: known.approved,
            level: known.level,
            review_count: Some(known.pull.review_count),
            review_loop: known.review_loop.clone(),
        }
    }

    /// Returns the valid content of a file that an agent left. A pause of the loop counts because
    /// it is stricter.
    #[must_use]
    pub fn weigh(&self, now: &PullRecord) -> PullRecord {
        let Self { turn, approved, level, review_count, review_loop } = self.clone();
        let mut after = PullRecord { turn, approved, level, review_loop, ..now.clone() };
        after.pull.review_count = review_count.unwrap_or(now.pull.review_count);
        let paused = now.review_loop.as_ref().and_then(|one| one.paused_at.clone());
        if let (Some(review_loop), Some(at)) = (&mut after.review_loop, paused) {
            review_loop.paused_at.get_or_insert(at);
        }
        after
    }

    /// Lists the agent's changes that were not kept, each as it reads in the document.
    pub fn put_back(&self, set: &PullRecord, written: &PullRecord) -> Vec<String> {
        let (set, written) = (Self::of(set).shown(), Self::of(written).shown());
        let find = |all: &[(String, String)], key: &str| {
            all.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone())
        };
        let before = self.shown();
        let mut keys: Vec<&String> = set.iter().chain(&before).map(|(key, _)| key).collect();
        keys.dedup();
        let mut named = Vec::new();
        for key in keys {
            let now = find(&set, key);
            let is_put_back =
                kind(key).is_put_back() && now != find(&before, key) && now != find(&written, key);
            let line = format!("{key}: {}", now.unwrap_or_else(|| "null".to_owned()));
            if is_put_back && !named.contains(&line) {
                named.push(line);
            }
        }
        named
    }

    /// Returns each field with its value, as they read in the document.
    fn shown(&self) -> Vec<(String, String)> {
        let text = |value: &Plain| match value {
            Plain::Text(text) => text.clone(),
            Plain::Null => "null".to_owned(),
            Plain::Bool(_) | Plain::Int(_) | Plain::Other(_) | Plain::List(_) | Plain::Map(_) => {
                crate::plain_json::json(value).to_string()
            }
        };
        let Plain::Map(mut entries) = self.lower() else { return Vec::new() };
        let inner = entries.iter().position(|(key, _)| key == LOOP).map(|at| entries.remove(at));
        let mut shown: Vec<_> =
            entries.iter().map(|(key, value)| (key.clone(), text(value))).collect();
        if let Some((_, Plain::Map(inner))) = inner {
            shown.extend(inner.iter().map(|(key, value)| (format!("{LOOP}.{key}"), text(value))));
        }
        shown
    }
}

/// The key of the loop's section.
const LOOP: &str = "reviewLoop";

impl Stored for Own {
    fn lower(&self) -> Plain {
        Plain::map([
            ("turn", self.turn.lower()),
            ("approved", self.approved.lower()),
            ("resolveLevel", self.level.as_str().into()),
            ("reviewCount", self.review_count.lower()),
            (LOOP, self.review_loop.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let level: String = fields.get("resolveLevel")?;
        Ok(Self {
            turn: fields.get("turn")?,
            approved: fields.get("approved")?,
            level: Threshold::parse(&level).unwrap_or_default(),
            review_count: fields.get("reviewCount")?,
            review_loop: fields.get(LOOP)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> PullRecord {
        let review_loop =
            LoopSection { active: true, max_rounds: 5, round: 1, ..LoopSection::default() };
        PullRecord {
            turn: Some("RESPONSE".to_owned()),
            review_loop: Some(review_loop),
            ..PullRecord::default()
        }
    }

    #[test]
    fn nothing_that_an_agent_sets_counts_and_all_of_it_is_named() {
        let own = Own::of(&known());
        let mut set = known();
        (set.approved, set.turn) = (true, Some("REVIEW".to_owned()));
        if let Some(review_loop) = &mut set.review_loop {
            (review_loop.active, review_loop.max_rounds) = (false, 99);
        }
        set.pull.title = Some("the forge says so".to_owned());
        set.pull.review_count = 42;
        let after = own.weigh(&set);
        assert_eq!(Own::of(&after), own);
        assert_eq!(after.pull.title, set.pull.title);
        let named = own.put_back(&set, &after);
        let all = [
            "turn: REVIEW",
            "approved: true",
            "reviewCount: 42",
            "reviewLoop.active: false",
            "reviewLoop.maxRounds: 99",
        ];
        assert_eq!(named, all);
        assert_eq!(own.put_back(&set, &set), [""; 0]);
        assert_eq!(own.put_back(&known(), &known()), [""; 0]);
    }

    #[test]
    fn a_loop_may_be_paused_at_any_time() {
        let mut set = known();
        if let Some(review_loop) = &mut set.review_loop {
            review_loop.paused_at = Some("2026-01-01T00:00:00Z".to_owned());
        }
        let own = Own::of(&known());
        assert_eq!(own.weigh(&set), set);
        assert_eq!(own.put_back(&set, &own.weigh(&set)), [""; 0]);
    }

    #[test]
    fn what_is_kept_goes_both_ways() {
        let own = Own::of(&known());
        assert_eq!(Own::lift(&own.lower()), Ok(own));
        let older = Plain::map([("turn", Plain::Null), ("resolveLevel", "all".into())]);
        let mut now = known();
        now.pull.review_count = 2;
        assert_eq!(Own::lift(&older).unwrap().weigh(&now).pull.review_count, 2);
    }
}
