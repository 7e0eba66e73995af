//! The output of `--dry-run`: each post, then each file that would change.

use std::fmt::Write as _;

use serde_json::json;
use sprag_engine::engine::Engine;

use crate::context::{CommandContext, OutputFormat};
use crate::diff;
use crate::fault::EarlyExit;
use crate::screen;

/// sprag's own state, whose changes are not shown.
const OWN: &str = ".sprag/";

/// Shows the posts and writes that were suppressed.
pub(super) fn show(call: &CommandContext, engine: &Engine<'_>) -> Result<(), EarlyExit> {
    let posts = engine.review_due()?;
    let mut changes = engine.rehearsed();
    changes.retain(|change| !change.doc.as_str().starts_with(OWN));
    match call.answer {
        OutputFormat::Json => {
            let posts: Vec<_> = posts
                .iter()
                .map(|post| json!({ "pr": post.number, "marker": post.marker, "body": post.body }))
                .collect();
            let files: Vec<_> = changes.iter().map(|change| change.doc.as_str()).collect();
            screen::print_json(
                &json!({ "ok": true, "dryRun": true, "posts": posts, "files": files }),
            )?;
        }
        OutputFormat::Text => {
            let mut out = String::new();
            for post in &posts {
                let _ = writeln!(out, "would post to #{}:", post.number);
                lines(call, &mut out, post.body.lines());
            }
            for change in &changes {
                let _ = writeln!(out, "would change {}:", change.doc);
                let lines_shown = diff::changes(&change.before, &change.after);
                lines(call, &mut out, lines_shown.iter().map(String::as_str));
            }
            let _ = writeln!(out, "nothing was posted and nothing was written");
            screen::print(&out)?;
        }
    }
    Ok(())
}

/// Prints untrusted lines so that they cannot control the terminal.
fn lines<'t>(call: &CommandContext, out: &mut String, text: impl Iterator<Item = &'t str>) {
    for line in text {
        let _ = writeln!(out, "  {}", call.look.clip(line, 200));
    }
}
