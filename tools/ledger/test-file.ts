/** What the coverage ledger needs to know of a test file: the tests that run, and its strings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, parseSync } from 'oxc-parser';
import { filesMatching } from '../project-files.ts';
import { readTitle } from './names.ts';

/** A test that runs: what its title says, and the rows that its title and those of its steps name. */
interface Test {
  readonly title: string;
  readonly names: readonly string[];
}

export interface TestFile {
  readonly tests: readonly Test[];
  /** Without the names of rows: an id is no text that somebody reads. */
  readonly strings: readonly string[];
}

/** Stands for `${…}` in the string of a template. */
export const HOLE = '\uFFFC';
const TEST_NAMES = new Set(['test', 'it']);
/** `test.each(…)('title')` is a test, `test.step('title')` a step of one, `test.describe('title')` neither. */
const TEST_CHAIN = new Set(['each', 'for', 'skipIf', 'runIf', 'concurrent', 'sequential', 'only', 'prop']);
const NEVER_RUNS = new Set(['skip', 'todo', 'fixme']);

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/**
 * Tests and strings of a TypeScript test file. One that is skipped, by itself or with its suite, is left out: what does
 * not run proves nothing.
 * @throws {SyntaxError} when the file does not parse
 */
export function readTest(file: string, source: string): TestFile {
  const parsed = parseSync(file, source);
  const fault = parsed.errors[0];
  if (fault !== undefined) throw new SyntaxError(`${file}: ${fault.message}`);
  const tests: Test[] = [];
  const strings: string[] = [];
  const visit = (value: unknown, runs: boolean, inside?: { names: string[] }): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one, runs, inside);
      return;
    }
    if (!isNode(value)) return;
    const text = stringOf(value);
    if (text !== undefined) strings.push(readTitle(text).says);
    const call = value['type'] === 'CallExpression' ? describeCall(value) : undefined;
    const runsBelow = runs && call?.skipped !== true;
    let test = inside;
    if (runs && call?.title !== undefined) {
      const { says, names } = readTitle(call.title);
      if (call.is === 'step') inside?.names.push(...names);
      else {
        test = { names: [...names] };
        tests.push({ title: says, names: test.names });
      }
    }
    for (const [key, child] of Object.entries(value)) if (key !== 'parent') visit(child, runsBelow, test);
  };
  visit(parsed.program satisfies Program, true);
  return { tests, strings };
}

/** The sources of all test files of a project, by their path from its top. */
export const testSources = (root: string): ReadonlyMap<string, string> =>
  new Map(
    filesMatching(root, /\.(test|spec)\.tsx?$/).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );

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

/** Follows `test.skipIf(x)('title', …)` down to its name: whether it names a test or a step of one, and whether it runs. */
function describeCall(node: Node): { is?: 'test' | 'step'; title?: string; skipped: boolean } {
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
  if (!isTest || title === undefined) return { skipped };
  if (chain.join() === 'step') return { is: 'step', title, skipped };
  return chain.every((one) => TEST_CHAIN.has(one)) ? { is: 'test', title, skipped } : { skipped };
}
