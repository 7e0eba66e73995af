//! Parses a Makefile: rules, variables, includes, each with the surrounding conditions.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) path: String,
    pub(super) targets: Vec<String>,
    /// The prerequisites.
    pub(super) needs: Vec<String>,
    pub(super) recipe: Vec<String>,
    /// The surrounding conditions.
    pub(super) conditions: String,
}

/// An assignment to a variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MakeVariable {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) value: String,
    /// The surrounding conditions.
    pub(super) conditions: String,
    /// Whether recipes see it in their environment.
    pub(super) is_exported: bool,
    /// Whether it appends to the earlier value.
    is_added: bool,
    /// Whether it only applies if the variable is unset.
    is_default: bool,
}

impl MakeVariable {
    /// The assignment operator, as far as it matters.
    pub(super) const fn operator(&self) -> &'static str {
        match (self.is_added, self.is_default) {
            (true, _) => "",
            (false, true) => "?=",
            (false, false) => "=",
        }
    }
}

/// The content of one or more files.
#[derive(Clone, Debug, Default)]
pub(super) struct Makefile {
    pub(super) rules: Vec<Rule>,
    pub(super) settings: Vec<MakeVariable>,
    pub(super) includes: Vec<String>,
    /// Other lines with an effect of their own, such as `$(eval …)`, each with its file.
    pub(super) statements: Vec<(String, String)>,
}

impl Makefile {
    /// Adds the rules and variables of another file.
    pub(super) fn join(&mut self, other: Self) {
        self.rules.extend(other.rules);
        self.settings.extend(other.settings);
        self.statements.extend(other.statements);
    }

    /// The target that is made if none is named.
    pub(super) fn default_goal(&self) -> Option<&str> {
        let named = self.settings.iter().rfind(|setting| setting.name == ".DEFAULT_GOAL");
        let is_plain = |target: &&String| !target.starts_with('.') && !target.contains('%');
        let first = self.rules.iter().flat_map(|rule| &rule.targets).find(is_plain);
        named.map(|setting| setting.value.trim()).or(first.map(String::as_str))
    }

    /// Returns the rules of a target: those that name it, else the matching pattern rule.
    pub(super) fn rules_of(&self, name: &str) -> Vec<&Rule> {
        let names = |rule: &&Rule| rule.targets.iter().any(|target| target == name);
        let own: Vec<&Rule> = self.rules.iter().filter(names).collect();
        let has_recipe = own.iter().any(|rule| !rule.recipe.is_empty());
        if has_recipe || own.iter().any(|rule| !rule.needs.is_empty()) {
            return own;
        }
        let fits = |target: &String| {
            let parts = target.split_once('%');
            parts.is_some_and(|(start, end)| {
                name.len() > start.len() + end.len()
                    && name.starts_with(start)
                    && name.ends_with(end)
            })
        };
        let pattern = self.rules.iter().filter(|rule| rule.targets.iter().any(fits));
        own.into_iter().chain(pattern).collect()
    }

    /// Returns whether a target is declared `.PHONY`.
    pub(super) fn is_phony(&self, name: &str) -> bool {
        let phony =
            self.rules.iter().filter(|rule| rule.targets.iter().any(|target| target == ".PHONY"));
        phony.flat_map(|rule| &rule.needs).any(|need| need == name)
    }

    /// The value of a variable, including appended parts.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        let mut value: Option<String> = None;
        for setting in self.settings.iter().filter(|setting| setting.name == name) {
            let new = &*setting.value;
            value = Some(match value {
                Some(old) if setting.is_added => format!("{old} {new}"),
                Some(old) if setting.is_default => old,
                Some(_) | None => new.to_owned(),
            });
        }
        value
    }
}

/// Parses one file. Returns `None` if the structure of its lines is unclear.
pub(super) fn parse(path: &str, text: &str) -> Option<Makefile> {
    let mut found = Makefile::default();
    let mut conditions: Vec<String> = Vec::new();
    let (mut is_rule, mut define): (bool, Option<MakeVariable>) = (false, None);
    for line in logical(text) {
        let bare = line.trim();
        if let Some(mut setting) = define.take() {
            if bare == "endef" {
                found.settings.push(setting);
            } else {
                setting.value.push_str(bare);
                setting.value.push('\n');
                define = Some(setting);
            }
            continue;
        }
        if let Some(step) = line.strip_prefix('\t').filter(|_| is_rule) {
            let step = step.trim();
            if let Some(rule) =
                found.rules.last_mut().filter(|_| !step.is_empty() && !step.starts_with('#'))
            {
                rule.recipe.push(with_conditions(step, &rule.conditions, &conditions));
            }
            continue;
        }
        let bare = without_comment(bare).trim();
        // `override define`, `export define`
        let of_define = ["override ", "export "].iter().find_map(|start| bare.strip_prefix(start));
        let bare =
            of_define.filter(|rest| rest.trim_start().starts_with("define ")).unwrap_or(bare);
        let (word, rest) = bare.trim_start().split_once([' ', '\t', '(']).unwrap_or((bare, ""));
        let around = conditions.join(" ");
        match word {
            "" => {}
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => conditions.push(bare.to_owned()),
            "else" => {
                let last = conditions.pop()?;
                conditions.push(format!("{last} {bare}"));
            }
            "endif" => {
                conditions.pop()?;
            }
            "include" | "-include" | "sinclude" => found.includes.push(rest.to_owned()),
            "define" => {
                let name = rest.trim_end_matches(['=', ':', '?', '+', ' ']).to_owned();
                let (path, conditions) = (path.to_owned(), around);
                define = Some(MakeVariable { path, name, conditions, ..MakeVariable::default() });
            }
            ".RECIPEPREFIX" => return None,
            _ => {
                let begins = statement(path, bare, around, &mut found);
                is_rule = begins || is_rule && bare.contains('=');
            }
        }
    }
    (conditions.is_empty() && define.is_none()).then_some(found)
}

