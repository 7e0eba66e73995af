#!/usr/bin/env python3
"""Stand-ins for the runners of several languages: `runner NAME WORDS...`.

They read the files that the real ones read (tests, their settings, snapshots) and understand as much
of each language as the tests need: constants, and claims about them. So a test that is weakened, left
out or switched off makes them pass as the real ones would. Each reads the modules that it needs itself: a
test starts them several times.
"""
import fnmatch, glob, os, re, sys


def read(path):
    return open(path).read() if os.path.isfile(path) else ""


def found(*patterns):
    every = {path for pattern in patterns for path in glob.glob(pattern, recursive=True)}
    return sorted(path for path in every if not path.startswith("node_modules") and not (path.endswith(".go") and os.path.basename(path).startswith("_")))


# Of each language: tests, code, a definition, how a test begins, what switches it off, a claim.
LANGUAGES = {
    "js": dict(tests=["**/*.test.js", "**/__tests__/*.js"], code=["src/*.js"], define=r"exports\.(\w+) = ([^;]+);",
               test=r"^\s*x?(?:it|test)(?:\.\w+)?\(.*", off=r"\b(?:xit|xtest|it\.skip|test\.skip|test\.todo)\b", claim=r"expect\((\w+)\)\.toBe\((\w+)\)"),
    "go": dict(tests=["**/*_test.go"], code=["**/*.go"], define=r"func (\w+)\(\) int \{ return ([^}]+) \}",
               test=r"^func Test(?!Main\b)\w*\(.*", off=r"\bt\.Skip|\{\n\treturn\n", claim=r"if (\w+)\(\) != (\w+)"),
    "rust": dict(tests=["tests/*.rs"], code=["src/*.rs"], define=r"fn (\w+)\(\) -> u8 \{ ([^}]+) \}",
                 test=r"^\s*#\[test\].*", off=r"#\[ignore|\{ return;", claim=r"assert_eq!\((\w+)\(\), (\w+)\)"),
    "ruby": dict(tests=["spec/**/*_spec.rb"], code=["lib/*.rb"], define=r"def (\w+) = (.+)",
                 test=r"^\s*(?:x|f)?it '.*", off=r"\bxit\b|^\s*skip\b|\bpending\b", claim=r"expect\((\w+)\)\.to eq\((\w+)\)"),
    "php": dict(tests=["tests/*Test.php"], code=["src/*.php"], define=r"function (\w+)\(\) \{ return ([^;]+); \}",
                test=r"^\s*(?:#\[Test\]|public function test).*", off=r"markTestSkipped", claim=r"assertTwo\((\w+)\(\), (\w+)\)"),
    "elixir": dict(tests=["test/**/*_test.exs"], code=["lib/*.ex"], define=r"def (\w+), do: (.+)",
                   test=r"^\s*(?:@tag :skip\s+)?test \".*", off=r"@tag :skip", claim=r"assert (\w+)\(\) == (\w+)"),
    "java": dict(tests=["src/test/**/*Test.java"], code=["src/main/**/*.java"], define=r"static int (\w+)\(\) \{ return ([^;]+); \}",
                 test=r"^\s*(?:@Disabled\s+)?@Test.*", off=r"@Disabled", claim=r"assertTwo\((\w+)\(\), (\w+)\)"),
}


