import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

/** A customer with a user who is signed in, and the provider's program. */
async function provider() {
  const person = await signedIn(fixture);
  const key = await programKey(fixture, person.reseller.id, 'erp');
  const call = async (
    method: 'PUT' | 'DELETE',
    reference: string,
    payload?: object,
    headers: object = {},
  ) => {
    const answer = await fixture.app.inject({
      method,
      url: `/v1/admin/adjustments/by-reference/${reference}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, ...answer.json() };
  };
  return {
    ...person,
    put: (reference: string, values: object, headers?: object) =>
      call('PUT', reference, { customer: person.customer.id, ...values }, headers),
    remove: (reference: string) => call('DELETE', reference),
  };
}

describe('opening balances and adjustments', () => {
  const month = '2026-03-01';
  const owed = {
    kind: 'openingBalance',
    amount: '125.5',
    currency: 'USD',
    bookedOn: '2026-02-10',
  };

  it('move the statement, and credit pays; a change takes back what was booked, on its day', async () => {
    const { put, remove, get, customer } = await provider();
    const statement = async () => {
      const { opening, entries, closing } = (
        await get('/v1/ec/statement?dateFrom=2026-02-01&dateTo=2026-03-31&currency=USD')
      ).json().data;
      return {
        opening,
        closing,
        entries: entries.map((one: { amount: number; date: string }) => [one.date, one.amount]),
      };
    };
    const credit = async () => (await get('/v1/ec/credit')).json().data;
    expect(await put('OB-1', owed)).toMatchObject({ status: 201, data: { amount: '125.50' } });
    expect(await put('OB-1', owed)).toMatchObject({ status: 200 });
    expect(await statement()).toEqual({ opening: 0, closing: 125.5, entries: [['2026-02-10', 125.5]] });
    await put('OB-1', { ...owed, amount: '100', note: 'recounted' }, { 'if-match': '*' });
    expect(await statement()).toEqual({ opening: 0, closing: 100, entries: [['2026-02-10', 100]] });
    const given = { amount: '-30', currency: 'USD', bookedOn: month };
    await put('CR-1', given);
    expect(await credit()).toEqual([{ currency: 'USD', amount: 30 }]);
    expect((await statement()).closing).toBe(70);
    await put('CR-1', { ...given, amount: '-20' }, { 'if-match': '*' });
    expect(await credit()).toEqual([{ currency: 'USD', amount: 20 }]);
    await remove('CR-1');
    await remove('OB-1');
    expect(await credit()).toEqual([]);
    expect(await statement()).toEqual({ opening: 0, closing: 0, entries: [] });
    const { rows } = await fixture.database.pool().query<{ off: string }>(
      `select sum(case when 'adjustment' = debit then amount_minor else -amount_minor end)::text as off
         from ledger where customer_id = $1`,
      [customer.id],
    );
    expect(rows).toEqual([{ off: '0' }]);
  });

  it('refuses a day to come, nothing, and parts of a cent', async () => {
    const { put } = await provider();
    for (const [values, path] of [
      [{ bookedOn: '2199-01-01' }, 'bookedOn'] as const,
      [{ amount: '0.00' }, 'amount'] as const,
      [{ amount: '1.001' }, 'amount'] as const,
      [{ currency: 'XYZ' }, 'currency'] as const,
    ])
      expect(await put('OB-1', { ...owed, ...values })).toMatchObject({
        status: 400,
        errors: [{ path }],
      });
  });
});
