/** What the coverage ledger needs to know of a test file: the titles of tests that run, and its strings. */
import { type Program, parseSync } from 'oxc-parser';

export interface TestFile {
  readonly titles: readonly string[];
  readonly strings: readonly string[];
}

/** Stands for `${…}` in the string of a template. */
const HOLE = '\uFFFC';
const TEST_NAMES = new Set(['test', 'it']);
/** `test.each(…)('title')` is a test, `test.step('title')` and `test.describe('title')` are none. */
const TEST_CHAIN = new Set(['each', 'for', 'skipIf', 'runIf', 'concurrent', 'sequential', 'only', 'prop']);
const NEVER_RUNS = new Set(['skip', 'todo', 'fixme']);

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/**
 * Titles and strings of a TypeScript test file. A skipped test or suite lends no titles: what does not run
 * proves nothing.
 * @throws {SyntaxError} when the file does not parse
 */
export function readTest(file: string, source: string): TestFile {
  const parsed = parseSync(file, source);
  const fault = parsed.errors[0];
  if (fault !== undefined) throw new SyntaxError(`${file}: ${fault.message}`);
  const titles: string[] = [];
  const strings: string[] = [];
  const visit = (value: unknown, runs: boolean): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one, runs);
      return;
    }
    if (!isNode(value)) return;
    const text = stringOf(value);
    if (text !== undefined) strings.push(text);
    const call = value['type'] === 'CallExpression' ? describeCall(value) : undefined;
    if (runs && call?.title !== undefined) titles.push(call.title);
    const runsBelow = runs && call?.skipped !== true;
    for (const [key, child] of Object.entries(value)) if (key !== 'parent') visit(child, runsBelow);
  };
  visit(parsed.program satisfies Program, true);
  return { titles, strings };
}

/** The value of a string literal, of a template with holes, of JSX text, or of such joined by '+'. */
function stringOf(node: Node): string | undefined {
  switch (node['type']) {
    case 'Literal':
    case 'JSXText':
      return typeof node['value'] === 'string' ? node['value'] : undefined;
    case 'TemplateLiteral':
      return (node['quasis'] as { value: { cooked: string | null } }[])
        .map((quasi) => quasi.value.cooked ?? '')
        .join(HOLE);
    case 'BinaryExpression': {
      if (node['operator'] !== '+') return undefined;
      const [left, right] = [node['left'], node['right']].map((side) =>
        isNode(side) ? stringOf(side) : undefined,
      );
      return left === undefined || right === undefined ? undefined : left + right;
    }
    default:
      return undefined;
  }
}

/** Follows `test.skipIf(x)('title', …)` down to its name: whether it names a test, and whether it runs. */
function describeCall(node: Node): { title?: string; skipped: boolean } {
  const chain: string[] = [];
  let callee = node['callee'];
  while (isNode(callee) && callee['type'] !== 'Identifier') {
    if (callee['type'] === 'MemberExpression') {
      const property = callee['property'];
      if (isNode(property) && typeof property['name'] === 'string') chain.push(property['name']);
      callee = callee['object'];
    } else callee = callee['type'] === 'TaggedTemplateExpression' ? callee['tag'] : callee['callee'];
  }
  const name = isNode(callee) ? callee['name'] : undefined;
  const isSuite = name === 'describe' || chain.includes('describe');
  const isTest = typeof name === 'string' && TEST_NAMES.has(name);
  const skipped = (isTest || isSuite) && chain.some((one) => NEVER_RUNS.has(one));
  const first = (node['arguments'] as unknown[])[0];
  const title = isNode(first) ? stringOf(first) : undefined;
  const runs = isTest && chain.every((one) => TEST_CHAIN.has(one));
  return { skipped, ...(runs && title !== undefined ? { title } : {}) };
}