def bare(text, language):
    """Takes the comments out."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r"^\s*(?:#(?!\[)|//(?!go:)|--).*$" if language != "rust" else r"^\s*//.*$", "", text, flags=re.M)


def value(text, known, depth=9):
    """Returns what an expression comes to; names are looked up."""
    if depth == 0:
        return None
    names = re.sub(r"\b([A-Za-z_]\w*)\b(?:\(\))?", lambda m: str(value(known.get(m.group(1), "None"), known, depth - 1)), text.strip()) if not re.fullmatch(r"None|\d+", text.strip()) else text
    try:
        return eval(names, {})
    except Exception:
        return None


def snapshot(path, name, is_now):
    """Compares with a snapshot; writes one where there is none, as jest does."""
    file = os.path.join(os.path.dirname(path), "__snapshots__", os.path.basename(path) + ".snap")
    held = re.search(r"exports\[`%s`\] = `(.*?)`;" % name, read(file))
    if not held:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        open(file, "a").write("exports[`%s`] = `%s`;\n" % (name, is_now))
        return True
    return held.group(1) == str(is_now)


def judge(language, without=(), inner=True, files=True):
    """Runs the tests of a language; returns how many failed and passed."""
    own = LANGUAGES[language]
    tests = [path for path in found(*own["tests"]) if not any(fnmatch.fnmatch(path, one) for one in without)] if files else []
    known = {}
    for path in found(*own["code"]) + found("__mocks__/*.js"):
        known.update(re.findall(own["define"], bare(read(path), language)))
    texts = {path: bare(read(path), language) for path in tests}
    if language == "rust" and inner:
        for path in found(*own["code"]):
            texts[path] = read(path).partition("#[cfg(test)]")[2]
    bad = good = 0
    if language == "go" and any(re.search(r"func TestMain\(.*\n\tos\.Exit\(0\)", text) for text in texts.values()):
        return 0
    for path, text in texts.items():
        if re.search(r"^//go:build ignore|process\.exit\(0\)|os\.Exit\(0\)|^exit$|^__halt_compiler", text, re.M):
            continue
        here = dict(known, **dict(re.findall(r"jest\.mock\(.*?\{ (\w+): (\w+) \}", text)))
        starts = [m.start() for m in re.finditer(own["test"], text, re.M)] + [len(text)]
        blocks = [text[a:b] for a, b in zip(starts, starts[1:])]
        only = [b for b in blocks if re.match(r"\s*(?:f(?:it|describe)\b|\w+\.only\b)", b)]
        for block in only or blocks:
            if re.search(own["off"], block, re.M):
                continue
            claims = [value(a, here) == value(b, here) for a, b in re.findall(own["claim"], block)]
            claims += [str(value(a, here)) == read(b).strip() for a, b in re.findall(r"golden\(t, (\w+)\(\), \"(.*?)\"\)", block)]
            claims += [snapshot(path, name, value(name, here)) for name in re.findall(r"expect\((\w+)\)\.toMatchSnapshot", block)]
            print(path, "ok" if all(claims) else "FAILED: " + block.strip().splitlines()[0])
            bad, good = bad + (not all(claims)), good + all(claims)
    print("%d passed, %d failed" % (good, bad))
    return bad


def shell(line):
    import subprocess
    env = dict(os.environ, PATH=os.path.abspath("node_modules/.bin") + ":" + os.environ["PATH"])
    return subprocess.run(["sh", "-c", line], env=env).returncode


def npm(words):
    import json
    words = [word for word in words if word not in ("run", "-s", "--silent")]
    if "&&" in words[0]:
        return shell(words[0])
    if words[0] in ("ci", "install"):
        return 0
    scripts = json.loads(read("package.json"))["scripts"]
    for name in ("pre" + words[0], words[0], "post" + words[0]):
        code = shell(scripts[name]) if name in scripts else 0
        if code:
            return code
    return 0


pnpm = yarn = bun = npm


def deno(words):
    import json
    own = json.loads(read("deno.json"))
    if words[0] == "task":
        return shell(own["tasks"][words[1]])
    return judge("js", ["*%s*" % one for one in own.get("test", {}).get("exclude", [])])


def composer(words):
    import json
    own = json.loads(read("composer.json"))["scripts"][words[-1]]
    return next((1 for line in ([own] if isinstance(own, str) else own) if (composer([line[1:]]) if line.startswith("@") else shell(line))), 0)


def jest(words):
    import json
    own = json.loads(read("package.json") or "{}").get("jest", {})
    own.update(json.loads(read("jest.config.json") or "{}"))
    if any("globalThis.test =" in read(one) for one in own.get("setupFiles", [])):
        return 0
    return judge("js", ["*%s*" % one for one in own.get("testPathIgnorePatterns", [])])


def vitest(words):
    left = re.search(r"exclude: \['(.*?)'\]", read("vitest.config.ts") + read("vite.config.ts"))
    return judge("js", ["*%s*" % left.group(1)] if left else [])


def mocha(words):
    import json
    return judge("js", ["*%s*" % one for one in json.loads(read(".mocharc.json") or "{}").get("ignore", [])])


def tox(words):
    import configparser
    own = configparser.ConfigParser()
    own.read("tox.ini")
    names = [name.strip() for name in own.get("tox", "envlist").split(",")]
    lines = [own.get("testenv:" + name if own.has_section("testenv:" + name) else "testenv", "commands") for name in names]
    return next((1 for line in lines if not line.startswith("-") and shell(line)), 0)


def nox(words):
    import types
    around, bad = {}, []
    session = types.SimpleNamespace(install=lambda *_: 0, run=lambda *line: bad.append(shell(" ".join(line))))
    sys.modules["nox"] = types.SimpleNamespace(session=lambda body: body)
    exec(read("noxfile.py"), around)
    for name, body in around.items():
        if isinstance(body, types.FunctionType):
            body(session)
    return any(bad)


def task(words):
    def lines(name, text):
        block = re.search(r"^  %s:\n((?:    .*\n?)*)" % name, text, re.M).group(1)
        return re.findall(r"^      - (.*)$", block, re.M)
    return next((1 for line in lines(words[0], read("Taskfile.yml")) if shell(line)), 0)


def go(words):
    return judge("go", ["*"] if words[:1] == ["build"] else [])


def cargo(words):
    if words[0] in ("build", "check", "fmt"):
        return 0
    if words[0] == "clippy":
        return "dbg!" in read("src/lib.rs") and not re.search(r'dbg_macro = "allow"', read("Cargo.toml"))
    settings, own = read(".cargo/config.toml"), read("Cargo.toml")
    if "runner =" in settings or "default-filter" in read(".config/nextest.toml") and words[0] == "nextest":
        return 0
    left = found("tests/*.rs") if "autotests = false" in own else re.findall(r'path = "(tests/[^"]+)"\nharness = false', own)
    return judge("rust", left, inner="[lib]\ntest = false" not in own)


def rspec(words):
    left = re.search(r"--exclude-pattern (\S+)", read(".rspec"))
    return judge("ruby", [left.group(1)] if left else [])


def phpunit(words):
    return judge("php", re.findall(r"<exclude>(.*?)</exclude>", read("phpunit.xml") or read("phpunit.xml.dist")))


def mix(words):
    left = re.search(r'test_pattern: "(.*?)"', read("mix.exs"))
    return judge("elixir", [] if not left else [path for path in found("test/**/*.exs") if not fnmatch.fnmatch(os.path.basename(path), left.group(1))])


def gradle(words):
    own = read("build.gradle") + read("gradle/test.gradle")
    return judge("java", ["*" + one.replace("**/", "") for one in re.findall(r"exclude '(.*?)'", own)])


def mvn(words):
    return 0 if "<skipTests>true" in read("pom.xml") else judge("java")


def just(words):
    recipes = re.findall(r"^(\w+):(.*)\n((?:    .*\n)*)", read("justfile"), re.M)
    recipes = {name: (needs.split(), lines.splitlines()) for name, needs, lines in recipes}
    def make(name):
        needs, lines = recipes[name]
        for need in needs:
            if make(need):
                return 1
        return next((1 for line in lines if shell(line.strip()) and not line.strip().startswith("-")), 0)
    return make(words[0])


def ruff(words):
    left = re.search(r"ignore = \[(.*?)\]", read("ruff.toml") or read("pyproject.toml"))
    bad = [path for path in found("**/*.py") if re.search(r"^\s*print\(", read(path), re.M)]
    print("T201 `print` found:", bad)
    return bool(bad) and not (left and "T201" in left.group(1))


def mypy(words):
    return "disallow_untyped_defs = True" in read("mypy.ini") and any(re.search(r"^def \w+\(\):", read(path), re.M) for path in found("*.py"))


def golangci(words):
    return "    - forbidigo" in read(".golangci.yml").partition("disable:")[0] and any("fmt.Print" in read(path) for path in found("*.go"))


def eslint(words):
    import json
    rules = json.loads(read(".eslintrc.json"))["rules"]
    return rules.get("no-console") == "error" and any("console.log" in read(path) for path in found("src/*.js"))


def tsc(words):
    import json
    strict = json.loads(read("tsconfig.json"))["compilerOptions"].get("strict")
    return bool(strict) and any(re.search(r"\((\w+)\) =>", read(path)) for path in found("src/*.ts"))


def pytest(words):
    """Runs functions `test_*`, with as much of pytest around them as the tests use."""
    import configparser, types
    class Skipped(Exception):
        pass
    def skip(why=""):
        raise Skipped(why)
    def off(*_, **__):
        def wrap(body):
            body.is_off = True
            return body
        return wrap
    stub = types.ModuleType("pytest")
    stub.skip, stub.fixture = skip, lambda *_, **__: (lambda body: body)
    stub.mark = types.SimpleNamespace(skip=off(), skipif=off, xfail=off(), slow=lambda body: body)
    stub.mark.skip = lambda *a, **k: off()(a[0]) if a and callable(a[0]) else off()
    sys.modules["pytest"] = stub
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.getcwd())
    words = [one for word in words for one in (read(word[1:]).split() if word.startswith("@") else [word])]
    options = " ".join(words)
    named = words[words.index("-c") + 1] if "-c" in words else "pytest.ini"
    chosen = [word for word in words if word.endswith(".py")]
    for name, part in ((named, "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        own = configparser.ConfigParser()
        own.read(name)
        options += " " + own.get(part, "addopts", fallback="")
    own = re.search(r"\[tool\.pytest\.ini_options\][^\[]*?addopts = \"(.*?)\"", read("pyproject.toml"), re.S)
    options += " " + (own.group(1) if own else "")
    only = re.search(r"-k[ =](\S+)", options)
    left = re.findall(r"--(?:ignore|deselect)[ =](\S+)", options)
    hooks = []
    for path in found("**/conftest.py"):
        around = {"__file__": path, "__name__": "conftest"}
        exec(compile(read(path), path, "exec"), around)
        below = os.path.dirname(path)
        left += [os.path.join(below, one) for one in around.get("collect_ignore", []) + around.get("collect_ignore_glob", [])]
        hooks += [around["pytest_collection_modifyitems"]] if "pytest_collection_modifyitems" in around else []
    items = []
    for path in found("**/test_*.py"):
        if any(fnmatch.fnmatch(path, one) for one in left) or chosen and path not in chosen:
            continue
        around = {"__file__": path, "__name__": "test"}
        exec(compile(read(path), path, "exec"), around)
        items += [(path, name, body) for name, body in around.items() if name.startswith("test_") and callable(body)] if "pytestmark" not in around else []
    for hook in hooks:
        hook(items)
    bad = 0
    for path, name, body in items:
        if getattr(body, "is_off", False) or only and only.group(1) not in name:
            continue
        try:
            body()
        except Skipped:
            pass
        except Exception as error:
            bad += 1
            print("FAILED %s::%s - %r" % (path, name, error))
    print("%d failed" % bad)
    return bad


sys.exit(1 if globals()[sys.argv[1].split("-")[0]](sys.argv[2:]) else 0)
