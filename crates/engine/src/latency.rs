//! Records how long the last host hooks took, for `sprag doctor`.
//!
//! A sample is a few bytes in `.sprag/cache`, appended in one unsynced write after the host has its
//! answer; it is neither a commit nor a document. It is dropped if the folder is missing (the
//! beginning of a session creates it) or cannot be written, and after some thousand later ones.
//! Stops are not measured because they wait for gates.

use sprag_store::{CacheDir, Place, append_to};

const CACHE: &str = ".sprag/cache";
const FILE: &str = "latency";
const OLD: &str = "latency.old";
/// A full file is replaced by a new one. It holds more than twice the samples that are evaluated.
const FULL: u64 = 8 << 10;
/// How many of the latest samples are evaluated.
pub const LAST: usize = 500;

/// The times of the last host hooks, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// The number of samples.
    pub count: usize,
    /// The median.
    pub p50: u64,
    /// The 99th percentile.
    pub p99: u64,
}

/// Creates the folder for samples.
pub fn prepare(place: &Place) {
    // Without the folder, nothing is measured.
    let _ = CacheDir::make_below(&place.state, CACHE);
}

/// Appends a sample.
pub fn note(place: &Place, micros: u64) {
    let sample = format!("{micros}\n");
    if append_to(&place.state, &format!("{CACHE}/{FILE}"), &sample, FULL) {
        return;
    }
    // The first sample, or one that no longer fits.
    let Ok(Some(shelf)) = CacheDir::open_below(&place.state, CACHE) else { return };
    // Losing a sample does no harm.
    let _ = shelf.append(FILE, OLD, &sample, FULL);
}

/// Returns the statistics, or `None` without samples.
pub fn read(place: &Place) -> Option<Latency> {
    let shelf = CacheDir::open_below(&place.state, CACHE).ok()??;
    let text = |name: &str| shelf.read(name, 4 * FULL).ok().flatten().unwrap_or_default();
    let bytes = [text(OLD), text(FILE)].concat();
    let text = String::from_utf8_lossy(&bytes);
    // A torn line does not parse as a number.
    let all: Vec<u64> = text.lines().filter_map(|line| line.parse().ok()).collect();
    let mut last = all[all.len().saturating_sub(LAST)..].to_vec();
    last.sort_unstable();
    let at = |percent: usize| last.get((last.len() * percent).div_ceil(100).saturating_sub(1));
    Some(Latency { count: last.len(), p50: *at(50)?, p99: *at(99)? })
}

#[cfg(test)]
mod tests {
    use sprag_testkit::TestEnv;

    use super::*;

    #[test]
    fn the_last_ones_are_kept_and_the_file_stays_small() {
        let env = TestEnv::new();
        env.write(".sprag/config.yaml", "");
        let place = Place::of(env.project());
        note(&place, 7);
        assert_eq!(read(&place), None, "no folder, no sample");
        prepare(&place);
        assert_eq!(read(&place), None);
        for micros in 1..=4000 {
            note(&place, micros);
        }
        let expected = Latency { count: LAST, p50: 3750, p99: 3995 };
        assert_eq!(read(&place), Some(expected));
        for name in ["latency", "latency.old"] {
            let size = env.read(format!(".sprag/cache/{name}")).unwrap().len();
            assert!(size <= 9 << 10, "{name}: {size}");
        }
    }

    #[test]
    fn a_few_samples_and_torn_lines_count_as_far_as_they_go() {
        let env = TestEnv::new();
        env.write(".sprag/cache/latency", "100\n\n3x\n300\n200\n9999999999999999999999\n");
        let place = Place::of(env.project());
        assert_eq!(read(&place), Some(Latency { count: 3, p50: 200, p99: 300 }));
    }

    #[test]
    fn a_link_in_its_place_leads_nowhere() {
        let env = TestEnv::new();
        env.write(".sprag/config.yaml", "");
        let place = Place::of(env.project());
        prepare(&place);
        env.write("victim", "1\n");
        env.link("../../victim", ".sprag/cache/latency");
        note(&place, 5);
        assert_eq!(env.read("victim").as_deref(), Some("1\n"));
        assert_eq!(read(&place), None);
    }
}
