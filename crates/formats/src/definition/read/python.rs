//! The unindented statements of a Python file.

/// A statement with its decorators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::definition) struct PythonStatement {
    /// The name that it defines: a function, a class, a variable.
    pub(in crate::definition) name: Option<String>,
    /// Its lines, without comments and empty ones.
    pub(in crate::definition) text: String,
}

/// Splits a file into its statements. Returns `None` if a string or bracket is not closed.
pub(in crate::definition) fn statements(text: &str) -> Option<Vec<PythonStatement>> {
    let mut found: Vec<PythonStatement> = Vec::new();
    let mut state = Inside::default();
    for line in text.lines() {
        let begins = state.is_outside() && !line.starts_with([' ', '\t']);
        let bare = line.trim_end();
        if state.is_outside() && (bare.is_empty() || bare.trim_start().starts_with('#')) {
            continue;
        }
        state.read(line);
        let after_decorator = found.last().is_some_and(|last| is_decorator(&last.text));
        let goes_on = ["else:", "elif ", "except", "finally:"];
        let goes_on = goes_on.iter().any(|word| bare.starts_with(word));
        match found.last_mut().filter(|_| !begins || after_decorator || goes_on) {
            Some(last) => {
                last.text.push('\n');
                last.text.push_str(bare);
                if begins && !goes_on {
                    last.name = name(bare);
                }
            }
            None => found.push(PythonStatement { name: name(bare), text: bare.to_owned() }),
        }
    }
    state.is_outside().then_some(found)
}

/// Returns whether the statement consists only of decorators, with closed brackets.
fn is_decorator(text: &str) -> bool {
    let last = text.lines().rfind(|line| !line.starts_with([' ', '\t', ')']));
    last.is_some_and(|line| line.starts_with('@'))
}

fn name(line: &str) -> Option<String> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let defined = ["def ", "class "].iter().find_map(|word| line.strip_prefix(word));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words = defined.unwrap_or(line);
    let end = words.find(|c| !is_part(c)).unwrap_or(words.len());
    let (name, rest) = words.split_at(end);
    let rest = rest.trim_start();
    let is_set = rest.starts_with([':', '=']) && !rest.starts_with("==");
    let is_grown = rest.starts_with("+=");
    (!name.is_empty() && (defined.is_some() || is_set || is_grown)).then(|| name.to_owned())
}

/// The constructs still open at the end of a line.
#[derive(Debug, Default)]
struct Inside {
    triple: Option<&'static str>,
    brackets: usize,
    continues: bool,
}

impl Inside {
    fn is_outside(&self) -> bool {
        self.triple.is_none() && self.brackets == 0 && !self.continues
    }

    fn read(&mut self, line: &str) {
        let mut rest = line;
        self.continues = false;
        while !rest.is_empty() {
            if let Some(close) = self.triple {
                let Some(end) = rest.find(close) else { return };
                rest = &rest[end + 3..];
                self.triple = None;
                continue;
            }
            let triple = ["\"\"\"", "'''"].into_iter().find(|quote| rest.starts_with(quote));
            let first = rest.chars().next().unwrap_or(' ');
            let length = match first {
                _ if triple.is_some() => {
                    self.triple = triple;
                    3
                }
                '#' => return,
                '"' | '\'' => string(rest, first),
                '(' | '[' | '{' => {
                    self.brackets += 1;
                    1
                }
                ')' | ']' | '}' => {
                    self.brackets = self.brackets.saturating_sub(1);
                    1
                }
                '\\' if rest.len() == 1 => {
                    self.continues = true;
                    1
                }
                c => c.len_utf8(),
            };
            rest = &rest[length..];
        }
    }
}

/// Returns the length of a string on one line.
fn string(rest: &str, quote: char) -> usize {
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, c)) = letters.next() {
        if c == '\\' {
            letters.next();
        } else if c == quote {
            return at + 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_have_names_and_decorators() {
        let text = "import os\n# c\n@pytest.fixture(\n    autouse=True,\n)\ndef one():\n    '''\nx\n'''\n\n    a()\n\
                    x = [\n1]\nif a:\n    b()\nelse:\n    c()\nasync def two(): pass\n";
        let found = statements(text).unwrap();
        let names: Vec<Option<&str>> = found.iter().map(|one| one.name.as_deref()).collect();
        assert_eq!(names, [None, Some("one"), Some("x"), None, Some("two")]);
        assert!(found[1].text.starts_with("@pytest") && found[1].text.ends_with("a()"));
        assert!(found[3].text.ends_with("c()"));
    }

    #[test]
    fn an_open_end_is_nothing() {
        assert_eq!(statements("x = '''\n"), None);
        assert_eq!(statements("x = (\n"), None);
        assert_eq!(statements(""), Some(vec![]));
    }
}
