//! Checkers: linters, type checkers, formatters that only look.

use super::{Family, Reads, Runner, file, whole, with};

/// Every checker.
pub(super) const CHECKERS: &[Runner] = &[
    with(&["tsc", "vue-tsc", "tsc-files"], Family::Typescript, &[], &[]),
    with(
        &["eslint", "eslint_d", "standard", "xo"],
        Family::Plain,
        &[
            whole("eslint.config.*"),
            whole(".eslintrc"),
            whole(".eslintrc.*"),
            whole(".eslintignore"),
            file("package.json", Reads::Json(&["eslintConfig", "eslintIgnore", "standard", "xo"])),
        ],
        &["--config", "-c", "--ignore-path"],
    ),
    with(
        &["prettier"],
        Family::Plain,
        &[
            whole(".prettierrc"),
            whole(".prettierrc.*"),
            whole("prettier.config.*"),
            whole(".prettierignore"),
            file("package.json", Reads::Json(&["prettier"])),
        ],
        &["--config", "--ignore-path"],
    ),
    with(
        &["stylelint"],
        Family::Plain,
        &[
            whole(".stylelintrc"),
            whole(".stylelintrc.*"),
            whole("stylelint.config.*"),
            whole(".stylelintignore"),
            file("package.json", Reads::Json(&["stylelint"])),
        ],
        &["--config"],
    ),
    with(
        &["biome"],
        Family::Plain,
        &[file("biome.json", Reads::JsonAll), file("biome.jsonc", Reads::JsonAll)],
        &["--config-path"],
    ),
    with(
        &["oxlint"],
        Family::Plain,
        &[file(".oxlintrc.json", Reads::JsonAll)],
        &["--config", "-c"],
    ),
    with(
        &["knip"],
        Family::Plain,
        &[whole("knip.*"), file("package.json", Reads::Json(&["knip"]))],
        &["--config", "-c"],
    ),
    with(
        &["ruff"],
        Family::Plain,
        &[
            file("ruff.toml", Reads::TomlAll),
            file(".ruff.toml", Reads::TomlAll),
            file("pyproject.toml", Reads::Toml(&["tool.ruff"])),
        ],
        &["--config"],
    ),
    with(
        &["mypy", "dmypy"],
        Family::Plain,
        &[
            whole("mypy.ini"),
            whole(".mypy.ini"),
            file("pyproject.toml", Reads::Toml(&["tool.mypy"])),
            file("setup.cfg", Reads::Ini(&["mypy*"])),
        ],
        &["--config-file"],
    ),
    with(
        &["pyright", "basedpyright"],
        Family::Plain,
        &[
            file("pyrightconfig.json", Reads::JsonAll),
            file("pyproject.toml", Reads::Toml(&["tool.pyright", "tool.basedpyright"])),
        ],
        &["-p", "--project"],
    ),
    with(
        &["flake8"],
        Family::Plain,
        &[
            whole(".flake8"),
            file("setup.cfg", Reads::Ini(&["flake8"])),
            file("tox.ini", Reads::Ini(&["flake8"])),
        ],
        &["--config"],
    ),
    with(
        &["pylint"],
        Family::Plain,
        &[
            whole(".pylintrc"),
            whole("pylintrc"),
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
            whole(".isort.cfg"),
            file("pyproject.toml", Reads::Toml(&["tool.isort"])),
            file("setup.cfg", Reads::Ini(&["isort"])),
        ],
        &["--settings-path"],
    ),
    with(
        &["bandit"],
        Family::Plain,
        &[whole(".bandit"), file("pyproject.toml", Reads::Toml(&["tool.bandit"]))],
        &["-c"],
    ),
    with(
        &["pre-commit", "prek"],
        Family::Plain,
        &[whole(".pre-commit-config.yaml")],
        &["--config", "-c"],
    ),
    with(&["golangci-lint"], Family::Plain, &[whole(".golangci.*")], &["--config", "-c"]),
    with(&["staticcheck"], Family::Plain, &[whole("staticcheck.conf")], &[]),
    with(
        &["rubocop", "standardrb"],
        Family::Plain,
        &[whole(".rubocop.yml"), whole(".rubocop_todo.yml"), whole(".standard.yml")],
        &["--config", "-c"],
    ),
    with(
        &["phpstan"],
        Family::Plain,
        &[
            whole("phpstan.neon"),
            whole("phpstan.neon.dist"),
            whole("phpstan.dist.neon"),
            whole("phpstan-baseline.neon"),
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
    with(&["swiftlint"], Family::Plain, &[whole(".swiftlint.yml")], &["--config"]),
    with(
        &["detekt"],
        Family::Plain,
        &[whole("detekt.yml"), whole("config/detekt/detekt.yml")],
        &["--config"],
    ),
    with(&["shellcheck"], Family::Plain, &[whole(".shellcheckrc")], &["--rcfile"]),
    with(&["yamllint"], Family::Plain, &[whole(".yamllint"), whole(".yamllint.*")], &["-c"]),
    with(
        &["markdownlint", "markdownlint-cli2"],
        Family::Plain,
        &[whole(".markdownlint.*"), whole(".markdownlint-cli2.*")],
        &["-c", "--config"],
    ),
    with(&["clang-tidy"], Family::Plain, &[whole(".clang-tidy")], &[]),
    with(&["clang-format"], Family::Plain, &[whole(".clang-format")], &[]),
    with(
        &["typos"],
        Family::Plain,
        &[
            file("typos.toml", Reads::TomlAll),
            file("_typos.toml", Reads::TomlAll),
            file(".typos.toml", Reads::TomlAll),
        ],
        &["--config"],
    ),
];
