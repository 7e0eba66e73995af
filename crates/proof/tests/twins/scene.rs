//! The worlds of the stories: repositories, scripted agents, workflows, plans, trees, a forge.

use std::os::unix::fs::PermissionsExt as _;

use sprag_testkit::gh::Gh;

use crate::player::Player;

/// A guard that runs the project's test.
pub(crate) const GUARD: &str = "guard:\n  gates:\n    - run: sh test.sh\n";

/// Fails with a line of evidence until `code.txt` is good.
const TEST: &str = "grep -q good code.txt || { echo 'code.txt: expected good'; exit 1; }\n";

/// The beginning of every agent: it saves its prompt, and `$turn` counts all turns from 1. Calls of
/// sprag get their own clock and ids.
const TURN: &str = "prompt=$(cat)\n\
    turn=$(mkdir -p @/turns; echo x >> @/turns/all; wc -l < @/turns/all | tr -d ' ')\n\
    printf '%s' \"$prompt\" > @/turns/$turn\n\
    export SPRAG_TEST_NOW=2026-03-05T12:00:0$turn.000Z SPRAG_TEST_IDS=$((500000 + turn * 1000))\n\
    export SPRAG_TEST_ALONE=1\n";

impl Player {
    /// Writes a file of the project.
    pub(crate) fn write(&self, path: &str, text: &str) {
        self.env.write(path, text);
    }

    /// Runs git in the project.
    pub(crate) fn git(&self, words: &[&str]) {
        self.env.git(words);
    }

    /// Commits everything.
    pub(crate) fn commits(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", message]);
    }

    /// Creates a repository whose `sh test.sh` passes when `code.txt` is good, with this
    /// configuration. The user agreed to the project, but not yet to the configuration's commands.
    pub(crate) fn repository(&mut self, config: &str) {
        self.write("test.sh", TEST);
        self.write("code.txt", "start\n");
        self.git(&["init", "-q"]);
        self.commits("start");
        self.types(&["adopt", "--yes"]).exits(0);
        if !config.is_empty() {
            self.write(".sprag/config.yaml", config);
            self.git(&["add", "-A", "-f", ".sprag/config.yaml"]);
            self.git(&["commit", "-qm", "configuration"]);
        }
    }

    /// Creates an agent from shell code, and returns its path.
    pub(crate) fn agent(&self, name: &str, does: &str) -> String {
        let (top, script) = (self.env.top().display().to_string(), self.env.top().join(name));
        let text = format!("#!/bin/sh\n{}{does}\n", TURN.replace('@', &top));
        self.write(&format!("../{name}"), &text);
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        script.display().to_string()
    }

    /// Returns how many turns the agents had.
    pub(crate) fn turns(&self) -> usize {
        let all = std::fs::read_to_string(self.env.top().join("turns/all"));
        all.map_or(0, |all| all.lines().count())
    }

    /// Drives a run with the agent `agent.sh`; all questions are answered beforehand.
    pub(crate) fn drives(&mut self, words: &[&str]) -> crate::player::Outcome<'_> {
        let words = self.driving(words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.types(&words)
    }

    /// Returns the arguments that drive a run with the agent `agent.sh`.
    pub(crate) fn driving(&self, words: &[&str]) -> Vec<String> {
        let host = self.env.top().join("agent.sh").display().to_string();
        let all = [&["run"], words, &["--host", &host, "--yes"]].concat();
        all.into_iter().map(str::to_owned).collect()
    }

