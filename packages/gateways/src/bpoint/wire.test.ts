import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { lookupOf, outcomeOf, readError, reference, shownOf, type TxnReply, txnReply } from './wire.ts';

const now = new Date('2026-03-10T00:00:00Z');
const asked = money(4_200n, 'AUD');
const txn = (over: object = {}): TxnReply =>
  z.parse(txnReply, {
    txnNumber: '1000000001',
    action: 'Payment',
    merchantReference: 'R1',
    currency: 'AUD',
    amount: 4_200,
    responseCode: '0',
    bankResponseCode: '00',
    processedDateTime: '2026-03-10T00:00:00Z',
    paymentMethod: { card: { number: '498765...769', scheme: 'Visa', expiry: { month: '09', year: '31' } } },
    ...over,
  });
const bank = { bank: { bsb: '062000', account: '...678', name: 'Ana' } };

describe('a transaction', () => {
  it.each([
    ['approved', {}, { is: 'succeeded', captured: asked }],
    ['less than was asked for', { amount: 2_100 }, { is: 'succeeded', captured: money(2_100n, 'AUD') }],
    ['declined', { responseCode: '2', bankResponseCode: '05' }, { is: 'declined', why: { code: '2/05' } }],
    [
      'of a stolen card: never again, and never said so',
      { responseCode: '2', bankResponseCode: '43' },
      { is: 'declined', why: { final: true, text: 'Your card was declined' } },
    ],
    ['no reply from the bank', { responseCode: '3', bankResponseCode: '68' }, { is: 'unknown' }],
    ['a communication error', { responseCode: '6', bankResponseCode: null }, { is: 'unknown' }],
    ['a gateway time-out', { responseCode: 'PT_G13' }, { is: 'unknown' }],
    ['the number zero, not the text', { responseCode: undefined }, { is: 'unknown' }],
    ['a code nobody documented', { responseCode: 'ZZ' }, { is: 'unknown' }],
    ['not sent to the bank', { responseCode: 'PT_E5' }, { is: 'notAttempted', why: 'unreachable' }],
    ['wrong credentials of the facility', { responseCode: 'PT_V12' }, { is: 'notAttempted', why: 'config' }],
    ['a token that is gone', { responseCode: 'PT_T2' }, { is: 'notAttempted', why: 'methodGone' }],
    ['under way', { responseCode: 'P' }, { is: 'pending', because: 'gateway' }],
    ['a debit that was accepted', { paymentMethod: bank }, { is: 'pending', because: 'bank' }],
    [
      'a debit that no bank has returned for days',
      { paymentMethod: bank, processedDateTime: '2026-03-06T00:00:00Z' },
      { is: 'succeeded' },
    ],
  ])('26: %s', (_what, over, outcome) => {
    expect(outcomeOf(txn(over), asked, now, true)).toMatchObject(outcome);
  });

  it('shows the three digits there are', () => {
    expect(shownOf(txn().paymentMethod)).toMatchObject({ brand: 'Visa', last4: '769', expYear: '2031' });
    expect(shownOf(bank)).toMatchObject({ routing: '062000', last4: '678' });
  });
});

it('a search finds the payment that took the money, by our reference and action; an empty one proves nothing', () => {
  const about = { ref: 'R1', action: 'Payment' } as const;
  const found = (list: TxnReply[]) => lookupOf(list, about, asked, now, true);
  expect(found([])).toEqual({ is: 'absent', proven: false });
  expect(found([txn({ merchantReference: 'R2' }), txn({ action: 'Refund' })])).toEqual({
    is: 'absent',
    proven: false,
  });
  expect(found([txn({ responseCode: '2', bankResponseCode: '05' }), txn({ txnNumber: '2' })])).toMatchObject({
    is: 'succeeded',
    remote: '2',
  });
  expect(found([txn({ responseCode: '6' })]).is).toBe('inconclusive');
});

it.each([
  { code: 'InvalidFields', message: 'm', details: [{ message: 'crn1 must be given', field: 'crn1' }] },
  { error: { code: 'InvalidFields', message: 'm' } },
  [{ code: 'InvalidFields', message: 'm' }],
])('an error is read in any of its shapes', (value) => {
  expect(readError(value)).toMatchObject({ code: 'InvalidFields' });
});

it('references keep to the alphabet and the length the facility takes', () => {
  expect(reference(`Müller & Söhne ${'x'.repeat(60)}`)).toMatch(/^[A-Za-z0-9 ]{1,50}$/);
});
