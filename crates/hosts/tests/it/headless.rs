//! Reads recorded streams of the hosts, randomly broken: no panic, and no unbounded result.

use sprag_core::Time;
use sprag_hosts::headless::{Moment, OutputEvent, Stream};
use sprag_hosts::{HOSTS, Host};
use sprag_testkit::seed::Seed;

use crate::mutate::mutate;
use crate::support::long;

const TOKENS: [&[u8]; 20] = [
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[[[[[[[[[[[[",
    b"]",
    b",",
    b"null",
    b"-1e308",
    b"1e308",
    b"99999999999999999999",
    b"\\ud800",
    b"\xff",
    b"\0",
    b"\"type\":\"result\",",
    b"\"is_error\":true,",
    b"\"session_id\":\"--x\",",
    b"try again in 99999999999h ",
    b"429 try again at Feb 99th, 99999 99:99 PM ",
    b"\"delta\":true,",
];

/// Every recorded line of a host.
fn lines(host: Host) -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/headless");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of_host =
        files.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(host.name()));
    let texts = of_host.map(|path| std::fs::read_to_string(path).unwrap());
    texts
        .flat_map(|text| text.lines().map(|line| line.as_bytes().to_vec()).collect::<Vec<_>>())
        .collect()
}

fn is_bounded(heard: &OutputEvent) -> bool {
    let plain = |text: &str, most: usize| text.chars().count() <= most && !text.contains('\u{1b}');
    match heard {
        OutputEvent::Session(id) => !id.is_empty() && id.len() <= 128 && !id.starts_with('-'),
        OutputEvent::Text(text) => text.len() <= 64 << 10,
        OutputEvent::Tool { name, about } => plain(name, 80) && plain(about, 160),
        OutputEvent::Spent { micro_usd, tokens } => micro_usd.is_some() || tokens.is_some(),
        OutputEvent::Limited { why, .. } | OutputEvent::Failed { why } => plain(why, 300),
    }
}

#[test]
fn broken_streams_are_read_without_harm() {
    let rounds = if long() { 400_000 } else { 4_000 };
    let now = Time::parse("2026-11-15T17:41:25Z").unwrap();
    for (nth, host) in (0_u64..).zip(HOSTS) {
        let mut seed = Seed::new(nth);
        let recorded = lines(host);
        let mut stream = Stream::of(host);
        for round in 0..rounds {
            let mut line = seed.pick(&recorded).clone();
            for _ in 0..seed.below(4) {
                mutate(&mut seed, &mut line, &TOKENS);
            }
            let line = String::from_utf8_lossy(&line);
            let offset_minutes = Some(i32::try_from(seed.below(3000)).unwrap() - 1500);
            let at = Moment { now, offset_minutes };
            let mut heard = stream.line(&line, at);
            if round % 64 == 0 {
                heard.extend(stream.end(&line, at));
            }
            assert!(
                heard.len() <= 600 && heard.iter().all(is_bounded),
                "{host:?}: {line}\n{heard:?}"
            );
        }
    }
}
