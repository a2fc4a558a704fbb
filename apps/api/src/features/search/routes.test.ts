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
    'C_1%',
  ]);
  await query("insert into customer_identity values ($1, 'externalRef', 'C_1%', $2)", [resellerId, id]);
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
    ['c_1%', [label]],
    ['c_1', [label]],
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
