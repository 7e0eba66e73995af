//! Random documents in many layouts, and random values.

use sprag_formats::{Format, Number, Value};

use crate::random::Random;

const WORDS: [&str; 16] = [
    "alpha",
    "beta",
    "turn",
    "loop",
    "naïve",
    "größe",
    "a b",
    "x-1",
    "it's",
    "q\"q",
    "yes",
    "null",
    "12",
    "2026-03-02T10:30:00Z",
    "tab\there",
    "two\nlines",
];

/// Makes a document of some format.
pub(crate) fn document(random: &mut Random) -> (Format, String) {
    match random.below(8) {
        0..=4 => (Format::Yaml, yaml(random)),
        5 => (Format::FrontMatter, front_matter(random)),
        _ => (Format::Json, json(random)),
    }
}

/// Makes a value to set; `depth` bounds its nesting.
pub(crate) fn value(random: &mut Random, depth: usize) -> Value {
    let many = random.below(4);
    match random.below(if depth == 0 { 5 } else { 8 }) {
        0 => Value::Null,
        1 => Value::from(random.once_in(2)),
        2 => Value::Number(Number::parse(random.pick(&["0", "7", "1.0", "1e3", "-3"])).unwrap()),
        3 | 4 => Value::from(random.pick(&WORDS)),
        5 => Value::list((0..many).map(|_| value(random, depth - 1)).collect::<Vec<_>>()),
        _ => Value::map(
            (0..many).map(|_| (key(random), value(random, depth - 1))).collect::<Vec<_>>(),
        ),
    }
}

/// Makes a key, rarely an odd one.
pub(crate) fn key(random: &mut Random) -> String {
    if random.once_in(12) {
        return (random.pick(&["a: b", "- x", "1", "no", "", "ключ", "<<", "[k]", "#k"]))
            .to_owned();
    }
    format!("{}{}", random.pick(&["k", "key", "T", "with_"]), random.below(40))
}

struct Layout {
    line_end: &'static str,
    step: usize,
    dash: usize,
}

fn yaml(random: &mut Random) -> String {
    let layout = Layout {
        line_end: if random.once_in(5) { "\r\n" } else { "\n" },
        step: random.pick(&[2, 2, 2, 4, 3, 1]),
        dash: random.pick(&[0, 2, 2, 4]),
    };
    let mut text = String::new();
    if random.once_in(10) {
        text.push('\u{feff}');
    }
    if random.once_in(8) {
        text.push_str(random.pick(&["%YAML 1.2\n---\n", "---\n", "--- # start\n"]));
        text = text.replace('\n', layout.line_end);
    }
    if !random.once_in(40) {
        map(random, &layout, &mut text, 0, 3);
    }
    if random.once_in(6) {
        text.push_str(random.pick(&["# the end", "\n\n", "  # odd end", "...\n# after"]));
        text = text.replace("\r\n", "\n").replace('\n', layout.line_end);
        text.push_str(layout.line_end);
    }
    if random.once_in(8) {
        let kept = text.trim_end_matches(['\r', '\n']).len();
        text.truncate(kept);
    }
    text
}

fn front_matter(random: &mut Random) -> String {
    let inner = loop {
        let inner = yaml(random);
        let marked = inner.contains("---") || inner.contains("...") || inner.contains('\u{feff}');
        if !marked && (inner.is_empty() || inner.ends_with('\n')) {
            break inner;
        }
    };
    let line_end = if inner.contains("\r\n") { "\r\n" } else { "\n" };
    let mark = if random.once_in(5) { "\u{feff}" } else { "" };
    let body = random.pick(&["", "# Title\n\n\tcode: 1\n", "key: value\n---\nk0: 1\n", "no end"]);
    format!("{mark}---{line_end}{inner}---{line_end}{body}")
}

fn noise(random: &mut Random, layout: &Layout, text: &mut String, column: usize) {
    if random.once_in(7) {
        text.push_str(&" ".repeat(random.pick(&[0, 0, 0, 2, 9])));
        text.push_str(layout.line_end);
    }
    if random.once_in(7) {
        let indent = " ".repeat(column + random.below(2) * layout.step);
        text.push_str(&format!("{indent}# a, comment: here{}", layout.line_end));
    }
}

