//! `prompts.yaml`: a person's additional prompts for each agent.

use sprag_core::Splice;
use sprag_core::pr::{Prompts, TurnRole};

use crate::document::{Document, Format};
use crate::edit::Edit;
use crate::fault::Fault;
use crate::to_yaml;
use crate::value::Value;

const SILENT: &str = "noHandingOver";

/// Reads the file. An empty text counts as missing, and unknown keys are ignored.
pub fn read(text: &str) -> Result<Prompts, Fault> {
    let document = Document::parse(Format::Yaml, text)?;
    let top = document.top();
    if top.is_null() {
        return Ok(Prompts::default());
    }
    top.entries()?;
    let prompt = |part: TurnRole| match document.optional(&[part.as_str()]) {
        Some(field) => Ok(Some(field.as_str()?.to_owned()).filter(|text| !text.is_empty())),
        None => Ok(None),
    };
    Ok(Prompts {
        reviewer: prompt(TurnRole::Reviewer)?,
        developer: prompt(TurnRole::Developer)?,
        ci_checker: prompt(TurnRole::CiChecker)?,
        ci_fixer: prompt(TurnRole::CiFixer)?,
        no_handing_over: match document.optional(&[SILENT]) {
            Some(field) => field.as_bool()?,
            None => false,
        },
    })
}

/// The text of a new file with the given prompts.
pub fn new(prompts: &Prompts) -> String {
    let given = TurnRole::ALL.map(|part| (part.as_str(), prompts.of(part)));
    let given = given.into_iter().filter_map(|(key, text)| Some((key, Value::from(text?))));
    to_yaml(&Value::map(given.chain([(SILENT, Value::from(prompts.no_handing_over))])))
}

/// Returns the splices that add the given prompts to a file.
pub fn edit(text: &str, given: &Prompts) -> Result<Vec<Splice>, Fault> {
    let document = Document::parse(Format::Yaml, text)?;
    let texts = TurnRole::ALL.into_iter().filter_map(|part| Some((part, given.of(part)?)));
    let mut edits: Vec<_> = texts.map(|(part, text)| Edit::set([part.as_str()], text)).collect();
    if given.no_handing_over {
        edits.push(Edit::set([SILENT], true));
    }
    document.edit(&edits)
}
