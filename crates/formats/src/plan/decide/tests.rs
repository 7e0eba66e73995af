use sprag_core::plan::{FileAction, PlanFile};

use super::*;

fn files(paths: &[&str]) -> Vec<PlanFile> {
    let file =
        |path: &&str| PlanFile { path: DocPath::parse(path).unwrap(), action: FileAction::Modify };
    paths.iter().map(file).collect()
}

/// Describes in one line how a check is decided.
fn said(kind: &str, text: &str, paths: &[&str]) -> String {
    let files = files(paths);
    let decided = decide(kind, text, None, &Names::of(&files));
    let check = |check: &Check| {
        if let Check::File { path } = check {
            format!("{path} is there")
        } else if let Check::Absent { path } = check {
            format!("{path} is gone")
        } else if let Check::Content { path, has } = check {
            format!("{path} has {has}")
        } else {
            format!("{check:?}")
        }
    };
    match decided.decision {
        CheckDecision::Gate(Check::All { of }) => {
            of.iter().map(check).collect::<Vec<_>>().join(", ")
        }
        CheckDecision::Gate(one) => check(&one),
        CheckDecision::Ending { ending, has } => format!("…{ending} has {}", has.join(", ")),
        CheckDecision::Claim { .. } if decided.is_vague => "vague".to_owned(),
        CheckDecision::Claim { .. } => "claim".to_owned(),
    }
}

#[test]
fn a_file_is_there_or_not() {
    for (text, expected) in [
        ("src/a.rs exists", "src/a.rs is there"),
        ("File `my docs/a b.md` exists", "my docs/a b.md is there"),
        ("Makefile exists", "Makefile is there"),
        ("File exists", "only.txt is there"),
        ("The file ./src/a.rs exists.", "src/a.rs is there"),
        ("src/größe.rs exists", "src/größe.rs is there"),
        ("docs/old.md does not exist", "docs/old.md is gone"),
        ("`docs/old.md` is deleted", "docs/old.md is gone"),
        ("docs/old.md does not exist, a.md exists", "vague"),
        ("../secret exists", "vague"),
        ("/etc/passwd exists", "vague"),
        ("a.rs and b.rs exist", "vague"),
        ("No file a.rs exists", "claim"),
        ("a.rs exists or b.rs", "claim"),
        ("everything is in place", "vague"),
        ("", "vague"),
    ] {
        assert_eq!(said("file", text, &["only.txt"]), expected, "{text}");
    }
}

#[test]
fn content_is_what_is_quoted_in_the_file_that_is_named() {
    let paths = ["src/app/page.tsx", ".gsd/config.md", "docs/my notes.md"];
    for (text, expected) in [
        ("src/app/page.tsx contains \"a\"", "src/app/page.tsx has a"),
        ("page.tsx contains \"a\" and `b`", "src/app/page.tsx has a, src/app/page.tsx has b"),
        ("`app/page.tsx` contains “x y”", "src/app/page.tsx has x y"),
        ("config.md contains \"loop:\" section", ".gsd/config.md has loop:"),
        ("my notes.md contains \"x\"", "docs/my notes.md has x"),
        ("File config.md contains \"x\"", ".gsd/config.md has x"),
        ("Cargo.toml contains \"version\"", "…Cargo.toml has version"),
        ("lib/Cargo.toml: \"version\"", "…lib/Cargo.toml has version"),
        ("File contains \"a\"", "vague"),
        ("page.tsx has everything", "vague"),
        ("Everything contains \"a\"", "vague"),
        ("\"a\" is there", "vague"),
        ("../x.md contains \"a\"", "vague"),
        ("page.tsx does not contain \"a\"", "claim"),
        ("page.tsx contains no \"a\"", "claim"),
        ("page.tsx contains \"a\" or \"b\"", "claim"),
        ("page.tsx contains \"not this\"", "src/app/page.tsx has not this"),
    ] {
        assert_eq!(said("content", text, &paths), expected, "{text}");
    }
}

#[test]
fn the_only_file_of_a_task_may_go_without_a_name() {
    for text in
        ["File contains \"x\"", "Script contains a \"x\"", "Contains \"x\"", "The file has \"x\""]
    {
        assert_eq!(said("content", text, &["a.sh"]), "a.sh has x", "{text}");
    }
    assert_eq!(said("content", "File contains \"x\"", &[]), "vague");
}

#[test]
fn of_two_files_that_end_alike_the_whole_path_is_meant() {
    let both = ["docs/README.md", "README.md"];
    assert_eq!(said("content", "README.md contains \"x\"", &both), "README.md has x");
    let both = ["docs/README.md", "src/README.md"];
    assert_eq!(said("content", "README.md contains \"x\"", &both), "vague");
    assert_eq!(said("content", "src/README.md contains \"x\"", &both), "src/README.md has x");
}

#[test]
fn a_command_is_words_and_never_the_text_of_the_element() {
    let run = |cmd: &str| decide("console", "rm -rf /", Some(cmd), &Names::default()).decision;
    let argv = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let check = Check::Run { argv: argv(&["grep", "-c", "fn a", "x.rs"]) };
    assert_eq!(run("grep -c 'fn a' x.rs"), CheckDecision::Gate(check));
    for cmd in ["", "a && b", "a; b", "a | b", "echo $(id)", "echo `id`", "a > b", "X=1 a"] {
        assert!(matches!(run(cmd), CheckDecision::Claim { .. }), "{cmd}");
    }
    assert_eq!(said("console", "npm test", &["a"]), "claim");
    assert_eq!(said("", "npm test", &["a"]), "claim");
}
