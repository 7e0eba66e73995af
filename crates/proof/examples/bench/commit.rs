//! Measures a durable commit of one document against the minimum that durability requires.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use sprag_core::{DocPath, Seq, Time};
use sprag_store::{CommitRequest, Edit, Place, Store, StoreError, View};

use crate::rounds::Pair;
use crate::{Failure, Figure};

/// Measures a commit against a bare append and `fdatasync` of a line as long as the journal's.
pub(crate) fn against_append(scratch: &Path, runs: usize) -> Result<Figure, Failure> {
    let root = scratch.join("commits");
    std::fs::create_dir(&root)?;
    let store = Store::open(&Place::of(&root), Seq(1))?;
    let doc = DocPath::parse("state.yaml")?;
    let mut number = 0;
    let mut commit = || -> Result<(), Failure> {
        number += 1;
        let text = format!("number: {number}\n");
        let decide = |view: &View<'_>| -> Result<CommitRequest, StoreError> {
            view.read(&doc);
            let edits = vec![Edit::Write { doc: doc.clone(), text: text.clone() }];
            Ok(CommitRequest {
                at: Time::from_millis(0),
                actor: "bench".into(),
                events: vec![],
                edits,
            })
        };
        store.commit_at_once(Duration::from_secs(5), decide)?;
        Ok(())
    };
    commit()?;
    let mut file = OpenOptions::new().create(true).append(true).open(scratch.join("appended"))?;
    let line = format!("{}\n", "x".repeat(400));
    let append = || -> Result<(), Failure> {
        file.write_all(line.as_bytes())?;
        Ok(file.sync_data()?)
    };
    let pair = Pair::measure(runs, commit, append)?;
    Ok(pair.ratio("durable commit of a document / append + fdatasync", Some(5.0)))
}
