//! Readers during many commits: they see whole texts, and matching documents of one commit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sprag_core::Time;
use sprag_store::{CommitRequest, Doc, Edit, StoreError, View};
use sprag_testkit::skip;

use crate::project::{Project, doc};

/// Long enough for several pages, so that a torn text would show.
fn text(number: usize) -> String {
    format!("{number}\n").repeat(4000)
}

fn is_whole(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    text.lines().count() == 4000 && text.lines().all(|line| line == first) && text.ends_with('\n')
}

fn write_pairs(project: &Project, writer: usize, count: usize) {
    let store = project.store();
    for number in 0..count {
        let text = text(writer * 100_000 + number);
        let edit = |name: &str| Edit::Write { doc: doc(name), text: text.clone() };
        let decide = |_: &View<'_>| -> Result<CommitRequest, StoreError> {
            let edits = vec![edit("a.md"), edit("notes/b.md")];
            Ok(CommitRequest {
                at: Time::from_millis(0),
                actor: "storm".into(),
                events: vec![],
                edits,
            })
        };
        store.commit(Duration::from_secs(30), decide).unwrap();
    }
}

/// Reads until the commits are over; returns the number of different pairs.
fn read_pairs(project: &Project, over: &AtomicBool) -> usize {
    let store = project.store();
    let (mut last, mut different) = (Doc::Absent, 0);
    while !over.load(Ordering::Relaxed) {
        let (a, b) = store
            .read(|view| {
                Ok::<_, StoreError>((view.read(&doc("a.md")), view.read(&doc("notes/b.md"))))
            })
            .unwrap();
        assert_eq!(a, b, "two documents of one commit differ");
        assert!(a.text().is_some_and(is_whole), "torn");
        different += usize::from(a != last);
        last = a;
    }
    different
}

/// Reads the bare file, as an editor would.
fn read_file(project: &Project, over: &AtomicBool) {
    while !over.load(Ordering::Relaxed) {
        assert!(is_whole(&project.disk("a.md").unwrap()), "the file is torn");
    }
}

#[test]
fn readers_never_see_half_a_commit() {
    let project = Project::new();
    write_pairs(&project, 1, 1);
    let (over, count) = (AtomicBool::new(false), if skip::is_long() { 1000 } else { 50 });
    let seen = std::thread::scope(|scope| {
        let readers = [0; 2].map(|_| scope.spawn(|| read_pairs(&project, &over)));
        scope.spawn(|| read_file(&project, &over));
        let writers = [2, 3].map(|writer| {
            let project = &project;
            scope.spawn(move || write_pairs(project, writer, count))
        });
        let wrote: Vec<bool> = writers.map(|writer| writer.join().is_ok()).into();
        over.store(true, Ordering::Relaxed);
        assert_eq!(wrote, [true, true], "a writer failed");
        readers.map(|reader| reader.join().unwrap())
    });
    assert!(seen.iter().all(|&different| different > 3), "the readers saw no storm: {seen:?}");
}
