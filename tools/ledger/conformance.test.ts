import { join } from 'node:path';
import { everyGateway, operations } from '@counterfoil/gateways/cases/list/operations.ts';
import { gatewayCases } from '@counterfoil/gateways/cases-registry.ts';
import { describe, expect, it } from 'vitest';
import { conformanceLines, operationFaults, shownCases } from './conformance.ts';
import { testSources } from './test-file.ts';

const root = join(import.meta.dirname, '../..');
const sources = testSources(root);
const listed = await Promise.all(
  Object.entries(gatewayCases).map(async ([id, load]) => ({ id, data: (await load()).casesData })),
);

describe('the conformance cases', () => {
  it.each(listed)('of $id are each shown by a test that runs', ({ id, data: { conformance } }) => {
    if (conformance === undefined) throw new Error('its cases-data.ts lists none');
    const { cases, faults } = shownCases(id, conformance, sources);
    process.stdout.write(`${conformanceLines(cases).join('\n')}\n`);
    expect(faults).toEqual([]);
    // The checklist of its documentation; a number that is gone is a case nobody proves.
    if (id === 'stripe') expect(cases).toHaveLength(43);
  });

  const own = 'packages/gateways/src/acme/wire.test.ts';
  const shown = (source: string, file = own) =>
    shownCases('acme', { cases: ['one', 'two', 'three'] }, new Map([[file, source]]));

  it('are shown by the tests that name their numbers, alone, in a list or as a range', () => {
    const { cases, faults } = shown("it('1, 3: is so'); it.each([4])('2-3: %i is'); it('is not');");
    expect(faults).toEqual([]);
    expect(cases.map(({ shownBy }) => shownBy.map(({ title }) => title))).toEqual([
      ['1, 3: is so'],
      ['2-3: %i is'],
      ['1, 3: is so', '2-3: %i is'],
    ]);
    expect(shown("it('1-3: is so')", 'apps/api/test/paying/gateways/acme-sandbox.test.ts').faults).toEqual(
      [],
    );
  });

  it.each([
    ['is skipped', "it('1, 2: is'); it.skip('3: was so');", own],
    ['is of another gateway', "it('3: is');", 'packages/gateways/src/other/wire.test.ts'],
    ['is in no test file', "it('3: is');", 'packages/gateways/src/acme/wire.ts'],
  ])('are not shown by a test that %s', (_what, source, file) => {
    expect(shown(source, file).faults).toContain('3: nothing shows it');
  });

  it('are not shown by a number that is no case, nor elsewhere by a test that is gone', () => {
    expect(shown("it('1-4: is so')").faults).toEqual([`${own}: '1-4: is so' shows 4, which is no case`]);
    const elsewhere = { 1: { file: 'e2e/a.spec.ts', title: 'is shown' } };
    const asked = (source: string) =>
      shownCases('acme', { cases: ['one'], elsewhere }, new Map([['e2e/a.spec.ts', source]])).faults;
    expect(asked("test('it is shown in a browser', run)")).toEqual([]);
    expect(asked("test.skip('it is shown in a browser', run)")).toContain(
      "1: e2e/a.spec.ts has no test 'is shown' that runs",
    );
  });
});

describe('what people do with each gateway', () => {
  it('is shown by a test of its title, skipped only where the manifest says why', () => {
    expect(operationFaults(operations, everyGateway, sources.get(everyGateway) ?? '')).toEqual([]);
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
