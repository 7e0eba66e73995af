//! Finds the commands that a program in Python, JavaScript or Ruby starts, as far as they are
//! literals.

/// Functions that start a process.
const CALLS: [&str; 22] = [
    "run",
    "call",
    "check_call",
    "check_output",
    "Popen",
    "system",
    "popen",
    "exec",
    "execSync",
    "execFile",
    "execFileSync",
    "spawn",
    "spawnSync",
    "execa",
    "execaSync",
    "execaCommand",
    "sh",
    "shell",
    "passthru",
    "shell_exec",
    "getoutput",
    "capture",
];

/// The most calls collected from one text.
const MOST: usize = 200;

/// The longest argument list, in bytes.
const LONGEST: usize = 4000;

/// Returns the words of each call; a single word is a shell line.
pub(super) fn process_calls(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('(') {
        let before = &text[..open];
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let start = before
            .rfind(|c| !is_part(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        if !CALLS.contains(&&before[start..]) {
            continue;
        }
        let words = literals(&text[open + 1..]);
        if !words.is_empty() {
            found.push(words);
        }
        if found.len() >= MOST {
            break;
        }
    }
    found
}

/// Returns the strings up to the closing bracket. `sys.executable` counts as a word.
fn literals(rest: &str) -> Vec<String> {
    let (mut words, mut depth) = (Vec::new(), 1_usize);
    let mut at = 0;
    while let Some(c) = rest[at..].chars().next().filter(|_| at < LONGEST && words.len() < 100) {
        let here = &rest[at..];
        let length = match c {
            '"' | '\'' | '`' => {
                let Some(end) = here[1..].find([c, '\n']).map(|end| end + 1) else { break };
                // Option names and their values are not words of the command.
                let is_option = rest[..at].trim_end().ends_with(['=', ':']);
                if !is_option {
                    words.push(here[1..end].to_owned());
                }
                end + 1
            }
            '{' if depth == 1 => break,
            '(' | '[' | '{' => {
                depth += 1;
                1
            }
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
                1
            }
            _ if here.starts_with("sys.executable") => {
                words.push("python".to_owned());
                "sys.executable".len()
            }
            _ if here.starts_with("process.execPath") => {
                words.push("node".to_owned());
                "process.execPath".len()
            }
            c => c.len_utf8(),
        };
        at += length;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_with_their_words() {
        let text = "x(\"no\")\nsubprocess.run([sys.executable, '-m', 'pytest'], cwd='a')\n\
                    os.system(\"sh inner.sh\")\nspawnSync('sh', ['x.sh'], { stdio: 'inherit' })\n";
        let expected: Vec<Vec<&str>> =
            vec![vec!["python", "-m", "pytest"], vec!["sh inner.sh"], vec!["sh", "x.sh"]];
        assert_eq!(process_calls(text), expected);
    }

    #[test]
    fn any_text_has_an_answer() {
        for text in ["run(", "run(\"", "run('é", "é(run(é", "run(`a\nb`)"] {
            process_calls(text);
        }
        assert!(process_calls(&"run('a')".repeat(1000)).len() <= MOST);
    }
}
