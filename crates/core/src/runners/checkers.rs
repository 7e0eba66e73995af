//! Checkers: linters, type checkers, formatters that only look.

use super::{Family, Reads, Runner, file, settings, whole, with};

/// Every checker.
pub(super) const CHECKERS: &[Runner] = &[
    with(&["tsc", "vue-tsc", "tsc-files"], Family::Typescript, &[], &[]),
    with(
        &["eslint", "eslint_d", "standard", "xo"],
        Family::Plain,
        &[
            settings("eslint.config.*"),
            settings(".eslintrc"),
            settings(".eslintrc.*"),
            whole(".eslintignore"),
            file("package.json", Reads::Json(&["eslintConfig", "eslintIgnore", "standard", "xo"])),
        ],
        &["--config", "-c", "--ignore-path"],
    ),
    with(
        &["prettier"],
        Family::Plain,
        &[
            settings(".prettierrc"),
            settings(".prettierrc.*"),
            settings("prettier.config.*"),
            whole(".prettierignore"),
            file("package.json", Reads::Json(&["prettier"])),
        ],
        &["--config", "--ignore-path"],
    ),
    with(
        &["stylelint"],
        Family::Plain,
        &[
            settings(".stylelintrc"),
            settings(".stylelintrc.*"),
            settings("stylelint.config.*"),
            whole(".stylelintignore"),
            file("package.json", Reads::Json(&["stylelint"])),
        ],
        &["--config"],
    ),
    with(
        &["biome"],
        Family::Plain,
        &[settings("biome.json"), settings("biome.jsonc")],
        &["--config-path"],
    ),
    with(&["oxlint"], Family::Plain, &[settings(".oxlintrc.json")], &["--config", "-c"]),
    with(
        &["knip"],
        Family::Plain,
        &[settings("knip.*"), file("package.json", Reads::Json(&["knip"]))],
        &["--config", "-c"],
    ),
    with(
        &["ruff"],
        Family::Plain,
        &[
            settings("ruff.toml"),
            settings(".ruff.toml"),
            file("pyproject.toml", Reads::Toml(&["tool.ruff"])),
        ],
        &["--config"],
    ),
    with(
        &["mypy", "dmypy"],
        Family::Plain,
        &[
            file("mypy.ini", Reads::IniAll),
            file(".mypy.ini", Reads::IniAll),
            file("pyproject.toml", Reads::Toml(&["tool.mypy"])),
            file("setup.cfg", Reads::Ini(&["mypy*"])),
        ],
        &["--config-file"],
    ),
    with(
        &["pyright", "basedpyright"],
        Family::Plain,
        &[
            settings("pyrightconfig.json"),
            file("pyproject.toml", Reads::Toml(&["tool.pyright", "tool.basedpyright"])),
        ],
        &["-p", "--project"],
    ),
    with(
        &["flake8"],
        Family::Plain,
        &[
            file(".flake8", Reads::IniAll),
            file("setup.cfg", Reads::Ini(&["flake8"])),
            file("tox.ini", Reads::Ini(&["flake8"])),
        ],
        &["--config"],
    ),
    with(
        &["pylint"],
        Family::Plain,
        &[
            file(".pylintrc", Reads::IniAll),
            file("pylintrc", Reads::IniAll),
            file("pyproject.toml", Reads::Toml(&["tool.pylint"])),
            file("setup.cfg", Reads::Ini(&["pylint*"])),
        ],
        &["--rcfile"],
    ),
    with(
        &["black"],
        Family::Plain,
        &[file("pyproject.toml", Reads::Toml(&["tool.black"]))],
        &["--config"],
    ),
    with(
        &["isort"],
        Family::Plain,
        &[
            file(".isort.cfg", Reads::IniAll),
            file("pyproject.toml", Reads::Toml(&["tool.isort"])),
            file("setup.cfg", Reads::Ini(&["isort"])),
        ],
        &["--settings-path"],
    ),
    with(
        &["bandit"],
        Family::Plain,
        &[file(".bandit", Reads::IniAll), file("pyproject.toml", Reads::Toml(&["tool.bandit"]))],
        &["-c"],
    ),
    with(
        &["pre-commit", "prek"],
        Family::Plain,
        &[settings(".pre-commit-config.yaml")],
        &["--config", "-c"],
    ),
    with(&["golangci-lint"], Family::Plain, &[settings(".golangci.*")], &["--config", "-c"]),
    with(&["staticcheck"], Family::Plain, &[whole("staticcheck.conf")], &[]),
    with(
        &["rubocop", "standardrb"],
        Family::Plain,
        &[settings(".rubocop.yml"), settings(".rubocop_todo.yml"), settings(".standard.yml")],
        &["--config", "-c"],
    ),
    with(
        &["phpstan"],
        Family::Plain,
        &[
            settings("phpstan.neon"),
            settings("phpstan.neon.dist"),
            settings("phpstan.dist.neon"),
            settings("phpstan-baseline.neon"),
        ],
        &["-c", "--configuration"],
    ),
    with(
        &["psalm"],
        Family::Plain,
        &[whole("psalm.xml"), whole("psalm.xml.dist"), whole("psalm-baseline.xml")],
        &["-c", "--config"],
    ),
    with(
        &["php-cs-fixer"],
        Family::Plain,
        &[whole(".php-cs-fixer.php"), whole(".php-cs-fixer.dist.php")],
        &["--config"],
    ),
    with(
        &["phpcs"],
        Family::Plain,
        &[whole("phpcs.xml"), whole("phpcs.xml.dist"), whole(".phpcs.xml")],
        &[],
    ),
    with(&["swiftlint"], Family::Plain, &[settings(".swiftlint.yml")], &["--config"]),
    with(
        &["detekt"],
        Family::Plain,
        &[settings("detekt.yml"), settings("config/detekt/detekt.yml")],
        &["--config"],
    ),
    with(&["shellcheck"], Family::Plain, &[whole(".shellcheckrc")], &["--rcfile"]),
    with(&["yamllint"], Family::Plain, &[settings(".yamllint"), settings(".yamllint.*")], &["-c"]),
    with(
        &["markdownlint", "markdownlint-cli2"],
        Family::Plain,
        &[settings(".markdownlint.*"), settings(".markdownlint-cli2.*")],
        &["-c", "--config"],
    ),
    with(&["clang-tidy"], Family::Plain, &[whole(".clang-tidy")], &[]),
    with(&["clang-format"], Family::Plain, &[whole(".clang-format")], &[]),
    with(
        &["typos"],
        Family::Plain,
        &[settings("typos.toml"), settings("_typos.toml"), settings(".typos.toml")],
        &["--config"],
    ),
];
