mod doubts;
mod laws;
mod weighing;
mod whose;

use super::*;
use crate::{Glob, Hash, RunId};

fn text(name: &str) -> Hash {
    Hash::of(name)
}

fn key(path: &str) -> InputKey {
    InputKey::file(path)
}

fn glob(pattern: &str) -> Glob {
    Glob::parse(pattern).unwrap()
}

fn run() -> RunId {
    RunId::parse("r-7k2m").unwrap()
}

/// A test whose text an agent changed.
fn weakened(was: &str, now: &str) -> Input {
    let (was, now) = (text(was), text(now));
    Input::differs(Role::Test, was, now, Difference::Other, Attribution::AGENT)
}

fn keys(all: &[&str]) -> InputKeys {
    all.iter().map(|path| key(path)).collect()
}

/// Conditions that a table varies one at a time.
#[derive(Default)]
struct TableConditions {
    consents: Vec<Consent>,
    protect: Vec<Glob>,
    sent_back: SentBack,
    tests: OnTests,
}

impl TableConditions {
    fn conditions(&self) -> Conditions<'_> {
        let Self { consents, protect, sent_back, tests } = self;
        Conditions { consents, protect, sent_back, tests: *tests }
    }

    fn sent_back() -> Self {
        Self { sent_back: SentBack::For(InputKeys::new()), ..Self::default() }
    }
}
