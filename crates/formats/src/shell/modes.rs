//! Interprets each character by the innermost open construct.

use super::{Close, Expects, Mode, Parser};

impl Parser<'_> {
    /// Reads the next character among commands.
    pub(super) fn script(&mut self, byte: u8, sums: bool) {
        match byte {
            b'\\' => self.escaped(),
            b'\'' => self.single(),
            b'"' => {
                self.word().quoted = true;
                self.at += 1;
                self.open(Mode::Double);
            }
            b'`' => self.backquote(),
            b'$' => self.dollar(),
            b' ' | b'\t' | b'\r' => {
                self.end_word();
                self.at += 1;
            }
            b'\n' => {
                self.end_command(false);
                self.at += 1;
                self.documents();
            }
            b';' => {
                self.end_command(false);
                self.at += 1;
            }
            b'#' if self.rows.last().is_none_or(|row| row.word.is_none()) => {
                self.at += self.plain(b"\n");
            }
            b'<' | b'>' if sums => self.push(1),
            b'<' | b'>' => self.redirect(byte),
            b'&' | b'|' => self.connect(byte),
            b'(' => self.bracket(sums),
            b')' => self.closing_bracket(),
            _ => self.push(self.plain(b"\\'\"`$ \t\r\n;<>&|()").max(1)),
        }
    }

    /// Reads the next character in double quotes, or in a here-document, where quotes are plain
    /// characters.
    pub(super) fn quoted(&mut self, byte: u8, quotes: bool) {
        match byte {
            b'"' if quotes => {
                self.at += 1;
                self.close();
            }
            b'\\' => match self.peek(1) {
                Some(b'$' | b'`' | b'"' | b'\\') => {
                    self.at += 1;
                    self.push(1);
                }
                Some(b'\n') => self.at += 2,
                Some(_) | None => self.push(1),
            },
            b'$' => self.dollar(),
            b'`' => self.backquote(),
            b'"' => self.push(1),
            _ => self.push(self.plain(b"\"\\$`")),
        }
    }

    /// Reads the next character in `${…}`, where only nested commands matter.
    pub(super) fn brace(&mut self, byte: u8) {
        let in_quotes = self.modes.iter().rev().nth(1) == Some(&Mode::Double);
        match byte {
            b'}' => {
                self.at += 1;
                self.close();
            }
            b'\\' => self.at += 1 + self.width(1),
            b'\'' if !in_quotes => {
                self.at += 1;
                self.at += self.plain(b"'") + 1;
            }
            b'"' => {
                self.at += 1;
                self.open(Mode::Double);
            }
            b'$' => self.dollar(),
            b'`' => self.backquote(),
            _ => self.at += self.plain(b"}\\'\"$`").max(1),
        }
    }

    fn escaped(&mut self) {
        self.at += 1;
        match self.peek(0) {
            // The line continues on the next one.
            Some(b'\n') => self.at += 1,
            Some(_) => {
                self.word().quoted = true;
                self.push(self.width(0));
            }
            None => {}
        }
    }

    fn single(&mut self) {
        self.word().quoted = true;
        self.at += 1;
        self.push(self.plain(b"'"));
        self.at += 1;
    }

    /// Reads `$'…'`, in which a backslash escapes a quote.
    fn escaped_single(&mut self) {
        self.word().quoted = true;
        loop {
            self.push(self.plain(b"'\\"));
            match self.peek(0) {
                Some(b'\\') => {
                    self.at += 1;
                    self.push(self.width(0));
                }
                Some(_) | None => break,
            }
        }
        self.at += 1;
    }

    fn dollar(&mut self) {
        let bare = matches!(self.modes.last(), Some(Mode::Script { .. }));
        let name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        match self.peek(1) {
            Some(b'(') => {
                self.word().push_unknown();
                self.at += 1;
                self.open_brackets(true);
            }
            Some(b'{') => {
                self.word().push_unknown();
                self.at += 2;
                self.open(Mode::Brace);
            }
            Some(b'\'') if bare => {
                self.at += 2;
                self.escaped_single();
            }
            Some(b'"') if bare => self.at += 1,
            Some(byte) if name(&byte) => {
                self.word().push_unknown();
                self.at += 1;
                self.at += self.text.as_bytes()[self.at..].iter().take_while(|b| name(b)).count();
            }
            Some(b'?' | b'#' | b'@' | b'*' | b'!' | b'$' | b'-') => {
                self.word().push_unknown();
                self.at += 2;
            }
            Some(_) | None => self.push(1),
        }
    }

    /// Opens `(`, or `((` as two brackets around a sum. Commands inside are found in either case.
    fn open_brackets(&mut self, captured: bool) {
        let sums = self.peek(1) == Some(b'(');
        for _ in 0..=usize::from(sums) {
            self.at += 1;
            self.open(Mode::Script { close: Close::Bracket, sums, captured });
        }
    }

    /// Opens a subshell, a sum, a function's brackets or an array.
    fn bracket(&mut self, sums: bool) {
        self.end_command(false);
        if sums {
            self.at += 1;
            self.open(Mode::Script { close: Close::Bracket, sums, captured: false });
        } else {
            self.open_brackets(false);
        }
    }

    /// Closes a subshell, or ends a pattern of `case`.
    fn closing_bracket(&mut self) {
        self.end_command(false);
        self.at += 1;
        let pattern = self.rows.last().is_some_and(|row| row.cases > 0);
        let Some(Mode::Script { close: Close::Bracket, sums, .. }) = self.modes.last() else {
            return;
        };
        let no_sum = *sums && self.peek(0) != Some(b')');
        if pattern {
            return;
        }
        self.close();
        // `((a) > b)` looked like a sum, but a sum ends with two brackets.
        if let Some(Mode::Script { sums, .. }) = self.modes.last_mut().filter(|_| no_sum) {
            *sums = false;
        }
    }

    fn backquote(&mut self) {
        self.at += 1;
        if self.backquotes == 0 {
            self.word().push_unknown();
            self.open(Mode::Script { close: Close::Backquote, sums: false, captured: true });
            return;
        }
        let before = self.backquotes;
        while self.backquotes == before {
            self.close();
        }
    }

    /// Reads `&&`, `||`, `|`, `&`, and `&>`, which is a redirection.
    fn connect(&mut self, byte: u8) {
        match (byte, self.peek(1)) {
            (b'&', Some(b'>')) => {
                self.end_word();
                self.at += 1;
                self.redirect(b'>');
            }
            (b'|', Some(b'|')) => {
                self.end_command(false);
                self.at += 2;
            }
            (b'|', _) => {
                self.end_command(true);
                self.at += if self.peek(1) == Some(b'&') { 2 } else { 1 };
            }
            (_, _) => {
                self.end_command(false);
                self.at += 1;
            }
        }
    }

    fn redirect(&mut self, byte: u8) {
        self.drop_number();
        let rest = &self.text.as_bytes()[self.at..];
        if matches!(rest, [_, b'(', ..]) {
            self.word().push_unknown();
            self.at += 2;
            self.open(Mode::Script { close: Close::Bracket, sums: false, captured: true });
            return;
        }
        let (expects, length) = match (byte, rest) {
            (b'<', [_, b'<', b'<', ..]) => (Expects::HereString, 3),
            (b'<', [_, b'<', b'-', ..]) => (Expects::HereDocument { tabs: true }, 3),
            (b'<', [_, b'<', ..]) => (Expects::HereDocument { tabs: false }, 2),
            (b'<', [_, b'>', ..]) => (Expects::Written, 2),
            (b'<', [_, b'&', ..]) => (Expects::Read, 2),
            (b'<', _) => (Expects::Read, 1),
            (_, [_, b'>' | b'|' | b'&', ..]) => (Expects::Written, 2),
            (_, _) => (Expects::Written, 1),
        };
        self.at += length;
        if let Some(row) = self.rows.last_mut() {
            row.expects = expects;
        }
    }

    /// Ends the word before a redirection, or drops it if it is a descriptor's number.
    fn drop_number(&mut self) {
        let Some(row) = self.rows.last_mut() else { return };
        let number =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match &row.word {
            Some(word) if !word.quoted && number(&word.text) => row.word = None,
            Some(_) | None => self.end_word(),
        }
    }
}
