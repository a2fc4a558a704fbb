import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesMatching } from '../project-files.ts';
import { areas } from './areas.ts';
import { check, findProofs, readTests, textPattern } from './check.ts';
import { type Row, rule, section, text } from './row.ts';

const rows: readonly Row[] = section({ prefix: 'portal.demo', source: 'portal §2' }, [
  text('paid', "Says that it is paid | for 'all'.", 'You paid {amount} to {company name}'),
  text('none', 'Says that there are none.', 'There are no invoices yet'),
]);
const [paid, none] = ['portal.demo.text.paid', 'portal.demo.text.none'] as const;

const whole = `
  import { expect, it, test } from 'vitest';
  it('shows the amount [${paid}]', () => { expect(page).toContain(\`You paid \${amount} to \${company}\`); });
  test.each([1, 2])('counts %s [${none}]', () => expect('There are no ' + 'invoices yet').toBe(text));
`;

/** Faults of these rows beside one test file. */
const faultsOf = (source: string, file = 'e2e/demo.spec.ts', ledgerRows = rows): string[] =>
  check([{ name: 'demo', rows: ledgerRows }], readTests([[file, source]]));

describe('check', () => {
  it('accepts rows whose tests hold the text, whole, in a template or joined', () => {
    expect(faultsOf(whole)).toEqual([]);
  });

  it('accepts several tests of which one is in a browser and one holds the text', () => {
    const tests = readTests([
      ['e2e/demo.spec.ts', `it('shows the amount [${paid}]', () => { expect('You paid').toBe(page); });`],
      ['web/demo.test.tsx', whole],
      ['e2e/none.spec.ts', `it('shows none [${none}]');`],
    ]);
    expect(check([{ name: 'demo', rows }], tests)).toEqual([]);
  });

  it('refuses a row that no title names', () => {
    expect(faultsOf(whole.replace(` [${paid}]`, ''))).toEqual([`${paid}: no test that runs names it`]);
  });

  it.each([
    ['in a comment', `// test('shows the amount [${paid}]', () => {});`],
    ['in a test that is skipped', `it.skip('shows the amount [${paid}]', () => {});`],
    ['in a suite that is skipped', `describe.skip('all', () => { it('shows it [${paid}]', () => {}); });`],
    ['in the title of a suite', `describe('all [${paid}]', () => { it('shows it', () => {}); });`],
    ['in a string', `const title = 'shows it [${paid}]';`],
    ['before the end of a title', `it('[${paid}] is shown', () => {});`],
  ])('refuses a row that is named only %s', (_, source) => {
    expect(faultsOf(`${source}\n it('none [${none}]', () => 'There are no invoices yet');`)).toEqual([
      `${paid}: no test that runs names it`,
    ]);
  });

  it('refuses a title that names what is no row', () => {
    expect(faultsOf(`${whole} it('is gone [portal.gone]', () => {});`)).toEqual([
      "e2e/demo.spec.ts: 'is gone' names portal.gone, which is no row",
    ]);
  });

  it('refuses test files without the specified text; an id is no text', () => {
    const [row] = section({ prefix: 'portal.demo', source: 'portal §2' }, [text('word', 'A word.', 'word')]);
    expect(
      faultsOf("it('is shown [portal.demo.text.word]', () => {});", 'e2e/a.spec.ts', row && [row]),
    ).toEqual(["portal.demo.text.word: no file that proves it holds the text 'word'"]);
  });

  it('refuses what is seen on a screen without a test in a browser; a rule needs none', () => {
    expect(faultsOf(whole, 'apps/web/demo.test.ts')).toEqual(
      [paid, none].map((id) => `${id}: it is seen on a screen, and no test in a browser proves it`),
    );
    const rules = section({ prefix: 'portal.demo', source: 'portal §2' }, [rule('sums', 'Sums are exact.')]);
    expect(faultsOf("it('adds up [portal.demo.sums]', () => {});", 'apps/web/demo.test.ts', rules)).toEqual(
      [],
    );
  });

  it('refuses an id that stands twice', () => {
    expect(faultsOf(whole, undefined, [...rows, ...rows.slice(0, 1)])).toContain(
      `demo: the id ${paid} stands twice`,
    );
  });
});

describe('findProofs', () => {
  it('counts what the steps of a test name for the test, and no step of a test that is skipped', () => {
    const steps = (call: string) =>
      `${call}('goes on [${paid}]', async () => { await test.step('sees none [${none}]', async () => {}); });`;
    const proofsOf = (call: string) =>
      findProofs([{ name: 'demo', rows }], readTests([['e2e/demo.spec.ts', steps(call)]])).proofs;
    const proof = [{ file: 'e2e/demo.spec.ts', title: 'goes on' }];
    expect(proofsOf('test').get(none)).toEqual(proof);
    expect(proofsOf('test').get(paid)).toEqual(proof);
    expect(proofsOf('test.skip').size).toBe(0);
  });

  it('gives the tests of each row by file and title without the names, once each', () => {
    const twice = `it('shows all [portal.demo.text.*, ${paid}]', () => {});`;
    const { proofs } = findProofs([{ name: 'demo', rows }], readTests([['a.test.ts', twice]]));
    const proof = [{ file: 'a.test.ts', title: 'shows all' }];
    expect(proofs).toEqual(
      new Map([
        [paid, proof],
        [none, proof],
      ]),
    );
  });
});

describe('textPattern', () => {
  it('takes braces without a name as they are', () => {
    expect(textPattern('!@#$%^&*(),.?":{}|<>').test('one of !@#$%^&*(),.?":{}|<>')).toBe(true);
    expect(textPattern('a.b').test('a-b')).toBe(false);
  });

  it('wants a value where a name stands', () => {
    expect(textPattern('{service}_Usage.csv').test('Mobile_Usage.csv')).toBe(true);
    expect(textPattern('{service}_Usage.csv').test('_Usage.csv')).toBe(false);
  });
});

describe('the ledger', () => {
  it('holds every area of its folder', () => {
    const files = filesMatching(join(import.meta.dirname, 'rows'), /\.ts$/);
    const names = files.map((path) => path.replace(/^.*\//, '').replace(/\.ts$/, ''));
    expect(names).toHaveLength(areas.length);
    expect(new Set(names)).toEqual(new Set(areas.map(({ name }) => name)));
  });

  it('says what every row is about in one sentence', () => {
    for (const row of areas.flatMap((area) => area.rows)) expect(row.what, row.id).toMatch(/^\S.*[.…]$/);
  });
});
