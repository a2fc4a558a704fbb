import { expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

/** A provider whose program has made customers, one a minute. */
async function provider(customers: number) {
  const { reseller } = await fixture.seedPayer();
  const name = `crm ${reseller.id}`;
  const key = await programKey(fixture, reseller.id, name);
  const headers = { authorization: `Bearer ${key}` };
  const ids: string[] = [];
  for (let n = 1; n <= customers; n += 1) {
    fixture.clock.advance(60_000);
    const url = `/v1/admin/customers/by-reference/C-${n}`;
    const answer = await fixture.app.inject({
      method: 'PUT',
      url,
      headers,
      payload: { label: `Customer ${n}` },
    });
    ids.push(answer.json().data.id);
  }
  const get = async (query: string) =>
    (await fixture.app.inject({ url: `/v1/admin/audit-events?${query}`, headers })).json();
  const text = (query: string) =>
    fixture.app.inject({ url: `/v1/admin/audit-events/export?${query}`, headers });
  return { get, text, ids, name };
}

it('pages through what was done, the newest first, by each filter, and shows nothing of others', async () => {
  const [one, other] = [await provider(5), await provider(1)];
  const { get, ids, name } = one;
  const seen: { customerId: string }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await get(`limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...page.data);
    cursor = page.nextCursor;
  }
  expect(seen.map(({ customerId }) => customerId)).toEqual(ids.toReversed());
  expect(seen[0]).toMatchObject({
    action: 'customer.added',
    actor: `key:${name}`,
    detail: { label: 'Customer 5' },
  });
  const third = seen[2] as unknown as { at: string };
  for (const [query, n] of [
    ['action=customer.added', 5],
    ['action=customer.changed', 0],
    [`actor=key:${name}`, 5],
    [`actor=key:${other.name}`, 0],
    [`customer=${ids[1]}`, 1],
    ['customer=C-2', 1],
    [`customer=${other.ids[0]}`, 0],
    [`since=${third.at}`, 3],
    [`until=${third.at}`, 2],
    ['user=nobody@test.example', 0],
    ['cursor=00000000000000000000000000000000', 0],
  ] as const)
    expect([query, (await get(query)).data.length]).toEqual([query, n]);
});

it('is exported whole as CSV, page by page of the database, by the same filters', async () => {
  const { get, text, ids, name } = await provider(3);
  // More than a page, and what a spreadsheet would run.
  await fixture.database.pool().query(
    `insert into audit_event (id, at, action, reseller_id, actor, detail)
     select gen_random_uuid(), at + n * interval '1 ms', 'sample', reseller_id, '=cmd|x', '{}'
       from audit_event, generate_series(1, 2000) n where customer_id = $1`,
    [ids[0]],
  );
  const answer = await text('byteOrderMark=true');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  const lines = answer.body.split('\r\n');
  expect(lines[0]).toBe(
    '\ufeff"when (UTC)","what","who","account","customer id","address","request id","detail","id"',
  );
  expect([lines.length, new Set(lines).size]).toEqual([1 + 2_003 + 1, 2_005]);
  expect(lines.filter((line) => line.includes(`"'=cmd|x"`))).toHaveLength(2_000);
  const [last] = (await get('limit=1')).data;
  expect(lines[1]).toContain(`"customer.added","key:${name}",,"${ids[2]}"`);
  expect(lines[1]).toContain(last.id);
  expect((await text('customer=C-2')).body.split('\r\n')).toHaveLength(3);
  expect((await text('customer=somebody')).body.split('\r\n')).toHaveLength(2);
});
