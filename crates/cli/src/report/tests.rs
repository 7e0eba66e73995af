//! Reports of runs that are long, hostile, or both, as HTML and as text.

use sprag_core::reporting::{
    BranchState, ChangedFile, Doubt, Fact, Files, Findings, Material, Slip, Wait, WorkBranch, Wrong,
};
use sprag_core::{
    CheckKind, Event, Hash, Name, Receipt, ReceiptId, RunId, RunStatus, Time, Verdict,
};

use super::*;
use crate::style::{Colour, Signs, StreamStyle, WIDTH, columns};

mod sample;

use sample::{Sample, hostile, many, shop};

const UNICODE: StreamStyle = StreamStyle { colour: Colour::No, signs: Signs::Unicode };

/// Parses a page strictly: every element is closed in order, every attribute is quoted, and no bare
/// `<` or `&` occurs. Returns its tags and the text between them.
fn parse(page: &str) -> (Vec<String>, String) {
    const VOID: [&str; 3] = ["meta", "br", "!doctype"];
    let (mut open, mut tags, mut text) = (Vec::new(), Vec::new(), String::new());
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let end = at + rest[at..].find('>').expect("a tag ends");
        let tag = &rest[at + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name: String = tag.chars().take_while(|c| !" />".contains(*c)).collect();
        rest = &rest[end + 1..];
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed), "elements are closed in order");
        } else if !VOID.contains(&name.as_str()) && !tag.ends_with('/') {
            open.push(name.clone());
        }
        if name == "style" {
            rest = &rest[rest.find("</style>").expect("the style ends")..];
        }
        tags.push(tag.to_owned());
    }
    assert_eq!((open, rest.trim()), (vec![], ""), "everything is closed");
    for (at, _) in text.match_indices('&') {
        let known = ["&lt;", "&gt;", "&amp;", "&quot;"];
        assert!(known.iter().any(|entity| text[at..].starts_with(entity)), "{}", &text[at..]);
    }
    (tags, text)
}

/// Saves a page in the folder `SPRAG_PICTURES`, if set, for inspection.
#[expect(clippy::disallowed_methods, reason = "a picture is no state")]
fn leave(name: &str, page: &str) {
    if let Ok(folder) = std::env::var("SPRAG_PICTURES") {
        std::fs::write(format!("{folder}/{name}"), page).unwrap();
    }
}

#[test]
fn a_page_is_valid_and_takes_nothing_from_elsewhere() {
    let page = html::page("shop", &shop());
    leave("report.html", &page);
    leave("many.html", &html::page("shop", &many(1_000)));
    let (tags, text) = parse(&page);
    assert!(text.contains("Add CSV export"), "the task is on it");
    assert!(tags.iter().any(|tag| tag.contains("default-src 'none'")));
    for tag in &tags {
        let name = tag.split(' ').next().unwrap_or_default();
        assert!(!["script", "link", "img", "iframe", "object", "base"].contains(&name), "{tag}");
        assert!(!tag.contains("src=") && !tag.contains("style=") && !tag.contains(" on"), "{tag}");
        let link = tag.split("href=\"").nth(1);
        assert!(link.is_none_or(|link| link.starts_with('#')), "{tag}");
    }
    for outside in ["http:", "https:", "//", "url(", "@import", "javascript:", "data:"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn hostile_texts_stay_texts() {
    let report = hostile();
    let page = html::page("<script>alert(1)</script>", &report);
    leave("hostile.html", &page);
    let (tags, text) = parse(&page);
    let elements = tags.iter().map(|tag| tag.split(' ').next().unwrap_or_default());
    let foreign = elements.filter(|name| ["script", "b"].contains(name));
    assert_eq!(foreign.collect::<Vec<_>>(), Vec::<&str>::new());
    assert!(text.contains("&lt;script&gt;"), "it is shown");
    let sent = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!page.contains(sent), "nothing moves or turns the text around it");
    for look in [UNICODE, StreamStyle::PLAIN] {
        let said = text::text(look, &report, WIDTH);
        assert!(!said.contains(sent), "{said:?}");
        // Only a word of a command may be longer: a cut copy would run a different command.
        let commands = [report.command(), report.whole_command()].map(Option::unwrap_or_default);
        let is_whole = |line: &str| {
            let line = line.trim_start().trim_end_matches(" \\");
            commands.iter().any(|command| look.clean(command).contains(line))
        };
        let fits = |line: &str| columns(line) <= WIDTH || is_whole(line);
        assert!(said.lines().all(fits), "{said}");
    }
    assert!(text::text(StreamStyle::PLAIN, &report, WIDTH).is_ascii());
}

#[test]
fn a_thousand_units_make_a_page_below_a_mebibyte() {
    let report = many(1_000);
    let page = html::page("shop", &report);
    parse(&page);
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    let said = text::text(UNICODE, &report, WIDTH);
    assert!(said.lines().count() < 120, "{}", said.lines().count());
}

#[test]
fn what_has_columns_fits_into_a_narrow_terminal() {
    let mut report = shop();
    let path = "a/long/way/down/to/where/only/the/end/tells/one/file/from/another.rs";
    let files = report.files.as_mut().unwrap();
    files.changed[0].path = path.to_owned();
    for width in [40, 60, WIDTH, 120] {
        let said = text::text(UNICODE, &report, width);
        let drawn = said.split("\n FILES\n").nth(1).unwrap_or_else(|| panic!("{said}"));
        let (files, timeline) = drawn.split_once("\n TIMELINE, UTC\n").unwrap();
        let fits = |line: &str| columns(line) <= width;
        assert!(files.lines().filter(|line| line.contains('+')).all(fits), "{width}: {said}");
        let rows = timeline.split("\n\n").next().unwrap_or_default();
        assert!(rows.lines().count() > 1 && rows.lines().all(fits), "{width}: {said}");
        assert!(files.contains("another.rs "), "{width}: {files}");
    }
}

#[test]
fn the_first_five_lines_say_what_matters_most() {
    let said = text::text(UNICODE, &shop(), WIDTH);
    let head: Vec<&str> = said.lines().take(5).collect();
    assert_eq!(
        head,
        [
            "Outcome    r-7k2m is done, and not all of it is proven",
            "Unproven   waived: review/coverage; no gate, only claimed: plan",
            "Waiting    nothing waits for you",
            "Cost       at least $11.84, 2.9M tokens, 4 h, 110 min of it waiting",
            "Diff       git diff 9f3c1e2a0b1c  (4 files, +633 −88)",
        ]
    );
    assert!(said.lines().all(|line| columns(line) <= WIDTH), "{said}");
}

#[test]
fn what_was_verified_decides_how_it_ends() {
    let checked = |result| vec![Checked { gate: "tests".to_owned(), result }];
    let receipt = ReceiptId::parse("g-1").unwrap();
    let clean = Sample::new("r-1").report();
    assert_eq!(end(&clean, None), Exit::Done);
    let holds = checked(Again::Holds { receipt: receipt.clone() });
    assert_eq!(end(&clean, Some(&holds)), Exit::Done);
    let fails = checked(Again::Fails { receipt, why: "exit 1".to_owned() });
    assert_eq!(end(&clean, Some(&fails)), Exit::Failed);
    let asks = checked(Again::Untrusted { what: "sh".to_owned() });
    assert_eq!(end(&clean, Some(&asks)), Exit::NeedsPerson);
    let mut forged = Sample::new("r-1");
    forged.material.doubts.push(Doubt { id: "g-1".to_owned(), wrong: Wrong::Forged });
    assert_eq!(end(&forged.report(), Some(&holds)), Exit::Failed);
}
