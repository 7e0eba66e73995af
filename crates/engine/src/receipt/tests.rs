use std::time::Duration;

use sprag_core::Seq;
use sprag_store::{CommitError, CommitRequest, Place, Store, StoreError};
use sprag_testkit::TestEnv;

use super::*;

fn asked() -> GateOrigin {
    let definition = Some(Hash::of("definition"));
    GateOrigin { run: RunId::parse("r-7k2m").unwrap(), phase: Some("build".to_owned()), definition }
}

fn evidence(id: &str, started: i64, output: &str) -> Evidence {
    let found = GateResult {
        gate: Name::literal("tests"),
        kind: CheckKind::Run,
        argv: Some(vec!["cargo".to_owned(), "test".to_owned()]),
        started: Time::from_millis(started),
        ms: 1500,
        exit: Some(1),
        verdict: Verdict::Fail,
        why: String::new(),
        output: output.to_owned(),
        tree: Hash::of("tree"),
        protect: None,
    };
    Evidence::new(ReceiptId::parse(id).unwrap(), &asked(), found).unwrap()
}

fn commit(store: &Store, evidence: &Evidence) {
    let decide = |_: &View<'_>| {
        let (edits, told) = evidence.commit()?;
        let event = sprag_store::Event::new(Some(evidence.record.run.clone()), told);
        let at = Time::from_millis(0);
        Ok::<_, BadPath>(CommitRequest { at, actor: "test".to_owned(), events: vec![event], edits })
    };
    let done: Result<_, CommitError<BadPath>> = store.commit(Duration::from_secs(5), decide);
    assert!(done.unwrap().unwritten.is_empty());
}

#[test]
fn a_receipt_is_committed_with_its_output_and_its_hash() {
    let env = TestEnv::new();
    let store = Store::open(&Place::of(env.project()), Seq(1)).unwrap();
    let (late, early) = (evidence("g-1", 2000, "failed\n"), evidence("g-2", 1000, ""));
    commit(&store, &late);
    commit(&store, &early);
    let text = env.read(".sprag/runs/r-7k2m/receipts/g-1.json").unwrap();
    let keys = text.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\":"));
    let keys: Vec<&str> = keys.map(|(key, _)| key).collect();
    let expected = "v id run phase gate kind argv cwd started ms exit verdict why tail output tree \
                    definition protect by";
    assert_eq!(keys.join(" "), expected);
    assert_eq!(env.read(".sprag/runs/r-7k2m/output/g-1.txt").as_deref(), Some("failed\n"));
    assert_eq!(env.read(".sprag/runs/r-7k2m/output/g-2.txt"), None);
    let (_, told) = late.commit().unwrap();
    assert_eq!(told.hash, Some(Hash::of(&text)));

    env.write(".sprag/runs/r-7k2m/receipts/g-3.json", "{}");
    let read = |view: &View<'_>| Ok::<_, StoreError>(of_run(view, &asked().run).unwrap());
    let (records, unreadable) = store.read(read).unwrap();
    assert_eq!(records, [early.record, late.record]);
    assert_eq!(unreadable, [".sprag/runs/r-7k2m/receipts/g-3.json"]);
}

#[test]
fn what_is_written_reads_back_as_what_the_kernel_judges() {
    let record = evidence("g-1", 2000, "one\ntwo\n").record;
    assert_eq!(Record::read(&record.text()).unwrap(), record);
    let receipt = record.receipt().unwrap();
    assert_eq!((receipt.verdict, receipt.exit), (Verdict::Fail, Some(1)));
    assert_eq!(receipt.at, Time::from_millis(3500));
    assert_eq!(receipt.tail, "one\ntwo\n");
    let text = record.text();
    for bad in [
        text.replace("\"v\": 1", "\"v\": 2"),
        text.replace("\"fail\"", "\"passed\""),
        text.replace("\"run\": \"r-7k2m\"", "\"run\": \"../r-7k2m\""),
        text.replace("\"kind\": \"run\"", "\"kind\": \"oracle\""),
        text.replace("\"tests\"", "\"\""),
        text.replace("g-1\"", "../g-1\""),
    ] {
        assert!(Record::read(&bad).is_err(), "{bad}");
    }
}

#[test]
fn receipts_of_the_first_release_are_read_and_written_byte_for_byte() {
    let passed = include_str!("../../tests/data/receipt-run.json");
    let record = Record::read(passed).unwrap();
    assert_eq!((record.kind, record.verdict), (CheckKind::Run, Verdict::Pass));
    assert_eq!(record.text(), passed);
    let waived = include_str!("../../tests/data/receipt-waived.json");
    let record = Record::read(waived).unwrap();
    assert_eq!((record.kind, record.verdict), (CheckKind::Human, Verdict::Waived));
    assert_eq!(record.text(), waived);
}

#[test]
fn verdicts_and_kinds_are_stored_as_the_words_that_people_read() {
    for verdict in Verdict::ALL {
        assert_eq!(serde_json::json!(verdict), verdict.as_str());
    }
    let kinds = [
        CheckKind::Run,
        CheckKind::File,
        CheckKind::Absent,
        CheckKind::Content,
        CheckKind::Human,
        CheckKind::All,
        CheckKind::Any,
    ];
    for kind in kinds {
        assert_eq!(serde_json::json!(kind), kind.as_str());
    }
}

#[test]
fn a_person_s_word_is_a_record_of_its_own() {
    let word = PersonVerdict {
        by: "ada",
        why: "known to be slow",
        at: Time::from_millis(5),
        tree: Hash::of("tree"),
    };
    let id = ReceiptId::parse("g-9").unwrap();
    let gate = Name::literal("tests");
    let made = Record::of_person(id, &asked(), &gate, Verdict::Waived, &word);
    let receipt = Record::read(&made.record.text()).unwrap().receipt().unwrap();
    assert_eq!((receipt.verdict, receipt.why.as_str()), (Verdict::Waived, "known to be slow"));
    assert_eq!(made.record.by, "ada");
    assert_eq!(made.commit().unwrap().0.len(), 1);
}

#[test]
fn the_tail_begins_with_a_line() {
    assert_eq!(tail("short\n"), "short\n");
    let long = format!("{}\nlast line\n", "é".repeat(5000));
    assert_eq!(tail(&long), "last line\n");
    let one = "é".repeat(5000);
    assert!(tail(&one).len() <= TAIL && tail(&one).starts_with('é'));
}

#[test]
fn long_outputs_and_reasons_are_cut() {
    let whole = evidence("g-1", 0, &"\u{fffd}".repeat(400_000));
    assert!(whole.output.len() < sprag_store::MAX_DOCUMENT / 2 + 100);
    assert!(whole.output.starts_with("… 67") && whole.output.contains("bytes left out …\n"));
    assert_eq!(line("a\nb\u{1b}[2J"), "a b [2J");
    assert_eq!(line(&"é".repeat(700)).chars().count(), LINE + 1);
}
