//! Invalid arguments, and -C.

use serde_json::json;

use crate::support::{object, project, sprag};

#[test]
fn one_suggestion_and_exit_2() {
    sprag()
        .run(["docter"])
        .stderr("error[K0001]: unrecognized subcommand `docter`\nhelp: did you mean `doctor`?\n")
        .exit(2)
        .run(["--jsn"])
        .stderr("error[K0001]: unexpected argument `--jsn` found\nhelp: did you mean `--json`?\n")
        .exit(2)
        .run(["rnu"])
        .stderr("error[K0001]: unrecognized subcommand `rnu`\nhelp: did you mean `run`?\n")
        .exit(2)
        .run(["agent", "nxt"])
        .stderr(
            "
            error[K0001]: unrecognized subcommand `nxt`
            help: `sprag --help` lists everything
            ",
        )
        .exit(2)
        .run(["nothing-like-it"])
        .stderr(
            "
            error[K0001]: unrecognized subcommand `nothing-like-it`
            help: `sprag --help` lists everything
            ",
        )
        .exit(2);
}

#[test]
fn a_usage_error_is_json_when_json_was_asked_for() {
    let (said, exit) = object(sprag().run(["--json", "docter"]));
    let expected = json!({
        "ok": false,
        "error": {
            "code": "K0001",
            "message": "unrecognized subcommand `docter`",
            "file": null, "line": null, "column": null,
            "help": "did you mean `doctor`?",
        },
        "next": {"safe": ["sprag --help"], "human": []},
    });
    assert_eq!((said, exit), (expected, Some(2)));
}

#[test]
fn another_folder_is_gone_to() {
    let test = project().folder("src").at("src");
    let test =
        test.run(["-C", "..", "status"]).stdout("project · event 0 · 0 runs\n\nNext: sprag log\n");
    test.exit(0)
        .run(["-C", "nowhere"])
        .stderr(
            "
            error[K0002]: cannot go to `nowhere`: No such file or directory (os error 2)
            help: give -C a folder
            ",
        )
        .exit(4);
}

#[test]
fn version_and_help_are_answers() {
    let test = sprag().run(["--version"]).stdout("sprag 0.1.0\n").exit(0);
    let (said, _) = test.run(["--help"]).output();
    assert_eq!((said.exit, said.stderr.as_str()), (Some(0), ""));
    assert!(said.stdout.starts_with("Holds coding agents to the job until it is provably done\n"));
}
