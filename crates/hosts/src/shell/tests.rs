//! Two tables: the denied and the allowed texts. A new line in either is a new promise.

use super::*;
use crate::Host;

fn look(text: &str) -> Option<Forbidden> {
    forbidden(Host::CLAUDE, text)
}

const PERSONS: &[&str] = &[
    "sprag approve",
    "sprag approve 1",
    "sprag pause --for 1h",
    "sprag resume r-7k2m",
    "sprag cancel",
    "sprag  \tcancel",
    "./target/release/sprag cancel",
    "/usr/bin/sprag cancel",
    "~/.cargo/bin/sprag approve",
    "sprag.exe cancel",
    "SPRAG cancel",
    "sprag -C /home/dev/proj cancel",
    "sprag --json -C dir cancel",
    "sprag approve tests --waive 'flaky'",
    "sprag step next --waive=why",
    "sprag doctor --fix --yes",
    "sprag agent release x --force",
    "sprag init --undo",
    "sprag init --yes --undo",
    "echo '{}' | sprag hook claude UserPromptSubmit",
    "sprag rpc < lines",
    "make && sprag cancel",
    "make || sprag cancel",
    "make; sprag cancel",
    "make\nsprag cancel",
    "make & sprag cancel",
    "true | sprag cancel",
    "(sprag cancel)",
    "( cd api && sprag cancel )",
    "{ sprag cancel; }",
    "! sprag cancel",
    "if true; then sprag cancel; fi",
    "while :; do sprag cancel; done",
    "case x in a) sprag cancel;; esac",
    "case x in (a) (make) ;; b) sprag cancel;; esac",
    "for x in a; do case $x in a) sprag cancel;; esac; done",
    "echo $(case x in a) echo y;; esac) && sprag cancel",
    "f() { sprag cancel; }; f",
    "function f { sprag cancel; }",
    "echo $(sprag cancel)",
    "echo \"done: $(sprag cancel)\"",
    "echo `sprag cancel`",
    "echo \"`sprag cancel`\"",
    "x=$(sprag cancel)",
    "x=\"${y:-$(sprag cancel)}\"",
    "diff <(sprag cancel) x",
    "echo $((1 + $(sprag cancel)))",
    "x=$((1<<2))\nsprag cancel",
    "FOO=1 sprag cancel",
    "env X=Y sprag cancel",
    "env -i -u Z PATH=/bin sprag cancel",
    "command sprag cancel",
    "exec sprag cancel",
    "nohup sprag cancel &",
    "time sprag cancel",
    "timeout -k 5 10 sprag cancel",
    "sudo -u git sprag cancel",
    "sudo env X=1 nice -n 5 sprag cancel",
    "echo r-7k2m | xargs sprag cancel",
    "echo cancel | xargs sprag",
    "find . -name x -exec sprag cancel \\;",
    "sh -c \"sprag cancel\"",
    "bash -lc 'cd x && sprag cancel'",
    "/bin/sh -ec 'sprag cancel'",
    "su dev -c 'sprag cancel'",
    "sh -c 'bash -c \"sprag cancel\"'",
    "eval sprag cancel",
    "eval \"sprag cancel\"",
    "trap 'sprag cancel' EXIT",
    "echo sprag cancel | sh",
    "echo -e 'sprag cancel' | bash",
    "printf '%s\\n' 'sprag cancel' | sh -s",
    "printf 'sprag cancel\\n' | sh",
    "sh <<< 'sprag cancel'",
    "sh <<EOF\nsprag cancel\nEOF",
    "cat <<EOF | sh\nsprag cancel\nEOF",
    "bash <<-'EOF'\n\tsprag cancel\n\tEOF\n",
    "cat <<EOF\n$(sprag cancel)\nEOF",
    "cat <<EOF\nsprag cancel",
    "cat <<EOF\ntext\nEOF\nsprag cancel",
    "\"sprag\" 'cancel'",
    "s\"pra\"g can\\cel",
    "$'sprag' cancel",
    "sprag \\\n  cancel",
    "sprag $VERB",
    "sprag \"$(echo cancel)\"",
    "S=sprag; $S cancel",
    "${SPRAG_BIN:-sprag} cancel",
    "python3 -c 'import os; os.system(\"sprag cancel\")'",
    "python3 - <<EOF\nsubprocess.run(['sprag', 'cancel'])\nEOF",
    "node -e 'execSync(\"sprag approve\")'",
    "perl -e 'system \"sprag cancel\"'",
    "sprag cancel >/dev/null 2>&1",
    "2>/dev/null sprag cancel",
    "sprag cancel # only this once",
];

