//! `sprag agent …`: assignments, permissions, and documents that other programs wrote.

use crate::player::Player;
use crate::twin::twin;

/// Runs each line, split at blanks, and asserts its exit code.
fn all(play: &mut Player, lines: &[(&str, i32)]) {
    for (line, code) in lines {
        let words: Vec<&str> = std::iter::once("agent").chain(line.split_whitespace()).collect();
        play.types(&words).exits(*code);
    }
}

#[test]
fn a_unit_from_its_assignment_to_its_end() {
    twin(|play| {
        play.repository("");
        all(
            play,
            &[
                ("work add First --id gt-1 --as mayor", 0),
                ("work add Second --id gt-2 --needs gt-1 --as mayor", 0),
                ("work ls", 0),
                ("set polecat-alpha gt-2 --as mayor", 8),
                ("set polecat-alpha gt-1 --as mayor", 0),
                ("poll polecat-alpha", 0),
                ("set polecat-alpha gt-9 --title Nine --as polecat-bravo", 3),
                ("activate polecat-alpha --as polecat-alpha", 0),
                ("touch polecat-alpha --as polecat-alpha", 0),
                ("wait polecat-alpha --on a-key --as polecat-alpha", 0),
                ("show polecat-alpha --json", 0),
            ],
        );
        play.types(&["status"]).exits(0).says("a-key");
        play.types(&["approve", "1"]).exits(0);
        all(
            play,
            &[
                ("complete polecat-alpha --as polecat-alpha --fence 99", 10),
                ("complete polecat-alpha --as polecat-alpha", 0),
                ("clear polecat-alpha --as mayor", 0),
                ("set polecat-alpha gt-2 --as mayor", 0),
                ("activate polecat-alpha --as polecat-alpha", 0),
                ("fail polecat-alpha --why broken --as polecat-alpha", 0),
                ("ls", 0),
            ],
        );
        play.types(&["status", "--json"]).exits(0);
        play.types(&["log", "-n", "50"]).exits(0);
    });
}

#[test]
fn lost_too_often_a_key_asked_twice_and_foreign_hands() {
    twin(|play| {
        play.repository("");
        for _ in 0..3 {
            all(
                play,
                &[
                    ("set polecat-bravo gt-2 --title Two --as mayor", 0),
                    ("activate polecat-bravo --as polecat-bravo", 0),
                    ("release polecat-bravo --as mayor", 0),
                ],
            );
        }
        all(play, &[("set polecat-bravo gt-2 --as mayor", 3)]);
        play.types(&["status"]).exits(0);
        play.types(&["resume", "gt-2"]).exits(0);
        all(
            play,
            &[
                ("set polecat-bravo gt-2 --as mayor --key k-1", 0),
                ("set polecat-bravo gt-2 --as mayor --key k-1", 0),
                ("set polecat-bravo gt-3 --title T --as mayor --key k-1", 8),
            ],
        );
        play.write(
            ".chipset/state/work/gt-2.json",
            "{\"beadId\":\"gt-2\",\"title\":\"Two\",\"status\":\"open\"}\n",
        );
        all(play, &[("set polecat-alpha gt-2 --as mayor", 9)]);
        play.write(".chipset/state/hooks/polecat-bravo.json", "{ torn");
        all(play, &[("poll polecat-bravo", 9)]);
        play.types(&["status"]);
        play.types(&["doctor", "--plain"]);
    });
}

#[test]
fn mail_nudges_beads_and_the_watch() {
    twin(|play| {
        play.repository("");
        all(
            play,
            &[
                ("mail send polecat-alpha Hello --as mayor", 0),
                ("mail send nobody Hello --as mayor", 4),
                ("mail ls polecat-alpha", 0),
                ("nudge send polecat-alpha now --type health_check --as mayor", 0),
                ("nudge ls polecat-alpha", 0),
                ("set polecat-alpha gt-1 --title One --as mayor", 0),
                ("activate polecat-alpha --as polecat-alpha", 0),
                ("watch --once", 0),
            ],
        );
        let issues =
            "{\"id\":\"gt-7\",\"title\":\"One\",\"status\":\"open\",\"priority\":1,\"x\":[1]}\n";
        play.write("issues.jsonl", issues);
        all(play, &[("import issues.jsonl", 0), ("import issues.jsonl", 0), ("export", 0)]);
        let mail = play.env.project().join(".chipset/state/mail/polecat-alpha");
        let mut names: Vec<_> = std::fs::read_dir(mail)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        for name in names {
            play.types(&["agent", "mail", "read", "polecat-alpha", &name, "--as", "polecat-alpha"]);
        }
        play.set("SPRAG_TEST_NOW", "2026-03-06T10:30:00.000Z");
        all(play, &[("watch --once", 0), ("nudge ls polecat-alpha", 0), ("mail ls mayor", 0)]);
        play.types(&["status"]).exits(0);
    });
}

#[test]
fn a_unit_is_slung_into_a_worktree_and_handed_in() {
    twin(|play| {
        play.repository("v: 1\n");
        let remote = play.env.top().join("forge.git").display().to_string();
        play.git(&["init", "-q", "--bare", &remote]);
        play.git(&["remote", "add", "origin", &remote]);
        all(play, &[("work add One --id gt-1 --as mayor", 0), ("sling gt-1 --as mayor", 0)]);
        all(play, &[("sling gt-1 --as mayor", 0), ("activate polecat-1 --as polecat-1", 0)]);
        play.write("../project-work/gt-1/new.txt", "work\n");
        all(play, &[("done polecat-1 --as polecat-1", 0), ("ls", 0)]);
        play.types(&["status"]).exits(0);
        play.types(&["log", "-n", "50"]).exits(0);
    });
}
