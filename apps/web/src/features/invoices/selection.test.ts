import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../lib/session/session-store.ts';
import { createSelectionStore } from '../../shared/invoices/selection-store.ts';
import { invoiceOf } from '../../shared/invoices/test-support.ts';
import { changed, isForeign, selectionOf } from './selection.ts';

const bill = (id: string, amountDue: number, over: Parameters<typeof invoiceOf>[0] = {}) =>
  invoiceOf({ id, number: id, amountDue, ...over });
const all = [
  bill('a', 0.1),
  bill('b', 0.2),
  bill('c', 1284.16, { state: 'overdue' }),
  bill('paid', 0, { paid: true, status: 11, state: 'paid', canPay: false }),
  bill('held', 5, { state: 'beingConfirmed', canPay: false }),
  bill('eur', 7, { currency: 'EUR', state: 'overdue' }),
];
const of = (...ids: string[]) => selectionOf(all, new Set(ids), 'USD');
const ids = (set: ReadonlySet<string>) => [...set];

describe('selecting invoices', () => {
  it('toggles selected on each one [portal.invoices.field.invoice.selected, portal.invoices.selecting]', () => {
    const none = of();
    const one = changed(none, new Set(['a']), all, 'USD');
    expect(ids(one)).toEqual(['a']);
    const two = changed(selectionOf(all, one, 'USD'), new Set(['a', 'b']), all, 'USD');
    expect(ids(two)).toEqual(['a', 'b']);
    expect(ids(changed(selectionOf(all, two, 'USD'), new Set(['b']), all, 'USD'))).toEqual(['b']);
  });
  it('sums what is due exactly', () => {
    expect(of('a', 'b')).toMatchObject({ total: '0.30', currency: 'USD' });
    expect(of('a', 'b', 'c').total).toBe('1284.46');
    expect(of()).toMatchObject({ total: '0', currency: undefined });
  });
  it('never holds what cannot be paid, even if it was chosen before', () => {
    expect(ids(of('a', 'paid', 'held', 'gone').ids)).toEqual(['a']);
  });
  it('is of one currency at a time: what is chosen keeps it', () => {
    const usd = of('a');
    expect(isForeign(all[5] ?? invoiceOf(), usd)).toBe(true);
    expect(ids(changed(usd, new Set(['a', 'eur']), all, 'USD'))).toEqual(['a']);
    const eur = of('eur');
    expect(eur.currency).toBe('EUR');
    expect(ids(changed(eur, new Set(['a', 'b', 'eur']), all, 'USD'))).toEqual(['eur']);
    expect(isForeign(all[0] ?? invoiceOf(), eur)).toBe(true);
    expect(isForeign(all[0] ?? invoiceOf(), of())).toBe(false);
  });
  it('all of a page begins with the brand’s currency', () => {
    expect(ids(changed(of(), new Set(['eur', 'a', 'b']), all, 'USD'))).toEqual(['a', 'b']);
    expect(ids(changed(of(), new Set(['eur', 'a', 'b']), all, 'GBP'))).toEqual(['a', 'b']);
  });
});

describe('the selection of a tab', () => {
  it('is there again after coming back, for the same customer only', () => {
    const storage = memoryStorage();
    createSelectionStore(storage, 'c-1').save(new Set(['a', 'b']));
    expect(ids(createSelectionStore(storage, 'c-1').load())).toEqual(['a', 'b']);
    expect(ids(createSelectionStore(storage, 'c-2').load())).toEqual([]);
    createSelectionStore(storage, 'c-1').save(new Set());
    expect(ids(createSelectionStore(storage, 'c-1').load())).toEqual([]);
  });
  it.each(['{', '7', 'null', '{"customerId":"c-1"}'])('what somebody else left there is none: %s', (text) => {
    const storage = memoryStorage();
    storage.setItem('counterfoil.selectedInvoices', text);
    expect(ids(createSelectionStore(storage, 'c-1').load())).toEqual([]);
  });
});
