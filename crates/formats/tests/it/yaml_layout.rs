//! Comments, blank lines and indentation around an edit: specs/yaml-editing.md, part G.

use sprag_formats::Value;

use crate::support::{yaml_remove, yaml_set};

#[test]
fn comments_stay_where_they_were() {
    let text = "a:\n  b: 1 # one\n\n  # trailing\n\n# about c\nc: 2\n# the end\n";
    assert_eq!(
        yaml_set(text, &["a", "x"], 1),
        "a:\n  b: 1 # one\n  x: 1\n\n  # trailing\n\n# about c\nc: 2\n# the end\n"
    );
    assert_eq!(
        yaml_set(text, &["x"], 1),
        "a:\n  b: 1 # one\n\n  # trailing\n\n# about c\nc: 2\n# the end\nx: 1\n"
    );
    assert_eq!(
        yaml_remove(text, &["c"]),
        "a:\n  b: 1 # one\n\n  # trailing\n\n# about c\n# the end\n"
    );
}

#[test]
fn emptied_collections_are_brackets() {
    assert_eq!(yaml_remove("a:\n  b: 1\nc: 2\n", &["a", "b"]), "a: {}\nc: 2\n");
    assert_eq!(yaml_remove("a: # c\n  # d\n  b: 1\n", &["a", "b"]), "a: {} # c\n  # d\n");
    assert_eq!(yaml_remove("a:\n- 1\nc: 2\n", &["a", "0"]), "a: []\nc: 2\n");
    assert_eq!(yaml_remove("- b: 1\n- 2\n", &["0", "b"]), "- {}\n- 2\n");
    assert_eq!(yaml_remove("b: 1\n", &["b"]), "{}\n");
    assert_eq!(yaml_remove("a: &x\n  b: 1\n", &["a", "b"]), "a: &x {}\n");
}

#[test]
fn entries_beside_a_dash_go_alone() {
    assert_eq!(yaml_remove("- a: 1\n  b: 2\n", &["0", "a"]), "- b: 2\n");
    assert_eq!(yaml_remove("- a: 1 # x\n  # y\n  b: 2\n", &["0", "a"]), "-\n  # y\n  b: 2\n");
    assert_eq!(yaml_remove("- - 1\n  - 2\n- 3\n", &["0", "0"]), "- - 2\n- 3\n");
    assert_eq!(yaml_remove("- 1\n# c\n- 2\n", &["0"]), "# c\n- 2\n");
}

#[test]
fn indentation_is_that_of_the_file() {
    let nested = || Value::map([("x", Value::list([Value::map([("z", 1)])]))]);
    assert_eq!(
        yaml_set("a:\n    b: 1\nl:\n- 1\n", &["m"], nested()),
        "a:\n    b: 1\nl:\n- 1\nm:\n    x:\n    - z: 1\n"
    );
    assert_eq!(
        yaml_set("a:\n  b:\n    - 1\n", &["m"], nested()),
        "a:\n  b:\n    - 1\nm:\n  x:\n    - z: 1\n"
    );
}

#[test]
fn brackets_keep_their_commas() {
    assert_eq!(yaml_remove("{a: 1, b: 2}\n", &["a"]), "{b: 2}\n");
    assert_eq!(yaml_remove("{a: 1, b: 2}\n", &["b"]), "{a: 1}\n");
    assert_eq!(yaml_remove("a: [1, ]\n", &["a", "0"]), "a: [ ]\n");
    assert_eq!(yaml_remove("a: [ 1, # x\n  2 ]\n", &["a", "1"]), "a: [ 1, # x\n   ]\n");
    assert_eq!(yaml_set("a: [1,2]\n", &["a", "2"], "x, y"), "a: [1,2,\"x, y\"]\n");
    assert_eq!(yaml_set("a: {b, c: }\n", &["a", "b"], 1), "a: {b: 1, c: }\n");
    assert_eq!(yaml_set("a: {b, c: }\n", &["a", "c"], 1), "a: {b, c: 1 }\n");
    assert_eq!(yaml_set("a: [\n  1\n]\n", &["a", "1"], 2), "a: [\n  1,\n  2\n]\n");
}

