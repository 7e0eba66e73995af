//! Decides whether a history of operations on one register is linearizable.
//!
//! This is Wing and Gong's search: order the operations so that each saw the result of those before
//! it, and none precedes an operation that returned before it was called. Two things keep it fast.
//! A read is placed as soon as it fits, because placing it earlier never blocks another operation.
//! And each choice of the next change is remembered as (placed operations, value), so that none is
//! explored twice. If every change writes a different value, there is hardly a choice left and the
//! search is linear in practice.

use std::collections::HashSet;

#[cfg(test)]
mod tests;

/// The register's value. Every change should write a new one.
pub type Value = u64;

/// The observed result of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It saw this value and changed nothing: a read, or a swap that was refused.
    Saw(Value),
    /// It was confirmed to have changed the first value into the second.
    Swapped(Value, Value),
    /// It asked for this change and died before the answer: the change happened once, later, or
    /// never.
    Unclear(Value, Value),
}

/// One operation of a history, timed by a clock that all processes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The process that made it.
    pub process: u32,
    /// The time just before the call.
    pub called: u64,
    /// The time just after it returned; meaningless for [`What::Unclear`].
    pub returned: u64,
    pub what: What,
}

/// Where every possible order of a history ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not linearizable: after {placed} operations the value is {value}, and none of {stuck:?} can come next"
)]
pub struct NotLinear {
    /// The length of the longest order found.
    pub placed: usize,
    /// The register's value at its end.
    pub value: Value,
    /// The operations of which one would have to come next.
    pub stuck: Vec<Operation>,
}

/// Looks for an order of `history` that starts with `first` in the register.
pub fn check(first: Value, history: &[Operation]) -> Result<(), NotLinear> {
    Search::new(history).run(first)
}

/// A point where the next change was chosen: the number of operations placed before, and the
/// changes still to try.
struct Choice {
    placed: usize,
    open: Vec<usize>,
}

struct Search {
    operations: Vec<Operation>,
    /// A linked list of the operations not yet placed, by time of call: `next[0]` is the head; slot
    /// `i + 1` is operation `i`.
    next: Vec<usize>,
    previous: Vec<usize>,
    /// Operations that returned, by time of return; all before `returned` are placed.
    by_return: Vec<usize>,
    returned: usize,
    is_placed: Vec<bool>,
    order: Vec<usize>,
}

impl Search {
    fn new(history: &[Operation]) -> Self {
        let mut operations = history.to_vec();
        operations.sort_by_key(|operation| operation.called);
        let count = operations.len();
        let mut by_return: Vec<usize> =
            (0..count).filter(|&index| !is_unclear(&operations[index])).collect();
        by_return.sort_by_key(|&index| operations[index].returned);
        Self {
            next: (1..=count + 1).collect(),
            previous: (0..=count + 1).map(|slot| slot.saturating_sub(1)).collect(),
            by_return,
            returned: 0,
            is_placed: vec![false; count],
            order: Vec::with_capacity(count),
            operations,
        }
    }

    fn run(mut self, first: Value) -> Result<(), NotLinear> {
        let mut value = first;
        let mut choices: Vec<Choice> = Vec::new();
        let mut seen: HashSet<(Vec<bool>, Value)> = HashSet::new();
        let mut worst: Option<NotLinear> = None;
        loop {
            let placed = self.order.len();
            self.place_what_saw(value);
            if self.returned == self.by_return.len() {
                return Ok(());
            }
            let mut open = self.changes_from(value);
            // Only after a choice can two paths lead to the same state.
            if open.len() > 1 && !seen.insert((self.is_placed.clone(), value)) {
                open.clear();
            }
            if open.is_empty() && worst.as_ref().is_none_or(|known| known.placed < self.order.len())
            {
                worst = Some(self.describe(value));
            }
            choices.push(Choice { placed, open });
            match self.take_next(&mut choices) {
                Some(changed) => value = changed,
                None => return Err(worst.unwrap_or_else(|| self.describe(first))),
            }
        }
    }

    /// Places the next untried change, going back as far as needed.
    fn take_next(&mut self, choices: &mut Vec<Choice>) -> Option<Value> {
        while let Some(choice) = choices.last_mut() {
            if let Some(index) = choice.open.pop() {
                self.place(index);
                return match self.operations[index].what {
                    What::Saw(value) => Some(value),
                    What::Swapped(_, to) | What::Unclear(_, to) => Some(to),
                };
            }
            let placed = choice.placed;
            choices.pop();
            // The change that led here is just before `placed`; it is taken back with the rest.
            while self.order.len() > placed.saturating_sub(1) {
                self.take_back();
            }
        }
        None
    }

    /// Places every eligible operation that saw `value`, until none is left.
    fn place_what_saw(&mut self, value: Value) {
        while let Some(index) = self
            .eligible()
            .into_iter()
            .find(|&index| self.operations[index].what == What::Saw(value))
        {
            self.place(index);
        }
    }

    /// Returns the eligible changes away from `value`; the most certain is last, to be tried first.
    fn changes_from(&self, value: Value) -> Vec<usize> {
        let mut open: Vec<usize> = self
            .eligible()
            .into_iter()
            .filter(|&index| match self.operations[index].what {
                What::Swapped(from, _) | What::Unclear(from, _) => from == value,
                What::Saw(_) => false,
            })
            .collect();
        open.sort_by_key(|&index| !is_unclear(&self.operations[index]));
        open
    }

    /// Returns the unplaced operations that were called before any unplaced one returned.
    fn eligible(&self) -> Vec<usize> {
        let until = self.by_return[self.returned..]
            .first()
            .map_or(u64::MAX, |&index| self.operations[index].returned);
        let end = self.operations.len() + 1;
        std::iter::successors(Some(self.next[0]), |&slot| self.next.get(slot).copied())
            .take_while(|&slot| slot != end)
            .map(|slot| slot - 1)
            .take_while(|&index| self.operations[index].called <= until)
            .collect()
    }

    fn place(&mut self, index: usize) {
        let slot = index + 1;
        self.next[self.previous[slot]] = self.next[slot];
        self.previous[self.next[slot]] = self.previous[slot];
        self.is_placed[index] = true;
        self.order.push(index);
        while self.by_return.get(self.returned).is_some_and(|&index| self.is_placed[index]) {
            self.returned += 1;
        }
    }

    fn take_back(&mut self) {
        let Some(index) = self.order.pop() else { return };
        let slot = index + 1;
        self.next[self.previous[slot]] = slot;
        self.previous[self.next[slot]] = slot;
        self.is_placed[index] = false;
        let operations = &self.operations;
        if !is_unclear(&operations[index]) {
            let before = |&other: &usize| operations[other].returned < operations[index].returned;
            self.returned = self.returned.min(self.by_return.partition_point(before));
        }
    }

    fn describe(&self, value: Value) -> NotLinear {
        let stuck = self.eligible().into_iter().map(|index| self.operations[index]).collect();
        NotLinear { placed: self.order.len(), value, stuck }
    }
}

fn is_unclear(operation: &Operation) -> bool {
    matches!(operation.what, What::Unclear(..))
}
