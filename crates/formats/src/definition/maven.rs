//! Maven: the settings in `pom.xml` that determine which tests run.

use sprag_core::definition::{KnownThen, PartRole, WhenNew};

use super::config::option_values;
use super::paths::{below, folder_of, has_ending, join};
use super::read::{Element, xml};
use super::resolver::{CallSite, FileText, Resolver};

/// The most modules that are read.
const MOST: usize = 200;

/// Plugins that run tests or measure them.
const PLUGINS: [(&str, &str); 4] = [
    ("maven-surefire-plugin", "surefire"),
    ("maven-failsafe-plugin", "failsafe"),
    ("jacoco-maven-plugin", "jacoco"),
    ("build-helper-maven-plugin", "build-helper"),
];

impl Resolver<'_> {
    pub(super) fn maven(&mut self, args: &[String], site: &CallSite) {
        for name in [".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml"] {
            self.whole(&below(&site.folder, name), PartRole::Runner, site);
        }
        let named = ["-f", "--file"].iter().flat_map(|option| option_values(args, option)).last();
        let first = join(&site.folder, named.as_deref().unwrap_or("pom.xml"));
        let mut open: Vec<(String, CallSite)> =
            first.map(|path| (path, site.clone())).into_iter().collect();
        let mut seen = std::collections::BTreeSet::new();
        while let Some((path, at)) = open.pop() {
            if seen.len() >= MOST || !seen.insert(path.clone()) {
                continue;
            }
            let (modules, parent) = self.pom(&path, &at);
            let above = parent.and_then(|parent| join(folder_of(&path), &parent));
            open.extend(above.map(|path| (path, at.clone())));
            for module in modules {
                let Some(folder) = join(folder_of(&path), &module) else { continue };
                self.know(KnownThen::Member(folder.clone()));
                let path = if has_ending(&folder, &["xml"]) {
                    folder.clone()
                } else {
                    below(&folder, "pom.xml")
                };
                open.push((path, CallSite { member: Some(folder), ..site.clone() }));
            }
        }
    }

    /// Adds the parts of one file, and returns its modules and its parent file.
    fn pom(&mut self, path: &str, site: &CallSite) -> (Vec<String>, Option<String>) {
        let root = match self.text(path) {
            FileText::Absent => return (Vec::new(), None),
            FileText::Opaque => None,
            FileText::Text(text) => xml(&text),
        };
        let Some(root) = root else {
            self.whole(path, PartRole::Runner, site);
            return (Vec::new(), None);
        };
        let (mut parts, mut modules) = (Vec::<(String, String)>::new(), Vec::new());
        let (mut parent, mut suites) = (None, Vec::new());
        root.visit(&mut Vec::new(), &mut |around, element| {
            if element.name == "parent" && around.last() == Some(&"project") {
                let named = element.child_text("relativePath").map(|text| text.trim().to_owned());
                parent = Some(named.unwrap_or_else(|| "../pom.xml".to_owned()));
            }
            if element.name == "suiteXmlFile" {
                suites.push(element.text.trim().to_owned());
            }
            if around.last() == Some(&"modules") && element.name == "module" {
                modules.push(element.text.trim().to_owned());
            } else if let Some(name) = part(around, element) {
                let text = format!("{} {}", around.join("/"), element.canonical(&["version"]));
                match parts.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, all)) => all.push_str(&text),
                    None => parts.push((name, text)),
                }
            }
        });
        for (part, text) in parts {
            self.runner(path, &part, &text, site);
        }
        for suite in suites.iter().filter_map(|suite| join(folder_of(path), suite)) {
            self.whole(&suite, PartRole::Runner, site);
        }
        for module in &modules {
            self.runner_if(path, &format!("modules.{module}"), "", site, WhenNew::Free);
        }
        (modules, parent)
    }
}

/// Returns the name of the part that an element forms, if any.
fn part(around: &[&str], element: &Element) -> Option<String> {
    if element.name == "plugin" {
        let id = element.child_text("artifactId")?;
        return PLUGINS
            .iter()
            .find(|(plugin, _)| *plugin == id)
            .map(|(_, part)| (*part).to_owned());
    }
    let name = element.name.to_lowercase();
    let is_switch =
        name.contains("skip") || name.contains("testfailureignore") || name == "excludedgroups";
    let in_properties = around.last() == Some(&"properties");
    let is_property = in_properties
        && !name.contains("version")
        && ["surefire", "failsafe", "test", "groups"]
            .iter()
            .any(|word| name.split(['.', '-']).any(|part| part == *word));
    let is_folder = ["testsourcedirectory", "testexcludes", "testincludes"].contains(&&*name);
    // Inside a plugin, it belongs to the plugin's part.
    let in_plugin = around.contains(&"plugin");
    let is_own = (is_switch && !in_plugin) || is_property || is_folder;
    is_own.then(|| element.name.clone())
}
