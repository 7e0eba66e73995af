//! Parses an agent's output as it arrives.

use std::time::Duration;

use sprag_hosts::headless::{Moment, OutputEvent, Stream};
use sprag_world::clock;
use sprag_world::process::{Followed, LineBuffer, NotStarted, Tail};

use super::offset;
use super::{AgentEnd, AgentKind, Job, Limited};

/// The most bytes of one host line that are parsed. The relevant lines are short; longer ones, such
/// as those that contain whole files, are ignored.
const HOST_LINE: usize = 1 << 20;
/// The most bytes of one program line that are shown while it works.
const LINE: usize = 4 << 10;
/// The most bytes of a program's output that are kept as its claim.
const SAID: usize = 64 << 10;
/// The most bytes of standard error that are kept.
const COMPLAINT: usize = 4 << 10;

pub(super) struct OutputReader<'h> {
    sense: Sense,
    lines: LineBuffer,
    heard: OutputFacts,
    hear: &'h mut dyn FnMut(&OutputEvent),
}

/// The facts kept from an agent's output.
struct OutputFacts {
    said: Tail,
    session: Option<String>,
    micro_usd: Option<u64>,
    tokens: Option<u64>,
    limited: Option<Limited>,
    failed: Option<String>,
}

enum Sense {
    Host { stream: Stream, offset_minutes: Option<i32> },
    Program,
}

impl<'h> OutputReader<'h> {
    pub(super) fn of(job: &Job, hear: &'h mut dyn FnMut(&OutputEvent)) -> Self {
        let (sense, cap) = match &job.kind {
            AgentKind::Host(host) => {
                let offset_minutes = offset::minutes(*host, job);
                (Sense::Host { stream: Stream::of(*host), offset_minutes }, HOST_LINE)
            }
            AgentKind::Command(_) => (Sense::Program, LINE),
        };
        let heard = OutputFacts {
            said: Tail::new(SAID),
            session: None,
            micro_usd: None,
            tokens: None,
            limited: None,
            failed: None,
        };
        Self { sense, lines: LineBuffer::new(cap), heard, hear }
    }

    /// Processes a chunk of output.
    pub(super) fn piece(&mut self, piece: &[u8]) {
        let Self { sense, lines, heard, hear } = self;
        if matches!(sense, Sense::Program) {
            heard.said.push(piece);
        }
        lines.push(piece, |line| sense.line(line, heard, hear));
    }

    /// Processes the rest of the output and returns how the agent ended.
    pub(super) fn finish(mut self, followed: Result<Followed, NotStarted>) -> AgentEnd {
        let (exit, complaint, took, left_behind) = match followed {
            Ok(Followed { exit, took, complaint, left_behind }) => {
                self.end(&complaint.text());
                let mut end = Tail::new(COMPLAINT);
                end.push(complaint.text().trim_end().as_bytes());
                (Ok(exit), end.text(), took, left_behind)
            }
            Err(why) => (Err(why.to_string()), String::new(), Duration::ZERO, false),
        };
        let OutputFacts { said, session, micro_usd, tokens, limited, failed } = self.heard;
        AgentEnd {
            exit,
            said: said.text(),
            complaint,
            session,
            micro_usd,
            tokens,
            limited,
            failed,
            took,
            left_behind,
        }
    }

    /// Flushes the last, unterminated line.
    fn end(&mut self, log: &str) {
        let Self { sense, lines, heard, hear } = self;
        lines.end(|line| sense.line(line, heard, hear));
        if let Sense::Host { stream, offset_minutes } = sense {
            let at = Moment { now: clock::now(), offset_minutes: *offset_minutes };
            stream.end(log, at).iter().for_each(|one| heard.keep(one, hear));
        }
    }
}

impl Sense {
    fn line(&mut self, line: &[u8], kept: &mut OutputFacts, hear: &mut dyn FnMut(&OutputEvent)) {
        let line = String::from_utf8_lossy(line);
        match self {
            Self::Host { stream, offset_minutes } => {
                let at = Moment { now: clock::now(), offset_minutes: *offset_minutes };
                stream.line(&line, at).iter().for_each(|one| kept.keep(one, hear));
            }
            Self::Program => hear(&OutputEvent::Text(line.into_owned())),
        }
    }
}

impl OutputFacts {
    fn keep(&mut self, heard: &OutputEvent, hear: &mut dyn FnMut(&OutputEvent)) {
        match heard {
            OutputEvent::Session(session) => self.session = Some(session.clone()),
            OutputEvent::Text(text) => {
                // Only the last message counts.
                self.said = Tail::new(SAID);
                self.said.push(text.as_bytes());
                self.goes_on();
            }
            OutputEvent::Tool { .. } => self.goes_on(),
            OutputEvent::Spent { micro_usd, tokens } => {
                self.micro_usd = micro_usd.or(self.micro_usd);
                self.tokens = tokens.or(self.tokens);
            }
            OutputEvent::Limited { until, why } => {
                self.limited = Some(Limited { until: *until, why: why.clone() });
            }
            OutputEvent::Failed { why } => self.failed = Some(why.clone()),
        }
        hear(heard);
    }

    /// Clears recorded limits and failures: the host has recovered from them.
    fn goes_on(&mut self) {
        (self.limited, self.failed) = (None, None);
    }
}
