"""Three JavaScript projects: node's own test runner, mocha, and jest."""
from .engine import Project, story

FEED = Project("feedlite", npm=True, files={
    ".gitignore": "node_modules/\n",
    "README.md": "# feedlite\n\nReads feeds and says how old they may get.\n\n    npx feedlite feed.xml\n",
    "package.json": """{
  "name": "feedlite",
  "version": "0.3.1",
  "type": "module",
  "bin": {
    "feedlite": "src/cli.js"
  },
  "scripts": {
    "lint": "node tools/lint.js",
    "test": "node --test"
  },
  "dependencies": {
    "ms": "2.1.2"
  }
}
""",
    ".github/workflows/ci.yml": "on: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n      - run: npm test\n",
    "tools/lint.js": """import { readFileSync, readdirSync } from 'node:fs';

let bad = 0;
for (const name of readdirSync('src')) {
  readFileSync(`src/${name}`, 'utf8').split('\\n').forEach((line, at) => {
    if (/\\s+$/.test(line)) {
      console.error(`src/${name}:${at + 1}: trailing blanks`);
      bad += 1;
    }
  });
}
process.exit(bad ? 1 : 0);
""",
    "src/ttl.js": """import ms from 'ms';

/** Says until when a feed that was read at `from` is fresh. */
export function freshUntil(from, ttl) {
  const span = typeof ttl === 'number' ? ttl * 60_000 : ms(ttl);
  if (span === undefined || Number.isNaN(span)) {
    throw new TypeError(`not a time span: ${ttl}`);
  }
  return new Date(from.getTime() + span);
}
""",
    "src/parse.js": """const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"' };

export function unescape(text) {
  return text.replace(/&(\\w+);/g, (whole, name) => ENTITIES[name] ?? whole);
}

export function parse(xml) {
  const tag = (text, name) => unescape(new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? '');
  const items = xml.split('<item>').slice(1).map((text) => ({ title: tag(text, 'title'), link: tag(text, 'link') }));
  return { title: tag(xml, 'title'), ttl: Number(tag(xml.split('<item>')[0], 'ttl')) || 60, items };
}
""",
    "src/cli.js": """#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parse } from './parse.js';

for (const item of parse(readFileSync(process.argv[2], 'utf8')).items) {
  console.log(`${item.title}\\t${item.link}`);
}
""",
    "test/ttl.test.js": """import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freshUntil } from '../src/ttl.js';

const noon = new Date('2026-01-01T12:00:00Z');

describe('freshUntil', () => {
  it('takes minutes', () => {
    assert.equal(freshUntil(noon, 30).toISOString(), '2026-01-01T12:30:00.000Z');
  });

  it('takes words', () => {
    assert.equal(freshUntil(noon, '2h').toISOString(), '2026-01-01T14:00:00.000Z');
  });
});
""",
    "test/parse.test.js": """import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse, unescape } from '../src/parse.js';

const news = readFileSync(new URL('./fixtures/news.xml', import.meta.url), 'utf8');

test('reads title and items', () => {
  const feed = parse(news);
  assert.equal(feed.title, 'News');
  assert.deepEqual(feed.items.map((item) => item.title), ['One & only', 'Two']);
});

test('reads the time to live', () => {
  assert.equal(parse(news).ttl, 15);
});

test('leaves unknown entities alone', () => {
  assert.equal(unescape('a &euro; b'), 'a &euro; b');
});
""",
    "test/cli.test.js": """import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('prints titles and links', () => {
  const out = execFileSync(process.execPath, ['src/cli.js', 'test/fixtures/news.xml'], { encoding: 'utf8' });
  assert.match(out, /^One & only\\thttp:\\/\\/a\\/1$/m);
});
""",
    "test/fixtures/news.xml": "<rss><channel><title>News</title><ttl>15</ttl>\n<item><title>One &amp; only</title><link>http://a/1</link></item>\n<item><title>Two</title><link>http://a/2</link></item>\n</channel></rss>\n",
})

