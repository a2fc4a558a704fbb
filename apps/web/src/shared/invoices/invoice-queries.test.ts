import type { InvoiceDetail } from '@counterfoil/contract/invoices.ts';
import { describe, expect, it } from 'vitest';
import { firstPage, invoiceQueries } from './invoice-queries.ts';
import { invoiceOf } from './test-support.ts';

/** When a query looks again, with this data. @returns milliseconds, or false: not by itself */
function nextLook<T>(
  { refetchInterval }: { refetchInterval?: unknown },
  data: T | undefined,
): number | false | undefined {
  if (typeof refetchInterval !== 'function') throw new Error('it depends on the data');
  return refetchInterval({ state: { data } });
}
const open = invoiceOf();
const waiting = invoiceOf({ id: 'i-3', canPay: false, waitsForPayer: true });
const confirming = invoiceOf({ id: 'i-2', state: 'beingConfirmed', canPay: false });

describe('a payment being confirmed refreshes itself', () => {
  it('in the list: every five seconds while any is, and not after [decisions.1.confirming-refreshes]', () => {
    const list = invoiceQueries.page(firstPage);
    const pageOf = (...data: (typeof open)[]) => ({ data, totalCount: data.length });
    expect(nextLook(list, pageOf(open, confirming))).toBe(5_000);
    expect(nextLook(list, pageOf(open, waiting))).toBe(5_000);
    expect(nextLook(list, pageOf(open))).toBe(false);
    expect(nextLook(list, undefined)).toBe(false);
  });
  it.each<[string, InvoiceDetail | null | undefined, number | false]>([
    ['while it is', confirming, 5_000],
    ['while its payer is waited for', waiting, 5_000],
    ['not after', open, false],
    ['not where there is none', null, false],
    ['not before it has come', undefined, false],
  ])('on its page: %s', (_when, invoice, expected) => {
    expect(nextLook(invoiceQueries.detail('i-2'), invoice)).toBe(expected);
  });
});
