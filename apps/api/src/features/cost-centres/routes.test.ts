import { describe, expect, it } from 'vitest';
import { billingRows } from '../../../test/fixtures/billing-rows.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const make = billingRows(fixture);
const UNKNOWN = '019364b2-7a00-7000-8000-000000000000';

async function withItems() {
  const person = await signedIn(fixture);
  const { id } = person.customer;
  const voice = await make.service(person.reseller.id, 'Voice');
  const items = [
    await make.item(id, voice, '+44 1', { costCentre: 'A' }),
    await make.item(id, voice, '+44 2', { costCentre: 'B' }),
    await make.item(id, voice, '+44 3'),
  ] as const;
  const centres = async () =>
    (await person.get('/v1/ec/service-items'))
      .json()
      .data.map((item: { costCentre: string }) => item.costCentre);
  return { ...person, id, voice, items, centres };
}

describe('allocating many at once', () => {
  it('sets all of them as one change, and undo gives each what it had [decisions.5.cost-centre-history]', async () => {
    const { items, call, get, centres } = await withItems();
    const body = { serviceItemIds: [...items], costCentre: ' B ' };
    const changed = (await call('PUT', '/v1/ec/cost-centres', body)).json().data;
    // One of them had it already.
    expect(changed).toEqual({ changeId: expect.any(String), changed: 2 });
    expect(await centres()).toEqual(['B', 'B', 'B']);
    const [latest] = (await get('/v1/ec/cost-centres/changes')).json().data;
    expect(latest).toMatchObject({ id: changed.changeId, items: 2, costCentre: 'B', canUndo: true });

    const undo = await call('POST', `/v1/ec/cost-centres/changes/${changed.changeId}/undo`);
    expect(undo.json().data).toMatchObject({ changed: 2, skipped: 0 });
    expect(await centres()).toEqual(['A', 'B', null]);
    const again = await call('POST', `/v1/ec/cost-centres/changes/${changed.changeId}/undo`);
    expect([again.statusCode, again.json().code]).toEqual([409, 'costCentreChange.undone']);
    // An undo is a change like any other.
    const redo = await call('POST', `/v1/ec/cost-centres/changes/${undo.json().data.changeId}/undo`);
    expect(redo.json().data).toMatchObject({ changed: 2, skipped: 0 });
    expect(await centres()).toEqual(['B', 'B', 'B']);
  });

  it('leaves an item alone that was changed again since', async () => {
    const { items, call, centres } = await withItems();
    const body = { serviceItemIds: [items[0], items[2]], costCentre: 'C' };
    const { changeId } = (await call('PUT', '/v1/ec/cost-centres', body)).json().data;
    await call('PUT', `/v1/ec/service-items/${items[0]}`, { costCentre: 'D' });
    const undo = await call('POST', `/v1/ec/cost-centres/changes/${changeId}/undo`);
    expect(undo.json().data).toMatchObject({ changed: 1, skipped: 1 });
    expect(await centres()).toEqual(['D', 'B', null]);
  });

  it('undoes the change of one item by its own page too', async () => {
    const { items, call, get, centres } = await withItems();
    await call('PUT', `/v1/ec/service-items/${items[1]}`, { description: 'Desk', costCentre: null });
    const [{ id }] = (await get('/v1/ec/cost-centres/changes')).json().data;
    await call('POST', `/v1/ec/cost-centres/changes/${id}/undo`);
    expect(await centres()).toEqual(['A', 'B', null]);
  });

  it('changes nothing when one item is not the customer’s', async () => {
    const mine = await withItems();
    const other = await withItems();
    for (const foreign of [other.items[0], UNKNOWN]) {
      const body = { serviceItemIds: [mine.items[0], foreign], costCentre: 'X' };
      const answer = await mine.call('PUT', '/v1/ec/cost-centres', body);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'serviceItem.notFound']);
    }
    expect(await mine.centres()).toEqual(['A', 'B', null]);
    expect(await other.centres()).toEqual(['A', 'B', null]);
    const theirs = { serviceItemIds: [other.items[0]], costCentre: 'X' };
    const { changeId } = (await other.call('PUT', '/v1/ec/cost-centres', theirs)).json().data;
    for (const id of [changeId, UNKNOWN]) {
      const answer = await mine.call('POST', `/v1/ec/cost-centres/changes/${id}/undo`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'costCentreChange.notFound']);
    }
  });

  it('of twenty people allocating the same items at once, each gets a whole answer', async () => {
    const { items, call, centres } = await withItems();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        call('PUT', '/v1/ec/cost-centres', {
          serviceItemIds: n % 2 === 0 ? [...items] : items.toReversed(),
          costCentre: `CC-${n}`,
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
    expect(new Set(await centres()).size).toBe(1);
  });
});