fn end_line(random: &mut Random, layout: &Layout, text: &mut String) {
    if random.once_in(6) {
        text.push_str(random.pick(&[" # note", "   # 'far'", " "]));
    }
    text.push_str(layout.line_end);
}

fn map(random: &mut Random, layout: &Layout, text: &mut String, column: usize, depth: usize) {
    let first = random.below(20);
    for nth in 0..=random.below(4) {
        if nth > 0 {
            noise(random, layout, text, column);
            text.push_str(&" ".repeat(column));
        }
        let key = format!("k{}", first + nth);
        let key = if random.once_in(8) { format!("\"{key}\"") } else { key };
        text.push_str(&format!("{key}{}:", if random.once_in(20) { " " } else { "" }));
        value_after(random, layout, text, column, depth);
    }
}

fn list(random: &mut Random, layout: &Layout, text: &mut String, column: usize, depth: usize) {
    for nth in 0..=random.below(3) {
        if nth > 0 {
            noise(random, layout, text, column);
            text.push_str(&" ".repeat(column));
        }
        text.push('-');
        match random.below(if depth == 0 { 3 } else { 6 }) {
            0..=2 => scalar(random, layout, text, column, 2),
            3 if random.once_in(3) => {
                end_line(random, layout, text);
                text.push_str(&" ".repeat(column + 3));
                map(random, layout, text, column + 3, depth - 1);
            }
            3 => {
                text.push(' ');
                list(random, layout, text, column + 2, depth - 1);
            }
            _ => {
                text.push(' ');
                map(random, layout, text, column + 2, depth - 1);
            }
        }
    }
}

fn value_after(
    random: &mut Random,
    layout: &Layout,
    text: &mut String,
    column: usize,
    depth: usize,
) {
    let kind = random.below(if depth == 0 { 6 } else { 10 });
    if kind < 6 {
        return scalar(random, layout, text, column, layout.step);
    }
    end_line(random, layout, text);
    let inner = column + if kind < 8 { layout.step } else { layout.dash };
    noise(random, layout, text, column + layout.step);
    text.push_str(&" ".repeat(inner));
    if kind < 8 {
        map(random, layout, text, inner, depth - 1);
    } else {
        list(random, layout, text, inner, depth - 1);
    }
}

/// Writes a blank, a value that is not a block collection, and the line end.
fn scalar(random: &mut Random, layout: &Layout, text: &mut String, column: usize, step: usize) {
    let indent = " ".repeat(column + step);
    let line_end = layout.line_end;
    match random.below(20) {
        0 => {}
        16 => text.push_str(&format!("{line_end}{indent}below")),
        17 => text.push_str(&format!(" # why{line_end}{indent}'below'")),
        18 => text.push_str(random.pick(&[
            " !!str 5",
            " &name 7",
            " &name",
            " !!null",
            " &n !!map {}",
        ])),
        19 => text.push_str(random.pick(&["\tword", " \t12", " \"a\tb\"", " x\t# tabbed"])),
        1 => return block_scalar(random, layout, text, column, step),
        2 => text.push_str(&format!(" two{line_end}{indent}lines")),
        3 => text.push_str(&format!(" {}", flow(random, 2))),
        4 => text.push_str(&format!(
            " [{line_end}{indent}1, # one{line_end}{indent}two{line_end}{indent}]"
        )),
        5 => text.push_str(random.pick(&[" {}", " []", " { }", "  {}", " [ ]"])),
        _ => text.push_str(random.pick(&[
            " word",
            " some words",
            "   far",
            " 12",
            " 1.50",
            " true",
            " null",
            " ~",
            " 'it''s'",
            " \"q\\\"\\u00e9\"",
            " \"2026-01-02\"",
            " größe",
            " a:b#c",
            " yes",
            " 0x1F",
        ])),
    }
    end_line(random, layout, text);
}

