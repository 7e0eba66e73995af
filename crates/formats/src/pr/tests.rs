use sprag_core::pr::{Comment, Metadata, Prompts, Pull, PullRecord, ReviewTurn};
use sprag_core::review::Threshold;

use super::*;
use crate::Document;

const NOW: &str = "2026-11-15T12:00:00Z";

const FILE: &str = "# ours\r\npr: 9   # the number\r\nauthor: 12345\r\nturn: AUTHOR\r\napproved: \
                    true\r\nlatestCommit: 5555555555555555555555555555555555555555\r\nreviewCount: \
                    1\r\nx-team: {a: 1} # keep\r\nreviewLoop:\r\n  active: true # on\r\n  \
                    maxRounds: 3\r\n  pausedAt: ~\r\n  reviewer: r\r\n  developer: d\r\n  own: [1]\r\n";

fn after(text: &str, splices: &[sprag_core::Splice]) -> String {
    sprag_core::apply(text, splices).unwrap()
}

fn known(text: &str) -> PullRecord {
    match MetadataFile::parse(text).unwrap().metadata() {
        Metadata::Known(known) => (**known).clone(),
        other @ (Metadata::Missing | Metadata::Failed { .. } | Metadata::NoPr) => {
            panic!("{other:?}")
        }
    }
}

fn fetched(found: ForgeMatch) -> Fetched {
    let (branch, worktree) = ("fix/issue-41-x".to_owned(), "/w".to_owned());
    Fetched { found, branch, worktree, now: NOW.to_owned() }
}

fn pull(head: &str) -> Pull {
    let review = Comment {
        id: Some("R1".into()),
        body: "# Round 2\n\nVERDICT: issues: yes".into(),
        at: Some("2026-01-01T00:00:00Z".into()),
        ..Comment::default()
    };
    Pull {
        number: 9,
        author: Some("12345".into()),
        reviews: vec![review],
        review_count: 2,
        head: Some(head.into()),
        ..Pull::default()
    }
}

#[test]
fn a_commit_of_digits_is_a_text() {
    let known = known(FILE);
    assert_eq!(known.pull.head.as_deref(), Some("5555555555555555555555555555555555555555"));
    assert_eq!(known.pull.author.as_deref(), Some("12345"));
    assert_eq!(known.review_loop.unwrap().paused_at, None);
}

#[test]
fn nothing_changed_changes_no_byte() {
    let file = MetadataFile::parse(FILE).unwrap();
    assert_eq!(file.edit(&known(FILE), NOW).unwrap(), []);
}

#[test]
fn one_value_changes_one_line_and_says_when() {
    let mut wanted = known(FILE);
    wanted.review_loop.as_mut().unwrap().paused_at = Some(NOW.into());
    let file = MetadataFile::parse(FILE).unwrap();
    let text = after(FILE, &file.edit(&wanted, NOW).unwrap());
    let expected = FILE.replace("pausedAt: ~", &format!("pausedAt: \"{NOW}\""));
    assert_eq!(text, format!("{expected}updatedAt: \"{NOW}\"\r\n"));
    assert_eq!(known(&text), wanted);
}

#[test]
fn a_refresh_keeps_the_loop_the_approval_and_what_others_wrote() {
    let file = MetadataFile::parse(FILE).unwrap();
    let head = known(FILE).pull.head.unwrap();
    let text =
        after(FILE, &file.refresh(&fetched(ForgeMatch::Pull(Box::new(pull(&head))))).unwrap());
    let now = known(&text);
    assert!(now.approved, "the commit is the same");
    assert_eq!(now.review_loop, known(FILE).review_loop);
    assert_eq!(now.turn.as_deref(), Some(ReviewTurn::AUTHOR), "the spelling is the file's");
    assert_eq!(now.pull, pull(&head));
    for kept in
        ["# ours\r\n", "9   # the number", "x-team: {a: 1} # keep", "  own: [1]", "true # on"]
    {
        assert!(text.contains(kept), "{kept}\n{text}");
    }
    assert!(text.contains("linkedIssue: 41") && text.contains("createdAt: \"2026"), "{text}");
    let again = MetadataFile::parse(&text).unwrap();
    let same = fetched(ForgeMatch::Pull(Box::new(pull(&head))));
    assert_eq!(again.refresh(&same).unwrap(), [], "a second look at the same writes nothing");
    let moved = again.refresh(&fetched(ForgeMatch::Pull(Box::new(pull("bbb"))))).unwrap();
    assert!(!known(&after(&text, &moved)).approved);
}

