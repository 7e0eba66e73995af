//! The checker accepts possible histories and refuses impossible ones.

use super::What::{Saw, Swapped, Unclear};
use super::*;

/// Makes a history from rows of (called, returned, what).
fn history(rows: &[(u64, u64, What)]) -> Vec<Operation> {
    let row = |(process, &(called, returned, what)): (usize, &(u64, u64, What))| Operation {
        process: u32::try_from(process).unwrap(),
        called,
        returned,
        what,
    };
    rows.iter().enumerate().map(row).collect()
}

fn is_linear(rows: &[(u64, u64, What)]) -> bool {
    check(0, &history(rows)).is_ok()
}

#[test]
fn one_after_another_is_linear() {
    assert!(is_linear(&[]));
    assert!(is_linear(&[(0, 1, Saw(0)), (2, 3, Swapped(0, 1)), (4, 5, Saw(1))]));
}

#[test]
fn what_overlaps_may_be_seen_either_way() {
    for seen in [0, 1] {
        assert!(is_linear(&[(0, 9, Swapped(0, 1)), (2, 3, Saw(seen))]));
    }
    // Two changes may happen in another order than their calls.
    assert!(is_linear(&[(0, 9, Swapped(2, 1)), (1, 8, Swapped(0, 2)), (10, 11, Saw(1))]));
}

#[test]
fn a_stale_read_is_refused() {
    assert!(!is_linear(&[(0, 1, Swapped(0, 1)), (2, 3, Saw(0))]));
    // One process sees the change, then another with a later call does not.
    assert!(!is_linear(&[(0, 9, Swapped(0, 1)), (2, 3, Saw(1)), (4, 5, Saw(0))]));
}

#[test]
fn a_lost_update_is_refused() {
    assert!(!is_linear(&[(0, 1, Swapped(0, 1)), (2, 3, Swapped(1, 2)), (4, 5, Saw(1))]));
    assert!(!is_linear(&[(0, 1, Swapped(0, 1)), (2, 3, Saw(0)), (4, 5, Saw(0))]));
}

#[test]
fn two_winners_of_one_swap_are_refused() {
    assert!(!is_linear(&[(0, 9, Swapped(0, 1)), (0, 9, Swapped(0, 2))]));
    let found = check(0, &history(&[(0, 9, Swapped(0, 1)), (0, 9, Swapped(0, 2))])).unwrap_err();
    assert_eq!((found.placed, found.stuck.len()), (1, 1));
}

#[test]
fn a_value_nobody_wrote_is_refused() {
    assert!(!is_linear(&[(0, 1, Saw(7))]));
    assert!(!is_linear(&[(0, 1, Swapped(7, 8))]));
}

#[test]
fn a_killed_swap_happens_once_or_never_and_not_before_its_call() {
    assert!(is_linear(&[(0, 0, Unclear(0, 1)), (5, 6, Saw(0))]));
    assert!(is_linear(&[(0, 0, Unclear(0, 1)), (5, 6, Saw(1))]));
    // It may take effect long after the process has ended.
    assert!(is_linear(&[(0, 0, Unclear(0, 1)), (5, 6, Saw(0)), (7, 8, Saw(1))]));
    assert!(!is_linear(&[(0, 0, Unclear(0, 1)), (5, 6, Saw(1)), (7, 8, Saw(0))]));
    assert!(!is_linear(&[(4, 0, Unclear(0, 1)), (1, 2, Saw(1))]));
}

#[test]
fn wrong_guesses_are_taken_back() {
    // Three changes are possible from 0; only 0 → 3 → 0 → 2 → 0 → 1 explains the reads.
    let rows = [
        (0, 99, Swapped(0, 1)),
        (0, 99, Swapped(0, 2)),
        (0, 99, Swapped(0, 3)),
        (0, 99, Swapped(3, 0)),
        (0, 99, Swapped(2, 0)),
        (10, 11, Saw(3)),
        (12, 13, Saw(2)),
        (14, 15, Saw(1)),
    ];
    assert!(is_linear(&rows));
    let mut never = rows;
    never[7].2 = Saw(3);
    assert!(!is_linear(&never));
}

/// The definition itself: some order of some subset of the unclear operations fits.
fn brute(value: Value, left: &[Operation]) -> bool {
    if left.iter().all(is_unclear) {
        return true;
    }
    let until = left
        .iter()
        .filter(|one| !is_unclear(one))
        .map(|one| one.returned)
        .min()
        .unwrap_or(u64::MAX);
    (0..left.len()).filter(|&at| left[at].called <= until).any(|at| {
        let mut rest = left.to_vec();
        match rest.remove(at).what {
            Saw(seen) => seen == value && brute(value, &rest),
            Swapped(from, to) | Unclear(from, to) => from == value && brute(to, &rest),
        }
    })
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(4000))]
    #[test]
    fn agrees_with_the_definition(
        rows in proptest::collection::vec((0..8_u64, 0..5_u64, 0..3_u8, 0..3_u64, 0..3_u64), 0..7),
    ) {
        let rows: Vec<(u64, u64, What)> = rows
            .into_iter()
            .map(|(called, took, kind, from, to)| {
                let what = [Saw(from), Swapped(from, to), Unclear(from, to)][usize::from(kind)];
                (called, called + took, what)
            })
            .collect();
        let history = history(&rows);
        proptest::prop_assert_eq!(check(0, &history).is_ok(), brute(0, &history));
    }
}

/// Makes a valid history of `processes` × `each` overlapping operations, with every tenth process
/// killed half way. Each operation takes effect at a chosen moment between call and return.
fn recorded(processes: u32, each: u32) -> Vec<Operation> {
    let mut moments: Vec<(u64, u32, u32)> = (0..processes)
        .flat_map(|process| {
            let stagger = u64::from(process * 7 % 13);
            (0..each).map(move |n| (u64::from(n) * 100 + stagger, process, n))
        })
        .collect();
    moments.sort_unstable();
    let mut value = 0;
    let mut out = Vec::new();
    for (at, process, n) in moments {
        let dead = process % 10 == 3;
        if dead && n > each / 2 {
            continue;
        }
        let mine = u64::from(process + 1) << 32 | u64::from(n);
        let what = match (process + n) % 3 {
            0 => Saw(value),
            _ if dead && n == each / 2 => Unclear(value, mine),
            _ => Swapped(value, mine),
        };
        if let Swapped(_, to) = what {
            value = to;
        }
        let (called, returned) = (at.saturating_sub(40), at + 40);
        out.push(Operation { process, called, returned, what });
    }
    out
}

#[test]
fn large_histories_are_decided_and_one_wrong_row_is_found() {
    let mut history = recorded(32, 1000);
    assert_eq!(check(0, &history), Ok(()));
    let last = history.iter().rposition(|one| matches!(one.what, Saw(_))).unwrap();
    history[last].what = Saw(0);
    assert!(check(0, &history).is_err());
}
