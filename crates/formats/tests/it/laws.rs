//! The law of editing: an edit and its inverse restore the same bytes, and the edit makes exactly
//! one change.
//!
//! Every round makes a random document and a random edit. A strict parse after it must return the
//! old tree with the change, and the recorded inverse must restore the old bytes. A key that is
//! inserted and removed, or a plain value that is set and set back, must restore them as well.

use sprag_core::apply;
use sprag_formats::{Document, Edit, FaultKind, Format, Node, Value, inverse};

use crate::generate;
use crate::random::Random;
use crate::support::{expected, long, parse};

/// The input of a round.
pub(crate) struct Round {
    pub(crate) seed: u64,
    pub(crate) format: Format,
    pub(crate) text: String,
}

#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) edits: usize,
    pub(crate) refused: usize,
    returned: usize,
}

#[test]
fn an_edit_and_its_inverse_give_the_same_bytes() {
    let edits = if long() { 100_000 } else { 10_000 };
    let mut tally = Tally::default();
    for seed in 0.. {
        if tally.edits >= edits {
            break;
        }
        let mut random = Random::new(seed);
        let (format, text) = generate::document(&mut random);
        let round = Round { seed, format, text };
        round.run(&mut random, &mut tally);
    }
    println!("{} edits, {} refused, {} set back", tally.edits, tally.refused, tally.returned);
    assert!(tally.refused * 100 < tally.edits, "{} of {} refused", tally.refused, tally.edits);
    assert!(tally.returned * 20 > tally.edits, "only {} were set back", tally.returned);
}

impl Round {
    fn run(&self, random: &mut Random, tally: &mut Tally) {
        let doc = self.parse(&self.text);
        let paths = paths(doc.root());
        for _ in 0..3 {
            let path = random.pick(&paths);
            match random.below(6) {
                0 | 1 => self.set(random, tally, &doc, &path),
                2 | 3 => self.insert(random, tally, &doc, &path),
                4 => self.remove(tally, &doc, &path),
                _ => self.several(random, tally, &doc, &paths),
            }
        }
        self.nothing(&doc, &random.pick(&paths));
    }

    fn set(&self, random: &mut Random, tally: &mut Tally, doc: &Document<'_>, path: &[String]) {
        if path.is_empty() {
            return;
        }
        let old = doc.root().at(path).unwrap();
        let value = generate::value(random, 2);
        self.checked(tally, doc, &[Edit::set(path, value)]);
        self.confined(doc, old, &Edit::set(path, "plain"));
        let (Some(plain), true) = (same_kind(&old.value), self.written_simply(old)) else { return };
        let Some(there) = self.checked(tally, doc, &[Edit::set(path, plain)]) else { return };
        let back = self.parse(&there).edit(&[Edit::set(path, old.value.clone())]);
        self.same(&apply(&there, &back.unwrap()).unwrap(), "set back");
        tally.returned += 1;
    }

    fn insert(&self, random: &mut Random, tally: &mut Tally, doc: &Document<'_>, path: &[String]) {
        let node = doc.root().at(path).unwrap();
        let mut path = path.to_vec();
        path.push(match &node.value {
            Value::Map(_) => format!("new{}", generate::key(random)),
            Value::List(items) => items.len().to_string(),
            _ => return,
        });
        let mut deeper = path.clone();
        if random.once_in(3) {
            deeper.push(generate::key(random));
        }
        let edit = Edit::set(deeper, generate::value(random, 2));
        let Some(there) = self.checked(tally, doc, std::slice::from_ref(&edit)) else { return };
        self.only_adds(doc, &edit);
        let back = self.parse(&there).edit(&[Edit::remove(path)]);
        self.same(&apply(&there, &back.unwrap()).unwrap(), "inserted and removed");
    }

    /// A scalar is set by one splice inside its own bytes, a block scalar by one inside its lines.
    pub(crate) fn confined(&self, doc: &Document<'_>, old: &Node, edit: &Edit) {
        let raw = &self.text[old.span.range()];
        let scalar = !matches!(old.value, Value::List(_) | Value::Map(_)) && !raw.contains('\n');
        if !scalar || raw.is_empty() || self.is_below_header(old) {
            return;
        }
        for splice in doc.edit(std::slice::from_ref(edit)).unwrap() {
            let inside =
                old.span.start() <= splice.range.start && splice.range.end <= old.span.end();
            assert!(inside, "seed {}: {edit:?} wrote {splice:?}\n{}", self.seed, self.text);
        }
    }

    /// An insertion removes only brackets and blanks, and a removal adds only brackets.
    pub(crate) fn only_adds(&self, doc: &Document<'_>, edit: &Edit) {
        for splice in doc.edit(std::slice::from_ref(edit)).unwrap() {
            let gone = &self.text[splice.range];
            assert!(gone.chars().all(|c| "{}[] ".contains(c)), "seed {}: {gone:?}", self.seed);
        }
    }

    pub(crate) fn only_takes(&self, doc: &Document<'_>, path: &[String]) {
        let node = doc.root().at(path).unwrap();
        for splice in doc.edit(&[Edit::remove(path)]).unwrap() {
            assert!(splice.text.chars().all(|c| "{}[] ".contains(c)), "{splice:?}");
            let rest = self.text.get(node.span.end()..splice.range.end).unwrap_or_default();
            // A value that is left out ends before its colon.
            let rest = rest.trim_start_matches([' ', ':']);
            let noise =
                |line: &str| line.trim().is_empty() || line.contains('#') || line.trim() == ",";
            assert!(rest.lines().all(noise), "seed {}: took {rest:?}\n{}", self.seed, self.text);
        }
    }

