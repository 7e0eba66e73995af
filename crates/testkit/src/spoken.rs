use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A program that is driven line by line over pipes.
#[derive(Debug)]
pub struct Spoken {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Spoken {
    /// Starts the program; its standard error must stay empty.
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, to, from }
    }

    /// Sends a line.
    pub fn says(&mut self, line: impl AsRef<[u8]>) {
        let to = self.to.as_mut().expect("an open pipe");
        to.write_all(line.as_ref()).and_then(|()| to.write_all(b"\n")).expect("a listener");
    }

    /// Sends an incomplete line and closes the program's input.
    pub fn breaks_off(&mut self, text: &str) {
        let mut to = self.to.take().expect("an open pipe");
        to.write_all(text.as_bytes()).expect("a listener");
    }

    /// Reads the next line.
    pub fn hears(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("text");
        assert!(line.ends_with('\n'), "no whole line: {line:?}");
        line.trim_end().to_owned()
    }

    /// Closes the input, checks that the program ends well, and returns the rest of its output.
    pub fn ends(mut self) -> String {
        drop(self.to.take());
        let (mut said, mut complained) = (String::new(), String::new());
        self.from.read_to_string(&mut said).expect("text");
        let mut errors = self.child.stderr.take().expect("a pipe");
        errors.read_to_string(&mut complained).expect("text");
        let exit = self.child.wait().expect("an end");
        assert_eq!((exit.code(), complained.as_str()), (Some(0), ""));
        said
    }
}
