use super::Stretch;
use crate::Time;

/// The width of an axis: positions on it are integers from 0 to this value.
pub const WIDTH: u32 = 10_000;
/// The width of a folded stretch.
const FOLDED: u32 = 500;
/// Shorter stretches are never folded, in milliseconds.
const SHORT: i64 = 60_000;
/// Maximum number of folds: the rest of the axis must stay wide enough to read.
const MOST: usize = 8;

/// The time axis of a run: proportional, except that long idle stretches are folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    pub from: Time,
    pub to: Time,
    /// The folded stretches, oldest first.
    pub folds: Vec<Fold>,
}

/// A stretch that is shown shorter than its duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    pub from: Time,
    pub to: Time,
    /// Whether the run was waiting for something; otherwise it was idle.
    pub waited: bool,
}

impl Axis {
    /// Creates the axis of a run. `busy` are the times of its attempts.
    pub(super) fn of(
        (from, to): (Time, Time),
        mut moments: Vec<Time>,
        busy: &[(Time, Time)],
        waits: &[Stretch],
    ) -> Self {
        // Times outside the run, from a clock that was set back or an earlier receipt, do not
        // extend the axis.
        moments.retain(|at| (from..=to).contains(at));
        moments.extend([from, to]);
        moments.extend(waits.iter().flat_map(|wait| [wait.from, wait.to]));
        moments.retain(|at| (from..=to).contains(at));
        moments.sort_unstable();
        let long = (to.since(from) / 8).max(SHORT);
        let mut folds: Vec<Fold> = Vec::new();
        for pair in moments.windows(2) {
            let (begin, end) = (pair[0], pair[1]);
            if end.since(begin) < long {
                continue;
            }
            let within = |one: Time, other: Time| one <= begin && other >= end;
            let waited = waits.iter().any(|wait| within(wait.from, wait.to));
            if waited || !busy.iter().any(|&(one, other)| within(one, other)) {
                folds.push(Fold { from: begin, to: end, waited });
            }
        }
        folds.truncate(MOST);
        Self { from, to, folds }
    }

    /// Returns the position of a time, clamped to the edges.
    pub fn place(&self, at: Time) -> u32 {
        let at = at.clamp(self.from, self.to);
        let length = |fold: &Fold| fold.to.since(fold.from);
        let folded: i64 = self.folds.iter().map(length).sum();
        let shown = (self.to.since(self.from) - folded).max(0);
        let count = u32::try_from(self.folds.len()).unwrap_or(0);
        // If everything is folded, the folds share the whole width.
        let fold_width = if shown == 0 { WIDTH / count.max(1) } else { FOLDED };
        let room = i64::from(WIDTH - fold_width * count);
        let (mut live, mut place) = (at.since(self.from), 0);
        for fold in self.folds.iter().filter(|fold| fold.from < at) {
            let inside = at.min(fold.to).since(fold.from);
            live -= inside;
            place += i64::from(fold_width) * inside / length(fold).max(1);
        }
        if shown > 0 {
            place += room * live / shown;
        }
        u32::try_from(place).unwrap_or(0).min(WIDTH)
    }
}
