import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Conformance } from '@counterfoil/gateways/cases/conformance.ts';
import { everyGateway, operations } from '@counterfoil/gateways/cases/operations.ts';
import { describe, expect, it } from 'vitest';
import { gatewayFolders } from '../generate/registries.ts';
import { conformanceFaults, conformanceLines, operationFaults } from './conformance.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'packages/gateways/src');
const source = (file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;
const listed = gatewayFolders(folder)
  .map(({ id }) => ({ id, file: join(folder, id, 'conformance.ts') }))
  .filter(({ file }) => existsSync(file));

describe('the conformance cases', () => {
  it.each(listed)('of $id are each shown by a test that runs', async ({ id, file }) => {
    const { conformance } = (await import(pathToFileURL(file).href)) as { conformance: Conformance };
    process.stdout.write(`${conformanceLines(conformance).join('\n')}\n`);
    expect(conformanceFaults(conformance, source)).toEqual([]);
    // The checklist of its documentation; a number that is gone is a case nobody proves.
    if (id === 'stripe') expect(conformance.cases).toHaveLength(43);
  });

  it('are not shown by a test that is gone, is skipped, or is in no test file', () => {
    const shown = (file: string, title: string) =>
      conformanceFaults(
        { judgedBy: '', unproven: [], cases: [{ number: 1, what: 'one', shownBy: [{ file, title }] }] },
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
    const none = { judgedBy: '', unproven: [], cases: [{ number: 2, what: 'none', shownBy: [] }] };
    expect(conformanceFaults(none, source)).toEqual(['2 stands where 1 is expected', '2: nothing shows it']);
  });
});

describe('what people do with each gateway', () => {
  it('is shown by a test of its title, skipped only where the manifest says why', () => {
    expect(operationFaults(operations, everyGateway, source(everyGateway) ?? '')).toEqual([]);
  });

  it('is not shown by a test that is gone, is skipped otherwise, or runs for some gateways', () => {
    const every = `describe.each(testedGateways)('$name', ({ manifest }) => {
      const lacks = (id: OperationId) => whyLacking(id, manifest) !== undefined;`;
    const shown = (text: string) =>
      operationFaults([{ id: 'edit', title: 'is edited (a)' }], 'a.test.ts', text);
    for (const test of [
      "it.skipIf(lacks('edit'))('is edited (a)', run)",
      "it.skipIf(lacks('edit')).each(m)('is edited (a)', run)",
    ])
      expect(shown(`${every} ${test}; });`)).toEqual([]);
    for (const test of [
      "it.skipIf(lacks('edit'))('is changed', run)",
      "it.skipIf(lacks('bulk'))('is edited (a)', run)",
      "it('is edited (a)', run)",
      "it.skip('is edited (a)', run)",
    ])
      expect(shown(`${every} ${test}; });`)).toHaveLength(1);
    expect(shown("it.skipIf(lacks('edit'))('is edited (a)', run);")).toEqual([
      'a.test.ts does not run over every gateway',
    ]);
  });
});
