//! Shows the changes between two texts, with three lines of context.

/// Lines of context around a change.
const AROUND: usize = 3;
/// Texts that differ in more lines than this are compared only at both ends.
const MOST: usize = 1500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'t> {
    Same(&'t str),
    Gone(&'t str),
    New(&'t str),
}

/// Returns the changes between two texts as lines with the prefix ` `, `-` or `+`.
pub(crate) fn lines(before: &str, after: &str) -> Vec<String> {
    let all = compare(&split(before), &split(after));
    let near = |at: usize| {
        let window = at.saturating_sub(AROUND)..(at + AROUND + 1).min(all.len());
        all[window].iter().any(|line| !matches!(line, Line::Same(_)))
    };
    let mut shown = Vec::new();
    let mut cut = false;
    for (at, line) in all.iter().enumerate() {
        if !near(at) {
            cut = true;
            continue;
        }
        if std::mem::take(&mut cut) {
            shown.push(" …".to_owned());
        }
        shown.push(match line {
            Line::Same(text) => format!(" {text}"),
            Line::Gone(text) => format!("-{text}"),
            Line::New(text) => format!("+{text}"),
        });
    }
    shown
}

/// Splits a text into lines that keep a carriage return, which may be part of the change.
fn split(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    lines
}

fn compare<'t>(before: &[&'t str], after: &[&'t str]) -> Vec<Line<'t>> {
    let same = |pairs: &mut dyn Iterator<Item = (&&'t str, &&'t str)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let head = same(&mut before.iter().zip(after));
    let rest = (&before[head..], &after[head..]);
    let tail = same(&mut rest.0.iter().rev().zip(rest.1.iter().rev()));
    let (gone, new) = (&rest.0[..rest.0.len() - tail], &rest.1[..rest.1.len() - tail]);
    let mut all: Vec<Line<'t>> = before[..head].iter().map(|line| Line::Same(line)).collect();
    if gone.len().max(new.len()) > MOST {
        all.extend(gone.iter().map(|line| Line::Gone(line)));
        all.extend(new.iter().map(|line| Line::New(line)));
    } else {
        middle(gone, new, &mut all);
    }
    all.extend(before[before.len() - tail..].iter().map(|line| Line::Same(line)));
    all
}

/// Compares by the longest common subsequence.
fn middle<'t>(gone: &[&'t str], new: &[&'t str], all: &mut Vec<Line<'t>>) {
    let width = new.len() + 1;
    // The numbers of common lines in the remaining texts.
    let mut common = vec![0_u32; (gone.len() + 1) * width];
    for one in (0..gone.len()).rev() {
        for other in (0..new.len()).rev() {
            common[one * width + other] = if gone[one] == new[other] {
                common[(one + 1) * width + other + 1] + 1
            } else {
                common[(one + 1) * width + other].max(common[one * width + other + 1])
            };
        }
    }
    let (mut one, mut other) = (0, 0);
    while one < gone.len() || other < new.len() {
        let both = one < gone.len() && other < new.len();
        if both && gone[one] == new[other] {
            all.push(Line::Same(gone[one]));
            (one, other) = (one + 1, other + 1);
        } else if other == new.len()
            || both && common[(one + 1) * width + other] >= common[one * width + other + 1]
        {
            all.push(Line::Gone(gone[one]));
            one += 1;
        } else {
            all.push(Line::New(new[other]));
            other += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_is_shown_with_its_surroundings() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = "1\n2\n3\n4\n5\nnew\n6\n7\n8\n9\n";
        assert_eq!(lines(before, after), [" …", " 3", " 4", " 5", "+new", " 6", " 7", " 8"]);
        assert_eq!(lines(before, before), [""; 0]);
        assert_eq!(lines("", "a\nb\n"), ["+a", "+b"]);
        assert_eq!(lines("a\nb\n", ""), ["-a", "-b"]);
        assert_eq!(lines("a\r\n", "a\n"), ["-a\r", "+a"]);
    }

    #[test]
    fn changes_in_two_places_leave_what_is_between_alone() {
        let shown = lines("a\nb\nc\n", "a\nx\nb\ny\nc\n");
        assert_eq!(shown, [" a", "+x", " b", "+y", " c"]);
    }

    #[test]
    fn a_great_change_is_shown_whole() {
        let many = |word: &str| (0..2000).map(|n| format!("{word}{n}")).collect::<Vec<_>>();
        let shown = lines(&many("a").join("\n"), &many("b").join("\n"));
        assert_eq!((shown.len(), shown[0].as_str(), shown[2000].as_str()), (4000, "-a0", "+b0"));
    }
}
