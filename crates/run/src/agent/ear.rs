//! Makes sense of an agent's output as it comes.

use std::time::Duration;

use sprag_engine::clock;
use sprag_engine::process::{Followed, Lines, NotStarted, Tail};
use sprag_hosts::headless::{Heard, Moment, Stream};

use super::offset;
use super::{AgentEnd, Job, Kind, Limited};

/// How much of one line of a host is read. The lines that matter are short; those with whole
/// files in them may be longer, and are nothing then.
const HOST_LINE: usize = 1 << 20;
/// How much of one line of a program is shown while it works.
const LINE: usize = 4 << 10;
/// How much of a program's output is what it said.
const SAID: usize = 64 << 10;
/// How much of its complaints is kept.
const COMPLAINT: usize = 4 << 10;

/// Hears an agent.
pub(super) struct Ear<'h> {
    sense: Sense,
    lines: Lines,
    heard: Kept,
    hear: &'h mut dyn FnMut(&Heard),
}

/// What is kept of it.
struct Kept {
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

impl<'h> Ear<'h> {
    pub(super) fn of(job: &Job, hear: &'h mut dyn FnMut(&Heard)) -> Self {
        let (sense, cap) = match &job.kind {
            Kind::Host(host) => {
                let offset_minutes = offset::minutes(*host, job);
                (Sense::Host { stream: Stream::of(*host), offset_minutes }, HOST_LINE)
            }
            Kind::Command(_) => (Sense::Program, LINE),
        };
        let heard = Kept {
            said: Tail::new(SAID),
            session: None,
            micro_usd: None,
            tokens: None,
            limited: None,
            failed: None,
        };
        Self { sense, lines: Lines::new(cap), heard, hear }
    }

    /// Takes a piece of its output.
    pub(super) fn piece(&mut self, piece: &[u8]) {
        let Self { sense, lines, heard, hear } = self;
        if matches!(sense, Sense::Program) {
            heard.said.push(piece);
        }
        lines.push(piece, |line| sense.line(line, heard, hear));
    }

    /// Tells what became of the agent, when it says no more.
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
        let Kept { said, session, micro_usd, tokens, limited, failed } = self.heard;
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

    /// Takes what had no end.
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
    fn line(&mut self, line: &[u8], kept: &mut Kept, hear: &mut dyn FnMut(&Heard)) {
        let line = String::from_utf8_lossy(line);
        match self {
            Self::Host { stream, offset_minutes } => {
                let at = Moment { now: clock::now(), offset_minutes: *offset_minutes };
                stream.line(&line, at).iter().for_each(|one| kept.keep(one, hear));
            }
            Self::Program => hear(&Heard::Text(line.into_owned())),
        }
    }
}

impl Kept {
    fn keep(&mut self, heard: &Heard, hear: &mut dyn FnMut(&Heard)) {
        match heard {
            Heard::Session(session) => self.session = Some(session.clone()),
            Heard::Text(text) => {
                // The last message is what counts.
                self.said = Tail::new(SAID);
                self.said.push(text.as_bytes());
                self.goes_on();
            }
            Heard::Tool { .. } => self.goes_on(),
            Heard::Spent { micro_usd, tokens } => {
                self.micro_usd = micro_usd.or(self.micro_usd);
                self.tokens = tokens.or(self.tokens);
            }
            Heard::Limited { until, why } => {
                self.limited = Some(Limited { until: *until, why: why.clone() });
            }
            Heard::Failed { why } => self.failed = Some(why.clone()),
        }
        hear(heard);
    }

    /// Forgets what stood in its way: the host has overcome it.
    fn goes_on(&mut self) {
        (self.limited, self.failed) = (None, None);
    }
}
