use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::Hash;

fn part(role: PartRole, text: &str) -> DefinedPart {
    DefinedPart::new(role, Hash::of(text))
}

fn of(parts: &[(&str, DefinedPart)]) -> GateDefinition {
    let parts = parts.iter().map(|(key, part)| (PartKey::file(key), part.clone())).collect();
    GateDefinition { parts, ..GateDefinition::default() }
}

fn named(then: &GateDefinition, now: &GateDefinition) -> Vec<(String, PartChange)> {
    changes(then, now).into_iter().map(|(key, (_, change))| (key.to_string(), change)).collect()
}

#[test]
fn equal_definitions_do_not_differ_and_others_are_named() {
    use PartRole::{Runner, Script};
    let then = of(&[("a", part(Runner, "1")), ("b", part(Script, "1")), ("c", part(Script, "1"))]);
    assert_eq!(named(&then, &then), []);
    let now = of(&[("a", part(Runner, "2")), ("b", part(Script, "1")), ("d", part(Runner, ""))]);
    let expected = [("a", PartChange::Changed), ("c", PartChange::Gone), ("d", PartChange::New)];
    assert_eq!(named(&then, &now), expected.map(|(key, change)| (key.to_owned(), change)));
}

#[test]
fn a_part_that_is_no_longer_reached_is_not_gone() {
    let inner =
        DefinedPart { via: BTreeSet::from([PartKey::file("a")]), ..part(PartRole::Script, "1") };
    let then = of(&[("a", part(PartRole::Runner, "1")), ("b", inner)]);
    let now = of(&[("a", part(PartRole::Runner, "2"))]);
    assert_eq!(named(&then, &now), [("a".to_owned(), PartChange::Changed)]);
    let same = of(&[("a", part(PartRole::Runner, "1"))]);
    assert_eq!(named(&then, &same), [("b".to_owned(), PartChange::Gone)]);
}

#[test]
fn a_part_that_is_reached_by_a_change_is_named_with_it() {
    use PartRole::{Runner, Script};
    let inner = DefinedPart { via: BTreeSet::from([PartKey::file("a")]), ..part(Runner, "1") };
    let now = of(&[("a", part(Runner, "2")), ("b", inner.clone())]);
    let then = of(&[("a", part(Runner, "1"))]);
    let expected = [("a".to_owned(), PartChange::Changed), ("b".to_owned(), PartChange::Grew)];
    assert_eq!(named(&then, &now), expected);
    let same = of(&[("a", part(Runner, "2"))]);
    assert_eq!(named(&same, &now), [("b".to_owned(), PartChange::New)]);
    // One of the two paths is unchanged.
    let both = BTreeSet::from([PartKey::file("a"), PartKey::file("c")]);
    let inner = DefinedPart { via: both, ..inner };
    let (a, c) = (("a", part(Runner, "1")), ("c", part(Runner, "1")));
    let now = of(&[("a", part(Runner, "2")), c.clone(), ("b", inner.clone())]);
    let expected = [("a".to_owned(), PartChange::Changed), ("b".to_owned(), PartChange::New)];
    assert_eq!(named(&of(&[a, c]), &now), expected);
    let inner = DefinedPart { via: BTreeSet::from([PartKey::file("a")]), ..inner };
    let (then, now) = (GateDefinition::default(), of(&[("a", part(Script, "2")), ("b", inner)]));
    let expected = [("a".to_owned(), PartChange::New), ("b".to_owned(), PartChange::New)];
    assert_eq!(named(&then, &now), expected, "a new script is no doubt");
}

#[test]
fn a_part_that_a_free_one_leads_to_is_free() {
    use PartRole::Runner;
    let step = DefinedPart { when_new: WhenNew::Free, ..part(Runner, "x") };
    let inner = DefinedPart { via: BTreeSet::from([PartKey::file("s")]), ..part(Runner, "1") };
    let then = of(&[("a", part(Runner, "1"))]);
    let now = of(&[("a", part(Runner, "1")), ("s", step), ("b", inner)]);
    let expected = [("b".to_owned(), PartChange::Grew), ("s".to_owned(), PartChange::Grew)];
    assert_eq!(named(&then, &now), expected);
    // If the other path is unchanged, the part may remove something there.
    let mut both = now;
    let part = both.parts.get_mut(&PartKey::file("b")).unwrap();
    part.via.insert(PartKey::file("a"));
    assert_eq!(named(&then, &both)[0], ("b".to_owned(), PartChange::New));
}

#[test]
fn parts_that_lead_to_each_other_end() {
    let leads = |key: &str| DefinedPart {
        via: BTreeSet::from([PartKey::file(key)]),
        ..part(PartRole::Script, "1")
    };
    let then = of(&[("a", leads("b")), ("b", leads("a"))]);
    let now = GateDefinition::default();
    assert_eq!(named(&then, &now), []);
    assert_eq!(named(&then, &then), []);
}

