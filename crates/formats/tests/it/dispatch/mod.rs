//! A finished task is never dispatched again: with random trees, random agents and random answers
//! of rules, including rules that ask for exactly that.
//!
//! The tree is in memory. Every step reads the files again, as the engine does, lets the kernel
//! decide, and writes the result.

mod rules;
mod tree;
mod world;

use crate::random::Random;
use crate::support::long;
use world::World;

#[test]
fn a_finished_task_is_never_dispatched_again() {
    let wanted = if long() { 100_000 } else { 10_000 };
    let (mut dispatched, mut seed, mut reworked, mut done) = (0, 0, 0, 0);
    while dispatched < wanted {
        let mut world = World::new(Random::new(seed));
        for _ in 0..60 {
            if !world.step() {
                break;
            }
        }
        dispatched += world.dispatched;
        reworked += world.reworked;
        done += usize::from(world.is_done());
        seed += 1;
        assert!(seed < wanted as u64, "nothing is dispatched at all");
    }
    // The interesting cases did occur.
    assert!(reworked * 10 > dispatched, "{reworked} of {dispatched} came from rules");
    assert!(done > 0, "no tree was ever finished");
}
