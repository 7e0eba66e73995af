use super::super::lines::{Text, has_phrase, words};

/// Counts blocks that end with a keyword like brackets.
pub(super) fn count(text: &mut Text) {
    const OPENERS: [&str; 10] =
        ["def", "class", "module", "if", "unless", "while", "until", "case", "for", "begin"];
    let mut open: Vec<usize> = Vec::new();
    for (at, line) in text.lines.iter_mut().enumerate() {
        let first = words(&line.code).next().unwrap_or_default();
        let is_opener = OPENERS.contains(&first) && line.code.starts_with(first);
        let is_assigned =
            OPENERS[3..].iter().any(|word| has_phrase(&line.code, &format!("= {word}")));
        let code = line.code.trim_end();
        let before_bars = code.strip_suffix('|').and_then(|rest| rest.rsplit_once('|'));
        let head = before_bars.map_or(code, |(head, _)| head.trim_end());
        let is_loop = ["while", "until", "for"].contains(&first);
        let is_do = !is_loop && (head.ends_with(" do") || head == "do");
        let opened = usize::from(is_opener) + usize::from(is_assigned) + usize::from(is_do);
        let dot_end = [".end", ":end"].iter().any(|word| line.code.contains(word));
        let is_twice = is_opener && is_assigned;
        text.is_certain &= !dot_end && !is_twice;
        let ended = words(&line.code).filter(|word| *word == "end").count();
        let closes = ended.saturating_sub(opened);
        text.is_certain &= closes <= open.len();
        line.opener = open.last().copied().or(line.opener);
        line.depth_before += open.len();
        open.truncate(open.len().saturating_sub(closes));
        line.lowest += open.len();
        open.extend(std::iter::repeat_n(at, opened.saturating_sub(ended)));
        line.depth_after += open.len();
    }
    text.is_certain &= open.is_empty();
}
