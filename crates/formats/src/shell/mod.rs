//! Splits a shell text into its simple commands: those in sequence, in subshells, in `$(…)` and
//! backquotes, in quotes or not, and in here-documents that the shell expands.
//!
//! `sprag-hosts` uses it to check an agent's call before it runs; [`definition`](crate::definition)
//! uses it to find the files that a gate's command runs.
//!
//! It is a single pass over the text, with open brackets and quotes on an explicit stack. So no
//! text is nested too deep, and the time is linear in the length. Even a syntax error has a result.

mod documents;
mod modes;
mod word;

pub use word::{ShellWord, start};

/// The deepest nesting of here-documents.
const DEEPEST: usize = 8;

/// A simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Program and arguments, after assignments and reserved words.
    pub words: Vec<ShellWord>,
    /// The targets of output redirections.
    pub writes: Vec<ShellWord>,
    /// The files of input redirections.
    pub reads: Vec<ShellWord>,
    /// Its input from the text itself: here-documents and here-strings.
    pub input: String,
    /// The index of the command whose output it reads.
    pub fed_by: Option<usize>,
    /// Whether a substitution captures its output: `$(…)`, backquotes or `<(…)`.
    pub is_captured: bool,
    /// The row that it belongs to. Subshells and substitutions have their own rows, so that a `cd`
    /// in one does not affect the others. The outermost row is 0.
    pub row: usize,
    /// The enclosing row.
    pub outer_row: usize,
}

impl Command {
    fn is_empty(&self) -> bool {
        let Self { words, writes, reads, input, .. } = self;
        words.is_empty() && writes.is_empty() && reads.is_empty() && input.is_empty()
    }
}

/// Returns the simple commands of a text; nested ones come before the commands that contain them.
///
/// Every text has a result, in time linear in its length.
pub fn commands(text: &str) -> Vec<Command> {
    let mut parser = Parser::new(text, 0);
    parser.open(Mode::Script { close: Close::End, sums: false, captured: false });
    parser.run();
    parser.done
}

/// An open construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Commands. In sums, `((…))`, `<` and `>` compare and `<<` shifts.
    Script { close: Close, sums: bool, captured: bool },
    /// Double quotes.
    Double,
    /// The text of a here-document, which is read like double quotes and ends with the text.
    Document,
    /// `${…}`.
    Brace,
}

/// The end of a row of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Close {
    End,
    Bracket,
    Backquote,
}

/// The role of the next word.
#[derive(Clone, Copy, Debug, Default)]
enum Expects {
    #[default]
    Argument,
    Written,
    Read,
    HereString,
    HereDocument {
        tabs: bool,
    },
}

/// A here-document that starts on the next line.
#[derive(Debug)]
struct Document {
    end: String,
    tabs: bool,
    expanded: bool,
    /// The index of the command that reads it, once known.
    reader: Option<usize>,
}

