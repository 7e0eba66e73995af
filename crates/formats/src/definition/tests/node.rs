use super::*;

fn shop() -> Files {
    let package = r#"{
  "name": "x", "version": "1.0.0",
  "scripts": {
    "pretest": "npm run lint",
    "test": "jest --ci && run-s unit 'e2e:*' && yarn extra",
    "lint": "eslint .",
    "unit": "mocha",
    "e2e:a": "cross-env A=1 node e2e.js",
    "extra": "echo hi",
    "build": "vite build",
    "vt": "vitest run"
  },
  "jest": { "testMatch": ["**/*.test.js"] },
  "dependencies": { "a": "1" }
}"#;
    Files::of(&[
        ("package.json", package),
        ("jest.config.js", "module.exports = {}"),
        (".mocharc.yml", "spec: test"),
        ("e2e.js", "execSync('sh e2e.sh')"),
        ("e2e.sh", "true"),
        ("eslint.config.mjs", "export default []"),
        (
            "vite.config.ts",
            "export default defineConfig({ plugins: [a()], test: { include: ['x'] } })",
        ),
        (".npmrc", "registry=https://x\n"),
    ])
}

#[test]
fn honest_edits_are_free() {
    let test = "npm test";
    all_free(
        &shop(),
        &[
            (test, "package.json", "\"a\": \"1\"", "\"a\": \"2\", \"b\": \"1\""),
            (test, "package.json", "\"1.0.0\"", "\"2.0.0\""),
            (test, "package.json", "\"build\": \"vite build\"", "\"build\": \"x\", \"new\": \"y\""),
            (
                test,
                "package.json",
                "\n  \"scripts\"",
                "\n\n  \"workspaces\": [\"p/*\"], \"scripts\"",
            ),
            (test, "package-lock.json", "", "{}"),
            // Additional commands that must succeed.
            (test, "package.json", "\"lint\"", "\"posttest\": \"x\", \"lint\""),
            (test, "package.json", "yarn extra", "yarn extra && x"),
            (test, "vite.config.ts", "a()", "b()"),
            (test, ".npmrc", "https://x", "https://y"),
            (test, "vitest.config.ts", "", "export default {}"),
            ("npm run vt", "vite.config.ts", "a()", "b()"),
            ("npm run build", "package.json", "\"jest --ci", "\"true"),
        ],
    );
}

#[test]
fn weaker_scripts_and_settings_are_named() {
    let test = "npm test";
    all_named(
        &shop(),
        &[
            ((test, "package.json", "\"jest --ci && ", "\"true && "), "package.json#scripts.test"),
            ((test, "package.json", "npm run lint", "true"), "package.json#scripts.pretest"),
            (
                (test, "package.json", "yarn extra", "yarn extra || x"),
                "package.json#scripts.test, package.json#scripts.test step 2, package.json#scripts.test step 3",
            ),
            ((test, "package.json", " && yarn extra", ""), "package.json#scripts.test step 3"),
            ((test, "package.json", "eslint .", "true"), "package.json#scripts.lint"),
            (
                (test, "package.json", "\"unit\": \"mocha\"", "\"unit\": \"true\""),
                "package.json#scripts.unit",
            ),
            ((test, "package.json", "cross-env A=1", ""), "package.json#scripts.e2e:a"),
            ((test, "package.json", "echo hi", "echo ho"), "package.json#scripts.extra"),
            (
                (test, "package.json", "**/*.test.js", "none"),
                "package.json#jest.testMatch **/*.test.js",
            ),
            ((test, "jest.config.js", "{}", "{ testMatch: [] }"), "jest.config.js"),
            ((test, ".mocharc.yml", "test", "none"), ".mocharc.yml#spec"),
            ((test, ".mocharc.json", "", "{}"), ".mocharc.json#is there"),
            ((test, "e2e.js", "sh e2e.sh", "true"), "e2e.js"),
            ((test, "e2e.sh", "true", "exit 0"), "e2e.sh"),
            ((test, "eslint.config.mjs", "[]", "[{ ignores: ['**'] }]"), "eslint.config.mjs"),
            (
                (test, ".npmrc", "registry", "script-shell=/bin/true\nregistry"),
                ".npmrc#script-shell",
            ),
            (("npm run vt", "vite.config.ts", "'x'", "'y'"), "vite.config.ts#test"),
            (("npm run vt", "vitest.config.ts", "", "export default {}"), "vitest.config.ts"),
            (
                ("sh -c 'cd . && npm test'", "package.json", "\"jest --ci", "\"true"),
                "package.json#scripts.test",
            ),
            (
                (test, "package.json", "{\n  \"name\"", "{{\n  \"name\""),
                "package.json, package.json#scripts.pretest, package.json#scripts.test, package.json#scripts.test step 2, package.json#scripts.test step 3",
            ),
        ],
    );
}

