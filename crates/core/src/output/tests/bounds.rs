//! Limits of the work: an output may have any size and any bytes.

use super::super::lines::{lines, window};
use super::super::repeated::repeated;
use super::super::{ReadingKind, read};

const MB: usize = 1024 * 1024;

#[test]
fn of_a_long_output_the_start_and_the_end_are_read() {
    let mut output = b"usage: check [options]\n".to_vec();
    output.resize(50 * MB, b'\n');
    output.extend(b"FAILED test_a.py::test_b - assert 1 == 2\n1 failed in 0.10s\n");
    let (head, tail) = window(&output);
    assert_eq!((head.len(), tail.len()), (64 * 1024, 512 * 1024));
    let lines = lines(&output);
    assert_eq!(lines.first().map(String::as_str), Some("usage: check [options]"));
    assert_eq!(lines.last().map(String::as_str), Some("1 failed in 0.10s"));
}

#[test]
fn a_long_line_is_cut() {
    let output = vec![b'a'; 50 * MB];
    let lines = lines(&output);
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line.len() == 2000));
}

#[test]
fn a_log_that_looks_like_errors_everywhere_is_read() {
    let line =
        "2026-01-01 error: FAILED (x) cart.c:1:2: error: expected 1, got 2 [rule] ... FAILED\n";
    let output = line.repeat(20 * MB / line.len());
    let reading = read(1, output.as_bytes(), None);
    assert_eq!(reading.kind, ReadingKind::Failed);
    assert!(reading.excerpt.chars().count() <= 900);
}

#[test]
fn the_terminal_shows_the_last_state_of_a_line() {
    let shown = |text: &[u8]| lines(text);
    assert_eq!(shown(b"10%\r50%\r100%\r\n"), ["100%"]);
    assert_eq!(shown(b"prep\x08\x08\x08\x08done\n"), ["done"]);
    assert_eq!(
        shown(b"\x1b[31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b]8;;\x07\x1b(B\n"),
        ["red link"]
    );
    assert_eq!(shown(b"one\x1b[1Gtwo\r\nthree\r\n"), ["two", "three"]);
    assert_eq!(shown(b"a\0b\xff\xfe\n"), ["ab\u{fffd}\u{fffd}"]);
    assert_eq!(shown("title ────────\n".as_bytes()), ["title"]);
    assert_eq!(shown(b""), Vec::<String>::new());
}

#[test]
fn the_lines_of_a_log_are_known_by_their_shape() {
    let mut lines: Vec<String> =
        (0..1000).map(|at| format!("12:00:{at} INFO request {at} id=a{at}f handled")).collect();
    lines.push("FAILED test_a".to_owned());
    let repeated = repeated(&lines);
    assert_eq!(repeated.iter().filter(|is_one| **is_one).count(), 980);
    assert!(!repeated[1000] && !repeated[0]);
}

#[test]
fn a_failure_behind_a_long_log_is_found() {
    let log = "12:00:01 INFO request 17 error=0 handled in 3ms\n".repeat(20_000);
    let end = "=== short test summary info ===\nFAILED test_a.py::test_b - assert 1 == 2\n1 failed in 0.10s\n";
    let reading = read(1, (log + end).as_bytes(), None);
    assert_eq!(reading.best_line, "test_a.py::test_b");
    assert!(reading.excerpt.contains("assert 1 == 2"));
}
