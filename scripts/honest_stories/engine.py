"""Builds the projects, plays a story as a session or as a run, and reads how it ended."""
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

BIN = os.path.abspath(os.environ.get("SPRAG_BIN", ""))
REAL_HOME = Path.home()
CACHE = Path(os.environ.get("HONEST_CACHE") or REAL_HOME / ".cache/sprag-honest")
LIMIT = 300
WHEELS = ["pytest==8.4.2", "tabulate==0.8.10", "tabulate==0.9.0"]
TESTS = re.compile(r"(^|/)(tests?|__tests__|__snapshots__|__mocks__|testdata|fixtures|spec)/|[._-](test|spec)\.[a-z]+$|(^|/)test_[^/]*$|_test\.go$|\.snap$")
IN_SOURCE = "#[cfg(test)]"
SCRIPT = None


class SetUp(Exception):
    """The machine lacks something: nothing can be said about sprag."""


# ---------------------------------------------------------------- stories


@dataclass
class Project:
    """Files of a small project. `npm` installs its packages; `venv` puts a virtual environment into it."""
    name: str
    files: dict
    prepare: list = field(default_factory=list)
    npm: bool = False
    venv: list = field(default_factory=list)


@dataclass
class Story:
    name: str
    project: Project
    gate: str
    kind: str
    task: str
    body: object
    expects_proof: bool = True
    sent_back: int = 0          # how often the agent is sent back because of what it is judged by
    names: tuple = ()           # tests that were there and have changed: the report mentions them
    look: object = None         # whether the tests of before pass over the new code; None: not looked at
    second: bool = False        # only the second look can tell that the change weakened nothing
    before: bool = True         # whether the gate passes before the work begins
    why: str = "The task asks for it."
    reply: object = None        # what the agent does when it is sent back, instead of giving its reason
    options: tuple = ()         # further words of `sprag run`
    prepare: object = None      # what happened in the repository before the work
    both: bool = True           # can be played as a session and as a run

    @property
    def expected(self):
        back = f", sent back {self.sent_back}x" if self.sent_back else ""
        return ("proven" if self.expects_proof else "done, not proven") + back + (" (needs the second look)" if self.second else "")


def story(into, name, project, gate, kind, task, **more):
    def take(body):
        into.append(Story(name, project, gate, kind, task, body, **more))
        return body
    return take


# ---------------------------------------------------------------- the machine


def environment(home):
    """The person's environment without what tells sprag of hosts, and with the caches of the runners."""
    bad = re.compile(r"^(CLAUDE|CODEX|GEMINI|COPILOT|OPENCODE|PI_|SPRAG|XDG_|GIT_|AI_AGENT|VIRTUAL_ENV|PYTHON|NODE_OPTIONS|CI$|npm_)")
    kept = {k: v for k, v in os.environ.items() if not bad.match(k)}
    names = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "Ann"), ("EMAIL", "ann@example.org"))}
    return dict(kept, **names, HOME=str(home), PATH=f"{CACHE}/venv/bin:{os.environ['PATH']}", NO_COLOR="1", COLUMNS="400", HONEST_CACHE=str(CACHE),
                CARGO_HOME=os.environ.get("CARGO_HOME", str(REAL_HOME / ".cargo")),
                RUSTUP_HOME=os.environ.get("RUSTUP_HOME", str(REAL_HOME / ".rustup")),
                GOCACHE=str(CACHE / "go-build"), GOPATH=str(CACHE / "go"), npm_config_cache=str(CACHE / "npm"),
                npm_config_fund="false", npm_config_audit="false", npm_config_update_notifier="false", npm_config_prefer_offline="true")