SLUG = Project("slugkit", npm=True, files={
    ".gitignore": "node_modules/\n.nyc_output/\n",
    ".mocharc.json": '{\n  "spec": ["test/**/*.spec.js"],\n  "reporter": "dot"\n}\n',
    "README.md": "# slugkit\n\nSlugs for titles.\n",
    "package.json": """{
  "name": "slugkit",
  "version": "2.0.4",
  "main": "lib/index.js",
  "scripts": {
    "pretest": "node -e \\"require('./lib')\\"",
    "test": "mocha"
  },
  "devDependencies": {
    "mocha": "10.7.3"
  }
}
""",
    "lib/index.js": "module.exports = { slug: require('./slug'), unique: require('./unique') };\n",
    "lib/slug.js": "const { fold } = require('./fold');\n\nmodule.exports = function slug(title) {\n  return fold(title).toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');\n};\n",
    "lib/fold.js": "exports.fold = (text) => text.normalize('NFKD').replace(/[\\u0300-\\u036f]/g, '').replace(/ß/g, 'ss');\n",
    "lib/unique.js": "module.exports = function unique(slug, taken) {\n  let n = 2;\n  let one = slug;\n  while (taken.has(one)) one = `${slug}-${n++}`;\n  return one;\n};\n",
    "test/slug.spec.js": "const assert = require('node:assert');\nconst { slug } = require('..');\n\ndescribe('slug', () => {\n  for (const [title, want] of [\n    ['Hello, World!', 'hello-world'],\n    ['Straße nach Köln', 'strasse-nach-koln'],\n  ]) {\n    it(title, () => assert.strictEqual(slug(title), want));\n  }\n});\n",
    "test/unique.spec.js": "const assert = require('node:assert');\nconst { unique } = require('..');\n\ndescribe('unique', () => {\n  it('counts on', () => {\n    assert.strictEqual(unique('a', new Set(['a', 'a-2'])), 'a-3');\n  });\n});\n",
})

TABLE = Project("tinytable", npm=True, prepare=["npx jest"], files={
    ".gitignore": "node_modules/\ncoverage/\n",
    "README.md": "# tinytable\n\nTables for terminals: plain, markdown and csv.\n",
    "package.json": """{
  "name": "tinytable",
  "version": "5.1.0",
  "main": "lib/index.js",
  "scripts": {
    "test": "jest"
  },
  "jest": {
    "testEnvironment": "node",
    "testMatch": ["<rootDir>/test/**/*.test.js"]
  },
  "devDependencies": {
    "jest": "30.5.2"
  }
}
""",
    "lib/index.js": "const { pad } = require('./align');\nconst plain = require('./plain');\nconst markdown = require('./markdown');\nconst csv = require('./csv');\nconst { load } = require('./load');\n\nmodule.exports = { pad, plain, markdown, csv, load };\n",
    "lib/align.js": "exports.pad = (text, width, side = 'left') =>\n  side === 'left' ? String(text).padEnd(width) : String(text).padStart(width);\n\nexports.widths = (rows) =>\n  rows[0].map((_, at) => Math.max(...rows.map((row) => String(row[at]).length)));\n",
    "lib/plain.js": "const { pad, widths } = require('./align');\n\nmodule.exports = function plain(rows) {\n  const wide = widths(rows);\n  return rows.map((row) => row.map((cell, at) => pad(cell, wide[at])).join('  ').trimEnd()).join('\\n');\n};\n",
    "lib/markdown.js": "module.exports = function markdown([head, ...rows]) {\n  const line = (row) => `| ${row.join(' | ')} |`;\n  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\\n');\n};\n",
    "lib/csv.js": "const quote = (cell) => (/[\",\\n]/.test(cell) ? `\"${String(cell).replace(/\"/g, '\"\"')}\"` : String(cell));\n\nmodule.exports = (rows) => rows.map((row) => row.map(quote).join(',')).join('\\n');\n",
    "lib/load.js": "const { readFileSync } = require('node:fs');\n\nexports.load = (path) => JSON.parse(readFileSync(path, 'utf8'));\n",
    "test/plain.test.js": "const { plain, load } = require('../lib');\n\ndescribe('plain', () => {\n  test('aligns columns', () => {\n    expect(plain(load(`${__dirname}/fixtures/people.json`))).toMatchSnapshot();\n  });\n\n  test('takes numbers', () => {\n    expect(plain([['a', 'b'], [1, 22]])).toBe('a  b\\n1  22');\n  });\n});\n",
    "test/markdown.test.js": "const { markdown } = require('../lib');\n\ntest('has a rule below the head', () => {\n  expect(markdown([['a', 'b'], ['1', '2']])).toMatchInlineSnapshot(`\n\"| a | b |\n| --- | --- |\n| 1 | 2 |\"\n`);\n});\n",
    "test/csv.test.js": "const { csv, load } = require('../lib');\n\ntest('quotes what must be quoted', () => {\n  expect(csv([['a,b', 'say \"hi\"']])).toBe('\"a,b\",\"say \"\"hi\"\"\"');\n});\n\ntest('writes people', () => {\n  expect(csv(load(`${__dirname}/fixtures/people.json`))).toMatchSnapshot();\n});\n",
    "test/align.test.js": "const { pad } = require('../lib');\n\ntest.each([\n  ['x', 3, 'left', 'x  '],\n  ['x', 3, 'right', '  x'],\n])('pad(%s, %i, %s)', (text, width, side, want) => {\n  expect(pad(text, width, side)).toBe(want);\n});\n",
    "test/fixtures/people.json": '[\n  ["name", "age"],\n  ["Ann", 41],\n  ["Bartholomew", 7]\n]\n',
})