    /// Starts to drive without waiting for the end.
    pub(crate) fn starts_driving(&mut self, words: &[&str]) -> crate::player::Started {
        let words = self.driving(words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.starts(&words)
    }

    /// Runs all commands that show the state of runs, in every form.
    pub(crate) fn looks(&mut self) {
        for words in [&["status"][..], &["status", "--json"], &["why"], &["why", "--json"]] {
            self.types(words);
        }
        for run in self.runs() {
            self.types(&["report", &run]);
            self.types(&["report", &run, "--json"]);
        }
    }

    /// Creates a workflow of these phases; each is its id and more front matter.
    pub(crate) fn workflow(&self, folder: &str, key: &str, phases: &[(&str, &str)]) {
        let names: Vec<_> = phases.iter().map(|(id, _)| format!("{id}.md")).collect();
        let flow = format!(
            "name: Flow {key}\ncommandName: {key}\ninitialMessage: 'Begin: {{description}}'\nphases: [{}]\n",
            names.join(", ")
        );
        self.write(&format!("{folder}/workflows/{key}/workflow.yaml"), &flow);
        for (id, more) in phases {
            let text = format!(
                "---\nid: {id}\nname: {id}\nemoji: 🔨\n{more}---\nDo {id} for {{description}}.\n"
            );
            self.write(&format!("{folder}/workflows/{key}/{id}.md"), &text);
        }
    }
}

/// Two tasks of a plan of opti-gsd, the second after the first.
pub(crate) const PLAN: &str = "---\nphase: 1\ntitle: One\n---\n\n## Must-Haves\n\n- [ ] Both there\n\n\
    <task id=\"01\" wave=\"1\">\n  <files>\n    <file action=\"create\">a.txt</file>\n  </files>\n  \
    <action>\n    Do a.\n  </action>\n  <verify>\n    <check type=\"file\">a.txt exists</check>\n  \
    </verify>\n  <done>a</done>\n</task>\n\n<task id=\"02\" wave=\"2\" depends=\"01\">\n  <files>\n    \
    <file action=\"create\">b.txt</file>\n  </files>\n  <action>\n    Do b.\n  </action>\n  <verify>\n    \
    <check type=\"file\">b.txt exists</check>\n  </verify>\n  <done>b</done>\n</task>\n";

/// Does each task of the plan, and its verification.
pub(crate) const PLANNED: &str = "case \"$prompt\" in *'Do a.'*) echo a > a.txt;; *'Do b.'*) echo b > b.txt;;\n\
    *VERIFICATION.md*) mkdir -p .gsd/plans/phase-1\n\
    printf -- '---\\nphase: 1\\nstatus: passed\\n---\\n\\n# Verification\\n' \
    > .gsd/plans/phase-1/VERIFICATION.md;; esac\necho 'TASK COMPLETE'";

impl Player {
    /// Creates a repository with a plan that does not ask, and this agent.
    pub(crate) fn plan(&mut self, agent: &str) {
        self.repository("");
        self.write(".gsd/plans/phase-1/plan.md", PLAN);
        let state = "---\nmilestone: v1\nphase: null\ntask: null\nphases_complete: []\n\
                     phases_in_progress: []\nphases_pending: [1]\nloop:\n  active: false\n---\n";
        self.write(".gsd/STATE.md", state);
        self.write(".gsd/ROADMAP.md", "# Roadmap\n\n## Phase 1: One\n\n**Status:** PLANNED\n");
        self.write(".gsd/config.md", "---\nmode: yolo\n---\n");
        self.commits("plan");
        self.agent("agent.sh", agent);
    }
}

/// The folder of the only slice of the tree.
pub(crate) const SLICE: &str = ".gsd/milestones/M001/slices/S01";

/// Does each task of the tree with its documents, and completes the slice and the milestone.
pub(crate) const GROWN: &str = r#"S=.gsd/milestones/M001/slices/S01
t=$(printf '%s' "$prompt" | grep -o 'T0[12]' | head -1)
M=.gsd/milestones/M001/M001
case "$prompt" in
*M001-VALIDATION.md*) printf -- '---\nverdict: pass\n---\n# Valid\n' > $M-VALIDATION.md ;;
*M001-SUMMARY.md*) printf -- '---\nid: M001\n---\n# Done\n' > $M-SUMMARY.md ;;
*complete-slice*|*"Complete Slice"*)
  sed -i 's/\[ \] \*\*S01/[x] **S01/' .gsd/milestones/M001/M001-ROADMAP.md
  echo x > $S/S01-SUMMARY.md; echo x > $S/S01-UAT.md ;;
*)
  echo "$t" >> code.txt
  sed -i "s/\[ \] \*\*$t:/[x] **$t:/" $S/S01-PLAN.md
  printf -- "---\nid: $t\n---\n# Done\n" > $S/tasks/$t-SUMMARY.md ;;
esac
echo done"#;

