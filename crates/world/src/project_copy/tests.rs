//! Copies of real folders.
#![expect(clippy::disallowed_methods, reason = "plays a project and what gates leave in a copy")]

use sprag_store::Place;
use sprag_testkit::TestEnv;

use super::*;
use crate::tree::Tree;

/// A repository, and the folder for its copies.
struct CopiedRepository {
    env: TestEnv,
    variables: Vec<(OsString, OsString)>,
}

impl CopiedRepository {
    fn new() -> Self {
        let env = TestEnv::new();
        env.git(&["init", "-q"]);
        env.write("src/a.py", "a\n");
        env.write("tests/test_a.py", "assert a\n");
        env.write(".gitignore", "node_modules/\n.venv/\nvendor/\n.env\nout/\n.tox/\n");
        env.git(&["add", "-A"]);
        env.git(&["commit", "-qm", "one"]);
        let path = std::env::vars_os().find(|(name, _)| name == "PATH");
        let home = ("HOME".into(), env.home().into());
        let variables = path.into_iter().chain([home]).collect();
        Self { env, variables }
    }

    fn original<'w>(&'w self, root: &'w Path) -> Original<'w> {
        Original { root, environment: &self.variables, stop: None }
    }

    fn plan(&self) -> CopyPlan {
        let place = Place::of(self.env.project());
        CopyPlan::of(&Tree::take(&place, &self.variables).unwrap())
    }

    fn copy(&self) -> ProjectCopy {
        self.copy_of(&self.plan())
    }

    fn copy_of(&self, plan: &CopyPlan) -> ProjectCopy {
        self.original(&self.env.project()).copy(plan, "one").unwrap()
    }

    fn copies(&self) -> PathBuf {
        self.original(&self.env.project()).copies().unwrap()
    }

    fn link(&self, path: &str, to: impl AsRef<Path>) {
        let path = self.env.project().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, path).unwrap();
    }
}

fn text(copy: &ProjectCopy, path: &str) -> Option<String> {
    std::fs::read_to_string(copy.folder().join(path)).ok()
}

/// Returns whether a path exists, even as a broken link.
fn has(copy: &ProjectCopy, path: &str) -> bool {
    copy.folder().join(path).symlink_metadata().is_ok()
}

#[test]
fn a_copy_has_the_files_and_nothing_that_tools_or_we_keep() {
    let world = CopiedRepository::new();
    world.env.write("new.txt", "untracked\n");
    world.env.write(".sprag/config.yaml", "v: 1\n");
    world.env.write("src/__pycache__/a.pyc", "old");
    world.env.write(".coverage.1", "old");
    world.env.write("out/result.txt", "old");
    world.env.write(".tox/py/x", "old");
    let program = world.env.project().join("run.sh");
    world.env.write("run.sh", "true\n");
    std::fs::set_permissions(&program, Permissions::from_mode(0o4755)).unwrap();
    let copy = world.copy();
    assert_eq!(text(&copy, "src/a.py").as_deref(), Some("a\n"));
    assert_eq!(text(&copy, "new.txt").as_deref(), Some("untracked\n"));
    for kept in [".sprag", "src/__pycache__", ".coverage.1", "out", ".tox"] {
        assert!(!has(&copy, kept), "{kept}");
    }
    let found = copy.folder().join("run.sh").metadata().unwrap();
    assert_eq!(found.mode() & 0o7777, 0o755);
    assert_eq!(found.mtime_nsec(), program.metadata().unwrap().mtime_nsec());
    assert_eq!(copy.folder().file_name(), world.env.project().file_name());
    assert_eq!(copy.top.metadata().unwrap().mode() & 0o777, 0o700);
    assert!(!copy.top.starts_with(world.env.project()));
}