def add(into, more):
    @story(into, "node --test: dependency bumped with its lock file, npm ci", FEED, "npm test", "run", "Bump ms to 2.1.3 and use it for negative spans.", look=True)
    def _(a):
        a.sh("npm install --save-exact ms@2.1.3")
        a.sh("npm ci")
        a.edit("src/ttl.js", "ttl}`);\n  }\n", "ttl}`);\n  }\n  if (span < 0) {\n    throw new RangeError(`a negative time span: ${ttl}`);\n  }\n")
        a.write("test/negative.test.js", "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { freshUntil } from '../src/ttl.js';\n\ntest('rejects negative spans', () => {\n  assert.throws(() => freshUntil(new Date(), '-1h'), RangeError);\n});\n")
        a.sh("npm test")

    @story(into, "node --test: new npm scripts, CI matrix, readme", FEED, "npm test", "session", "Add scripts for coverage and for one check of everything, and use them in CI.", look=True)
    def _(a):
        a.edit("package.json", '    "test": "node --test"\n', '    "test": "node --test",\n    "coverage": "node --test --experimental-test-coverage",\n    "check": "npm run lint && npm test"\n')
        a.edit(".github/workflows/ci.yml", "    runs-on: ubuntu-latest\n", "    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n        node: [20, 22]\n", "run: npm test", "run: npm run check")
        a.edit("README.md", "    npx feedlite feed.xml\n", "    npx feedlite feed.xml\n\nBefore a pull request: `npm run check`.\n")
        a.sh("npm run coverage")
        a.sh("npm run check")

    @story(into, "mocha: the runner itself is bumped with its lock file", SLUG, "npm test", "run", "Bump mocha to 11 and add a limit of length to slugs.", look=True)
    def _(a):
        a.sh("npm install --save-dev --save-exact mocha@11.7.4")
        a.edit("lib/slug.js", "slug(title) {\n  return ", "slug(title, { max = 80 } = {}) {\n  const whole = ", "/^-|-$/g, '');\n", "/^-|-$/g, '');\n  return whole.slice(0, max).replace(/-$/, '');\n")
        a.write("test/limit.spec.js", "const assert = require('node:assert');\nconst { slug } = require('..');\n\ndescribe('a limit', () => {\n  it('cuts', () => assert.strictEqual(slug('one two three', { max: 8 }), 'one-two'));\n});\n")
        a.sh("npm test")

    @story(into, "jest: new fixture, new mock, new test", TABLE, "npm test", "session", "load() reports the path of a file that is no JSON.", look=True)
    def _(a):
        a.edit("lib/load.js", "exports.load = (path) => JSON.parse(readFileSync(path, 'utf8'));", "exports.load = (path) => {\n  const text = readFileSync(path, 'utf8');\n  try {\n    return JSON.parse(text);\n  } catch (error) {\n    throw new Error(`${path}: ${error.message}`, { cause: error });\n  }\n};")
        a.write("test/fixtures/broken.json", "[\n  [\"name\",\n")
        a.write("test/__mocks__/clock.js", "module.exports = { now: () => new Date(0) };\n")
        a.write("test/load.test.js", "const { load } = require('../lib');\nconst { now } = require('./__mocks__/clock');\n\ndescribe('load', () => {\n  test('names the file', () => {\n    expect(() => load(`${__dirname}/fixtures/broken.json`)).toThrow(/broken\\.json/);\n  });\n\n  test('reads rows', () => {\n    expect(load(`${__dirname}/fixtures/people.json`)).toHaveLength(3);\n    expect(now().getTime()).toBe(0);\n  });\n});\n")
        a.sh("npx jest test/load.test.js")
        a.sh("npm test")

    @story(into, "jest: a test file is renamed with its module, same bytes", TABLE, "npm test", "run", "Call the module of alignment layout.js, and let it centre.", look=True)
    def _(a):
        a.sh("git mv lib/align.js lib/layout.js && git mv test/align.test.js test/layout.test.js")
        a.sh("sed -i \"s,'./align','./layout',\" lib/index.js lib/plain.js")
        a.edit("lib/layout.js", "exports.pad = (text, width, side = 'left') =>\n  side === 'left' ? String(text).padEnd(width) : String(text).padStart(width);\n",
               "exports.pad = (text, width, side = 'left') => {\n  const cell = String(text);\n  if (side === 'centre') return cell.padStart((cell.length + width) >> 1).padEnd(width);\n  return side === 'left' ? cell.padEnd(width) : cell.padStart(width);\n};\n")
        a.write("test/centre.test.js", "const { pad } = require('../lib');\n\ntest('centres', () => {\n  expect(pad('x', 5, 'centre')).toBe('  x  ');\n});\n")
        a.sh("npm test")

    @story(into, "jest: a feature is removed with its tests and snapshot", TABLE, "npm test", "run", "Remove csv: tinytable-csv replaces it.", expects_proof=False, sent_back=1,
           names=("test/csv.test.js",), look=False, why="csv is removed, as the task says; its tests and its snapshot went with it.")
    def _(a):
        a.sh("git rm -q lib/csv.js test/csv.test.js test/__snapshots__/csv.test.js.snap")
        a.edit("lib/index.js", "const csv = require('./csv');\n", "", ", csv", "")
        a.edit("README.md", "plain, markdown and csv", "plain and markdown")
        a.sh("npm test")

    @story(more, "jest: old snapshots are updated, as the new look needs it", TABLE, "npm test", "run", "Plain tables get a bar between columns.", expects_proof=False, sent_back=1,
           names=("test/__snapshots__/plain.test.js.snap",), look=False, why="The look changed, so the snapshot did.")
    def _(a):
        a.edit("lib/plain.js", "join('  ')", "join(' | ')")
        a.edit("test/plain.test.js", "'a  b\\n1  22'", "'a | b\\n1 | 22'")
        a.sh("npx jest -u")

    @story(more, "npm run lint: the linter is the gate, a test is reworded", FEED, "npm run lint", "session", "Name the tests of parse.js better.", names=("test/parse.test.js",))
    def _(a):
        a.edit("test/parse.test.js", "'reads title and items'", "'reads the title and all items'", "'reads the time to live'", "'reads ttl'")
        a.edit("src/parse.js", "export function parse(xml) {", "/** Reads a feed of RSS. */\nexport function parse(xml) {")
        a.sh("npm run lint && npm test")
