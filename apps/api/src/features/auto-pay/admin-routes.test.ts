import { describe, expect, it } from 'vitest';
import { fixture, payer, planOf, roundAt, rows } from '../../../test/fixtures/paying/auto-pay-fixture.ts';
import { programKey } from '../../../test/fixtures/program.ts';

/** Reads as a program of the reseller. */
async function reader(resellerId: number) {
  const key = await programKey(fixture, resellerId, 'erp');
  return async (url: string) => {
    const answer = await fixture.app.inject({
      url: `/v1/admin/auto-pay${url}`,
      headers: { authorization: `Bearer ${key}` },
    });
    return { status: answer.statusCode, ...answer.json() };
  };
}

describe('GET /v1/admin/auto-pay/preview', () => {
  it('foresees the next run at 06:00 of the brand and changes nothing; a page has whole customers', async () => {
    const me = await payer();
    const get = await reader(me.resellerId);
    const other = await fixture.make.customer({ resellerId: me.resellerId, brandId: me.resellerId });
    const theirs = await fixture.seedPayable({ id: other.id, resellerId: me.resellerId });
    const mine = [await me.bill(), await me.bill()];
    fixture.clock.set('2026-03-11T09:00:00Z');
    const before = await rows('select count(*)::int as n from audit_event');
    const all = await get('/preview');
    expect(all.at).toBe('2026-03-12T06:00:00.000Z');
    const wanted = [...mine.map(({ id }) => [id, 'announce', null]), [theirs.id, 'nothing', 'noConsent']];
    const told = (data: { invoiceId: string; would: string; reason: string | null }[]) =>
      data.map(({ invoiceId, would, reason }) => [invoiceId, would, reason]);
    expect(new Set(told(all.data))).toEqual(new Set(wanted));
    const pages = [await get('/preview?limit=1')];
    while (pages.at(-1)?.nextCursor)
      pages.push(await get(`/preview?limit=1&cursor=${pages.at(-1)?.nextCursor}`));
    expect(pages.map(({ data }) => data.length).toSorted((a, b) => a - b)).toEqual([1, 2]);
    expect(new Set(pages.flatMap(({ data }) => told(data)))).toEqual(new Set(wanted));
    expect(told((await get(`/preview?customer=${other.id}`)).data)).toEqual([wanted[2]]);
    expect((await get('/preview?customer=unknown')).data).toEqual([]);
    expect(await planOf(me.customerId)).toBeUndefined();
    expect(await rows('select count(*)::int as n from audit_event')).toEqual(before);
  });
});

describe('GET /v1/admin/auto-pay/runs', () => {
  it('adds up each day of the brand, and lists its invoices with what became of them', async () => {
    const me = await payer({ timeZone: 'Pacific/Auckland' });
    const get = await reader(me.resellerId);
    const [paid, late] = [await me.bill(), await me.bill()];
    // 06:00 in Auckland is the evening before in UTC.
    await roundAt('2026-03-11T17:30:00Z', me.resellerId);
    await rows('update invoice set status = 14 where id = $1', [late.id]);
    await roundAt('2026-03-14T17:30:00Z', me.resellerId);
    expect((await get('/runs?from=2026-03-01&to=2026-03-31')).data).toEqual([
      {
        day: '2026-03-15',
        charged: 1,
        declined: 0,
        failed: 0,
        underWay: 0,
        skipped: 1,
        reasons: [{ reason: 'disputed', invoices: 1 }],
        taken: [{ currency: 'USD', amount: '110.00' }],
      },
    ]);
    const [charge] = await rows<{ id: string }>('select id from attempt where customer_id = $1', [
      me.customerId,
    ]);
    const day = '/runs/2026-03-15';
    const first = await get(`${day}?limit=1`);
    const second = await get(`${day}?limit=1&cursor=${first.nextCursor}`);
    expect(second.nextCursor).toBeNull();
    const byOutcome = [...first.data, ...second.data].sort((a, b) => a.outcome.localeCompare(b.outcome));
    expect(byOutcome).toMatchObject([
      { invoiceId: paid.id, outcome: 'charged', reason: null, amount: '110.00', paymentId: charge?.id },
      { invoiceId: late.id, outcome: 'skipped', reason: 'disputed', amount: null, paymentId: null },
    ]);
    expect((await get(`${day}?outcome=skipped`)).data).toHaveLength(1);
    for (const [query, days, invoices] of [
      [`brand=${me.resellerId}`, 1, 2],
      [`brand=${me.resellerId + 1}`, 0, 0],
    ] as const) {
      expect((await get(`/runs?from=2026-03-01&to=2026-03-31&${query}`)).data, query).toHaveLength(days);
      expect((await get(`${day}?${query}`)).data, query).toHaveLength(invoices);
    }
    expect((await get(`/runs/2026-03-14`)).data).toEqual([]);
    expect(await get('/runs?from=2020-01-01&to=2026-03-31')).toMatchObject({
      status: 400,
      code: 'request.invalid',
    });
    const stranger = await reader((await payer()).resellerId);
    expect((await stranger(day)).data).toEqual([]);
    expect((await stranger('/runs?from=2026-03-01&to=2026-03-31')).data).toEqual([]);
  });
});
