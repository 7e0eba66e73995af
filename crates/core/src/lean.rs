//! Collecting and sorting with little code in the binary.
//!
//! The library makes a sort anew for every type and order, 4 KB each time, and collects a map or a
//! set by sorting first. Where lists are short or nobody waits, that buys nothing.

use std::cmp::Ordering;

/// Collects a map or a set one by one, without a sort; of equal keys the last value stays.
pub fn gather<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

/// Sorts by a key; what is equal stays in order.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |one, other| key(one).cmp(&key(other)));
}

/// Sorts by a comparison; what is equal stays in order.
pub fn sort_by<T>(list: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let swaps = swaps(list.len(), &|one, other| order(&list[one], &list[other]));
    for (one, other) in swaps {
        list.swap(one, other);
    }
}

/// Returns which places to swap, one pair after the other, so that a list is in order.
fn swaps(len: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut sorted: Vec<usize> = (0..len).collect();
    sorted.sort_by(|one, other| order(*one, *other));
    // Where each goes to, instead of where it comes from.
    let mut target = vec![0; len];
    for (to, from) in sorted.iter().enumerate() {
        target[*from] = to;
    }
    let mut swaps = Vec::new();
    for at in 0..len {
        // Each swap brings one to its place for good, so there are fewer than items.
        while target[at] != at {
            let to = target[at];
            swaps.push((at, to));
            target.swap(at, to);
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_and_collects_as_the_library_does(list: Vec<(u8, u16)>) {
            let (mut ours, mut theirs) = (list.clone(), list.clone());
            sort_by_key(&mut ours, |(key, _)| key % 8);
            theirs.sort_by_key(|(key, _)| key % 8);
            prop_assert_eq!(&ours, &theirs);
            let order = |one: &(u8, u16), other: &(u8, u16)| (other.1 % 8).cmp(&(one.1 % 8));
            sort_by(&mut ours, order);
            theirs.sort_by(order);
            prop_assert_eq!(&ours, &theirs);
            let map: BTreeMap<u8, u16> = gather(list.clone());
            prop_assert_eq!(map, list.iter().copied().collect::<BTreeMap<_, _>>());
            let set: BTreeSet<(u8, u16)> = gather(list.clone());
            prop_assert_eq!(set, list.into_iter().collect::<BTreeSet<_>>());
        }
    }
}
