import { newId } from '@counterfoil/domain/text/ids.ts';
import { expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

/** A provider with one customer that has everything, and what its program finds. */
async function provider(mark: string) {
  const { reseller } = await fixture.seedPayer();
  const resellerId = reseller.id;
  const make = (label: string) => fixture.make.customer({ resellerId, brandId: reseller.brandId, label });
  const { id } = await make(`${mark} Harbour Office`);
  const query = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);
  await query('update customer set email = $2, external_ref = $3 where customer_id = $1', [
    id,
    `Bills@${mark}.example`,
    'Q_1%',
  ]);
  await query("insert into customer_identity values ($1, 'externalRef', 'Q_1%', $2)", [resellerId, id]);
  await fixture.make.invoice({ customerId: id, resellerId, number: `INV-${mark}-1` });
  const email = `mia@${mark}.example`;
  await fixture.make.user({ resellerId, email, customerIds: [id] });
  const [service, item] = [newId(), newId()];
  await query("insert into service (id, reseller_id, code, name) values ($1, $2, 'V', 'Voice')", [
    service,
    resellerId,
  ]);
  await query('insert into service_item (customer_id, id, service_id, name) values ($1, $2, $3, $4)', [
    id,
    item,
    service,
    'Desk',
  ]);
  await query('insert into service_item_number values ($1, $2, $3, $4)', [
    resellerId,
    `Tel-${mark}`,
    id,
    item,
  ]);
  const key = await programKey(fixture, resellerId, 'crm');
  const get = (q: string, more = '') =>
    fixture.app.inject({
      url: `/v1/admin/search?q=${encodeURIComponent(q)}${more}`,
      headers: { authorization: `Bearer ${key}` },
    });
  const found = async (q: string) => {
    const { customers, users, invoices, serviceItems } = (await get(q)).json().data;
    const of = (rows: Record<string, unknown>[], member: string) => rows.map((row) => row[member]);
    return [
      ...of(customers, 'label'),
      ...of(users, 'email'),
      ...of(invoices, 'number'),
      ...of(serviceItems, 'number'),
    ];
  };
  return { get, found, make, label: `${mark} Harbour Office`, email, customerId: id };
}

it('finds each kind by how it begins, in capitals or not, and customers by any words of their name', async () => {
  const { found, label, email, get, customerId } = await provider('north');
  for (const [q, expected] of [
    ['NORTH', [label]],
    ['north harb', [label]],
    ['off harbour', [label]],
    ['bills@', [label]],
    ['q_1%', [label]],
    ['q_1', [label]],
    ['MIA@', [email]],
    ['inv-north', ['INV-north-1']],
    ['tel-no', ['Tel-north']],
    ['arbour', []],
    ['%%', []],
    ['--', []],
  ] as const)
    expect([q, await found(q)]).toEqual([q, expected]);
  expect((await get('inv-')).json().data.invoices).toMatchObject([
    { status: 'open', customerId, customer: label, payable: '110.00', currency: 'USD' },
  ]);
  expect((await get('mia')).json().data.users).toMatchObject([{ customerIds: [customerId] }]);
});

it('tells nothing of others, no more of each kind than is asked for, and refuses what is too short', async () => {
  const [one] = [await provider('one'), await provider('two')];
  for (const q of ['two', 'bills@two', 'mia@two', 'inv-two', 'tel-two'])
    expect(await one.found(q)).toEqual([]);
  for (const n of [1, 2, 3]) await one.make(`Pier ${n}`);
  expect(await one.found('pier')).toEqual(['Pier 1', 'Pier 2', 'Pier 3']);
  expect((await one.get('pier', '&limit=2')).json().data.customers).toHaveLength(2);
  for (const q of ['', 'a', ' a ', 'a'.repeat(101), 'a\u0000b'])
    expect([q, (await one.get(q)).statusCode]).toEqual([q, 400]);
});

it('finds rare words beside common ones among very many customers', async () => {
  const { found, customerId } = await provider('many');
  // One word in all of them, one in every other, and in the midst one that only one has.
  await fixture.database.pool().query(
    `with made as (
       insert into customer (customer_id, reseller_id, label)
       select overlay(gen_random_uuid()::text placing to_char(n, 'FM00000000') from 1 for 8)::uuid, reseller_id,
              case n when 700 then 'Zebra Limited' when 701 then 'Harbour Zoo'
                     else case when n % 2 = 0 then 'Kauri' else 'Tui' end || ' Limited ' || n end
         from generate_series(1, 1400) n, customer where customer_id = $1
       returning reseller_id, customer_id, label)
     insert into reseller_customer (reseller_id, customer_id, label) select reseller_id, customer_id, label from made`,
    [customerId],
  );
  for (const [q, expected] of [
    ['zebr', ['Zebra Limited']],
    ['limited zeb', ['Zebra Limited']],
    ['zoo harb', ['Harbour Zoo']],
    ['zoo limited', []],
    ['kauri tui', []],
    ['limited 703 tui', ['Tui Limited 703']],
    ['limited zyx', []],
  ] as const)
    expect([q, await found(q)]).toEqual([q, expected]);
  expect(await found('limited tui')).toHaveLength(10);
});
