//! The registration of `sprag mcp` in a file of TOML: one table at its end.
//!
//! A table can always be put behind a text of TOML, unless the same name was defined before. So the
//! text is not read, only searched for that name; where it might be there in other words, nothing
//! is written, because Codex does not start with a file that defines a name twice.

use super::entry::{Wanted, is_sprag};
use super::refused::Refused;

const HEAD: &str = "[mcp_servers.sprag]";
const ARGS: &str = "args = [\"mcp\"]";

/// Registers it; returns the new text, and nothing where somebody registered it in their own words.
pub(super) fn add(text: &str, wanted: &Wanted<'_>) -> Result<Option<String>, Refused> {
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

/// Takes it out, with the empty line before it; nothing where it is not there.
pub(super) fn remove(text: &str) -> Option<String> {
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

/// Returns where our table stands: exactly its three lines, and nothing more in it.
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

/// Returns a line without what may be left out of it, or put in.
fn bare(line: &str) -> String {
    line.replace(['"', '\'', ' ', '\t'], "")
}

/// Returns whether a text could define our name otherwise than by a table of its own.
fn might_have_it(text: &str) -> bool {
    text.lines().map(bare).any(|line| {
        line.starts_with("mcp_servers=")
            || line.starts_with("mcp_servers.sprag")
            || line.starts_with("[mcp_servers]")
            || line.starts_with("[mcp_servers.sprag.")
            || line.starts_with("[[mcp_servers")
    })
}