#[test]
fn what_is_new_counts_by_what_was_known() {
    let member = KnownThen::Member("a".to_owned());
    let new = |when_new| of(&[("k", DefinedPart { when_new, ..part(PartRole::Runner, "") })]);
    let (mut then, only) = (GateDefinition::default(), |change| vec![("k".to_owned(), change)]);
    assert_eq!(named(&then, &new(WhenNew::Free)), only(PartChange::Grew));
    assert_eq!(named(&then, &new(WhenNew::Doubted)), only(PartChange::New));
    let now = new(WhenNew::DoubtedIf(member.clone()));
    assert_eq!(named(&then, &now), only(PartChange::Grew));
    then.known.insert(member);
    assert_eq!(named(&then, &now), only(PartChange::New));
}

#[test]
fn a_program_before_one_found_elsewhere_is_changed_and_a_lock_file_frees_it() {
    let program = |text: &str, lock: &str| DefinedPart {
        program: Some("jest".to_owned()),
        locks: BTreeMap::from([("yarn.lock".to_owned(), Hash::of(lock))]),
        ..part(PartRole::Program, text)
    };
    let key = "node_modules/.bin/jest";
    let (mut then, now) = (GateDefinition::default(), of(&[(key, program("1", "1"))]));
    assert_eq!(named(&then, &now), [(key.to_owned(), PartChange::New)]);
    then.known.insert(KnownThen::Elsewhere("jest".to_owned()));
    assert_eq!(named(&then, &now), [(key.to_owned(), PartChange::Changed)]);
    let later = of(&[(key, program("2", "1"))]);
    assert_eq!(named(&now, &later), [(key.to_owned(), PartChange::Changed)]);
    let locked = of(&[(key, program("2", "2"))]);
    assert_eq!(named(&now, &locked), [(key.to_owned(), PartChange::WithLock)]);
    let stale = of(&[(key, DefinedPart { is_stale: true, ..program("1", "1") })]);
    assert_eq!(named(&stale, &later), [(key.to_owned(), PartChange::WithLock)]);
    // Nothing was installed yet, and there is a lock file.
    then.known.insert(KnownThen::Missing("node_modules/.bin".to_owned()));
    assert_eq!(named(&then, &now), [(key.to_owned(), PartChange::WithLock)]);
    let bare = of(&[(key, DefinedPart { locks: BTreeMap::new(), ..program("1", "1") })]);
    assert_eq!(named(&then, &bare), [(key.to_owned(), PartChange::Changed)]);
}

#[test]
fn a_setting_that_asks_for_more_is_stricter() {
    let set = |text: &str, level| {
        let part = DefinedPart { level, ..part(PartRole::Runner, text) };
        of(&[("k", part)])
    };
    let only = |change| vec![("k".to_owned(), change)];
    assert_eq!(named(&set("1", Some(1)), &set("2", Some(2))), only(PartChange::Stricter));
    assert_eq!(named(&set("2", Some(2)), &set("1", Some(1))), only(PartChange::Changed));
    assert_eq!(named(&set("a", Some(1)), &set("b", Some(1))), only(PartChange::Changed));
    assert_eq!(named(&set("a", None), &set("b", Some(1))), only(PartChange::Changed));
    let none = GateDefinition::default();
    assert_eq!(named(&set("0", Some(0)), &none), only(PartChange::Stricter));
    assert_eq!(named(&set("1", Some(1)), &none), only(PartChange::Gone));
}

#[test]
fn it_is_stored_and_read_back() {
    let mut one = of(&[("a", part(PartRole::Script, "1"))]);
    one.known.insert(KnownThen::Tests(String::new()));
    let text = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<GateDefinition>(&text).unwrap(), one);
}

#[test]
fn a_part_that_is_back_is_compared_with_its_earlier_text() {
    use PartRole::Runner;
    let inner = |text: &str| DefinedPart {
        via: BTreeSet::from([PartKey::file("a")]),
        ..part(Runner, text)
    };
    let first = of(&[("a", part(Runner, "1")), ("b", inner("1"))]);
    // An earlier unit changed `a`, so `b` was no longer reachable when the next one began.
    let mut then = of(&[("a", part(Runner, "2"))]);
    then.recall(&first);
    then.put_back(PartKey::file("a"), Runner, Some(Hash::of("1")));
    assert_eq!(named(&then, &first), [], "it is as it was");
    let weaker = of(&[("a", part(Runner, "1")), ("b", inner("2"))]);
    assert_eq!(named(&then, &weaker), [("b".to_owned(), PartChange::Changed)]);
    let left = of(&[("a", part(Runner, "2"))]);
    assert_eq!(named(&then, &left), [("a".to_owned(), PartChange::Changed)]);
    then.put_back(PartKey::file("a"), Runner, None);
    assert_eq!(named(&then, &left), [("a".to_owned(), PartChange::New)]);
    then.put_back(PartKey::file("c"), Runner, Some(Hash::of("1")));
    let expected = [("a".to_owned(), PartChange::New), ("c".to_owned(), PartChange::Gone)];
    assert_eq!(named(&then, &left), expected);
}

#[test]
fn a_name_may_hold_the_sign_that_people_see() {
    let (file, part) = (PartKey::file("a#b.sh"), PartKey::part("a#b.json", "c#d"));
    assert_eq!((file.path(), file.part_name()), ("a#b.sh", None));
    assert_eq!((part.path(), part.part_name()), ("a#b.json", Some("c#d")));
    assert_eq!(part.to_string(), "a#b.json#c#d");
}
