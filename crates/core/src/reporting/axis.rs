use super::Stretch;
use crate::Time;

/// How wide an axis is: places on it are whole numbers up to this.
pub const WIDTH: u32 = 10_000;
/// How wide a stretch is in which nothing happened.
const FOLDED: u32 = 500;
/// A shorter stretch is never folded.
const SHORT: i64 = 60_000;
/// At most so many stretches are folded: the rest of the axis must stay wide enough to read.
const MOST: usize = 8;

/// Where a moment of a run stands: in proportion, but a long stretch in which nothing happens takes
/// little room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// When it begins.
    pub from: Time,
    /// When it ends.
    pub to: Time,
    /// The stretches that are folded, oldest first.
    pub folds: Vec<Fold>,
}

/// A stretch that takes less room than its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From when.
    pub from: Time,
    /// Until when.
    pub to: Time,
    /// Whether the run waited for something then; otherwise nobody worked on it.
    pub waited: bool,
}

impl Axis {
    /// Makes the axis of a run. `busy` are the times in which somebody worked on it.
    pub(super) fn of(
        (from, to): (Time, Time),
        mut moments: Vec<Time>,
        busy: &[(Time, Time)],
        waits: &[Stretch],
    ) -> Self {
        // A clock that was set back, or a receipt of before, does not stretch the axis.
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

    /// Returns where a moment stands; what lies outside stands at the edge.
    pub fn place(&self, at: Time) -> u32 {
        let at = at.clamp(self.from, self.to);
        let length = |fold: &Fold| fold.to.since(fold.from);
        let folded: i64 = self.folds.iter().map(length).sum();
        let shown = (self.to.since(self.from) - folded).max(0);
        let count = u32::try_from(self.folds.len()).unwrap_or(0);
        // Where everything is folded, the folds share all the room.
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
