//! Go, Java, Kotlin, C# and PHP.

use super::{Blank, Grew, Other, before, edit, hold};

const GO: &str = r#"package cart

import (
	"testing"

	"shop/cart"
)

func TestTotal(t *testing.T) {
	if got := cart.Total(1, 2); got != 3 {
		t.Errorf("got %d `", got)
	}
}

func TestName(t *testing.T) {
	if cart.Name() != `a  b` {
		t.Fatal("name")
	}
}
"#;

#[test]
fn go() {
    let test =
        "func TestMore(t *testing.T) {\n\tif cart.Total(4) != 4 {\n\t\tt.Error()\n\t}\n}\n\n";
    hold(
        "cart/cart_test.go",
        GO,
        vec![
            ("blanks within a line", edit(GO, "1, 2", "1,  2"), Blank),
            ("a test", before(GO, "func TestName", test), Grew),
            ("an import", before(GO, "\t\"testing\"", "\t\"strings\"\n"), Grew),
            (
                "a helper",
                before(GO, "func TestName", "func items() []int {\n\treturn nil\n}\n\n"),
                Grew,
            ),
            ("blanks in a raw string", edit(GO, "a  b", "a b"), Other),
            ("skips", before(GO, "\tif got", "\tt.Skip(\"slow\")\n"), Other),
            ("returns early", before(GO, "\tif got", "\treturn\n"), Other),
            (
                "another main",
                before(GO, "func TestName", "func TestMain(m *testing.M) {\n\tm.Run()\n}\n\n"),
                Other,
            ),
            (
                "a start for all",
                before(GO, "func TestName", "func init() {\n\treset()\n}\n\n"),
                Other,
            ),
            ("is not built", before(GO, "package cart", "//go:build never\n\n"), Other),
            (
                "another package of the same name",
                before(GO, "\t\"testing\"", "\tcart \"fake\"\n"),
                Other,
            ),
            (
                "a variable is patched",
                before(
                    GO,
                    "func TestName",
                    "func TestA(t *testing.T) {\n\tcart.Total = fake\n}\n\n",
                ),
                Other,
            ),
            (
                "ends the run",
                before(GO, "func TestName", "func TestA(t *testing.T) {\n\tos.Exit(0)\n}\n\n"),
                Other,
            ),
        ],
    );
}

const JAVA: &str = r#"package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void adds() {
        assertEquals(3, Cart.total(1, 2));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
    })
    void each(int n, int sum) {
        assertEquals(sum, Cart.total(n));
    }
}
"#;

#[test]
fn java() {
    let test =
        "    @Test\n    void doubles() {\n        assertEquals(4, Cart.total(2, 2));\n    }\n\n";
    hold(
        "src/test/java/CartTest.java",
        JAVA,
        vec![
            ("blanks within a line", edit(JAVA, "1, 2));", "1,  2));"), Blank),
            ("a test between two", before(JAVA, "    @Parameterized", test), Grew),
            ("a test before the first", before(JAVA, "    @Test\n", test), Grew),
            ("an import", before(JAVA, "import org", "import java.util.List;\n"), Grew),
            (
                "a helper",
                before(
                    JAVA,
                    "    @Parameterized",
                    "    private static int two() {\n        return 2;\n    }\n\n",
                ),
                Grew,
            ),
            (
                "an assertion at the end",
                edit(JAVA, "1, 2));\n", "1, 2));\n        assertEquals(0, Cart.total());\n"),
                Grew,
            ),
            ("switched off", before(JAVA, "    void adds", "    @Disabled\n"), Other),
            ("the class is switched off", before(JAVA, "class Cart", "@Ignore\n"), Other),
            (
                "a set-up for all",
                before(
                    JAVA,
                    "    @Parameterized",
                    "    @BeforeEach\n    void start() {\n    }\n\n",
                ),
                Other,
            ),
            (
                "the annotation goes to another method",
                before(JAVA, "    void each", "    void other(int n, int sum) {\n    }\n\n"),
                Other,
            ),
            (
                "another assertion",
                before(
                    JAVA,
                    "    @Parameterized",
                    "    void assertEquals(int a, int b) {\n    }\n\n",
                ),
                Other,
            ),
            (
                "a block of the class",
                before(
                    JAVA,
                    "    @Parameterized",
                    "    static {\n        Cart.reset();\n    }\n\n",
                ),
                Other,
            ),
            (
                "a comment that ends early",
                before(JAVA, "    @Parameterized", "    // \\u000a static { System.gc(); }\n"),
                Other,
            ),
            (
                "all static names",
                before(JAVA, "import org", "import static fake.Assertions.*;\n"),
                Other,
            ),
        ],
    );
}

const KOTLIN: &str = "class CartTest {\n    @Test\n    fun `adds up`() {\n        assertEquals(3, total(1, 2))\n    }\n}\n";
const CSHARP: &str = "public class CartTests\n{\n    [Fact]\n    public void Adds()\n    {\n        Assert.Equal(3, Cart.Total(1, 2));\n    }\n}\n";

#[test]
fn kotlin_and_c_sharp() {
    hold(
        "CartTest.kt",
        KOTLIN,
        vec![
            (
                "a test",
                edit(
                    KOTLIN,
                    "    }\n}\n",
                    "    }\n\n    @Test\n    fun `is empty`() {\n        assertEquals(0, total())\n    }\n}\n",
                ),
                Grew,
            ),
            ("switched off", before(KOTLIN, "    fun", "    @Disabled\n"), Other),
        ],
    );
    hold(
        "CartTests.cs",
        CSHARP,
        vec![
            (
                "a test",
                edit(
                    CSHARP,
                    "    }\n}\n",
                    "    }\n\n    [Theory]\n    [InlineData(1)]\n    public void Each(int n)\n    {\n        Assert.Equal(n, Cart.Total(n));\n    }\n}\n",
                ),
                Grew,
            ),
            ("skipped", before(CSHARP, "    public void", "    [Fact(Skip = \"slow\")]\n"), Other),
        ],
    );
}

const PHP: &str = r"<?php

use PHPUnit\Framework\TestCase;

final class CartTest extends TestCase
{
    public function testAdds(): void
    {
        $this->assertSame(3, total([1, 2]));
    }

    /** @test */
    public function it_is_empty(): void
    {
        $this->assertSame('a  b', name());
    }
}
";

#[test]
fn php() {
    let test = "    public function testDoubles(): void\n    {\n        $this->assertSame(4, total([4]));\n    }\n\n";
    hold(
        "tests/CartTest.php",
        PHP,
        vec![
            ("blanks within a line", edit(PHP, "[1, 2]", "[1,  2]"), Blank),
            ("a test", before(PHP, "    /** @test */", test), Grew),
            ("an import", before(PHP, "use PHPUnit", "use Shop\\Cart;\n"), Grew),
            ("blanks in a string", edit(PHP, "a  b", "a b"), Other),
            (
                "skips",
                before(PHP, "        $this->assertSame(3", "        $this->markTestSkipped();\n"),
                Other,
            ),
            (
                "the mark goes to another method",
                before(PHP, "    public function it_is", test),
                Other,
            ),
            (
                "a set-up for all",
                before(
                    PHP,
                    "    /** @test */",
                    "    protected function setUp(): void\n    {\n    }\n\n",
                ),
                Other,
            ),
            ("ends the run", before(PHP, "final class", "exit(0);\n"), Other),
            ("the rest is text", before(PHP, "final class", "?>\n"), Other),
        ],
    );
}
