//! How the next process handles the leftovers of the last one.

use crate::folder::{Folder, write};
use sprag_store::Doc;
use std::fs;

/// Restores the old head, as a kill before its write would leave it.
fn with_old_head(folder: &Folder, commit: impl FnOnce()) {
    let head = fs::read(folder.file(".sprag/journal/head")).unwrap();
    commit();
    fs::write(folder.file(".sprag/journal/head"), head).unwrap();
}

#[test]
fn a_document_that_was_not_written_is_read_as_written_and_written_next_time() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    with_old_head(&folder, || folder.put("a.md", "2"));
    folder.by_hand("a.md", "1"); // as if the rename had not happened
    assert_eq!(folder.read("a.md"), Doc::Text("2".into()));
    assert_eq!(folder.on_disk("a.md").unwrap(), "1", "readers write nothing");
    folder.put("b.md", "x");
    assert_eq!(folder.on_disk("a.md").unwrap(), "2");
    assert!(folder.kinds().contains(&"redone".to_owned()));
}

#[test]
fn an_applied_line_is_never_redone() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    folder.put("a.md", "2");
    folder.by_hand("a.md", "1"); // git checkout
    assert_eq!(folder.read("a.md"), Doc::Text("1".into()));
    folder.put("b.md", "x");
    assert_eq!(folder.on_disk("a.md").unwrap(), "1");
    folder.put("a.md", "3");
    let kinds = folder.kinds();
    assert_eq!(&kinds[kinds.len() - 2..], ["foreign.edit", "test.happened"]);
}

#[test]
fn after_a_reboot_a_document_is_brought_forward_along_its_chain() {
    let mut folder = Folder::new();
    for text in ["1", "2", "3"] {
        folder.put("a.md", text);
    }
    folder.put("gone/b.md", "new");
    folder.by_hand("a.md", "1"); // what a power cut may leave: an older version,
    fs::remove_dir_all(folder.file("gone")).unwrap(); // or nothing at all
    folder.settings.boot = Some("boot-2".to_owned());
    assert_eq!(folder.read("a.md"), Doc::Text("3".into()));
    assert_eq!(folder.read("gone/b.md"), Doc::Text("new".into()));
    folder.put("c.md", "x");
    assert_eq!(folder.on_disk("a.md").unwrap(), "3");
    assert_eq!(folder.on_disk("gone/b.md").unwrap(), "new");
}

#[test]
fn after_a_reboot_somebody_elses_text_stays() {
    let mut folder = Folder::new();
    folder.put("a.md", "1");
    folder.put("a.md", "2");
    folder.by_hand("a.md", "by hand");
    folder.settings.boot = Some("boot-2".to_owned());
    folder.put("b.md", "x");
    assert_eq!(folder.on_disk("a.md").unwrap(), "by hand");
}

#[test]
fn a_text_by_hand_is_kept_in_the_journal_before_we_write_over_it() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    folder.by_hand("a.md", "by hand");
    folder.put("a.md", "2");
    let segment = fs::read_to_string(&folder.segments()[0]).unwrap();
    assert!(segment.contains(r#"[0,null,"by hand"]"#), "{segment}");
}

#[test]
fn without_a_head_the_journal_itself_is_read() {
    let folder = Folder::new();
    for n in 0..150 {
        folder.put("a.md", &n.to_string());
    }
    fs::remove_file(folder.file(".sprag/journal/head")).unwrap();
    assert_eq!(folder.read("a.md"), Doc::Text("149".into()));
    let last = folder.store().last().unwrap();
    folder.put("a.md", "150");
    assert!(folder.store().last().unwrap() > last);
    assert!(folder.file(".sprag/journal/head").exists());
}

#[test]
fn a_torn_tail_is_cut() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    let segment = folder.segments()[0].clone();
    // Longer than the next write, so that only the cut can remove it.
    let long = format!("half a long line {}", "x".repeat(4096));
    for garbage in ["{\"v\":1,\"seq\":999", "\0\0\0\0", "half a line, ended\n", &long] {
        let whole = fs::read_to_string(&segment).unwrap();
        fs::write(&segment, format!("{whole}{garbage}")).unwrap();
        assert_eq!(folder.read("a.md").text().map(str::len), Some(1));
        folder.put("a.md", garbage.get(..1).unwrap());
        folder.put("a.md", "1");
        assert!(!fs::read_to_string(&segment).unwrap().contains(garbage));
    }
}

