use super::section::bold;

/// Counts the overrides that still have to be worked into the documents.
pub fn overrides(text: &str) -> usize {
    let is_active = |block: &&str| {
        let last = |key: &str| {
            block.split('\n').filter_map(|line| bold(line, key)).next_back().map(str::to_owned)
        };
        last("Change").is_some() && last("Scope").is_none_or(|scope| scope == "active")
    };
    blocks(text).into_iter().filter(is_active).count()
}

/// Returns the text after each `## Override: `.
fn blocks(text: &str) -> Vec<&str> {
    const MARK: &str = "## Override: ";
    let begins = |at: &usize| *at == 0 || text[..*at].ends_with('\n');
    let starts: Vec<usize> = text.match_indices(MARK).map(|(at, _)| at).filter(begins).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(from, to)| &text[from + MARK.len()..to]).collect()
}