const PLACES: &[&str] = &[
    "echo off > .sprag/config.yaml",
    "echo x >> .sprag/journal/1",
    "echo x >| ./.sprag/lock",
    "echo x &> .sprag/x",
    "echo x &>>.sprag/x",
    "echo x 2>.sprag/x",
    "> .sprag/config.yaml",
    "{ echo x; } > .sprag/config.yaml",
    "(echo x) >.sprag/config.yaml",
    "exec 3<> .sprag/lock",
    "cat > .sprag/config.yaml <<EOF\noff: true\nEOF",
    "echo x | tee .sprag/config.yaml",
    "echo x | tee -a x .sprag/config.yaml",
    "rm -rf .sprag",
    "rm -rf /home/dev/proj/.sprag/",
    "rm -r src/../.sprag",
    "rm -rf .spr*",
    "rm .claude/settings.json",
    "rm -rf .claude",
    "rm \"$HOME/.claude/settings.json\"",
    "rm ~/.claude/settings.json",
    "mv .sprag /tmp/x",
    "mv x .sprag/config.yaml",
    "mv .claude .claude.off",
    "cp x.yaml .sprag/config.yaml",
    "cp -v x.json .claude/settings.local.json -f",
    "cp -t .sprag a b",
    "install -m 644 x .sprag/x",
    "rsync -at x/ .sprag/",
    "sed -i 's/false/true/' .sprag/config.yaml",
    "sed -i.bak -e s/a/b/ .sprag/config.yaml",
    "sed -Ei s/a/b/ .claude/settings.json",
    "perl -pi -e s/a/b/ .sprag/config.yaml",
    "yq -i '.off = true' .sprag/config.yaml",
    "chmod -R 000 .sprag",
    "chown x .sprag/config.yaml",
    "ln -s .sprag x",
    "truncate -s 0 .sprag/journal/1",
    "dd if=/dev/zero of=.sprag/lock",
    "touch .sprag/x",
    "mkdir -p .sprag/runs",
    "rmdir .sprag",
    "git checkout -- .sprag/config.yaml",
    "git -C . restore .sprag/config.yaml",
    "git clean -fdx .sprag",
    "git rm --cached .sprag/config.yaml",
    "git mv .sprag x",
    "git stash push .sprag/config.yaml",
    "git clean -fdx",
    "git clean -ffdX",
    "git -C . clean -xdf",
    "git stash --all",
    "git stash push -a -m later",
    "busybox rm -rf .sprag",
    "echo '{}' > ~/.local/state/sprag/trust.json",
    "tar xf x.tgz -C .sprag",
    "curl -o .sprag/config.yaml http://x",
    "find .sprag -delete",
    "find .sprag -type f -exec rm {} +",
    "find .sprag | xargs rm",
    "sudo rm -rf .sprag",
    "sh -c 'rm -rf .sprag'",
    "cd .sprag && rm -rf runs",
    "cd .sprag/runs; echo x > y",
    "cd .claude && echo {} > settings.json",
    "python3 -c \"open('.sprag/config.yaml','w')\"",
    "python3 <<'EOF'\nimport pathlib\npathlib.Path('.sprag/config.yaml').write_text('')\nEOF",
    "node -e \"fs.rmSync('.claude/settings.json')\"",
    "echo \"open('.sprag/x','w')\" | python3",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: .sprag/config.yaml\n*** End Patch\nEOF",
    "apply_patch '*** Begin Patch\n*** Delete File: .claude/settings.json\n*** End Patch'",
    "cat <<EOF | apply_patch\n*** Add File: a\n+x\n*** Move to: .sprag/b\nEOF",
    "cd .sprag && apply_patch <<EOF\n*** Update File: config.yaml\nEOF",
];