#[test]
fn a_segment_that_was_begun_and_has_no_line_does_not_count() {
    let folder = Folder::new();
    folder.put("a.md", "1");
    let next = folder.store().last().unwrap().next();
    for content in ["", "{\"v\":1"] {
        folder.by_hand(&format!(".sprag/journal/{:020}.jsonl", next.0), content);
        assert_eq!(folder.read("a.md"), Doc::Text("1".into()));
    }
    folder.put("a.md", "2");
    assert_eq!(folder.segments().len(), 1);
}

#[test]
fn a_very_first_write_that_did_not_finish_is_as_if_it_never_was() {
    let folder = Folder::new();
    fs::create_dir_all(folder.file(".sprag/journal")).unwrap();
    folder.by_hand(".sprag/journal/00000000000000000001.jsonl", "{\"v\":1,\"se");
    assert_eq!(folder.read("a.md"), Doc::Absent);
    folder.put("a.md", "1");
    assert_eq!(folder.kinds(), ["checkpoint", "test.happened"]);
}

/// Leaves the files of a kill between the temporary name and the rename.
fn killed_before_the_rename(folder: &Folder) {
    folder.put("docs/a.md", "1");
    with_old_head(folder, || folder.put("docs/a.md", "2"));
    folder.by_hand("docs/a.md", "1");
    folder.by_hand("docs/.sprag-tmp-99999-0", "2");
    assert_eq!(folder.store().health().unwrap().leftovers.len(), 1);
}

#[test]
fn who_finishes_a_killed_writers_commit_sweeps_after_it() {
    let folder = Folder::new();
    killed_before_the_rename(&folder);
    folder.put("elsewhere.md", "x");
    assert!(folder.store().health().unwrap().leftovers.is_empty());
    assert_eq!(folder.on_disk("docs/a.md").unwrap(), "2");
}

#[test]
fn a_killed_writers_leftover_is_swept_beside_somebody_elses_text_too() {
    let folder = Folder::new();
    killed_before_the_rename(&folder);
    folder.by_hand("docs/a.md", "by hand");
    folder.put("elsewhere.md", "x");
    assert!(folder.store().health().unwrap().leftovers.is_empty());
    assert_eq!(folder.on_disk("docs/a.md").unwrap(), "by hand");
}

#[test]
fn leftovers_of_any_origin_are_swept_at_the_next_checkpoint() {
    let folder = Folder::new();
    folder.put("docs/a.md", "first");
    folder.by_hand("docs/.sprag-tmp-99999-0", "half");
    let checkpoints = || folder.kinds().iter().filter(|kind| *kind == "checkpoint").count();
    // A commit whose own files have names sweeps their folder.
    let has_nameless = !cfg!(any(target_os = "macos", sprag_portable));
    for number in 0..64 {
        let left = usize::from(number == 0 || has_nameless);
        assert_eq!((checkpoints(), folder.store().health().unwrap().leftovers.len()), (1, left));
        folder.put("docs/a.md", &number.to_string());
    }
    assert_eq!((checkpoints(), folder.store().health().unwrap().leftovers.len()), (2, 0));
}

#[test]
fn leftovers_are_swept_by_whoever_asks_for_it() {
    let folder = Folder::new();
    folder.put("docs/a.md", "1");
    folder.by_hand("docs/.sprag-tmp-99999-1", "half");
    folder.store().tidy(crate::folder::WAIT).unwrap();
    assert!(!folder.file("docs/.sprag-tmp-99999-1").exists());
}

#[test]
fn what_is_committed_but_not_written_is_listed_too() {
    let folder = Folder::new();
    folder.put(".sprag/runs/r-1/run.yaml", "1");
    with_old_head(&folder, || {
        folder.commit(&[write(".sprag/runs/r-2/run.yaml", "2")]).unwrap();
    });
    fs::remove_dir_all(folder.file(".sprag/runs/r-2")).unwrap();
    let listed = folder.store().read(|view| {
        let runs = crate::folder::path(".sprag/runs");
        Ok::<_, sprag_store::StoreError>((view.list(&runs), view.pending()))
    });
    let (listing, pending) = listed.unwrap();
    assert_eq!(listing, sprag_store::Listing::Names(vec!["r-1".into(), "r-2".into()]));
    assert_eq!(pending, [".sprag/runs/r-2/run.yaml"]);
    folder.store().tidy(crate::folder::WAIT).unwrap();
    assert!(folder.file(".sprag/runs/r-2/run.yaml").exists());
}
