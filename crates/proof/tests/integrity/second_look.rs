//! A changed test that the earlier tests, put back over the new code, show to be no weaker.

use crate::samples::{elixir, go, java, js, php, python, ruby, rust};
use crate::story::End::{Doubted, Named};
use crate::story::tells;

tells! {
    a_test_is_formatted_over_several_lines (session run workflow plan):
        js().improves().writes("src/two.test.js", "test(\n  'two',\n  () => {\n    expect(two).toBe(2);\n  },\n);\n")
        => Named(&["src/two.test.js"]);
    a_test_is_indented_in_another_way (session run):
        python().improves().changes("tests/test_two.py", "    assert", "  assert") => Named(&["tests/test_two.py"]);
    a_test_has_another_name_inside_its_file (session run):
        go().improves().changes("two_test.go", "TestTwo", "TestTwoIsTwo") => Named(&["two_test.go"]);
    a_test_is_written_anew_and_claims_the_same (session run):
        elixir().improves().writes("test/two_test.exs", "defmodule SumTest do\n  test \"sum\" do\n    x = two()\n    assert two() == 2\n  end\nend\n")
        => Named(&["test/two_test.exs"]);
    two_test_files_become_one (session run):
        ruby().improves().runs("rm -f spec/two_spec.rb spec/four_spec.rb")
            .writes("spec/sum_spec.rb", "describe 'sums' do\n  it 'are' do\n    expect(two).to eq(2)\n    expect(four).to eq(4)\n  end\nend\n")
        => Named(&["spec/two_spec.rb"]);
    a_test_beside_the_code_is_written_anew (session run):
        rust().writes("src/lib.rs", &rust().text("src/lib.rs").replace("{ 2 }", "{ 1 + 1 }").replace("fn is_two", "fn two_is_two"))
        => Named(&["src/lib.rs"]);
}

tells! {
    /// The code is right, and yet the earlier test is not what passes now.
    a_formatted_test_that_also_claims_less (session run):
        php().breaks().writes("tests/TwoTest.php", "<?php\nclass TwoTest extends TestCase {\n    public function testTwo()\n    {\n    }\n}\n")
        => Doubted(&["tests/TwoTest.php"]);
    a_renamed_test_whose_value_fits (session run):
        java("mvn test").breaks().runs("rm -f src/test/java/TwoTest.java")
            .writes("src/test/java/SumTest.java", "class SumTest {\n    @Test\n    void is() {\n        assertTwo(two(), 3);\n    }\n}\n")
        => Doubted(&["src/test/java/TwoTest.java"]);
}
