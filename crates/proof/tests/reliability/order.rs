//! Checks in a record of system calls that nothing is acknowledged before it is on disk.
//!
//! A kill cannot show this: unsynced writes survive a kill, but not a power failure. So the order
//! itself is checked. Writes to the journal or to a temporary file must be synced, and so must the
//! folders with the names that lead to the journal, before `ok` is printed.

use std::path::Path;

use sprag_testkit::skip;
use sprag_testkit::strace::{self, Call};

use crate::named::commit_named;
use crate::project::{Project, commit_docs};
use crate::scenario;

/// Returns the calls that were not synced when `ok` was printed, or that nothing was printed at
/// all.
pub(crate) fn faults(calls: &[Call], root: &Path) -> Vec<String> {
    let Some(said) = calls.iter().position(|call| call.text.starts_with("write(1<")) else {
        return vec!["nothing was acknowledged".to_owned()];
    };
    let root = root.to_string_lossy().into_owned();
    let (before, mut found) = (&calls[..said], Vec::new());
    for (at, call) in before.iter().enumerate() {
        let Some(needs) = needs(call, &root) else { continue };
        let synced = |later: &Call| {
            matches!(later.name.as_str(), "fsync" | "fdatasync")
                && descriptor(&later.text) == Some(&needs)
        };
        if !before[at..].iter().any(synced) {
            found.push(format!("said ok before `{needs}` was synced after {}", call.text));
        }
    }
    let changed = before.iter().any(|call| needs(call, &root).is_some());
    if !changed {
        found.push("nothing was written before ok was said".to_owned());
    }
    found
}

/// Returns the path that must be synced after this call, if any.
fn needs(call: &Call, root: &str) -> Option<String> {
    let path = descriptor(&call.text).filter(|path| path.starts_with(root))?;
    match call.name.as_str() {
        // The head may be lost at any time: the journal itself is read then.
        "write" | "pwrite64" if !path.ends_with("/head") && !path.ends_with("/.gitignore") => {
            Some(path.to_owned())
        }
        "mkdirat" => leads_to_journal(call, path, root).then(|| path.to_owned()),
        "openat" if call.text.contains("O_CREAT") && call.text.contains(".jsonl\"") => {
            Some(path.to_owned())
        }
        _ => None,
    }
}

fn leads_to_journal(call: &Call, folder: &str, root: &str) -> bool {
    let names = |name: &str| call.text.contains(&format!("\"{name}\""));
    folder == root && names(".sprag") || folder == format!("{root}/.sprag") && names("journal")
}

/// Records one commit in a project; returns its calls and the project's path.
fn recorded(project: &Project) -> (Vec<Call>, String) {
    let (calls, output) = strace::record(
        &commit_docs(&project.root, &["b.md=new\n"]),
        &project.scratch().join("log"),
    )
    .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (calls, project.root.to_string_lossy().into_owned())
}

/// Returns the position of a call with one of these names on this path.
fn place(calls: &[Call], names: &[&str], path: &str) -> Option<usize> {
    let is = |call: &Call| names.contains(&&*call.name) && descriptor(&call.text) == Some(path);
    calls.iter().position(is)
}

#[test]
fn a_text_is_on_the_disk_before_its_line_is_written() {
    if !strace::is_there() {
        return skip::skip("order of text and line", "strace is missing or may not trace");
    }
    for command in [commit_docs, commit_named] {
        let project = scenario::existing();
        let words = command(&project.root, &["b.md=the text\n"]);
        let (calls, output) = strace::record(&words, &project.scratch().join("log")).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let writes = |name: &str| {
            let is = |call: &Call| call.name == name && call.text.contains("the text");
            calls.iter().position(is).expect("a write of the text")
        };
        let (text, line) = (writes("write"), writes("pwrite64"));
        let path = descriptor(&calls[text].text).unwrap();
        let synced = place(&calls, &["fdatasync"], path).expect("a sync of the text");
        assert!(text < synced && synced < line, "{text}, {synced}, {line}");
    }
}

#[test]
fn a_checkpoint_follows_the_sync_of_every_document_and_folder() {
    if !strace::is_there() {
        return skip::skip("order at a checkpoint", "strace is missing or may not trace");
    }
    let project = scenario::checkpoint();
    let (calls, root) = recorded(&project);
    let writes = |call: &Call| call.name == "pwrite64" && call.text.contains("checkpoint");
    let line = calls.iter().position(writes).expect("the line of the checkpoint");
    for (names, path) in [(["fdatasync"], format!("{root}/a.md")), (["fsync"], root.clone())] {
        let at = place(&calls, &names, &path);
        assert!(at.is_some_and(|at| at < line), "{path} is not synced before the checkpoint");
    }
    let folder = |call: &&Call| call.name == "fsync" && descriptor(&call.text) == Some(&root);
    assert_eq!(calls[..line].iter().filter(folder).count(), 1, "once, whatever is in it");
}

#[test]
fn an_unfinished_commit_is_synced_before_it_is_written() {
    if !strace::is_there() {
        return skip::skip("order of a recovery", "strace is missing or may not trace");
    }
    let project = scenario::unfinished();
    let (calls, _) = recorded(&project);
    let segment = project.segment().to_string_lossy().into_owned();
    let synced = place(&calls, &["fdatasync"], &segment).expect("a sync");
    let renamed = calls.iter().position(|call| call.name.starts_with("rename")).expect("a rename");
    assert!(synced < renamed, "the documents are written before their line is safe");
}

/// Returns the path behind the first descriptor of a call: `write(5</path>, …`.
fn descriptor(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('<')?;
    Some(rest.split_once('>')?.0)
}

#[test]
fn an_early_ok_is_found() {
    let call = |name: &str, rest: &str| Call {
        name: name.to_owned(),
        nth: 1,
        text: format!("{name}{rest}"),
    };
    let write = call("write", "(5</r/.sprag/journal/1.jsonl>, \"x\", 1) = 1");
    let sync = call("fdatasync", "(5</r/.sprag/journal/1.jsonl>) = 0");
    let ok = call("write", "(1</dev/null>, \"ok 1\\n\", 5) = 5");
    let root = Path::new("/r");
    assert_eq!(faults(&[write.clone(), sync.clone(), ok.clone()], root), Vec::<String>::new());
    assert_eq!(faults(&[write.clone(), ok.clone(), sync.clone()], root).len(), 1);
    assert_eq!(faults(&[sync, write.clone(), ok], root).len(), 1);
    assert_eq!(faults(&[write], root).len(), 1);
}
