//! Edits as command-line words: `DOC=TEXT` writes, `DOC+=TEXT` appends, `DOC!` removes.

use sprag_core::{DocPath, Splice};
use sprag_store::{Doc, Edit, View};

/// A parsed word of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Writes the whole document.
    Write(DocPath, String),
    /// Appends to the document by a splice.
    Append(DocPath, String),
    Remove(DocPath),
}

impl Word {
    pub fn parse(word: &str) -> Option<Self> {
        let doc = |name: &str| DocPath::parse(name).ok();
        if let Some(name) = word.strip_suffix('!').filter(|name| !name.contains('=')) {
            return Some(Self::Remove(doc(name)?));
        }
        let (name, text) = word.split_once('=')?;
        match name.strip_suffix('+') {
            Some(name) => Some(Self::Append(doc(name)?, text.to_owned())),
            None => Some(Self::Write(doc(name)?, text.to_owned())),
        }
    }

    /// Returns the edit for the documents in `view`.
    pub fn edit(&self, view: &View<'_>) -> Edit {
        match self.clone() {
            Self::Write(doc, text) => Edit::Write { doc, text },
            Self::Remove(doc) => Edit::Remove { doc },
            Self::Append(doc, text) => match view.read(&doc) {
                Doc::Text(old) => {
                    let splices = vec![Splice { range: old.len()..old.len(), text }];
                    Edit::Splice { doc, splices }
                }
                // The store refuses to overwrite an unreadable document.
                Doc::Absent | Doc::Unknown(_) => Edit::Write { doc, text },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood() {
        let doc = || DocPath::parse("a/b").unwrap();
        assert_eq!(Word::parse("a/b=x=y!"), Some(Word::Write(doc(), "x=y!".into())));
        assert_eq!(Word::parse("a/b+=x"), Some(Word::Append(doc(), "x".into())));
        assert_eq!(Word::parse("a/b!"), Some(Word::Remove(doc())));
        assert_eq!(Word::parse("../b=x"), None);
        assert_eq!(Word::parse("b"), None);
    }
}
