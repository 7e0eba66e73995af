//! What is wrong with a tree, or read in two ways, each with its file, line and rule.

use sprag_core::DocPath;
use sprag_core::gsd::{Quirk, Reader, Reading, Unread};

use crate::fault::Fault;
use crate::place::Place;
use crate::workflow::{Problem, Spot, Weight};

/// A place where the original reads something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// What it gets wrong.
    pub quirk: Quirk,
    /// The file.
    pub file: String,
    /// The place in it.
    pub place: Place,
}

/// How many places of one document are said; nobody reads more.
const MOST: usize = 16;

/// Everything that was found while a tree was read.
#[derive(Debug)]
pub(super) struct Problems {
    pub(super) reading: Reading,
    /// Whether the answer depends on what is read now.
    pub(super) needed: bool,
    pub(super) all: Vec<Problem>,
    pub(super) noted: Vec<Noted>,
    pub(super) unreadable: Vec<Unread>,
}

impl Problems {
    pub(super) const fn new(reading: Reading) -> Self {
        Self { reading, needed: true, all: Vec::new(), noted: Vec::new(), unreadable: Vec::new() }
    }

    /// Reads a text and notes where the readings differ.
    pub(super) fn read<T>(
        &mut self,
        file: &str,
        text: &str,
        read: impl FnOnce(&str, &mut Reader<usize>) -> T,
    ) -> T {
        let mut reader = Reader::new(self.reading);
        let value = read(text, &mut reader);
        for (quirk, at) in reader.into_notes().into_iter().take(MOST) {
            self.note(quirk, file, text, at);
        }
        value
    }

    fn note(&mut self, quirk: Quirk, file: &str, text: &str, at: usize) {
        let problem = Spot::of(file, text, at).problem(Weight::Warns, both_ways(quirk));
        let noted = Noted { quirk, file: problem.file.clone(), place: problem.place };
        // A document may be read for several things.
        if !self.noted.contains(&noted) {
            self.noted.push(noted);
            self.all.push(problem);
        }
    }

    /// Notes that names in a folder are read in two ways.
    pub(super) fn names<T>(
        &mut self,
        folder: &str,
        read: impl FnOnce(&mut Reader<usize>) -> T,
    ) -> T {
        self.read(folder, "", |_, reader| read(reader))
    }

    /// Says what is wrong at a place.
    pub(super) fn warn(&mut self, file: &str, text: &str, at: usize, what: String) {
        self.all.push(Spot::of(file, text, at).problem(Weight::Warns, what));
    }

    /// Says that a document is not as it should be, and is used all the same.
    pub(super) fn fault(&mut self, file: &str, text: &str, fault: &Fault, weight: Weight) {
        let line = text.split('\n').nth(fault.place.line.saturating_sub(1)).unwrap_or_default();
        let line = Some(line.trim_end_matches('\r').to_owned());
        let (file, place, help) = (file.to_owned(), fault.place, fault.advice());
        self.all.push(Problem { file, place, line, text: fault.what.clone(), help, weight });
    }

    /// Says that a document cannot be read, so that nobody takes it for an empty one.
    pub(super) fn unread(&mut self, path: &str, why: &str) {
        if let (Ok(path), true) = (DocPath::parse(path), self.needed) {
            self.unreadable.push(Unread { path, why: why.to_owned() });
        }
        let text = format!("it cannot be read: {why}");
        self.all.push(Spot::top(path).problem(Weight::Rejects, text));
    }
}

fn both_ways(quirk: Quirk) -> String {
    format!("GSD {}; sprag will {} ({})", quirk.theirs(), quirk.ours(), quirk.name())
}
