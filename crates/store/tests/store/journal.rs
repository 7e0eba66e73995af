use crate::folder::{Folder, WAIT, write};
use sprag_core::{RunId, Seq, Time};
use sprag_store::{CommitError, Doc, Journal, StoreError, Traced};
use std::fs;

#[test]
fn every_64_lines_there_is_a_checkpoint() {
    let folder = Folder::new();
    for n in 0..200 {
        folder.put("a.md", &n.to_string());
    }
    let kinds = folder.kinds();
    let places: Vec<_> =
        (0..kinds.len()).filter(|&at| kinds[at] == "checkpoint").map(|at| at + 1).collect();
    assert_eq!(places, [1, 66, 131, 196]);
}

#[test]
fn a_full_segment_is_followed_by_another() {
    let mut folder = Folder::new();
    folder.settings.keep_segments = 2;
    let text = "x".repeat(40_000);
    let mut last = Seq(0);
    for n in 0..90 {
        folder.put("a.md", &format!("{n}{text}"));
        last = folder.store().last().unwrap();
    }
    assert_eq!(folder.segments().len(), 2, "older ones are gone");
    let newest = folder.store().history().unwrap().next().unwrap().unwrap();
    assert_eq!(newest.seq, last);
    assert!(folder.store().record(last).unwrap().is_some());
    assert!(folder.store().record(Seq(2)).unwrap().is_none());
    assert!(matches!(folder.store().health().unwrap().journal, Journal::Good(seq) if seq == last));
}

#[test]
fn large_texts_go_beside_the_line() {
    let folder = Folder::new();
    let large = "é".repeat(100_000);
    folder.put("a.md", &large);
    let segment = fs::read_to_string(&folder.segments()[0]).unwrap();
    assert!(segment.lines().all(|line| line.len() <= 64 << 10));
    assert_eq!(fs::read_dir(folder.file(".sprag/journal/blobs")).unwrap().count(), 1);
    // The file and the head are lost; the blob restores the text.
    fs::remove_file(folder.file("a.md")).unwrap();
    fs::remove_file(folder.file(".sprag/journal/head")).unwrap();
    assert_eq!(folder.read("a.md"), Doc::Text(large));
}

#[test]
fn blobs_go_with_their_segment() {
    let mut folder = Folder::new();
    folder.settings.keep_segments = 1;
    folder.put("a.md", &"x".repeat(100_000));
    for n in 0..40 {
        folder.put("b.md", &format!("{n}{}", "y".repeat(40_000)));
    }
    assert_eq!(fs::read_dir(folder.file(".sprag/journal/blobs")).unwrap().count(), 0);
}

#[test]
fn a_checkpoint_of_very_many_documents_still_fits() {
    let folder = Folder::new();
    for part in 0..10 {
        let doc = |n| write(&format!("docs/{part}/document-number-{n}.md"), "text");
        folder.commit(&(0..100).map(doc).collect::<Vec<_>>()).unwrap();
    }
    for n in 0..70 {
        folder.put("a.md", &n.to_string());
    }
    fs::remove_file(folder.file(".sprag/journal/head")).unwrap();
    folder.by_hand("docs/0/document-number-0.md", "by hand");
    folder.put("docs/0/document-number-0.md", "again");
    assert!(folder.kinds().contains(&"foreign.edit".to_owned()));
}

#[test]
fn lists_of_documents_stay_when_the_segment_they_were_written_in_goes() {
    let mut folder = Folder::new();
    folder.settings.keep_segments = 1;
    let name = |part, n| format!("docs/{part}/{}-{n}.md", "document".repeat(20));
    for part in 0..6 {
        let docs: Vec<_> = (0..60).map(|n| write(&name(part, n), "text")).collect();
        folder.commit(&docs).unwrap();
    }
    for n in 0..90 {
        folder.put("a.md", &format!("{n}{}", "y".repeat(40_000)));
    }
    let first = folder.segments().first().unwrap().file_name().unwrap().to_owned();
    let blobs = fs::read_dir(folder.file(".sprag/journal/blobs")).unwrap();
    let names: Vec<_> = blobs.map(|blob| blob.unwrap().file_name()).collect();
    assert!(names.iter().any(|name| name < &first), "{names:?}");
    folder.by_hand(&name(0, 0), "by hand");
    folder.put(&name(0, 0), "again");
    assert!(folder.kinds().contains(&"foreign.edit".to_owned()));
    assert!(matches!(folder.store().health().unwrap().journal, Journal::Good(_)));
}

