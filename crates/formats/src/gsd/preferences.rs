//! `PREFERENCES.md`: a person's preferences, as far as the table of rows needs them.

use sprag_core::gsd::Layer;

use crate::document::{Document, Format};
use crate::fault::{Fault, FaultKind};
use crate::field::Field;

/// Reads a file of preferences. An invalid file never counts as empty.
pub fn preferences(text: &str) -> Result<Layer, Vec<Fault>> {
    let document = Document::parse(Format::FrontMatter, text).map_err(|fault| vec![fault])?;
    // The original also accepts a list under a heading. Reject it, so that it does not seem to
    // apply.
    let is_listed = |line: &str| line.starts_with("- ") && line.contains(':');
    if !document.has_front_matter() && document.body().lines().any(is_listed) {
        let what = "preferences stand in front matter here, and there is none";
        let fault = document.top().fault(FaultKind::Missing, what);
        return Err(vec![fault.help("put them between two lines `---` at the top")]);
    }
    let mut faults = Vec::new();
    let layer = read(&document.top(), &mut faults);
    if faults.is_empty() { Ok(layer) } else { Err(faults) }
}

fn read(top: &Field<'_>, faults: &mut Vec<Fault>) -> Layer {
    let mut flag = |path: &[&str]| -> Option<bool> {
        let field = found(top, path, faults)?;
        field.as_bool().map_err(|fault| faults.push(fault)).ok()
    };
    let mut layer = Layer {
        skip_research: flag(&["phases", "skip_research"]),
        skip_slice_research: flag(&["phases", "skip_slice_research"]),
        skip_reassess: flag(&["phases", "skip_reassess"]),
        skip_validation: flag(&["phases", "skip_milestone_validation"]),
        reassess_after_slice: flag(&["phases", "reassess_after_slice"]),
        require_slice_discussion: flag(&["phases", "require_slice_discussion"]),
        uat_dispatch: flag(&["uat_dispatch"]),
        reactive: flag(&["reactive_execution", "enabled"]),
        ..Layer::default()
    };
    let text = |path: &[&str], faults: &mut Vec<Fault>| {
        let field = found(top, path, faults)?;
        field.as_str().map(str::to_owned).map_err(|fault| faults.push(fault)).ok()
    };
    layer.profile = text(&["token_profile"], faults);
    layer.deep = text(&["planning_depth"], faults).map(|depth| depth == "deep");
    layer.max_parallel = found(top, &["reactive_execution", "max_parallel"], faults)
        .and_then(|field| field.as_u64().map_err(|fault| faults.push(fault)).ok())
        .map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    layer
}

/// Returns the value at a path. A step on the way that is not a map is a fault.
fn found<'d>(top: &Field<'d>, path: &[&str], faults: &mut Vec<Fault>) -> Option<Field<'d>> {
    let (last, way) = path.split_last()?;
    let mut here = top.clone();
    for step in way {
        here = here.optional(&[step])?;
        if let Err(fault) = here.entries() {
            let known = faults.iter().any(|said: &Fault| said.place == fault.place);
            if !known && fault.kind == FaultKind::Type {
                faults.push(fault);
            }
            return None;
        }
    }
    here.optional(&[last])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_understood_is_never_taken_for_nothing() {
        let text = "---\nphases:\n  skip_research: true\nmodels: {planning: x}\n---\n# P\n";
        let layer = preferences(text).unwrap();
        assert_eq!(layer, Layer { skip_research: Some(true), ..Layer::default() });
        let wrong = preferences("---\nphases:\n  skip_research: yes please\n---\n").unwrap_err();
        assert_eq!((wrong.len(), wrong[0].place.line), (1, 3));
        assert_eq!(preferences("---\nphases: [\n---\n").unwrap_err().len(), 1);
        assert_eq!(preferences("---\nphases: 3\n---\n").unwrap_err().len(), 1);
        assert_eq!(preferences("# no front matter\n"), Ok(Layer::default()));
        let listed = preferences("## Phases\n- skip_research: true\n").unwrap_err();
        assert_eq!(listed[0].place.line, 1);
    }
}
