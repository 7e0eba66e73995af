use std::os::unix::fs::PermissionsExt;

use super::*;

struct World {
    scratch: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        for name in ["one", "two"] {
            std::fs::create_dir(scratch.path().join(name)).unwrap();
        }
        Self { scratch }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    fn folder(&self) -> PathBuf {
        self.at("home/.local/state/sprag")
    }

    fn trusts(&self, root: &str, digest: Hash) -> bool {
        Trust::read(&self.folder()).covers(&self.at(root), digest)
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    fn write(&self, text: &str) {
        std::fs::write(self.folder().join(FILE), text).unwrap();
    }
}

fn command(words: &[&str]) -> Hash {
    let argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    digest(&argv, "", &[])
}

#[test]
fn approvals_are_kept_for_one_project_and_one_command() {
    let world = World::new();
    let (test, other) = (command(&["cargo", "test"]), command(&["cargo test"]));
    assert!(!world.trusts("one", test));
    assert!(Trust::read(&world.folder()).fault().is_none(), "no file is no fault");
    std::fs::create_dir(world.at("home")).unwrap();
    add(&world.folder(), &world.at("one"), &[test]).unwrap();
    assert!(world.trusts("one", test) && world.trusts("two/../one", test));
    assert!(!world.trusts("one", other) && !world.trusts("two", test));
    assert!(!world.trusts("nowhere", test));
    let mode = world.folder().join(FILE).metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    add(&world.folder(), &world.at("two"), &[test, other]).unwrap();
    remove(&world.folder(), &world.at("one"), &[test]).unwrap();
    assert!(!world.trusts("one", test) && world.trusts("two", test));
    assert!(!Trust::read(&world.folder()).knows(&world.at("one")));
    forget(&world.folder(), &world.at("two")).unwrap();
    assert!(!world.trusts("two", other));
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

#[test]
fn what_cannot_be_read_is_no_approval_and_is_not_overwritten() {
    let world = World::new();
    std::fs::create_dir(world.at("home")).unwrap();
    let test = command(&["cargo", "test"]);
    add(&world.folder(), &world.at("one"), &[test]).unwrap();
    let good = std::fs::read_to_string(world.folder().join(FILE)).unwrap();
    let bad = good.replace("\"v\": 1", "\"v\": 2");
    for text in ["", "{", "[]", "{\"v\":1,\"roots\":{\"x\":[\"no hash\"]}}", &bad] {
        world.write(text);
        let trust = Trust::read(&world.folder());
        assert!(trust.fault().is_some() && !trust.covers(&world.at("one"), test), "{text}");
        assert!(add(&world.folder(), &world.at("one"), &[test]).is_err(), "{text}");
    }
    world.write(&good);
    assert!(world.trusts("one", test));
    let open = std::fs::Permissions::from_mode(0o666);
    std::fs::set_permissions(world.folder().join(FILE), open).unwrap();
    assert!(!world.trusts("one", test), "others may have written it");
}

#[test]
fn the_folder_is_where_the_standard_says() {
    let home = Some(Path::new("/home/a"));
    let of = |state: Option<&str>| folder(state.map(OsStr::new), home);
    assert_eq!(of(Some("/state")), Some("/state/sprag".into()));
    for none in [None, Some(""), Some("relative")] {
        assert_eq!(of(none), Some("/home/a/.local/state/sprag".into()), "{none:?}");
    }
    assert_eq!(folder(None, None), None);
}
