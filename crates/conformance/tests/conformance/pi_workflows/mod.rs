//! The cases of pi-workflows: what is asked, and how our answer is compared.
//!
//! Warnings of the original's console are compared where they are the answer, when workflows are
//! loaded; elsewhere they are diagnostics of its own and left aside.

mod difference;
mod input;
mod load;
mod ops;
mod recorded;

use sprag_conformance::{Case, Outcome, Tally, as_list, as_text, canonical, field};
use sprag_core::Plain;

use difference::Lens;

/// Answers a case and adds how that compares.
pub(crate) fn answer(case: &Case, tally: &mut Tally) {
    tally.add(&case.group, &case.id, outcome(case));
}

fn outcome(case: &Case) -> Outcome {
    let Some(ours) = ops::answer(case, &Lens::ours()) else { return Outcome::NotServed };
    if agree(&case.expect, &ours) {
        return Outcome::Passed;
    }
    let lens = Lens::theirs();
    match ops::answer(case, &lens) {
        Some(theirs) if agree(&case.expect, &theirs) && !lens.used().is_empty() => {
            Outcome::Differs(lens.used())
        }
        Some(theirs) => Outcome::Failed(explain(&case.expect, &theirs)),
        None => Outcome::NotServed,
    }
}

/// Returns whether an answer says what the original said.
fn agree(expect: &Plain, ours: &Plain) -> bool {
    let keys = ["out", "throws", "timeline"];
    let same = |key: &str| canonical(field(expect, key)) == canonical(field(ours, key));
    keys.iter().all(|key| same(key)) && same_warnings(expect, ours) && same_steps(expect, ours)
}

/// Compares warnings where we have some to compare; of a foreign library's text only the
/// beginning counts.
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

/// Compares one step; where the original crashed we must give an error, in words of our own.
fn same_step(expect: &Plain, ours: &Plain) -> bool {
    if *field(expect, "throws") != Plain::Null {
        return as_text(field(field(ours, "out"), "resultType")) == Some("error");
    }
    let same = |key: &str| canonical(field(expect, key)) == canonical(field(ours, key));
    same("out") && same("effects")
}

/// Shows the first thing in which two answers differ.
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
