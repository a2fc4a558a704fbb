import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

async function provider() {
  const { reseller, customer } = await fixture.seedPayer();
  const key = await programKey(fixture, reseller.id, 'erp');
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
    const answer = await fixture.app.inject({
      method,
      url: `/v1/admin${url}`,
      headers: { authorization: `Bearer ${key}` },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, ...(answer.body === '' ? {} : answer.json()) };
  };
  return {
    customer,
    bill: (over: object = {}) => fixture.seedPayable(customer, over),
    list: (query = '') => call('GET', `/pay-links?${query}`),
    make: (id: string, body: object = {}) => call('POST', `/invoices/${id}/pay-link`, body),
    end: (id: string) => call('DELETE', `/invoices/${id}/pay-link`),
    trail: async () =>
      (
        await fixture.database
          .pool()
          .query<{ action: string; actor: string; detail: object }>(
            "select action, actor, detail from audit_event where customer_id = $1 and action like 'payLink.%' order by id",
            [customer.id],
          )
      ).rows,
  };
}

/** The one of the higher id is the newer one. */
async function twoBills<Bill extends { readonly id: string }>(
  bill: () => Promise<Bill>,
): Promise<[Bill, Bill]> {
  const [one, other] = [await bill(), await bill()];
  return one.id < other.id ? [one, other] : [other, one];
}

const works = async (url: string) =>
  (
    await fixture.app.inject({
      method: 'GET',
      url: `/v1/ec/payment/details/${new URL(url).pathname.split('/').at(-1)}`,
    })
  ).statusCode;

describe('pay links by API', () => {
  it('are listed with an address that works, page by page and by each filter', async () => {
    const { bill, list, customer } = await provider();
    const [old, young] = await twoBills(bill);
    const first = await list('limit=1');
    expect(first.data).toMatchObject([
      {
        invoiceId: young.id,
        customerId: customer.id,
        state: 'active',
        invoiceStatus: 'open',
        due: '110.00',
        currency: 'USD',
        payment: null,
      },
    ]);
    expect(await works(first.data[0].url)).toBe(200);
    const second = await list(`limit=1&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ data: [{ invoiceId: old.id }], nextCursor: null });
    const pool = fixture.database.pool();
    await pool.query('update invoice_pay_link set expires_at = $2 where invoice_id = $1', [
      old.id,
      fixture.clock.now(),
    ]);
    const found = async (query: string) =>
      (await list(query)).data.map(({ invoice }: { invoice: string }) => invoice);
    for (const [query, numbers] of [
      ['state=expired', [old.number]],
      ['state=active', [young.number]],
      [`invoice=${old.number}`, [old.number]],
      [`customer=${customer.id}`, [young.number, old.number]],
      ['customer=unknown', []],
    ] as const)
      expect(await found(query), query).toEqual(numbers);
  });

  it('are made where there is none that works, replaced where that is said, and ended', async () => {
    const { bill, list, make, end, trail } = await provider();
    const { id, number } = await bill();
    const kept = await make(id);
    expect(kept).toMatchObject({ status: 200, data: { invoice: number, state: 'active' } });
    const replaced = await make(id, { replace: true, note: 'sent to the wrong person' });
    expect(replaced.status).toBe(201);
    expect([await works(kept.data.url), await works(replaced.data.url)]).toEqual([410, 200]);
    expect([(await end(id)).status, (await end(id)).status]).toEqual([204, 204]);
    expect(await works(replaced.data.url)).toBe(410);
    expect((await list()).data).toEqual([]);
    expect((await make(id)).status).toBe(201);
    expect((await trail()).map(({ action, actor }) => [action, actor])).toEqual([
      ['payLink.rotated', 'key:erp'],
      ['payLink.ended', 'key:erp'],
      ['payLink.rotated', 'key:erp'],
    ]);
    expect((await trail())[0]?.detail).toMatchObject({ invoice: number, note: 'sent to the wrong person' });
  });

  it('are not made of what nobody can pay, nor of another provider’s invoice', async () => {
    const [one, other] = [await provider(), await provider()];
    const { id } = await one.bill();
    expect(await other.make(id)).toMatchObject({ status: 404, code: 'invoice.notFound' });
    expect(await other.end(id)).toMatchObject({ status: 404, code: 'invoice.notFound' });
    const pool = fixture.database.pool();
    await pool.query('update invoice set status = 13 where id = $1', [id]);
    expect(await one.make(id)).toMatchObject({ status: 409, code: 'invoice.void' });
    await pool.query("update invoice set status = 10, kind = 'creditNote' where id = $1", [id]);
    expect(await one.make(id)).toMatchObject({ status: 409, code: 'invoice.isCredit' });
  });
});
