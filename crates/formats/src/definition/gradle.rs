//! Gradle: the statements of build files that mention tests or the task being run.

use std::collections::BTreeSet;

use sprag_core::definition::{KnownThen, PartRole, WhenNew};

use super::paths::{below, folder_of, join};
use super::read::statements;
use super::resolver::{CallSite, FileText, MAX_SCRIPT_FILES, Resolver};

/// Words that configure tests.
const WORDS: [&str; 13] = [
    "test",
    "Test",
    "check",
    "testing",
    "useJUnitPlatform",
    "jacocoTestCoverageVerification",
    "sourceSets",
    "excludedTaskNames",
    "ignoreFailures",
    "onlyIf",
    "startParameter",
    "taskGraph",
    "whenTaskAdded",
];

/// The most projects that are read.
const MOST: usize = 200;

impl Resolver<'_> {
    pub(super) fn gradle(&mut self, args: &[String], site: &CallSite) {
        let tasks: Vec<&str> = args
            .iter()
            .filter(|arg| !arg.starts_with('-'))
            .map(|task| task.rsplit(':').next().unwrap_or(task))
            .collect();
        let words: Vec<&str> = WORDS.iter().copied().chain(tasks).collect();
        let mut folders = BTreeSet::from([site.folder.clone()]);
        for name in ["settings.gradle", "settings.gradle.kts"] {
            folders.extend(self.gradle_settings(&below(&site.folder, name), site));
            self.gradle_file(&below(&site.folder, name), &words, site);
        }
        folders.insert(below(&site.folder, "buildSrc"));
        let plugins = below(&site.folder, "buildSrc/src/main");
        let mut scripts = self.paths_below(&plugins);
        scripts.retain(|path| path.ends_with(".gradle") || path.ends_with(".gradle.kts"));
        for path in scripts.into_iter().take(MOST) {
            self.gradle_file(&path, &words, site);
        }
        for folder in folders.into_iter().take(MOST) {
            let is_top = folder == site.folder;
            if !is_top {
                self.know(KnownThen::Member(folder.clone()));
            }
            let inner = CallSite { member: (!is_top).then(|| folder.clone()), ..site.clone() };
            for name in ["build.gradle", "build.gradle.kts"] {
                self.gradle_file(&below(&folder, name), &words, &inner);
            }
        }
    }

    fn gradle_file(&mut self, path: &str, words: &[&str], site: &CallSite) {
        let text = match self.text(path) {
            FileText::Absent => return,
            FileText::Opaque => None,
            FileText::Text(text) => Some(text),
        };
        for applied in text.as_deref().map(applied).unwrap_or_default() {
            let Some(file) = join(folder_of(path), &applied) else { continue };
            if self.scripts.len() < MAX_SCRIPT_FILES && self.scripts.insert(file.clone()) {
                self.gradle_file(&file, words, site);
            }
        }
        match text.and_then(|text| statements(&text, words)) {
            Some(text) if text.is_empty() => {}
            Some(text) => {
                self.runner(path, "test", &text, site);
            }
            None => {
                self.whole(path, PartRole::Runner, site);
            }
        }
    }

    /// Adds the included projects as separate parts, and returns their folders.
    fn gradle_settings(&mut self, path: &str, site: &CallSite) -> Vec<String> {
        let text = match self.text(path) {
            FileText::Absent => return Vec::new(),
            FileText::Opaque => {
                self.whole(path, PartRole::Runner, site);
                return Vec::new();
            }
            FileText::Text(text) => text,
        };
        let mut folders = Vec::new();
        let lines = text.lines().map(str::trim).filter(|line| line.starts_with("include"));
        for line in lines.take(MOST) {
            for name in line.split(['"', '\'']).skip(1).step_by(2) {
                self.runner_if(path, &format!("include {name}"), "", site, WhenNew::Free);
                let folder = name.trim_start_matches(':').replace(':', "/");
                folders.extend(join(folder_of(path), &folder));
            }
        }
        folders
    }
}

/// Returns the files that a build file applies: `apply from: 'x.gradle'`,
/// `apply(from = "x.gradle")`.
fn applied(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| line.starts_with("apply"));
    let from = lines.filter_map(|line| line.split_once("from"));
    let named = from.filter_map(|(_, rest)| rest.split(['"', '\'']).nth(1));
    // `"$rootDir/x.gradle"` is the only variable that is supported here.
    let bare = |name: &str| {
        let name = name.trim_start_matches("$rootDir/").trim_start_matches("${rootDir}/");
        name.to_owned()
    };
    named.map(bare).take(MOST).collect()
}