#[test]
fn block_scalars_are_not_touched_by_their_neighbours() {
    let text = "t: |\n  abc\nloop:\n  a: 1\n  # inner\nz: 1\n";
    assert_eq!(yaml_remove(text, &["loop"]), "t: |\n  abc\nz: 1\n");
    assert_eq!(yaml_remove("t: |\n  abc\nk: v", &["k"]), "t: |\n  abc\n");
    assert_eq!(yaml_remove("a: 1\nk: v", &["k"]), "a: 1");
}

#[test]
fn blank_lines_do_not_fall_to_a_text_that_keeps_them() {
    let text = |header: &str| format!("t: {header}\n  abc\nk: 1\n\n \nz: 2\n");
    for header in ["|+", ">+", "&a |2+", "|+ # all"] {
        let want = format!("t: {header}\n  abc\nz: 2\n");
        assert_eq!(yaml_remove(&text(header), &["k"]), want);
    }
    for header in ["|", ">-", "| # c + d"] {
        let want = format!("t: {header}\n  abc\n\n \nz: 2\n");
        assert_eq!(yaml_remove(&text(header), &["k"]), want);
    }
}

#[test]
fn blanks_at_the_end_of_a_block_scalar_are_its_own() {
    for blanks in [" ", "\t", "  \t", "\n     ", "\n     \n\n    \t"] {
        let text = format!("a: |\n  one\n  two{blanks}\nb: 1\n");
        assert_eq!(yaml_set(&text, &["a"], "three\n"), "a: |\n  three\nb: 1\n", "{text:?}");
        assert_eq!(yaml_set(&text, &["a"], 5), "a: 5\nb: 1\n", "{text:?}");
        assert_eq!(yaml_remove(&text, &["a"]), "b: 1\n", "{text:?}");
        assert_eq!(yaml_remove(&text, &["b"]), text.strip_suffix("b: 1\n").unwrap(), "{text:?}");
    }
    // The header means that two of these blanks are indentation.
    let text = "a: |2\n    one\n   \nb: 1\n";
    assert_eq!(yaml_set(text, &["a"], "two\n"), "a: |\n    two\nb: 1\n");
    let text = "a: |4\n    one\n   \nb: 1\n";
    assert_eq!(yaml_set(text, &["a"], "two\n"), "a: |\n    two\n   \nb: 1\n");
}

#[test]
fn lines_behind_a_removed_key_do_not_fall_to_a_block_scalar() {
    for (behind, left) in [
        ("  \n", "  \n"),
        ("   \n", ""),
        ("\n    \n\n", "\n"),
        ("  # deep\n", ""),
        (" # not so deep\n", " # not so deep\n"),
        ("# mine\n  # mine too\n", "# mine\n  # mine too\n"),
    ] {
        let text = format!("a: |\n  one\nb: 1\n{behind}c: 2\n");
        assert_eq!(yaml_remove(&text, &["b"]), format!("a: |\n  one\n{left}c: 2\n"), "{text:?}");
    }
}

#[test]
fn a_new_text_of_several_lines_is_quoted_where_a_block_scalar_would_take_what_follows() {
    let list = || Value::list(["one\ntwo"]);
    let (block, quoted) = ("\n  - |-\n    one\n    two", "\n  - \"one\\ntwo\"");
    for (rest, wanted) in [
        ("\n", block),
        ("\n\n", block),
        ("\n# note\n", block),
        ("\n      \n", quoted),
        ("\n      # note\n", quoted),
        ("", quoted),
    ] {
        let text = format!("a: 1{rest}");
        assert_eq!(yaml_set(&text, &["a"], list()), format!("a:{wanted}{rest}"), "{text:?}");
    }
    assert_eq!(yaml_set("{} # note\n", &["a"], list()), format!("a:{quoted} # note\n"));
    assert_eq!(yaml_set("- [] \n", &["0", "0"], "one\ntwo"), "- - \"one\\ntwo\" \n");
    assert_eq!(yaml_set("a: 1\n     \n", &["b"], list()), format!("a: 1\nb:{quoted}\n     \n"));
    assert_eq!(yaml_set("a: 1", &["b"], list()), format!("a: 1\nb:{quoted}"));
    assert_eq!(yaml_set("", &["b"], list()), format!("b:{block}\n"));
}