def command(line, cwd, env, ok=True, limit=LIMIT):
    done = subprocess.run(["sh", "-c", line], cwd=cwd, env=env, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=limit)
    if ok and done.returncode:
        raise RuntimeError(f"`{line}` in {cwd} ended with {done.returncode}:\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done


def set_up(script):
    """Finds the programs, and installs pytest once into the cache."""
    global SCRIPT
    SCRIPT = script
    missing = [name for name in "git node npm cargo go gofmt make cc".split() if not shutil.which(name)]
    if missing:
        raise SetUp(f"missing: {', '.join(missing)}. Install them first: the stories run real projects")
    CACHE.mkdir(parents=True, exist_ok=True)
    env = environment(REAL_HOME)
    if not (CACHE / "venv/bin/pytest").exists() or not (CACHE / "wheels/done").exists():
        print("installing pytest into", CACHE, flush=True)
        try:
            command(f"rm -rf venv wheels && {shlex.quote(sys.executable)} -m venv venv && mkdir wheels", CACHE, env)
            for wheel in WHEELS:
                command(f"venv/bin/pip download -q -d wheels {wheel}", CACHE, env)
            command(f"venv/bin/pip install -q --no-index --find-links wheels {WHEELS[0]} && touch wheels/done", CACHE, env)
        except RuntimeError as error:
            raise SetUp(f"pip could not install pytest: {error}") from error


def template(project):
    """The project as its person left it: installed, in one commit. Built once, and kept in the cache."""
    facts = json.dumps([project.files, project.prepare, project.npm, project.venv], sort_keys=True)
    made = CACHE / "projects" / f"{project.name}-{hashlib.sha256(facts.encode()).hexdigest()[:12]}"
    if made.exists():
        return made
    print(f"building {project.name}", flush=True)
    new, env = made.with_suffix(".new"), environment(REAL_HOME)
    shutil.rmtree(new, ignore_errors=True)
    for path, text in project.files.items():
        (new / path).parent.mkdir(parents=True, exist_ok=True)
        (new / path).write_text(text)
    try:
        if project.npm:
            command("npm install", new, env)
        if project.venv:
            command(f"cp -a {CACHE}/venv .venv && .venv/bin/python -m pip install -q --no-index --find-links {CACHE}/wheels {' '.join(project.venv)}"
                    f" && sed -i '1s,^#!.*,#!/usr/bin/env python,' .venv/bin/pytest .venv/bin/py.test", new, env)
        for line in project.prepare:
            command(line, new, env)
        command("git init -q -b main && git add -A && git commit -qm 'Initial import'", new, env)
    except RuntimeError as error:
        raise SetUp(f"{project.name} could not be built: {error}") from error
    new.rename(made)
    return made


# ---------------------------------------------------------------- agents


class Agent:
    """The hands of an agent in a project: they read, edit, write and run commands."""

    def __init__(self, root, env):
        self.root, self.env = Path(root), env

    def read(self, path):
        return (self.root / path).read_text()

    def edit(self, path, *changes, every=False):
        """Replaces texts in a file: old, new, old, new … Each old text occurs once, unless `every`."""
        for old, new in zip(changes[::2], changes[1::2]):
            text = self.read(path)
            if text.count(old) != 1 and not (every and old in text):
                raise RuntimeError(f"{path} has {text.count(old)} times: {old!r}")
            self.tool("Edit", {"file_path": str(self.root / path), "old_string": old, "new_string": new, "replace_all": every},
                      lambda: (self.root / path).write_text(text.replace(old, new)), {"filePath": str(self.root / path), "userModified": False})

    def write(self, path, text):
        def put():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
        self.tool("Write", {"file_path": str(self.root / path), "content": text}, put, {"filePath": str(self.root / path), "userModified": False})

    def sh(self, line, ok=True):
        answer = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}

        def run():
            done = command(line, self.root, self.env, ok)
            answer.update(stdout=done.stdout[-2000:], stderr=done.stderr[-2000:])
            return done
        return self.tool("Bash", {"command": line, "description": "Run a command"}, run, answer)

    def tool(self, name, given, do, answer):
        return do()


class Driven(Agent):
    """Works in the process that `sprag run` started; no hooks are called."""


