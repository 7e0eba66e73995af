use proptest::prelude::*;

use super::*;

fn found(severity: Severity, file: &str, line: u32, problem: &str) -> Finding {
    Finding { file: file.into(), line: Some(line), ..Finding::new(severity, problem) }
}

#[test]
fn a_verdict_is_a_whole_line_with_one_word() {
    for text in [
        "VERDICT: pass",
        "**VERDICT: APPROVE**",
        "## Verdict: approved ✅",
        "# Verdict\n\n**PASS**\n",
        "Looks good.\n\n  _verdict_ - clean",
        "{\"verdict\": \"pass\"}",
        "```json\n{\"verdict\": \"pass\", \"findings\": []}\n```",
    ] {
        let answer = ReviewAnswer { opinion: Some(Opinion::Pass), findings: vec![] };
        assert_eq!(read(text), Ok(answer), "{text}");
    }
}

#[test]
fn what_only_looks_like_a_verdict_is_none() {
    for text in [
        "",
        "Accepted criteria were not met",
        "VERDICT: pass | issues",
        "VERDICT: <pass or issues>",
        "The verdict: pass was given by mistake, said the log",
        "`VERDICT: pass`",
        "```\nVERDICT: pass\n```",
        "```\nVERDICT: pass\n",
        "~~~~ text\n```\nVERDICT: pass\n~~~\nVERDICT: pass\n~~~~",
        "> VERDICT: pass",
        "> they wrote\nVERDICT: pass",
        "- > VERDICT: pass",
        "<!--\nVERDICT: pass\n-->",
        "<!-- VERDICT: pass",
        "    VERDICT: pass",
        "\tVERDICT: pass",
        "The answer was {\"verdict\": \"pass\"}",
        "```json\n{\"verdict\": \"pass\"}\n```\nor was it?",
    ] {
        assert_eq!(read(text), Err(Unclear::NoVerdict), "{text:?}");
    }
    assert_eq!(read("VERDICT: issues"), Err(Unclear::NamesNone));
    assert_eq!(read("VERDICT: pass\nVERDICT: issues"), Err(Unclear::Contradicts));
    assert!(matches!(read("{\"verdict\": "), Err(Unclear::NotJson(_))));
    assert_eq!(read(&"x".repeat(300 << 10)), Err(Unclear::TooLong));
}

#[test]
fn findings_are_read_with_place_and_advice() {
    let text = "VERDICT: issues\n\n- [critical/security] `src/a.rs:12`: the cap is off by one. \
                Fix: use `<`.\n* **Important**: src/b.rs:3: no test\n  Fix: write one\n\
                1. minor: naming\n";
    let findings = read(text).unwrap().findings;
    let mut first = found(Severity::Critical, "src/a.rs", 12, "the cap is off by one");
    first.category = "security".into();
    first.fix = "use `<`.".into();
    let mut second = found(Severity::Important, "src/b.rs", 3, "no test");
    second.fix = "write one".into();
    assert_eq!(findings, [first, second, Finding::new(Severity::Minor, "naming")]);
}

#[test]
fn headings_say_how_bad_and_the_unsaid_is_the_worst() {
    let text = "## Findings\n- no limit\n- None\n### Minor issues\n- [ ] typo\n- [x] was fixed\n\
                ## What I looked at\n- src/a.rs\n### Critical: it loses data\n";
    let findings = read(text).unwrap().findings;
    let expected = [
        Finding::new(Severity::Critical, "no limit"),
        Finding::new(Severity::Minor, "typo"),
        Finding::new(Severity::Critical, "it loses data"),
    ];
    assert_eq!(findings, expected);
}

#[test]
fn a_pass_does_not_outweigh_a_finding() {
    let answer = read("VERDICT: pass\n- [minor] typo").unwrap();
    let mut ledger = Ledger::default();
    ledger.note(&answer.findings, Threshold::All);
    assert_eq!(
        verdict(&ledger, 1, &Terms::new(Threshold::All, 5)),
        RoundVerdict::Issues { blocking: 1 }
    );
    let terms = Terms::new(Threshold::Important, 5);
    assert_eq!(verdict(&ledger, 1, &terms), RoundVerdict::Pass);
}

#[test]
fn a_finding_is_the_same_in_other_words_for_its_place() {
    let one = found(Severity::Critical, "./src/a.rs", 12, "The cap is **off** by 1.");
    let other = found(Severity::Minor, "src\\a.rs", 90, "the cap is off by 1");
    assert_eq!(one.fingerprint(), other.fingerprint());
    let elsewhere = found(Severity::Critical, "src/b.rs", 12, "The cap is off by 1");
    assert_ne!(one.fingerprint(), elsewhere.fingerprint());
}

fn rounds(rounds: &[&[&str]], terms: Terms) -> Vec<RoundVerdict> {
    let mut ledger = Ledger::default();
    let take = |(at, found): (usize, &&[&str])| {
        let list: Vec<_> =
            found.iter().map(|text| Finding::new(Severity::Critical, *text)).collect();
        ledger.note(&list, terms.level);
        verdict(&ledger, u32::try_from(at + 1).unwrap(), &terms)
    };
    rounds.iter().enumerate().map(take).collect()
}

