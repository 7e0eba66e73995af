//! Recognises names in a tree: the id at the start, the kind of document at the end.

use sprag_core::gsd::{Paper, Quirk, QuirkReader};

use super::scan::take;

/// Returns the id at the start of a milestone folder's name: `M001`, `M001-a1b2c3`.
pub(super) fn milestone_id(name: &str) -> Option<&str> {
    let (digits, rest) = take(name.strip_prefix('M')?, |c| c.is_ascii_digit());
    if digits.is_empty() {
        return None;
    }
    let plain = 1 + digits.len();
    let unique = rest.strip_prefix('-').and_then(|rest| rest.get(..6)).is_some_and(|six| {
        six.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    });
    Some(&name[..if unique { plain + 7 } else { plain }])
}

/// Returns the number that milestones are sorted by; an id of another form comes first.
pub(super) fn milestone_order(id: &str) -> u32 {
    let digits = id.get(1..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let strict = id.len() == 4 || (id.len() == 11 && id.as_bytes()[4] == b'-');
    digits.filter(|_| strict).and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// Returns whether a folder would be a milestone if its name were in capitals.
pub(super) fn is_nearly_milestone(name: &str) -> bool {
    milestone_id(name).is_none() && milestone_id(&name.to_ascii_uppercase()).is_some()
}

/// Returns the folder of an id: of that name, in any case, or with a suffix.
pub(super) fn folder<'n>(names: &'n [String], id: &str) -> Option<&'n str> {
    let exact = names.iter().find(|name| *name == id);
    let any_case = || names.iter().find(|name| name.eq_ignore_ascii_case(id));
    let behind = format!("{}-", id.to_ascii_lowercase());
    let longer = || names.iter().find(|name| name.to_ascii_lowercase().starts_with(&behind));
    exact.or_else(any_case).or_else(longer).map(String::as_str)
}

/// Whether a name without an id counts as a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    /// Yes: the folder belongs to one milestone or slice.
    Counts,
    /// No: tasks share the folder.
    Shared,
}

/// Returns the file with this document of an id.
pub(super) fn file<'n>(
    names: &'n [String],
    id: &str,
    paper: Paper,
    bare: Bare,
    reader: &mut QuirkReader<usize>,
) -> Option<&'n str> {
    let suffix = paper.suffix().to_ascii_lowercase();
    let id = id.to_ascii_lowercase();
    let direct = format!("{id}-{suffix}.md");
    let (begins, ends) = (format!("{id}-"), format!("-{suffix}.md"));
    let with_words = |name: &String| {
        let name = name.to_ascii_lowercase();
        name.len() >= begins.len() + ends.len()
            && name.starts_with(&begins)
            && name.ends_with(&ends)
    };
    let exact = names.iter().find(|name| name.eq_ignore_ascii_case(&direct));
    if let Some(found) = exact.or_else(|| names.iter().find(|name| with_words(name))) {
        return Some(found);
    }
    let alone = format!("{suffix}.md");
    let found = names.iter().find(|name| name.eq_ignore_ascii_case(&alone))?;
    match bare {
        Bare::Counts => Some(found),
        Bare::Shared => (!reader.mends(Quirk::BareName, 0)).then_some(found),
    }
}

#[cfg(test)]
mod tests {
    use sprag_core::gsd::Reading;

    use super::*;

    #[test]
    fn ids_begin_the_names_of_folders() {
        assert_eq!(milestone_id("M001-FLIGHT-SIMULATOR"), Some("M001"));
        assert_eq!(milestone_id("M001-a1b2c3-words"), Some("M001-a1b2c3"));
        assert_eq!(milestone_id("M1000"), Some("M1000"));
        assert!(milestone_id("Mx").is_none() && milestone_id("notes").is_none());
        assert_eq!((milestone_order("M012"), milestone_order("M1000")), (12, 0));
        assert_eq!(milestone_order("M003-a1b2c3"), 3);
    }

    #[test]
    fn documents_are_found_by_id_by_words_between_and_bare() {
        let mut reader = QuirkReader::new(Reading::Ours);
        let names = ["m001-roadmap.MD", "M001-big-PLAN.md", "context.md", "M001-CONTEXT-DRAFT.md"];
        let names = names.map(str::to_owned);
        let mut find = |paper, bare| file(&names, "M001", paper, bare, &mut reader);
        assert_eq!(find(Paper::Roadmap, Bare::Counts), Some("m001-roadmap.MD"));
        assert_eq!(find(Paper::Plan, Bare::Counts), Some("M001-big-PLAN.md"));
        assert_eq!(find(Paper::Context, Bare::Counts), Some("context.md"));
        assert_eq!(find(Paper::Context, Bare::Shared), None);
        assert_eq!(find(Paper::ContextDraft, Bare::Shared), Some("M001-CONTEXT-DRAFT.md"));
        assert_eq!(reader.into_notes(), [(Quirk::BareName, 0)]);
    }
}
