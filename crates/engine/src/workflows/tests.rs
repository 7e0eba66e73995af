use std::os::unix::fs::symlink;

use sprag_testkit::TestEnv;

use super::*;

const PHASE: &str = "---\nid: a\nname: A\nemoji: 🔨\n---\nDo it.\n";

fn head(name: &str, phases: &str) -> String {
    format!("name: {name}\ncommandName: {name}\ninitialMessage: go\nphases: {phases}\n")
}

fn workflow(env: &TestEnv, folder: &str, phases: &str) {
    let name = folder.rsplit('/').next().unwrap();
    env.write(format!("{folder}/workflow.yaml"), head(name, phases));
    env.write(format!("{folder}/a.md"), PHASE);
}

fn find<T>(env: &TestEnv, load: impl FnOnce(&Search<'_>) -> T) -> T {
    let (root, home) = (env.project(), env.home());
    load(&Search { root: Some(&root), home: Some(&home), ..Search::default() })
}

fn said(loaded: &Loaded, env: &TestEnv) -> Vec<String> {
    loaded.problems.iter().map(|problem| env.normal(&problem.to_string())).collect()
}

#[test]
fn the_folders_are_those_of_the_person_and_the_project() {
    let (root, home) = (Path::new("/p"), Path::new("/h"));
    let search = Search { root: Some(root), home: Some(home), ..Search::default() };
    let shown = |search: &Search<'_>| {
        let folders = search.folders();
        folders.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        shown(&search),
        [
            "/h/.pi/agent/workflows",
            "/p/.pi/workflows",
            "/h/.config/sprag/workflows",
            "/p/.sprag/workflows"
        ]
    );
    let (config, pi) = (OsStr::new("/c"), OsStr::new("/agent"));
    let named = shown(&Search { config: Some(config), pi: Some(pi), ..search });
    assert_eq!((named[0].as_str(), named[2].as_str()), ("/agent/workflows", "/c/sprag/workflows"));
    let relative = shown(&Search { config: Some(OsStr::new("c")), ..search });
    assert_eq!(relative[2], "/h/.config/sprag/workflows", "a relative one does not count");
    assert_eq!(shown(&Search::default()), [""; 0]);
}

#[test]
fn a_higher_tier_takes_the_place_of_a_lower_one() {
    let env = TestEnv::new();
    for tier in ["../home/.pi/agent", ".pi", "../home/.config/sprag", ".sprag"] {
        workflow(&env, &format!("{tier}/workflows/dev"), "[a.md]");
    }
    workflow(&env, "../home/.pi/agent/workflows/low", "[a.md]");
    let loaded = find(&env, load);
    assert_eq!(said(&loaded, &env), [""; 0]);
    let source = |key: &str| env.normal(&loaded.sources[key].path);
    assert_eq!(source("dev"), "[PROJECT]/.sprag/workflows/dev/workflow.yaml");
    assert_eq!(source("low"), "[HOME]/.pi/agent/workflows/low/workflow.yaml");
}

#[test]
fn one_workflow_is_loaded_with_what_it_refers_to_and_nothing_else_is_read() {
    let env = TestEnv::new();
    workflow(&env, ".sprag/workflows/dev", "[a.md, {subworkflow: qa}]");
    workflow(&env, ".pi/workflows/qa", "[a.md, {subworkflow: deep}]");
    workflow(&env, ".pi/workflows/deep", "[a.md]");
    env.write(".sprag/workflows/broken/workflow.yaml", "name: [");
    let loaded = find(&env, |search| load_one(search, "dev"));
    assert_eq!(said(&loaded, &env), [""; 0], "the broken one was not looked at");
    let keys: Vec<_> = loaded.sources.keys().collect();
    assert_eq!(keys, ["deep", "dev", "qa"]);
    let whole = find(&env, load);
    assert_eq!(loaded.digest("dev"), whole.digest("dev"));
    assert_eq!(whole.problems.len(), 1);
    let files: Vec<_> = loaded.files("qa").into_iter().map(|file| env.normal(file)).collect();
    assert_eq!(
        files,
        [
            "[PROJECT]/.pi/workflows/qa/workflow.yaml",
            "[PROJECT]/.pi/workflows/qa/a.md",
            "[PROJECT]/.pi/workflows/deep/workflow.yaml",
            "[PROJECT]/.pi/workflows/deep/a.md",
        ]
    );
    for absent in ["no", "../workflows/dev", "dev/..", "", "dev/a.md"] {
        assert!(find(&env, |search| load_one(search, absent)).sources.is_empty(), "{absent}");
    }
}

