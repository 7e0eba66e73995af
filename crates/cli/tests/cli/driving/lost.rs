//! A person's uncommitted edits, and the work itself, are never lost unnoticed.

use serde_json::json;

use super::{World, pull, together, tree};

const UNTIL: [&str; 2] = ["--until", "sh test.sh"];

/// A person's edits: one in a tracked file, one in a new file, and a removed file.
fn world(agent: &str) -> World {
    let world = World::new(&format!("set -e\n{agent}"));
    world.env.write("known.txt", "start\n");
    world.env.write("old.txt", "start\n");
    world.env.git(&["add", "."]);
    world.env.git(&["commit", "-qm", "more"]);
    world.env.git(&["branch", "other"]);
    world.env.write("known.txt", "start\nmine\n");
    world.env.write("new.txt", "mine as well\n");
    remove(&world, "old.txt");
    world
}

fn remove(world: &World, path: &str) {
    assert!(world.env.command("rm").arg(path).status().unwrap().success());
}

/// Returns the unproven points of a run, according to its summary and its report.
fn unproven(world: &World, does: &str) -> Vec<String> {
    let (object, _) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
    assert_eq!(object["outcome"], "done", "{does}: {object}");
    let (report, _) = world.json(&["report"]);
    assert_eq!(report["unproven"], object["unproven"], "{does}");
    serde_json::from_value(report["unproven"].clone()).unwrap()
}

const GONE: &str = "your uncommitted edits are gone: ";
const AWAY: &str = "the work is not in these files: ";

#[test]
fn edits_that_an_agent_takes_away_are_named_with_the_place_that_has_them() {
    let cases = [
        ("git checkout -q .", "known.txt, old.txt"),
        ("git restore known.txt", "known.txt"),
        ("git reset -q --hard; git clean -qfd", "known.txt, new.txt, old.txt"),
        ("git stash -q", "known.txt (in `git stash`), old.txt"),
        ("git stash -qu", "known.txt (in `git stash`), new.txt (in `git stash`), old.txt"),
        ("git stash -q; git stash drop -q", "known.txt, old.txt"),
        ("echo other > known.txt; echo other > new.txt", "known.txt, new.txt"),
        ("rm known.txt new.txt", "known.txt, new.txt"),
        ("git rm -qf known.txt; git commit -qm gone", "known.txt"),
        ("git add new.txt; rm new.txt", "new.txt (only staged)"),
        ("git commit -qam wip; git reset -q --hard HEAD~1", "known.txt, old.txt"),
        ("git checkout -qf other", "known.txt, old.txt"),
        (
            "git checkout -qb wip; git add .; git commit -qm wip; git checkout -q -",
            "known.txt (on branch wip), new.txt (on branch wip), old.txt",
        ),
    ];
    for (does, gone) in cases {
        let world = world(&format!("{does}\necho good > code.txt"));
        assert_eq!(unproven(&world, does), [format!("{GONE}{gone}")], "{does}");
    }
}

#[test]
fn edits_that_are_still_there_or_in_a_later_commit_are_not_named() {
    let apart = "git checkout -qb wip; git commit -qam wip; git checkout -q -; git merge -q wip";
    let cases = [
        "git stash -qu; git stash pop -q",
        "git stash -qu; git stash apply -q",
        "echo more >> known.txt; echo more >> new.txt",
        "printf 'first\\n    mine,\\nstart\\n' > known.txt",
        "mkdir src; mv new.txt src/moved.txt; echo more >> src/moved.txt",
        "git add .; git commit -qm wip",
        "git commit -qam wip; git revert -n HEAD",
        "git add .; git commit -qm wip; git mv new.txt moved.txt; git commit -qm moved",
        "git commit -qa --amend -m wip",
        "git checkout -qb wip; git add .; git commit -qm wip",
        apart,
    ];
    for does in cases {
        let world = world(&format!("{does}\necho good > code.txt"));
        assert_eq!(unproven(&world, does), Vec::<String>::new(), "{does}");
    }
}

#[test]
fn text_that_an_older_branch_has_of_a_file_is_not_the_persons_text() {
    let world = World::new("echo good > code.txt; echo start > known.txt");
    world.env.write("known.txt", "start\n");
    world.env.git(&["add", "."]);
    world.env.git(&["commit", "-qm", "more"]);
    world.env.git(&["checkout", "-qb", "old"]);
    world.env.write("known.txt", "start\nolder\n");
    world.env.git(&["commit", "-qam", "older"]);
    world.env.git(&["checkout", "-q", "-"]);
    world.env.write("known.txt", "start\nmine\n");
    assert_eq!(unproven(&world, "an older branch"), [format!("{GONE}known.txt")]);
}

