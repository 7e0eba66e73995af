use sprag_core::gsd::{Quirk, QuirkReader};

use super::names::milestone_order;
use crate::document::{Document, Format};

/// Reads `QUEUE-ORDER.json`. Returns `None` if it contains no order.
pub(super) fn order(text: &str) -> Option<Vec<String>> {
    let document = Document::parse(Format::Json, text).ok()?;
    let items = document.get(&["order"])?.items().ok()?;
    Some(items.iter().filter_map(|item| item.as_str().ok().map(str::to_owned)).collect())
}

/// Sorts ids: those in the queue first, the others by their number.
pub(super) fn sorted(
    mut ids: Vec<String>,
    queue: Option<&[String]>,
    reader: &mut QuirkReader<usize>,
) -> Vec<String> {
    ids.sort_by_key(|id| milestone_order(id));
    let Some(queue) = queue else {
        let twice = ids.windows(2).any(|pair| pair[0] == pair[1]);
        if twice && reader.mends(Quirk::SameId, 0) {
            ids.dedup();
        }
        return ids;
    };
    let mut sorted: Vec<String> = Vec::new();
    for id in queue.iter().filter(|id| ids.contains(id)).chain(&ids) {
        if !sorted.contains(id) {
            sorted.push(id.clone());
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use sprag_core::gsd::Reading;

    use super::*;

    #[test]
    fn the_queue_comes_first() {
        let ids = || ["M003", "M001", "M002", "M001"].map(str::to_owned).to_vec();
        let queue = order(r#"{"order": ["M002", "M009", 4, "M002"]}"#).unwrap();
        let mut reader = QuirkReader::new(Reading::Ours);
        assert_eq!(sorted(ids(), Some(&queue), &mut reader), ["M002", "M001", "M003"]);
        assert_eq!(sorted(ids(), None, &mut reader), ["M001", "M002", "M003"]);
        let theirs = sorted(ids(), None, &mut QuirkReader::new(Reading::Original));
        assert_eq!(theirs, ["M001", "M001", "M002", "M003"]);
        assert_eq!((order("{"), order("[]"), order(r#"{"order": 1}"#)), (None, None, None));
    }
}
