use sprag_core::{Check, DocPath};

use super::*;

const HOSTS: [&str; 4] = ["claude", "codex", "gemini", "pi"];

fn read(text: &str) -> Config {
    Config::read(text, &HOSTS).unwrap().0
}

/// Every error as `line:column what`.
fn errors(text: &str) -> Vec<String> {
    Config::read(text, &HOSTS).unwrap_err().iter().map(ToString::to_string).collect()
}

const WHOLE: &str = "\
v: 1
off: false
wait: 5m
checks: { run: never }
limits: { wall: 8h, blocks_without_progress: 2 }
guard:
  gates:
    - run: cargo test --quiet
      timeout: 10m
      protect: [\"tests/**\"]
    - run: [sh, -c, \"a | b\", 8080]
      name: shell
    - file: CHANGELOG.md
    - content: { path: CHANGELOG.md, has: csv }
    - human: approve the plan
    - any:
        - file: a
        - all: [{ file: b }, { run: make b }]
  retry: { max: 5 }
  limits: { wall: 1h }
";

#[test]
fn a_whole_file_is_read() {
    let config = read(WHOLE);
    assert_eq!((config.off, config.checks), (false, Checks::Never));
    assert_eq!(config.wait, Some(Duration::from_mins(5)));
    assert_eq!(config.limits.wall, Some(Duration::from_hours(8)));
    assert_eq!(config.limits.blocks_without_progress, Some(2));
    let guard = config.guard.unwrap();
    assert_eq!((guard.retry, guard.limits.wall), (Some(5), Some(Duration::from_hours(1))));
    let names: Vec<_> = guard.gates.iter().map(|spec| spec.gate.name.as_str()).collect();
    let expected = [
        "cargo test --quiet",
        "shell",
        "file CHANGELOG.md",
        "content CHANGELOG.md",
        "approve the plan",
        "any of file a, all of file b, make b",
    ];
    assert_eq!(names, expected);
    let first = &guard.gates[0];
    assert_eq!(first.timeout, Some(Duration::from_mins(10)));
    assert_eq!(first.protect[0].as_str(), "tests/**");
    let argv = ["sh", "-c", "a | b", "8080"].map(str::to_owned).to_vec();
    assert_eq!(guard.gates[1].gate.check, Check::Run { argv });
    let file = |name: &str| Check::File { path: DocPath::parse(name).unwrap() };
    let make = Check::Run { argv: vec!["make".to_owned(), "b".to_owned()] };
    let all = Check::All { of: vec![file("b"), make] };
    assert_eq!(guard.gates[5].gate.check, Check::Any { of: vec![file("a"), all] });
}

#[test]
fn what_a_run_needs_is_read() {
    let text = "\
budget: {usd: 12.50, tokens: 2000000, wall: 3h}
worktree:
  setup: [npm ci, [sh, -c, \"a | b\"]]
  copy: [.env, node_modules/]
  env: {PORT: 8080, B_2: x y}
notify: {command: [notify-send, sprag]}
";
    let config = read(text);
    let wall = Some(Duration::from_hours(3));
    let budget = Budget { micro_usd: Some(12_500_000), tokens: Some(2_000_000), wall };
    assert_eq!(config.budget, budget);
    assert_eq!(config.worktree.setup, [vec!["npm", "ci"], vec!["sh", "-c", "a | b"]]);
    let copy: Vec<_> = config.worktree.copy.iter().map(Glob::as_str).collect();
    assert_eq!(copy, [".env", "node_modules/**"]);
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(config.worktree.env, [pair("PORT", "8080"), pair("B_2", "x y")]);
    assert_eq!(config.notify.command.unwrap(), ["notify-send", "sprag"]);
    let text = "\
budget: {usd: free, tokens: 0, wall: 5}
worktree: {setup: [a | b, {}], copy: [../x], env: {1A: x, GIT_DIR: x, SPRAG_RUN: x, A: []}}
notify: {command: ''}
";
    let expected = [
        "1:15: expected an amount of US dollars",
        "1:29: without a token nothing can be done",
        "1:38: expected a length of time",
        "2:20: `|` needs a shell, and there is none",
        "2:27: expected a string, found a map",
        "2:39: `../x` is not a pattern: it must be relative, without `.`, `..` and empty names",
        "2:56: `1A` is no name of a variable",
        "2:68: `GIT_DIR` is not the project's to set",
        "2:82: `SPRAG_RUN` is not the project's to set",
        "2:88: expected a string, found a list",
        "3:19: there is no command",
    ];
    assert_eq!(errors(text), expected);
}

#[test]
fn everything_is_optional() {
    for text in ["", "# nothing\n", "v: 1\n", "guard:\n", "{}"] {
        let config = read(text);
        assert_eq!(config, Config::default(), "{text:?}");
    }
    assert_eq!(read("guard: {}\n").guard, Some(GuardConfig::default()));
}

#[test]
fn every_error_of_the_file_is_told_with_its_place() {
    let text = "\
v: 2
off: 1
wait: soon
checks: { run: always }
guard:
  gates:
    - run: a | b
    - file: ../x
    - content: { path: a }
    - human: ''
    - {}
    - { run: a, file: b }
    - { run: a, timeout: 0s, protect: [/etc] }
    - any: []
    - just text
  retry: { max: -1 }
limits: []
";
    let keys = keys::CHECK.join(", ");
    let (empty, two) = (
        format!("11:7: a gate has exactly one of {keys}"),
        format!("12:7: a gate has exactly one of {keys}"),
    );
    let expected = [
        "1:4: version 2, and this sprag knows 1",
        "2:6: expected a boolean, found a number",
        "3:7: expected a length of time",
        "4:16: `always` is none of ask, allow, never",
        "7:12: `|` needs a shell, and there is none",
        "8:13: `../x` is not a path inside the project: `.` and `..` are not allowed",
        "9:16: `guard.gates[2].content.has` is missing",
        "10:14: it is empty",
        &empty,
        &two,
        "13:26: expected a length of time",
        "13:40: `/etc` is not a pattern: it must be relative, without `.`, `..` and empty names",
        "14:12: there is nothing in this list",
        "15:7: expected a map, found a string",
        "16:17: expected a whole number from 0 up, found `-1`",
        "17:9: expected a map, found a list",
    ];
    assert_eq!(errors(text), expected);
    let shell = &Config::read("guard: {gates: [{run: a | b}]}", &HOSTS).unwrap_err()[0];
    let help = "write `run: [sh, -c, \"a | b\"]` to use a shell";
    assert_eq!(shell.help.as_deref(), Some(help));
}

#[test]
fn unknown_keys_are_noted_and_nothing_else_is() {
    let text = "guard: {gats: [], retry: {min: 1}}\nlimits: {wal: 1h}\nx: 1\nhosts: {}\n";
    let (_, notes) = Config::read(text, &HOSTS).unwrap();
    let mut notes: Vec<_> = notes.iter().map(ToString::to_string).collect();
    notes.sort();
    let expected = [
        "1:27: unknown key `guard.retry.min`",
        "1:9: unknown key `guard.gats`",
        "2:10: unknown key `limits.wal`",
        "3:1: unknown key `x`",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn what_agents_may_change_is_read() {
    let config = read("tests: name\nguard: {may_change: [tests, spec/, \"**/*.snap\"]}\n");
    assert_eq!(config.tests, OnTests::Name);
    let may: Vec<_> =
        config.guard.iter().flat_map(|guard| &guard.may_change).map(MayChange::as_str).collect();
    assert_eq!(may, ["tests", "spec/**", "**/*.snap"]);
    let config = read("tests: doubt\nguard: {gates: []}\n");
    assert_eq!((config.tests, config.guard.unwrap().may_change), (OnTests::Doubt, vec![]));
    let text = "\
tests: ignore
guard:
  may_change: [/etc, 5, tests]
";
    let expected = [
        "1:8: `ignore` is none of doubt, name",
        "3:16: `/etc` is not a pattern: it must be relative, without `.`, `..` and empty names",
        "3:22: expected a string, found a number",
    ];
    assert_eq!(errors(text), expected);
    assert_eq!(errors("guard: {may_change: tests}"), ["1:21: expected a list, found a string"]);
}

#[test]
fn gates_have_names_of_their_own() {
    let config = read("guard: {gates: [{run: a}, {run: a}, {run: a}]}");
    let names: Vec<_> =
        config.guard.unwrap().gates.iter().map(|spec| spec.gate.name.to_string()).collect();
    assert_eq!(names, ["a", "a (2)", "a (3)"]);
    let twice = "guard: {gates: [{run: a, name: x}, {run: b, name: x}]}";
    assert_eq!(errors(twice), ["1:36: two gates are called `x`"]);
}

#[test]
fn hostile_nesting_ends() {
    let deep =
        format!("guard: {{gates: [{}{{file: a}}{}]}}", "{all: [".repeat(20), "]}".repeat(20));
    assert_eq!(errors(&deep).len(), 1);
    let long = format!("guard: {{gates: [{{run: [{}]}}]}}", "x, ".repeat(20_000));
    assert_eq!(errors(&long), ["1:23: the command has 40000 bytes, the limit is 32768"]);
    assert!(errors("[").len() == 1 && errors("- a\n").len() == 1);
}

#[test]
fn each_host_has_words_and_variables_of_the_person_s() {
    let config = read(
        "hosts:\n  claude: { argv: [--model, opus], env: { MAX_THINKING_TOKENS: 8000, X: \"\" } }\n  \
         codex: { argv: \"-m 'gpt 5'\" }\n  pi:\n",
    );
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let env = [("MAX_THINKING_TOKENS", "8000"), ("X", "")];
    let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let claude = HostConfig { argv: owned(&["--model", "opus"]), env };
    let codex = HostConfig { argv: owned(&["-m", "gpt 5"]), env: Vec::new() };
    let named = |name: &str, host| (name.to_owned(), host);
    let expected =
        [named("claude", claude), named("codex", codex), named("pi", HostConfig::default())];
    assert_eq!(config.hosts, expected);
}

#[test]
fn what_is_wrong_with_a_host_is_told_with_its_place() {
    let text = "hosts:\n  claude: { argv: a | b, env: { \"A B\": 1, SPRAG_RUN: x, OK: [] } }\n  codex: []\n  gemini: { argv: [] }\n";
    let expected = [
        "2:19: `|` needs a shell, and there is none",
        "2:40: `A B` is not the name of a variable",
        "2:54: `SPRAG_RUN` belongs to sprag, which sets it itself",
        "2:61: expected a string, found a list",
        "3:10: expected a map, found a list",
        "4:19: there is no command",
    ];
    assert_eq!(errors(text), expected);
    let (config, notes) = Config::read("hosts: { cluade: {}, pi: { arg: x } }", &HOSTS).unwrap();
    let notes: Vec<_> = notes.iter().map(ToString::to_string).collect();
    assert_eq!((config.hosts.len(), notes.len()), (1, 2), "{notes:?}");
}
