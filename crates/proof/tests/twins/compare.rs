//! Compares two plays of a story and describes the differences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sprag_testkit::TestEnv;

use crate::intended;
use crate::journal::Versions;
use crate::mask::Masks;
use crate::player::{Clock, Player};
use crate::record::Step;

/// The most differences that are shown: the first usually causes the others.
const SHOWN: usize = 5;

/// The most characters of a line that are shown.
const WIDTH: usize = 200;

/// One play, ready to be compared.
pub(crate) struct Play<'p> {
    env: &'p TestEnv,
    steps: &'p [Step],
    versions: Versions,
    clock: Clock,
}

impl<'p> Play<'p> {
    pub(crate) fn of(player: &'p Player) -> Self {
        let (env, steps) = (&player.env, player.steps());
        Self { env, steps, versions: Versions::of(steps), clock: player.clock }
    }

    fn masks(&self) -> Masks<'_> {
        Masks { env: self.env, clock: self.clock, versions: &self.versions }
    }

    /// Writes the whole play as text, for `diff`.
    pub(crate) fn whole(&self) -> String {
        let (mut text, mut before) = (String::new(), BTreeMap::new());
        for step in self.steps {
            let _ = writeln!(text, "════ {}", step.what);
            for (place, shown) in self.places(step) {
                if before.get(&place) != Some(&shown) {
                    let _ = writeln!(text, "──── {place}\n{shown}");
                }
                before.insert(place, shown);
            }
        }
        text
    }

    /// Returns every text of a step by its place, in the form for reading.
    fn places(&self, step: &Step) -> BTreeMap<String, String> {
        let masks = self.masks();
        let mut places = BTreeMap::from([
            ("exit".to_owned(), step.said.exit.clone()),
            ("stdout".to_owned(), masks.text("stdout", &step.said.stdout)),
            ("stderr".to_owned(), masks.text("stderr", &step.said.stderr)),
        ]);
        if let Some(files) = &step.files {
            places.extend(files.keys().map(|path| (path.clone(), masks.shown(path, files))));
        }
        places
    }

    /// Returns a text of a step byte for byte with its masks, or `None` if the step lacks it.
    fn exact(&self, step: &Step, place: &str) -> Option<String> {
        let masks = self.masks();
        match place {
            "exit" => Some(step.said.exit.clone()),
            "stdout" => Some(masks.text(place, &step.said.stdout)),
            "stderr" => Some(masks.text(place, &step.said.stderr)),
            path => {
                let files = step.files.as_ref()?;
                files.contains_key(path).then(|| masks.file(path, files))
            }
        }
    }

    /// Returns a text of a step in the form for reading.
    fn shown(&self, step: &Step, place: &str) -> Option<String> {
        match step.files.as_ref().filter(|files| files.contains_key(place)) {
            Some(files) => Some(self.masks().shown(place, files)),
            None => self.exact(step, place),
        }
    }
}

/// Describes the first differences between two plays, or returns `None` if they are equal.
pub(crate) fn compared(story: &str, base: &Play<'_>, new: &Play<'_>) -> Option<String> {
    let mut report = String::new();
    let (mut found, mut known, mut before) = (0, BTreeMap::new(), BTreeMap::new());
    for (nth, (one, other)) in base.steps.iter().zip(new.steps).enumerate() {
        if one.what != other.what {
            let _ = writeln!(
                report,
                "step {}: the story went another way\n  - {}\n  + {}",
                nth + 1,
                one.what,
                other.what
            );
            return Some(report);
        }
        for place in places(one, other) {
            let raw = (raw(one, &place), raw(other, &place));
            // Equal raw texts need no masks, and an unchanged pair was compared a step before.
            if raw.0 == raw.1 || before.get(&place) == Some(&raw) {
                continue;
            }
            before.insert(place.clone(), raw);
            let (exact, own) = (base.exact(one, &place), new.exact(other, &place));
            if exact == own {
                continue;
            }
            let (shown, own_shown) = (base.shown(one, &place), new.shown(other, &place));
            let pair = (shown.unwrap_or_default(), own_shown.unwrap_or_default());
            if known.get(&place) == Some(&pair) {
                continue;
            }
            let is_file_of_one = exact.is_none() || own.is_none();
            if !intended::is_intended(story, &one.what, &place, &pair.0, &pair.1) {
                found += 1;
                if found <= SHOWN {
                    let place = match is_file_of_one {
                        true if own.is_none() => format!("{place} (only of the base)"),
                        true => format!("{place} (only of the new one)"),
                        false => place.clone(),
                    };
                    let _ = writeln!(report, "step {}: {}\n  {place}", nth + 1, one.what);
                    let texts = if pair.0 == pair.1 {
                        (exact.unwrap_or_default(), own.unwrap_or_default())
                    } else {
                        pair.clone()
                    };
                    report.push_str(&first_lines(&texts.0, &texts.1));
                }
            }
            known.insert(place, pair);
        }
    }
    if base.steps.len() != new.steps.len() {
        found += 1;
        let _ = writeln!(report, "{} steps, and {} now", base.steps.len(), new.steps.len());
    }
    if found > SHOWN {
        let _ = writeln!(report, "… and {} more", found - SHOWN);
    }
    (found > 0).then_some(report)
}

/// Returns a text of a step without masks.
fn raw<'s>(step: &'s Step, place: &str) -> Option<&'s str> {
    match place {
        "exit" => Some(&step.said.exit),
        "stdout" => Some(&step.said.stdout),
        "stderr" => Some(&step.said.stderr),
        path => step.files.as_ref()?.get(path).map(String::as_str),
    }
}

/// Returns the places of both steps.
fn places(one: &Step, other: &Step) -> BTreeSet<String> {
    let files = [one, other].into_iter().filter_map(|step| step.files.as_ref());
    let files = files.flat_map(|files| files.keys().cloned());
    ["exit", "stdout", "stderr"].into_iter().map(str::to_owned).chain(files).collect()
}

/// Returns the first differing lines of two texts, with a little context before them.
fn first_lines(base: &str, new: &str) -> String {
    let (one, other): (Vec<_>, Vec<_>) = (base.lines().collect(), new.lines().collect());
    let at = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let mut text = String::new();
    for line in &one[at.saturating_sub(2)..at] {
        let _ = writeln!(text, "      {}", cut(line, 0));
    }
    let column = |lines: &[&str]| lines.get(at).map_or("", |line| *line).to_owned();
    let (first, second) = (column(&one), column(&other));
    let same = first.chars().zip(second.chars()).take_while(|(one, other)| one == other).count();
    for (sign, lines) in [("-", &one), ("+", &other)] {
        for line in lines.iter().skip(at).take(3) {
            let _ = writeln!(text, "    {sign} {}", cut(line, same));
        }
    }
    text
}

/// Returns the part of a long line around the difference.
fn cut(line: &str, same: usize) -> String {
    let skipped = if same > WIDTH / 2 { same - WIDTH / 4 } else { 0 };
    let part: String = line.chars().skip(skipped).take(WIDTH).collect();
    let (before, after) = (skipped > 0, line.chars().count() > skipped + WIDTH);
    format!("{}{part}{}", if before { "…" } else { "" }, if after { "…" } else { "" })
}

#[test]
fn the_first_differing_lines_are_shown() {
    let text = first_lines("a\nb\nc\nd\n", "a\nb\nx\nd\n");
    assert_eq!(text, "      a\n      b\n    - c\n    - d\n    + x\n    + d\n");
    let long = format!("{}end", "x".repeat(300));
    assert!(cut(&long, 300).starts_with('…') && cut(&long, 300).ends_with("end"));
}
