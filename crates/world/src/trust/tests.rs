use std::os::unix::fs::PermissionsExt as _;

use sprag_testkit::TestEnv;

use super::*;
use crate::root::{RootSearch, find_or_new};

/// A machine with projects on it.
struct ProjectMachine {
    env: TestEnv,
}

impl ProjectMachine {
    /// Creates a project with a configuration, in git.
    fn new() -> Self {
        let env = TestEnv::of_a_stranger();
        env.git(&["init", "-q"]);
        env.write(".sprag/config.yaml", "v: 1\n");
        Self { env }
    }

    fn folder(&self) -> PathBuf {
        self.env.home().join(".local/state/sprag")
    }

    /// Returns the project of that name next to the first one.
    fn at(&self, name: &str) -> Place {
        let folder = self.env.top().join(name);
        find_or_new(RootSearch { folder: &folder, home: None, named: None }).unwrap()
    }

    fn place(&self) -> Place {
        self.at(self.env.project().file_name().unwrap().to_str().unwrap())
    }

    fn belongs(&self, place: &Place) -> Belongs {
        Belongs::of(place, Some(&self.folder()))
    }

    fn approve(&self, place: &Place, digests: &[Hash]) {
        approve(&self.folder(), place, digests).unwrap();
    }

    /// Returns the files of all deeds.
    fn deeds(&self) -> Vec<PathBuf> {
        let folder = self.folder().join(DEEDS);
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut paths: Vec<_> =
            paths.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
        paths.sort();
        paths
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own process")]
    fn run(&self, program: &str, words: &[&str]) {
        let mut command = std::process::Command::new(program);
        assert!(command.args(words).current_dir(self.env.top()).status().unwrap().success());
    }

    fn name(&self) -> String {
        self.env.project().file_name().unwrap().to_string_lossy().into_owned()
    }
}

fn command(words: &[&str]) -> Hash {
    let argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    digest(&argv, "", &[])
}

#[test]
fn a_project_is_nobody_s_until_a_person_agrees_to_something_in_it() {
    let world = ProjectMachine::new();
    let (test, other) = (command(&["cargo", "test"]), command(&["cargo test"]));
    assert_eq!(world.belongs(&world.place()), Belongs::Elsewhere);
    world.approve(&world.place(), &[test]);
    let Belongs::Here(deed) = world.belongs(&world.place()) else { panic!("it is a person's") };
    assert!(deed.covers(test) && !deed.covers(other));
    let [deed] = &world.deeds()[..] else { panic!("one deed") };
    assert_eq!(deed.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let roots = deed.parent().unwrap().metadata().unwrap();
    assert_eq!(roots.permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_folder_with_nothing_of_ours_is_new() {
    let env = TestEnv::of_a_stranger();
    let place = Place::of(env.project());
    let folder = env.home().join("state");
    assert_eq!(Belongs::of(&place, Some(&folder)), Belongs::New);
    assert!(matches!(Belongs::of(&place, None), Belongs::Unknown { .. }));
    record(&folder, &place, |_| ()).unwrap();
    assert_eq!(Belongs::of(&place, Some(&folder)), Belongs::Here(Deed::default()));
    assert!(env.project().join(".sprag/id").is_file());
}

#[test]
fn a_clone_has_no_deed_whatever_it_carries() {
    let world = ProjectMachine::new();
    world.approve(&world.place(), &[command(&["true"])]);
    // Even if the whole state is committed.
    world.env.git(&["add", "-Af", "."]);
    world.env.git(&["commit", "-qm", "all"]);
    world.run("git", &["clone", "-q", &world.name(), "clone"]);
    assert_eq!(world.belongs(&world.at("clone")), Belongs::Elsewhere);
}

#[test]
fn a_committed_id_of_a_folder_that_was_no_repository_counts_only_there() {
    let env = TestEnv::of_a_stranger();
    env.write(".sprag/config.yaml", "v: 1\n");
    let world = ProjectMachine { env };
    let test = command(&["true"]);
    world.approve(&world.place(), &[test]);
    assert!(world.place().common.is_none());
    world.env.git(&["init", "-q"]);
    world.env.git(&["add", "-Af", "."]);
    world.env.git(&["commit", "-qm", "all"]);
    assert!(matches!(world.belongs(&world.place()), Belongs::Moved(deed) if deed.covers(test)));
    world.run("git", &["clone", "-q", &world.name(), "clone"]);
    assert_eq!(world.belongs(&world.at("clone")), Belongs::Elsewhere);
    world.run("mv", &[&world.name(), "away"]);
    assert_eq!(world.belongs(&world.at("clone")), Belongs::Elsewhere);
    assert_eq!(world.belongs(&world.at("away")), Belongs::Elsewhere, "it is unknown there");
}

#[test]
fn a_moved_project_stays_a_person_s_and_its_new_place_is_recorded() {
    let world = ProjectMachine::new();
    let (test, other) = (command(&["true"]), command(&["false"]));
    world.approve(&world.place(), &[test]);
    world.run("mv", &[&world.name(), "moved"]);
    let moved = world.at("moved");
    assert!(matches!(world.belongs(&moved), Belongs::Moved(deed) if deed.covers(test)));
    world.approve(&moved, &[other]);
    let here = world.belongs(&moved);
    assert!(matches!(here, Belongs::Here(deed) if deed.covers(test) && deed.covers(other)));
    assert_eq!(world.deeds().len(), 1);
}

#[test]
fn a_copy_counts_for_nothing_until_it_is_agreed_to_and_then_has_a_deed_of_its_own() {
    let world = ProjectMachine::new();
    let (test, other) = (command(&["true"]), command(&["false"]));
    world.approve(&world.place(), &[test]);
    world.run("cp", &["-a", &world.name(), "copy"]);
    let copy = world.at("copy");
    let of = std::fs::canonicalize(world.env.project()).unwrap();
    assert_eq!(world.belongs(&copy), Belongs::Copy { of });
    world.approve(&copy, &[other]);
    let Belongs::Here(deed) = world.belongs(&copy) else { panic!("the copy is agreed to") };
    assert!(deed.covers(other) && !deed.covers(test));
    assert!(matches!(world.belongs(&world.place()), Belongs::Here(deed) if !deed.covers(other)));
    assert_eq!(world.deeds().len(), 2);
    assert_eq!(others(&world.folder(), &world.place()), 1);
}

#[test]
fn linked_worktrees_and_links_to_the_folder_are_the_project() {
    let world = ProjectMachine::new();
    world.env.git(&["add", "."]);
    world.env.git(&["commit", "-qm", "start"]);
    world.approve(&world.place(), &[command(&["true"])]);
    world.env.git(&["worktree", "add", "-q", "../linked"]);
    assert!(matches!(world.belongs(&world.at("linked")), Belongs::Here(_)));
    world.run("ln", &["-s", &world.name(), "link"]);
    let link = Place { common: Some(world.env.top().join("link/.git")), ..world.place() };
    assert!(matches!(world.belongs(&link), Belongs::Here(_)));
}

#[test]
fn projects_of_one_repository_have_a_deed_each() {
    let world = ProjectMachine::new();
    world.env.write("packages/shop/.sprag/config.yaml", "v: 1\n");
    world.approve(&world.place(), &[command(&["true"])]);
    let shop = world.at(&format!("{}/packages/shop", world.name()));
    assert_eq!(world.belongs(&shop), Belongs::Elsewhere);
    let test = command(&["make", "test"]);
    world.approve(&shop, &[test]);
    assert!(matches!(world.belongs(&shop), Belongs::Here(deed) if deed.covers(test)));
    assert_eq!(others(&world.folder(), &shop), 1);
    forget(&world.folder(), &shop).unwrap();
    assert_eq!(world.belongs(&shop), Belongs::Here(Deed::default()), "it stays a person's");
    assert_eq!(others(&world.folder(), &world.place()), 0);
    assert!(matches!(world.belongs(&world.place()), Belongs::Here(deed) if deed.has_commands()));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test's own folder")]
fn a_deed_or_an_id_that_cannot_be_read_is_none_and_is_not_overwritten() {
    let world = ProjectMachine::new();
    world.approve(&world.place(), &[command(&["true"])]);
    let deed = world.deeds().remove(0);
    let good = std::fs::read_to_string(&deed).unwrap();
    let newer = good.replace("\"v\": 1", "\"v\": 2");
    for text in ["", "{", "[]", &newer] {
        std::fs::write(&deed, text).unwrap();
        assert!(matches!(world.belongs(&world.place()), Belongs::Unknown { .. }), "{text}");
        assert!(record(&world.folder(), &world.place(), |_| ()).is_err(), "{text}");
        assert_eq!(std::fs::read_to_string(&deed).unwrap(), text);
    }
    std::fs::write(&deed, &good).unwrap();
    assert!(world.belongs(&world.place()).counts());
    std::fs::set_permissions(&deed, std::fs::Permissions::from_mode(0o666)).unwrap();
    assert!(!world.belongs(&world.place()).counts(), "others may have written it");
    std::fs::set_permissions(&deed, std::fs::Permissions::from_mode(0o600)).unwrap();

    let id = world.env.project().join(".git/sprag/id");
    let known = std::fs::read_to_string(&id).unwrap();
    for text in ["", "x\n", &known.to_uppercase(), &known.repeat(9)] {
        std::fs::write(&id, text).unwrap();
        assert!(matches!(world.belongs(&world.place()), Belongs::Unknown { .. }), "{text}");
    }
    std::fs::rename(&id, id.with_file_name("real")).unwrap();
    std::os::unix::fs::symlink("real", &id).unwrap();
    std::fs::write(id.with_file_name("real"), &known).unwrap();
    assert!(matches!(world.belongs(&world.place()), Belongs::Unknown { .. }), "a link");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test's own folder")]
fn a_project_of_the_first_release_is_a_person_s_without_being_asked() {
    let world = ProjectMachine::new();
    let test = command(&["cargo", "test"]);
    state_home::make(&world.folder()).unwrap();
    let list = world.folder().join("trust.json");
    let root = std::fs::canonicalize(world.env.project()).unwrap();
    let known = format!("{{\"v\": 1, \"roots\": {{\"{}\": [\"{test}\"]}}}}", root.display());
    std::fs::write(&list, known).unwrap();
    std::fs::set_permissions(&list, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(matches!(world.belongs(&world.place()), Belongs::Moved(deed) if deed.covers(test)));
    record(&world.folder(), &world.place(), |_| ()).unwrap();
    assert!(matches!(world.belongs(&world.place()), Belongs::Here(deed) if deed.covers(test)));
    assert!(!std::fs::read_to_string(&list).unwrap().contains(&test.to_string()));
}

#[test]
fn hosts_are_known_as_they_were_typed() {
    let world = ProjectMachine::new();
    name_hosts(&world.folder(), &world.place(), &["sh agent.sh".to_owned()]).unwrap();
    let deed = world.belongs(&world.place()).deed().unwrap();
    assert!(deed.has_host("sh agent.sh") && !deed.has_host("sh evil.sh"));
}

#[test]
fn what_a_command_is_decides_its_digest() {
    let argv = ["a".to_owned(), "b".to_owned()];
    let names = ["X".to_owned()];
    let all = [
        digest(&argv, "", &[]),
        digest(&argv[..1], "", &[]),
        digest(&argv, "sub", &[]),
        digest(&argv, "", &names),
        digest(&["a b".to_owned()], "", &[]),
    ];
    assert_eq!(BTreeSet::from(all).len(), all.len());
}