#[test]
fn a_name_that_is_no_text_is_copied() {
    let world = CopiedRepository::new();
    let name = OsStr::from_bytes(b"tests/\xff.txt");
    std::fs::write(world.env.project().join(name), "x").unwrap();
    let copy = world.copy();
    assert_eq!(std::fs::read(copy.folder().join(name)).unwrap(), b"x");
}

#[test]
fn a_link_is_copied_only_where_it_stays_inside() {
    let world = CopiedRepository::new();
    world.link("inside", "src/a.py");
    world.link("src/up", "../tests/test_a.py");
    world.link("src/here", ".");
    world.link("out_of_it", "../../etc/passwd");
    world.link("src/through", "here/../../x");
    world.link("absolute", "/etc/passwd");
    world.link("own_absolute", world.env.project().join("src/a.py"));
    let copy = world.copy();
    assert_eq!(text(&copy, "inside").as_deref(), Some("a\n"));
    assert_eq!(text(&copy, "src/up").as_deref(), Some("assert a\n"));
    for out in ["out_of_it", "src/through", "absolute", "own_absolute"] {
        assert!(!has(&copy, out), "{out}");
    }
}

#[test]
fn a_text_takes_the_place_of_whatever_stands_there() {
    let world = CopiedRepository::new();
    let outside = world.env.top().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::remove_dir_all(world.env.project().join("tests")).unwrap();
    world.link("tests", "src");
    world.env.write("spec/deep/a.py", "x\n");
    let mut plan = world.plan();
    assert!(plan.put("tests/test_a.py", b"assert a\n".to_vec(), false));
    assert!(plan.put("spec", b"#!/bin/sh\n".to_vec(), true));
    plan.leave_out("src/a.py");
    for elsewhere in
        ["../x", "/etc/x", "a/../../x", ".git/hooks/x", "a//b", "", "node_modules/x", "a\0b"]
    {
        assert!(!plan.put(elsewhere, Vec::new(), false), "{elsewhere}");
    }
    let copy = world.copy_of(&plan);
    assert_eq!(text(&copy, "tests/test_a.py").as_deref(), Some("assert a\n"));
    assert!(!has(&copy, "src/test_a.py") && !has(&copy, "src/a.py"));
    assert_eq!(copy.folder().join("spec").metadata().unwrap().mode() & 0o777, 0o755);
    assert_eq!(std::fs::read_dir(outside).unwrap().count(), 0);
}

#[test]
fn what_is_put_back_decides_what_a_copy_is_known_by() {
    let world = CopiedRepository::new();
    let before = world.plan().hash();
    world.env.write("tests/test_a.py", "assert True\n");
    let changed = world.plan();
    assert_ne!(changed.hash(), before);
    let mut back = changed.clone();
    back.put("tests/test_a.py", b"assert a\n".to_vec(), false);
    assert_eq!(back.hash(), before, "whatever the agent made of the test");
    back.put("tests/test_a.py", b"assert a\n".to_vec(), true);
    assert_ne!(back.hash(), before);
}

#[test]
fn installed_packages_are_shared_and_lead_into_the_copy() {
    let world = CopiedRepository::new();
    let write = |path: &str| world.env.write(path, path);
    for path in [
        "node_modules/jest/index.js",
        "node_modules/@scope/one/index.js",
        "node_modules/.cache/old",
        "vendor/autoload.php",
        "vendor/composer/map.php",
        "vendor/phpunit/run.php",
        ".venv/bin/pytest",
        ".env",
        "packages/two/index.js",
    ] {
        write(path);
    }
    world.link("node_modules/.bin/jest", "../jest/index.js");
    world.link("node_modules/@scope/two", "../../packages/two");
    world.link("node_modules/own", world.env.project().join("packages/two"));
    let copy = world.copy();
    let real = |path: &str| std::fs::canonicalize(copy.folder().join(path)).unwrap();
    let project = std::fs::canonicalize(world.env.project()).unwrap();
    for shared in
        ["node_modules/jest/index.js", "node_modules/@scope/one/index.js", "vendor/phpunit/run.php"]
    {
        assert_eq!(real(shared), project.join(shared));
    }
    assert_eq!(real("node_modules/.bin/jest"), project.join("node_modules/jest/index.js"));
    assert_eq!(real(".venv"), project.join(".venv"));
    for own in ["vendor/autoload.php", "vendor/composer/map.php", ".env", "packages/two/index.js"] {
        assert_eq!(real(own), std::fs::canonicalize(copy.folder()).unwrap().join(own));
    }
    for own in ["node_modules/@scope/two/index.js", "node_modules/own/index.js"] {
        assert_eq!(real(own), real("packages/two/index.js"));
    }
    assert!(!has(&copy, "node_modules/.cache"));
}

