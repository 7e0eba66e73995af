//! The entries of preferences one by one: which of them the original keeps when others are broken.

use sprag_conformance::{Outcome, as_list, as_text, field};
use sprag_core::Plain;
use sprag_core::rules::Rule;
use sprag_formats::{Document, Format, Value, rules_of_preferences, to_yaml};

const LISTS: [&str; 2] = ["pre_dispatch_hooks", "post_unit_hooks"];

/// Returns the rules of entries that are valid by themselves, the first of each name.
pub(super) fn right(preferences: &str) -> Result<Vec<Rule>, String> {
    let document =
        Document::parse(Format::FrontMatter, preferences).map_err(|fault| fault.to_string())?;
    let mut rules: Vec<Rule> = Vec::new();
    for list in LISTS {
        let Some(field) = document.optional(&[list]) else { continue };
        let mut own: Vec<Rule> = Vec::new();
        for item in field.items().map_err(|fault| fault.to_string())? {
            let alone = Value::map([(list.to_owned(), Value::list([item.node().value.clone()]))]);
            let text = format!("---\n{}---\n", to_yaml(&alone));
            let Ok((found, _)) = rules_of_preferences(&text) else { continue };
            let is_new = |rule: &Rule| own.iter().all(|other| other.name != rule.name);
            let found: Vec<_> = found.into_iter().filter(is_new).collect();
            own.extend(found);
        }
        rules.append(&mut own);
    }
    Ok(rules)
}

/// Checks that sprag reads every entry that the original keeps, with the same name and cycles.
pub(super) fn kept(result: &Plain) -> Outcome {
    let preferences = field(result, "preferences");
    for list in LISTS {
        let on = |entry: &&Plain| *field(entry, "enabled") != Plain::Bool(false);
        for entry in as_list(field(preferences, list)).iter().filter(on) {
            let alone = Plain::map([(list, Plain::List(vec![entry.clone()]))]);
            let text = format!("---\n{}---\n", sprag_formats::new_file(&alone));
            let rules = match rules_of_preferences(&text) {
                Ok((rules, _)) => rules,
                Err(faults) => return Outcome::Failed(format!("{text}{faults:?}")),
            };
            let cycles = field(entry, "max_cycles");
            let same = |rule: &Rule| {
                Some(rule.name.as_str()) == as_text(field(entry, "name"))
                    && [&Plain::Null, &Plain::from(rule.max)].contains(&cycles)
            };
            if rules.len() != 1 || !rules.iter().all(same) {
                return Outcome::Failed(format!("{text}{rules:?}"));
            }
        }
    }
    Outcome::Passed
}