#[test]
fn a_damaged_list_accuses_nobody() {
    let folder = Folder::new();
    let name = |n| format!("docs/{}-{n}.md", "document".repeat(20));
    let docs: Vec<_> = (0..60).map(|n| write(&name(n), "text")).collect();
    folder.commit(&docs).unwrap();
    for n in 0..70 {
        folder.put("a.md", &n.to_string());
    }
    let mut blobs = fs::read_dir(folder.file(".sprag/journal/blobs")).unwrap();
    let list = blobs.next().unwrap().unwrap().path();
    // The list now names another version of every document, with an unchanged length.
    let text = fs::read_to_string(&list).unwrap();
    let other = |line: &str| {
        let (key, hash) = line.split_once(",\"").unwrap();
        let first = if hash.starts_with('0') { '1' } else { '0' };
        format!("{key},\"{first}{}\n", &hash[1..])
    };
    fs::write(&list, text.lines().map(other).collect::<String>()).unwrap();
    let said = folder.commit(&[write(&name(7), "new")]);
    assert!(matches!(said, Err(CommitError::Store(StoreError::Unknown { .. }))), "{said:?}");
    assert!(!folder.kinds().contains(&"foreign.edit".to_owned()));
    assert_eq!(folder.on_disk(&name(7)).unwrap(), "text");
}

#[test]
fn damage_in_the_middle_is_unknown_until_a_person_restarts_the_journal() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    folder.put("a.md", "2");
    let last = folder.store().last().unwrap();
    let segment = &folder.segments()[0];
    let text = fs::read_to_string(segment).unwrap().replacen("test.happened", "test.HAPPENED", 1);
    fs::write(segment, text).unwrap();
    fs::remove_file(folder.file(".sprag/journal/head")).unwrap();

    let error = folder.commit(&[write("a.md", "3")]);
    assert!(matches!(error, Err(CommitError::Store(StoreError::Unknown { .. }))));
    assert!(matches!(folder.store().health().unwrap().journal, Journal::Unknown(_)));
    assert_eq!(folder.on_disk("a.md").unwrap(), "2");

    let aside = folder.store().restart_journal(Time::from_millis(0), "person", WAIT).unwrap().aside;
    assert!(folder.file(".sprag").join(&aside).exists());
    folder.put("a.md", "3");
    assert!(folder.store().last().unwrap() > last, "no place is given out twice");
    assert_eq!(
        folder.kinds(),
        ["checkpoint", "journal.restarted", "foreign.edit", "test.happened"]
    );
}

#[test]
fn a_segment_that_lost_its_end_is_unknown() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    folder.put("a.md", "2");
    let segment = fs::File::options().write(true).open(&folder.segments()[0]).unwrap();
    segment.set_len(segment.metadata().unwrap().len() - 10).unwrap();
    let error = folder.commit(&[write("a.md", "3")]);
    assert!(matches!(error, Err(CommitError::Store(StoreError::Unknown { .. }))));
    fs::remove_file(&folder.segments()[0]).unwrap();
    assert!(folder.commit(&[write("a.md", "3")]).is_err());
}

#[test]
fn a_line_of_a_later_version_is_unknown_not_torn() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    let segment = &folder.segments()[0];
    let text = fs::read_to_string(segment).unwrap();
    let last = text.lines().last().unwrap();
    let body = last.rsplit_once(",\"sum\"").unwrap().0.replacen("\"v\":1", "\"v\":2", 1);
    let body = body.replacen("\"seq\":2", "\"seq\":3", 1);
    let sum = sprag_core::Hash::of(&body).short(16);
    fs::write(segment, format!("{text}{body},\"sum\":\"{sum}\"}}\n")).unwrap();
    let error = folder.commit(&[write("a.md", "2")]).unwrap_err();
    assert!(error.to_string().contains("version 2"), "{error}");
}

