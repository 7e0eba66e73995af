//! The report of a run whose work is in its own branch: not merged yet, merged by the person, gone.

use serde_json::Value;

use super::{World, together};

/// Drives a plan of four tasks in worktrees to its end, and returns its branch.
fn done() -> (World, String) {
    let world = together::world(1);
    let ran = world.sprag(&["run", "plan", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let branch = format!("sprag/{}", world.run());
    (world, branch)
}

/// Removes the worktree of a run, as a person does who is done with it.
fn clear(world: &World) {
    let folder = format!("../project-{}", world.run());
    world.env.git(&["worktree", "remove", "--force", &folder]);
}

/// Returns the first five lines of the report.
fn head(world: &World) -> Vec<String> {
    let ran = world.sprag(&["report"]);
    assert_eq!(ran.exit, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80), "{}", ran.stdout);
    ran.stdout.lines().take(5).map(str::to_owned).collect()
}

/// Returns the short commit id of a branch.
fn commit(world: &World, name: &str) -> String {
    world.env.git(&["rev-parse", "--short=12", name])
}

#[test]
fn what_a_person_merged_is_still_proven_on_its_branch() {
    let (world, branch) = done();
    let (base, tip) = (commit(&world, "HEAD"), commit(&world, &branch));
    world.env.git(&["merge", "-q", &branch]);
    // The run's own documents are in the person's folder and count as files there.
    assert!(world.env.git(&["status", "--short"]).contains("VERIFICATION.md"));
    let (run, unproven) = (world.run(), "Unproven   claims that no gate looks at: verify");
    let proven =
        format!("Outcome    {run} is done; what has gates holds on the files of `{branch}`");
    for is_cleared in [false, true] {
        if is_cleared {
            clear(&world);
        }
        let head = head(&world);
        assert_eq!((&head[0], head[1].as_str()), (&proven, unproven));
        let diff = format!("Diff       git diff {base} {tip}  (");
        assert!(head[4].starts_with(&diff) && head[4].ends_with("), merged"), "{head:?}");
        let ran = world.sprag(&["report", "--verify"]);
        assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(&format!("judged: the files of `{branch}`")), "{}", ran.stdout);
    }
    // After the merge the report is about the person's current files, as for any other run.
    world.env.write("f01.txt", "other\n");
    let head = head(&world);
    assert!(head[0].ends_with("is done and its gates held; the files changed since"), "{head:?}");
    assert!(
        head[4].starts_with("Diff       8 files, ") && head[4].ends_with(", merged"),
        "{head:?}"
    );
    // The run's own counters in a document there are not part of its work.
    let said = world.sprag(&["report"]).stdout;
    let command = format!("\n           git diff {base} -- :/ ':/!.gsd/STATE.md'");
    assert!(said.contains(&command), "{said}");
    let ran = world.sprag(&["report", "--verify"]);
    assert!(ran.stdout.contains("judged: the files in this folder"), "{}", ran.stdout);
}

#[test]
fn status_says_that_what_is_done_in_a_branch_is_not_merged_until_it_is() {
    let (world, branch) = done();
    let said = format!("\n WORK IN A BRANCH, NOT MERGED\n  {branch}\n     git merge {branch}\n");
    let status = || world.sprag(&["status", "--plain"]).stdout;
    assert!(status().contains(&said), "{}", status());
    let (object, _) = world.json(&["status"]);
    assert_eq!(object["unmerged"][0]["command"], format!("git merge {branch}"), "{object}");
    world.env.git(&["merge", "-q", &branch]);
    assert!(!status().contains("NOT MERGED"), "{}", status());
}

#[test]
fn what_a_person_took_over_and_went_on_with_is_not_said_to_wait() {
    let (world, branch) = done();
    clear(&world);
    let status = || world.sprag(&["status", "--plain"]).stdout;
    world.env.git(&["merge", "-q", "--squash", &branch]);
    let names = world.env.git(&["diff", "--cached", "--name-only", "--", "*.txt"]);
    let name = names.lines().next().unwrap();
    world.env.git(&["reset", "-q", "--", name]);
    world.env.git(&["commit", "-qm", "most of it"]);
    let whole = world.env.read(name).unwrap();
    world.env.write(name, "other\n");
    assert!(status().contains("NOT MERGED"), "one file was never taken: {}", status());
    world.env.write(name, whole);
    world.env.git(&["add", "."]);
    world.env.git(&["commit", "-qm", "all of it"]);
    assert!(!status().contains("NOT MERGED"), "{}", status());
    for name in names.lines() {
        world.env.write(name, "something else\n");
    }
    assert!(!status().contains("NOT MERGED"), "{}", status());
    world.env.git(&["commit", "-qam", "went on"]);
    assert!(!status().contains("NOT MERGED"), "{}", status());
}

