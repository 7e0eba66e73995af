//! Projects that other systems manage: a milestone tree, a pull request with its forge, an inbox.

use sprag_testkit::gh::Gh;

use crate::scene::Scene;

/// The folder of the only slice of the tree.
pub(crate) const SLICE: &str = ".gsd/milestones/M001/slices/S01";

/// Does each task of the tree with its documents, and completes the slice and the milestone.
pub(crate) const TREE_AGENT: &str = r#"S=.gsd/milestones/M001/slices/S01
M=.gsd/milestones/M001/M001
t=$(printf '%s' "$told" | grep -o 'T0[12]' | head -1)
case "$told" in
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

/// Creates a milestone of one slice with two tasks, under this configuration.
pub(crate) fn tree(config: &str) -> Scene {
    let scene = Scene::of([("code.txt", "start\n")]);
    let milestone = ".gsd/milestones/M001/M001";
    if !config.is_empty() {
        scene.writes(".sprag/config.yaml", config);
    }
    scene.writes(&format!("{milestone}-CONTEXT.md"), "# M001: Parser\n\nA parser.\n");
    let roadmap = "# M001: Parser\n\n## Slices\n\n- [ ] **S01: Lexer** `risk:low` `depends:[]`\n";
    scene.writes(&format!("{milestone}-ROADMAP.md"), roadmap);
    let plan = "# S01: Lexer\n\n**Goal:** tokens\n\n## Tasks\n\n- [ ] **T01: Numbers** `est:1h`\n\
                - [ ] **T02: Strings** `est:1h`\n";
    scene.writes(&format!("{SLICE}/S01-PLAN.md"), plan);
    for task in ["T01", "T02"] {
        let text = format!("---\nid: {task}\n---\n# {task}\n\nDo it.\n");
        scene.writes(&format!("{SLICE}/tasks/{task}-PLAN.md"), &text);
    }
    scene.commits();
    scene
}

/// The state of a pull request's loop.
pub(crate) const META: &str = ".thoughts/pr/metadata.yaml";

/// A loop that polls every second, and does not wait for checks to begin.
const LOOP: &str = "pr: 7\nauthor: ann\nturn: REVIEW\napproved: false\nreviewCount: 0\n\
    latestReviews: []\nciStatus: []\nreviewLoop:\n  active: true\n  maxRounds: 3\n  pausedAt: null\n  \
    reviewer: rev\n  developer: dev\n  ciWait:\n    grace: 0\n    timeout: 60\n    poll: 1\n";

/// Answers as a forge whose branch is the pushed one; `../reviews` has people's reviews, and
/// `../checks` the state of the checks.
const PULL: &str = r#"head=$(git --git-dir ../forge.git rev-parse refs/heads/topic)
none='{"pageInfo":{"hasNextPage":false},"nodes":[]}'
reviews=$none; [ ! -s ../reviews ] || reviews=$(cat ../reviews)
decision=null; [ ! -s ../reviews ] || decision='"CHANGES_REQUESTED"'
printf '{"data":{"repository":{"pullRequest":{"title":"T","body":"","baseRefName":"main","reviewDecision":%s,' "$decision"
printf '"headRefOid":"%s","author":{"login":"ann"},"reviews":%s,' "$head" "$reviews"
printf '"reviewThreads":%s,"comments":%s,"commits":{"nodes":[' "$none" "$none"
[ ! -s ../checks ] || printf '{"commit":{"oid":"%s","statusCheckRollup":{"contexts":%s}}}' "$head" "$(cat ../checks)"
printf ']}}}}}'
"#;

/// An agent whose reviewer has a finding first and then passes; `developer` runs in between.
pub(crate) fn pull_agent(developer: &str) -> String {
    format!(
        "case \"$told\" in\nReview*) if [ -e ../seen ]; then echo 'VERDICT: pass' > .thoughts/pr/review.md\n\
         else touch ../seen; printf 'VERDICT: issues\\n- [critical] code.txt:1: it loses rows. Fix: keep them.\\n' > .thoughts/pr/review.md; fi;;\n\
         *) {developer};;\nesac\necho done"
    )
}

/// Responds to a review as required.
pub(crate) const MENDS: &str = "echo fixed >> code.txt; echo fixed > .thoughts/pr/response.md; git commit -qam fix; git push -q origin topic";

/// Creates a pushed branch with a loop, and its forge.
pub(crate) fn pull() -> (Scene, Gh) {
    let mut scene = Scene::of([("code.txt", "start\n"), (".gitignore", ".sprag\n.thoughts\n")]);
    let bare = scene.env.top().join("forge.git").display().to_string();
    for words in [
        &["checkout", "-qb", "topic"][..],
        &["init", "-q", "--bare", &bare],
        &["remote", "add", "origin", "git@github.com:acme/web.git"],
        &["config", "remote.origin.pushurl", &bare],
        &["push", "-q", "origin", "topic"],
    ] {
        scene.env.git(words);
    }
    let (bin, folder) = (scene.env.top().join("bin"), scene.env.top().join("gh"));
    let gh = Gh::at(&folder);
    gh.serve("pr-list", "[{\"number\":7}]");
    gh.run("api-graphql", PULL);
    let path = format!("{}:{}:/usr/local/bin:/usr/bin:/bin", folder.display(), bin.display());
    scene.env.set("PATH", &path);
    scene.writes(META, LOOP);
    (scene, gh)
}
