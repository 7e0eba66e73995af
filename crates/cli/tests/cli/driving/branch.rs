//! The files that are worked on and judged: a change of branch is reported, and work in a branch of
//! its own is verified there.

use super::World;

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

#[test]
fn a_person_who_goes_to_another_branch_meanwhile_is_told_once_what_that_means() {
    let world = World::new(
        "[ $turn = 1 ] && until [ -f ../go ]; do sleep 0.01; done\n\
         [ $turn = 3 ] && echo good > code.txt || echo \"bad $turn\" > code.txt",
    );
    let child = world.start_heard(&TASK);
    world.env.wait_until("the agent works", || world.turns() == 1);
    world.env.git(&["checkout", "-qb", "topic"]);
    world.env.write("../go", "");
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert_eq!(said.matches("Branch was `main` and is `topic` now").count(), 1, "{said}");
    assert!(said.contains("what they do from here on is on `topic`"), "{said}");
}

#[test]
fn verify_judges_the_branch_in_which_the_work_is_and_leaves_nothing_behind() {
    let world = World::new("echo good > code.txt; echo done");
    let ran = world.sprag(&[&TASK[..], &["--agents", "2"]].concat());
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("Gate sh test.sh") && ran.stdout.contains("PASS"),
        "{}",
        ran.stdout
    );
    let (run, trees) = (world.run(), || world.env.git(&["worktree", "list"]));
    let branches = || world.env.git(&["branch", "--list", "sprag/*"]);
    let before = (trees(), branches());
    let merge = format!("Branch sprag/{run}  not in your files yet: git merge sprag/{run}");
    assert!(ran.stdout.contains(&merge), "{}", ran.stdout);
    // The person's own files contain nothing good.
    assert_eq!(world.env.read("code.txt").unwrap(), "start\n");
    let ran = world.sprag(&["report", &run, "--verify"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(&format!("judged: the files of `sprag/{run}`")), "{}", ran.stdout);
    assert_eq!((trees(), branches()), before);

    // A problem there is found, whatever the person's files contain.
    world.env.write("code.txt", "good\n");
    let folder = world.env.top().join(format!("project-{run}"));
    let folder = folder.to_str().unwrap();
    world.env.write(format!("../project-{run}/code.txt"), "bad\n");
    world.env.git(&["-C", folder, "commit", "-qam", "worse"]);
    let ran = world.sprag(&["report", &run, "--verify"]);
    assert_eq!(ran.exit, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!((trees().lines().count(), branches()), (before.0.lines().count(), before.1));
}

#[test]
fn verify_says_that_it_judged_the_files_at_hand_where_the_work_is_there() {
    let world = World::new("echo good > code.txt; echo done");
    assert_eq!(world.sprag(&TASK).exit, Some(0));
    let ran = world.sprag(&["report", "--verify"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("judged: the files in this folder"), "{}", ran.stdout);
}

#[test]
fn a_signal_ends_what_verify_evaluates_and_its_worktree_is_gone() {
    let world = World::new("echo good > code.txt; echo done");
    let test = "grep -q good code.txt || exit 1\n[ ! -f ../wait ] || { echo x >> ../runs; sleep 600; \
                sleep 600; }\n";
    world.env.write("test.sh", test);
    world.env.git(&["commit", "-qam", "a test that can wait"]);
    let ran = world.sprag(&[&TASK[..], &["--agents", "2"]].concat());
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let (trees, runs) = (|| world.env.git(&["worktree", "list"]), world.env.top().join("runs"));
    let before = trees();
    world.env.write("../wait", "");
    let child = world.start_heard(&["report", "--verify"]);
    world.env.wait_until("the gate runs", || runs.exists());
    assert_ne!(trees(), before, "it is evaluated in a worktree of its own");
    world.signal("INT", child.id());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
    assert_eq!(trees(), before);
    world.nobody_is_left();
}
