//! INI files as Python and npm read them: sections, keys, and values that continue on indented
//! lines.

/// A section with its values. The lines before the first section form one with an empty name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::definition) struct IniSection {
    /// The name between the brackets.
    pub(in crate::definition) name: String,
    /// Keys and values. The lines of a value have no surrounding blanks.
    pub(in crate::definition) values: Vec<(String, String)>,
}

impl IniSection {
    pub(in crate::definition) fn get(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(name, _)| name == key).map(|(_, value)| &**value)
    }

    /// Writes the values in the order of their keys.
    pub(in crate::definition) fn canonical(&self) -> String {
        let mut lines: Vec<String> =
            self.values.iter().map(|(key, value)| format!("{key}={value:?}\n")).collect();
        lines.sort();
        lines.concat()
    }
}

/// Parses a file. A line that is neither a section nor a value is a value without a key.
pub(in crate::definition) fn ini(text: &str) -> Vec<IniSection> {
    let mut sections = vec![IniSection::default()];
    for line in text.trim_start_matches('\u{feff}').lines() {
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with(['#', ';']) {
            continue;
        }
        let name = bare.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        if let Some((name, _)) = name.filter(|_| !line.starts_with([' ', '\t'])) {
            sections.push(IniSection { name: name.trim().to_owned(), values: Vec::new() });
            continue;
        }
        let Some(section) = sections.last_mut() else { break };
        if let Some((_, value)) =
            section.values.last_mut().filter(|_| line.starts_with([' ', '\t']))
        {
            value.push('\n');
            value.push_str(bare);
            continue;
        }
        let (key, value) = bare.split_once(['=', ':']).unwrap_or((bare, ""));
        section.values.push((key.trim().to_lowercase(), value.trim().to_owned()));
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_values_are_read() {
        let read = ini("a=1\n[x]\n# c\nB : 2\n  3 \n\n[y]\nlone\n");
        assert_eq!(read[0].get("a"), Some("1"));
        assert_eq!(read[1].get("b"), Some("2\n3"));
        assert_eq!(read[2].get("lone"), Some(""));
        assert_eq!(ini("").len(), 1);
    }
}