/// Writes a block scalar whose lines start `step` columns after its key or dash.
fn block_scalar(
    random: &mut Random,
    layout: &Layout,
    text: &mut String,
    column: usize,
    step: usize,
) {
    let (indent, line_end) = (" ".repeat(column + step), layout.line_end);
    let mut header = random.pick(&["|", "|", "|-", "|+", ">-", "| # why"]).to_owned();
    let mut first = random.pick(&["text # no: comment", "text", "'text ", "text: 1", "# text"]);
    if random.once_in(5) {
        header = format!("|{step}{}", random.pick(&["", "-", "+"]));
        first = random.pick(&["  deep", "text "]);
    }
    text.push_str(&format!(" {header}{line_end}{indent}{first}{line_end}"));
    if !random.once_in(3) {
        let between = random.pick(&["", line_end]);
        let last = random.pick(&["more", "more ", "more  \t", "  more", "- more", "größe"]);
        text.push_str(&format!("{between}{indent}{last}{line_end}"));
    }
    // Of a blank line, only the part beyond the indentation is text.
    match random.below(8) {
        0 | 1 => text.push_str(line_end),
        2 => text.push_str(&format!("{indent}  {line_end}")),
        3 => text.push_str(&format!("{indent}{line_end}{line_end}")),
        _ => {}
    }
}

fn flow(random: &mut Random, depth: usize) -> String {
    let blank = random.pick(&["", " "]);
    let items: Vec<String> = (0..random.below(4))
        .map(|nth| match random.below(if depth == 0 { 3 } else { 5 }) {
            0 => format!("k{nth}: 'x y'"),
            1 => format!("\"k{nth}\": 12"),
            2 => format!("k{nth}: "),
            _ => format!("k{nth}: {}", flow(random, depth - 1)),
        })
        .collect();
    let text = items.join(random.pick(&[", ", ",  "]));
    format!("{{{blank}{text}{blank}}}")
}

fn json(random: &mut Random) -> String {
    let line_end = random.pick(&["\n", "\n", "\r\n"]);
    let unit = random.pick(&[None, None, Some("  "), Some("  "), Some("    "), Some("\t")]);
    let colon = if unit.is_some() || random.once_in(2) { ": " } else { ":" };
    let mut text = if random.once_in(12) { "\u{feff}".to_owned() } else { String::new() };
    json_map(random, &mut text, 3, unit.map(|unit| (unit, 0)), (line_end, colon));
    if !random.once_in(4) {
        text.push_str(line_end);
    }
    text
}

type Lines = Option<(&'static str, usize)>;

fn json_map(
    random: &mut Random,
    text: &mut String,
    depth: usize,
    lines: Lines,
    ends: (&str, &str),
) {
    let count = random.below(5);
    let brackets = if depth < 3 && random.once_in(3) { ['[', ']'] } else { ['{', '}'] };
    let comma = if ends.1 == ": " { ", " } else { "," };
    text.push(brackets[0]);
    for nth in 0..count {
        if nth > 0 {
            text.push_str(if lines.is_some() { "," } else { comma });
        }
        if let Some((unit, level)) = lines {
            text.push_str(&format!("{}{}", ends.0, unit.repeat(level + 1)));
        }
        if brackets[0] == '{' {
            text.push_str(&format!("\"k{nth}\"{}", ends.1));
        }
        if depth > 0 && random.once_in(3) {
            json_map(random, text, depth - 1, lines.map(|(unit, level)| (unit, level + 1)), ends);
        } else {
            text.push_str(random.pick(&[
                "1",
                "1.0",
                "-0",
                "1e3",
                "true",
                "null",
                "\"a\"",
                "\"\\u00e9\\n\"",
                "{}",
                "[ ]",
            ]));
        }
    }
    if let Some((unit, level)) = lines.filter(|_| count > 0) {
        text.push_str(&format!("{}{}", ends.0, unit.repeat(level)));
    }
    text.push(brackets[1]);
}