const INNOCENT: &[&str] = &[
    "",
    " \n ",
    "make test",
    "sprag",
    "sprag status",
    "sprag why",
    "sprag log --at 12",
    "sprag step next",
    "sprag step next --summary 'use --force and cancel'",
    "sprag start dev 'resume the work'",
    "sprag start dev resume",
    "sprag check && sprag next",
    "command -v sprag && sprag --version",
    "which sprag",
    "sprag -C approve status",
    "sprag init --yes",
    "git reset --undo; sprag init",
    "grep 'sprag approve' README.md",
    "grep -rn \"sprag cancel\" docs | head",
    "grep sprag cancel",
    "rg sprag approve.md",
    "git commit -m \"sprag approve docs\"",
    "git commit -m 'sprag cancel; sprag approve'",
    "git commit -m \"$(cat <<'EOF'\nExplain sprag cancel\n\nsprag approve is a person's\nEOF\n)\"",
    "echo sprag cancel",
    "echo \"sprag cancel\" >> docs/manual.md",
    "cat > docs/manual.md <<'EOF'\nsprag approve\n$(sprag cancel)\nrm -rf .sprag\nEOF",
    "cat <<EOF > x.md\nsprag approve\nEOF\nmake",
    "# sprag cancel",
    "make # then sprag cancel",
    "cancel",
    "spragd cancel",
    "./sprag-old cancel",
    "docker cancel sprag",
    "$GIT push --force",
    "$BIN cancel",
    "for v in a b; do echo sprag $v; done",
    "echo 'sprag cancel' | wc -l",
    "echo \"sprag cancel\" | bash script.sh",
    "python3 script.py sprag cancel",
    "python3 -c 'print(1)'",
    "cat .sprag/config.yaml",
    "ls .sprag",
    "ls -la .sprag/runs | wc -l",
    "cat .sprag/config.yaml > /tmp/x",
    "cat < .sprag/config.yaml",
    "cp .sprag/config.yaml /tmp/x",
    "cp -r .sprag ../backup",
    "rsync -at .sprag/ /tmp/x/",
    "diff .sprag/config.yaml x",
    "grep -r gate .sprag",
    "sed -n 1,5p .sprag/config.yaml",
    "awk '{print $1}' .sprag/config.yaml",
    "find .sprag -name '*.yaml'",
    "find .sprag -name '*.yaml' -exec cat {} \\;",
    "find . -name '*.rs' -exec sed -i s/a/b/ {} +",
    "tar czf /tmp/box.tgz .sprag",
    "git add .sprag/config.yaml",
    "git diff .sprag",
    "git log -- .sprag",
    "git commit -m 'touch .sprag/x'",
    "[ -f .sprag/config.yaml ] && echo yes",
    "test -d .sprag",
    "rm -rf target *.o",
    "rm \"$file\"",
    "rm .spragrc",
    "rm -rf .sprag-old",
    "git clean -fd",
    "git clean -ndx",
    "git clean -fdx target",
    "git stash",
    "git stash pop",
    "git stash list",
    "mkdir -p .claude/commands",
    "echo x > .claude/commands/x.md",
    "mv notes.md .claude/",
    "echo '.sprag/' >> .gitignore",
    "echo 'rm -rf .sprag'",
    "echo \"> .sprag/x\"",
    "echo x > sprag.log 2>&1",
    "cd .sprag && cat config.yaml; cd .. && touch x",
    "cd api && rm -rf target",
    "jq . .claude/settings.json",
    "python3 -m json.tool .claude/settings.json",
    "SPRAG=off make",
    "export SPRAG=off",
    "x=$((1<<2)); echo $((x > 1 ? 2 : 3)) | tee x",
    "echo \"unclosed",
    "echo 'unclosed",
    "echo $(unclosed",
    "echo `unclosed",
    "echo ${unclosed",
    ") } ;; && || | & ( {",
    "apply_patch <<'EOF'\n*** Add File: docs/x.md\n+`*** Add File: .sprag/x` is denied\nEOF",
];

#[test]
fn a_persons_verbs_are_denied() {
    for text in PERSONS {
        assert!(matches!(look(text), Some(Forbidden::Verb { .. })), "{text}\n{:?}", look(text));
    }
}

#[test]
fn protected_places_are_not_written() {
    for text in PLACES {
        assert!(matches!(look(text), Some(Forbidden::Place { .. })), "{text}\n{:?}", look(text));
    }
}

#[test]
fn text_that_only_speaks_of_it_is_let_through() {
    for text in INNOCENT {
        assert_eq!(look(text), None, "{text}");
    }
}

#[test]
fn the_message_says_what_and_is_short() {
    let said = |text: &str| look(text).unwrap().to_string();
    assert_eq!(
        said("make && ./sprag -C x cancel r-1"),
        "`sprag cancel` is for a person: ask them to run it"
    );
    assert_eq!(said("rm -rf a .sprag/runs"), "`.sprag/runs` is not for agents to change");
    assert_eq!(
        said("sprag init --undo"),
        "`sprag init --undo` is for a person: ask them to run it"
    );
    assert_eq!(said("sprag --force"), "`sprag --force` is for a person: ask them to run it");
    assert!(said(&format!("rm .sprag/{}", "x".repeat(10_000))).len() < 200);
    assert!(matches!(look(&"x".repeat(MAX_TEXT + 1)), Some(Forbidden::TooLong { .. })));
}

/// The denied texts that can be put in single quotes.
fn quotable() -> impl Iterator<Item = &'static str> {
    PERSONS.iter().chain(PLACES).copied().filter(|text| !text.contains('\''))
}

#[test]
fn in_quotes_and_in_documents_everything_is_only_text() {
    for text in quotable() {
        for around in [
            format!("git commit -m '{text}'"),
            format!("grep -rn '{text}' docs && echo '{text}' >> notes.md"),
            format!("cat > notes.md <<'END'\n{text}\nEND\nmake"),
            format!("git commit -F - <<'END' && make\n{text}\nEND"),
        ] {
            assert_eq!(look(&around), None, "{around}");
        }
    }
}

#[test]
fn wherever_a_shell_would_run_it_it_is_found() {
    for text in quotable() {
        for around in [
            format!("make test\n{text}"),
            format!("cat <<'END'\nnotes\nEND\n{text}"),
            format!("echo \"it's fine\" && {text}"),
            format!("({text}\n)"),
            format!("x=$({text}\n)"),
            format!("echo \"now: $({text}\n)\""),
            format!("bash -c '{text}'"),
            format!("timeout 10 sh -c '{text}'"),
            format!("sh <<'END'\n{text}\nEND"),
        ] {
            assert!(look(&around).is_some(), "{around}");
        }
    }
}
