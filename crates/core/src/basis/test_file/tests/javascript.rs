use super::{Blank, Grew, Other, before, edit, hold};

const WAS: &str = r"import { total } from './cart';

const PRICE = 3;

describe('total', () => {
  it('adds', () => {
    const items = [1, 2];
    expect(total(items)).toBe(PRICE);
    expect(`a  ${total([])} b`).toBe('a  0 b');
  });

  test('is empty', async () => {
    expect(total([])).toBe(0);
  });
});
";

#[test]
fn honest_edits() {
    let case = "  it('doubles', () => {\n    const items = [2];\n    expect(total(items) / 2).toBe(1);\n  });\n\n";
    hold(
        "src/cart.test.ts",
        WAS,
        vec![
            ("blanks within a line", edit(WAS, "[1, 2]", "[1,   2]"), Blank),
            ("a blank line", before(WAS, "  test('is", "\n"), Blank),
            ("a case between two", before(WAS, "  test('is", case), Grew),
            (
                "a case at the end",
                edit(WAS, "  });\n});\n", &format!("  }});\n\n{case}}});\n")),
                Grew,
            ),
            (
                "a group",
                format!(
                    "{WAS}\ndescribe('discount', () => {{\n  beforeEach(() => reset());\n\n  it('is none', () => {{\n    expect(discount()).toBe(0);\n  }});\n}});\n"
                ),
                Grew,
            ),
            ("a longer import", edit(WAS, "{ total }", "{ total, discount }"), Grew),
            ("a new import", before(WAS, "\nconst PRICE", "import { tax } from './tax';\n"), Grew),
            (
                "a table of cases",
                before(
                    WAS,
                    "  test('is",
                    "  it.each([\n    [1, 1],\n    [2, 2],\n  ])('takes %i', (n, sum) => {\n    expect(total([n])).toBe(sum);\n  });\n\n",
                ),
                Grew,
            ),
            ("a constant", before(WAS, "describe('total", "const MANY = 9;\n\n"), Grew),
            (
                "a function",
                before(
                    WAS,
                    "describe('total",
                    "function makeItems(n: number) {\n  return Array(n).fill(1);\n}\n\n",
                ),
                Grew,
            ),
            (
                "an assertion at the end of a test",
                edit(WAS, ").toBe(0);\n", ").toBe(0);\n    expect(total([0])).toBe(0);\n"),
                Grew,
            ),
            ("a comment", before(WAS, "describe('total", "// The sum of all.\n"), Grew),
        ],
    );
}

#[test]
fn weakened_and_switched_off() {
    hold(
        "src/cart.test.ts",
        WAS,
        vec![
            ("another expected value", edit(WAS, "toBe(0)", "toBe(1)"), Other),
            ("blanks in a string", edit(WAS, "'a  0 b'", "'a 0 b'"), Other),
            ("blanks in a template", edit(WAS, "`a  $", "`a $"), Other),
            ("skipped", edit(WAS, "  it('adds'", "  it.skip('adds'"), Other),
            (
                "another case only",
                before(WAS, "  test('is", "  it.only('x', () => {});\n\n"),
                Other,
            ),
            ("left for later", before(WAS, "  test('is", "  it.todo('x');\n\n"), Other),
            ("another word for it", before(WAS, "  test('is", "  fit('x', () => {});\n\n"), Other),
            ("returns early", before(WAS, "    const items", "    return;\n"), Other),
            (
                "in a comment",
                before(&edit(WAS, "\n  test('is", "*/\n  test('is"), "  it('adds", "/*\n"),
                Other,
            ),
            (
                "in a template",
                before(
                    &edit(WAS, "\n  test('is", "`;\n\n  test('is"),
                    "  it('adds",
                    "const x = `\n",
                ),
                Other,
            ),
            (
                "in a condition",
                before(
                    &edit(WAS, "\n  test('is", "}\n\n  test('is"),
                    "  it('adds",
                    "if (false) {\n",
                ),
                Other,
            ),
            ("ends the run", before(WAS, "describe('total", "process.exit(0);\n"), Other),
            ("after a condition", before(WAS, "  test('is", "  if (process.env.CI)\n"), Other),
        ],
    );
}

#[test]
fn mocked_and_replaced() {
    hold(
        "src/cart.test.ts",
        WAS,
        vec![
            ("a mock", before(WAS, "\nconst PRICE", "jest.mock('./cart');\n"), Other),
            (
                "a spy in a new test",
                before(
                    WAS,
                    "  test('is",
                    "  it('x', () => {\n    jest.spyOn(cart, 'total').mockReturnValue(0);\n  });\n\n",
                ),
                Other,
            ),
            (
                "a set-up for all",
                before(WAS, "  it('adds", "  beforeEach(() => fake());\n\n"),
                Other,
            ),
            (
                "another `expect`",
                before(WAS, "\nconst PRICE", "const expect = () => ({ toBe() {} });\n"),
                Other,
            ),
            (
                "the same behind a comma",
                before(WAS, "\nconst PRICE", "const a = 1, expect = () => ({ toBe() {} });\n"),
                Other,
            ),
            (
                "the same taken apart",
                before(WAS, "\nconst PRICE", "const { a = 1, expect } = fake;\n"),
                Other,
            ),
            (
                "the same behind a test",
                before(WAS, "  test('is", "  it('x', () => {}), (total = () => 0);\n"),
                Other,
            ),
            (
                "the function is replaced",
                before(WAS, "describe('total", "function total() { return 0; }\n\n"),
                Other,
            ),
            (
                "the name is imported from elsewhere",
                before(WAS, "\nconst PRICE", "import { total as sum, PRICE } from './fake';\n"),
                Other,
            ),
            (
                "a file that does anything",
                before(WAS, "\nconst PRICE", "import './fake';\n"),
                Other,
            ),
            (
                "an outer name is set in a new test",
                before(WAS, "  test('is", "  it('x', () => {\n    total = () => 0;\n  });\n\n"),
                Other,
            ),
            (
                "a second test of the same name",
                before(WAS, "  test('is", "  it('adds', () => {});\n\n"),
                Other,
            ),
        ],
    );
}

#[test]
fn read_in_two_ways() {
    hold(
        "src/cart.test.ts",
        WAS,
        vec![
            (
                "a slash of two readings",
                before(WAS, "  test('is", "  it('x', () => { ({} / [/*] /1); });\n\n"),
                Other,
            ),
            (
                "a hidden line's end",
                before(WAS, "describe('total", "// x\u{2028}total = f\n"),
                Other,
            ),
            ("goes on in the next line", before(WAS, "describe('total", "const x = f\n"), Other),
        ],
    );
}

#[test]
fn markup_is_read() {
    let was = "it('shows', () => {\n  render(<App name=\"x\" />);\n  expect(screen.getByText('x')).toBeVisible();\n});\n";
    let more = "it('wraps', () => {\n  render(<p><App /></p>);\n  expect(1).toBe(1);\n});\n";
    hold(
        "src/App.test.tsx",
        was,
        vec![
            ("another case", format!("{was}\n{more}"), Grew),
            ("blanks in markup", edit(was, "<App name", "<App  name"), Other),
            (
                "a tag that hides a comment",
                format!("{was}it('x', () => {{ 1 </p>[/*]/; }});\n/*]*/\n"),
                Other,
            ),
        ],
    );
}