#[test]
fn a_review_ends_in_every_way_there_is() {
    let terms = Terms::new(Threshold::All, 9);
    let issues = |blocking| RoundVerdict::Issues { blocking };
    assert_eq!(
        rounds(&[&["a", "b"], &["b"], &[]], terms),
        [issues(2), issues(1), RoundVerdict::Pass]
    );
    let again = RoundVerdict::Repeats { what: "a".into() };
    assert_eq!(rounds(&[&["a"], &["a"]], terms), [issues(1), again.clone()], "only repeats");
    let stands = rounds(&[&["a", "b", "c"], &["a", "b"], &["a"]], terms);
    assert_eq!(stands[2], again, "three rounds in a row");
    let back = rounds(&[&["a", "x"], &["y"], &["a", "z"], &["w"], &["a"]], terms);
    assert_eq!(back[4], again, "came back twice");
    let new = rounds(&[&["a"], &["b"], &["c"], &["d"]], terms);
    assert_eq!(new[3], RoundVerdict::NoProgress { what: "1, 1, 1, 1".into() });
    let last = rounds(&[&["a", "b"], &["b"]], Terms { max: 2, ..terms });
    assert_eq!(last[1], RoundVerdict::Exhausted { rounds: 2 });
    let pedantic = rounds(&[&["a"], &["b", "c"]], Terms { plateau: 1, ..terms });
    assert_eq!(pedantic[1], RoundVerdict::NoProgress { what: "1, 2".into() });
}

#[test]
fn a_refused_finding_does_not_keep_a_review_alive() {
    let mut ledger = Ledger::default();
    let finding = Finding::new(Severity::Critical, "a");
    ledger.note(std::slice::from_ref(&finding), Threshold::All);
    assert!(ledger.refuse(finding.fingerprint(), "it is meant so"));
    assert!(!ledger.refuse(finding.fingerprint(), "again"));
    ledger.note(std::slice::from_ref(&finding), Threshold::All);
    assert_eq!(verdict(&ledger, 2, &Terms::new(Threshold::All, 5)), RoundVerdict::Pass);
}

fn any_finding() -> impl Strategy<Value = Finding> {
    let severity = prop::sample::select(Severity::ALL.to_vec());
    ("[a-d]{1,2}", prop::option::of(0u32..9), severity)
        .prop_map(|(problem, line, severity)| Finding { line, ..Finding::new(severity, problem) })
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in "(?s).{0,200}") {
        let _ = read(&text);
        let _ = read(&format!("VERDICT: issues\n- [critical] {text}"));
    }

    #[test]
    fn what_is_quoted_never_counts(quoted in "(?s)([^`>-]|- |\nVERDICT: (pass|issues)\n|\n- \\[critical\\] x\n){0,40}", real in prop::bool::ANY) {
        let own = if real { "VERDICT: pass\n" } else { "VERDICT: issues\n- [minor] own\n" };
        let expected = read(own);
        let lines: Vec<_> = quoted.lines().map(|line| format!("> {line}")).collect();
        let lines = lines.join("\n");
        for shown in [format!("`````\n{quoted}\n`````\n"), format!("{lines}\n\n"), format!("<!-- {quoted} -->\n")] {
            prop_assert_eq!(&read(&format!("{shown}\n{own}")), &expected);
            prop_assert_eq!(&read(&format!("{own}\n{shown}")), &expected);
        }
    }

    #[test]
    fn a_ledger_is_stored_whole_and_its_verdict_is_bounded(
        found in prop::collection::vec(prop::collection::vec(any_finding(), 0..4), 0..8),
        max in 1u32..6,
    ) {
        let terms = Terms::new(Threshold::Important, max);
        let mut ledger = Ledger::default();
        for (at, list) in found.iter().enumerate() {
            ledger.note(list, terms.level);
            let stored = <Ledger as crate::Stored>::lift(&crate::Stored::lower(&ledger));
            prop_assert_eq!(stored.as_ref(), Ok(&ledger));
            let round = u32::try_from(at + 1).unwrap();
            let blocking = ledger.blocking(terms.level).count();
            match verdict(&ledger, round, &terms) {
                RoundVerdict::Pass => prop_assert_eq!(blocking, 0),
                RoundVerdict::Issues { .. } => prop_assert!(blocking > 0 && round < max),
                RoundVerdict::Exhausted { rounds } => prop_assert!(blocking > 0 && rounds >= max),
                RoundVerdict::Repeats { .. } | RoundVerdict::NoProgress { .. } => {
                    prop_assert!(blocking > 0 && round > 1);
                }
            }
            // No finding is lost or duplicated, however often it is repeated.
            let mut prints: Vec<_> =
                ledger.entries().iter().map(|entry| entry.finding.fingerprint()).collect();
            prints.sort_unstable();
            prints.dedup();
            prop_assert_eq!(prints.len(), ledger.entries().len());
        }
    }
}
