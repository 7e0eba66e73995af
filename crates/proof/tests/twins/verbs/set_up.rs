//! Setting a project up, removing sprag from it, and repairing it.

use std::os::unix::fs::PermissionsExt as _;

use crate::session::{Host, Session};
use crate::twin::twin;

#[test]
fn init_is_shown_done_repeated_and_undone() {
    twin(|play| {
        play.repository("");
        for (name, says) in
            [("claude", "echo '2.1.325 (Claude Code)'"), ("codex", "echo 'codex-cli 0.151.0'")]
        {
            play.write(&format!("../bin/{name}"), &format!("#!/bin/sh\n{says}\n"));
            let path = play.env.top().join("bin").join(name);
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        play.types(&["init", "--dry-run", "--gate", "sh test.sh"]).exits(0);
        play.types(&["init", "--yes", "--gate", "sh test.sh"]);
        play.types(&["doctor", "--plain"]);
        play.types(&["status"]);
        let mut session = Session::new(play, Host::Claude, "a");
        session.begins(play);
        session.edits(play, "code.txt", "bad\n");
        session.stops(play);
        session.ends(play, "other");
        play.types(&["doctor", "--json"]);
        play.types(&["init", "--yes", "--gate", "sh test.sh"]);
        play.types(&["init", "--undo", "--yes"]);
        play.types(&["status"]);
    });
}

#[test]
fn a_broken_journal_is_set_aside_and_unreadable_documents_are_named() {
    twin(|play| {
        play.repository("guard:\n  gates:\n    - run: sh test.sh\n");
        let mut session = Session::new(play, Host::Claude, "a");
        session.begins(play);
        session.edits(play, "code.txt", "bad\n");
        session.stops(play);
        play.write(".sprag/runs/r-7k2m/run.yaml", "v: [\n");
        play.types(&["doctor", "--plain"]).exits(9);
        play.types(&["status"]);
        play.env.remove(".sprag/runs/r-7k2m/run.yaml");
        let files = play.env.files();
        let is_segment = |file: &&String| file.contains(".sprag/journal/0");
        let segment = files.iter().find(is_segment).unwrap();
        play.write(segment, "{}\n{}\n");
        play.types(&["status"]);
        session.stops(play);
        play.types(&["doctor", "--fix"]).exits(3);
        play.types(&["doctor", "--fix", "--yes"]).exits(0);
        play.types(&["doctor", "--json"]);
        session.stops(play);
        session.ends(play, "other");
        play.types(&["log"]);
    });
}
