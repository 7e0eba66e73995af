/// An open Markdown code fence: its content is quoted, not stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeFence {
    mark: char,
    length: usize,
}

impl CodeFence {
    /// Returns the fence that a line opens.
    pub fn opened_by(line: &str) -> Option<Self> {
        let found = Self::at(line)?;
        // Backticks after backticks are inline code: ``` `x` ```.
        let rest = &line.trim_start_matches(' ')[found.length..];
        (found.mark != '`' || !rest.contains('`')).then_some(found)
    }

    /// Returns whether a line closes this fence.
    pub fn is_closed_by(self, line: &str) -> bool {
        let Some(found) = Self::at(line) else { return false };
        let rest = &line.trim_start_matches(' ')[found.length..];
        found.mark == self.mark && found.length >= self.length && rest.trim().is_empty()
    }

    fn at(line: &str) -> Option<Self> {
        let text = line.trim_start_matches(' ');
        let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = text.len() - text.trim_start_matches(mark).len();
        // Four blanks begin an indented code block, where no fence is recognized.
        (length >= 3 && line.len() - text.len() < 4).then_some(Self { mark, length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_ends_with_as_many_of_its_own_marks() {
        let open = CodeFence::opened_by("  ````markdown").unwrap();
        assert!(!open.is_closed_by("```"));
        assert!(!open.is_closed_by("~~~~"));
        assert!(!open.is_closed_by("````text"));
        assert!(open.is_closed_by("````` \t"));
        assert!(CodeFence::opened_by("~~~ `x` ~~~").unwrap().is_closed_by("~~~"));
    }

    #[test]
    fn what_only_looks_like_a_fence_is_none() {
        for line in ["", "``", "``` `x` ```", "    ```", "\t```", "text ```", "· ```"] {
            assert_eq!(CodeFence::opened_by(line), None, "{line:?}");
        }
    }
}
