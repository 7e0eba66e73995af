/// The rules' changes of an instruction, kept as data until the instruction is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wording {
    /// The whole instruction, instead of the unit's own.
    whole: Option<String>,
    /// The texts before it, in reading order.
    before: Vec<String>,
    /// The texts after it.
    after: Vec<String>,
}

impl Wording {
    /// Creates the wording of a unit whose whole instruction is `text`.
    pub const fn whole(text: String) -> Self {
        Self { whole: Some(text), before: Vec::new(), after: Vec::new() }
    }

    /// Adds outer texts before and after; empty ones change nothing.
    pub(super) fn put_around(&mut self, before: String, after: String) {
        if !before.is_empty() {
            self.before.insert(0, before);
        }
        if !after.is_empty() {
            self.after.push(after);
        }
    }

    /// Returns the instruction with the rules' changes; `own` makes the unit's own instruction.
    pub fn apply(&self, own: impl FnOnce() -> String) -> String {
        let text = self.whole.clone().unwrap_or_else(own);
        let around = self.before.iter().chain([&text]).chain(&self.after);
        let filled: Vec<_> = around.filter(|part| !part.is_empty()).map(String::as_str).collect();
        filled.join("\n\n")
    }
}
