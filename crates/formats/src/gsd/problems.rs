//! Errors in a tree, and texts with two readings, each with its file, line and rule.

use sprag_core::DocPath;
use sprag_core::gsd::{Quirk, QuirkReader, Reading, Unread};

use crate::fault::Fault;
use crate::place::Place;
use crate::workflow::{Problem, ProblemPosition, Weight};

/// A place where the original's reading differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// The original's mistake.
    pub quirk: Quirk,
    pub file: String,
    /// The position in the file.
    pub place: Place,
}

/// The most places reported per document; more would not be read.
const MOST: usize = 16;

/// The findings from reading a tree.
#[derive(Debug)]
pub(super) struct Problems {
    pub(super) reading: Reading,
    /// Whether the result depends on the part being read now.
    pub(super) needed: bool,
    pub(super) all: Vec<Problem>,
    pub(super) noted: Vec<Noted>,
    pub(super) unreadable: Vec<Unread>,
}

impl Problems {
    pub(super) const fn new(reading: Reading) -> Self {
        Self { reading, needed: true, all: Vec::new(), noted: Vec::new(), unreadable: Vec::new() }
    }

    /// Reads a text and records where the two readings differ.
    pub(super) fn read<T>(
        &mut self,
        file: &str,
        text: &str,
        read: impl FnOnce(&str, &mut QuirkReader<usize>) -> T,
    ) -> T {
        let mut reader = QuirkReader::new(self.reading);
        let value = read(text, &mut reader);
        for (quirk, at) in reader.into_notes().into_iter().take(MOST) {
            self.note(quirk, file, text, at);
        }
        value
    }

    fn note(&mut self, quirk: Quirk, file: &str, text: &str, at: usize) {
        let problem = ProblemPosition::of(file, text, at).problem(Weight::Warns, both_ways(quirk));
        let noted = Noted { quirk, file: problem.file.clone(), place: problem.place };
        // A document may be read several times.
        if !self.noted.contains(&noted) {
            self.noted.push(noted);
            self.all.push(problem);
        }
    }

    /// Records that names in a folder have two readings.
    pub(super) fn names<T>(
        &mut self,
        folder: &str,
        read: impl FnOnce(&mut QuirkReader<usize>) -> T,
    ) -> T {
        self.read(folder, "", |_, reader| read(reader))
    }

    /// Reports a warning at a position.
    pub(super) fn warn(&mut self, file: &str, text: &str, at: usize, what: String) {
        self.all.push(ProblemPosition::of(file, text, at).problem(Weight::Warns, what));
    }

    /// Reports a fault of a document that is used nevertheless.
    pub(super) fn fault(&mut self, file: &str, text: &str, fault: &Fault, weight: Weight) {
        let line = text.split('\n').nth(fault.place.line.saturating_sub(1)).unwrap_or_default();
        let line = Some(line.trim_end_matches('\r').to_owned());
        let (file, place, help) = (file.to_owned(), fault.place, fault.advice());
        self.all.push(Problem { file, place, line, text: fault.what.clone(), help, weight });
    }

    /// Reports an unreadable document, so that it does not count as empty.
    pub(super) fn unread(&mut self, path: &str, why: &str) {
        if let (Ok(path), true) = (DocPath::parse(path), self.needed) {
            self.unreadable.push(Unread { path, why: why.to_owned() });
        }
        let text = format!("it cannot be read: {why}");
        self.all.push(ProblemPosition::top(path).problem(Weight::Rejects, text));
    }
}

fn both_ways(quirk: Quirk) -> String {
    format!("GSD {}; sprag will {} ({})", quirk.theirs(), quirk.ours(), quirk.name())
}
