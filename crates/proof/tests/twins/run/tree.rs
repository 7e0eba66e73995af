//! A milestone tree of GSD.

use super::KILLS;
use crate::scene::GROWN;
use crate::twin::twin;

const RULES: &str = "rules: [{name: review-loop}]\n";

/// Does each task, has a finding in the first review of each, and fixes it.
const REVIEWING: &str = r#"S=.gsd/milestones/M001/slices/S01
t=$(printf '%s' "$prompt" | grep -o 'T0[12]' | head -1)
case "$prompt" in
"Review the work"*)
  f=$(printf '%s' "$prompt" | grep -o '\.gsd[^ `]*CODE-REVIEW[^ `]*\.md' | head -1)
  if [ -e ../seen-$t ]; then echo 'VERDICT: pass' > "$f"
  else touch ../seen-$t; printf 'VERDICT: issues\n- [critical] code.txt: no test\n' > "$f"; fi ;;
*complete-slice*) ;;
*inding*) echo fixed >> code.txt ;;
*)
  echo "$t" >> code.txt
  sed -i "s/\[ \] \*\*$t:/[x] **$t:/" $S/S01-PLAN.md
  printf -- "---\nid: $t\n---\n# Done\n" > $S/tasks/$t-SUMMARY.md ;;
esac"#;

#[test]
fn grows_to_its_end_and_its_papers_stay_claims() {
    twin(|play| {
        play.tree("", GROWN);
        play.types(&["check"]);
        play.drives(&["gsd"]);
        play.looks();
        play.resumes();
    });
}

#[test]
fn every_task_is_reviewed_fixed_and_reviewed_again() {
    twin(|play| {
        play.tree(RULES, REVIEWING);
        play.types(&["next", "gsd"]).exits(0);
        play.drives(&["gsd"]).exits(5);
        play.looks();
    });
}

#[test]
fn what_a_unit_is_missing_is_held_and_resumed() {
    twin(|play| {
        play.tree(RULES, "echo done");
        play.drives(&["gsd", "--json"]).exits(5);
        play.looks();
        play.agent("agent.sh", GROWN);
        play.resumes();
        let run = play.run();
        play.types(&["cancel", &run]);
        play.looks();
    });
}

#[test]
fn who_changes_the_rules_of_its_own_tree_is_held() {
    twin(|play| {
        play.tree(RULES, &format!("[ $turn -gt 1 ] || printf -- '---\\nskip: all\\n---\\n' > .gsd/PREFERENCES.md\n{GROWN}"));
        play.drives(&["gsd"]).exits(3);
        play.looks();
        play.resumes();
        play.looks();
    });
}

#[test]
fn a_lost_agent_is_waited_for() {
    twin(|play| {
        play.tree("", &format!("[ $turn = 1 ] && exit 3\n{GROWN}"));
        play.loses(&["gsd"]);
        play.resumes();
        play.looks();
    });
}

#[test]
fn three_losses_are_held() {
    twin(|play| {
        play.tree("", &format!("case $turn in 2|3|4) exit 3;; esac\n{GROWN}"));
        play.loses_for_good(&["gsd"]);
    });
}

#[test]
fn a_killed_driver_is_gone_on_with() {
    twin(|play| {
        play.tree("", &format!("case \"$prompt\" in *T02*) {KILLS};; esac\n{GROWN}"));
        play.drives(&["gsd"]).was_killed();
        play.types(&["status"]).exits(0);
        play.resumes();
        play.looks();
    });
}
