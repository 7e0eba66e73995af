//! Ruby and shells.

use super::{Blank, Grew, Other, before, edit, hold};

const RSPEC: &str = r##"require "cart"

RSpec.describe Cart do
  describe "#total" do
    it "adds" do
      items = [1, 2]
      expect(Cart.total(items)).to eq(3)
    end

    it "has a name" do
      expect(Cart.name).to eq("a  b") if Cart.named?
    end
  end
end
"##;

#[test]
fn ruby() {
    let example = "    it \"doubles\" do\n      [2].each do |n|\n        expect(Cart.total([n])).to eq(2)\n      end\n    end\n\n";
    hold(
        "spec/cart_spec.rb",
        RSPEC,
        vec![
            ("blanks within a line", edit(RSPEC, "[1, 2]", "[1,  2]"), Blank),
            ("an example", before(RSPEC, "    it \"has", example), Grew),
            (
                "a group",
                edit(
                    RSPEC,
                    "  end\nend\n",
                    "  end\n\n  context \"empty\" do\n    it \"is nothing\" do\n      expect(Cart.total([])).to eq(0)\n    end\n  end\nend\n",
                ),
                Grew,
            ),
            ("blanks in a string", edit(RSPEC, "a  b", "a b"), Other),
            ("switched off", edit(RSPEC, "it \"adds\"", "xit \"adds\""), Other),
            ("skips", before(RSPEC, "      items", "      skip\n"), Other),
            (
                "a set-up for all",
                before(RSPEC, "    it \"has", "    before do\n      fake\n    end\n\n"),
                Other,
            ),
            (
                "in a condition that is closed later",
                before(
                    &edit(RSPEC, "  end\nend\n", "  end\n  it \"y\" do\n  end\n  end\nend\n"),
                    "    it \"has",
                    "    it \"x\" do\n    if false\n    end\n",
                ),
                Other,
            ),
            ("in a comment", before(&format!("{RSPEC}=end\n"), "RSpec", "=begin\n"), Other),
            ("the rest is data", before(RSPEC, "RSpec", "__END__\n"), Other),
            ("ends the run", before(RSPEC, "RSpec", "exit\n"), Other),
        ],
    );
    let minitest =
        "class CartTest < Minitest::Test\n  def test_adds\n    assert_equal 3, total\n  end\nend\n";
    hold(
        "test/cart_test.rb",
        minitest,
        vec![
            (
                "a test",
                edit(
                    minitest,
                    "  end\nend\n",
                    "  end\n\n  def test_more\n    assert_equal 1, 1\n  end\nend\n",
                ),
                Grew,
            ),
            (
                "a set-up",
                edit(minitest, "  end\nend\n", "  end\n\n  def setup\n    @x = 1\n  end\nend\n"),
                Other,
            ),
            (
                "a second test of the same name",
                edit(
                    minitest,
                    "  end\nend\n",
                    "  end\n\n  def test_adds\n    assert true\n  end\nend\n",
                ),
                Other,
            ),
        ],
    );
}

const SCRIPT: &str = "#!/bin/sh\nset -eu\n. ./cart.sh\ntest \"$(total 1 2)\" = 3\n";

#[test]
fn shells() {
    let loose = "#!/bin/sh\n. ./cart.sh\ntest \"$(total 1 2)\" = 3\n";
    hold(
        "test.sh",
        SCRIPT,
        vec![
            ("blank lines at the end", format!("{SCRIPT}\n\n"), Blank),
            ("another check at the end", format!("{SCRIPT}test \"$(total)\" = 0\n"), Grew),
            ("blanks between words", edit(SCRIPT, "set -eu", "set  -eu"), Other),
            ("ends early", before(SCRIPT, "test", "exit 0\n"), Other),
            ("goes on after a failure", before(SCRIPT, ". ./cart", "set +e\n"), Other),
            ("another `test`", before(SCRIPT, "test", "test() { :; }\n"), Other),
            ("ends well whatever came", format!("{SCRIPT}trap 'exit 0' EXIT\n"), Other),
            ("in a text", before(&format!("{SCRIPT}X\n"), "test", "cat <<X\n"), Other),
        ],
    );
    hold("test.sh", loose, vec![("the last command decides", format!("{loose}true\n"), Other)]);
    let bats = "@test \"adds\" {\n  [ \"$(total 1 2)\" = 3 ]\n}\n";
    hold("cart.bats", bats, vec![("skips", edit(bats, "{\n", "{\n  skip\n"), Other)]);
    hold(
        "tests/cart.bats",
        bats,
        vec![
            (
                "a test",
                format!("{bats}\n@test \"is empty\" {{\n  [ \"$(total)\" = 0 ]\n}}\n"),
                Grew,
            ),
            (
                "in a condition",
                format!("@test \"x\" {{\n  if false; then\n}}\n{bats}\n@test \"y\" {{\n  fi\n}}\n"),
                Other,
            ),
        ],
    );
}