#[test]
fn work_that_is_on_a_branch_or_in_a_stash_is_not_in_these_files() {
    let branch = "git checkout -qb feat; echo more >> code.txt; git commit -qam work";
    let nothing = "no file changed, and it passed before: sh test.sh";
    let cases = [
        (format!("{branch}; git checkout -q -"), "code.txt (on branch feat)", true),
        (
            format!("{branch}; git checkout -q -; echo x > a.log"),
            "code.txt (on branch feat)",
            false,
        ),
        ("echo more >> code.txt; git stash -q".to_owned(), "code.txt (in `git stash`)", true),
        (
            "echo more >> code.txt; echo x > new.txt; git stash -q".to_owned(),
            "code.txt (in `git stash`)",
            false,
        ),
        ("echo x > new.txt; git stash -qu".to_owned(), "new.txt (in `git stash`)", true),
        (
            "git checkout -qb feat; git rm -q old.txt; git commit -qm work; git checkout -q -"
                .to_owned(),
            "old.txt (on branch feat)",
            true,
        ),
    ];
    for (does, away, is_untouched) in cases {
        let world = World::new(&format!("set -e\n{does}"));
        world.env.write("code.txt", "good\n");
        world.env.write("old.txt", "old\n");
        world.env.git(&["add", "."]);
        world.env.git(&["commit", "-qm", "good"]);
        let mut said = vec![format!("{AWAY}{away}")];
        said.extend(is_untouched.then(|| nothing.to_owned()));
        assert_eq!(unproven(&world, &does), said, "{does}");
    }
}

#[test]
fn a_commit_that_no_branch_has_is_named_where_nothing_else_was_done() {
    let does =
        "git checkout -q --detach; echo more >> code.txt; git commit -qam work; git checkout -q -";
    let world = World::new(&format!("set -e\n{does}"));
    world.env.write("code.txt", "good\n");
    world.env.git(&["commit", "-qam", "good"]);
    let said = unproven(&world, does);
    assert!(said[0].starts_with(&format!("{AWAY}code.txt (in commit ")), "{said:?}");
}

#[test]
fn work_that_came_back_from_a_branch_or_a_stash_is_in_the_files() {
    let branch = "git checkout -qb feat; echo good > code.txt; git commit -qam work";
    let cases = [
        format!("{branch}; git checkout -q -; git merge -q feat"),
        format!("{branch}; git checkout -q -; git merge -q --squash feat; git commit -qm work"),
        format!("{branch}; git checkout -q -; git cherry-pick feat > ../out"),
        branch.to_owned(),
        "echo good > code.txt; git stash -q; git stash pop -q".to_owned(),
        "echo good > code.txt; git stash -q; git stash apply -q".to_owned(),
        "git checkout -q other; git checkout -q -; echo good > code.txt".to_owned(),
        "echo good > code.txt; git commit -qam work; git commit -q --amend -m better".to_owned(),
    ];
    for does in cases {
        let world = World::new(&format!("set -e\n{does}"));
        world.env.git(&["checkout", "-qb", "other"]);
        world.env.git(&["commit", "-q", "--allow-empty", "-m", "other"]);
        world.env.git(&["checkout", "-q", "-"]);
        assert_eq!(unproven(&world, &does), Vec::<String>::new(), "{does}");
    }
}

#[test]
fn what_others_commit_or_stash_in_another_worktree_is_not_the_work() {
    let world = World::new(
        "cd ../side; echo theirs > theirs.txt; git add .; git commit -qm theirs\n\
         echo more >> theirs.txt; git stash -q; cd - > ../out; echo good > code.txt",
    );
    world.env.git(&["worktree", "add", "-q", "../side"]);
    assert_eq!(unproven(&world, "another worktree"), Vec::<String>::new());
}

#[test]
fn a_new_file_that_is_only_staged_is_gone_with_a_reset() {
    let world = World::new("git reset -q --hard; echo good > code.txt");
    world.env.write("wip.txt", "mine\n");
    world.env.git(&["add", "wip.txt"]);
    let (object, _) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
    let said = json!(["your uncommitted edits are gone: wip.txt"]);
    assert_eq!(object["unproven"], said, "{object}");
}

#[test]
fn a_file_that_a_person_removes_after_the_run_is_not_gone_with_it() {
    let world = World::new("echo good > code.txt");
    world.env.write("wip.txt", "mine\n");
    let (object, exit) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
    assert_eq!((exit, &object["unproven"]), (Some(0), &json!([])), "{object}");
    assert!(world.env.command("rm").arg("wip.txt").status().unwrap().success());
    let (report, _) = world.json(&["report"]);
    let said = report["unproven"].to_string();
    assert!(!said.contains("edits are gone"), "{said}");
}

#[test]
fn files_beyond_those_that_are_written_down_are_counted() {
    let world = World::new("echo good > code.txt; rm f*.txt");
    for nth in 0..203 {
        world.env.write(format!("f{nth:03}.txt"), "mine\n");
    }
    let (object, exit) = world.json(&[&["run", "Good"], &UNTIL[..]].concat());
    assert_eq!(exit, Some(3), "{object}");
    let said = object["unproven"].to_string();
    assert!(said.contains("your uncommitted edits are gone: 200"), "{said}");
    assert!(said.contains("not committed, and too many to look at: 3"), "{said}");
}

#[test]
fn what_is_gone_is_said_of_a_plan_a_milestone_tree_and_a_pull_request_as_well() {
    let agent = "rm -f wip.txt; echo 'TASK COMPLETE'";
    let plan = together::world(1);
    World::agent(&plan.env, "agent.sh", agent);
    for (source, world) in [("plan", plan), ("gsd", tree::tree(agent)), ("pr", pull::pull(agent).0)]
    {
        world.env.write("wip.txt", "mine\n");
        let ran = world.sprag(&["run", source]);
        assert_eq!(world.env.read("wip.txt"), None, "{source}: {}{}", ran.stdout, ran.stderr);
        let (report, _) = world.json(&["report"]);
        let said = report["unproven"].to_string();
        assert!(said.contains("your uncommitted edits are gone: wip.txt"), "{source}: {said}");
    }
}
