import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conformanceFaults, conformanceLines } from '../../../../tools/ledger/conformance.ts';
import { conformance } from './conformance.ts';

const root = join(import.meta.dirname, '../../../..');
const source = (file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

describe('the conformance cases of Stripe', () => {
  it('are 43, each shown by a test that runs', () => {
    process.stdout.write(`${conformanceLines(conformance).join('\n')}\n`);
    expect(conformance.cases).toHaveLength(43);
    expect(conformanceFaults(conformance, source)).toEqual([]);
  });

  it('are not shown by a test that is gone, is skipped, or is in no test file', () => {
    const shown = (file: string, title: string) =>
      conformanceFaults(
        { ...conformance, cases: [{ number: 1, what: 'one', shownBy: [{ file, title }] }] },
        (asked) => (asked === 'b.test.ts' ? undefined : "it('1: is so'); it.skip('1: was so');"),
      );
    expect(shown('a.test.ts', '1: is so')).toEqual([]);
    for (const [file, title] of [
      ['a.test.ts', '1: is not so'],
      ['a.test.ts', '1: was so'],
      ['a.test.ts', ' '],
      ['b.test.ts', '1: is so'],
      ['a.ts', '1: is so'],
    ] as const)
      expect(shown(file, title)).toEqual([`1: ${file} has no test '${title}' that runs`]);
    const none = { ...conformance, cases: [{ number: 2, what: 'none', shownBy: [] }] };
    expect(conformanceFaults(none, source)).toEqual(['2 stands where 1 is expected', '2: nothing shows it']);
  });
});
