//! A sweep reaches every call, and its verifier can fail.
#![expect(clippy::disallowed_methods, reason = "prepares the folders")]

use super::*;

fn sweep(script: &'static str, faults: fn(&Call) -> Vec<Fault>) -> Option<(Tally, Vec<String>)> {
    if !strace::is_there() {
        crate::skip::skip("faults at system calls", "strace is missing or may not trace");
        return None;
    }
    let scratch = tempfile::tempdir().unwrap();
    let fixture = scratch.path().join("fixture");
    std::fs::create_dir_all(&fixture).unwrap();
    std::fs::write(fixture.join("a"), "old").unwrap();
    let command = |root: &Path| -> Vec<OsString> {
        vec!["sh".into(), "-c".into(), script.into(), "sh".into(), root.into()]
    };
    let (seen, sweep) =
        (Mutex::new(Vec::new()), Sweep { fixture: &fixture, command: &command, faults });
    let tally = sweep
        .run(scratch.path(), &|trial: &Trial<'_>| {
            let text = std::fs::read_to_string(trial.root.join("a")).map_err(|e| e.to_string())?;
            seen.lock().unwrap().push(text.clone());
            if text == "old" || text == "new" { Ok(()) } else { Err(format!("torn: {text:?}")) }
        })
        .unwrap();
    Some((tally, seen.into_inner().unwrap()))
}

#[test]
fn truncate_then_write_is_caught() {
    let Some((tally, _)) = sweep("printf new > \"$1/a\"", |_| vec![Fault::Kill]) else { return };
    assert_eq!(tally.misses, 0);
    assert_eq!(tally.violations.len(), 1, "{:?}", tally.violations);
    assert!(tally.violations[0].contains("strace -f"));
}

#[test]
fn temporary_and_rename_is_not() {
    let script = "printf new > \"$1/b\" && mv \"$1/b\" \"$1/a\"";
    let Some((tally, seen)) = sweep(script, |_| vec![Fault::Kill]) else { return };
    assert!(tally.hits >= 3 && tally.misses == 0, "{tally:?}");
    assert_eq!(tally.violations, Vec::<String>::new());
    assert!(seen.contains(&"old".to_owned()), "no run was cut short");
}

#[test]
fn errors_reach_the_command() {
    let Some((tally, seen)) = sweep("printf new > \"$1/a\"", errors) else { return };
    assert!(tally.hits > 5, "{tally:?}");
    assert!(seen.contains(&"old".to_owned()) && seen.contains(&String::new()));
}
