import type { BulkResult } from '@counterfoil/contract/operator/parts.ts';
import { expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

/** A provider's program with a service, and some customers. */
async function provider(count: number) {
  const reseller = await fixture.make.reseller();
  const customers = [];
  for (let n = 0; n < count; n++)
    customers.push(await fixture.make.customer({ resellerId: reseller.id, brandId: reseller.brandId }));
  const headers = { authorization: `Bearer ${await programKey(fixture, reseller.id, 'erp')}` };
  const put = async (path: string, payload: object) => {
    const answer = await fixture.app.inject({ method: 'PUT', url: `/v1/admin/${path}`, headers, payload });
    return { status: answer.statusCode, ...answer.json() };
  };
  await put('services/by-reference/voice', { name: 'Voice', serviceItemLabel: 'Number' });
  return {
    put,
    ids: customers.map(({ id }) => id),
    async read(reference: string) {
      const url = `/v1/admin/service-items/by-reference/${reference}`;
      return (await fixture.app.inject({ url, headers })).json().data;
    },
    async bulk(lines: readonly object[]): Promise<readonly BulkResult[]> {
      const answer = await fixture.app.inject({
        method: 'POST',
        url: '/v1/admin/service-items/bulk',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        payload: lines.map((line) => JSON.stringify(line)).join('\n'),
      });
      return answer.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
  };
}

const item = (customer: string | undefined, n: number) => ({
  customer,
  service: 'voice',
  name: `+64 9 ${n}`,
});

it('twice at once makes one thing', async () => {
  const { put, ids } = await provider(1);
  const both = await Promise.all([1, 2].map(() => put('service-items/by-reference/X', item(ids[0], 1))));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
  expect(both[0].data).toEqual(both[1].data);
  const { rows } = await fixture.database
    .pool()
    .query('select id from service_item where customer_id = $1', [ids[0]]);
  expect(rows).toHaveLength(1);
});

it('changes and deletes things of several customers together', async () => {
  const { bulk, read, ids } = await provider(4);
  const lines = ids.map((id, n) => ({ reference: `L-${n}`, ...item(id, n) }));
  await bulk(lines);
  const changed = await bulk([
    ...lines.slice(1).map((one) => ({ ...one, site: 'Wellington' })),
    { reference: 'L-0', remove: true },
  ]);
  expect(changed.map(({ status }) => status)).toEqual(['changed', 'changed', 'changed', 'removed']);
  expect(await read('L-2')).toMatchObject({ customerId: ids[2], site: 'Wellington', numbers: ['+64 9 2'] });
  expect(await read('L-0')).toBeUndefined();
});
