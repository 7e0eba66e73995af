//! go, ctest, dotnet, tsc: families with a few files of their own.

use sprag_core::definition::{KnownThen, PartKey, PartRole, WhenNew};

use super::config::option_values;
use super::paths::{below, file_name, folder_of, has_ending, join, upwards};
use super::read::{Datum, xml};
use super::resolver::{CallSite, FileText, Resolver};
use super::settings::{presence, settings};

/// The most files of one kind that are read.
const MOST: usize = 200;

/// Options of TypeScript for its output and dialect, which change no check.
const NOT_CHECKED: [&str; 25] = [
    "allow_js",
    "base_url",
    "composite",
    "declaration",
    "declaration_dir",
    "declaration_map",
    "emit_declaration_only",
    "emit_decorator_metadata",
    "es_module_interop",
    "experimental_decorators",
    "import_helpers",
    "incremental",
    "inline_source_map",
    "jsx",
    "jsx_import_source",
    "lib",
    "module",
    "module_resolution",
    "no_emit",
    "out_dir",
    "paths",
    "remove_comments",
    "resolve_json_module",
    "source_map",
    "target",
];

impl Resolver<'_> {
    /// Adds `go.work`, with its modules as separate parts, because a new module only adds.
    pub(super) fn go(&mut self, name: &str, args: &[String], site: &CallSite) {
        if name == "gotestsum" {
            self.named_command(args, site);
        }
        let folder = option_values(args, "-C").pop().and_then(|folder| join(&site.folder, &folder));
        let folder = folder.unwrap_or_else(|| site.folder.clone());
        self.nested_modules(&folder, site);
        for folder in upwards(&folder) {
            self.go_work(&below(&folder, "go.work"), site);
        }
    }

    /// Adds the modules below a folder. A new one takes the tests in it out of `./...`.
    fn nested_modules(&mut self, folder: &str, site: &CallSite) {
        let paths = self.paths_below(folder);
        for path in paths.iter().filter(|path| path.ends_with("_test.go")) {
            for folder in upwards(folder_of(path)) {
                self.know(KnownThen::Tests(folder));
            }
        }
        let nested = paths.iter().filter(|path| file_name(path) == "go.mod");
        for path in nested.filter(|path| folder_of(path) != folder).take(MOST) {
            let tests = KnownThen::Tests(folder_of(path).to_owned());
            let key = self.runner_if(path, "is there", "", site, WhenNew::DoubtedIf(tests));
            if let Some(part) = self.found.parts.get_mut(&key) {
                // Without it, its tests belong to the module above.
                part.level = Some(0);
            }
        }
    }

    fn named_command(&mut self, args: &[String], site: &CallSite) {
        for line in option_values(args, "--post-run-command") {
            self.shell(&line, site);
        }
    }

    fn go_work(&mut self, path: &str, site: &CallSite) {
        let text = match self.text(path) {
            FileText::Absent => return,
            FileText::Opaque => {
                self.whole(path, PartRole::Runner, site);
                return;
            }
            FileText::Text(text) => text,
        };
        let (mut block, mut other) = (None, String::new());
        for line in text.lines() {
            let line = line.split("//").next().unwrap_or_default().trim();
            let words: Vec<&str> = line.split_whitespace().collect();
            match (&words[..], block) {
                ([], _) | (["go" | "toolchain", ..], None) => {}
                ([")"], _) => block = None,
                ([word, "("], _) => block = Some(*word == "use"),
                (["use", module], _) | ([module], Some(true)) => {
                    self.runner_if(path, &format!("use {module}"), "", site, WhenNew::Free);
                }
                (_, _) => {
                    other.push_str(line);
                    other.push('\n');
                }
            }
        }
        self.runner(path, "replace", &other, site);
    }

    /// Adds the tests in `CMakeLists.txt` files, and the settings that change them.
    pub(super) fn ctest(&mut self, args: &[String], site: &CallSite) {
        let folder =
            option_values(args, "--test-dir").pop().and_then(|folder| join(&site.folder, &folder));
        let folder = folder.unwrap_or_else(|| site.folder.clone());
        for name in ["CTestCustom.cmake", "CTestConfig.cmake"] {
            self.whole(&below(&folder, name), PartRole::Runner, site);
        }
        for name in ["CMakePresets.json", "CMakeUserPresets.json"] {
            let path = below(&site.folder, name);
            let Some(values) = self.values(&path, Datum::json, site) else { continue };
            if let Some(presets) = values.at(&["testPresets"]) {
                self.runner(&path, "testPresets", &presets.canonical(), site);
            }
        }
        let mut lists = self.paths_below(&site.folder);
        lists.retain(|path| file_name(path) == "CMakeLists.txt");
        lists.push(below(&site.folder, "CMakeLists.txt"));
        for path in lists.into_iter().take(MOST) {
            self.cmake(&path, site);
        }
    }

    fn cmake(&mut self, path: &str, site: &CallSite) {
        let FileText::Text(text) = self.text(path) else {
            self.whole(path, PartRole::Runner, site);
            return;
        };
        let plain: Vec<&str> =
            text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect();
        let plain = plain.join("\n");
        let mut conditions: Vec<String> = Vec::new();
        let mut rest = &*plain;
        while let Some(open) = rest.find('(') {
            let name =
                rest[..open].split_whitespace().next_back().unwrap_or_default().to_lowercase();
            let Some(length) = closed(&rest[open..]) else {
                self.whole(path, PartRole::Runner, site);
                return;
            };
            let inner: Vec<&str> = rest[open + 1..open + length - 1].split_whitespace().collect();
            let inner = inner.join(" ");
            rest = &rest[open + length..];
            let first = inner.split(' ').find(|word| *word != "NAME").unwrap_or_default();
            let under = format!("{} {inner}", conditions.join(" "));
            match &*name {
                "if" => conditions.push(inner.clone()),
                "elseif" | "else" => {
                    conditions.pop();
                    conditions.push(format!("else {inner}"));
                }
                "endif" => {
                    conditions.pop();
                }
                "add_test"
                | "gtest_discover_tests"
                | "catch_discover_tests"
                | "enable_testing"
                | "add_subdirectory" => {
                    let part = if first.is_empty() { name } else { format!("{name} {first}") };
                    self.runner_if(path, &part, &under, site, WhenNew::Free);
                }
                "set_tests_properties" | "set_property"
                    if inner.contains("TEST") || name.contains("tests") =>
                {
                    self.runner(path, &format!("{name} {first}"), &under, site);
                }
                _ => {}
            }
        }
    }

    /// Adds the settings of .NET projects that determine which tests run.
    pub(super) fn dotnet(&mut self, args: &[String], site: &CallSite) {
        let options = ["--settings", "-s"].iter().flat_map(|option| option_values(args, option));
        for value in options.collect::<Vec<_>>() {
            self.named_config(&value, site);
        }
        let ends = [".csproj", ".fsproj", ".vbproj", ".runsettings"];
        let mut files = self.paths_below(&site.folder);
        files.retain(|path| {
            ends.iter().any(|end| path.ends_with(end))
                || file_name(path).starts_with("Directory.Build.")
        });
        for path in files.into_iter().take(MOST) {
            if path.ends_with(".runsettings") {
                self.whole(&path, PartRole::Runner, site);
            } else {
                self.dotnet_project(&path, site);
            }
        }
    }

    fn dotnet_project(&mut self, path: &str, site: &CallSite) {
        let FileText::Text(text) = self.text(path) else { return };
        let Some(root) = xml(&text) else {
            self.whole(path, PartRole::Runner, site);
            return;
        };
        let member = folder_of(path).to_owned();
        self.know(KnownThen::Member(member.clone()));
        let inner = CallSite { member: (!member.is_empty()).then_some(member), ..site.clone() };
        let mut parts: Vec<(String, String)> = Vec::new();
        root.visit(&mut Vec::new(), &mut |_, element| {
            let name = element.name.to_lowercase();
            let is_property =
                (name.contains("test") || name.contains("skip") || name.contains("runsettings"))
                    && element.children.is_empty();
            let is_removal = name == "compile" && element.attributes.contains("Remove");
            if is_property || is_removal {
                parts.push((element.name.clone(), element.canonical(&[])));
            }
        });
        for (part, text) in parts {
            self.runner(path, &part, &text, &inner);
        }
    }

    /// Adds `tsconfig.json` and the files that it extends and references.
    pub(super) fn typescript(&mut self, args: &[String], site: &CallSite) {
        let mut named: Vec<String> = ["-p", "--project", "-b", "--build"]
            .iter()
            .flat_map(|option| option_values(args, option))
            .filter(|value| !value.starts_with('-'))
            .collect();
        if named.is_empty() {
            named.push("tsconfig.json".to_owned());
        }
        let mut open: Vec<(String, CallSite)> = named
            .iter()
            .filter_map(|name| join(&site.folder, name))
            .map(|path| (path, site.clone()))
            .collect();
        let mut seen = std::collections::BTreeSet::new();
        while let Some((path, at)) = open.pop() {
            let path =
                if has_ending(&path, &["json"]) { path } else { below(&path, "tsconfig.json") };
            if seen.len() >= MOST || !seen.insert(path.clone()) {
                continue;
            }
            let Some(values) = self.values(&path, Datum::json, &at) else { continue };
            let (key, part) = presence(&path, &at);
            self.add(key, part);
            for setting in settings("", &values, &NOT_CHECKED) {
                self.setting(&path, &setting, &at);
            }
            let base = folder_of(&path).to_owned();
            let inner = at.through(&PartKey::part(&path, "extends"));
            let bases = values
                .at(&["extends"])
                .map(|value| value.texts().map(str::to_owned).collect::<Vec<_>>());
            let refers = values.at(&["references"]).map(Datum::items).unwrap_or_default();
            let refers =
                refers.iter().filter_map(|one| one.at(&["path"])?.text()).map(str::to_owned);
            for name in bases
                .unwrap_or_default()
                .into_iter()
                .filter(|name| name.starts_with('.'))
                .chain(refers)
            {
                open.extend(join(&base, &name).map(|path| {
                    let with_end = if has_ending(&path, &["json"]) {
                        path.clone()
                    } else {
                        format!("{path}.json")
                    };
                    let path = if self.exists(&with_end) { with_end } else { path };
                    (path, inner.clone())
                }));
            }
        }
    }
}

/// Returns the length of a bracketed text, from its opening to its closing bracket.
fn closed(text: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0_usize, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