#[test]
fn a_branch_that_is_gone_is_said_to_be_and_its_last_commit_is_judged() {
    let (world, branch) = done();
    let (base, tip) = (commit(&world, "HEAD"), commit(&world, &branch));
    clear(&world);
    world.env.git(&["branch", "-qD", &branch]);
    let head = |proof: &str| {
        let head = head(&world);
        assert!(head[0].ends_with(proof), "{head:?}");
        head[4].clone()
    };
    let proof = format!("is done; what has gates holds on the files of commit {}…", &tip[..8]);
    let diff = head(&proof);
    assert!(diff.starts_with(&format!("Diff       git diff {base} {tip}  (")), "{diff}");
    assert!(diff.ends_with("), branch gone"), "{diff}");
    let said = |not: &str| format!("`{branch}` is gone; its commit {tip} is {not}in what is");
    assert!(world.sprag(&["report"]).stdout.contains(&said("not ")));
    let page = world.sprag(&["report", "--html", "-"]).stdout;
    assert!(page.contains(&said("not ")), "{page}");

    // It can still be verified, and the verification leaves nothing behind.
    let verified = world.sprag(&["report", "--verify"]);
    assert_eq!(verified.exit, Some(0), "{}{}", verified.stdout, verified.stderr);
    let judged = format!("judged: the files of commit {tip}");
    assert!(verified.stdout.contains(&judged), "{}", verified.stdout);
    assert_eq!(world.env.git(&["worktree", "list"]).lines().count(), 1);
    assert_eq!(world.env.git(&["branch", "--list", "sprag/*"]), "");

    world.env.git(&["merge", "-q", &tip]);
    head(&proof);
    assert!(world.sprag(&["report"]).stdout.contains(&said("")));
    let (object, _) = world.json(&["report"]);
    let stands = (&object["branch"]["stands"], &object["branch"]["merged"]);
    assert_eq!(stands, (&"gone".into(), &true.into()), "{object}");

    // If even the commit is gone, the report shows that.
    world.env.git(&["reset", "-q", "--hard", &base]);
    world.env.git(&["reflog", "expire", "--expire=now", "--all"]);
    world.env.git(&["gc", "-q", "--prune=now"]);
    assert!(head(&proof).contains(&format!("`{branch}` is gone")));
}

#[test]
fn while_nothing_is_merged_the_persons_own_files_are_not_taken_for_the_work() {
    let world = World::new("echo 'All done!'");
    let words = ["run", "Make it good", "--until", "sh test.sh", "--agents", "2"];
    assert_eq!(world.sprag(&words).exit, Some(5));
    world.env.write("mine.txt", "a person works on\n");
    let run = world.run();
    assert_eq!(
        head(&world)[4],
        format!("Diff       nothing of it is merged into `sprag/{run}` yet")
    );
    let (object, _) = world.json(&["report"]);
    assert_eq!(object["files"], Value::Null, "{object}");
    let verified = world.sprag(&["report", "--verify"]);
    assert_eq!(verified.exit, Some(1), "{}{}", verified.stdout, verified.stderr);
    let judged = format!("judged: the files of `sprag/{run}`");
    assert!(verified.stdout.contains(&judged), "{}", verified.stdout);
}

/// Asserts that status, why and report agree on every gate that passed; returns how many of them
/// hold.
fn agreed(world: &World) -> usize {
    let (report, _) = world.json(&["report"]);
    let (status, _) = world.json(&["status"]);
    let stale = status["runs"][0]["stale"].as_array().unwrap();
    let gates = report["gates"].as_array().unwrap();
    let mut holds = 0;
    for gate in gates {
        let is_stale = gate["standing"] == "passed on other files";
        assert_eq!(stale.contains(&gate["gate"]), is_stale, "{status}\n{report}");
        holds += usize::from(gate["standing"] == "holds now");
    }
    let (why, _) = world.json(&["why"]);
    let asked = why["runs"][0]["gates"].as_array().unwrap();
    assert!(!asked.is_empty(), "{why}");
    for gate in asked {
        let told = gates.iter().find(|one| one["gate"] == gate["gate"]).unwrap();
        assert_eq!(gate["now"] == "pass", told["standing"] == "holds now", "{why}\n{report}");
    }
    holds
}

#[test]
fn status_judges_the_work_where_the_report_does() {
    let (world, ran) = together::verified(": ;;");
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    let holds = agreed(&world);
    assert_ne!(holds, 0, "what was merged last was proven on what there is now");
    world.env.write("mine.txt", "a person works on\n");
    assert_eq!(agreed(&world), holds);
    world.env.write(format!("../project-{}/f01.txt", world.run()), "a person did\n");
    assert_eq!(agreed(&world), 0, "the files of the branch are others now");
    let branch = format!("sprag/{}", world.run());
    world.env.git(&["merge", "-q", &branch]);
    clear(&world);
    assert_eq!(agreed(&world), holds);
    world.env.git(&["branch", "-qD", &branch]);
    assert_eq!(agreed(&world), holds);
}
