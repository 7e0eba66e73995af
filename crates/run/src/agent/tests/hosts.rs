//! Programs that replay recorded host output.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use sprag_core::Time;
use sprag_hosts::Host;

use super::*;

/// Installs a program under a host's name. It saves its arguments and standard input, and replays
/// the recording.
#[expect(clippy::disallowed_methods, reason = "a test's own folder")]
fn program(host: Host, recorded: &str, exit: u8) -> (tempfile::TempDir, Job) {
    let folder = tempfile::tempdir().unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hosts/fixtures/headless");
    let recorded = fixtures.join(format!("{recorded}.jsonl"));
    let text = format!(
        "#!/bin/sh\necho \"$*\" > words; cat > read; cat {}; exit {exit}\n",
        recorded.display()
    );
    let file = folder.path().join(host.name());
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut job = script(&format!("host-{}", host.name()), "");
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", folder.path().display());
    job.person = vec![("PATH".into(), path.into()), ("TZ".into(), "UTC".into())];
    job.folder = folder.path().to_path_buf();
    (folder, Job { kind: AgentKind::Host(host), ..job })
}

#[test]
fn a_host_is_started_heard_and_can_be_taken_up_again() {
    let (folder, mut job) = program(Host::CLAUDE, "claude", 0);
    (job.resume, job.deny) = (Some("s-1".to_owned()), vec!["@web".to_owned()]);
    let (finish, heard) = run(&job, &StopHandle::new().unwrap());
    assert_eq!((finish.exit, finish.said.as_str()), (Ok(Exit::Code(0)), "The final answer."));
    assert_eq!(finish.session.as_deref(), Some("c7ccca30-0951-4926-9662-34be93903b17"));
    assert_eq!((finish.micro_usd, finish.tokens), (Some(420), Some(45)));
    assert_eq!((finish.limited, finish.failed, heard.len()), (None, None, 6));
    let words = std::fs::read_to_string(folder.path().join("words")).unwrap();
    assert!(words.ends_with("--disallowedTools=WebFetch,WebSearch --resume=s-1\n"), "{words}");
    assert_eq!(std::fs::read_to_string(folder.path().join("read")).unwrap(), "do it\n");
}

#[test]
fn a_limit_of_the_provider_is_told_with_its_end() {
    let (_folder, job) = program(Host::CLAUDE, "claude-limited", 1);
    let limited = works(&job).limited.unwrap();
    assert_eq!(limited.until, Time::parse("2026-11-15T18:41:25Z"));
    // The recording gives an hour of the local clock, so the day is today or tomorrow.
    let (_folder, job) = program(Host::CODEX, "codex-limited", 1);
    let until = works(&job).limited.unwrap().until.unwrap().to_string();
    assert!(until.ends_with("T18:42:00.000Z"), "{until}");
}

#[test]
fn a_host_that_is_not_there_is_never_taken_from_the_project() {
    let (_folder, mut job) = program(Host::PI, "pi", 0);
    job.person[0].1 = ".:/usr/local/bin:/usr/bin:/bin".into();
    assert_eq!(works(&job).exit, Err("the program `pi` was not found".to_owned()));
}

#[test]
fn the_hosts_of_a_person_are_found() {
    let (folder, _) = program(Host::PI, "pi", 0);
    let path = ("PATH".into(), folder.path().into());
    assert_eq!(installed(&[path]), [Host::PI]);
    assert_eq!(installed(&[]), []);
}