#[test]
fn a_file_of_a_failed_or_empty_look_becomes_one_of_a_pull_request() {
    for text in [
        "error: true\nmessage: gh is away\ntimestamp: \"t\"\nx: 1 # mine\n",
        "pr: null\nnoPr: true\nmessage: none\ntimestamp: \"t\"\nx: 1 # mine\n",
    ] {
        let file = MetadataFile::parse(text).unwrap();
        let found =
            after(text, &file.refresh(&fetched(ForgeMatch::Pull(Box::new(pull("a"))))).unwrap());
        assert_eq!(known(&found).pull, pull("a"));
        assert!(found.contains("x: 1 # mine\n"), "{found}");
        let file = MetadataFile::parse(&found).unwrap();
        let none = after(&found, &file.refresh(&fetched(ForgeMatch::None)).unwrap());
        assert_eq!(*MetadataFile::parse(&none).unwrap().metadata(), Metadata::NoPr);
    }
}

#[test]
fn a_new_file_says_what_the_forge_says() {
    let text = fetched(ForgeMatch::Pull(Box::new(pull("a")))).new_file();
    assert_eq!(known(&text).pull, pull("a"));
    assert_eq!(known(&text).turn.as_deref(), Some("RESPONSE"));
    let none = fetched(ForgeMatch::None).new_file();
    assert!(none.contains("No open PR found for branch: fix/issue-41-x"), "{none}");
}

#[test]
fn issues_are_found_in_branches() {
    for (branch, issue) in [
        ("fix/issue-41-x", Some(41)),
        ("a#7", Some(7)),
        ("feat/12-x", Some(12)),
        ("feat/12x", None),
        ("feat/v2/3-y", Some(3)),
        ("issue-", None),
        ("main", None),
    ] {
        assert_eq!(linked_issue(branch), issue, "{branch}");
    }
}

#[test]
fn a_wrong_value_is_a_fault_with_its_place() {
    let fault = MetadataFile::parse("pr: 1\nreviewLoop:\n  active: maybe\n").unwrap_err();
    assert_eq!(fault.place.line, 3, "{fault}");
    let fault = MetadataFile::parse("pr: 1\nresolveLevel: some\n").unwrap_err();
    assert_eq!(fault.place.line, 2, "{fault}");
}

#[test]
fn fields_go_by_dotted_paths_and_values_are_data() {
    let file = MetadataFile::parse(FILE).unwrap();
    assert_eq!(read_field(&file, "reviewLoop.own").unwrap(), "[1]");
    assert_eq!(read_field(&file, ".reviewLoop.own[0]").unwrap(), "1");
    assert_eq!(read_field(&file, "nothing.here").unwrap(), "null");
    let hostile = "\"x\\\" | .approved = true\"";
    let text = after(FILE, &update_field(&file, "a.b", hostile, NOW).unwrap());
    let file = MetadataFile::parse(&text).unwrap();
    assert_eq!(read_field(&file, "a.b").unwrap(), hostile);
    let text = after(&text, &remove_field(&file, "x-team", NOW).unwrap());
    assert!(!text.contains("x-team") && text.contains("# the number"), "{text}");
    let file = MetadataFile::parse(FILE).unwrap();
    assert!(matches!(update_field(&file, "turn", "REVIEW", NOW), Err(BadField::Value(_))));
    assert!(matches!(read_field(&file, "a..b"), Err(BadField::Path(_))));
}

#[test]
fn prompts_are_read_added_to_and_kept() {
    let text = "# p\nreviewer: |\n  Be strict.\nciChecker: \"\"\nmine: 1\n";
    let prompts = read_prompts(text).unwrap();
    let expected = Prompts { reviewer: Some("Be strict.\n".into()), ..Prompts::default() };
    assert_eq!(prompts, expected);
    let given = Prompts { developer: Some("Go.".into()), no_handing_over: true, ..expected };
    let edited = after(text, &edit_prompts(text, &given).unwrap());
    assert_eq!(read_prompts(&edited).unwrap(), given);
    assert!(edited.starts_with(text), "{edited}");
    assert_eq!(read_prompts(&new_prompts(&given)).unwrap(), given);
    assert_eq!(read_prompts("").unwrap(), Prompts::default());
}

#[test]
fn what_was_typed_wins_over_the_file_and_that_over_the_loop() {
    let text = "version: 1\nreviewer: from-file\nmaxRounds: 7\napprovalThreshold: odd\nx: 1\n";
    let (file, notes) = LoopConfig::read(text).unwrap();
    assert_eq!((file.level, notes.len()), (Some(Threshold::All), 2));
    let mut typed = LoopConfig { max_rounds: Some(2), ..LoopConfig::default() };
    typed.agents[1] = Some("typed".into());
    let merged = typed.over(file).over(LoopConfig::of(&known(FILE)));
    let begun = merged.begin(NOW).unwrap();
    assert_eq!(begun.reviewer.as_deref(), Some("from-file"));
    assert_eq!((begun.developer.as_deref(), begun.max_rounds), (Some("typed"), 2));
    assert!(LoopConfig::default().begin(NOW).is_err());
    assert!(LoopConfig::read("version: 2\n").is_err());
    assert!(LoopConfig::read("reviewer: x\n").is_err());
    assert!(Document::parse(crate::Format::Yaml, text).is_ok());
}
