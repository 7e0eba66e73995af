//! Tests of the reader: tools beyond the recordings in `conformance`, limits, and identity.

mod bounds;
mod builds;
mod findings;
mod held_out;
mod identity;
mod jvm_and_dotnet;
mod patterns;
mod properties;
mod runners;

use super::{CountKind, OutputReading, ReadingKind, read};

/// An output, and what a person reads in it.
struct Sample {
    exit: i32,
    command: &'static str,
    text: &'static str,
    kind: ReadingKind,
    names: &'static [&'static str],
    counts: &'static [(CountKind, u64)],
    best: &'static str,
    excerpt: &'static [&'static str],
}

const FAILED: Sample = Sample {
    exit: 1,
    command: "make check",
    text: "",
    kind: ReadingKind::Failed,
    names: &[],
    counts: &[],
    best: "",
    excerpt: &[],
};

impl Sample {
    fn read(&self) -> OutputReading {
        read(self.exit, self.text.as_bytes(), Some(self.command))
    }

    /// Fails unless the reading is that of the sample.
    fn holds(&self) {
        let reading = self.read();
        let shown: Vec<&str> = reading.failing.iter().map(|name| name.shown.as_str()).collect();
        assert_eq!(reading.kind, self.kind, "{reading:#?}");
        assert_eq!(shown, self.names, "{reading:#?}");
        for (counted, number) in self.counts {
            assert_eq!(reading.counts.get(*counted), Some(*number), "{counted:?} in {reading:#?}");
        }
        assert!(reading.best_line.contains(self.best), "{reading:#?}");
        for part in self.excerpt {
            assert!(reading.excerpt.contains(part), "no {part:?} in {reading:#?}");
        }
        assert!(reading.excerpt.chars().count() <= super::excerpt::MOST, "{reading:#?}");
    }
}
