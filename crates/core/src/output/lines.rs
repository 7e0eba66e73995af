//! Turns the bytes of an output into the lines that a person would see in a terminal.

/// Usage texts and errors of the configuration are at the start.
const HEAD: usize = 64 * 1024;
/// Results are at the end.
const TAIL: usize = 512 * 1024;
/// Characters of one line.
const WIDTH: usize = 2000;
/// A rule of fewer characters may be part of a text.
const RULE: usize = 4;

/// Returns the lines of the first 64 KB and the last 512 KB. Nothing else is looked at, so the work
/// does not grow with the output.
pub(super) fn lines(output: &[u8]) -> Vec<String> {
    let (head, tail) = window(output);
    let mut lines = seen(head);
    lines.extend(seen(tail));
    lines
}

/// Returns the parts of the output that are read; the second is empty for a short output.
pub(super) fn window(output: &[u8]) -> (&[u8], &[u8]) {
    if output.len() <= HEAD + TAIL {
        return (output, &[]);
    }
    let (head, rest) = output.split_at(HEAD);
    (head, &rest[rest.len() - TAIL..])
}

fn seen(bytes: &[u8]) -> Vec<String> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    text.split('\n').map(shown).collect()
}

/// Returns a line as a terminal shows it at the end: without colours, and after everything that
/// was written over.
fn shown(raw: &str) -> String {
    let (mut line, mut before) = (String::new(), String::new());
    let mut rest = raw.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '\r' => restart(&mut line, &mut before),
            '\u{8}' => drop(line.pop()),
            '\u{1b}' => {
                if escape(&mut rest) {
                    restart(&mut line, &mut before);
                }
            }
            '\t' => line.push('\t'),
            _ if letter.is_control() => {}
            _ => line.push(letter),
        }
    }
    if line.trim().is_empty() {
        line = before;
    }
    cut(&line)
}

/// Begins the line again. Keeps what it showed, in case nothing follows.
fn restart(line: &mut String, before: &mut String) {
    if !line.trim().is_empty() {
        *before = std::mem::take(line);
    }
    line.clear();
}

/// Skips an escape sequence. Returns whether it moves to the start of the line.
fn escape(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    match rest.next() {
        Some('[') => {
            let mut parameters = String::new();
            for letter in rest.by_ref() {
                if ('@'..='~').contains(&letter) {
                    return letter == 'G' && matches!(parameters.as_str(), "" | "0" | "1");
                }
                parameters.push(letter);
            }
        }
        // An operating system command, such as a link, ends with BEL or `ESC \`.
        Some(']') => {
            while let Some(letter) = rest.next() {
                if letter == '\u{7}' || letter == '\u{1b}' && rest.next().is_some() {
                    break;
                }
            }
        }
        // A choice of a character set has one more letter.
        Some('(' | ')' | '#') => drop(rest.next()),
        _ => {}
    }
    false
}

/// Removes a rule and blanks at the end, and what is beyond the greatest width.
fn cut(line: &str) -> String {
    let end = line.char_indices().nth(WIDTH).map_or(line.len(), |(at, _)| at);
    let line = line[..end].trim_end();
    let bare = line.trim_end_matches(['─', '━', '═', '⎯', '―']);
    let rule = line[bare.len()..].chars().count();
    if rule >= RULE { bare.trim_end().to_owned() } else { line.to_owned() }
}
