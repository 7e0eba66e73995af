use super::*;

fn shop() -> Files {
    Files::of(&[
        (
            "Cargo.toml",
            "[package]\nname = \"x\"\n[dependencies]\na = \"1\"\n[[test]]\nname = \"one\"\nharness = true\n[profile.test]\nopt-level = 1\n[profile.dev]\ndebug = true\n[lints.clippy]\nall = \"deny\"\n[workspace]\nmembers = [\"crates/*\", \"more\"]\n",
        ),
        ("src/lib.rs", ""),
        ("tests/one.rs", ""),
        ("tests/two.rs", ""),
        ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
        ("crates/a/src/lib.rs", ""),
        ("crates/a/tests/t.rs", ""),
        ("more/Cargo.toml", "[package]\nname = \"m\"\n"),
        (".cargo/config.toml", "[alias]\nxt = \"test -q\"\n[net]\nretry = 1\n[build]\njobs = 1\n"),
        (".config/nextest.toml", "[profile.default]\nretries = 0\n[profile.ci]\nretries = 1\n"),
    ])
}

#[test]
fn honest_edits_are_free() {
    let test = "cargo test --quiet";
    all_free(
        &shop(),
        &[
            (test, "Cargo.toml", "a = \"1\"", "a = \"2\"\nb = { version = \"1\" }"),
            (test, "Cargo.toml", "", "[features]\nx = []\n"),
            (
                test,
                "Cargo.toml",
                "[profile.test]",
                "[[test]]\nname = \"new\"\nharness = false\n[profile.test]",
            ),
            (
                test,
                "Cargo.toml",
                "[profile.test]",
                "[[bin]]\nname = \"new\"\npath = \"x.rs\"\n[profile.test]",
            ),
            (test, "Cargo.toml", "\"more\"", "\"more\", \"other\""),
            (test, "Cargo.toml", "debug = true", "debug = false"),
            (test, "Cargo.toml", "all = \"deny\"", "all = \"warn\""),
            (test, "tests/new.rs", "", "#[test]\nfn x() {}\n"),
            (test, "crates/new/Cargo.toml", "", "[package]\nname = \"n\"\nautotests = false\n"),
            (test, "crates/a/Cargo.toml", "\"a\"\n", "\"a\"\n[dependencies]\nx = \"1\"\n"),
            (test, ".cargo/config.toml", "retry = 1", "retry = 2"),
            (test, ".cargo/config.toml", "[net]", "b = \"build\"\n[net]"),
            (test, ".config/nextest.toml", "retries = 0", "retries = 9"),
            (test, "build.rs", "", "fn main() {}"),
            (test, "Cargo.lock", "", "x"),
            ("cargo nextest run", ".config/nextest.toml", "retries = 1", "retries = 9"),
        ],
    );
}

#[test]
fn weaker_targets_and_profiles_are_named() {
    let test = "cargo test";
    all_named(
        &shop(),
        &[
            (
                (test, "Cargo.toml", "name = \"x\"", "name = \"x\"\nautotests = false"),
                "Cargo.toml#package.autotests",
            ),
            ((test, "Cargo.toml", "harness = true", "harness = false"), "Cargo.toml#test.one"),
            ((test, "Cargo.toml", "harness = true", "test = false"), "Cargo.toml#test.one"),
            (
                (test, "Cargo.toml", "harness = true", "harness = true\npath = \"x.rs\""),
                "Cargo.toml#test.one",
            ),
            (
                (test, "Cargo.toml", "[profile.test]", "[lib]\ntest = false\n[profile.test]"),
                "Cargo.toml#lib",
            ),
            (
                (
                    test,
                    "Cargo.toml",
                    "[profile.test]",
                    "[[test]]\nname = \"two\"\nharness = false\n[profile.test]",
                ),
                "Cargo.toml#test.two",
            ),
            (
                (test, "Cargo.toml", "opt-level = 1", "debug-assertions = false"),
                "Cargo.toml#profile.test",
            ),
            (
                (test, "Cargo.toml", "debug = true", "debug-assertions = false"),
                "Cargo.toml#profile.dev",
            ),
            ((test, "Cargo.toml", ", \"more\"", ""), "Cargo.toml#workspace.members.more"),
            (
                (test, "Cargo.toml", "members", "exclude = [\"crates/a\"]\nmembers"),
                "Cargo.toml#workspace.exclude",
            ),
            (
                (test, "crates/a/Cargo.toml", "\"a\"\n", "\"a\"\nautotests = false\n"),
                "crates/a/Cargo.toml#package.autotests",
            ),
            (
                (
                    test,
                    "crates/a/Cargo.toml",
                    "\"a\"\n",
                    "\"a\"\n[[test]]\nname = \"t\"\ntest = false\n",
                ),
                "crates/a/Cargo.toml#test.t",
            ),
            (
                (
                    test,
                    ".cargo/config.toml",
                    "",
                    "[target.x86_64-unknown-linux-gnu]\nrunner = \"true\"\n",
                ),
                ".cargo/config.toml#target",
            ),
            (
                (test, ".cargo/config.toml", "jobs = 1", "rustflags = []"),
                ".cargo/config.toml#build",
            ),
            ((test, ".cargo/config", "", "[build]\njobs = 2\n"), ".cargo/config#build"),
            (("cargo xt", ".cargo/config.toml", "test -q", "build"), ".cargo/config.toml#alias.xt"),
            (
                ("cargo xt", "Cargo.toml", "harness = true", "harness = false"),
                "Cargo.toml#test.one",
            ),
            (
                ("cargo nextest run", ".config/nextest.toml", "retries = 0", "retries = 9"),
                ".config/nextest.toml#profile.default",
            ),
            (
                ("cargo nextest run -P ci", ".config/nextest.toml", "retries = 1", "retries = 9"),
                ".config/nextest.toml#profile.ci",
            ),
            (
                ("cargo clippy", "Cargo.toml", "\"deny\"", "\"allow\""),
                "Cargo.toml#lints.clippy.all",
            ),
            (("cargo clippy", "clippy.toml", "", "x = 1"), "clippy.toml#is there, clippy.toml#x"),
            (
                (test, "Cargo.toml", "[package]", "[package"),
                "Cargo.toml, Cargo.toml#profile.test, Cargo.toml#test.one, Cargo.toml#workspace.members.crates/*, Cargo.toml#workspace.members.more",
            ),
        ],
    );
}

