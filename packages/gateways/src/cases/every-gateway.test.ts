/**
 * The list of cases through every gateway of the registry, each in a sandbox of its own. Gateways run side by side, for most of
 * a case is waiting; the cases of one do not, for they share its faults and its clock.
 */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { gatewayCases } from '../cases-registry.ts';
import { gatewayModules } from '../registry.ts';
import { casesOf } from './list.ts';
import { type CasesFixture, openCases } from './test-support.ts';

const gateways = await Promise.all(
  gatewayModules.map(async (module) => {
    const { id, displayName: name } = module.manifest;
    const load = gatewayCases[id];
    if (load === undefined) throw new Error(`${id} has no cases-data.ts`);
    return { name, module, data: (await load()).casesData };
  }),
);

describe.concurrent.each(gateways)('the cases of $name in its sandbox', ({ module, data }) => {
  let fixture: CasesFixture;
  beforeAll(async () => {
    fixture = await openCases(module, data);
  });
  afterAll(() => fixture.control.close());

  describe('one after the other', { concurrent: false }, () => {
    it.each(casesOf(module.manifest, data))('$id: $title', async ({ id }) => {
      const { results } = await fixture.run('sandbox', { only: [id] });
      const [result] = results;
      if (result?.is !== 'passed') throw new Error(`${result?.is}: ${result?.detail}`);
    });
  });
});
