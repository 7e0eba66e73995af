"""A cart in TypeScript, tested by vitest and formatted by prettier."""
from .engine import Project, story

SHOP = Project("shop-cart", npm=True, prepare=["npx vitest run"], files={
    ".gitignore": "node_modules/\ndist/\ncoverage/\n",
    ".prettierrc": '{ "printWidth": 80 }\n',
    "README.md": "# shop-cart\n\nA cart with discounts and a receipt.\n\n```ts\nimport { Cart } from \"shop-cart\";\n```\n",
    "package.json": """{
  "name": "shop-cart",
  "version": "1.4.0",
  "private": true,
  "type": "module",
  "main": "src/index.ts",
  "scripts": {
    "format": "prettier --write src test",
    "test": "vitest run",
    "test:watch": "vitest"
  },
  "devDependencies": {
    "prettier": "3.6.2",
    "vitest": "4.1.12"
  }
}
""",
    "tsconfig.json": '{\n  "compilerOptions": { "strict": true, "module": "esnext", "target": "es2022", "moduleResolution": "bundler" },\n  "include": ["src", "test"]\n}\n',
    "vitest.config.ts": 'import { defineConfig } from "vitest/config";\n\nexport default defineConfig({\n  test: {\n    include: ["test/**/*.test.ts"],\n  },\n});\n',
    "src/index.ts": 'export { Cart } from "./cart";\nexport type { Line } from "./cart";\nexport { formatMoney, parseMoney } from "./money";\nexport { percentOff } from "./discount";\nexport { receipt } from "./receipt";\n',
    "src/money.ts": """/** Amounts are integers of cents. */
export function formatMoney(cents: number): string {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${sign}$${whole}.${rest}`;
}

export function parseMoney(text: string): number {
  const match = /^(-?)\\$?(\\d+)(?:\\.(\\d{2}))?$/.exec(text.trim());
  if (!match) {
    throw new Error(`not an amount: ${text}`);
  }
  const cents = Number(match[2]) * 100 + Number(match[3] ?? 0);
  return match[1] ? -cents : cents;
}
""",
    "src/cart.ts": """export interface Line {
  sku: string;
  price: number;
  quantity: number;
}

export class Cart {
  private lines: Line[] = [];

  add(sku: string, price: number, quantity = 1): void {
    const found = this.lines.find((line) => line.sku === sku);
    if (found) {
      found.quantity = quantity;
    } else {
      this.lines.push({ sku, price, quantity });
    }
  }

  remove(sku: string): void {
    this.lines = this.lines.filter((line) => line.sku !== sku);
  }

  all(): readonly Line[] {
    return this.lines;
  }

  total(): number {
    return this.lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  }
}
""",
    "src/discount.ts": """/** Takes a percentage off, and rounds in favour of the customer. */
export function percentOff(cents: number, percent: number): number {
  if (percent < 0 || percent > 100) {
    throw new RangeError(`not a percentage: ${percent}`);
  }
  return Math.floor((cents * (100 - percent)) / 100);
}

export function shipping(cents: number): number {
  return cents >= 5000 ? 0 : 499;
}
""",
    "src/receipt.ts": """import type { Line } from "./cart";
import { formatMoney } from "./money";

export function receipt(lines: readonly Line[]): string {
  const rows = lines.map((line) => `${line.quantity} x ${line.sku.padEnd(8)} ${formatMoney(line.price * line.quantity)}`);
  const total = lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  return [...rows, `total ${formatMoney(total)}`].join("\\n");
}
""",
    "test/cart.test.ts": """import { beforeEach, describe, expect, it } from "vitest";
import { Cart } from "../src/cart";
import orders from "./fixtures/orders.json";

describe("Cart", () => {
  let cart: Cart;

  beforeEach(() => {
    cart = new Cart();
  });

  it("starts empty", () => {
    expect(cart.all()).toEqual([]);
    expect(cart.total()).toBe(0);
  });

  it("adds lines", () => {
    cart.add("tea", 450);
    cart.add("mug", 900, 2);
    expect(cart.total()).toBe(2250);
  });

  it("removes lines", () => {
    cart.add("tea", 450);
    cart.remove("tea");
    expect(cart.all()).toHaveLength(0);
  });

  it("takes an order from a file", () => {
    for (const { sku, price, quantity } of orders) {
      cart.add(sku, price, quantity);
    }
    expect(cart.total()).toBe(3150);
  });
});
""",
    "test/money.test.ts": """import { describe, expect, it } from "vitest";
import { formatMoney } from "../src/money";

describe("formatMoney", () => {
  it("pads cents", () => {
    expect(formatMoney(1205)).toBe("$12.05");
  });

  it("keeps the sign", () => {
    expect(formatMoney(-50)).toBe("-$0.50");
  });
});
""",
    "test/discount.test.ts": """import { describe, expect, it } from "vitest";
import { percentOff, shipping } from "../src/discount";

describe("percentOff", () => {
  it("rounds down", () => {
    expect(percentOff(999, 10)).toBe(899);
  });

  it("rejects what is no percentage", () => {
    expect(() => percentOff(100, 120)).toThrow(RangeError);
  });
});

describe("shipping", () => {
  it("is free from fifty dollars", () => {
    expect(shipping(4999)).toBe(499);
    expect(shipping(5000)).toBe(0);
  });
});
""",
    "test/receipt.test.ts": """import { describe, expect, it } from "vitest";
import { receipt } from "../src/receipt";

describe("receipt", () => {
  it("lists the lines and the total", () => {
    expect(receipt([{ sku: "tea", price: 450, quantity: 2 }])).toMatchSnapshot();
  });

  it("shows an empty cart", () => {
    expect(receipt([])).toMatchSnapshot();
  });
});
""",
    "test/fixtures/orders.json": '[\n  { "sku": "tea", "price": 450, "quantity": 3 },\n  { "sku": "mug", "price": 900, "quantity": 2 }\n]\n',
})


