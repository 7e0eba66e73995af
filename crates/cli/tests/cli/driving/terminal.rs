//! `sprag run` on a terminal (of `script`, from util-linux): the live block, its keys, questions.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Child, Stdio};

use super::World;
use super::face::hear;

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

impl World {
    /// Starts sprag on a terminal; text written to the child is typed there.
    pub(super) fn on_terminal(&self, words: &[&str]) -> Child {
        self.on_terminal_of("xterm", 80, words)
    }

    /// Starts sprag on a terminal of this kind and width.
    fn on_terminal_of(&self, kind: &str, columns: usize, words: &[&str]) -> Child {
        let inner = self.command(words);
        let quoted = |word: &std::ffi::OsStr| format!("'{}'", word.to_str().unwrap());
        let words: Vec<String> =
            std::iter::once(inner.get_program()).chain(inner.get_args()).map(quoted).collect();
        let line = format!("stty cols {columns} rows 24; exec {}", words.join(" "));
        let mut command = self.env.command("script");
        command.env("TERM", kind).env("SHELL", "/bin/sh");
        command.args(["-qefc", &line, "/dev/null"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().unwrap()
    }
}

/// Returns the rest of the output.
pub(super) fn rest(from: &mut impl std::io::Read) -> String {
    let mut rest = Vec::new();
    from.read_to_end(&mut rest).unwrap();
    String::from_utf8_lossy(&rest).into_owned()
}

#[test]
fn the_block_is_drawn_below_what_happened_and_taken_away_at_the_end() {
    let world = World::new(
        "printf 'Edit src/a.rs \\033[2J\\n'; until [ -f ../go ]; do sleep 0.01; done; \
         echo good > code.txt; echo done",
    );
    let mut child = world.on_terminal(&TASK);
    let mut out = child.stdout.take().unwrap();
    let heard = hear(&mut out, "Edit src/a.rs");
    assert!(heard.contains("first try"), "{heard}");
    let mut typed = child.stdin.take().unwrap();
    typed.write_all(b"t").unwrap();
    let heard = heard + &hear(&mut out, "Status");
    world.env.write("../go", "");
    let rest = rest(&mut out);
    assert_eq!(child.wait().unwrap().code(), Some(0), "{rest}");
    let whole = heard + &rest;
    assert!(whole.contains("t status · p pause") && whole.contains("\u{1b}[J"), "{whole}");
    assert!(!whole.contains("\u{1b}[2J"), "an agent moves nothing: {whole}");
    let (_, end) = whole.rsplit_once("t status · p pause").unwrap();
    let (cleared, _) = end.split_once("Summary").unwrap();
    // The cursor moves up to the start of the block, and at the end everything below is cleared;
    // events in between may be written in its place.
    let up = (1..9).filter_map(|rows| cleared.find(&format!("\u{1b}[{rows}A"))).min();
    let gone = cleared.rfind("\u{1b}[J");
    assert!(up.is_some() && up < gone, "the block is gone: {}", end.escape_debug());
}

#[test]
fn an_agent_that_has_said_nothing_yet_is_not_said_to_start() {
    let world = World::new("until [ -f ../go ]; do sleep 0.01; done; echo good > code.txt");
    let mut child = world.on_terminal(&TASK);
    let mut out = child.stdout.take().unwrap();
    world.env.wait_until("the agent works", || world.turns() == 1);
    let heard = hear(&mut out, "no word yet");
    assert!(!heard.contains("starts"), "{heard}");
    world.env.write("../go", "");
    let rest = rest(&mut out);
    assert_eq!(child.wait().unwrap().code(), Some(0), "{rest}");
}

#[test]
fn the_key_p_pauses_as_a_signal_does() {
    let world = World::new("echo here; until [ -f ../go ]; do sleep 0.01; done");
    let mut child = world.on_terminal(&TASK);
    let mut out = child.stdout.take().unwrap();
    hear(&mut out, "here");
    let mut typed = child.stdin.take().unwrap();
    typed.write_all(b"p").unwrap();
    let rest = rest(&mut out);
    assert_eq!(child.wait().unwrap().code(), Some(3), "{rest}");
    assert!(rest.contains("sprag resume r-"), "{rest}");
    world.nobody_is_left();
}

/// Installs a `claude` whose first turn meets a usage limit of `seconds`.
fn limited(seconds: u32) -> World {
    let mut world = World::new("exit 1");
    let bin = world.env.top().join("bin");
    let script = format!(
        "#!/bin/sh\ncat > /dev/null\necho '{{\"type\":\"system\",\"session_id\":\"s\"}}'\n\
         if mkdir {top}/limit 2> /dev/null; then\n\
         echo '{{\"type\":\"rate_limit_event\",\"rate_limit_info\":{{\"status\":\"rejected\",\
         \"resetsAt\":'$(($(date +%s) + {seconds}))',\"rateLimitType\":\"five_hour\"}}}}'; exit 1\n\
         fi\necho good > code.txt\necho '{{\"type\":\"result\",\"subtype\":\"success\",\
         \"result\":\"ok\",\"session_id\":\"s\"}}'\n",
        top = world.env.top().display()
    );
    world.env.write("../bin/claude", script);
    let claude = bin.join("claude");
    std::fs::set_permissions(&claude, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    world.env.set("PATH", &format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display()));
    world
}

#[test]
fn a_usage_limit_is_counted_down_also_on_a_narrow_terminal() {
    for columns in [80, 40] {
        let world = limited(4);
        let words = [&TASK[..], &["--host", "claude"]].concat();
        let mut child = world.on_terminal_of("xterm", columns, &words);
        let (mut out, mut typed) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let mut said = hear(&mut out, "in 00:00:0");
        typed.write_all(b"t").unwrap();
        said += &hear(&mut out, "Status");
        said += &rest(&mut out);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
        assert!(!said.contains("\\u{1b}"), "colours are not shown as text: {said}");
        assert!(!said.contains("exit 1"), "a limit is no failure: {said}");
        let clocks = said.split("in 00:00:").skip(1).filter_map(|at| at.get(..2));
        let counted: BTreeSet<_> = clocks.filter_map(|at| at.parse::<u8>().ok()).collect();
        assert!(counted.len() > 1, "it counts down: {said}");
        let block = |line: &&str| line.contains("limited");
        let widest = said.lines().filter(block).map(seen_columns).max();
        assert!(widest.is_some_and(|widest| widest <= columns), "{widest:?}: {said}");
    }
}

#[test]
fn a_long_command_is_cut_before_its_verdict() {
    let world = World::new("echo good > code.txt");
    let long = "sh test.sh --workspace --no-fail-fast --quiet --and --many --more --words";
    let mut child = world.on_terminal(&["run", "Make it good", "--until", long]);
    let said = rest(&mut child.stdout.take().unwrap());
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    // Remains of the block may precede it.
    let verb = |line: &str| line.find("Gate").map(|at| line[at..].to_owned());
    let gate = said.lines().find_map(verb).unwrap();
    assert!(gate.contains("sh test.sh") && gate.contains("… PASS"), "{gate}");
    assert!(gate.contains("tree ") && seen_columns(&gate) <= 80 - 8, "{gate}");
}

#[test]
fn a_person_s_word_is_heard_before_a_usage_limit_is_over() {
    let heard = |words: &[&str], exit| {
        let world = limited(3600);
        let mut child = world.on_terminal(&[&TASK[..], &["--host", "claude"]].concat());
        let mut out = child.stdout.take().unwrap();
        let said = hear(&mut out, "in 00:59:");
        assert_eq!(world.sprag(words).exit, Some(0), "{words:?}");
        let said = said + &rest(&mut out);
        assert_eq!(child.wait().unwrap().code(), Some(exit), "{words:?}: {said}");
    };
    // Each one polls only after a while.
    std::thread::scope(|scope| {
        scope.spawn(|| heard(&["pause"], 3));
        heard(&["approve", "sh test.sh", "--waive", "not now"], 0);
    });
}

/// Returns how many columns a line takes without its escape sequences.
fn seen_columns(line: &str) -> usize {
    let mut pieces = line.split('\u{1b}');
    let first = pieces.next().map_or(0, |text| text.trim_matches('\r').chars().count());
    let after = |piece: &str| {
        piece
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or(0, |end| piece[end + 1..].trim_matches('\r').chars().count())
    };
    first + pieces.map(after).sum::<usize>()
}

#[test]
fn a_dumb_terminal_gets_plain_lines_and_no_color_means_none() {
    let agent = "echo good > code.txt; echo done";
    let world = World::new(agent);
    let mut child = world.on_terminal_of("dumb", 80, &TASK);
    let said = rest(&mut child.stdout.take().unwrap());
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    assert!(!said.contains('\u{1b}') && said.contains("Proven"), "{said}");

    let mut world = World::new(agent);
    world.env.set("NO_COLOR", "1");
    let mut child = world.on_terminal(&TASK);
    let said = rest(&mut child.stdout.take().unwrap());
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    assert!(said.contains("\u{1b}[K"), "the block is still drawn: {said}");
    let coloured = said.split("\u{1b}[").skip(1).any(|piece| {
        piece.find(|c: char| c.is_ascii_alphabetic()).is_some_and(|at| piece[at..].starts_with('m'))
    });
    assert!(!coloured, "{said}");
}

#[test]
fn after_ctrl_z_the_block_is_drawn_below_and_its_keys_are_heard_again() {
    let world = World::new(
        "echo here; until [ -f ../go ]; do sleep 0.01; done; echo good > code.txt; echo done",
    );
    let mut child = world.on_terminal(&TASK);
    let (mut out, mut typed) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    hear(&mut out, "here");
    let of = child.id();
    let inner = std::fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap();
    let inner: u32 = inner.split_whitespace().next().unwrap().parse().unwrap();
    // What a shell does with the terminal while sprag is stopped.
    let terminal = std::fs::read_link(format!("/proc/{inner}/fd/0")).unwrap();
    let mut stty = world.env.command("stty");
    stty.arg("-F").arg(&terminal).args(["icanon", "echo"]);
    assert!(stty.status().unwrap().success());
    world.signal("CONT", inner);
    typed.write_all(b"t").unwrap();
    let said = hear(&mut out, "Status");
    // The old block stays, and the next one begins on a line of its own.
    assert!(said.contains("pause\r\n") || said.contains("\n\r"), "{}", said.escape_debug());
    world.env.write("../go", "");
    let said = rest(&mut out);
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
}

#[test]
fn a_command_is_never_broken_in_two() {
    let world = World::new("echo good > code.txt; echo done");
    let words = [&TASK[..], &["--agents", "2"]].concat();
    let mut child = world.on_terminal_of("xterm", 60, &words);
    let said = rest(&mut child.stdout.take().unwrap());
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    let command = format!("git merge sprag/{}", world.run());
    assert!(said.lines().any(|line| line.trim_end().ends_with(&command)), "{said}");
}
