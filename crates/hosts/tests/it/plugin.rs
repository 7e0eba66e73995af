//! The plugin's folder matches what `init` installs, file for file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sprag_hosts::install;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins/claude")
}

/// Reads every file below a folder.
fn read(folder: &Path, below: &str, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            read(&entry.path(), &format!("{name}/"), files);
        } else {
            files.insert(name, std::fs::read_to_string(entry.path()).unwrap());
        }
    }
}

#[test]
fn the_plugin_is_what_init_installs() {
    let expected = install::plugin(env!("CARGO_PKG_VERSION")).unwrap();
    let mut found = BTreeMap::new();
    read(&folder(), "", &mut found);
    for (path, text) in &expected {
        let there = found.remove(path);
        assert_eq!(there.as_ref(), Some(text), "plugins/claude/{path} must be:\n{text}");
    }
    assert!(found.is_empty(), "plugins/claude has more: {:?}", found.keys());
}

#[test]
fn the_marketplace_names_the_plugin() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.claude-plugin/marketplace.json");
    let text = std::fs::read_to_string(file).unwrap();
    let market: serde_json::Value = serde_json::from_str(&text).unwrap();
    let [plugin] = market["plugins"].as_array().unwrap().as_slice() else { panic!("{market}") };
    assert_eq!(plugin["name"], "sprag");
    assert_eq!(plugin["source"], "./plugins/claude");
}