#[test]
fn a_feature_that_is_no_longer_on_is_named() {
    let features = "[features]\ndefault = [\"full\", \"dep:a\"]\nfull = [\"net\", \"a/std\"]\nnet = []\nslow = []\n";
    let shop = shop().edited("Cargo.toml", "", features);
    let test = "cargo test";
    all_named(
        &shop,
        &[
            (
                (test, "Cargo.toml", "[\"full\", \"dep:a\"]", "[]"),
                "Cargo.toml#features.default full, Cargo.toml#features.default net",
            ),
            ((test, "Cargo.toml", "[\"net\", \"a/std\"]", "[]"), "Cargo.toml#features.default net"),
        ],
    );
    all_free(
        &shop,
        &[
            (test, "Cargo.toml", "\"dep:a\"]", "\"slow\"]"),
            (test, "Cargo.toml", ", \"a/std\"", ""),
            (test, "Cargo.toml", "slow = []\n", ""),
            ("cargo test --all-features", "Cargo.toml", "[\"net\", \"a/std\"]", "[]"),
        ],
    );
}

#[test]
fn another_toolchain_is_named() {
    let file = "rust-toolchain.toml";
    let project = shop();
    let pinned = project.with(file, "[toolchain]\nchannel = \"1.90\"\ncomponents = [\"clippy\"]\n");
    let test = "cargo test";
    all_free(
        &pinned,
        &[
            (test, file, "[\"clippy\"]", "[\"clippy\", \"rustfmt\"]"),
            (test, file, "", "profile = \"minimal\"\ntargets = [\"wasm32-wasip1\"]\n"),
            (test, file, "1.90\"", "1.90\" # the newest"),
            ("cargo +1.90 test", file, "1.90", "1.40"),
        ],
    );
    all_named(
        &project,
        &[
            (
                (test, file, "", "[toolchain]\npath = \"fake\"\n"),
                "rust-toolchain.toml#toolchain.path",
            ),
            (
                (test, file, "", "[toolchain]\nchannel = \"1.40\"\n"),
                "rust-toolchain.toml#toolchain.channel",
            ),
            ((test, "rust-toolchain", "", "nightly\n"), "rust-toolchain#toolchain.channel"),
            (
                ("cargo clippy", "rust-toolchain", "", "[toolchain]\npath = \"x\"\n"),
                "rust-toolchain#toolchain.path",
            ),
        ],
    );
    all_named(&pinned, &[((test, file, "1.90", "1.40"), "rust-toolchain.toml#toolchain.channel")]);
    let own =
        project.with(file, "[toolchain]\npath = \"own\"\n").with("own/bin/cargo", "#!/bin/sh\n");
    all_named(&own, &[((test, "own/bin/cargo", "", "exit\n"), "own/bin/cargo")]);
}
