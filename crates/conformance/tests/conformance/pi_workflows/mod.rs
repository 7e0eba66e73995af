//! The cases of pi-workflows, and the comparison of sprag's answers.
//!
//! Warnings on the original's console are compared if they are the answer, when workflows are
//! loaded. Elsewhere they are the original's diagnostics and are ignored.

mod difference;
mod input;
mod load;
mod ops;
mod original;
mod recorded;

use sprag_conformance::{Case, Outcome, Tally, as_list, as_text, canonical, field};
use sprag_core::Plain;

use difference::Lens;

/// Answers a case and adds its outcome to the tally.
pub(crate) fn answer(case: &Case, tally: &mut Tally) {
    tally.add(&case.group, &case.id, outcome(case));
}

fn outcome(case: &Case) -> Outcome {
    let Some(ours) = ops::answer(case, &Lens::ours()) else { return Outcome::NotServed };
    let lens = Lens::theirs();
    let Some(theirs) = ops::answer(case, &lens) else { return Outcome::NotServed };
    let wrong = lens.wrong();
    if !wrong.is_empty() {
        return Outcome::Failed(wrong.join("\n  "));
    }
    if !agree(&case.expect, &theirs) {
        return Outcome::Failed(explain(&case.expect, &theirs));
    }
    // An answer that the lens did not touch is equal as it is.
    match (agree(&case.expect, &ours), lens.used()) {
        (true, _) => Outcome::Passed,
        (false, used) if used.is_empty() => Outcome::Failed(explain(&case.expect, &ours)),
        (false, used) => Outcome::Differs(used),
    }
}

/// Returns whether an answer equals the original's.
fn agree(expect: &Plain, ours: &Plain) -> bool {
    let keys = ["out", "throws", "timeline"];
    let same = |key: &str| canonical(field(expect, key)) == canonical(field(ours, key));
    keys.iter().all(|key| same(key)) && same_warnings(expect, ours) && same_steps(expect, ours)
}

/// Compares warnings, if there are any. Of a foreign library's text only the beginning counts.
fn same_warnings(expect: &Plain, ours: &Plain) -> bool {
    if *field(ours, "warnings") == Plain::Null {
        return true;
    }
    let (expect, ours) = (as_list(field(expect, "warnings")), as_list(field(ours, "warnings")));
    let same = |expect: &Plain, ours: &Plain| {
        let ours = as_text(ours).unwrap_or_default();
        match as_text(field(expect, "prefix")) {
            Some(prefix) => ours.starts_with(prefix),
            None => as_text(field(expect, "text")) == Some(ours),
        }
    };
    expect.len() == ours.len() && expect.iter().zip(ours).all(|(expect, ours)| same(expect, ours))
}

fn same_steps(expect: &Plain, ours: &Plain) -> bool {
    let (expect, ours) = (as_list(field(expect, "steps")), as_list(field(ours, "steps")));
    expect.len() == ours.len()
        && expect.iter().zip(ours).all(|(expect, ours)| same_step(expect, ours))
}

/// Compares one step. Where the original crashed, sprag must return an error, in its own words.
fn same_step(expect: &Plain, ours: &Plain) -> bool {
    if *field(expect, "throws") != Plain::Null {
        return as_text(field(field(ours, "out"), "resultType")) == Some("error");
    }
    let same = |key: &str| canonical(field(expect, key)) == canonical(field(ours, key));
    same("out") && same("effects")
}

/// Describes the first difference between two answers.
fn explain(expect: &Plain, ours: &Plain) -> String {
    let steps = as_list(field(expect, "steps")).iter().zip(as_list(field(ours, "steps")));
    for (at, (expect, ours)) in steps.enumerate() {
        if !same_step(expect, ours) {
            return format!(
                "step {at}\n  theirs {:?}\n  ours   {:?}",
                canonical(expect),
                canonical(ours)
            );
        }
    }
    format!("\n  theirs {:?}\n  ours   {:?}", canonical(expect), canonical(ours))
}
