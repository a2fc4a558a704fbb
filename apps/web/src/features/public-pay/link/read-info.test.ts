import { expect, it } from 'vitest';
import { infoOf } from '../test-support.ts';
import { readInfo } from './read-info.ts';

const info = infoOf();
const answered = {
  ...info,
  bank: null,
  leastCharge: null,
  chargeStep: null,
  partPayment: null,
  attempt: null,
};

it.each([
  ['USD', 110, '110.00'],
  ['USD', 0.3, '0.30'],
  ['USD', 9_999_999_999_999.99, '9999999999999.99'],
  ['JPY', 62_800, '62800'],
  ['KWD', 49.576, '49.576'],
])('has the numbers of %s (%s) as decimal texts: %s', (currency, amount, text) => {
  const fee = { basisPoints: 0, fixedMinor: 0, capMinor: null };
  const read = readInfo({
    ...answered,
    currency,
    invoiceAmount: amount,
    fee: amount,
    total: amount,
    leastCharge: amount,
    chargeStep: amount,
    partPayment: { least: amount, most: amount, leastRest: null, fee },
    attempt: {
      id: 'a',
      status: 'succeeded',
      amount,
      reference: 'R',
      at: '2026-03-15T00:00:00.000Z',
      kind: 'card',
      method: null,
      hasReceipt: true,
      isTakenBack: false,
      asked: amount,
    },
  });
  expect(read).toMatchObject({
    invoiceAmount: text,
    fee: text,
    total: text,
    leastCharge: text,
    chargeStep: text,
    partPayment: { least: text, most: text, leastRest: null },
    attempt: { amount: text, asked: text },
  });
});

it('leaves out what there is not', () => {
  const none = { ...answered, invoiceAmount: 1, fee: 0, total: 1 };
  expect(readInfo(none)).toMatchObject({
    partPayment: null,
    attempt: null,
    leastCharge: null,
    chargeStep: null,
  });
});
