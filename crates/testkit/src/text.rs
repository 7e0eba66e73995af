/// Removes the common indentation and the first line break from an expected text.
///
/// So an expectation can be indented in a test and still be exact. The last line, which contains
/// only the closing quote's indentation, is dropped.
pub fn text(indented: &str) -> String {
    let body = indented.strip_prefix('\n').unwrap_or(indented);
    let body = body.trim_end_matches(' ');
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let lines = || body.split_inclusive('\n');
    let common = lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    lines().map(|line| line.get(common..).unwrap_or("\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_indentation_and_empty_lines_stay() {
        let out = text(
            "
            one
              two

            three
            ",
        );
        assert_eq!(out, "one\n  two\n\nthree\n");
        assert_eq!(text("bare"), "bare");
        assert_eq!(text(""), "");
    }
}
