//! Several agents at once: worktrees, merged one at a time through the gates.

use std::fmt::Write as _;

use super::World;

/// A plan of `waves` waves of four tasks.
fn plan(waves: usize) -> String {
    let mut text =
        "---\nphase: 1\ntitle: Letters\n---\n\n## Must-Haves\n\n- [ ] All there\n".to_owned();
    for wave in 1..=waves {
        let _ = write!(text, "\n## Wave {wave}\n");
        for task in (wave - 1) * 4 + 1..=wave * 4 {
            let before = (wave > 1).then(|| format!(" depends=\"{:02}\"", (wave - 2) * 4 + 1));
            let _ = write!(
                text,
                "\n<task id=\"{task:02}\" wave=\"{wave}\"{}>\n  <files>\n    \
                 <file action=\"create\">f{task:02}.txt</file>\n  </files>\n  <action>\n    \
                 Write f{task:02}.\n  </action>\n  <verify>\n    \
                 <check type=\"file\">f{task:02}.txt exists</check>\n  </verify>\n  \
                 <done>it is there</done>\n</task>\n",
                before.unwrap_or_default()
            );
        }
    }
    text
}

/// Writes its file and a line into a shared one; resolves conflicts; verifies.
pub(super) const AGENT: &str = r#"case "$prompt" in
*"hold conflicts"*)
  for f in $(git diff --name-only --diff-filter=U); do
    grep -v '^<<<<<<<\|^=======\|^>>>>>>>' "$f" > "$f.new"; mv "$f.new" "$f"
  done ;;
*VERIFICATION.md*)
  mkdir -p .gsd/plans/phase-1
  printf -- '---\nphase: 1\nstatus: passed\n---\n\n# Verification\n' > .gsd/plans/phase-1/VERIFICATION.md ;;
*)
  n=$(printf '%s' "$prompt" | grep -o 'Write f[0-9]*' | grep -o '[0-9]*')
  echo "$n" > "f$n.txt"
  # Two tasks of each wave write into the same file.
  case $n in *1|*2|*5|*6|*9|*0) echo "line $n" >> shared.txt ;; esac ;;
esac
echo 'TASK COMPLETE'"#;

pub(super) fn world(waves: usize) -> World {
    let world = World::new(AGENT);
    world.env.write(".gsd/plans/phase-1/plan.md", plan(waves));
    let state = "---\nmilestone: v1\nphase: null\ntask: null\nphases_complete: []\n\
                 phases_in_progress: []\nphases_pending: [1]\nloop:\n  active: false\n---\n";
    world.env.write(".gsd/STATE.md", state);
    world.env.write(".gsd/ROADMAP.md", "# Roadmap\n\n## Phase 1: Letters\n\n**Status:** PLANNED\n");
    world.env.write(".gsd/config.md", "---\nmode: yolo\n---\n");
    world.env.write("shared.txt", "one\n");
    world.env.git(&["add", "."]);
    world.env.git(&["commit", "-qm", "plan"]);
    world
}

