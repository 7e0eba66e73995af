/// The only counter of the kernel: it limits how often something may begin.
///
/// A charge past the maximum fails. A charge is refunded at most once between two attempts that
/// really ended, so a machine that always crashes also comes to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    used: u32,
    max: u32,
    refunded: bool,
}

/// A bound that has no charge left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted {
    pub(crate) used: u32,
}

impl Bound {
    /// Creates an unused bound.
    pub const fn new(max: u32) -> Self {
        Self { used: 0, max, refunded: false }
    }

    /// Accepts stored values if they are consistent.
    pub(crate) fn stored(used: u32, max: u32, refunded: bool) -> Option<Self> {
        (used <= max).then_some(Self { used, max, refunded })
    }

    pub const fn used(&self) -> u32 {
        self.used
    }

    pub const fn max(&self) -> u32 {
        self.max
    }

    /// Returns whether a charge was refunded and no attempt has ended since.
    pub const fn refunded(&self) -> bool {
        self.refunded
    }

    /// Returns whether the next charge would fail.
    pub const fn is_exhausted(&self) -> bool {
        self.used >= self.max
    }

    /// Takes one charge.
    pub(crate) fn charge(&mut self) -> Result<(), Exhausted> {
        if self.is_exhausted() {
            return Err(Exhausted { used: self.used });
        }
        self.used += 1;
        Ok(())
    }

    /// Refunds one charge for an attempt that never ran, at most once in a row.
    pub(crate) fn refund(&mut self) {
        if !self.refunded && self.used > 0 {
            self.used -= 1;
            self.refunded = true;
        }
    }

    /// Refunds the charge of an attempt that was ended on request. That is not evidence about
    /// crashes, so it neither counts as one nor resets their count.
    pub(crate) fn give_back(&mut self) {
        self.used = self.used.saturating_sub(1);
    }

    /// Keeps the charge of an attempt that ended.
    pub(crate) fn settle(&mut self) {
        self.refunded = false;
    }

    /// Refunds the charge of an attempt that ended through no fault of the agent.
    pub(crate) fn forgive(&mut self) {
        self.used = self.used.saturating_sub(1);
        self.refunded = false;
    }

    pub(crate) fn renew(&mut self) {
        *self = Self::new(self.max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_past_the_maximum_fails() {
        let mut bound = Bound::new(2);
        assert_eq!(bound.charge(), Ok(()));
        assert_eq!(bound.charge(), Ok(()));
        assert_eq!(bound.charge(), Err(Exhausted { used: 2 }));
        assert_eq!(bound.used(), 2);
        assert_eq!(Bound::new(0).charge(), Err(Exhausted { used: 0 }));
    }

    #[test]
    fn a_charge_is_given_back_once_until_an_attempt_ended() {
        let mut bound = Bound::new(3);
        bound.refund();
        assert_eq!(bound, Bound::new(3), "nothing was charged");
        bound.charge().unwrap();
        bound.refund();
        assert_eq!(bound.used(), 0);
        bound.charge().unwrap();
        bound.refund();
        assert_eq!(bound.used(), 1, "the second in a row is kept");
        bound.settle();
        bound.charge().unwrap();
        bound.refund();
        assert_eq!(bound.used(), 1);
    }

    #[test]
    fn contradictions_are_not_read() {
        assert_eq!(Bound::stored(4, 3, false), None);
        assert!(Bound::stored(3, 3, true).is_some());
    }
}