#[test]
fn every_byte_of_every_file_counts_for_the_digest_and_the_place_of_the_project_does_not() {
    let digest = |change: &str, text: &str| {
        let env = TestEnv::new();
        workflow(&env, ".sprag/workflows/dev", "[a.md, {subworkflow: qa}]");
        workflow(&env, ".pi/workflows/qa", "[a.md, ../b.md]");
        env.write(".pi/workflows/b.md", PHASE.replace("id: a", "id: b"));
        env.write(".pi/workflows/other.md", "");
        if !change.is_empty() {
            env.write(change, text);
        }
        find(&env, load).digest("dev").unwrap()
    };
    let one = digest("", "");
    assert_eq!(one, digest("", ""));
    assert_eq!(one, digest(".pi/workflows/other.md", "not a part of it"));
    let changed = PHASE.replace("Do it.", "Do it!");
    for file in [".sprag/workflows/dev/a.md", ".pi/workflows/qa/a.md"] {
        assert_ne!(one, digest(file, &changed), "{file}");
    }
    let other = changed.replace("id: a", "id: b");
    assert_ne!(one, digest(".pi/workflows/b.md", &other));
}

#[test]
fn no_link_leads_out_of_a_tier() {
    let env = TestEnv::new();
    env.write("secret.md", PHASE);
    workflow(&env, ".sprag/workflows/dev", "[a.md, link.md]");
    workflow(&env, ".sprag/workflows/real", "[a.md]");
    let tier = env.project().join(".sprag/workflows");
    symlink("../../../secret.md", tier.join("dev/link.md")).unwrap();
    symlink("real", tier.join("alias")).unwrap();
    let loaded = find(&env, load);
    assert_eq!(
        said(&loaded, &env),
        ["[PROJECT]/.sprag/workflows/dev/workflow.yaml:4:16: Phase file path escapes workflows \
          root: link.md in [PROJECT]/.sprag/workflows/dev/workflow.yaml"]
    );
    assert!(loaded.definitions.get("alias").is_none(), "a linked folder is no workflow");
    assert!(find(&env, |search| load_one(search, "alias")).sources.is_empty());

    env.write(".sprag/workflows/dev/workflow.yaml", head("dev", "[a.md, inside.md]"));
    symlink("../real/b.md", tier.join("dev/inside.md")).unwrap();
    env.write(".sprag/workflows/real/b.md", PHASE.replace("id: a", "id: b"));
    let loaded = find(&env, load);
    assert_eq!(said(&loaded, &env), [""; 0]);
    let files: Vec<_> = loaded.files("dev").into_iter().map(|file| env.normal(file)).collect();
    assert_eq!(
        files[2..],
        ["[PROJECT]/.sprag/workflows/dev/inside.md", "[PROJECT]/.sprag/workflows/real/b.md"]
    );
}

#[test]
fn what_cannot_be_read_is_said() {
    let env = TestEnv::new();
    env.write(".pi/workflows", "a file");
    workflow(&env, ".sprag/workflows/dev", "[a.md, large.md]");
    env.write(".sprag/workflows/dev/large.md", "x".repeat(MAX + 1));
    env.write(".sprag/workflows/bytes/workflow.yaml", b"name: \xff");
    env.write(".sprag/workflows/no-workflow/notes.md", "");
    let loaded = find(&env, load);
    assert_eq!(
        said(&loaded, &env),
        [
            "[PROJECT]/.pi/workflows:1:1: cannot open the workflows in it: Not a directory (os error 20)",
            "[PROJECT]/.sprag/workflows/bytes/workflow.yaml:1:1: Failed to load workflow from [PROJECT]/.sprag/workflows/bytes: byte 6 is not UTF-8",
            "[PROJECT]/.sprag/workflows/dev/workflow.yaml:4:16: Failed to load phase file [PROJECT]/.sprag/workflows/dev/large.md: it has more than 1048576 bytes",
        ]
    );
}

const MAX: usize = sprag_formats::MAX_BYTES;

#[test]
fn reading_ends_however_much_a_definition_names() {
    let env = TestEnv::new();
    let phases = vec!["a.md"; 300].join(", ");
    env.write(".sprag/workflows/dev/workflow.yaml", head("dev", &format!("[{phases}]")));
    let body = "x".repeat(MAX / 2);
    env.write(".sprag/workflows/dev/a.md", format!("{PHASE}{body}"));
    let loaded = find(&env, load);
    let said = said(&loaded, &env);
    assert!(said[0].ends_with("more than 67108864 bytes of workflows are not read"), "{}", said[0]);
}
