//! A scripted `gh`: it serves recorded answers, fails and delays on demand, and records its calls
//! and the texts it is given to post.
//!
//! A call is identified by its first two words (`pr-list`, `api-graphql`); a GraphQL mutation is
//! `api-mutation`. The n-th call gets its own answer if there is one, else the answer for every
//! call.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Gh {
    folder: PathBuf,
}

const SCRIPT: &str = r#"#!/bin/sh
cd "$(dirname "$0")" || exit 70
key="$1-$2"
case "$*" in *"mutation("*) key="$1-mutation" ;; esac
n=$(($(cat "$key.count" 2>/dev/null || echo 0) + 1))
echo "$n" > "$key.count"
echo "$*" >> calls
at="$key.$n"
[ -e "$at.out" ] || [ -e "$at.sh" ] || [ -e "$at.exit" ] || [ -e "$at.slow" ] || at="$key"
[ -e "$at.slow" ] && exec sleep 60
[ -e "$at.sh" ] && exec sh "./$at.sh"
if [ -e "$at.exit" ]; then
  cat "$at.err" >&2
  exit "$(cat "$at.exit")"
fi
case "$key" in
pr-review | pr-comment)
  # Two at once must not take each other's number.
  cat > "body.$$"
  i=0
  until mkdir "taken.$i" 2>/dev/null; do i=$((i + 1)); done
  mv "body.$$" "posts/$i-$2"
  ;;
api-mutation) echo "$*" | sed 's/.*id=//' >> hidden; echo "{}" ;;
*) cat "$at.out" ;;
esac
"#;

impl Gh {
    /// Creates the program in `folder`, or uses an existing one.
    pub fn at(folder: &Path) -> Self {
        let gh = Self { folder: folder.to_path_buf() };
        std::fs::create_dir_all(folder.join("posts")).expect("a folder");
        let program = folder.join("gh");
        if !program.exists() {
            std::fs::write(&program, SCRIPT).expect("a script");
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&program, mode).expect("a mode");
        }
        gh
    }

    pub fn program(&self) -> String {
        self.folder.join("gh").display().to_string()
    }

    /// Serves a text for every call, or for the n-th: `api-graphql`, `api-graphql.2`.
    pub fn serve(&self, call: &str, text: &str) {
        std::fs::write(self.folder.join(format!("{call}.out")), text).expect("an answer");
    }

    /// Answers a call by running a script.
    pub fn run(&self, call: &str, script: &str) {
        std::fs::write(self.folder.join(format!("{call}.sh")), script).expect("a script");
    }

    /// Makes a call fail with an exit code and an error message.
    pub fn fail(&self, call: &str, exit: i32, complaint: &str) {
        std::fs::write(self.folder.join(format!("{call}.err")), complaint).expect("a complaint");
        std::fs::write(self.folder.join(format!("{call}.exit")), exit.to_string()).expect("a code");
    }

    /// Makes a failed call succeed again.
    pub fn mend(&self, call: &str) {
        std::fs::remove_file(self.folder.join(format!("{call}.exit"))).expect("a failure");
    }

    /// Makes a call take longer than any caller waits.
    pub fn dawdle(&self, call: &str) {
        std::fs::write(self.folder.join(format!("{call}.slow")), "").expect("a mark");
    }

    /// The arguments of every call so far, in order.
    pub fn calls(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.join("calls")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The ids of the items that it was asked to hide, in order.
    pub fn hidden(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.join("hidden")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The posted texts in order, each with its kind: `review` or `comment`.
    pub fn posts(&self) -> Vec<(String, String)> {
        let listing = std::fs::read_dir(self.folder.join("posts")).expect("a folder");
        let mut found: Vec<(usize, String, String)> = listing
            .map(|entry| {
                let path = entry.expect("an entry").path();
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                let (number, kind) = name.split_once('-').expect("a number");
                let text = std::fs::read_to_string(&path).expect("a text");
                (number.parse().expect("a number"), kind.to_owned(), text)
            })
            .collect();
        found.sort();
        found.into_iter().map(|(_, kind, text)| (kind, text)).collect()
    }
}
