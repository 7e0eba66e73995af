//! Combines successive edits into splices of the original text.

use std::ops::Range;

use sprag_core::Splice;

/// A text as pieces of an old text, with new text between them.
pub(crate) struct Pieces<'t> {
    old: &'t str,
    pieces: Vec<TextPiece>,
}

enum TextPiece {
    Old(Range<usize>),
    New(String),
}

impl TextPiece {
    fn len(&self) -> usize {
        match self {
            Self::Old(range) => range.len(),
            Self::New(text) => text.len(),
        }
    }

    /// Returns the part of this piece between two offsets into it.
    fn part(&self, from: usize, to: usize) -> Self {
        match self {
            Self::Old(range) => Self::Old(range.start + from..range.start + to),
            Self::New(text) => Self::New(text[from..to].to_owned()),
        }
    }
}

impl<'t> Pieces<'t> {
    /// Starts with the whole old text.
    pub(crate) fn new(old: &'t str) -> Self {
        Self { old, pieces: vec![TextPiece::Old(0..old.len())] }
    }

    /// Applies splices whose offsets refer to the current text.
    pub(crate) fn apply(&mut self, splices: &[Splice]) {
        for splice in splices.iter().rev() {
            self.replace(splice);
        }
    }

    fn replace(&mut self, splice: &Splice) {
        let mut out = Vec::with_capacity(self.pieces.len() + 2);
        let mut at = 0;
        let mut placed = false;
        for piece in self.pieces.drain(..) {
            let len = piece.len();
            let before = splice.range.start.saturating_sub(at).min(len);
            let after = splice.range.end.saturating_sub(at).min(len).max(before);
            out.push(piece.part(0, before));
            if !placed && splice.range.start <= at + len {
                out.push(TextPiece::New(splice.text.clone()));
                placed = true;
            }
            out.push(piece.part(after, len));
            at += len;
        }
        if !placed {
            out.push(TextPiece::New(splice.text.clone()));
        }
        out.retain(|piece| piece.len() > 0);
        self.pieces = out;
    }

    /// Returns the splices that turn the old text into this one, without those that change nothing.
    pub(crate) fn splices(&self) -> Vec<Splice> {
        let mut splices = Vec::new();
        let mut pending = Splice { range: 0..0, text: String::new() };
        let end = TextPiece::Old(self.old.len()..self.old.len());
        for piece in self.pieces.iter().chain([&end]) {
            match piece {
                TextPiece::New(text) => pending.text.push_str(text),
                TextPiece::Old(range) => {
                    pending.range.end = range.start;
                    splices.extend(self.trimmed(&pending));
                    pending = Splice { range: range.end..range.end, text: String::new() };
                }
            }
        }
        splices
    }

    /// Trims the parts that a splice would replace by themselves.
    fn trimmed(&self, splice: &Splice) -> Option<Splice> {
        let inner = sprag_core::between(&self.old[splice.range.clone()], &splice.text)?;
        let start = splice.range.start;
        Some(Splice { range: start + inner.range.start..start + inner.range.end, text: inner.text })
    }
}

/// Returns the splices that undo `splices`: applied to the edited text, they restore `before`.
///
/// The splices must fit `before`, as those of [`Document::edit`](crate::Document::edit) do.
pub fn inverse(before: &str, splices: &[Splice]) -> Vec<Splice> {
    let mut undo = Vec::with_capacity(splices.len());
    let (mut done, mut at) = (0, 0);
    for splice in splices {
        at += splice.range.start - done;
        let text = before[splice.range.clone()].to_owned();
        undo.push(Splice { range: at..at + splice.text.len(), text });
        at += splice.text.len();
        done = splice.range.end;
    }
    undo
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(range: Range<usize>, text: &str) -> Splice {
        Splice { range, text: text.to_owned() }
    }

    #[test]
    fn edits_after_edits_add_up() {
        let mut pieces = Pieces::new("one two three");
        pieces.apply(&[splice(0..3, "1"), splice(8..8, "x ")]);
        pieces.apply(&[splice(2..5, "2"), splice(6..7, "y")]);
        assert_eq!(pieces.splices(), [splice(0..3, "1"), splice(4..7, "2"), splice(8..8, "y ")]);
    }

    #[test]
    fn there_and_back_is_nothing() {
        let mut pieces = Pieces::new("one two");
        pieces.apply(&[splice(0..3, "1")]);
        pieces.apply(&[splice(0..1, "one")]);
        assert_eq!(pieces.splices(), []);
    }

    #[test]
    fn the_inverse_leads_back() {
        let before = "one two three";
        let splices = [splice(0..3, "1"), splice(7..7, "!!"), splice(8..13, "")];
        let after = sprag_core::apply(before, &splices).unwrap();
        assert_eq!(sprag_core::apply(&after, &inverse(before, &splices)).unwrap(), before);
    }
}
