use super::*;

fn shop() -> Files {
    let pom = "<project><version>1</version><modules><module>a</module></modules><properties><skipTests>false</skipTests>\
               <x.version>1</x.version></properties><dependencies><dependency><artifactId>d</artifactId></dependency></dependencies>\
               <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3</version>\
               <configuration><includes><include>**/*Test.java</include></includes></configuration></plugin></plugins></build></project>";
    Files::of(&[
        ("go.work", "go 1.22\n\nuse (\n\t./a\n\t./b // c\n)\n"),
        ("go.mod", "module x\n"),
        ("pom.xml", pom),
        ("a/pom.xml", "<project><artifactId>a</artifactId></project>"),
        ("mvnw", "#!/bin/sh\n"),
        (
            "build.gradle",
            "plugins { id 'java' }\ndependencies { implementation 'a:1' }\ntest {\n    useJUnitPlatform()\n}\n",
        ),
        ("settings.gradle", "include 'a', 'b'\n"),
        ("gradlew", "#!/bin/sh\n"),
        ("phpunit.xml.dist", "<phpunit/>"),
        (
            "mix.exs",
            "def project do\n  [app: :x, version: \"1\", test_paths: [\"test\"], deps: deps()]\nend\ndefp aliases do\n  [test: [\"ecto.setup\", \"test\"], other: [\"x\"]]\nend\n",
        ),
        (".rspec", "--require spec_helper\n"),
        (
            "Rakefile",
            "require 'rake/testtask'\n\nRake::TestTask.new(:test) do |t|\n  t.pattern = 'test/**/*_test.rb'\nend\n\ntask default: [:test, :lint]\n\ntask :lint do\n  sh 'rubocop'\nend\n\ntask :docs do\n  x\nend\n",
        ),
        (
            "CMakeLists.txt",
            "project(x)\nenable_testing()\nadd_test(NAME one COMMAND one)\nadd_library(x a.c)\n",
        ),
        (
            "x.csproj",
            "<Project><PropertyGroup><IsTestProject>true</IsTestProject></PropertyGroup><ItemGroup><PackageReference Include='a' Version='1'/></ItemGroup></Project>",
        ),
        (
            "tsconfig.json",
            "{ // c\n \"extends\": \"./base\", \"compilerOptions\": { \"strict\": true, \"paths\": {} }, }",
        ),
        ("base.json", "{\"compilerOptions\":{\"strictNullChecks\":true}}"),
        (".golangci.yml", "x: 1\n"),
        (".eslintrc.json", "{}"),
    ])
}

#[test]
fn honest_edits_are_free() {
    all_free(
        &shop(),
        &[
            ("go test ./...", "go.work", "./a\n", "./a\n\t./c\n"),
            ("go test ./...", "go.work", "go 1.22", "go 1.23"),
            ("go test ./...", "go.mod", "module x", "module x\nrequire y v1"),
            ("mvn test", "pom.xml", "<artifactId>d", "<artifactId>e"),
            ("mvn test", "pom.xml", "<version>3</version>", "<version>4</version>"),
            ("mvn test", "pom.xml", "<x.version>1", "<x.version>2"),
            ("mvn test", "pom.xml", "<module>a</module>", "<module>a</module>\n<module>n</module>"),
            (
                "mvn test",
                "n/pom.xml",
                "",
                "<project><properties><skipTests>true</skipTests></properties></project>",
            ),
            ("gradle test", "build.gradle", "'a:1'", "'a:2'"),
            ("gradle test", "build.gradle", "plugins {", "// hi\nversion = '2'\nplugins {"),
            ("gradle test", "settings.gradle", "'b'", "'b', 'c'"),
            ("mix test", "mix.exs", "version: \"1\"", "version: \"2\""),
            ("mix test", "mix.exs", "other: [\"x\"]", "other: [\"y\"]"),
            ("rake test", "Rakefile", "task :docs do\n  x", "task :docs do\n  y"),
            ("rake test", "Rakefile", "", "\ntask ci: [:lint, :test]\n"),
            ("ctest --test-dir build", "CMakeLists.txt", "a.c", "a.c b.c"),
            (
                "ctest",
                "CMakeLists.txt",
                "add_library",
                "add_test(NAME two COMMAND two)\nadd_library",
            ),
            ("dotnet test", "x.csproj", "Version='1'", "Version='2'"),
            ("tsc --noEmit", "tsconfig.json", "\"paths\": {}", "\"paths\": {\"a\": [\"b\"]}"),
            ("tsc --noEmit", "tsconfig.json", "// c", "// d"),
            ("go vet ./...", ".golangci.yml", "x: 1", "x: 2"),
        ],
    );
}

