//! A project as the traces know it: units that end, their files, and counted cycles.

use std::collections::{BTreeMap, BTreeSet};

use sprag_conformance::{as_text, field};
use sprag_core::event::RuleAnswer;
use sprag_core::rules::{
    Around, Body, Chain, Decided, End, EndedUnit, Following, How, RequestedUnit, Rule, UnitInfo,
    Wording,
};
use sprag_core::{Hold, Name, Plain, UnitId};
use sprag_formats::rules_of_preferences;

use super::entries;

/// The original drops what it does not understand and continues; sprag refuses to dispatch.
const REFUSED: &str = "broken-preferences-refuse";
/// When the cycles are exhausted, the original passes work that its review sent back; sprag holds.
const HELD: &str = "exhausted-holds";
/// The original repeats the finished task; sprag sends the work back as a unit of its own.
const REWORK: &str = "rework-is-a-unit";
/// The original chooses a model for a unit; in sprag that is the host's setting.
const MODEL: &str = "model-is-the-hosts";
/// The original takes any end for the end of the running unit; sprag knows which unit ended.
const OWN_END: &str = "only-its-own-end";

pub(super) struct World {
    chain: Chain,
    following: Option<Following>,
    counts: BTreeMap<String, u32>,
    files: BTreeMap<String, Vec<String>>,
    /// Whether the work that was sent back has been taken up.
    consumed: bool,
    used: BTreeSet<&'static str>,
}

impl World {
    pub(super) fn new(preferences: &str) -> Result<Self, String> {
        let mut used = BTreeSet::new();
        let rules = if let Ok((rules, _)) = rules_of_preferences(preferences) {
            rules
        } else {
            used.insert(REFUSED);
            entries::right(preferences)?
        };
        Ok(Self {
            chain: Chain::new(rules),
            following: None,
            counts: BTreeMap::new(),
            files: BTreeMap::new(),
            consumed: false,
            used,
        })
    }