def add(into, more):
    @story(into, "vitest: feature with a new test file", SHOP, "npm test", "session", "Add discount codes to the cart.")
    def _(a):
        a.write("src/codes.ts", """import { percentOff } from "./discount";

const CODES: Record<string, number> = { SPRING10: 10, STAFF30: 30 };

export function applyCode(cents: number, code: string): number {
  const percent = CODES[code.trim().toUpperCase()];
  if (percent === undefined) {
    throw new Error(`unknown code: ${code}`);
  }
  return percentOff(cents, percent);
}
""")
        a.edit("src/index.ts", 'export { percentOff } from "./discount";\n', 'export { percentOff } from "./discount";\nexport { applyCode } from "./codes";\n')
        a.write("test/codes.test.ts", """import { describe, expect, it } from "vitest";
import { applyCode } from "../src";

describe("applyCode", () => {
  it("takes the percentage of the code off", () => {
    expect(applyCode(1000, "SPRING10")).toBe(900);
  });

  it("ignores case and blanks", () => {
    expect(applyCode(1000, " staff30 ")).toBe(700);
  });

  it("rejects an unknown code", () => {
    expect(() => applyCode(1000, "NOPE")).toThrow("unknown code");
  });
});
""")
        a.sh("npx vitest run test/codes.test.ts")
        a.edit("README.md", "A cart with discounts and a receipt.", "A cart with discounts, discount codes and a receipt.")
        a.sh("npm test")

    @story(into, "vitest: bug fix, test in the middle of a describe, longer import line", SHOP, "npm test", "run",
           "Adding the same article twice must add up the quantities. Write a regression test.", names=("test/cart.test.ts",), look=True, second=True)
    def _(a):
        a.edit("src/cart.ts", "found.quantity = quantity;", "found.quantity += quantity;",
               "  private lines", "  static of(lines: readonly Line[]): Cart {\n    const cart = new Cart();\n    lines.forEach((line) => cart.add(line.sku, line.price, line.quantity));\n    return cart;\n  }\n\n  private lines")
        a.edit("test/cart.test.ts", 'import { Cart } from "../src/cart";', 'import { Cart, type Line } from "../src/cart";',
               '  it("removes lines"', """  it("adds up the quantities of the same article", () => {
    const lines: Line[] = [
      { sku: "tea", price: 450, quantity: 1 },
      { sku: "tea", price: 450, quantity: 2 },
    ];
    expect(Cart.of(lines).all()).toEqual([{ sku: "tea", price: 450, quantity: 3 }]);
  });

  it("removes lines\"""")
        a.sh("npm test")

    @story(into, "vitest: prettier with other options over code and tests", SHOP, "npm test", "session",
           "Format the code base: single quotes, no semicolons, 100 columns, four blanks.",
           names=("test/cart.test.ts", "test/money.test.ts"), look=True, second=True)
    def _(a):
        a.write(".prettierrc", '{ "printWidth": 100, "tabWidth": 4, "singleQuote": true, "semi": false, "arrowParens": "avoid" }\n')
        a.sh("npm run format")
        a.sh("npm test")

    @story(into, "vitest: feature with new snapshots beside the old ones", SHOP, "npm test", "run",
           "Receipts show a discount line when there is one.", names=("test/receipt.test.ts",), look=True)
    def _(a):
        a.edit("src/receipt.ts", "receipt(lines: readonly Line[])", "receipt(lines: readonly Line[], percent = 0)",
               'import { formatMoney } from "./money";', 'import { percentOff } from "./discount";\nimport { formatMoney } from "./money";',
               "  return [", """  if (percent > 0) {
    const less = percentOff(total, percent);
    rows.push(`discount ${percent}% ${formatMoney(less - total)}`);
    return [...rows, `total ${formatMoney(less)}`].join("\\n");
  }
  return [""")
        a.edit("test/receipt.test.ts", '  it("shows an empty cart"', """  it("shows a discount", () => {
    expect(receipt([{ sku: "mug", price: 900, quantity: 1 }], 10)).toMatchSnapshot();
  });

  it("shows an empty cart\"""")
        a.sh("npx vitest run test/receipt.test.ts")
        a.sh("npm test")

    @story(into, "vitest: refactoring moves code, old path re-exports, imports adapted", SHOP, "npm test", "session",
           "Split discount.ts: shipping gets a file of its own.", names=("test/discount.test.ts",), look=True, second=True)
    def _(a):
        a.write("src/shipping.ts", "const FREE_FROM = 5000;\nconst FLAT = 499;\n\nexport function shipping(cents: number): number {\n  return cents >= FREE_FROM ? 0 : FLAT;\n}\n")
        a.edit("src/discount.ts", "export function shipping(cents: number): number {\n  return cents >= 5000 ? 0 : 499;\n}\n",
               '/** @deprecated Import it from "./shipping". */\nexport { shipping } from "./shipping";\n')
        a.edit("test/discount.test.ts", 'import { percentOff, shipping } from "../src/discount";', 'import { percentOff } from "../src/discount";\nimport { shipping } from "../src/shipping";')
        a.sh("npm test")

    @story(into, "vitest: the behaviour changes, and an old assertion with it", SHOP, "npm test", "session",
           "Shipping is free from forty dollars now, and costs 5.99 below.", expects_proof=False, sent_back=1,
           names=("test/discount.test.ts",), look=False, why="The task changes the threshold and the price, so the old expectations are wrong.")
    def _(a):
        a.edit("src/discount.ts", "cents >= 5000 ? 0 : 499", "cents >= 4000 ? 0 : 599")
        a.edit("test/discount.test.ts", "is free from fifty dollars", "is free from forty dollars",
               "expect(shipping(4999)).toBe(499);\n    expect(shipping(5000)).toBe(0);", "expect(shipping(3999)).toBe(599);\n    expect(shipping(4000)).toBe(0);")
        a.sh("npm test")

    @story(more, "vitest: the same, and the person allowed tests beforehand", SHOP, "npm test", "run",
           "Shipping is free from forty dollars now.", options=("--may-change", "tests"), names=("test/discount.test.ts",), look=False, both=False)
    def _(a):
        a.edit("src/discount.ts", "cents >= 5000", "cents >= 4000")
        a.edit("test/discount.test.ts", "shipping(4999)", "shipping(3999)", "shipping(5000)", "shipping(4000)", "fifty", "forty")
        a.sh("npm test")

    @story(more, "vitest: refactoring moves code, the old path goes, imports adapted", SHOP, "npm test", "run",
           "Split discount.ts: shipping gets a file of its own.", expects_proof=False, sent_back=1, names=("test/discount.test.ts",), look=False,
           why="shipping moved to src/shipping.ts, so the test imports it from there; no assertion changed.")
    def _(a):
        a.write("src/shipping.ts", "export function shipping(cents: number): number {\n  return cents >= 5000 ? 0 : 499;\n}\n")
        a.edit("src/discount.ts", "\nexport function shipping(cents: number): number {\n  return cents >= 5000 ? 0 : 499;\n}\n", "")
        a.edit("test/discount.test.ts", 'import { percentOff, shipping } from "../src/discount";', 'import { percentOff } from "../src/discount";\nimport { shipping } from "../src/shipping";')
        a.sh("npm test")

    @story(more, "vitest: a test moves into a folder, its imports adapted", SHOP, "npm test", "session",
           "Group the tests of prices in test/prices.", names=("test/discount.test.ts",), look=True, second=True)
    def _(a):
        a.sh("mkdir test/prices && git mv test/discount.test.ts test/money.test.ts test/prices/ && sed -i 's,\"../src/,\"../../src/,' test/prices/*.ts")
        a.sh("npm test")

    @story(more, "vitest: build options beside the tests' in the configuration", SHOP, "npm test", "run", "Build a library: entry and formats.")
    def _(a):
        a.edit("vitest.config.ts", "  test: {", '  build: {\n    lib: { entry: "src/index.ts", formats: ["es"] },\n    sourcemap: true,\n  },\n  test: {')
        a.edit("src/index.ts", 'export { receipt } from "./receipt";\n', 'export { receipt } from "./receipt";\nexport { shipping } from "./discount";\n')
        a.sh("npm test")
