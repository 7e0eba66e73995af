use super::*;

fn settings(yaml: &str) -> (Settings, Vec<String>) {
    let (settings, warnings) = read(&format!("---\n{yaml}---\n")).unwrap();
    (settings, warnings.into_iter().map(|warning| warning.key).collect())
}

#[test]
fn what_is_not_said_has_its_default() {
    for text in ["", "---\n---\n", "# no head\n", "---\nmode: interactive\n---\n"] {
        assert_eq!(read(text).unwrap(), (Settings::default(), vec![]), "{text:?}");
    }
    assert_eq!(settings("loop:\nci:\n"), (Settings::default(), vec![]));
}

#[test]
fn a_bad_value_takes_its_default_and_a_bad_auto_loop_switches_off() {
    let (found, keys) = settings(
        "mode: fast\nchecks: {run: sometimes}\nci: {test: 5, lint: '', build: make}\n\
         loop: {execute_max_retries: -1, verify_max_iterations: many, auto_loop: maybe,\n\
         \x20 unowned: steal, max_wall_clock: long, no_progress_limit: 0, max_parallel: \"04\"}\n",
    );
    let expected = Settings {
        auto_loop: false,
        no_progress_limit: 1,
        max_parallel: Some(4),
        ci: vec![(CiStage::Build, "make".to_owned())],
        ..Settings::default()
    };
    assert_eq!(found, expected);
    assert_eq!(
        keys,
        [
            "mode",
            "checks.run",
            "ci.test",
            "loop.execute_max_retries",
            "loop.verify_max_iterations",
            "loop.max_parallel",
            "loop.max_wall_clock",
            "loop.unowned",
            "loop.auto_loop",
        ]
    );
    assert_eq!(
        settings("loop: 5\n"),
        (Settings { auto_loop: false, ..Settings::default() }, vec!["loop".to_owned()])
    );
}

#[test]
fn ci_runs_in_its_own_order() {
    let (found, keys) =
        settings("ci: {e2e: z, build: a, package_manager: npm, test: b, lint: null}\n");
    let stages: Vec<_> = found.ci.iter().map(|(stage, _)| stage.as_str()).collect();
    assert_eq!((stages, keys), (vec!["test", "build", "e2e"], vec![]));
}

#[test]
fn times_are_lengths_or_seconds() {
    let wall =
        |text: &str| settings(&format!("loop: {{max_wall_clock: {text}}}\n")).0.max_wall_clock;
    assert_eq!(
        (wall("2h"), wall("90"), wall("1d"), wall("90d")),
        (Some(7_200_000), Some(90_000), Some(86_400_000), None)
    );
}

#[test]
fn only_a_head_that_is_no_yaml_is_unreadable() {
    for text in
        ["---\nmode: [\n---\n", "---\nmode: a\nmode: b\n---\n", "---\nmode: a\n", "---\n- a\n---\n"]
    {
        assert!(read(text).is_err(), "{text:?}");
    }
}
