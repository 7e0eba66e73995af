//! Small odd trees, with the recorded parts of their state.

use std::path::Path;

use sprag_conformance::{Tally, as_list, as_text, entries, field, read};
use sprag_core::Plain;
use sprag_core::gsd::{Ref, derive_as};
use sprag_formats::gsd::{Depth, Memory, load};

use super::{Answer, outcome, plain};

/// Runs the cases of a file.
pub(super) fn hold(file: &Path, tally: &mut Tally) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|bad| format!("{}: {bad}", file.display()))?;
    let cases = read(&text).map_err(|bad| format!("{}: {bad}", file.display()))?;
    for case in as_list(&cases) {
        let name = as_text(field(case, "name")).unwrap_or_default();
        let files = files(field(case, "files"));
        let keys = ["phase", "active", "nextAction", "blockers", "registry"];
        let expect = keys.map(|key| (key.to_owned(), field(case, key).clone()));
        let found = outcome(&Plain::Map(expect.to_vec()), |reading| {
            let loaded = load(&files, None, Depth::Answer, reading);
            let derived = derive_as(&loaded.tree, reading);
            let noted = loaded.noted.iter().map(|noted| noted.quirk);
            let quirks = noted.chain(derived.noted.iter().map(|(quirk, _)| *quirk)).collect();
            let state = derived.state;
            let id = |found: &Option<Ref>| plain(&found.as_ref().map(|found| found.id.clone()));
            let active = [&state.milestone, &state.slice, &state.task].map(id).to_vec();
            let value = Plain::map([
                ("phase", state.phase.as_str().into()),
                ("active", Plain::List(active)),
                ("nextAction", state.next_action.as_str().into()),
                ("blockers", plain(&state.blockers)),
                ("registry", plain(&state.registry)),
            ]);
            Some(Answer { value, quirks })
        });
        tally.add("quirks", name, found);
    }
    Ok(())
}

fn files(named: &Plain) -> Memory {
    let file = |(path, text): &(String, Plain)| {
        (format!("milestones/{path}"), as_text(text).unwrap_or_default().to_owned())
    };
    Memory(entries(named).iter().map(file).collect())
}