class Session(Agent):
    """Works as Claude Code does, with every hook before and after."""

    def __init__(self, root, env, verbose):
        super().__init__(root, env)
        self.id, self.verbose, self.seen, self.prompt_id = str(uuid.uuid4()), verbose, set(), None
        self.sent_back = []

    def hook(self, event, **data):
        say = {"session_id": self.id, "transcript_path": "/nowhere/transcript.jsonl", "cwd": str(self.root), "hook_event_name": event, **data}
        if self.prompt_id:
            say.update(prompt_id=self.prompt_id, permission_mode="default")
        done = subprocess.run([BIN, "hook", "claude"], cwd=self.root, env=self.env, input=json.dumps(say), capture_output=True, text=True, errors="replace", timeout=LIMIT)
        if self.verbose and (done.stdout + done.stderr).strip():
            print(f"    {event}: {(done.stdout + done.stderr).strip()}", flush=True)
        if done.returncode not in (0, 2):
            raise RuntimeError(f"hook {event} ended with {done.returncode}: {done.stderr}")
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def begin(self, task):
        self.hook("SessionStart", source="startup")
        self.prompt(task)

    def prompt(self, text):
        self.prompt_id = str(uuid.uuid4())
        self.hook("UserPromptSubmit", prompt=text)

    def tool(self, name, given, do, answer):
        path = given.get("file_path")
        if path and path not in self.seen and os.path.exists(path):
            self.seen.add(path)
            self.tool("Read", {"file_path": path}, lambda: None, {"type": "text"})
        use = {"tool_name": name, "tool_input": given, "tool_use_id": "toolu_" + uuid.uuid4().hex[:20]}
        said = self.hook("PreToolUse", **use).get("hookSpecificOutput", {})
        if said.get("permissionDecision") == "deny":
            raise RuntimeError(f"denied: {name} {given.get('file_path') or given.get('command')}: {said.get('permissionDecisionReason')}")
        done = do()
        self.hook("PostToolUse", **use, tool_response=answer, duration_ms=5)
        return done

    def stop(self, told):
        """Stops until it is allowed. `told` decides what the agent does when it is sent back, and what it says then."""
        said, active = "Done. The tests pass.", False
        for _ in range(4):
            answer = self.hook("Stop", stop_hook_active=active, last_assistant_message=said)
            if answer.get("decision") != "block":
                return answer
            self.sent_back.append(answer.get("reason", ""))
            said, active = told(self, answer.get("reason", "")), True
        raise RuntimeError("the stop was refused four times: " + self.sent_back[-1][:600])

    def next(self, task, meanwhile=None):
        """The agent stops; the person may work meanwhile, without any hook, and gives the next task."""
        self.stop(self.told)
        if meanwhile:
            meanwhile(Agent(self.root, self.env))
        self.prompt(task)

    def interrupted(self, task, meanwhile):
        """The person presses escape: no Stop is sent."""
        meanwhile(Agent(self.root, self.env))
        self.prompt(task)


def told(one):
    def answer(agent, reason):
        said = one.reply(agent, reason) if one.reply else None
        return said or one.why
    return answer


def act(stories, name, top):
    """The agent of a run: works the first time, answers when it is sent back."""
    one = next(one for one in stories if one.name == name)
    prompt, top = sys.stdin.read(), Path(top)
    times = len(list(top.glob("told.*")))
    (top / f"told.{times}").write_text(prompt)
    agent = Driven(Path.cwd(), dict(os.environ))
    try:
        if times == 0:
            one.body(agent)
            print("Done. The tests pass.")
        else:
            print(told(one)(agent, prompt))
    except Exception as error:
        (top / "broken").write_text(f"{error}\n")
        raise
    return 0


# ---------------------------------------------------------------- playing


@dataclass
class Result:
    story: Story
    kind: str
    took: float
    proven: bool
    end: str
    as_expected: bool
    notes: list
    looked: str = ""


def broken(one, kind, error):
    return Result(one, kind, 0.0, False, "broke", False, [line for line in str(error).splitlines()[:12] if line.strip()])


def play(one, kind, asked):
    top = Path(tempfile.mkdtemp(prefix="sprag-honest-"))
    try:
        (top / "home").mkdir()
        root, env = top / one.project.name, environment(top / "home")
        shutil.copytree(template(one.project), root, symlinks=True)
        if one.project.venv:
            env["PATH"] = f"{root}/.venv/bin:{os.environ['PATH']}"
        if one.prepare:
            one.prepare(Agent(root, env))
        base = command("git rev-parse HEAD", root, env).stdout.strip()
        if asked.look and (command(one.gate, root, env, ok=False).returncode == 0) != one.before:
            raise RuntimeError(f"`{one.gate}` should {'pass' if one.before else 'fail'} before the work")
        started = time.monotonic()
        backs, rc = (session if kind == "session" else driven)(one, root, env, top, asked.verbose)
        result = judge(one, kind, root, env, backs, rc, time.monotonic() - started, asked.verbose)
        if asked.look:
            result.looked = look(one, root, env, base, top)
            if one.look is not None and result.looked != ("pass" if one.look else "fail"):
                result.as_expected = False
                result.notes.append(f"the story expects the old tests to {'pass' if one.look else 'fail'}")
        return result
    finally:
        if asked.keep:
            print(f"        kept: {top}")
        else:
            shutil.rmtree(top, ignore_errors=True)


def sprag(words, root, env, verbose):
    done = subprocess.run([BIN, *words], cwd=root, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=LIMIT)
    if verbose:
        print(f"    sprag {' '.join(words)}: exit {done.returncode}\n" + re.sub("(?m)^", "      ", done.stdout + done.stderr), flush=True)
    return done


