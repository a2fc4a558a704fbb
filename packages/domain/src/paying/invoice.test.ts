import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { money } from '../money/money.ts';
import { parseDay } from '../time/day.ts';
import type { InvoiceEvent, InvoiceMoney } from './invoice.ts';
import * as inv from './invoice.ts';

const { OPEN, PAID, CREDITED, VOID, DISPUTED } = inv.InvoiceStatus;
const euro = (minor: bigint) => money(minor, 'EUR');
const amounts = (payable: bigint, paid = 0n, credited = 0n, reversed = 0n): InvoiceMoney => ({
  payable: euro(payable),
  paid: euro(paid),
  credited: euro(credited),
  reversed: euro(reversed),
});
const [yesterday, today] = [parseDay('2026-03-03'), parseDay('2026-03-04')];

it('keeps the numbers of the contract [decisions.5.constant.{status-open,status-credited,status-void,status-disputed}]', () => {
  expect(inv.InvoiceStatus).toEqual({ OPEN: 10, PAID: 11, CREDITED: 12, VOID: 13, DISPUTED: 14 });
  expect([9, 10, 14, 15, 10.5].map(inv.isInvoiceStatus)).toEqual([false, true, true, false, false]);
});

it('due is payable − payments − credits + reversals [decisions.5.amount-due]', () => {
  expect(inv.amountDue(amounts(1000n, 300n, 200n, 100n))).toEqual(euro(600n));
  expect(inv.amountDue(inv.newInvoiceMoney(euro(-500n)))).toEqual(euro(-500n));
});

describe('statusAfter', () => {
  it.each<[string, inv.InvoiceStatus, InvoiceMoney, InvoiceEvent, inv.InvoiceStatus]>([
    ['arrives', OPEN, amounts(100n), 'import', OPEN],
    ['arrives with nothing to pay', OPEN, amounts(0n), 'import', PAID],
    ['arrives as a credit note', OPEN, amounts(-100n), 'import', PAID],
    ['arrives credited in full', OPEN, amounts(100n, 0n, 100n), 'import', CREDITED],
    ['arrives paid', OPEN, amounts(100n, 100n), 'import', PAID],
    ['part paid', OPEN, amounts(100n, 40n), 'payment', OPEN],
    ['paid in full', OPEN, amounts(100n, 100n), 'payment', PAID],
    ['one unit short', OPEN, amounts(100n, 99n), 'payment', OPEN],
    ['paid too much', OPEN, amounts(100n, 120n), 'payment', PAID],
    ['credited in full', OPEN, amounts(100n, 0n, 100n), 'credit', CREDITED],
    ['part paid, the rest credited', OPEN, amounts(100n, 40n, 60n), 'credit', CREDITED],
    ['part credited, the rest paid', OPEN, amounts(100n, 60n, 40n), 'payment', PAID],
    ['part credited', OPEN, amounts(100n, 0n, 40n), 'credit', OPEN],
    ['paid, then credited: the credit is the customer’s', PAID, amounts(100n, 100n, 100n), 'credit', PAID],
    ['credited, then paid by a late payment', CREDITED, amounts(100n, 100n, 100n), 'payment', CREDITED],
    ['a payment comes back', PAID, amounts(100n, 100n, 0n, 100n), 'reversal', OPEN],
    ['a surplus comes back', PAID, amounts(100n, 120n, 0n, 20n), 'reversal', PAID],
    ['comes back and is paid again', OPEN, amounts(100n, 200n, 0n, 100n), 'payment', PAID],
    ['void stays void', VOID, amounts(100n, 100n), 'payment', VOID],
    ['void stays void', VOID, amounts(100n), 'reversal', VOID],
    ['disputed and still due', DISPUTED, amounts(100n, 40n), 'payment', DISPUTED],
    ['disputed, then credited', DISPUTED, amounts(100n, 0n, 100n), 'credit', CREDITED],
    ['disputed, then paid', DISPUTED, amounts(100n, 100n), 'payment', PAID],
  ])('%s', (_name, before, after, event, expected) => {
    expect(inv.statusAfter(before, after, event)).toBe(expected);
  });

  it('is paid or credited exactly when payments + credits − reversals reach what is payable [decisions.6.paid]', async () => {
    const amount = fc.bigInt({ min: 0n, max: 300n });
    await fc.assert(
      fc.property(
        fc.constantFrom(OPEN, PAID, CREDITED),
        fc.constantFrom<InvoiceEvent>('payment', 'credit', 'reversal', 'import'),
        fc.tuple(amount, amount, amount, amount),
        (before, event, [payable, paid, credited, reversed]) => {
          const settled = paid + credited - reversed >= payable;
          const after = inv.statusAfter(before, amounts(payable, paid, credited, reversed), event);
          expect(after === PAID || after === CREDITED).toBe(settled);
          expect(inv.statusAfter(after, amounts(payable, paid, credited, reversed), event)).toBe(after);
        },
      ),
    );
  });
});

