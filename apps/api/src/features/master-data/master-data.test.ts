import type { BulkResult } from '@counterfoil/contract/operator/parts.ts';
import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

type Headers = Readonly<Record<string, string>>;

/** A provider's program, and a customer `C-1` of the provider's with a user who is signed in. */
async function provider() {
  const person = await signedIn(fixture);
  const { reseller, customer } = person;
  const pool = fixture.database.pool();
  await pool.query("update customer set external_ref = 'C-1' where customer_id = $1", [customer.id]);
  await pool.query("insert into customer_identity values ($1, 'externalRef', 'C-1', $2)", [
    reseller.id,
    customer.id,
  ]);
  const key = await programKey(fixture, reseller.id, 'erp');
  const call = async (
    method: 'GET' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    headers: Headers = {},
  ) => {
    const answer = await fixture.app.inject({
      method,
      url: `/v1/admin/${url}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, etag: answer.headers['etag'], ...answer.json() };
  };
  const at = (kind: string, reference: string) => `${kind}/by-reference/${encodeURIComponent(reference)}`;
  return {
    ...person,
    query: <T extends object>(text: string) => pool.query<T>(text, [customer.id]).then(({ rows }) => rows),
    list: (url: string) => call('GET', url),
    read: (kind: string, reference: string) => call('GET', at(kind, reference)),
    put: (kind: string, reference: string, values: object, headers?: Headers) =>
      call('PUT', at(kind, reference), values, headers),
    remove: (kind: string, reference: string, headers?: Headers) =>
      call('DELETE', at(kind, reference), undefined, headers),
    async bulk(kind: string, lines: readonly object[]): Promise<BulkResult[]> {
      const answer = await fixture.app.inject({
        method: 'POST',
        url: `/v1/admin/${kind}/bulk`,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
        payload: lines.map((line) => JSON.stringify(line)).join('\n'),
      });
      return answer.body
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
  };
}

const anyState = { 'if-match': '*' };
const voice = { name: 'Voice', serviceItemLabel: 'Number' };
const agreement = { customer: 'C-1', name: 'Business voice', startedOn: '2025-01-01' };
const item = { customer: 'C-1', service: 'voice', name: '+64 9 1', agreement: 'A-1' };

/** A provider with a service and an agreement. */
async function withService() {
  const all = await provider();
  await all.put('services', 'voice', voice);
  await all.put('agreements', 'A-1', agreement);
  return all;
}

describe('what the provider’s programs put is what the portal shows', () => {
  it('services, record types, agreements, periods and service items', async () => {
    const { put, get, query, remove } = await withService();
    const month = fixture.clock.now().toISOString().slice(0, 7);
    const type = { description: 'Calls in the country', unit: 'second' };
    expect(await put('services/by-reference/voice/record-types', 'national', type)).toMatchObject({
      status: 201,
      data: { reference: 'national', service: 'voice', ...type },
    });
    const period = { customer: 'C-1', agreement: 'A-1', from: '2026-03-01', to: '2026-03-31' };
    expect(await put('billing-periods', 'P-1', period)).toMatchObject({ status: 201, data: period });
    const values = { ...item, description: 'Reception', site: 'Auckland', numbers: ['6491', '+64 9 1'] };
    expect(await put('service-items', 'L-1', values)).toMatchObject({
      status: 201,
      data: { reference: 'L-1', ...values, costCentre: null, numbers: ['+64 9 1', '6491'] },
    });
    const shown = async (path: string) => (await get(`/v1/ec/${path}`)).json().data;
    expect(await shown('services')).toMatchObject([voice]);
    expect(await shown('service-items')).toMatchObject([
      { serviceItem: '+64 9 1', description: 'Reception', costCentre: null },
    ]);
    const [one] = await shown('agreements');
    expect(one).toMatchObject({ agreementName: 'Business voice' });
    expect(await shown(`billing-periods/${one.id}`)).toMatchObject([
      { periodStart: '2026-03-01', periodEnd: '2026-03-31' },
    ]);
    expect(await shown('record-types')).toMatchObject([type]);
    const data = { name: 'Data', unitLabel: 'GB', quantity: '20', recordUnits: '1024' };
    const bundle = {
      customer: 'C-1',
      name: 'Business Connect',
      usedMonth: month,
      products: [
        { ...data, recordTypes: [{ service: 'voice', recordType: 'national' }] },
        { ...data, serviceItem: '6491', used: '3.50' },
      ],
    };
    expect(await put('bundles', 'B-1', bundle)).toMatchObject({
      status: 201,
      data: { products: [{ used: null }, { serviceItem: 'L-1', recordTypes: [], used: '3.5' }] },
    });
    await query(
      `insert into usage_type_day select $1, id, id, '${month}-01', 1, 512, 0 from record_type order by id desc limit 1`,
    );
    const consumption = async () =>
      (await shown('bundle-widget'))[0].bundle_products.map(
        ({ serviceItem, consumption: used }: { serviceItem: string; consumption: number }) => [
          serviceItem,
          used,
        ],
      );
    expect(await consumption()).toEqual([
      [null, 0.5],
      ['+64 9 1', 3.5],
    ]);
    // What was said of another month says nothing of this one.
    await put('bundles', 'B-1', { ...bundle, usedMonth: '2020-01' }, anyState);
    expect(await consumption()).toEqual([
      [null, 0.5],
      ['+64 9 1', 0],
    ]);
    const charge = { customer: 'C-1', name: 'Reservation', price: '5', currency: 'USD', from: '2026-03-01' };
    const extras = { label: 'One-off', serviceItem: '6491', quantity: '2.000', tax: '1.5', extra: ['PO-7'] };
    expect(await put('charges', 'CH-1', { ...charge, ...extras, amount: '10' })).toMatchObject({
      status: 201,
      data: { service: 'voice', quantity: '2', amount: '10.00', tax: '1.50' },
    });
    expect(await put('charges', 'CH-2', { ...charge, amount: '5.01' })).toMatchObject({
      errors: [{ path: 'amount' }],
    });
    const [{ id: periodId }] = await shown(`billing-periods/${one.id}`);
    expect(await shown(`transactions?period=${periodId}`)).toMatchObject([
      {
        productLabel: 'One-off',
        serviceName: 'Voice',
        invoiceNumber: '',
        price: 10,
        quantity: 2,
        extraField1: 'PO-7',
      },
    ]);
    expect((await shown('next-bill')).currencies).toMatchObject([{ subtotal: 10, tax: 1.5, total: 11.5 }]);
    await remove('charges', 'CH-1');
    expect(await shown(`transactions?period=${periodId}`)).toEqual([]);
    const trail = await query<{ action: string; actor: string }>(
      'select action, actor from audit_event where customer_id = $1 and actor is not null order by id',
    );
    expect(trail).toEqual(
      [
        'agreement.added',
        'billingPeriod.added',
        'serviceItem.added',
        'bundle.added',
        'bundle.changed',
        'charge.added',
        'charge.removed',
      ].map((action) => ({
        action,
        actor: 'key:erp',
      })),
    );
  });
});

describe('PUT …/by-reference/{reference}', () => {
  const bundle = { customer: 'C-1', name: 'All', products: [{ name: 'Data', quantity: '20.50' }] };
  const charge = {
    customer: 'C-1',
    name: 'x',
    price: '1.10',
    amount: '1.1',
    currency: 'NZD',
    from: '2026-03-01',
  };
  const firsts = {
    services: voice,
    agreements: agreement,
    'service-items': item,
    bundles: bundle,
    charges: charge,
  };
  const changed = {
    services: { ...voice, name: 'Calls' },
    agreements: { ...agreement, startedOn: '2025-02-01' },
    'service-items': { ...item, site: 'Wellington' },
    bundles: { ...bundle, position: 1 },
    charges: { ...charge, site: 'Wellington' },
  };
  it.each(Object.entries(changed))('of %s makes, keeps and changes by state', async (kind, values) => {
    const { put, read } = await withService();
    const first = firsts[kind as keyof typeof firsts];
    const made = await put(kind, 'X', first);
    expect(made.status).toBe(201);
    expect(await put(kind, 'X', first)).toMatchObject({ status: 200, etag: made.etag, data: made.data });
    expect(await put(kind, 'X', values)).toMatchObject({ status: 428 });
    expect(await put(kind, 'X', values, { 'if-match': '"0"' })).toMatchObject({ status: 412 });
    const after = await put(kind, 'X', values, { 'if-match': made.etag ?? '' });
    expect([after.status, after.data.id]).toEqual([200, made.data.id]);
    expect(await read(kind, 'X')).toMatchObject({ etag: after.etag, data: after.data });
    expect(await read(kind, 'none')).toMatchObject({ status: 404, code: 'reference.notFound' });
    expect(await put(kind, 'none', values, anyState)).toMatchObject({ status: 412 });
  });

  it.each([
    ['customer', { ...item, customer: 'C-9' }],
    ['service', { ...item, service: 'video' }],
    ['agreement', { ...item, agreement: 'A-9' }],
  ])('refuses a %s that is not known', async (path, values) => {
    const { put } = await withService();
    expect(await put('service-items', 'L-1', values)).toMatchObject({
      status: 400,
      code: 'reference.unknown',
      errors: [{ path, message: 'is not known' }],
    });
  });

  it('keeps what the customer said of an item, until the provider says it', async () => {
    const { put, get, call } = await withService();
    const made = await put('service-items', 'L-1', item);
    const shown = async () => (await get('/v1/ec/service-items')).json().data[0];
    await call('PUT', `/v1/ec/service-items/${made.data.id}`, { costCentre: 'CC-7', description: 'Desk' });
    await put('service-items', 'L-1', { ...item, site: 'Auckland' }, anyState);
    expect(await shown()).toMatchObject({ costCentre: 'CC-7', description: 'Desk' });
    await put('service-items', 'L-1', { ...item, costCentre: null }, anyState);
    expect(await shown()).toMatchObject({ costCentre: null, description: 'Desk' });
  });

  it('takes over what an import has made, and never what another reference names', async () => {
    const { put, query, customer } = await withService();
    await query(
      `insert into service_item (customer_id, id, service_id, name)
       select $1, gen_random_uuid(), id, '+64 9 1' from service where code = 'voice' order by id desc limit 1`,
    );
    const [before] = await query<{ id: string }>('select id from service_item where customer_id = $1');
    expect(await put('service-items', 'L-1', item)).toMatchObject({
      status: 201,
      data: { id: before?.id, customerId: customer.id, agreement: 'A-1' },
    });
    expect(await put('service-items', 'L-2', { ...item, numbers: [] })).toMatchObject({
      status: 409,
      code: 'reference.duplicate',
    });
    expect(
      await put('service-items', 'L-2', { ...item, name: '+64 9 2', numbers: ['+64 9 1'] }),
    ).toMatchObject({ status: 409, code: 'serviceItem.numberTaken' });
  });

  it('is about the key’s own customers, and nothing moves from one customer to another', async () => {
    const [one, other] = [await withService(), await withService()];
    await one.put('service-items', 'L-1', item);
    expect(await other.read('service-items', 'L-1')).toMatchObject({ status: 404 });
    expect((await other.list('service-items')).data).toEqual([]);
    expect(await one.put('service-items', 'L-2', { ...item, customer: other.customer.id })).toMatchObject({
      status: 400,
      errors: [{ path: 'customer' }],
    });
    const second = await fixture.make.customer({
      resellerId: one.reseller.id,
      brandId: one.reseller.brandId,
    });
    const moved = { ...item, customer: second.id, agreement: null };
    expect(await one.put('service-items', 'L-1', moved, anyState)).toMatchObject({
      status: 409,
      code: 'reference.otherCustomer',
    });
  });
});

describe('DELETE …/by-reference/{reference}', () => {
  it('deletes what nothing is about, and the name is free again', async () => {
    const { put, remove, read, query } = await withService();
    await put('service-items', 'L-1', item);
    expect(await remove('agreements', 'A-1')).toMatchObject({ status: 409, code: 'reference.inUse' });
    expect(await remove('service-items', 'L-1', { 'if-match': '"0"' })).toMatchObject({ status: 412 });
    expect(await remove('service-items', 'L-1')).toMatchObject({ status: 200, data: { name: '+64 9 1' } });
    expect(await read('service-items', 'L-1')).toMatchObject({ status: 404 });
    expect(await remove('service-items', 'L-1')).toMatchObject({ status: 404 });
    expect(await query('select from service_item_number where customer_id = $1')).toEqual([]);
    expect(await put('service-items', 'L-1', item)).toMatchObject({ status: 201 });
  });
});

describe('POST …/bulk', () => {
  const line = (n: number, over: object = {}) => ({
    ...item,
    reference: `L-${n}`,
    name: `+64 9 ${n}`,
    ...over,
  });

  it('writes and deletes by lines; the same file again changes nothing, and a bad line harms no other', async () => {
    const { bulk, list, query } = await withService();
    await bulk('service-items', [line(1), line(2), line(3)]);
    const file = [
      line(1),
      line(2, { site: 'Auckland' }),
      { reference: 'L-3', remove: true },
      line(4, { numbers: ['+64 9 1'] }),
      line(5, { service: 'video' }),
      line(6, { strange: 1 }),
      line(7, { name: '+64 9 1', numbers: [] }),
      line(8),
    ];
    const results = await bulk('service-items', file);
    expect(results.map(({ reference, status, code }) => [reference, status, code])).toEqual([
      ['L-1', 'unchanged', undefined],
      ['L-2', 'changed', undefined],
      ['L-3', 'removed', undefined],
      ['L-4', 'refused', 'serviceItem.numberTaken'],
      ['L-5', 'refused', 'reference.unknown'],
      [null, 'refused', 'request.invalid'],
      ['L-7', 'refused', 'reference.duplicate'],
      ['L-8', 'created', undefined],
    ]);
    expect(results[4]?.errors).toEqual([{ path: 'service', message: 'is not known' }]);
    const trail = () => query('select id from audit_event where customer_id = $1 order by id');
    const before = await trail();
    const again = await bulk('service-items', file);
    expect(again.map(({ status }) => status)).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
      'refused',
      'refused',
      'refused',
      'refused',
      'unchanged',
    ]);
    expect(await trail()).toEqual(before);
    expect(
      (await list('service-items')).data.map(({ reference }: { reference: string }) => reference),
    ).toEqual(['L-1', 'L-2', 'L-8']);
  });

  it('lists page by page, and by what is asked for', async () => {
    const { bulk, list } = await withService();
    await bulk(
      'service-items',
      Array.from({ length: 5 }, (_, n) => line(n)),
    );
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`service-items?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      names.push(...page.data.map(({ reference }: { reference: string }) => reference));
      cursor = page.nextCursor;
    }
    expect(names).toEqual(['L-0', 'L-1', 'L-2', 'L-3', 'L-4']);
    const found = async (query: string) => (await list(`service-items?${query}`)).data.length;
    expect(await found('customer=C-1')).toBe(5);
    expect(await found('customer=C-9')).toBe(0);
    expect(await found(`name=${encodeURIComponent('+64 9 3')}&service=voice`)).toBe(1);
  });
});