#[test]
fn packages_that_a_worktree_shares_are_shared_on() {
    let world = CopiedRepository::new();
    let packages = world.env.top().join("main/node_modules");
    std::fs::create_dir_all(packages.join("jest")).unwrap();
    // A pattern for folders does not match a link, so the link is one of the files.
    world.link("node_modules", &packages);
    let copy = world.copy();
    let shared = std::fs::canonicalize(copy.folder().join("node_modules/jest")).unwrap();
    assert_eq!(shared, std::fs::canonicalize(packages.join("jest")).unwrap());
}

#[test]
fn a_copy_has_a_repository_that_borrows_the_objects() {
    let world = CopiedRepository::new();
    let copy = world.copy();
    let git = |words: &[&str]| {
        let mut command = world.env.command("git");
        command.arg("-C").arg(copy.folder()).args(words);
        let done = command.output().unwrap();
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    assert_eq!(git(&["ls-files"]), ".gitignore\nsrc/a.py\ntests/test_a.py\n");
    assert_eq!(git(&["status", "--porcelain"]), "");
    assert_eq!(git(&["log", "--format=%s"]), "one\n");
    git(&["commit", "-q", "--allow-empty", "-m", "in the copy"]);
    assert!(world.env.git(&["log", "--format=%s"]).trim() == "one", "it reached the project");
}

#[test]
fn a_project_that_is_too_large_is_not_copied() {
    let world = CopiedRepository::new();
    let file = File::create(world.env.project().join("large")).unwrap();
    file.set_len(MOST_BYTES + 1).unwrap();
    let project = world.env.project();
    let copied = world.original(&project).copy(&world.plan(), "one");
    assert!(matches!(copied, Err(NoCopy::TooLarge)), "{copied:?}");
    assert!(!world.copies().exists(), "something was copied");
    std::fs::remove_file(project.join("large")).unwrap();
    let mut many = world.plan();
    for number in 0..MOST_FILES {
        many.put(&number.to_string(), Vec::new(), false);
    }
    let copied = world.original(&project).copy(&many, "one");
    assert!(matches!(copied, Err(NoCopy::TooLarge)), "{copied:?}");
}

#[test]
fn a_copy_is_never_made_in_the_project_or_in_a_folder_of_others() {
    let world = CopiedRepository::new();
    let project = world.env.project();
    let inside = |home: PathBuf| [("HOME".into(), home.into_os_string())];
    let variables = inside(project.clone());
    let original = Original { root: &project, environment: &variables, stop: None };
    assert!(matches!(original.copy(&world.plan(), "one"), Err(NoCopy::NoPlace)));
    // A link does not hide it.
    let link = world.env.top().join("link");
    std::os::unix::fs::symlink(&project, &link).unwrap();
    let variables = inside(link);
    let original = Original { root: &project, environment: &variables, stop: None };
    assert!(matches!(original.copy(&world.plan(), "one"), Err(NoCopy::NoPlace)));
    let original = Original { root: &project, environment: &[], stop: None };
    assert!(matches!(original.copy(&world.plan(), "one"), Err(NoCopy::NoPlace)));
    std::fs::create_dir_all(world.copies()).unwrap();
    std::fs::set_permissions(world.copies(), Permissions::from_mode(0o777)).unwrap();
    let copied = world.original(&project).copy(&world.plan(), "one");
    assert!(matches!(copied, Err(NoCopy::Io(_))), "{copied:?}");
}

#[test]
fn a_copy_is_removed_whatever_was_left_in_it() {
    let world = CopiedRepository::new();
    let (copy, keep) = (world.copy(), world.env.top().join("keep"));
    std::fs::create_dir(&keep).unwrap();
    std::fs::write(keep.join("file"), "kept").unwrap();
    let folder = copy.folder().join("locked/inner");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("file"), "x").unwrap();
    std::os::unix::fs::symlink(&keep, folder.join("link")).unwrap();
    for path in [folder.clone(), copy.folder().join("locked")] {
        std::fs::set_permissions(path, Permissions::from_mode(0o500)).unwrap();
    }
    drop(copy);
    assert!(!world.copies().exists());
    assert_eq!(std::fs::read_to_string(keep.join("file")).unwrap(), "kept");
}

