//! Changes, by an agent or a person, of the documents that judge a run.

use std::fmt;

use crate::{Plain, Stored, Unreadable, stored};

/// Which documents changed, and when.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Changes(Vec<SharedChange>);

/// Documents that changed in the same way at the same time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SharedChange {
    docs: Vec<String>,
    /// What happened to them and when; it follows their names in a sentence.
    how: String,
}

impl Changes {
    /// Records a change of some documents.
    pub fn new(docs: impl IntoIterator<Item = String>, how: String) -> Self {
        let change = SharedChange { docs: docs.into_iter().collect(), how };
        Self(Vec::new()).and(Self(vec![change]))
    }

    /// Returns whether a document is among the changed ones.
    pub fn names(&self, doc: &str) -> bool {
        self.0.iter().any(|change| change.docs.iter().any(|known| known == doc))
    }

    /// Merges more changes; each document appears once per `how`.
    #[must_use]
    pub(crate) fn and(mut self, more: Self) -> Self {
        for SharedChange { docs, how } in more.0 {
            let at = self.0.iter().position(|known| known.how == how).unwrap_or_else(|| {
                self.0.push(SharedChange { docs: Vec::new(), how });
                self.0.len() - 1
            });
            for doc in docs {
                if !self.0[at].docs.contains(&doc) {
                    self.0[at].docs.push(doc);
                }
            }
        }
        self
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said: Vec<_> = self.0.iter().map(SharedChange::said).collect();
        out.write_str(&said.join(", and "))
    }
}

impl SharedChange {
    fn said(&self) -> String {
        format!("`{}` {}", self.docs.join("`, `"), self.how)
    }
}

impl Stored for Changes {
    fn lower(&self) -> Plain {
        self.0.lower()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        Stored::lift(plain).map(Self)
    }
}

stored!(struct SharedChange { docs, how });

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(docs: &[&str], how: &str) -> Changes {
        Changes::new(docs.iter().map(|doc| (*doc).to_owned()), how.to_owned())
    }

    #[test]
    fn of_one_time_each_document_is_named_once_also_where_one_name_is_a_part_of_another() {
        let all = changed(&["gsd/plan.md", "gsd/plan.md"], "changed at noon")
            .and(changed(&["a.md"], "changed later"))
            .and(changed(&["gsd/plan.md", "plan.md"], "changed at noon"))
            .and(changed(&["a.md"], "changed later"));
        let said = "`gsd/plan.md`, `plan.md` changed at noon, and `a.md` changed later";
        assert_eq!(all.to_string(), said);
        assert!(all.names("plan.md") && !all.names("md"));
        assert_eq!(Changes::lift(&all.lower()), Ok(all));
    }
}
