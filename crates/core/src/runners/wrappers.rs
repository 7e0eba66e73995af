//! Programs that run the command that follows.

/// Where the wrapped command's program is looked up first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BinFolder {
    /// `node_modules/.bin`, here and in the folders above.
    Node,
    /// `.venv/bin` and `venv/bin`.
    Python,
    /// `vendor/bin`.
    Vendor,
}

/// A program that runs the command that follows.
#[derive(Debug)]
pub struct Wrapper {
    /// Its leading words: `env`, `uv run`.
    pub phrase: &'static str,
    /// The options that take a value as the next word.
    pub valued: &'static [&'static str],
    /// The number of its own arguments before the command.
    pub operands: usize,
    pub bin: Option<BinFolder>,
}

const fn plain(phrase: &'static str) -> Wrapper {
    Wrapper { phrase, valued: &[], operands: 0, bin: None }
}

const fn valued(phrase: &'static str, valued: &'static [&'static str]) -> Wrapper {
    Wrapper { phrase, valued, operands: 0, bin: None }
}

const fn after(phrase: &'static str, options: &'static [&'static str], operands: usize) -> Wrapper {
    Wrapper { phrase, valued: options, operands, bin: None }
}

const fn of(phrase: &'static str, options: &'static [&'static str], bin: BinFolder) -> Wrapper {
    Wrapper { phrase, valued: options, operands: 0, bin: Some(bin) }
}

const PACKAGE: &[&str] = &["-p", "--package", "-w", "--workspace", "--filter", "-C", "--dir"];
const ENVIRONMENT: &[&str] =
    &["--with", "--extra", "--group", "-p", "--python", "--directory", "--project", "--env-file"];

/// Every wrapper; the longest matching phrase wins.
const WRAPPERS: &[Wrapper] = &[
    valued("env", &["-u", "--unset", "-C", "--chdir"]),
    plain("command"),
    plain("builtin"),
    valued("exec", &["-a"]),
    plain("nohup"),
    plain("setsid"),
    valued("time", &["-f", "-o"]),
    after("timeout", &["-s", "--signal", "-k", "--kill-after"], 1),
    after("gtimeout", &["-s", "--signal", "-k", "--kill-after"], 1),
    valued("nice", &["-n", "--adjustment"]),
    valued("ionice", &["-c", "-n", "-t"]),
    valued("stdbuf", &["-i", "-o", "-e"]),
    plain("unbuffer"),
    valued("sudo", &["-u", "-g", "-h", "-p", "-C"]),
    valued("doas", &["-u", "-C"]),
    valued("xargs", &["-a", "--arg-file", "-n", "-P", "-I", "-L", "-d", "-s", "-E"]),
    after("flock", &["-w", "-E"], 1),
    valued("strace", &["-o", "-e", "-p", "-s"]),
    plain("busybox"),
    plain("chronic"),
    after("retry", &["-n", "-d", "--times", "--delay"], 0),
    valued(
        "xvfb-run",
        &["-e", "-f", "-n", "-p", "-s", "-w", "--server-args", "--server-num", "--error-file"],
    ),
    plain("dbus-run-session"),
    of("cross-env", &[], BinFolder::Node),
    of("cross-env-shell", &[], BinFolder::Node),
    of("dotenv", &["-e", "-c"], BinFolder::Node),
    of("dotenvx run", &["-f", "--env-file"], BinFolder::Node),
    of("npx", PACKAGE, BinFolder::Node),
    of("npm exec", PACKAGE, BinFolder::Node),
    of("npm x", PACKAGE, BinFolder::Node),
    of("pnpm exec", PACKAGE, BinFolder::Node),
    of("pnpm dlx", PACKAGE, BinFolder::Node),
    of("pnpx", PACKAGE, BinFolder::Node),
    of("yarn exec", PACKAGE, BinFolder::Node),
    of("yarn dlx", PACKAGE, BinFolder::Node),
    of("bunx", PACKAGE, BinFolder::Node),
    of("bun x", PACKAGE, BinFolder::Node),
    of("uv run", ENVIRONMENT, BinFolder::Python),
    of("uvx", ENVIRONMENT, BinFolder::Python),
    of("poetry run", &[], BinFolder::Python),
    of("pipenv run", &[], BinFolder::Python),
    of("pdm run", &["-p", "--project"], BinFolder::Python),
    of("rye run", &[], BinFolder::Python),
    of("hatch run", &[], BinFolder::Python),
    of("conda run", &["-n", "-p", "--name", "--prefix"], BinFolder::Python),
    of("pixi run", &["-e", "--environment", "--manifest-path"], BinFolder::Python),
    of("bundle exec", &[], BinFolder::Vendor),
    of("composer exec", &[], BinFolder::Vendor),
    after("mise exec", &[], 0),
    after("mise x", &[], 0),
    after("direnv exec", &[], 1),
    after("asdf exec", &[], 0),
];

/// Returns the wrapper that these words begin with, and the number of words in its phrase.
pub fn wrapper(words: &[&str]) -> Option<(&'static Wrapper, usize)> {
    let fits = |wrapper: &&Wrapper| {
        let mut phrase = wrapper.phrase.split(' ').zip(words);
        wrapper.phrase.split(' ').count() <= words.len() && phrase.all(|(one, word)| one == *word)
    };
    let length = |wrapper: &Wrapper| wrapper.phrase.split(' ').count();
    let best = WRAPPERS.iter().filter(fits).max_by_key(|wrapper| length(wrapper))?;
    Some((best, length(best)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_phrase_is_taken() {
        assert_eq!(wrapper(&["uv", "run", "pytest"]).map(|(_, length)| length), Some(2));
        assert!(wrapper(&["uv", "sync"]).is_none());
        assert!(wrapper(&["uv"]).is_none());
        assert_eq!(wrapper(&["env", "A=1", "sh"]).map(|(one, _)| one.phrase), Some("env"));
    }
}