    fn remove(&self, tally: &mut Tally, doc: &Document<'_>, path: &[String]) {
        if path.is_empty() {
            return;
        }
        self.checked(tally, doc, &[Edit::remove(path)]);
        self.only_takes(doc, path);
    }

    /// Several edits in one call have the same result as the same edits in sequence.
    fn several(
        &self,
        random: &mut Random,
        tally: &mut Tally,
        doc: &Document<'_>,
        paths: &[Vec<String>],
    ) {
        let mut edits = Vec::new();
        let mut text = self.text.clone();
        for _ in 0..2 + random.below(3) {
            let path = &random.pick(paths);
            let now = self.parse(&text);
            let edit = match now.root().at(path) {
                None => continue,
                Some(_) if path.is_empty() => {
                    Edit::set(["fresh", "deep"], generate::value(random, 1))
                }
                Some(_) if random.once_in(3) => Edit::remove(path),
                Some(_) => Edit::set(path, generate::value(random, 1)),
            };
            let Ok(splices) = now.edit(std::slice::from_ref(&edit)) else { return };
            text = apply(&text, &splices).unwrap();
            edits.push(edit);
        }
        if let Some(together) = self.checked(tally, doc, &edits) {
            assert_eq!(together, text, "{} {edits:?}\n{}", self.seed, self.text);
        }
    }

    /// Setting a value to itself changes nothing.
    fn nothing(&self, doc: &Document<'_>, path: &[String]) {
        let value = doc.root().at(path).unwrap().value.clone();
        assert_eq!(
            doc.edit(&[Edit::set(path, value)]).unwrap(),
            [],
            "{}\n{}",
            self.seed,
            self.text
        );
    }

    /// Makes the edits, checks tree and inverse, and returns the new text.
    pub(crate) fn checked(
        &self,
        tally: &mut Tally,
        doc: &Document<'_>,
        edits: &[Edit],
    ) -> Option<String> {
        tally.edits += 1;
        let splices = match doc.edit(edits) {
            Ok(splices) => splices,
            Err(fault) => {
                // A tag does not fit a value of another type, so the guard refuses.
                let tagged = fault.kind == FaultKind::Guard && self.text.contains("!!");
                let known = fault.kind == FaultKind::Edit
                    && (fault.what.contains("no line end") || fault.what.contains("has no `"));
                let known = known || tagged;
                assert!(known, "seed {}: {fault}\n{edits:?}\n{}", self.seed, self.text);
                tally.refused += 1;
                return None;
            }
        };
        let there = apply(&self.text, &splices).unwrap();
        let want = edits.iter().fold(doc.root().value.clone(), |tree, edit| expected(&tree, edit));
        assert_eq!(
            self.parse(&there).root().value,
            want,
            "seed {}: {edits:?}\n{}\n-- became --\n{there}",
            self.seed,
            self.text
        );
        let back = apply(&there, &inverse(&self.text, &splices)).unwrap();
        self.same(&back, "the recorded inverse");
        Some(there)
    }

    pub(crate) fn parse<'t>(&self, text: &'t str) -> Document<'t> {
        match Document::parse(self.format, text) {
            Ok(doc) => doc,
            Err(fault) => panic!("seed {}: {fault}\n{text}\n-- from --\n{}", self.seed, self.text),
        }
    }

    fn same(&self, text: &str, how: &str) {
        assert_eq!(text, self.text, "seed {}: {how}", self.seed);
    }

    /// Returns whether a value is a block scalar, whose bytes start below its `|` or `>`.
    fn is_below_header(&self, node: &Node) -> bool {
        let before = self.text[..node.span.start()].trim_end_matches(' ');
        let line = before.strip_suffix('\n').and_then(|above| above.lines().last());
        line.is_some_and(|line| line.contains(['|', '>']))
    }

    /// Returns whether the writer would write the value exactly like this.
    fn written_simply(&self, node: &Node) -> bool {
        let raw = &self.text[node.span.range()];
        if self.is_below_header(node) {
            return false;
        }
        match &node.value {
            Value::Null => raw == "null",
            Value::Bool(value) => raw == value.to_string(),
            Value::Number(number) => raw == number.text(),
            Value::String(text) => {
                let word = text.bytes().all(|byte| byte.is_ascii_lowercase());
                let quoted = raw == format!("\"{text}\"") || raw == format!("'{text}'");
                !text.is_empty() && word && text != "yes" && (quoted || raw == text)
            }
            Value::List(_) | Value::Map(_) => false,
        }
    }
}

/// Returns another value that is written in the same form.
fn same_kind(value: &Value) -> Option<Value> {
    match value {
        Value::Null => Some(Value::from(true)),
        Value::Bool(value) => Some(Value::from(!value)),
        Value::Number(_) => Some(Value::from(77)),
        Value::String(_) => Some(Value::from("other words")),
        Value::List(_) | Value::Map(_) => None,
    }
}

/// The paths of all nodes.
fn paths(root: &Node) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    let mut next = 0;
    while next < all.len() {
        let path = all[next].clone();
        let steps: Vec<String> = match &root.at(&path).unwrap().value {
            Value::Map(map) => map.iter().map(|entry| entry.key.clone()).collect(),
            Value::List(items) => (0..items.len()).map(|at| at.to_string()).collect(),
            _ => Vec::new(),
        };
        all.extend(steps.into_iter().map(|step| {
            let mut path = path.clone();
            path.push(step);
            path
        }));
        next += 1;
    }
    all
}

#[test]
fn the_generator_makes_what_it_should() {
    let mut kinds = [0; 3];
    for seed in 0..400 {
        let (format, text) = generate::document(&mut Random::new(seed));
        parse(format, &text);
        kinds[format as usize] += 1;
    }
    assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
}
