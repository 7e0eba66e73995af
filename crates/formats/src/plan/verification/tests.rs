use proptest::prelude::*;
use sprag_core::plan::{CiStage, Effective};

use super::*;

fn status(text: &str) -> VerificationStatus {
    read(text).status
}

#[test]
fn the_headline_is_found_in_its_variants() {
    for (text, expected) in [
        ("## Status: PASSED\n", VerificationStatus::Passed),
        ("**Status:** PASSED\n", VerificationStatus::Passed),
        ("**Status**: Gaps Found\n", VerificationStatus::GapsFound),
        ("# Status: ✅ passed (7/7)\n", VerificationStatus::Passed),
        ("## Status: human_needed\r\n", VerificationStatus::HumanNeeded),
        ("## Status: {passed | gaps_found | human_needed}\n", VerificationStatus::Invalid),
        ("## Status: passed with gaps\n", VerificationStatus::Invalid),
        ("## Status:\n", VerificationStatus::Invalid),
        ("```\n## Status: passed\n```\n", VerificationStatus::Invalid),
        ("Status is passed\n", VerificationStatus::Invalid),
        ("## Status: gaps_found\n## Status: passed\n", VerificationStatus::GapsFound),
        ("", VerificationStatus::Invalid),
    ] {
        assert_eq!(status(text), expected, "{text:?}");
    }
}

#[test]
fn gaps_count_only_in_their_section() {
    let gap = "<gap type=\"stub\" file=\"a.rs\">x</gap>\n";
    let names = |text: &str| -> Vec<String> { read(text).gaps.iter().map(Gap::name).collect() };
    for text in [
        format!("## Gaps\n{gap}"),
        format!("## gaps (for planner)\n```xml\n<gaps>\n{gap}</gaps>\n```\n"),
        format!("### Gaps\n```\n{gap}```\n"),
        "## Gaps\n<gap type='stub' file='a.rs'>never closed\n".to_owned(),
    ] {
        assert_eq!(names(&text), ["stub:a.rs"], "{text}");
    }
    for text in [
        gap.to_owned(),
        format!("## Notes\n{gap}"),
        format!("## Gaps\nNone identified.\n## Example\n{gap}"),
        format!("## Gaps\n```text\n{gap}```\n"),
        "## Gaps\n<gaps>\n</gaps>\n".to_owned(),
    ] {
        assert_eq!(names(&text), [""; 0], "{text}");
    }
    assert_eq!(
        read("## Status: gaps_found\n## Gaps\nmany\n").effective(),
        Effective::UnparseableGaps
    );
}

#[test]
fn what_is_written_reads_the_same() {
    let gap = Gap {
        kind: "ci_failure".to_owned(),
        check: Some("test".to_owned()),
        text: "1 < 2 & \"x\"".to_owned(),
        ..Gap::default()
    };
    let run = FullRun {
        phase: "2".to_owned(),
        status: VerificationStatus::GapsFound,
        ci: vec![CiRow {
            stage: CiStage::Test,
            result: CiResult::Fail,
            note: "a | b\nc".to_owned(),
        }],
        checks: vec![CheckRow {
            task: "01".to_owned(),
            text: "a.rs exists".to_owned(),
            result: CheckResult::Claimed,
            evidence: String::new(),
        }],
        gaps: vec![gap.clone()],
        human: vec!["Visual: looks right".to_owned()],
    };
    let text = write(&run);
    assert_eq!(
        text,
        "# Verification Report: Phase 2\n\n## Status: gaps_found\n\n## CI Checks\n\n\
         | Check | Status | Time | Notes |\n|-------|--------|------|-------|\n\
         | test | FAIL | - | a \\| b c |\n\n## Observable Truths\n\n\
         | Truth | Status | Evidence |\n|-------|--------|----------|\n\
         | 01: a.rs exists | CLAIMED |  |\n\n## Gaps\n\n<gaps>\n  \
         <gap type=\"ci_failure\" check=\"test\">1 &lt; 2 &amp; &quot;x&quot;</gap>\n</gaps>\n\n\
         ## Human Verification Required\n\n- [ ] Visual: looks right\n"
    );
    let read = read(&text);
    assert_eq!((read.status, read.gaps, read.human), (run.status, vec![gap], run.human));
}

proptest! {
    #[test]
    fn hostile_gaps_stay_one_gap(kind in ".{0,12}", file in ".{1,20}", text in "(?s).{0,60}") {
        let gap = Gap { kind, file: Some(file), text, ..Gap::default() };
        let run = FullRun { status: VerificationStatus::GapsFound, gaps: vec![gap.clone(), Gap::default()], ..FullRun::default() };
        let read = read(&write(&run));
        prop_assert_eq!(read.gaps.len(), 2);
        prop_assert_eq!(read.status, VerificationStatus::GapsFound);
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assert_eq!(&read.gaps[0].text, &flat(&gap.text));
        prop_assert_eq!(&read.gaps[0].kind, &flat(&gap.kind));
    }
}
