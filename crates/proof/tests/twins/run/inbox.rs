//! The inbox: units of work that agents pull until none is left.

use super::KILLS;
use crate::player::Player;
use crate::twin::twin;

/// Writes a file named after its unit.
const AGENT: &str = "unit=${prompt%%:*}\necho \"$unit\" > \"$unit.txt\"\necho 'All done!'";

const GUARD: &str = "guard:\n  gates:\n    - run: sh test.sh\n  retry: {max: 1}\n";

/// Creates a repository whose gate passes, with `units` open units.
fn units(play: &mut Player, agent: &str, units: usize) {
    play.repository(GUARD);
    play.write("code.txt", "good\n");
    play.commits("good");
    play.agent("agent.sh", agent);
    for unit in 1..=units {
        let (id, title) = (format!("u{unit}"), format!("Write u{unit}"));
        play.types(&["agent", "work", "add", &title, "--id", &id, "--as", "mayor"]).exits(0);
    }
}

#[test]
fn two_units_are_done_one_after_another() {
    twin(|play| {
        units(play, AGENT, 2);
        play.types(&["next", "inbox"]).exits(0);
        play.drives(&["inbox"]).exits(0);
        play.looks();
        play.types(&["report", "inbox"]).exits(0);
        play.types(&["agent", "ls"]).exits(0);
        play.drives(&["inbox"]).exits(0);
    });
}

#[test]
fn two_units_that_need_each_other_are_merged_in_turn() {
    twin(|play| {
        units(play, AGENT, 1);
        let more =
            ["agent", "work", "add", "Write u2", "--id", "u2", "--needs", "u1", "--as", "mayor"];
        play.types(&more).exits(0);
        play.drives(&["inbox", "--agents", "2"]).exits(0);
        play.looks();
        play.types(&["report", "inbox", "--json"]).exits(0);
    });
}

#[test]
fn a_unit_whose_gate_never_passes_is_held_waived_and_the_others_end() {
    twin(|play| {
        units(
            play,
            &format!(
                "case $prompt in u1:*) echo $turn$turn > code.txt;; *) echo good > code.txt;; esac\n{AGENT}"
            ),
            2,
        );
        play.drives(&["inbox"]).exits(5);
        play.looks();
        play.types(&["approve", "1", "sh test.sh", "--waive", "not today"]);
        play.types(&["status"]).exits(0);
        play.drives(&["inbox"]);
        play.looks();
    });
}

#[test]
fn a_lost_agent_is_waited_for() {
    twin(|play| {
        units(play, &format!("[ $turn = 1 ] && exit 3\n{AGENT}"), 1);
        play.loses(&["inbox"]);
        play.types(&["resume", "1"]).exits(0);
        play.drives(&["inbox"]);
        play.looks();
    });
}

#[test]
fn three_losses_are_held_and_the_others_end() {
    twin(|play| {
        units(play, &format!("case $prompt in u1:*) exit 3;; esac\n{AGENT}"), 2);
        play.loses_for_good(&["inbox"]);
    });
}

#[test]
fn a_killed_driver_is_gone_on_with() {
    twin(|play| {
        units(play, &format!("case $prompt in u2:*) {KILLS};; esac\n{AGENT}"), 2);
        play.drives(&["inbox"]).was_killed();
        play.types(&["status"]).exits(0);
        play.drives(&["inbox"]).exits(0);
        play.looks();
    });
}

#[test]
fn a_person_agrees_to_what_is_asked() {
    twin(|play| {
        units(play, AGENT, 1);
        play.write(".sprag/config.yaml", "guard:\n  gates:\n    - human: Is it good?\n");
        play.drives(&["inbox", "--agents", "2"]).exits(3);
        play.types(&["status"]).exits(0);
        play.types(&["approve"]).exits(0);
        play.drives(&["inbox", "--agents", "2"]).exits(0);
        play.looks();
    });
}