def session(one, root, env, top, verbose):
    """A person lets sprag into the project, commits that, and a session works."""
    init = sprag(["init", "--host", "claude", "--gate", one.gate, "--yes"], root, env, verbose)
    if init.returncode:
        raise RuntimeError("sprag init: " + init.stdout + init.stderr)
    agent = Session(root, env, verbose)
    agent.told = told(one)
    agent.begin(one.task)
    one.body(agent)
    agent.stop(agent.told)
    agent.hook("SessionEnd", reason="prompt_input_exit")
    return agent.sent_back, 0


def driven(one, root, env, top, verbose):
    """A person types `sprag run`; this script is the agent."""
    agent = top / "agent.sh"
    agent.write_text(f"exec {shlex.quote(sys.executable)} {shlex.quote(str(SCRIPT))} --act {shlex.quote(one.name)} {shlex.quote(str(top))}\n")
    done = sprag(["run", one.task, "--until", one.gate, "--host", f"sh {agent}", "--max", "3", *one.options, "--yes"], root, env, verbose)
    if (top / "broken").exists():
        raise RuntimeError((top / "broken").read_text())
    prompts = [path.read_text() for path in sorted(top.glob("told.*"))]
    if done.returncode not in (0, 3):
        raise RuntimeError(f"sprag run ended with {done.returncode}:\n{(done.stdout + done.stderr)[-1500:]}")
    return prompts[1:], done.returncode


def judge(one, kind, root, env, backs, rc, took, verbose):
    """Reads the report, and holds it against what the story expects."""
    done = sprag(["report", "--json"], root, env, verbose)
    try:
        said = json.loads(done.stdout)
    except ValueError:
        said = {}
    doubts, unproven = said.get("doubts") or [], said.get("unproven") or []
    before_that_field = said.get("outcome") == "done" and bool(said.get("gates")) and not doubts and not unproven
    proven = bool(said.get("proven", before_that_field)) and rc == 0
    notes, differs = [], []
    if one.second and not proven:
        notes.append("only the second look can prove this story")
    for doubt in doubts:
        notes.append("doubted: " + (f"{doubt.get('path')} ({doubt.get('how')}, by {doubt.get('by')})" if isinstance(doubt, dict) else str(doubt)))
    notes += [f"unproven: {point if isinstance(point, str) else json.dumps(point)}"[:300] for point in unproven]
    notes += [f"sent back: {' '.join(text.split())[:400]}" for text in backs]
    if not said:
        notes.append("no report: " + " ".join((done.stdout + done.stderr).split())[:300])
    if proven != one.expects_proof:
        differs.append(f"expected {one.expected}")
    if len(backs) != one.sent_back:
        differs.append(f"sent back {len(backs)} times, expected {one.sent_back}")
    text = done.stdout if proven else json.dumps([doubts, unproven])
    silent = [path for path in one.names if path not in text]
    if silent:
        differs.append(f"not named in the report: {', '.join(silent)}")
    if kind == "run" and (rc == 0) != bool(said.get("proven", before_that_field)):
        differs.append(f"exit {rc} and the report disagree")
    end = "proven" if proven else "done, not proven" if said.get("outcome") in ("done", "passed", None) and said else "no report" if not said else str(said.get("outcome"))
    return Result(one, kind, took, proven, end, not differs, notes + [f"differs: {text}" for text in differs])


def look(one, root, env, base, top):
    """Puts the tests of the first commit over the new code, in a copy, and runs the gate."""
    if command(one.gate, root, env, ok=False).returncode:
        raise RuntimeError(f"`{one.gate}` fails after the work")
    copy = top / "copy"
    shutil.copytree(root, copy, symlinks=True)
    was = [path for path in command(f"git ls-tree -r --name-only {base}", copy, env).stdout.split("\n") if TESTS.search(path)]
    now = command("git ls-files -co --exclude-standard", copy, env).stdout.split("\n")
    for path in now:
        if TESTS.search(path) and path not in was:
            (copy / path).unlink(missing_ok=True)
    if was:
        command(f"git checkout -q {base} -- " + " ".join(map(shlex.quote, was)), copy, env)
    for path in command(f"git ls-tree -r --name-only {base} -- '*.rs'", copy, env).stdout.split():
        old = command(f"git show {base}:{path}", copy, env).stdout.split(IN_SOURCE)
        if len(old) == 2 and (copy / path).exists():  # the tests of a source file of Rust
            (copy / path).write_text((copy / path).read_text().split(IN_SOURCE)[0] + IN_SOURCE + old[1])
    return "pass" if command(one.gate, copy, env, ok=False).returncode == 0 else "fail"
