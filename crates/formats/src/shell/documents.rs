//! Here-documents: lines after a command that are its input.

use super::{Close, Command, DEEPEST, Document, Mode, Parser};

impl<'t> Parser<'t> {
    /// Consumes the documents that were started on the line before.
    pub(super) fn documents(&mut self) {
        let documents = self.rows.last_mut().map(|row| std::mem::take(&mut row.documents));
        for document in documents.unwrap_or_default() {
            let Some(body) = self.body(&document) else { return };
            if document.expanded {
                self.inner(body, Mode::Document);
            }
            if let Some(reader) = document.reader.and_then(|place| self.done.get_mut(place)) {
                reader.input.push_str(body);
            }
        }
    }

    /// Moves past a document and returns its lines, or `None` if it never ends.
    fn body(&mut self, document: &Document) -> Option<&'t str> {
        let text = self.text;
        let start = self.at.min(text.len());
        let mut end = start;
        for line in text[start..].split_inclusive('\n') {
            let bare = line.trim_end_matches(['\n', '\r']);
            let bare = if document.tabs { bare.trim_start_matches('\t') } else { bare };
            if bare == document.end {
                self.at = end + line.len();
                return Some(&text[start..end]);
            }
            end += line.len();
        }
        // A shell reads to the end and complains. Treat the lines as commands instead, so that a
        // misread `<<` cannot hide them.
        self.at = text.len();
        self.inner(
            &text[start..],
            Mode::Script { close: Close::End, sums: false, captured: false },
        );
        None
    }

    /// Parses a part of the text again, on its own, and adopts its commands.
    fn inner(&mut self, text: &str, mode: Mode) {
        if self.depth == DEEPEST {
            return;
        }
        let mut parser = Parser::new(text, self.depth + 1);
        parser.open(mode);
        parser.run();
        let before = self.done.len();
        let moved = |command: Command| Command {
            fed_by: command.fed_by.map(|place| place + before),
            ..command
        };
        self.done.extend(parser.done.into_iter().map(moved));
    }
}
