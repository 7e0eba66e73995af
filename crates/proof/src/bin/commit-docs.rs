//! Commits several documents in one commit, and then prints `ok SEQ`.
//!
//! `commit-docs ROOT WORD…` takes the words of [`sprag_proof::edits`]; `commit-docs ROOT read DOC…`
//! prints documents instead. The exit codes are those of [`sprag_proof::exit`].

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use sprag_core::{DocPath, Seq, Time};
use sprag_proof::edits::Word;
use sprag_proof::exit;
use sprag_store::{
    CommitError, CommitRequest, Committed, Doc, Event, Place, Store, StoreError, View,
};

const WAIT: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((root, rest)) = words.split_first() else { return usage() };
    let place = sprag_proof::place(Path::new(root));
    let done = match rest.split_first() {
        Some((first, docs)) if first == "read" => read(&place, docs),
        Some(_) => commit(&place, rest),
        None => return usage(),
    };
    ExitCode::from(done)
}

fn usage() -> ExitCode {
    complain("usage: commit-docs ROOT (DOC=TEXT | DOC+=TEXT | DOC!)… | ROOT read DOC…");
    ExitCode::from(exit::USAGE)
}

fn complain(text: &str) {
    // If standard error is gone too, the exit code must suffice.
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn commit(place: &Place, words: &[String]) -> u8 {
    let Some(words) = words.iter().map(|word| Word::parse(word)).collect::<Option<Vec<_>>>() else {
        complain("a word is not an edit");
        return exit::USAGE;
    };
    let decide = |view: &View<'_>| -> Result<CommitRequest, std::convert::Infallible> {
        Ok(CommitRequest {
            at: Time::from_millis(1_700_000_000_000),
            actor: "commit-docs".to_owned(),
            events: vec![Event {
                run: None,
                kind: "proof.commit".into(),
                data: words.len().into(),
            }],
            edits: words.iter().map(|word| word.edit(view)).collect(),
        })
    };
    let store = Store::open(place, Seq(1)).map_err(CommitError::Store);
    match store.and_then(|store| store.commit(WAIT, decide)) {
        Ok(committed) => report(&committed),
        Err(error) => {
            complain(&format!("{error}"));
            exit::of(&error)
        }
    }
}

fn report(committed: &Committed) -> u8 {
    let seq = committed.seq.map_or(0, |seq| seq.0);
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "ok {seq}").and_then(|()| out.flush()) {
        complain(&format!("committed as event {seq}, but cannot say so on /dev/stdout: {error}"));
        return exit::UNHEARD;
    }
    for error in &committed.unwritten {
        complain(&format!("committed as event {seq}, not yet written: {error}"));
    }
    if committed.unwritten.is_empty() { exit::WRITTEN } else { exit::UNWRITTEN }
}

fn read(place: &Place, docs: &[String]) -> u8 {
    let Ok(docs) = docs.iter().map(|doc| DocPath::parse(doc)).collect::<Result<Vec<_>, _>>() else {
        complain("a word is not a document");
        return exit::USAGE;
    };
    let look = |view: &View<'_>| -> Result<Vec<Doc>, StoreError> {
        Ok(docs.iter().map(|doc| view.read(doc)).collect())
    };
    let seen = match Store::open(place, Seq(1)).and_then(|store| store.read(look)) {
        Ok(seen) => seen,
        Err(error) => {
            complain(&format!("{error}"));
            return exit::of::<()>(&CommitError::Store(error));
        }
    };
    for (path, doc) in docs.iter().zip(seen) {
        if writeln!(std::io::stdout(), "{path}: {doc:?}").is_err() {
            return exit::UNHEARD;
        }
    }
    exit::WRITTEN
}
