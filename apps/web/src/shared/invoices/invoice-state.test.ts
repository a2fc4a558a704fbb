import { describe, expect, it } from 'vitest';
import {
  isOwed,
  isPayable,
  offersPay,
  payAddress,
  pillOf,
  signedAmount,
  stateText,
} from './invoice-state.ts';
import { invoiceOf } from './test-support.ts';

describe('what can be paid', () => {
  it("has a 'Pay' that leads to its pay page [portal.invoices.control.pay, decisions.6.row-pay-link]", () => {
    expect(isPayable(invoiceOf())).toBe(true);
    expect(payAddress({ payToken: 'a/b' })).toBe('/pay/a%2Fb');
  });
  it.each([
    ['canPay is not set', { canPay: false }],
    ['it is paid', { paid: true }],
    ['status 11 means paid', { status: 11 }],
    ['it is a credit note', { kind: 'creditNote' }],
    ['it is negative', { amount: -5 }],
    ['it has no link', { payToken: null }],
  ] as const)(
    'not when %s [portal.invoices.payable, portal.invoices.constant.status-paid, decisions.5.credits-no-pay]',
    (_why, over) => {
      expect(isPayable(invoiceOf(over))).toBe(false);
      expect(offersPay(invoiceOf(over))).toBe(false);
    },
  );
  it('has Pay too while its payment waits for the payer, although canPay is not set', () => {
    const waiting = invoiceOf({ canPay: false, waitsForPayer: true });
    expect([isPayable(waiting), offersPay(waiting)]).toEqual([false, true]);
    expect(pillOf(waiting)).toEqual({ tone: 'info', icon: 'clock', text: 'Waiting for you' });
    expect(stateText(waiting)).toBe('Waiting for you');
    expect(pillOf({ ...waiting, status: 11 })?.text).toBe('Paid');
    expect(offersPay({ ...waiting, status: 11 })).toBe(false);
  });
});

describe('the pill', () => {
  it("says 'Paid' for what is paid [portal.invoices.text.paid]", () => {
    expect(pillOf(invoiceOf({ paid: true, status: 11, state: 'paid' }))?.text).toBe('Paid');
    expect(pillOf(invoiceOf({ status: 11, state: 'beingConfirmed' }))?.text).toBe('Paid');
  });
  it('stands beside Pay only when it says more than Pay does', () => {
    expect(pillOf(invoiceOf())).toBeUndefined();
    expect(pillOf(invoiceOf({ state: 'overdue' }))?.text).toBe('Overdue');
    expect(pillOf(invoiceOf({ state: 'partPaid' }))?.text).toBe('Part-paid');
    expect(pillOf(invoiceOf({ canPay: false }))?.text).toBe('Open');
  });
  it.each([
    ['beingConfirmed', 'Being confirmed'],
    ['credited', 'Credited'],
    ['void', 'Void'],
    ['disputed', 'Disputed'],
  ] as const)('of %s is %s', (state, text) => {
    expect(pillOf(invoiceOf({ state, canPay: false }))?.text).toBe(text);
  });
  it('of a credit note never says that something is open or overdue', () => {
    for (const state of ['open', 'overdue'] as const)
      expect(pillOf(invoiceOf({ kind: 'creditNote', state, canPay: false }))?.text).toBe('Credit');
  });
});

describe('amounts', () => {
  it('of credit notes stand with a minus, however they are stored [decisions.5.credits-minus]', () => {
    expect(signedAmount({ kind: 'creditNote', amount: 89.9 })).toBe(-89.9);
    expect(signedAmount({ kind: 'creditNote', amount: -89.9 })).toBe(-89.9);
    expect(signedAmount({ kind: 'invoice', amount: -5 })).toBe(-5);
    expect(signedAmount({ kind: 'invoice', amount: 5 })).toBe(5);
  });
  it('are owed while something is due', () => {
    expect(isOwed(invoiceOf())).toBe(true);
    expect(isOwed(invoiceOf({ amountDue: 0 }))).toBe(false);
    expect(isOwed(invoiceOf({ kind: 'creditNote' }))).toBe(false);
  });
});
