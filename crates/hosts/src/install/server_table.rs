//! The registration of `sprag mcp` in a TOML file: one table at its end.
//!
//! A table can always be appended to a TOML text, unless its name is already defined. So the text
//! is not parsed, only searched for that name. If the name might be defined in another form,
//! nothing is written, because Codex does not start if a file defines a name twice.

use super::entry::{Wanted, is_sprag};
use super::refused::Refused;

const HEAD: &str = "[mcp_servers.sprag]";
const ARGS: &str = "args = [\"mcp\"]";

/// Registers it and returns the new text. Returns `None` if a person has registered it by hand.
pub(crate) fn add(text: &str, wanted: &Wanted<'_>) -> Result<Option<String>, Refused> {
    let table = table(wanted.named());
    if let Some(range) = ours(text) {
        return Ok(Some(format!("{}{table}{}", &text[..range.start], &text[range.end..])));
    }
    if text.lines().any(|line| bare(line).starts_with(HEAD)) {
        return Ok(None);
    }
    if might_have_it(text) {
        let why = "it speaks of `mcp_servers` in a way that sprag does not edit: add \
                   [mcp_servers.sprag] with command and args yourself";
        return Err(Refused::new(why));
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = match text {
        "" => "",
        _ if text.ends_with('\n') => end,
        _ => return Ok(Some(format!("{text}{end}{end}{table}"))),
    };
    Ok(Some(format!("{text}{gap}{table}")))
}

/// Removes it, with the empty line before it. Returns `None` if it is not there.
pub(crate) fn remove(text: &str) -> Option<String> {
    let range = ours(text)?;
    let before = &text[..range.start];
    let before = ["\r\n\r\n", "\n\n"].iter().find_map(|gap| {
        let end = gap.len() / 2;
        before.ends_with(gap).then(|| &before[..before.len() - end])
    });
    let before = before.unwrap_or(&text[..range.start]);
    Some(format!("{before}{}", &text[range.end..]))
}

fn table(program: &str) -> String {
    let program = program.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{HEAD}\ncommand = \"{program}\"\n{ARGS}\n")
}

/// Returns the range of our table: exactly its three lines, with nothing more in it.
fn ours(text: &str) -> Option<std::ops::Range<usize>> {
    let start = text.match_indices(HEAD).map(|(at, _)| at).find(|at| {
        let begins = *at == 0 || text[..*at].ends_with('\n');
        begins && text[*at + HEAD.len()..].starts_with('\n')
    })?;
    let mut lines = text[start..].split_inclusive('\n').skip(1);
    let command = lines.next()?.strip_prefix("command = \"")?.strip_suffix("\"\n")?;
    let plain = is_sprag(command) && lines.next()?.strip_suffix('\n')? == ARGS;
    let length = table("").len() + command.len();
    let rest = text.get(start + length..)?;
    let ends = rest.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let more = ends.is_some_and(|line| !line.starts_with('['));
    (plain && !more).then_some(start..start + length)
}

/// Returns a line without quotes and blanks, which TOML allows in several places.
fn bare(line: &str) -> String {
    line.replace(['"', '\'', ' ', '\t'], "")
}

/// Returns whether a text could define our name in another form than its own table.
fn might_have_it(text: &str) -> bool {
    text.lines().map(bare).any(|line| {
        line.starts_with("mcp_servers=")
            || line.starts_with("mcp_servers.sprag")
            || line.starts_with("[mcp_servers]")
            || line.starts_with("[mcp_servers.sprag.")
            || line.starts_with("[[mcp_servers")
    })
}