/// Adds the conditions of a recipe line if they differ from those of its rule.
fn with_conditions(step: &str, of_rule: &str, conditions: &[String]) -> String {
    let around = conditions.join(" ");
    if around == of_rule { step.to_owned() } else { format!("{step} # {around}") }
}

/// Parses a variable or a rule. Returns whether recipe lines may follow.
fn statement(path: &str, line: &str, conditions: String, found: &mut Makefile) -> bool {
    let (line, is_exported) = match line.strip_prefix("export ") {
        Some(rest) => (rest, true),
        None => (line.strip_prefix("override ").unwrap_or(line), false),
    };
    if let Some((name, sign, value)) = assignment(line) {
        let is_now = sign == ':' || sign == '!';
        if is_now && value.contains("$(eval") {
            found.statements.push((path.to_owned(), line.to_owned()));
        }
        let (path, name, value) = (path.to_owned(), name.to_owned(), value.to_owned());
        let (is_added, is_default) = (sign == '+', sign == '?');
        found.settings.push(MakeVariable {
            path,
            name,
            value,
            conditions,
            is_exported,
            is_added,
            is_default,
        });
        return false;
    }
    if is_exported {
        for setting in &mut found.settings {
            setting.is_exported |= line.split_whitespace().any(|name| name == setting.name);
        }
        return false;
    }
    let Some(colon) = colon(line) else {
        // `$(eval …)`, `unexport X`, `vpath`: no part of a recipe.
        if !(line.starts_with("$(info") || line.starts_with("$(warning")) {
            found
                .statements
                .push((path.to_owned(), format!("{conditions} {line}").trim().to_owned()));
        }
        return false;
    };
    let (targets, rest) = line.split_at(colon);
    let rest = rest.trim_start_matches([':', '&']);
    let (needs, step) =
        rest.split_once(';').map_or((rest, None), |(needs, step)| (needs, Some(step)));
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let targets = words(targets.trim_end_matches('&'));
    // `test: X = 1` sets a variable for this target only.
    let (needs, recipe) = if let Some((name, _, value)) = assignment(needs.trim()) {
        (vec![format!("{name}={value}")], Vec::new())
    } else {
        let needs = words(needs).into_iter().filter(|word| word != "|").collect();
        (needs, step.map(|step| step.trim().to_owned()).into_iter().collect())
    };
    found.rules.push(Rule { path: path.to_owned(), targets, needs, recipe, conditions });
    true
}

/// Splits `NAME = value`; also returns the sign before `=`.
fn assignment(line: &str) -> Option<(&str, char, &str)> {
    let equal = line.find('=')?;
    let left = line[..equal].trim_end_matches([':', '?', '+', '!']);
    let sign = line[left.len()..equal].chars().next().unwrap_or('=');
    let name = left.trim();
    let is_name = !name.is_empty() && !name.contains([' ', '\t', ':', '(', '$', '"']);
    is_name.then(|| (name, sign, line[equal + 1..].trim()))
}

/// Returns the position of a rule's colon, outside `$(…)`.
fn colon(line: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            b':' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

fn without_comment(line: &str) -> &str {
    let hash = line.match_indices('#').find(|(at, _)| !line[..*at].ends_with('\\'));
    hash.map_or(line, |(at, _)| &line[..at])
}

/// Joins lines that end with a backslash.
fn logical(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let part = line.strip_suffix('\\');
        let bare = part.unwrap_or(line);
        match lines.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.push(' ');
                last.push_str(bare.trim_start());
            }
            None => lines.push(bare.to_owned()),
        }
        goes_on = part.is_some();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_variables_and_conditions_are_read() {
        let text = "A ?= 1\nexport B := 2 # c\n.PHONY: test\nifdef X\ntest: a b | c ; echo 1\n\t# no\n\t@run \\\n\t  on\nendif\n\
                    define D\nx\nendef\ntest: V = 3\ninclude x.mk\n%.o: %.c\n\tcc\n";
        let read = parse("Makefile", text).unwrap();
        assert_eq!(read.value("A").as_deref(), Some("1"));
        assert!(read.settings[1].is_exported && read.settings[1].value == "2");
        assert_eq!(read.value("D").as_deref(), Some("x\n"));
        let rules = read.rules_of("test");
        assert_eq!(rules[0].needs, ["a", "b", "c"]);
        assert_eq!(rules[0].recipe, ["echo 1", "@run  on"]);
        assert_eq!(rules[0].conditions, "ifdef X");
        assert_eq!(rules[1].needs, ["V=3"]);
        assert_eq!(read.includes, ["x.mk"]);
        assert_eq!(read.rules_of("a.o")[0].recipe, ["cc"]);
        assert_eq!(read.default_goal(), Some("test"));
        assert!(read.is_phony("test"));
    }

    #[test]
    fn what_cannot_be_told_apart_is_nothing() {
        for text in ["endif\n", "else\n", "ifdef X\n", "define A\n", ".RECIPEPREFIX = >\n"] {
            assert!(parse("Makefile", text).is_none(), "{text}");
        }
    }
}
