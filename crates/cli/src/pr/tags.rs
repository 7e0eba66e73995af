//! Parses arguments as other tools' templates write them: `<reviewer>ann</reviewer>`, and a folder.

use std::path::PathBuf;

use sprag_core::pr::TurnRole;
use sprag_core::review::Threshold;

use crate::args::pr::LoopOptions;

/// The contents of the words after a subcommand.
#[derive(Clone, Debug, Default)]
pub(super) struct TagWords {
    pub(super) worktree: Option<PathBuf>,
    pub(super) given: LoopOptions,
}

/// Returns whether a word can only be a folder; a field such as `.turn` is none.
pub(super) fn is_folder(word: &str) -> bool {
    let bytes = word.as_bytes();
    let drive = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(1) == Some(&b':')
        && matches!(bytes.get(2), Some(b'/' | b'\\'));
    matches!(word, "." | "..")
        || ["./", "../", "/", ".\\", "..\\"].iter().any(|start| word.starts_with(start))
        || drive
}

/// Converts a folder to this system's form: `D:\x` in the original's scripts is `/d/x`.
pub(super) fn folder(word: &str) -> PathBuf {
    match word.split_at_checked(2) {
        Some((drive, rest)) if drive.ends_with(':') && is_folder(word) => {
            let drive = drive.trim_end_matches(':').to_ascii_lowercase();
            format!("/{drive}{}", rest.replace('\\', "/")).into()
        }
        Some(_) | None => word.into(),
    }
}

/// Parses the words after a subcommand.
pub(super) fn read(words: &[String]) -> Result<TagWords, String> {
    let mut said = TagWords::default();
    let mut words = words;
    if let Some((first, rest)) = words.split_first().filter(|(first, _)| is_folder(first)) {
        said.worktree = Some(folder(first));
        words = rest;
    }
    let text = words.join(" ");
    let mut rest = text.trim();
    while !rest.is_empty() {
        let wrong = || format!("`{}` is neither a folder nor `<name>value</name>`", escaped(rest));
        let (name, after) =
            rest.strip_prefix('<').and_then(|rest| rest.split_once('>')).ok_or_else(wrong)?;
        let (value, after) = after.split_once(&format!("</{name}>")).ok_or_else(wrong)?;
        // Both are what a template without a value leaves behind.
        let value = value.trim();
        if !matches!(value, "" | "null") && !value.starts_with('$') {
            take(&mut said, name, value)?;
        }
        rest = after.trim_start();
    }
    Ok(said)
}

fn escaped(text: &str) -> String {
    sprag_core::prompt::short(text, 60).escape_debug().to_string()
}

fn take(said: &mut TagWords, name: &str, value: &str) -> Result<(), String> {
    let text = || Some(value.to_owned());
    let given = &mut said.given;
    for (at, part) in TurnRole::ALL.into_iter().enumerate() {
        if name == part.as_str() {
            *given.agents_mut()[at] = text();
        } else if name.strip_suffix("Prompt") == Some(part.as_str()) {
            *given.prompts_mut()[at] = text();
        }
    }
    match name {
        "worktree" => said.worktree = Some(folder(value)),
        "config" => given.config = Some(folder(value)),
        "noHandingOver" => given.no_handing_over = value == "true",
        "maxRounds" => {
            let number = value.parse().map_err(|_| format!("`{}` is no number", escaped(value)))?;
            given.max_rounds = Some(number);
        }
        "approvalThreshold" => {
            let level = Threshold::parse(value);
            let wrong = || format!("`{}` is none of all, critical, important", escaped(value));
            given.level = Some(level.ok_or_else(wrong)?);
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[&str]) -> Result<TagWords, String> {
        read(&text.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn tags_and_folders_are_read_and_what_a_template_left_is_nothing() {
        let said = words(&[
            "../wt",
            "<reviewer>ann lee</reviewer><developer>null</developer>",
            "<ciFixerPrompt>Be <b>quick</b>.</ciFixerPrompt> <maxRounds>7</maxRounds>",
            "<mode>start</mode><ciChecker>$ciChecker</ciChecker>",
            "<approvalThreshold>critical</approvalThreshold>",
        ]);
        let said = said.unwrap();
        assert_eq!(said.worktree, Some("../wt".into()));
        assert_eq!(said.given.agents(), [Some("ann lee".into()), None, None, None]);
        assert_eq!(said.given.prompts()[3].as_deref(), Some("Be <b>quick</b>."));
        assert_eq!((said.given.max_rounds, said.given.level), (Some(7), Some(Threshold::Critical)));
    }

    #[test]
    fn what_is_neither_is_said() {
        for bad in ["ann", "<reviewer>ann", "<maxRounds>x</maxRounds>", "<a>b</c>"] {
            assert!(words(&[bad]).is_err(), "{bad}");
        }
        assert!(is_folder(".") && is_folder("/x") && is_folder("D:\\x") && !is_folder(".turn"));
        assert_eq!(folder("D:\\a\\b"), PathBuf::from("/d/a/b"));
    }
}
