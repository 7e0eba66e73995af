//! Mistakes of the original in reading a tree, which sprag does not make.
//!
//! Every place where sprag reads a tree differently from the original names its [`Quirk`]. So a
//! tree can be read both ways: `check` points at the line, `init` explains why sprag's next unit
//! differs, and the recorded answers of the original contain both readings.

/// The rules by which a tree is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Ours,
    /// Those of GSD-2 v3.0.0, including its mistakes.
    Original,
}

/// Reads one way and notes the places where the other reading differs.
#[derive(Clone, Debug)]
pub struct QuirkReader<P> {
    reading: Reading,
    notes: Vec<(Quirk, P)>,
}

impl<P> QuirkReader<P> {
    pub const fn new(reading: Reading) -> Self {
        Self { reading, notes: Vec::new() }
    }

    /// Notes that the readings differ here, and returns whether sprag's is wanted.
    pub fn mends(&mut self, quirk: Quirk, place: P) -> bool {
        self.notes.push((quirk, place));
        self.reading == Reading::Ours
    }

    /// Returns the value of the selected reading, and notes the place if the two differ.
    pub fn pick<T: PartialEq>(&mut self, quirk: Quirk, place: P, ours: T, theirs: T) -> T {
        if ours == theirs || self.mends(quirk, place) { ours } else { theirs }
    }

    pub const fn reading(&self) -> Reading {
        self.reading
    }

    /// Returns the notes in order.
    pub fn into_notes(self) -> Vec<(Quirk, P)> {
        self.notes
    }
}

macro_rules! quirks {
    ($($variant:ident $name:literal: $theirs:literal, $ours:literal;)*) => {
        /// A mistake of the original that sprag avoids.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Quirk {
            $(#[doc = concat!("The original ", $theirs, "; we ", $ours, ".")] $variant,)*
        }

        impl Quirk {
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the name used in docs/differences.md and in the recorded answers.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// Describes the original's behaviour.
            pub const fn theirs(self) -> &'static str {
                match self { $(Self::$variant => $theirs),* }
            }

            /// Describes sprag's behaviour.
            pub const fn ours(self) -> &'static str {
                match self { $(Self::$variant => $ours),* }
            }
        }
    };
}

quirks! {
    TableDoneWords "table-done-words": "takes the word done or complete anywhere in a row for a done slice", "ask the column of the state";
    TableRiskWords "table-risk-words": "takes high, low or medium anywhere in a row for the risk", "ask the risk column";
    TableRange "table-range": "reads `S01-S04` in a table as S01 and S04", "read the slices between them too";
    TableEmptyCell "table-empty-cell": "drops empty cells, so that the columns shift", "count them";
    OnePipe "one-pipe": "reads a list with one `|` in it as a table and loses the other slices", "read it as a list";
    UntitledHeading "untitled-heading": "takes the next line for the title of a heading that has none", "take the id";
    Fenced "fenced": "takes boxes and headings inside code fences for work", "leave code alone";
    DecisionHeading "decision-heading": "takes a heading such as `### D001: …` for a task", "want a task's id to begin with T";
    LostTask "lost-task": "loses a task that stands before one it already knows", "keep it, in the order of the file";
    DuplicateTask "duplicate-task": "counts a task twice that is there twice", "take the first";
    FrontMatter "front-matter": "reads front matter line by line, without nesting, quotes or CRLF", "read it as YAML";
    DependsOn "depends-on": "ignores `depends_on` unless it is a list, and keeps its case", "take one id too, in upper case";
    VerdictKey "verdict-key": "takes the first text that ends in `verdict:` for the verdict", "take the key of that name";
    VerdictTemplate "verdict-template": "reads an unfilled template, `pass | needs-…`, as passed", "read it as no verdict";
    VerdictHead "verdict-head": "sees no front matter with CRLF or after a blank line", "see it";
    NegatedFailure "negated-failure": "takes the words `no verification failed` for a failure", "see the negation";
    BareName "bare-name": "takes `tasks/summary.md` for the summary of every task", "want the task's id in the name";
    SameId "same-id": "lists two folders with one id as two milestones", "take the first and say so";
    DraftLeak "draft-leak": "takes a milestone for a draft because an earlier, blocked one is", "look at the milestone itself";
    AttentionFirst "attention-first": "parks a milestone that needs attention although its summary is written", "let the summary end it";
    UncheckedDeps "unchecked-deps": "continues a milestone whose slices are done although its dependency is not", "wait for what it depends on";
    CompleteUnsummarised "complete-unsummarised": "shows a validated milestone as complete before its summary is written", "show it as pending";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_read_alike_is_not_noted() {
        let mut reader = QuirkReader::new(Reading::Original);
        assert_eq!(reader.pick(Quirk::Fenced, 1, "a", "a"), "a");
        assert_eq!(reader.pick(Quirk::Fenced, 2, "a", "b"), "b");
        assert!(!reader.mends(Quirk::OnePipe, 3));
        assert_eq!(reader.into_notes(), [(Quirk::Fenced, 2), (Quirk::OnePipe, 3)]);
        assert_eq!(QuirkReader::new(Reading::Ours).pick(Quirk::Fenced, (), 1, 2), 1);
    }

    #[test]
    fn no_name_is_given_twice() {
        let mut names: Vec<_> = Quirk::ALL.iter().map(|quirk| quirk.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Quirk::ALL.len());
    }
}
