//! Options that only change what a runner prints.

/// The options of one runner.
#[derive(Debug)]
pub struct OutputOptions {
    pub names: &'static [&'static str],
    /// Options without a value.
    pub flags: &'static [&'static str],
    /// Options with a value, in the same word after `=` or in the next one.
    pub valued: &'static [&'static str],
}

const fn of(
    names: &'static [&'static str],
    flags: &'static [&'static str],
    valued: &'static [&'static str],
) -> OutputOptions {
    OutputOptions { names, flags, valued }
}

const OUTPUT: [OutputOptions; 10] = [
    of(
        &["pytest", "py.test"],
        &[
            "-v",
            "-vv",
            "-vvv",
            "--verbose",
            "-q",
            "-qq",
            "--quiet",
            "-s",
            "-l",
            "--showlocals",
            "--no-header",
            "--no-summary",
            "-ra",
            "-rA",
            "-rs",
            "-rx",
        ],
        &["--color", "--durations", "--durations-min", "--show-capture", "--tb", "--verbosity"],
    ),
    of(&["unittest"], &["-v", "--verbose", "-q", "--quiet"], &[]),
    of(
        &["jest"],
        &["--verbose", "--silent", "--color", "--colors", "--no-color", "--no-colors"],
        &[],
    ),
    of(&["mocha"], &["--color", "--colors", "--no-color", "--no-colors"], &[]),
    of(
        &["cargo"],
        &[
            "-q",
            "--quiet",
            "-v",
            "-vv",
            "--verbose",
            "--nocapture",
            "--no-capture",
            "--show-output",
        ],
        &["--color"],
    ),
    of(&["go"], &["-v"], &[]),
    of(&["rspec"], &["--color", "--no-color", "--colour"], &[]),
    of(&["phpunit"], &["-v", "--verbose", "--colors", "--testdox"], &[]),
    of(&["mvn", "mvnw"], &["-q", "--quiet", "-B", "--batch-mode", "-ntp"], &[]),
    of(&["ctest"], &["-V", "-VV", "--verbose", "--output-on-failure"], &[]),
];

/// Returns the options by which a runner only prints more or less.
pub fn output_options(runner: &str) -> Option<&'static OutputOptions> {
    OUTPUT.iter().find(|one| one.names.contains(&runner))
}
