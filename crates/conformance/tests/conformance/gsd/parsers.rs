//! The original's parsers on single texts.

use std::path::Path;

use sprag_conformance::{Tally, as_list, as_text, field, read};
use sprag_core::Plain;
use sprag_core::gsd::{QuirkReader, Reading, Window, stuck};
use sprag_formats::gsd::{
    FrontMatter, Summary, context, plan as read_plan, requirements, roadmap, slices, task_files,
    verdict,
};

use super::{Answer, outcome, plain};

/// Runs the cases of a file, one per line.
pub(super) fn hold(file: &Path, tally: &mut Tally) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|bad| format!("{}: {bad}", file.display()))?;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case = read(line).map_err(|bad| format!("{}: {bad}", file.display()))?;
        let name = as_text(field(&case, "name")).unwrap_or_default();
        let parser = as_text(field(&case, "fn")).unwrap_or_default();
        let input = field(&case, "input");
        let found = outcome(field(&case, "output"), |reading| answer(parser, input, reading));
        tally.add("parsers", &format!("{parser} {name}"), found);
    }
    Ok(())
}

fn answer(parser: &str, input: &Plain, reading: Reading) -> Option<Answer> {
    let mut reader = QuirkReader::new(reading);
    let text = as_text(input).unwrap_or_default();
    let value = match parser {
        "parseRoadmap" => plain(&roadmap(text, &mut reader)),
        "parseRoadmap.slices" => plain(&slices(text, &mut reader).1),
        "parsePlan" => plain(&read_plan(text, &mut reader)),
        "parseSummary" => summary(&Summary::read(text, &mut reader)),
        "parseFrontmatterMap" => FrontMatter::read(text, &mut reader)
            .map_or(Plain::Null, |head| Plain::Map(head.entries)),
        "extractVerdict" => verdict(text, &mut reader).map_or(Plain::Null, Plain::from),
        "parseContextDependsOn" => plain(&context(text, &mut reader).depends_on),
        "parseRequirementCounts" => plain(&requirements(text)),
        "parseTaskPlanIO" => task_plan(text),
        "detectStuck" => window(input),
        _ => return None,
    };
    let quirks = reader.into_notes().into_iter().map(|(quirk, _)| quirk).collect();
    Some(Answer { value, quirks })
}

fn task_plan(text: &str) -> Plain {
    let files = task_files(text);
    Plain::map([("inputFiles", plain(&files.inputs)), ("outputFiles", plain(&files.outputs))])
}

fn window(input: &Plain) -> Plain {
    let text = |one: &Plain, key: &str| as_text(field(one, key)).map(str::to_owned);
    let one = |one: &Plain| Window {
        key: text(one, "key").unwrap_or_default(),
        error: text(one, "error"),
    };
    let all: Vec<Window> = as_list(input).iter().map(one).collect();
    stuck(&all).map_or(Plain::Null, |reason| {
        Plain::map([("stuck", Plain::Bool(true)), ("reason", reason.into())])
    })
}

fn summary(read: &Summary) -> Plain {
    let list = |items: &[Plain]| Plain::List(items.to_vec());
    let text = |text: &str| Plain::from(text);
    let requires = read
        .requires
        .iter()
        .map(|one| Plain::map([("slice", text(&one.slice)), ("provides", text(&one.provides))]));
    let files = read.files_modified.iter().map(|one| {
        Plain::map([("path", text(&one.path)), ("description", text(&one.description))])
    });
    let head = Plain::map([
        ("id", text(&read.id)),
        ("parent", text(&read.parent)),
        ("milestone", text(&read.milestone)),
        ("provides", list(&read.provides)),
        ("requires", Plain::List(requires.collect())),
        ("affects", list(&read.affects)),
        ("key_files", list(&read.key_files)),
        ("key_decisions", list(&read.key_decisions)),
        ("patterns_established", list(&read.patterns_established)),
        ("drill_down_paths", list(&read.drill_down_paths)),
        ("observability_surfaces", list(&read.observability_surfaces)),
        ("duration", text(&read.duration)),
        ("verification_result", text(&read.verification_result)),
        ("completed_at", text(&read.completed_at)),
        ("blocker_discovered", Plain::Bool(read.blocker_discovered)),
    ]);
    Plain::map([
        ("frontmatter", head),
        ("title", text(&read.title)),
        ("oneLiner", text(&read.one_liner)),
        ("whatHappened", text(&read.what_happened)),
        ("deviations", text(&read.deviations)),
        ("filesModified", Plain::List(files.collect())),
        ("followUps", text(&read.follow_ups)),
        ("knownLimitations", text(&read.known_limitations)),
    ])
}