describe('canPay and isOverdue', () => {
  const payable = {
    status: OPEN as inv.InvoiceStatus,
    amountDue: euro(1n),
    paymentsEnabled: true,
    gatewayConfigured: true,
    attemptOpen: false,
  };

  it('needs all five conditions [decisions.5.{can-pay-enabled,can-pay-gateway,can-pay-status,can-pay-due,can-pay-no-attempt}]', () => {
    expect(inv.canPay(payable)).toBe(true);
    expect(inv.canPay({ ...payable, paymentsEnabled: false })).toBe(false);
    expect(inv.canPay({ ...payable, gatewayConfigured: false })).toBe(false);
    expect(inv.canPay({ ...payable, attemptOpen: true })).toBe(false);
    expect(inv.canPay({ ...payable, amountDue: euro(0n) })).toBe(false);
    expect(inv.canPay({ ...payable, amountDue: euro(-1n) })).toBe(false);
    for (const status of [PAID, CREDITED, VOID, DISPUTED]) {
      expect(inv.canPay({ ...payable, status })).toBe(false);
    }
  });

  it('is overdue from the day after the due date [decisions.5.status-overdue]', () => {
    const invoice = { status: OPEN as inv.InvoiceStatus, amountDue: euro(1n), dueOn: yesterday, today };
    expect(inv.isOverdue(invoice)).toBe(true);
    expect(inv.isOverdue({ ...invoice, dueOn: today })).toBe(false);
    expect(inv.isOverdue({ ...invoice, dueOn: null })).toBe(false);
    expect(inv.isOverdue({ ...invoice, amountDue: euro(0n) })).toBe(false);
    expect(inv.isOverdue({ ...invoice, status: PAID })).toBe(false);
  });
});

it.each<[inv.InvoiceLabel, inv.InvoiceStatus, InvoiceMoney, boolean, boolean]>([
  // label, status, money, past due, attempt open
  ['open', OPEN, amounts(100n), false, false],
  ['overdue', OPEN, amounts(100n), true, false],
  ['overdue', OPEN, amounts(100n, 40n), true, false],
  ['partPaid', OPEN, amounts(100n, 40n), false, false],
  ['partPaid', OPEN, amounts(100n, 0n, 40n), false, false],
  ['open', OPEN, amounts(100n, 100n, 0n, 100n), false, false],
  ['beingConfirmed', OPEN, amounts(100n), true, true],
  ['paid', PAID, amounts(100n, 100n), true, true],
  ['credited', CREDITED, amounts(100n, 0n, 100n), true, false],
  ['void', VOID, amounts(100n), true, false],
  ['disputed', DISPUTED, amounts(100n), true, true],
])(
  'is labelled %s [decisions.5.status-part-paid, decisions.5.status-being-confirmed]',
  (label, status, sums, isPastDue, attemptOpen) => {
    const dueOn = isPastDue ? yesterday : today;
    expect(inv.invoiceLabel({ status, money: sums, dueOn, today, attemptOpen })).toBe(label);
  },
);
