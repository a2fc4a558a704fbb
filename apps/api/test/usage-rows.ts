import { randomUUID } from 'node:crypto';
import { ensureMonths } from '../src/features/usage/months/months.ts';
import type { TestFixture } from './test-fixture.ts';

interface RecordSeed {
  readonly at: string;
  readonly recordTypeId: string;
  readonly serviceItemId: string;
  readonly destination?: string;
  readonly units?: string;
  /** Null: none was given. */
  readonly price?: string | null;
}

/** Rows of usage by plain SQL. */
export function usageRows(fixture: TestFixture) {
  const query = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);
  return {
    async recordType(
      resellerId: number,
      serviceId: string,
      description: string,
      unit?: string,
    ): Promise<string> {
      const id = randomUUID();
      await query('insert into record_type values ($1, $2, $3, $4, $4, $5)', [
        id,
        resellerId,
        serviceId,
        description,
        unit,
      ]);
      return id;
    },
    async record(customerId: string, seed: RecordSeed): Promise<void> {
      await ensureMonths(fixture.deps.databases.jobs, [`${seed.at.slice(0, 7)}-01`]);
      const { price = '1' } = seed;
      await query(
        `insert into usage_record (customer_id, started_at, id, agreement_id, record_type_id, service_item_id,
           service_item2, units, price, has_price, content_hash)
         values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, 1)`,
        [
          customerId,
          seed.at,
          randomUUID(),
          seed.recordTypeId,
          seed.serviceItemId,
          seed.destination ?? '',
          seed.units ?? '60',
          price ?? '0',
          price !== null,
        ],
      );
    },
  };
}
