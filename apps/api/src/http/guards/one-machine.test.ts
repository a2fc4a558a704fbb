import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { expect, it } from 'vitest';
import { nameOf } from '../../../test/access-matrix/ids.ts';
import { watchStatements } from '../../../test/access-matrix/mutants.ts';
import { inBothHalves, partTables } from '../../../test/access-matrix/parted-tables.ts';
import { requestOf, setMatrixStage } from '../../../test/access-matrix/stage.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { currentCustomer } from '../../db/row-security/for-customer.ts';

/** Tables are made anew, without the policies that would name the customer once more. */
const fixture = useFixture({ env: () => ({ DATABASE_ROW_SECURITY: 'off' }) });

it.skipIf(clusterUrl() !== undefined)(
  'what is done for one customer asks for rows of one machine alone',
  async () => {
    const pool = fixture.database.pool();
    const tables = await partTables(pool);
    const stage = await setMatrixStage(fixture);
    const statements = new Map<string, { readonly call: string; readonly values: unknown[] }>();
    const failed: string[] = [];
    const operations = stage.operations.filter(({ access }) => access === 'customer' || access === 'public');
    for (const operation of operations) {
      const call = nameOf(operation);
      const see = (text: string, values: unknown[]) => {
        const plain = text.replace(/^\s*(declare \w+ no scroll cursor for|copy \(?)/, '').trim();
        if (currentCustomer() !== undefined && /^(select|with|insert|update|delete)\b[^;]*$/.test(plain))
          statements.set(plain, { call, values });
      };
      const { statusCode } = await watchStatements(see, () =>
        fixture.app.inject(requestOf(operation, stage.good.get(operation), stage.caller(operation))),
      );
      if (statusCode >= 500) failed.push(call);
      if (operation.method !== 'GET') await stage.again();
    }
    expect(failed).toEqual([]);
    const faults: string[] = [];
    for (const [text, { call, values }] of statements) {
      const found = await inBothHalves(pool, text, values);
      if (found.length > 0) faults.push(`${call}: ${found.join(', ')} in: ${text.replaceAll(/\s+/g, ' ')}`);
    }
    expect(tables.length).toBeGreaterThan(40);
    expect(statements.size).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  },
  300_000,
);
