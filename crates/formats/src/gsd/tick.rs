//! Ticks the box of a task in a plan, or of a slice in a roadmap.

use sprag_core::Splice;

use super::item::item;
use super::line::{MarkdownLine, lines};
use super::scan::own_slice_id;

/// The error that there is no box to tick.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` has no box in this document", id.escape_debug())]
pub struct NoBox {
    id: String,
}

const OPEN: &str = "⬜";
const DONE: &str = "✅";

/// Returns the splices that tick or clear a box; none if it already has that state.
pub fn tick(text: &str, id: &str, done: bool) -> Result<Vec<Splice>, NoBox> {
    let all = lines(text, 0);
    let found = all.iter().filter(|line| !line.fenced).find_map(|line| place(line, id));
    let (at, mark) = found.ok_or_else(|| NoBox { id: id.to_owned() })?;
    let (is_done, wanted) = match mark {
        " " | "x" | "X" => (mark != " ", if done { "x" } else { " " }),
        _ => (mark == DONE, if done { DONE } else { OPEN }),
    };
    if is_done == done {
        return Ok(Vec::new());
    }
    Ok(vec![Splice { range: at..at + mark.len(), text: wanted.to_owned() }])
}

/// Returns the position and content of this id's box in a line.
fn place<'t>(line: &MarkdownLine<'t>, id: &str) -> Option<(usize, &'t str)> {
    if let Some(item) = item(line.text).filter(|item| item.id == id) {
        return Some((line.at + item.mark, &line.text[item.mark..=item.mark]));
    }
    if !line.text.contains('|') || own_slice_id(line.text) != Some(id) {
        return None;
    }
    let boxes = ["[ ]", "[x]", "[X]"].iter().filter_map(|mark| line.text.find(mark)).min();
    if let Some(at) = boxes {
        return Some((line.at + at + 1, &line.text[at + 1..at + 2]));
    }
    let sign = |sign: &&str| line.text.rfind(*sign).map(|at| (at, sign.len()));
    let (at, length) = [OPEN, DONE].iter().find_map(sign)?;
    Some((line.at + at, &line.text[at..at + length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticked(text: &str, id: &str, done: bool) -> String {
        sprag_core::apply(text, &tick(text, id, done).unwrap()).unwrap()
    }

    #[test]
    fn one_byte_changes_and_no_other() {
        let text = "# S01\r\n\r\n- [ ] **T01: a** `est:1h`\r\n- [x] **T02: b**\r\n";
        let once = ticked(text, "T01", true);
        assert_eq!(once, text.replace("[ ]", "[x]"));
        assert_eq!(ticked(&once, "T01", true), once);
        assert_eq!(ticked(&once, "T01", false), text);
        assert!(tick(text, "T03", true).is_err());
        assert!(tick("```\n- [ ] **T01: a**\n```\n", "T01", true).is_err(), "code has no boxes");
    }

    #[test]
    fn a_table_is_ticked_where_its_sign_is() {
        let text = "| ID | Done |\n|--|--|\n| S01 | ⬜ |\n| S02 | [ ] |\n";
        assert_eq!(ticked(text, "S01", true), text.replace('⬜', "✅"));
        assert_eq!(ticked(text, "S02", true), text.replace("[ ]", "[x]"));
    }
}