impl Player {
    /// Creates a milestone of one slice with two tasks, and this agent.
    pub(crate) fn tree(&mut self, config: &str, agent: &str) {
        self.repository(config);
        let milestone = ".gsd/milestones/M001/M001";
        self.write(&format!("{milestone}-CONTEXT.md"), "# M001: Parser\n\nA parser.\n");
        let roadmap =
            "# M001: Parser\n\n## Slices\n\n- [ ] **S01: Lexer** `risk:low` `depends:[]`\n";
        self.write(&format!("{milestone}-ROADMAP.md"), roadmap);
        let plan = "# S01: Lexer\n\n**Goal:** tokens\n\n## Tasks\n\n- [ ] **T01: Numbers** `est:1h`\n\
                    - [ ] **T02: Strings** `est:1h`\n";
        self.write(&format!("{SLICE}/S01-PLAN.md"), plan);
        for task in ["T01", "T02"] {
            let text = format!("---\nid: {task}\n---\n# {task}\n\nDo it.\n");
            self.write(&format!("{SLICE}/tasks/{task}-PLAN.md"), &text);
        }
        self.commits("tree");
        self.agent("agent.sh", agent);
    }
}

/// A loop that does not wait for checks to begin.
pub(crate) const LOOP: &str = "pr: 7\nauthor: ann\nturn: REVIEW\napproved: false\nreviewCount: 0\n\
    latestReviews: []\nciStatus: []\nreviewLoop:\n  active: true\n  maxRounds: 2\n  pausedAt: null\n  \
    reviewer: rev\n  developer: dev\n  ciWait:\n    grace: 0\n    timeout: 60\n    poll: 1\n";

/// Answers as a forge whose branch is the pushed one; its checks fail while `../red` is not empty.
const PULL: &str = r#"head=$(git --git-dir ../forge.git rev-parse refs/heads/topic)
none='{"pageInfo":{"hasNextPage":false},"nodes":[]}'
printf '{"data":{"repository":{"pullRequest":{"title":"T","body":"","baseRefName":"main",'
printf '"headRefOid":"%s","author":{"login":"ann"},"reviews":%s,' "$head" "$none"
printf '"reviewThreads":%s,"comments":%s,"commits":{"nodes":[' "$none" "$none"
[ ! -s ../red ] || printf '{"commit":{"oid":"%s","statusCheckRollup":{"contexts":%s}}}' "$head" \
'{"pageInfo":{"hasNextPage":false},"nodes":[{"__typename":"CheckRun","name":"unit","status":"COMPLETED","conclusion":"FAILURE"}]}'
printf ']}}}}}'
"#;

/// Has a finding in the first review only; the developer works after it.
pub(crate) const REVIEWED: &str = r#"case "$prompt" in
Review*) if [ -e ../seen ]; then echo 'VERDICT: pass' > .thoughts/pr/review.md
  else touch ../seen; printf 'VERDICT: issues\n- [important] a:1: bad\n' > .thoughts/pr/review.md; fi;;
*) echo fixed >> code.txt; echo fixed > .thoughts/pr/response.md
git commit -qam fix; git push -q origin topic;;
esac
echo done"#;

impl Player {
    /// Creates a pushed branch with a loop, its forge, and this agent.
    pub(crate) fn pull(&mut self, agent: &str) -> Gh {
        self.repository("");
        let bare = self.env.top().join("forge.git").display().to_string();
        self.write(".gitignore", ".sprag\n.thoughts\n");
        self.git(&["checkout", "-qb", "topic"]);
        self.commits("topic");
        for words in [
            &["init", "-q", "--bare", &bare][..],
            &["remote", "add", "origin", "git@github.com:acme/web.git"],
            &["config", "remote.origin.pushurl", &bare],
            &["push", "-q", "origin", "topic"],
        ] {
            self.git(words);
        }
        let folder = self.env.top().join("gh");
        let gh = Gh::at(&folder);
        gh.serve("pr-list", "[{\"number\":7}]");
        gh.run("api-graphql", PULL);
        let bin = self.env.top().join("bin");
        let path = format!("{}:{}:/usr/local/bin:/usr/bin:/bin", folder.display(), bin.display());
        self.env.set("PATH", &path);
        self.write(".thoughts/pr/metadata.yaml", LOOP);
        self.agent("agent.sh", agent);
        gh
    }
}