#[test]
fn a_new_step_hides_no_new_setting() {
    let package = |post: &str| {
        format!(r#"{{"scripts":{{"test":"npm run unit","unit":"jest","lint":"eslint ."{post}}}}}"#)
    };
    let project = Files::of(&[("package.json", &package("")), ("eslint.config.js", "1")]);
    let now = project.with("package.json", &package(r#","posttest":"jest && npm run lint""#));
    assert_eq!(doubts("npm test", &project, &now), [""; 0]);
    let now = now.with("jest.config.js", "{}");
    assert_eq!(doubts("npm test", &project, &now), ["jest.config.js"]);
}

#[test]
fn the_words_of_every_package_manager_are_read() {
    let project = Files::of(&[("package.json", r#"{"scripts":{"test":"a","check":"b"}}"#)]);
    for (line, key) in [
        ("npm t", "package.json#scripts.test"),
        ("npm run check", "package.json#scripts.check"),
        ("npm --silent run check -- --x", "package.json#scripts.check"),
        ("npm --prefix . test", "package.json#scripts.test"),
        ("pnpm test", "package.json#scripts.test"),
        ("pnpm check", "package.json#scripts.check"),
        ("pnpm run check", "package.json#scripts.check"),
        ("yarn check", "package.json#scripts.check"),
        ("yarn run check", "package.json#scripts.check"),
        ("bun run check", "package.json#scripts.check"),
        ("node --run check", "package.json#scripts.check"),
        ("run-p check", "package.json#scripts.check"),
        ("npm-run-all -s check", "package.json#scripts.check"),
        ("npx run-s check", "package.json#scripts.check"),
        ("concurrently npm:check", "package.json#scripts.check"),
        ("env CI=1 timeout 5 npm test", "package.json#scripts.test"),
        ("sh -c 'A=1 npm test || true'", "package.json#scripts.test"),
    ] {
        assert!(
            keys(line, &project).contains(&key.to_owned()),
            "{line}: {:?}",
            keys(line, &project)
        );
    }
    assert!(!keys("bun test", &project).contains(&"package.json#scripts.test".to_owned()));
}

#[test]
fn members_of_a_workspace_are_looked_at() {
    let member = |test: &str| format!(r#"{{"name":"m","scripts":{{"test":"{test}"}}}}"#);
    let project = Files::of(&[
        (
            "package.json",
            r#"{"workspaces":["packages/*","tools"],"scripts":{"test":"npm test -ws"}}"#,
        ),
        ("packages/a/package.json", &member("jest")),
        ("packages/b/package.json", &member("jest")),
        ("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n"),
    ]);
    for line in [
        "npm test",
        "pnpm -r test",
        "npm test --workspaces",
        "turbo run test",
        "yarn workspaces run test",
    ] {
        let now = project.edited("packages/a/package.json", "jest", "true");
        assert_eq!(
            doubts(line, &project, &now),
            ["packages/a/package.json#scripts.test"],
            "{line}"
        );
        let now = project
            .with("packages/new/package.json", &member("jest"))
            .with("packages/new/jest.config.js", "");
        assert_eq!(doubts(line, &project, &now), [""; 0], "{line}");
        let now = project.with("packages/a/jest.config.js", "");
        assert_eq!(doubts(line, &project, &now), ["packages/a/jest.config.js"], "{line}");
    }
    let test = "npm test";
    all_free(&project, &[(test, "package.json", "\"tools\"", "\"tools\", \"more\"")]);
    all_named(
        &project,
        &[
            ((test, "package.json", ",\"tools\"", ""), "package.json#workspaces.tools"),
            (
                (test, "package.json", "\"tools\"", "\"tools\", \"!packages/b\""),
                "package.json#workspaces.!packages/b",
            ),
        ],
    );
    assert_eq!(
        doubts(
            "npm test -w packages/a",
            &project,
            &project.edited("packages/b/package.json", "jest", "true")
        ),
        [""; 0]
    );
}

#[test]
fn deno_bun_and_composer_have_their_own_files() {
    let project = Files::of(&[
        (
            "deno.jsonc",
            "{ // c\n \"tasks\": { \"test\": \"deno test\" }, \"test\": { \"include\": [\"a\"] }, \"imports\": {} }",
        ),
        ("bunfig.toml", "[test]\nroot = \"a\"\n[install]\nx = 1\n"),
        (
            "composer.json",
            r#"{"require":{},"scripts":{"test":["@lint","phpunit"],"lint":"php -l a.php","other":"x"}}"#,
        ),
        ("phpunit.xml", "<phpunit/>"),
        ("vendor/bin/phpunit", "#!/usr/bin/env php\n"),
        ("composer.lock", "1"),
    ]);
    all_free(
        &project,
        &[
            ("deno task test", "deno.jsonc", "\"imports\": {}", "\"imports\": {\"a\": \"b\"}"),
            ("bun test", "bunfig.toml", "x = 1", "x = 2"),
            ("composer test", "composer.json", "\"require\":{}", "\"require\":{\"a\":\"1\"}"),
            ("composer test", "composer.json", "\"other\":\"x\"", "\"other\":\"y\""),
        ],
    );
    all_named(
        &project,
        &[
            (
                ("deno task test", "deno.jsonc", "\"deno test\"", "\"true\""),
                "deno.jsonc#tasks.test",
            ),
            (("deno test", "deno.jsonc", "[\"a\"]", "[]"), "deno.jsonc#test.include a"),
            (("bun test", "bunfig.toml", "\"a\"", "\"b\""), "bunfig.toml#test.root"),
            (
                ("composer test", "composer.json", "\"@lint\",", ""),
                "composer.json#scripts.test, composer.json#scripts.test step 2",
            ),
            (
                ("composer run lint", "composer.json", "php -l", "true"),
                "composer.json#scripts.lint",
            ),
            (("composer test", "composer.json", "php -l", "true"), "composer.json#scripts.lint"),
            (("composer test", "phpunit.xml", "<phpunit/>", "<phpunit></phpunit>"), "phpunit.xml"),
            (("composer test", "vendor/bin/phpunit", "php\n", "php\nexit;"), "vendor/bin/phpunit"),
        ],
    );
}

#[test]
fn settings_that_a_script_takes_from_its_manifest_are_compared() {
    let manifest = r#"{"scripts":{"test":"$npm_package_config_runner --ci"},"config":{"runner":"jest","port":1}}"#;
    let project = Files::of(&[("package.json", manifest)]);
    all_free(&project, &[("npm test", "package.json", "\"port\":1", "\"port\":2")]);
    all_named(
        &project,
        &[
            (("npm test", "package.json", "\"jest\"", "\"true\""), "package.json#config.runner"),
            (("npm test", ".npmrc", "", "script-shell=/bin/true\n"), ".npmrc#script-shell"),
            (("npm test", ".npmrc", "", "if-present=true\n"), ".npmrc#if-present"),
        ],
    );
    all_free(&project, &[("npm test", ".npmrc", "", "registry=https://example.org\n")]);
}

#[test]
fn what_compiles_the_tests_is_compared() {
    let project = Files::of(&[("package.json", "{}"), ("babel.config.js", "module.exports = {}")]);
    all_named(
        &project,
        &[
            (("npx jest", "babel.config.js", "{}", "{plugins: ['./x']}"), "babel.config.js"),
            (("npx jest", ".babelrc.json", "", "{\"plugins\":[]}"), ".babelrc.json#is there"),
        ],
    );
    all_free(&project, &[("npx eslint .", "babel.config.js", "{}", "{plugins: []}")]);
}
