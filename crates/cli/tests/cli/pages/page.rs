//! Finds the commands of a page with their expected output.

/// A command and its expected output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The line number in the page.
    pub(crate) line: usize,
    pub(crate) command: String,
    pub(crate) said: Vec<String>,
}

enum Fence {
    /// Commands with their output.
    Console,
    Script,
    Other,
}

/// Returns the commands of all blocks, in order.
pub(crate) fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut fence = None;
    for (line, text) in (1..).zip(page.lines()) {
        let said = Vec::new();
        match (&fence, text) {
            (Some(_), "```") => fence = None,
            (None, "```console") => fence = Some(Fence::Console),
            (None, "```sh") => {
                fence = Some(Fence::Script);
                steps.push(Step { line, command: String::new(), said });
            }
            (None, _) if text.starts_with("```") => fence = Some(Fence::Other),
            (None | Some(Fence::Other), _) => {}
            (Some(Fence::Script), _) => {
                steps.last_mut().unwrap().command.extend([text, "\n"]);
            }
            (Some(Fence::Console), _) => match (text.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => {
                    steps.push(Step { line, command: command.to_owned(), said });
                }
                (None, Some(last)) => last.said.push(text.trim_end().to_owned()),
                (None, None) => panic!("line {line}: a block begins with a command"),
            },
        }
    }
    assert!(fence.is_none(), "a block never ends");
    for step in &mut steps {
        while step.said.last().is_some_and(String::is_empty) {
            step.said.pop();
        }
    }
    steps
}

/// The characters of ids.
const LETTERS: &str = "0123456789abcdefghjkmnpqrstvwxyz";

/// Returns the distinct ids of runs in a text, in order.
pub(super) fn runs(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
        let at = word.match_indices("r-").map(|(at, _)| at);
        // The id may be part of `sprag/r-7k2m-t1`, or of the name of a folder beside the project.
        let starts = at.filter(|at| *at == 0 || word.as_bytes()[at - 1] == b'-');
        for at in starts {
            let id = word[at + 2..].split('-').next().unwrap_or_default();
            let is_id = (4..=8).contains(&id.len()) && id.chars().all(|c| LETTERS.contains(c));
            let whole = &word[at..at + 2 + id.len()];
            if is_id && !found.contains(&whole) {
                found.push(whole);
            }
        }
    }
    found
}

#[test]
fn a_page_has_commands_scripts_and_what_is_said() {
    let page = "# A\n```yaml\n$ no\n```\n```sh\nmkdir a\ncd a\n```\n\n```console\n$ ls\n\n b\n\n$ pwd\n```\n";
    let step = |line, command: &str, said: &[&str]| Step {
        line,
        command: command.to_owned(),
        said: said.iter().map(|&said| said.to_owned()).collect(),
    };
    let all = [step(5, "mkdir a\ncd a\n", &[]), step(11, "ls", &["", " b"]), step(15, "pwd", &[])];
    assert_eq!(steps(page), all);
}

#[test]
fn ids_of_runs_are_found_wherever_they_stand() {
    let text = "r-7k2m sprag/r-9p0q-t1 ../shop-r-7k2m for-each r-zero r-7k2mxxxxxxx";
    assert_eq!(runs(text), ["r-7k2m", "r-9p0q"]);
}