/// Creates a run with documents, a file that is not one, and a link out of its folder.
fn run_with_files(folder: &Folder) -> RunId {
    folder.put(".sprag/runs/r-1/run.yaml", "old\n");
    folder.put(".sprag/runs/r-1/receipts/1.json", "{}");
    folder.by_hand(".sprag/runs/r-1/receipts/2.json", "\u{fffd}");
    fs::write(folder.file(".sprag/runs/r-1/receipts/3.json"), [0xff]).unwrap();
    folder.by_hand("canary", "alive");
    std::os::unix::fs::symlink(folder.root(), folder.file(".sprag/runs/r-1/output")).unwrap();
    RunId::parse("r-1").unwrap()
}

fn forget(folder: &Folder, run: &RunId) -> sprag_store::Committed {
    let when = (Time::from_millis(0), "person");
    folder.store().forget_run(run, when, WAIT, |text| text == "old\n").unwrap()
}

#[test]
fn a_forgotten_run_leaves_nothing_behind() {
    let mut folder = Folder::new();
    let run = run_with_files(&folder);
    assert_eq!(folder.store().size_of_run(&run).unwrap(), 4 + 2 + 3 + 1 + link_size(&folder));
    let done = forget(&folder, &run);
    assert!(done.seq.is_some() && done.unwritten.is_empty(), "{:?}", done.unwritten);
    assert!(!folder.file(".sprag/runs/r-1").exists());
    assert_eq!(folder.on_disk("canary").unwrap(), "alive");
    assert_eq!(folder.kinds().iter().filter(|kind| *kind == "run.forgotten").count(), 1);
    // After a reboot the lines since the checkpoint are processed again.
    folder.settings.boot = Some("boot-2".to_owned());
    folder.put("a.md", "1");
    assert!(!folder.file(".sprag/runs/r-1").exists());
}

fn link_size(folder: &Folder) -> u64 {
    fs::symlink_metadata(folder.file(".sprag/runs/r-1/output")).unwrap().len()
}

#[test]
fn a_run_that_is_not_old_any_more_stays_whole() {
    let folder = Folder::new();
    let run = run_with_files(&folder);
    folder.put(".sprag/runs/r-1/run.yaml", "taken up again\n");
    assert_eq!(forget(&folder, &run).seq, None);
    assert_eq!(folder.on_disk(".sprag/runs/r-1/receipts/1.json").unwrap(), "{}");
    assert!(folder.file(".sprag/runs/r-1/receipts/3.json").exists());
}

#[test]
fn a_run_of_very_many_documents_is_forgotten_too() {
    let folder = Folder::new();
    folder.put(".sprag/runs/r-1/run.yaml", "old\n");
    let name = |number: u32| format!(".sprag/runs/r-1/receipts/{number}.json");
    let edits: Vec<_> = (0..150).map(|number| write(&name(number), "{}")).collect();
    folder.commit(&edits).unwrap();
    assert!(forget(&folder, &RunId::parse("r-1").unwrap()).seq.is_some());
    assert!(!folder.file(".sprag/runs/r-1").exists());
}

#[test]
fn traces_are_bounded_and_plain() {
    let folder = Folder::new();
    let at = Time::from_millis(0);
    folder.store().trace(at, Traced::LetGo, "there is no project yet").unwrap();
    assert!(!folder.file(".sprag").exists());
    folder.put("a.md", "1");
    folder.store().trace(at, Traced::LetGo, "\u{1b}[2Jred\nherring").unwrap();
    let read = || folder.store().traces(5).unwrap();
    assert_eq!(read()[0].line, "1970-01-01T00:00:00.000Z  [2Jred herring");
    folder.store().trace(at, Traced::Refused, "s-1 at a stop: a.md").unwrap();
    let first_release = "\
        1970-01-01T00:00:00.000Z s-1 before a tool refused, and not by: a.md\n\
        1970-01-01T00:00:00.000Z s-1 at a stop let go: ` refused, and not by: ` cannot be read\n";
    let trace = fs::read_to_string(folder.file(".sprag/trace")).unwrap();
    fs::write(folder.file(".sprag/trace"), trace + first_release).unwrap();
    let what: Vec<_> = read().into_iter().map(|one| one.what).collect();
    assert_eq!(what, [Traced::LetGo, Traced::Refused, Traced::Refused, Traced::LetGo]);
    for _ in 0..600 {
        folder.store().trace(at, Traced::LetGo, &"x".repeat(5000)).unwrap();
    }
    let size = |name| fs::metadata(folder.file(name)).unwrap().len();
    assert!(size(".sprag/trace") + size(".sprag/trace.old") < 600 << 10);
}