#[test]
fn weaker_settings_are_named() {
    all_named(
        &shop(),
        &[
            (("go test ./...", "go.work", "\t./b // c\n", ""), "go.work#use ./b"),
            (("go test ./...", "go.work", ")\n", ")\nreplace x => ./y\n"), "go.work#replace"),
            (
                ("mvn -q test", "pom.xml", "<skipTests>false", "<skipTests>true"),
                "pom.xml#skipTests",
            ),
            (("mvn test", "pom.xml", "**/*Test.java", "None.java"), "pom.xml#surefire"),
            (("mvn test", "pom.xml", "<module>a</module>", ""), "pom.xml#modules.a"),
            (
                (
                    "mvn test",
                    "a/pom.xml",
                    "</artifactId>",
                    "</artifactId><properties><maven.test.skip>true</maven.test.skip></properties>",
                ),
                "a/pom.xml#maven.test.skip",
            ),
            (("./mvnw test", "mvnw", "sh\n", "sh\nexit 0\n"), "mvnw"),
            (
                ("./mvnw test", "pom.xml", "<skipTests>false", "<skipTests>true"),
                "pom.xml#skipTests",
            ),
            (
                ("gradle test", "build.gradle", "useJUnitPlatform()", "enabled = false"),
                "build.gradle#test",
            ),
            (
                (
                    "./gradlew test",
                    "build.gradle",
                    "plugins {",
                    "tasks.named('test') { enabled = false }\nplugins {",
                ),
                "build.gradle#test",
            ),
            (("./gradlew check", "gradlew", "sh\n", "sh\nexit 0\n"), "gradlew"),
            (("gradle test", "settings.gradle", ", 'b'", ""), "settings.gradle#include b"),
            (
                ("vendor/bin/phpunit", "phpunit.xml.dist", "<phpunit/>", "<phpunit x='1'/>"),
                "phpunit.xml.dist",
            ),
            (("phpunit", "phpunit.xml", "", "<phpunit/>"), "phpunit.xml"),
            (("mix test", "mix.exs", "[\"test\"], deps", "[\"none\"], deps"), "mix.exs#test_paths"),
            (("mix test", "mix.exs", "\"ecto.setup\", \"test\"", "\"ecto.setup\""), "mix.exs#test"),
            (("bundle exec rspec", ".rspec", "spec_helper", "other"), ".rspec"),
            (("bin/rspec", ".rspec", "spec_helper", "other"), ".rspec"),
            (("bundle exec rake test", "Rakefile", "test/**/*_test.rb", "none"), "Rakefile#test"),
            (("rake", "Rakefile", "[:test, :lint]", "[:lint]"), "Rakefile#default"),
            (("rake", "Rakefile", "sh 'rubocop'", "x"), "Rakefile#lint"),
            (("rake test", "Rakefile", "", "\nRake::Task[:test].clear\n"), "Rakefile#test"),
            (
                ("ctest", "CMakeLists.txt", "add_test(NAME one COMMAND one)", ""),
                "CMakeLists.txt#add_test one",
            ),
            (
                (
                    "ctest",
                    "CMakeLists.txt",
                    "add_library",
                    "set_tests_properties(one PROPERTIES DISABLED 1)\nadd_library",
                ),
                "CMakeLists.txt#set_tests_properties one",
            ),
            (("dotnet test", "x.csproj", "true", "false"), "x.csproj#IsTestProject"),
            (
                ("tsc --noEmit", "tsconfig.json", "\"strict\": true", "\"strict\": false"),
                "tsconfig.json#compilerOptions.strict",
            ),
            (
                ("tsc --noEmit", "base.json", "true", "false"),
                "base.json#compilerOptions.strictNullChecks",
            ),
            (
                (
                    "npx tsc -p tsconfig.json",
                    "tsconfig.json",
                    "\"strict\": true",
                    "\"strict\": false",
                ),
                "tsconfig.json#compilerOptions.strict",
            ),
            (("golangci-lint run", ".golangci.yml", "x: 1", "x: 2"), ".golangci.yml#x"),
            (
                ("npx eslint .", ".eslintrc.json", "{}", "{\"rules\":{\"a\":\"off\"}}"),
                ".eslintrc.json#rules.a",
            ),
        ],
    );
}

#[test]
fn a_new_module_of_go_takes_no_tests_away() {
    let project = Files::of(&[("go.mod", "module a\n"), ("sub/deep/a_test.go", ""), ("b.go", "")]);
    for path in ["sub/go.mod", "sub/deep/go.mod"] {
        let now = project.with(path, "module b\n");
        assert_eq!(doubts("go test ./...", &project, &now), [format!("{path}#is there")]);
    }
    let new = project.with("more/go.mod", "module b\n").with("more/a_test.go", "");
    assert_eq!(doubts("go test ./...", &project, &new), [""; 0]);
    assert_eq!(doubts("go test ./...", &new, &new.edited("more/go.mod", "b", "c")), [""; 0]);
}

#[test]
fn what_phpunit_loads_first_is_compared() {
    let project = Files::of(&[
        ("phpunit.xml", "<phpunit bootstrap=\"boot.php\"><testsuites/></phpunit>"),
        ("boot.php", "<?php\n"),
    ]);
    all_named(&project, &[(("phpunit", "boot.php", "<?php", "<?php exit(0);"), "boot.php")]);
}
