import { expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { Database } from '../../db/database.ts';
import { authorisedCustomer } from '../../http/requests/scope.ts';
import { UsagePages } from './pages/read-page.ts';
import { usagePageOf, usageSummaryOf } from './service.ts';

const fixture = useFixture();

it('what takes the database too long is refused as too much, and asked again afterwards it is answered', async () => {
  const { reseller, customer } = await fixture.seedPayer();
  const scope = authorisedCustomer(customer.id, reseller.id, 'session');
  const query = { dateFrom: '2026-01-01', dateTo: '2026-01-31', pageSize: 100 as const };
  const db = new Database({ url: fixture.database.url, name: 'hurried', max: 1, statementTimeoutMs: 200 });
  const deps = { db, pages: new UsagePages() };
  const holder = await fixture.database.pool().connect();
  try {
    await holder.query('begin; lock table usage_version in access exclusive mode');
    await expect(usagePageOf(deps, scope, query)).rejects.toMatchObject({ code: 'usage.tooMuch' });
    await expect(usageSummaryOf(deps, scope, query)).rejects.toMatchObject({ code: 'usage.tooMuch' });
    await holder.query('rollback');
    await expect(usagePageOf(deps, scope, query)).resolves.toEqual({ endUsageDetails: [], totalCount: 0 });
  } finally {
    holder.release(true);
    await db.end();
  }
});
