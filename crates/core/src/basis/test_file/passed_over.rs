//! File names that keep a runner from taking a test.

/// The operating systems and processors in Go file names: a file with one of them at the end of its
/// name is built only there.
const GO_PLATFORMS: [&str; 42] = [
    "386",
    "aix",
    "amd64",
    "amd64p32",
    "android",
    "arm",
    "arm64",
    "arm64be",
    "armbe",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mips64p32",
    "mips64p32le",
    "mipsle",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "ppc",
    "ppc64",
    "ppc64le",
    "riscv",
    "riscv64",
    "s390",
    "s390x",
    "solaris",
    "sparc",
    "sparc64",
    "wasip1",
    "wasm",
    "windows",
    "zos",
];

/// What in a file name may keep a runner from taking the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PassedOver<'a> {
    /// It begins with a sign by which files are hidden or set aside.
    is_aside: bool,
    /// Python cannot import it under this name.
    is_no_module: bool,
    /// The only platforms that Go builds it for, if any.
    platforms: Vec<&'a str>,
}

impl<'a> PassedOver<'a> {
    pub(super) fn of(name: &'a str) -> Self {
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        let words = stem.strip_suffix("_test").unwrap_or(stem).split('_').skip(1);
        let words: Vec<&str> = if ending == "go" { words.collect() } else { Vec::new() };
        let is_platform = |word: &&str| GO_PLATFORMS.contains(word);
        let is_letter = |c: char| c == '_' || c.is_alphanumeric();
        let is_module = stem.chars().all(is_letter) && !stem.starts_with(|c: char| c.is_numeric());
        Self {
            is_aside: name.starts_with(['.', '_']),
            is_no_module: ending == "py" && !is_module,
            platforms: words.into_iter().rev().take(2).take_while(is_platform).collect(),
        }
    }
}