#[test]
fn three_waves_of_four_tasks_end_merged_in_order_and_conflicts_are_resolved() {
    let world = world(3);
    world.env.write("mine.txt", "not committed\n");
    let head = world.env.git(&["rev-parse", "HEAD"]);
    let ran = world.sprag(&["run", "plan", "--agents", "4"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("Conflict"), "{}", ran.stdout);
    // No task's plan contains the shared file.
    assert!(ran.stdout.contains("Stray T01: shared.txt"), "{}", ran.stdout);
    // Each gate counts once, and is shown once with its task and once when the plan is verified.
    assert!(ran.stdout.contains("13 units · 12 gates passed"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("Gate f01.txt exists").count(), 2, "{}", ran.stdout);
    let report = world.sprag(&["report"]).stdout;
    // No gate checks the plan's goal.
    let claimed = format!(
        "is done; what has gates holds on the files of `sprag/{}`\n\
         Unproven   claims that no gate looks at: verify\n",
        world.run()
    );
    assert!(report.contains(&claimed), "{report}");
    assert!(report.contains("ASKED\n  Phase 1: Letters\n"), "{report}");
    let beyond = report.split("BEYOND ITS UNIT").nth(1).unwrap_or_else(|| panic!("{report}"));
    let (beyond, rest) = beyond.split_once("CONFLICTS GIVEN TO AN AGENT").unwrap();
    assert!(beyond.contains("T01: shared.txt") && !beyond.contains("T03: "), "{report}");
    // The agent that resolved a conflict may have dropped the others' work.
    let (object, _) = world.json(&["report"]);
    let conflict = &object["conflicts"][0];
    assert_eq!(conflict["file"], "shared.txt", "{object}");
    let line = format!("  {}: shared.txt\n", conflict["unit"].as_str().unwrap());
    assert!(rest.contains(&line) && world.count("work.conflicted") >= 3, "{report}");
    let said = ran.stdout.split("Summary").nth(1).unwrap_or_default();
    let given = format!("Conflict given to an agent: {}", line.trim());
    assert!(said.contains(&given), "{said}");
    assert_eq!(world.sprag(&["report", "--html", "../report.html"]).exit, Some(0));
    let page = world.env.read("../report.html").unwrap();
    assert!(page.contains("Conflicts given to an agent"), "{page}");

    let run = world.run();
    let branch = format!("sprag/{run}");
    let show = |path: &str| world.env.git(&["show", &format!("{branch}:{path}")]);
    for task in 1..=12 {
        assert_eq!(show(&format!("f{task:02}.txt")), format!("{task:02}"));
    }
    let mut lines: Vec<_> = show("shared.txt").lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines.len(), 9, "{lines:?}");

    // A wave's dependencies are merged before it begins.
    let merged: Vec<usize> = world
        .events()
        .iter()
        .filter(|event| event["kind"] == "attempt.ended" && event["data"]["how"] == "passed")
        .filter_map(|event| event["data"]["unit"].as_str()?.strip_prefix('T')?.parse().ok())
        .collect();
    let waves: Vec<usize> = merged.iter().map(|task| (task - 1) / 4).collect();
    assert!(waves.is_sorted() && waves.len() == 12, "{merged:?}");
    // The report of the verification is no work: it is in the person's files.
    assert_eq!(world.count("work.merged"), 12);

    // The person's own branch, files and worktrees are unchanged.
    assert_eq!(world.env.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(world.env.git(&["branch", "--show-current"]), "main");
    assert_eq!(world.env.read("shared.txt").unwrap(), "one\n");
    assert_eq!(world.env.read("mine.txt").unwrap(), "not committed\n");
    assert_eq!(world.env.git(&["worktree", "list"]).lines().count(), 2);
    world.nobody_is_left();
}

#[test]
fn an_agent_that_leaves_its_branch_for_another_history_waits_with_the_way_back() {
    let world = world(1);
    let strays = "case \"$prompt\" in *\"Write f02\"*) [ -e ../good ] || \
                  { git checkout -q --orphan new && git commit -qm another; } ;; esac";
    World::agent(&world.env, "agent.sh", &format!("{strays}\n{AGENT}"));
    let ran = world.sprag(&["run", "plan", "--agents", "2"]);
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    let (object, _) = world.json(&["status"]);
    let wait = &object["waits"][0];
    let why = wait["why"].as_str().unwrap_or_else(|| panic!("{object}"));
    assert!(why.contains("has left the branch") && !ran.stdout.contains("Lost"), "{why}");
    assert!(
        ran.stdout.ends_with(&format!("Next sprag resume {}\n", world.run())),
        "{}",
        ran.stdout
    );
    let command = why.split('`').find(|part| part.starts_with("git ")).unwrap();
    let words: Vec<_> = command.split(' ').skip(1).collect();
    world.env.git(&words);
    world.env.write("../good", "");
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_conflict_that_its_agent_leaves_is_resolved_by_hand_and_resumed() {
    let world = world(1);
    let leaves = "case \"$prompt\" in *\"hold conflicts\"*) echo 'TASK COMPLETE'; exit ;; esac";
    World::agent(&world.env, "agent.sh", &format!("{leaves}\n{AGENT}"));
    let ran = world.sprag(&["run", "plan", "--agents", "2"]);
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    let next = format!("Next sprag resume {}\n", world.run());
    assert!(ran.stdout.ends_with(&next), "{}", ran.stdout);
    let (object, _) = world.json(&["status"]);
    let wait = &object["waits"][0];
    let why = wait["why"].as_str().unwrap_or_else(|| panic!("{object}"));
    assert!(why.contains("conflicts with others' work; resolve its files in `"), "{why}");
    assert!(!object.to_string().contains("sprag approve"), "{object}");
    // The person did not resolve it, and neither does the agent: it waits again.
    let ran = world.sprag(&["resume", &world.run()]);
    assert!(ran.exit == Some(3) && ran.stdout.ends_with(&next), "{}{}", ran.stdout, ran.stderr);
    let folder = why.split('`').find(|part| part.starts_with('/')).unwrap();
    world.env.write(format!("{folder}/shared.txt"), "one\nline 01\nline 02\n");
    let turns = world.turns();
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("Judging T0"),
        "the work that is there is judged first: {}",
        ran.stdout
    );
    assert_eq!(world.turns(), turns + 1, "only the verification was left: {}", ran.stdout);
}

#[test]
fn a_branch_that_an_agent_removes_is_put_back_with_all_that_is_merged() {
    // The agent that removes it ends, or kills the driver as well.
    for (also, exit) in [("", Some(0)), ("; kill -9 $PPID; sleep 0.1", None)] {
        let world = world(1);
        let removes = format!(
            "case \"$prompt\" in *\"Write f04\"*) [ -e ../done ] || {{ : > ../done; git update-ref -d \
             \"$(git symbolic-ref HEAD | sed 's/-t04.*//')\"{also}; }} ;; esac"
        );
        World::agent(&world.env, "agent.sh", &format!("{removes}\n{AGENT}"));
        // One after the other, so that three are merged by then.
        world.env.write(".gsd/config.md", "---\nmode: yolo\nloop: {max_parallel: 1}\n---\n");
        let ran = world.sprag(&["run", "plan", "--agents", "2"]);
        assert_eq!(ran.exit, exit, "{}{}", ran.stdout, ran.stderr);
        let run = world.run();
        if exit.is_none() {
            let ran = world.sprag(&["resume", &run]);
            assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
        } else {
            let told = format!("Stray T04: sprag/{run} was removed meanwhile, and put back");
            assert!(ran.stdout.replace("\n             ", " ").contains(&told), "{}", ran.stdout);
        }
        assert_eq!(world.count("attempt.lost"), 0);
        let files = world.env.git(&["ls-tree", "--name-only", &format!("sprag/{run}")]);
        assert!(["f01.txt", "f04.txt"].iter().all(|file| files.contains(file)), "{files}");
    }
}

/// Runs the summary's command for the branch, and checks that the work arrived.
fn take_over(world: &World, how: &str) {
    let ran = world.sprag(&["run", "plan", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let command = ran.stdout.split("not in your files yet:").nth(1).unwrap();
    let command = command.trim_start().lines().next().unwrap();
    assert!(command.starts_with(how), "{command}");
    let took = world.env.command("sh").args(["-c", command]).output().unwrap();
    assert!(took.status.success(), "{command}: {}", String::from_utf8_lossy(&took.stderr));
    for task in 1..=4 {
        let name = format!("f{task:02}.txt");
        assert_eq!(world.env.read(&name), Some(format!("{task:02}\n")), "{command}");
    }
    assert_eq!(world.env.read("shared.txt").unwrap().lines().count(), 3);
    let report = world.env.read(".gsd/plans/phase-1/VERIFICATION.md").unwrap();
    assert!(report.contains("status: passed"), "{report}");
}

#[test]
fn the_command_that_takes_the_work_over_works_whatever_is_committed() {
    take_over(&world(1), "git merge sprag/r-");

    let world = world(1);
    world.env.write("mine.txt", "not committed\n");
    world.env.write("shared.txt", "mine\n");
    world.env.git(&["rm", "-rq", "--cached", ".gsd"]);
    take_over(&world, "git diff --binary ");
    assert_eq!(world.env.read("mine.txt").unwrap(), "not committed\n");
    assert!(world.env.read("shared.txt").unwrap().starts_with("mine\n"));
}

#[test]
fn doctor_takes_work_over_as_the_summary_does_and_sees_that_it_is_there() {
    let world = world(1);
    world.env.write("mine.txt", "not committed\n");
    let ran = world.sprag(&["run", "plan", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let doctor = || world.sprag(&["doctor"]).stdout;
    let said = doctor();
    let command = said.lines().find_map(|line| line.trim().strip_prefix("fix: git diff")).unwrap();
    let command = format!("git diff{command}");
    assert!(ran.stdout.contains(&command) && said.contains("nowhere else"), "{said}");
    let status = || world.sprag(&["status", "--plain"]).stdout;
    assert!(status().contains(&command), "{}", status());
    let took = world.env.command("sh").args(["-c", &command]).output().unwrap();
    assert!(took.status.success(), "{command}: {}", String::from_utf8_lossy(&took.stderr));
    let said = doctor();
    assert!(said.contains("not merged, and you took all of its work over"), "{said}");
    assert!(!status().contains("NOT MERGED"), "applied twice it would fail: {}", status());
    assert!(!said.contains("nowhere else") && said.contains("git branch -D sprag/"), "{said}");
    // Other changes by the person are their own.
    world.env.write("f01.txt", "another\n");
    assert!(doctor().contains("nowhere else"), "{}", doctor());
}

#[test]
fn the_report_is_about_the_files_of_the_branch_and_not_about_those_in_the_folder() {
    let world = world(1);
    let ran = world.sprag(&["run", "plan", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let report = || world.sprag(&["report"]).stdout;
    let proven = format!("what has gates holds on the files of `sprag/{}`", world.run());
    assert!(report().contains(&proven), "{}", report());
    world.env.write("mine.txt", "a person works on\n");
    assert!(report().contains(&proven), "no process touched the branch: {}", report());
    let folder = world.env.project().file_name().unwrap().display().to_string();
    world.env.write(format!("../{folder}-{}/f01.txt", world.run()), "a person did\n");
    assert!(report().contains("the files changed since"), "{}", report());
    // Work that a person took over is theirs.
    world.env.remove("mine.txt");
    world.env.git(&["merge", "-q", &format!("sprag/{}", world.run())]);
    assert!(!report().contains("...sprag/"), "{}", report());
}

#[test]
fn a_set_up_that_nobody_approved_holds_the_run_until_somebody_does() {
    let world = world(1);
    world.env.write(".sprag/config.yaml", "v: 1\nworktree: {setup: [[sh, -c, ': > ../set-up']]}\n");
    let host = world.env.top().join("agent.sh").display().to_string();
    let (object, exit) = world.json(&["run", "plan", "--agents", "2", "--host", &host]);
    assert_eq!((exit, world.turns()), (Some(3), 0), "{object}");
    let run = world.run();
    let approve = format!("sprag approve {run}");
    assert_eq!(object["next"]["human"], serde_json::json!([approve]), "{object}");
    assert!(object["why"].as_str().unwrap().contains("': > ../set-up'"), "{object}");
    // Approval requires that the command was shown.
    world.env.write(".sprag/config.yaml", "v: 1\nworktree: {setup: [[sh, -c, ': > ../other']]}\n");
    let refused = world.sprag(&["approve", &run]);
    assert!(refused.stderr.contains("no longer what was shown"), "{}", refused.stderr);
    assert_eq!(world.sprag(&["resume", &run]).exit, Some(3), "it asks again");
    let approved = world.sprag(&["approve", &run]);
    let said =
        format!("{run}: `sh -c ': > ../other'` may run here now\nNext: sprag resume {run}\n");
    assert_eq!((approved.exit, approved.stdout), (Some(0), said));
    let (status, _) = world.json(&["status"]);
    assert_eq!(status["next"]["human"], serde_json::json!([format!("sprag resume {run}")]));
    let ran = world.sprag(&["resume", &run]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let made = |name: &str| world.env.top().join(name).exists();
    assert_eq!((made("set-up"), made("other")), (false, true));
}

#[test]
fn a_set_up_is_what_holds_a_run_and_no_text_that_looks_like_it() {
    let world = world(1);
    // The text in `STATE.md` is shorter.
    let long = format!(": {} > ../set-up", "x".repeat(600));
    let config = format!("v: 1\nworktree: {{setup: [[sh, -c, '{long}']]}}\n");
    world.env.write(".sprag/config.yaml", config);
    let host = world.env.top().join("agent.sh").display().to_string();
    let (object, exit) = world.json(&["run", "plan", "--agents", "2", "--host", &host]);
    assert_eq!((exit, world.turns()), (Some(3), 0), "{object}");
    let run = world.run();
    let approved = world.sprag(&["approve", &run]);
    assert_eq!(approved.exit, Some(0), "{}", approved.stderr);
    let like = "`true` is not yet allowed to run here";
    assert_eq!(world.sprag(&["pause", &run, "--why", like]).exit, Some(0));
    let (status, _) = world.json(&["status"]);
    assert_eq!(status["next"]["human"], serde_json::json!([format!("sprag resume {run}")]));
    let said = world.sprag(&["approve", &run]).stdout;
    assert!(said.starts_with(&format!("{run}: it goes on\n")), "{said}");
}

#[test]
fn who_writes_into_the_persons_own_folder_is_named() {
    let world = world(1);
    // An agent knows the project by the path it saw first.
    let elsewhere = format!("echo oops >> {}/shared.txt\n{AGENT}", world.env.project().display());
    let host = World::agent(&world.env, "elsewhere.sh", &elsewhere);
    let ran = world.sprag(&["run", "plan", "--agents", "2", "--host", &host, "--yes"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("T01: shared.txt in your own folder"), "{}", ran.stdout);
    let report = world.sprag(&["report"]).stdout;
    assert!(report.contains("T01: shared.txt in your own folder"), "{report}");
}

#[test]
fn without_a_repository_agents_cannot_work_at_the_same_time() {
    let world = world(1);
    world.forget_git();
    let state = world.env.read(".gsd/STATE.md");
    for words in [&["run", "plan"][..], &["run", "Be good", "--until", "sh test.sh"]] {
        let ran = world.sprag(&[words, &["--agents", "2"]].concat());
        assert_eq!((ran.exit, world.turns()), (Some(1), 0), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("parallel agents need git"), "{}", ran.stderr);
        assert_eq!(world.count("run.started"), 0, "nothing is begun");
    }
    assert_eq!(world.env.read(".gsd/STATE.md"), state);
}

/// Drives a plan whose second agent makes this change to `STATE.md` once a failure of the first was
/// counted.
fn meanwhile(change: &str) -> (World, super::Ran) {
    let world = world(1);
    let script = world.env.read("../agent.sh").unwrap();
    let own = format!(
        "case \"$prompt\" in\n*'Write f01'*) [ -f ../first ] || {{ touch ../first; exit 0; }}; \
         touch ../second ;;\n*'Write f02'*) until [ -f ../second ]; do sleep 0.01; done\n  \
         {change} ../project/.gsd/STATE.md ;;\nesac\ncase \"$prompt\" in"
    );
    world.env.write("../agent.sh", script.replacen("case \"$prompt\" in", &own, 1));
    let ran = world.sprag(&["run", "plan", "--agents", "2"]);
    (world, ran)
}

#[test]
fn who_writes_prose_beside_what_others_are_counted_is_let_be_and_counts_are_put_back() {
    let (world, ran) = meanwhile("echo 'I was here.' >>");
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(world.env.read(".gsd/STATE.md").unwrap().contains("I was here."));
    let (world, ran) = meanwhile("sed -i 's/^  max_iterations: .*/  max_iterations: 900/'");
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let said = "the agent set max_iterations: 900 in .gsd/STATE.md; put back";
    let flat = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(said), "{}", ran.stdout);
    assert!(!world.env.read(".gsd/STATE.md").unwrap().contains("900"));
}

/// Drives a plan whose verification writes this into its report.
pub(super) fn verified(report: &str) -> (World, super::Ran) {
    let world = world(1);
    let script = world.env.read("../agent.sh").unwrap();
    let passed = script.lines().find(|line| line.contains("status: passed")).unwrap();
    world.env.write("../agent.sh", script.replacen(passed, report, 1));
    let ran = world.sprag(&["run", "plan", "--agents", "2"]);
    (world, ran)
}

const REPORT: &str = ".gsd/plans/phase-1/VERIFICATION.md";

#[test]
fn a_verification_is_proven_only_where_it_ends_the_plan() {
    let (_, ran) = verified(": ;;");
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stdout.contains("Proven verify"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Open verify"), "{}", ran.stdout);
    assert!(ran.stdout.contains("4 units · 4 gates proven"), "{}", ran.stdout);

    let unreadable = format!(
        "echo x >> ../n; printf -- '---\\nstatus: gaps_found\\n---\\n%s' \
                              \"$(wc -l < ../n)\" > {REPORT} ;;"
    );
    let (_, ran) = verified(&unreadable);
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stdout.contains("Proven verify"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("Open verify").count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("is asked for once more"), "{}", ran.stdout);
}

#[test]
fn a_run_that_cannot_be_read_is_not_passed_over_by_a_report_of_the_newest() {
    let (world, ran) = verified(": ;;");
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    let run = world.run();
    world.env.write(".gsd/plans/phase-1/plan.md", "nothing\n");
    let ran = world.sprag(&["report"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (Some(9), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains(&run), "{}", ran.stderr);
    assert!(ran.stderr.contains(".gsd/plans/phase-1/plan.md"), "{}", ran.stderr);
}
