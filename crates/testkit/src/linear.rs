//! Decides whether a history of operations on one register is linearizable.
//!
//! Wing and Gong's search: put the operations one after another so that each saw what the ones
//! before it left, and none stands before one that had returned before it was called. Two things
//! keep it fast. An operation that only looked is put down the moment it fits, because moving it
//! forward can never take another's place; and what remains to choose, which change comes next, is
//! remembered as (what is placed, value), so no choice is explored twice. When every change writes
//! a value of its own, there is hardly a choice left and the search is linear in practice.

use std::collections::HashSet;

#[cfg(test)]
mod tests;

/// What the register holds; every change should write one that nobody wrote before.
pub type Value = u64;

/// What one operation turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It saw this value and changed nothing: a read, or a swap that was refused.
    Saw(Value),
    /// It was told that it had changed the first value into the second.
    Swapped(Value, Value),
    /// It asked for this change and died before the answer: it happened once, later, or never.
    Unclear(Value, Value),
}

/// One operation of a history, on a clock that all processes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The process that made it.
    pub process: u32,
    /// Just before it was called.
    pub called: u64,
    /// Just after it returned; of no meaning for [`What::Unclear`].
    pub returned: u64,
    /// What it turned out to be.
    pub what: What,
}

/// Says where every order of a history comes to an end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not linearizable: after {placed} operations the value is {value}, and none of {stuck:?} can come next"
)]
pub struct NotLinear {
    /// The length of the longest order that was found.
    pub placed: usize,
    /// What the register held at its end.
    pub value: Value,
    /// The operations of which one would have to come next.
    pub stuck: Vec<Operation>,
}

/// Looks for an order of `history` that begins with `first` in the register.
pub fn check(first: Value, history: &[Operation]) -> Result<(), NotLinear> {
    Search::new(history).run(first)
}

/// A place where the next change had to be chosen: what was placed before, what is left to try.
struct Choice {
    placed: usize,
    open: Vec<usize>,
}

struct Search {
    operations: Vec<Operation>,
    /// A list of what is not placed, by time of call: `next[0]` is the first; `i + 1` is operation `i`.
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
            // Only where there was a choice can two ways lead to the same place.
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

    /// Places the next change that was not tried, going back as far as it must.
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
            // The change that led here stands just before `placed`; it goes back with the rest.
            while self.order.len() > placed.saturating_sub(1) {
                self.take_back();
            }
        }
        None
    }

    /// Places every operation that saw `value` and may come now, until none is left.
    fn place_what_saw(&mut self, value: Value) {
        while let Some(index) = self
            .eligible()
            .into_iter()
            .find(|&index| self.operations[index].what == What::Saw(value))
        {
            self.place(index);
        }
    }

    /// Returns the changes away from `value` that may come now; the surest is last, to be tried first.
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

    /// Returns what is not placed and was called before anything not placed returned.
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
