//! A pool with one thread per concurrent agent.
//!
//! The system's allocator keeps a thread's memory after the thread has ended. With a new thread for
//! each unit, a long run would grow without bound.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;

type Job<'e> = Box<dyn FnOnce() + Send + 'e>;

/// Runs jobs concurrently. When it is dropped, each thread ends after its current job.
pub(crate) struct AgentThreads<'s, 'e> {
    scope: &'s Scope<'s, 'e>,
    jobs: Sender<Job<'e>>,
    next: Arc<Mutex<Receiver<Job<'e>>>>,
    many: usize,
}

impl<'s, 'e: 's> AgentThreads<'s, 'e> {
    pub(crate) fn new(scope: &'s Scope<'s, 'e>) -> Self {
        let (jobs, next) = channel();
        Self { scope, jobs, next: Arc::new(Mutex::new(next)), many: 0 }
    }

    /// Starts a job while `busy` others run; it never waits for another job.
    pub(crate) fn begin(&mut self, busy: usize, job: impl FnOnce() + Send + 'e) {
        if busy >= self.many {
            let next = Arc::clone(&self.next);
            self.scope.spawn(move || work(&next));
            self.many += 1;
        }
        // This cannot fail: the receiver is alive here.
        let _ = self.jobs.send(Box::new(job));
    }
}

/// Runs jobs until the pool is dropped.
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
            let mut hands = AgentThreads::new(scope);
            for _ in 0..50 {
                for busy in 0..2 {
                    let (ids, both, done) = (&ids, &both, done.clone());
                    hands.begin(busy, move || {
                        // Each waits for the other, so they run concurrently.
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