describe('cost by cost centre', () => {
  it('follows the current allocation, keeps currencies apart, and adds up to the invoices to the cent [decisions.5.cost-centre-current, decisions.5.cost-centre-date]', async () => {
    const { id, customer, items, get } = await withItems();
    const money = { subtotalMinor: 10_000n, taxMinor: 2_000n, issuedOn: '2026-03-10' };
    const one = await fixture.seedPayable(customer, money);
    await make.line(id, {
      invoiceId: one.id,
      serviceItemId: items[0],
      amountMinor: 6_000n,
      taxMinor: 1_200n,
    });
    await make.line(id, { invoiceId: one.id, serviceItemId: items[2], amountMinor: 3_000n, taxMinor: 600n });
    // A line without a service item keeps the cost centre of the document; and this invoice lacks 9.99 in its lines.
    await make.line(id, { invoiceId: one.id, costCentre: 'Paper', amountMinor: 1n, taxMinor: 0n });
    const euro = await fixture.seedPayable(customer, { ...money, currency: 'EUR', issuedOn: '2026-03-31' });
    await make.line(id, {
      invoiceId: euro.id,
      serviceItemId: items[0],
      amountMinor: 10_000n,
      currency: 'EUR',
    });
    await fixture.seedPayable(customer, { ...money, issuedOn: '2026-04-01' });
    await fixture.seedPayable(customer, { ...money, status: 13 });

    const path = '/v1/ec/cost-centres/summary?dateFrom=2026-03-01&dateTo=2026-03-31';
    const { allocationOf, currencies } = (await get(path)).json().data;
    expect(allocationOf).toBe(fixture.clock.now().toISOString().slice(0, 10));
    expect(currencies).toEqual([
      {
        currency: 'EUR',
        invoices: 1,
        costCentres: [{ costCentre: 'A', serviceItems: 1, amount: 100, tax: 0, total: 100 }],
        difference: { amount: 0, tax: 20, total: 20 },
        total: { amount: 100, tax: 20, total: 120 },
      },
      {
        currency: 'USD',
        invoices: 1,
        costCentres: [
          { costCentre: 'A', serviceItems: 1, amount: 60, tax: 12, total: 72 },
          { costCentre: 'Paper', serviceItems: 0, amount: 0.01, tax: 0, total: 0.01 },
          { costCentre: null, serviceItems: 1, amount: 30, tax: 6, total: 36 },
        ],
        difference: { amount: 9.99, tax: 2, total: 11.99 },
        total: { amount: 100, tax: 20, total: 120 },
      },
    ]);
  });

  it('refuses a reversed span, and days that do not exist', async () => {
    const { get } = await withItems();
    const at = (from: string, to: string) => get(`/v1/ec/cost-centres/summary?dateFrom=${from}&dateTo=${to}`);
    expect((await at('2026-04-01', '2026-03-01')).json().code).toBe('usage.badRange');
    expect((await at('2026-02-29', '2026-03-01')).statusCode).toBe(400);
    expect((await at('2026-03-01', '2026-03-01')).json().data.currencies).toEqual([]);
  });
});