/// A row of commands being read.
#[derive(Debug, Default)]
struct CommandRow {
    command: Command,
    word: Option<ShellWord>,
    expects: Expects,
    documents: Vec<Document>,
    piped: Option<usize>,
    /// The number of open `case` statements, in which `)` ends a pattern.
    cases: usize,
    /// Its number, and that of the enclosing row.
    number: usize,
    outer: usize,
    captured: bool,
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    modes: Vec<Mode>,
    /// One for each open [`Mode::Script`].
    rows: Vec<CommandRow>,
    backquotes: usize,
    /// The number of rows opened so far.
    opened: usize,
    done: Vec<Command>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, depth: usize) -> Self {
        let (modes, rows, done) = (Vec::new(), Vec::new(), Vec::new());
        Self { text, at: 0, depth, modes, rows, backquotes: 0, opened: 0, done }
    }

    fn run(&mut self) {
        while let Some(byte) = self.peek(0) {
            match self.modes.last() {
                Some(Mode::Script { sums, .. }) => {
                    let sums = *sums;
                    self.script(byte, sums);
                }
                Some(Mode::Double) => self.quoted(byte, true),
                Some(Mode::Document) => self.quoted(byte, false),
                Some(Mode::Brace) => self.brace(byte),
                None => break,
            }
        }
        while !self.modes.is_empty() {
            self.close();
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn open(&mut self, mode: Mode) {
        match mode {
            Mode::Script { close, captured, .. } => {
                let outer = self.rows.last();
                let captured = captured || outer.is_some_and(|row| row.captured);
                let outer = outer.map_or(0, |row| row.number);
                let number = self.opened;
                self.rows.push(CommandRow { number, outer, captured, ..CommandRow::default() });
                self.opened += 1;
                self.backquotes += usize::from(close == Close::Backquote);
            }
            Mode::Double | Mode::Document | Mode::Brace => {}
        }
        self.modes.push(mode);
    }

    /// Closes the innermost open construct.
    fn close(&mut self) {
        let Some(mode) = self.modes.pop() else { return };
        match mode {
            Mode::Script { close, .. } => {
                self.end_command(false);
                self.rows.pop();
                self.backquotes -= usize::from(close == Close::Backquote);
            }
            Mode::Double | Mode::Document | Mode::Brace => {}
        }
    }

    /// Returns the current word, and starts one if there is none.
    fn word(&mut self) -> &mut ShellWord {
        if self.rows.is_empty() {
            self.rows.push(CommandRow::default());
        }
        let last = self.rows.len() - 1;
        self.rows[last].word.get_or_insert_with(ShellWord::new)
    }

    /// Appends `length` bytes of the text to the word and moves past them.
    fn push(&mut self, length: usize) {
        let end = (self.at + length).min(self.text.len());
        let part = &self.text[self.at..end];
        self.word().text.push_str(part);
        self.at = end;
    }

    /// Returns the number of following bytes that are not in `special`.
    fn plain(&self, special: &[u8]) -> usize {
        self.text.as_bytes()[self.at..].iter().take_while(|byte| !special.contains(byte)).count()
    }

    /// Returns the length of the character `ahead` bytes from here.
    fn width(&self, ahead: usize) -> usize {
        let rest = self.text.get(self.at + ahead..).unwrap_or_default();
        rest.chars().next().map_or(0, char::len_utf8)
    }

    fn end_word(&mut self) {
        let Some(row) = self.rows.last_mut() else { return };
        let Some(word) = row.word.take() else { return };
        match std::mem::take(&mut row.expects) {
            Expects::Argument => row.command.words.push(word),
            Expects::Written => row.command.writes.push(word),
            Expects::Read => row.command.reads.push(word),
            Expects::HereString => row.command.input.push_str(&word.text),
            Expects::HereDocument { tabs } => row.documents.push(Document {
                expanded: !word.quoted,
                end: word.text,
                tabs,
                reader: None,
            }),
        }
    }

    /// Ends a command; `piped` means that the next one reads its output.
    fn end_command(&mut self, piped: bool) {
        self.end_word();
        let place = self.done.len();
        let Some(row) = self.rows.last_mut() else { return };
        row.expects = Expects::Argument;
        for document in row.documents.iter_mut().filter(|document| document.reader.is_none()) {
            document.reader = Some(place);
        }
        let mut command = std::mem::take(&mut row.command);
        match start(&command.words).map(|at| command.words[at].text.as_str()) {
            Some("case") => row.cases += 1,
            Some("esac") => row.cases = row.cases.saturating_sub(1),
            Some(_) | None => {}
        }
        let waits = row.documents.iter().any(|document| document.reader == Some(place));
        if waits || !command.is_empty() {
            command.fed_by = row.piped.take();
            command.is_captured = row.captured;
            (command.row, command.outer_row) = (row.number, row.outer);
            self.done.push(command);
        }
        row.piped = if piped { self.done.len().checked_sub(1) } else { None };
    }
}
