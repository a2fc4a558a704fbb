import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { billingRows } from '../../../test/fixtures/billing-rows.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const make = billingRows(fixture);
const query = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);

beforeAll(() => fixture.clock.set('2026-05-10T12:00:00Z'));

async function recordType(resellerId: number, serviceId: string, code: string): Promise<string> {
  const id = randomUUID();
  await query(
    'insert into record_type (id, reseller_id, service_id, code, description) values ($1, $2, $3, $4, $4)',
    [id, resellerId, serviceId, code],
  );
  return id;
}

const used = (customerId: string, typeId: string, day: string, units: number, price = 0) =>
  query('insert into usage_type_day values ($1, $2, $3, $4, 1, $5, $6)', [
    customerId,
    typeId,
    randomUUID(),
    day,
    units,
    price,
  ]);

describe('data usage', () => {
  it('answers the last five months in bytes, oldest first, and all of them on request [portal.dashboard.{field.jasper.periodLabel,field.jasper.dataUsage,call.jasper-usage,call.jasper-usage-all}, decisions.3.{jasper-bytes,constant.jasper-last-five}]', async () => {
    const person = await signedIn(fixture);
    const { id } = person.customer;
    await query('update reseller set settings = $2 where id = $1', [
      person.reseller.id,
      JSON.stringify({ dataUsageRecordTypes: ['mobile-data'], dataUsageUnitBytes: 1_048_576 }),
    ]);
    const service = await make.service(person.reseller.id, 'Data');
    const data = await recordType(person.reseller.id, service, 'mobile-data');
    const calls = await recordType(person.reseller.id, service, 'calls');
    for (let month = 1; month <= 7; month += 1) await used(id, data, `2026-0${month}-15`, month);
    await used(id, data, '2026-05-16', 0.5);
    await used(id, calls, '2026-05-15', 1_000);
    const latest = (await person.get('/v1/ec/jasper-usage')).json().data;
    expect(latest.map((one: { periodLabel: string }) => one.periodLabel)).toEqual([
      'March 2026',
      'April 2026',
      'May 2026',
      'June 2026',
      'July 2026',
    ]);
    expect(latest[2]).toEqual({ periodLabel: 'May 2026', dataUsage: 5.5 * 1_048_576 });
    const all = (await person.get('/v1/ec/jasper-usage/all')).json().data;
    expect([all.length, all[0]]).toEqual([7, { periodLabel: 'January 2026', dataUsage: 1_048_576 }]);
  });

  it('is empty where no record type counts as data, and for a customer with nothing', async () => {
    const { get } = await signedIn(fixture);
    for (const path of ['/v1/ec/jasper-usage', '/v1/ec/jasper-usage/all']) {
      expect((await get(path)).json()).toEqual({ data: [] });
    }
  });
});

describe('GET /v1/ec/bundle-widget', () => {
  it('shows each product with quantity, unit and what this month used of it [portal.dashboard.field.bundle.*, portal.dashboard.call.bundle-widget, decisions.3.bundles]', async () => {
    const person = await signedIn(fixture);
    const { id } = person.customer;
    const service = await make.service(person.reseller.id, 'Voice');
    const type = await recordType(person.reseller.id, service, 'national');
    const item = await make.item(id, service, '+44 1');
    const bundle = randomUUID();
    await query("insert into bundle (customer_id, id, name) values ($1, $2, 'Office 500')", [id, bundle]);
    await query(
      `insert into bundle_product (customer_id, bundle_id, line_no, product_name, service_item_id, record_type_ids,
         quantity, unit_label, record_units)
       values ($1, $2, 1, 'Calls', null, $3, 500, 'minutes', 60), ($1, $2, 2, 'Reception', $4, $3, 100, 'seconds', 1)`,
      [id, bundle, [type], item],
    );
    await used(id, type, '2026-04-30', 6_000);
    await used(id, type, '2026-05-01', 90);
    await used(id, type, '2026-05-31', 30);
    await query(
      "create table if not exists usage_record_2026_05 partition of usage_record for values from ('2026-05-01Z') to ('2026-06-01Z')",
      [],
    );
    const record = (at: string, units: number) =>
      query(
        `insert into usage_record (customer_id, started_at, id, agreement_id, record_type_id, service_item_id, units, content_hash)
         values ($1, $2, $3, $3, $4, $5, $6, 1)`,
        [id, at, randomUUID(), type, item, units],
      );
    await record('2026-05-01T00:00:00Z', 40);
    await record('2026-05-31T23:59:59Z', 85);
    expect((await person.get('/v1/ec/bundle-widget')).json().data).toEqual([
      {
        bundleName: 'Office 500',
        bundle_products: [
          { productName: 'Calls', serviceItem: null, quantity: 500, unitLabel: 'minutes', consumption: 2 },
          {
            productName: 'Reception',
            serviceItem: '+44 1',
            quantity: 100,
            unitLabel: 'seconds',
            consumption: 125,
          },
        ],
      },
    ]);
    expect((await (await signedIn(fixture)).get('/v1/ec/bundle-widget')).json()).toEqual({ data: [] });
  });
});

describe('GET /v1/ec/next-bill', () => {
  it('sums the charges no invoice carries yet, by currency and service, and this month’s usage [decisions.5.next-bill]', async () => {
    const person = await signedIn(fixture);
    const { id } = person.customer;
    const voice = await make.service(person.reseller.id, 'Voice');
    const type = await recordType(person.reseller.id, voice, 'national');
    await make.line(id, { serviceId: voice, from: '2026-05-01', amountMinor: 1_000n, taxMinor: 200n });
    await make.line(id, { serviceId: voice, from: '2026-05-02', to: '2026-05-31', amountMinor: 50n });
    await make.line(id, { name: 'Handset', from: null, amountMinor: 9_900n });
    await make.line(id, { name: 'Roaming', amountMinor: 5n, currency: 'EUR' });
    const invoice = await fixture.seedPayable(person.customer);
    await make.line(id, { invoiceId: invoice.id, amountMinor: 777n });
    await used(id, type, '2026-05-01', 60, 0.25);
    await used(id, type, '2026-04-30', 60, 9);
    const { asOf, currencies, usage } = (await person.get('/v1/ec/next-bill')).json().data;
    expect(asOf).toBe('2026-05-10T12:00:00.000Z');
    expect(currencies).toMatchObject([
      { currency: 'EUR', subtotal: 0.05, total: 0.05 },
      {
        currency: 'USD',
        dateFrom: '2026-05-01',
        dateTo: '2026-05-31',
        subtotal: 109.5,
        tax: 2,
        total: 111.5,
        charges: [
          { name: 'Handset', lines: 1, subtotal: 99, tax: 0, total: 99 },
          { name: 'Voice', lines: 2, subtotal: 10.5, tax: 2, total: 12.5 },
        ],
      },
    ]);
    expect(usage).toEqual([{ service: 'Voice', records: 1, price: 0.25 }]);
  });

  it('is empty for a customer with nothing', async () => {
    const { get } = await signedIn(fixture);
    expect((await get('/v1/ec/next-bill')).json().data).toMatchObject({ currencies: [], usage: [] });
  });
});
