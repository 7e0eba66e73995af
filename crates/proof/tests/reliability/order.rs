//! Reads from a record of system calls that nothing is acknowledged before the disk has it.
//!
//! A kill cannot show this: what was written and not synced survives a kill, and is lost with the
//! power. So the order itself is checked: a write to the journal or to a temporary is synced, and a
//! name that leads to the journal is synced in its folder, before `ok` is said.

use std::path::Path;

use sprag_testkit::strace::Call;

/// Returns what was not synced when `ok` was said, or that nothing was said at all.
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
