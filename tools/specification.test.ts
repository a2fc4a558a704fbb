import { join } from 'node:path';
import { areas } from '@counterfoil/contract/specification/areas.ts';
import { type Proofs, type Row, section, text } from '@counterfoil/contract/specification/row.ts';
import { describe, expect, it } from 'vitest';
import { filesMatching } from './project-files.ts';
import { check, render, textPattern } from './specification.ts';

const rows: readonly Row[] = section({ prefix: 'portal.demo', source: 'portal §2', issue: 'access' }, [
  text('paid', "Says that it is paid | for 'all'.", 'You paid {amount} to {company name}'),
  text('none', 'Says that there are none.', 'There are no invoices yet'),
]);
const [paid, none] = ['portal.demo.text.paid', 'portal.demo.text.none'] as const;

const source = `
  import { expect, it, test } from 'vitest';
  // test('in a comment', () => {});
  it('shows the amount', () => { expect(page).toContain(\`You paid \${amount} to \${company}\`); });
  test.each([1, 2])('counts %s', () => expect('There are no ' + 'invoices yet').toBe(text));
  it.skip('is skipped', () => {});
  describe.skip('all of it', () => { it('runs nowhere', () => {}); });
  const title = 'only a string';
`;
const files: Readonly<Record<string, string>> = {
  'e2e/demo.spec.ts': source,
  'e2e/other.spec.ts': "it('shows the amount', () => { expect('You paid').toBe(page); });",
  'e2e/demo.ts': source,
};

/** Faults of a ledger with the rows above and these proofs. */
const faultsOf = (proofs: Proofs, ledgerRows = rows): Promise<string[]> =>
  check([{ name: 'demo', rows: ledgerRows, proofs }], async (file) => files[file]);

describe('check', () => {
  it('accepts rows that no test proves yet', async () => {
    expect(await faultsOf({})).toEqual([]);
  });

  it('accepts a test that exists and holds the text, whole, in a template or joined', async () => {
    const file = 'e2e/demo.spec.ts';
    const proofs = { [paid]: [{ file, title: 'the amount' }], [none]: [{ file, title: 'counts' }] };
    expect(await faultsOf(proofs)).toEqual([]);
  });

  it('accepts several tests of which one holds the text', async () => {
    const proof = ['e2e/other.spec.ts', 'e2e/demo.spec.ts'].map((file) => ({
      file,
      title: 'shows the amount',
    }));
    expect(await faultsOf({ [paid]: proof })).toEqual([]);
  });

  it.each(['e2e/missing.spec.ts', 'e2e/demo.ts'])('refuses %s, which is no test file', async (file) => {
    const faults = await faultsOf({ [paid]: [{ file, title: 'shows the amount' }] });
    expect(faults).toContain(`${paid}: there is no test file ${file}`);
  });

  it.each(['shows nothing', 'in a comment', 'is skipped', 'runs nowhere', 'all of it', 'only a string', ''])(
    "refuses the title '%s', which no running test has",
    async (title) => {
      const faults = await faultsOf({ [paid]: [{ file: 'e2e/demo.spec.ts', title }] });
      expect(faults).toEqual([`${paid}: e2e/demo.spec.ts has no test '${title}' that runs`]);
    },
  );

  it('refuses a test file without the specified text', async () => {
    const faults = await faultsOf({ [paid]: [{ file: 'e2e/other.spec.ts', title: 'shows the amount' }] });
    expect(faults).toEqual([
      `${paid}: no named test file holds the text 'You paid {amount} to {company name}'`,
    ]);
  });

  it('refuses what is seen on a screen without a proof in a browser', async () => {
    const file = 'web/demo.test.ts';
    const proofs = { [paid]: [{ file, title: 'the amount' }] };
    const seen = await check([{ name: 'demo', rows, proofs }], async () => source);
    expect(seen).toEqual([`${paid}: it is seen on a screen, and no test in a browser proves it`]);
    const [rule] = section({ prefix: 'portal.demo', source: 'portal §2', issue: 'access' }, [
      { kind: 'rule', name: 'sums', what: 'Sums are exact.' },
    ]);
    const ofRule = { 'portal.demo.sums': [{ file, title: 'the amount' }] };
    expect(
      await check([{ name: 'demo', rows: rule ? [rule] : [], proofs: ofRule }], async () => source),
    ).toEqual([]);
  });

  it('refuses a proof of a row that does not exist, and an empty one', async () => {
    expect(await faultsOf({ 'portal.gone': [] })).toEqual([
      'demo: a proof names portal.gone, which is no row of this area',
    ]);
    expect(await faultsOf({ [paid]: [] })).toEqual([`${paid}: its list of proofs is empty`]);
  });

  it('refuses an id that stands twice', async () => {
    expect(await faultsOf({}, [...rows, ...rows.slice(0, 1)])).toEqual([`demo: the id ${paid} stands twice`]);
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

describe('render', () => {
  const page = render([
    { name: 'demo', rows, proofs: { [paid]: [{ file: 'e2e/demo.spec.ts', title: 'a | b' }] } },
  ]);

  it('counts what is proven and what is not', () => {
    expect(page).toContain('| [demo](#demo) | 2 | 1 | 1 |');
    expect(page).toContain('| **All** | 2 | 1 | 1 |');
  });

  it('keeps pipes from ending a cell, and names the work that owes a proof', () => {
    expect(page).toContain("Says that it is paid \\| for 'all'. `You paid {amount} to {company name}`");
    expect(page).toContain('`e2e/demo.spec.ts`: a \\| b |');
    expect(page).toContain('| not yet (access) |');
  });

  it('gives every row of the ledger five cells', () => {
    const lines = render(areas)
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(lines).toHaveLength(areas.flatMap((area) => area.rows).length);
    for (const line of lines) expect(line.split(/(?<!\\)\|/)).toHaveLength(7);
  });
});

describe('the ledger', () => {
  const folder = join(import.meta.dirname, '../packages/contract/src/specification');
  const names = areas.map((area) => `${area.name}.ts`).toSorted();

  it('holds every area and every list of proofs of its folder', () => {
    expect(filesMatching(folder, /^(?!areas|row)[^/]+\.ts$/)).toEqual(names);
    expect(filesMatching(join(folder, 'proofs'), /\.ts$/)).toEqual(names);
  });

  it('says what every row is about in one sentence', () => {
    for (const row of areas.flatMap((area) => area.rows)) expect(row.what, row.id).toMatch(/^\S.*[.…]$/);
  });
});