#[test]
fn what_a_killed_process_left_is_swept_away() {
    let world = CopiedRepository::new();
    std::mem::forget(world.copy());
    assert!(world.copies().join("one").exists());
    world.original(&world.env.project()).sweep();
    assert!(!world.copies().exists());
}

#[test]
fn a_copy_that_is_interrupted_leaves_nothing() {
    let world = CopiedRepository::new();
    let stop = StopHandle::new().unwrap();
    stop.ask();
    let project = world.env.project();
    let original = Original { stop: Some(&stop), ..world.original(&project) };
    assert!(matches!(original.copy(&world.plan(), "one"), Err(NoCopy::Interrupted)));
    assert!(!world.copies().exists());
}

#[test]
fn variables_that_name_the_project_name_the_copy() {
    let mut world = CopiedRepository::new();
    let project = world.env.project();
    let at = |path: &str| project.join(path).into_os_string();
    world.env.write(
        ".venv/lib/python3/site-packages/own.pth",
        format!("{}\n", project.join("src").display()),
    );
    let search = [at(".venv/bin"), at("out/bin"), "/usr/bin".into()].join(OsStr::new(":"));
    let set = [
        ("PATH", search),
        ("CARGO_TARGET_DIR", at("target")),
        ("OTHER", format!("{}x/y", project.display()).into()),
        ("PWD", project.clone().into()),
        ("GIT_DIR", at(".git")),
        ("GIT_AUTHOR_NAME", "me".into()),
        ("PYTHONPATH", at("lib")),
    ];
    std::fs::create_dir_all(project.join(".venv/bin")).unwrap();
    world.variables.retain(|(name, _)| name == "HOME");
    world.variables.extend(set.map(|(name, value)| (name.into(), value)));
    world.variables.push(("XDG_CACHE_HOME".into(), world.env.top().join("cache").into()));
    let mut plan = CopyPlan::of(&Tree::take(&Place::of(&project), &[]).unwrap());
    plan.put("x", Vec::new(), false);
    let copy = world.original(&project).copy(&plan, "one").unwrap();
    let value = |name: &str| {
        let found = copy.environment().iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.to_str().unwrap().to_owned())
    };
    let folder = copy.folder().display();
    assert_eq!(value("CARGO_TARGET_DIR"), Some(format!("{folder}/target")));
    assert_eq!(value("PWD"), Some(folder.to_string()));
    assert_eq!(value("OTHER"), Some(format!("{}x/y", project.display())));
    assert_eq!(value("PYTHONPATH"), Some(format!("{folder}/src:{folder}/lib")));
    assert_eq!((value("GIT_DIR"), value("GIT_AUTHOR_NAME").as_deref()), (None, Some("me")));
    let path = value("PATH").unwrap();
    assert!(path.contains(&format!("{}/out/bin:/usr/bin", project.display())), "{path}");
}
