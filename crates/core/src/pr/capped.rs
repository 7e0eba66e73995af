//! Limits the stored size of a pull request: a flood of text must not make the file unreadable.

use super::{Comment, Pull};
use crate::prompt::cut;

/// Maximum number of entries per list; the newest are kept.
const ENTRIES: usize = 100;
/// Maximum number of checks.
const CHECKS: usize = 300;
/// Maximum length of a text in characters; both ends are kept.
const TEXT: usize = 16_000;
/// Maximum size of all texts together in bytes; escaped in the file, it may be four times as much.
const ALL: usize = 200_000;

impl Pull {
    /// Shortens the texts, the oldest most.
    #[must_use]
    pub fn capped(mut self) -> Self {
        newest(&mut self.reviews, ENTRIES);
        newest(&mut self.threads, ENTRIES);
        newest(&mut self.comments, ENTRIES);
        newest(&mut self.historical, ENTRIES);
        newest(&mut self.checks, CHECKS);
        let mut left = ALL;
        let own = [&mut self.title, &mut self.description];
        for text in own.into_iter().flatten() {
            *text = fitting(text, &mut left);
        }
        let threads = self.threads.iter_mut().rev().map(|thread| &mut thread.first);
        let said = self.reviews.iter_mut().rev().chain(self.comments.iter_mut().rev());
        let said = said.chain(threads).chain(&mut self.minimized);
        for Comment { body, .. } in said.chain(self.historical.iter_mut().rev()) {
            *body = fitting(body, &mut left);
        }
        self
    }
}

fn newest<T>(list: &mut Vec<T>, most: usize) {
    list.drain(..list.len().saturating_sub(most));
}

/// Returns the part of a text that fits; `…` if nothing is left for it.
fn fitting(text: &str, left: &mut usize) -> String {
    let kept = cut(text, TEXT);
    let kept = if kept.len() <= *left { kept } else { "…".to_owned() };
    *left = left.saturating_sub(kept.len());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_words_keeps_what_is_newest_and_both_ends_of_a_text() {
        let said = |at: usize| Comment {
            body: format!("{at}{}end", "x".repeat(90_000)),
            ..Comment::default()
        };
        let pull = Pull { reviews: (0..500).map(said).collect(), ..Pull::default() }.capped();
        assert_eq!(pull.reviews.len(), ENTRIES);
        let last = &pull.reviews[ENTRIES - 1].body;
        assert!(last.starts_with("499x") && last.ends_with("xend") && last.len() <= TEXT + 8);
        assert_eq!(pull.reviews[0].body, "…");
        let all: usize = pull.reviews.iter().map(|review| review.body.len()).sum();
        assert!(all <= ALL + 3 * ENTRIES, "{all}");
    }

    #[test]
    fn what_is_short_stays_as_it_is() {
        let said = Comment { body: "a\nb".into(), ..Comment::default() };
        let pull = Pull { comments: vec![said], title: Some("t".into()), ..Pull::default() };
        assert_eq!(pull.clone().capped(), pull);
    }
}