    pub(super) fn differences(self) -> BTreeSet<&'static str> {
        self.used
    }

    pub(super) fn take(&mut self, step: &Plain, theirs: &Plain) -> Result<Plain, String> {
        let text = |key: &str| as_text(field(step, key)).unwrap_or_default().to_owned();
        let (kind, id) = (text("type"), text("id"));
        match text("do").as_str() {
            "write" => Ok(self.write(&id, &text("name"))),
            "unit-end" => self.end(&kind, &id),
            "consume-retry" => Ok(self.consume()),
            "pre-dispatch" => self.before(&kind, &id, &text("prompt"), theirs),
            other => Err(format!("no step is called `{other}`")),
        }
    }

    fn write(&mut self, id: &str, name: &str) -> Plain {
        self.files.entry(id.to_owned()).or_default().push(name.to_owned());
        let mut parts = id.split('/');
        let [milestone, slice, task] = [(); 3].map(|()| parts.next());
        let folder = format!(".gsd/milestones/{}", milestone.unwrap_or_default());
        match (slice, task) {
            (Some(slice), Some(task)) => format!("{folder}/slices/{slice}/tasks/{task}-{name}"),
            (Some(slice), None) => format!("{folder}/slices/{slice}/{name}"),
            (None, _) => format!("{folder}/{name}"),
        }
        .into()
    }

    fn work(&self, kind: &str, id: &str, prompt: &str) -> Result<UnitInfo, String> {
        Ok(UnitInfo {
            kind: Name::parse(kind).map_err(|bad| bad.to_string())?,
            id: UnitId::parse(id).map_err(|bad| bad.to_string())?,
            prompt: prompt.to_owned(),
            files: self.files.get(id).cloned().unwrap_or_default(),
        })
    }

    fn around<T>(&self, unit: &UnitInfo, then: impl FnOnce(&Around<'_>) -> T) -> T {
        let cycle = |rule: &Rule| {
            let bound = rule.bound(&unit.kind, &unit.id);
            bound.and_then(|name| self.counts.get(name.as_str()).copied()).unwrap_or_default()
        };
        then(&Around {
            state: &Plain::Null,
            kept: &|_| Plain::Null,
            cycle: &cycle,
            answers: &BTreeMap::new(),
        })
    }

    fn end(&mut self, kind: &str, id: &str) -> Result<Plain, String> {
        let due = self.following.as_ref().and_then(Following::due_kind);
        let kind = match (&self.following, &due) {
            (Some(following), Some(due)) if self.consumed => {
                // The original's repetition is sprag's unit of rework.
                if (kind, id) != (following.kind.as_str(), following.id.as_str()) {
                    return self.other_end();
                }
                due.to_string()
            }
            (Some(following), Some(due)) if (kind, id) != (due.as_str(), following.id.as_str()) => {
                return self.other_end();
            }
            (Some(_) | None, Some(_) | None) => kind.to_owned(),
        };
        if due.is_none() && (kind.starts_with("hook/") || NO_TRIGGER.contains(&kind.as_str())) {
            return Ok(Plain::Null);
        }
        let ended = EndedUnit {
            kind: Name::parse(&kind).map_err(|bad| bad.to_string())?,
            how: How::Passed,
            text: None,
        };
        let following = match self.following.take().filter(|_| due.is_some()) {
            Some(following) => following,
            None => Following::new(
                ended.kind.clone(),
                UnitId::parse(id).map_err(|bad| bad.to_string())?,
            ),
        };
        self.consumed = false;
        self.go_on(&following, &ended)
    }

    /// Continues a chain as the original would where sprag holds.
    fn go_on(&mut self, following: &Following, ended: &EndedUnit) -> Result<Plain, String> {
        let unit = self.work(following.kind.as_str(), following.id.as_str(), "")?;
        let (decided, next) =
            self.around(&unit, |around| following.hear(&self.chain, &unit, Some(ended), around));
        self.following = next;
        match decided.end {
            End::Go { .. } => Ok(Plain::Null),
            End::Rework { rule, wish } => Ok(self.dispatch(&rule, &unit, &wish)),
            End::Hold(Hold::RoundsOver { .. }) => {
                self.used.insert(HELD);
                let stopped = decided.said.last().ok_or("nobody said anything")?.rule.clone();
                let mut passed = self.following.take().ok_or("nothing is held")?;
                passed.passed.push(stopped);
                let ended = EndedUnit { kind: passed.kind.clone(), how: How::Passed, text: None };
                self.go_on(&passed, &ended)
            }
            other @ (End::Hold(_) | End::Skip { .. } | End::Ask(_)) => Err(format!("{other:?}")),
        }
    }

    /// Dispatches a rule's request and charges it.
    fn dispatch(&mut self, rule: &Name, unit: &UnitInfo, wish: &RequestedUnit) -> Plain {
        let key = format!("{rule}/{}/{}", unit.kind, unit.id);
        let count = self.counts.entry(key).or_default();
        *count = wish.cycle.unwrap_or(*count + 1).max(*count);
        if wish.kind.is_none() {
            return Plain::Null;
        }
        let line = wish.prompt.lines().next().unwrap_or_default();
        Plain::map([
            ("unitType", wish.kind_for(&unit.id).as_str().into()),
            ("unitId", unit.id.as_str().into()),
            ("promptFirstLine", line.into()),
        ])
    }

    /// Handles the end of a unit that is not the running one, which the original takes for its end.
    fn other_end(&mut self) -> Result<Plain, String> {
        self.used.insert(OWN_END);
        let following = self.following.take().ok_or("nothing runs")?;
        let kind = following.due_kind().ok_or("nothing runs")?;
        self.go_on(&following, &EndedUnit { kind, how: How::Passed, text: None })
    }

    /// Takes up the work that was sent back.
    fn consume(&mut self) -> Plain {
        let Some(following) = self.following.as_ref().filter(|_| self.is_back()) else {
            return Plain::Null;
        };
        self.used.insert(REWORK);
        self.consumed = true;
        let due = following.due.as_ref().and_then(|due| self.chain.rule(&due.rule));
        let file = due.and_then(|rule| {
            let Body::PostUnit(post) = &rule.body else { return None };
            post.retry_on.as_deref()
        });
        // sprag uses a kind of its own instead of the trigger's.
        Plain::map([
            ("unitType", following.kind.as_str().into()),
            ("unitId", following.id.as_str().into()),
            ("retryArtifact", file.map_or(Plain::Null, Plain::from)),
        ])
    }

    /// Returns whether work was sent back and not yet taken up.
    fn is_back(&self) -> bool {
        let due = self.following.as_ref().and_then(|following| following.due.as_ref());
        !self.consumed && due.is_some_and(|due| due.wish.kind.is_none())
    }

    fn before(
        &mut self,
        kind: &str,
        id: &str,
        prompt: &str,
        theirs: &Plain,
    ) -> Result<Plain, String> {
        let unit = self.work(kind, id, prompt)?;
        let decided = if kind.starts_with("hook/") {
            let end = End::Go { kind: unit.kind.clone(), wording: Wording::default() };
            Decided { end, keeps: vec![], said: vec![], losers: vec![] }
        } else {
            self.around(&unit, |around| self.chain.before(&unit, &[], around))
        };
        let fired = decided.said.iter().filter(|said| said.what != RuleAnswer::Pass);
        let fired = fired.map(|said| said.rule.as_str().into()).collect();
        let replaced = decided.said.iter().any(|said| said.what == RuleAnswer::Replace);
        let mut entries = match decided.end {
            End::Go { kind: now, wording } => {
                let prompt = wording.apply(|| unit.prompt.clone());
                let action = if replaced { "replace" } else { "proceed" };
                let mut entries = vec![("action", action.into()), ("prompt", prompt.into())];
                if now != unit.kind || *field(theirs, "unitType") != Plain::Null {
                    entries.push(("unitType", now.as_str().into()));
                }
                entries
            }
            End::Skip { .. } => vec![("action", "skip".into())],
            other @ (End::Hold(_) | End::Rework { .. } | End::Ask(_)) => {
                return Err(format!("{other:?}"));
            }
        };
        if *field(theirs, "model") != Plain::Null {
            self.used.insert(MODEL);
            entries.push(("model", field(theirs, "model").clone()));
        }
        entries.push(("firedHooks", Plain::List(fired)));
        Ok(Plain::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
    }

    /// Returns the state in the original's words.
    pub(super) fn state(&self) -> Plain {
        let running = self.following.as_ref().and_then(|following| {
            let due = following.due.as_ref().filter(|due| due.wish.kind.is_some())?;
            Some((following, due))
        });
        let (active, queue) = running.map_or((Plain::Null, Vec::new()), |(following, due)| {
            let key = format!("{}/{}/{}", due.rule, following.kind, following.id);
            let active = Plain::map([
                ("hookName", due.rule.as_str().into()),
                ("triggerUnitType", following.kind.as_str().into()),
                ("triggerUnitId", following.id.as_str().into()),
                ("cycle", self.counts.get(&key).copied().unwrap_or_default().into()),
                ("pendingRetry", Plain::Bool(false)),
            ]);
            let left = self.chain.rules().iter().filter(|rule| rule.after.has(&following.kind));
            let left = left.skip_while(|rule| rule.name != due.rule).skip(1);
            (active, left.map(|rule| rule.name.as_str().into()).collect())
        });
        let counts = self.counts.iter().map(|(key, count)| (key.clone(), (*count).into()));
        Plain::map([
            ("activeHook", active),
            ("queue", Plain::List(queue)),
            ("cycleCounts", Plain::Map(counts.collect())),
            ("retryPending", Plain::Bool(self.is_back())),
        ])
    }
}

/// Kinds of units that trigger nothing when they end.
const NO_TRIGGER: [&str; 2] = ["triage-captures", "quick-task"];
