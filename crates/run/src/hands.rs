//! Threads that are kept, one for each agent that works at the same time.
//!
//! A thread has memory of its own, which the system's allocator keeps when the thread is gone. With
//! a new one for each unit, that of a long run would grow and grow.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;

type Job<'e> = Box<dyn FnOnce() + Send + 'e>;

/// Does jobs beside each other; dropped, its threads end with what they do.
pub(crate) struct Hands<'s, 'e> {
    scope: &'s Scope<'s, 'e>,
    jobs: Sender<Job<'e>>,
    next: Arc<Mutex<Receiver<Job<'e>>>>,
    many: usize,
}

impl<'s, 'e: 's> Hands<'s, 'e> {
    pub(crate) fn new(scope: &'s Scope<'s, 'e>) -> Self {
        let (jobs, next) = channel();
        Self { scope, jobs, next: Arc::new(Mutex::new(next)), many: 0 }
    }

    /// Begins a job while so many others are `busy`; none waits for another.
    pub(crate) fn begin(&mut self, busy: usize, job: impl FnOnce() + Send + 'e) {
        if busy >= self.many {
            let next = Arc::clone(&self.next);
            self.scope.spawn(move || work(&next));
            self.many += 1;
        }
        // It cannot fail: one end is here.
        let _ = self.jobs.send(Box::new(job));
    }
}

/// Does one job after the other, until nobody can give any more.
fn work(next: &Mutex<Receiver<Job<'_>>>) {
    let take = || next.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(job) = take() {
        job();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::thread::ThreadId;

    use super::*;

    #[test]
    fn as_many_threads_do_all_jobs_as_there_are_at_once() {
        let ids = Mutex::new(Vec::<ThreadId>::new());
        let both = Barrier::new(2);
        let (done, is_done) = channel();
        std::thread::scope(|scope| {
            let mut hands = Hands::new(scope);
            for _ in 0..50 {
                for busy in 0..2 {
                    let (ids, both, done) = (&ids, &both, done.clone());
                    hands.begin(busy, move || {
                        // Either waits for the other, so they are not one after the other.
                        both.wait();
                        ids.lock().unwrap().push(std::thread::current().id());
                        done.send(()).unwrap();
                    });
                }
                is_done.recv().unwrap();
                is_done.recv().unwrap();
            }
        });
        let ids = ids.into_inner().unwrap();
        assert_eq!(ids.len(), 100);
        assert_eq!(ids.into_iter().collect::<HashSet<_>>().len(), 2);
    }
}
