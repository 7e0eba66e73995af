//! One list of all processes, for a walk from a process up to its parents.

use super::table::{self, Process};
use crate::process::Parents;

struct ProcessList(Vec<Process>);

pub(crate) fn parents() -> impl Parents {
    ProcessList(table::all().unwrap_or_default())
}

impl ProcessList {
    fn get(&self, id: u32) -> Option<&Process> {
        self.0.iter().find(|it| u32::try_from(it.id) == Ok(id))
    }
}

impl Parents for ProcessList {
    fn parent(&self, id: u32) -> Option<u32> {
        u32::try_from(self.get(id)?.parent).ok()
    }

    /// The list does not show where a word ends, so a program in a folder with a space is not
    /// recognised.
    fn line(&self, id: u32) -> Vec<u8> {
        self.get(id).map(|it| it.words.replace(' ', "\0").into_bytes()).unwrap_or_default()
    }

    /// An argument of this form counts, too: a caller that looks like an agent is taken for one.
    fn has_variable(&self, id: u32, name: &str) -> bool {
        let is_it = |word: &str| word.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
        self.get(id).is_some_and(|it| it.words.split(' ').any(is_it))
    }
}
