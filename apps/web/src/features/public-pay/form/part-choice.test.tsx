import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../../lib/api/api-error.ts';
import { setBrandCurrency } from '../../../text/format.ts';
import { outcomes } from '../outcome/outcomes.tsx';
import { PayPage } from '../pay-page.tsx';
import { attemptOf, bankOf, entered, flowOf, infoOf } from '../test-support.ts';
import { PartChoice, partPrice } from './part-choice.tsx';

const fee = { basisPoints: 150, fixedMinor: 0, capMinor: null };
const offered = (over: Partial<PaymentInfo> = {}) =>
  infoOf({ partPayment: { least: '1.00', most: '1284.16', leastRest: null, fee }, ...over });
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

describe('the price of an amount that is typed', () => {
  it.each([
    ['40', '40.00', '0.60', '40.60', true],
    [' $1,000.5 ', '1000.50', '15.01', '1015.51', true],
    ['1284.16', '1284.16', '19.26', '1303.42', false],
  ])('%s', (text, amount, feeOfIt, total, isPart) => {
    expect(partPrice(offered(), text)).toEqual({
      kind: 'card',
      amount,
      fee: feeOfIt,
      total,
      isPart,
      isWrong: false,
    });
  });
  it('has the fee of the kind of method', () => {
    const info = { ...offered(), bank: bankOf() };
    expect(partPrice(info, '1000.50', 'bank')).toMatchObject({ fee: '0.40', total: '1000.90' });
    expect(partPrice(info, undefined, 'bank')).toMatchObject({ fee: '0.40', total: '1284.56' });
  });
  it.each(['', '0', '0.99', '-5', '40.005', '1284.17', 'forty', '1,28'])('is none for %j', (text) => {
    expect(partPrice(offered(), text)).toMatchObject({ total: '1303.42', isWrong: true });
  });
  it('is that of all that is due while nothing else is asked for, and where it is not offered', () => {
    expect(partPrice(offered(), undefined)).toMatchObject({ total: '1303.42', isWrong: false });
    expect(partPrice(infoOf(), '40')).toMatchObject({ total: '1303.42', isWrong: false });
  });
});

describe('the choice', () => {
  const drawn = (info: PaymentInfo, text?: string, insists = false) =>
    renderToStaticMarkup(<PartChoice {...{ info, text, insists }} id="amount" onText={() => undefined} />);
  it('is a quiet button, and then a field with the least and the most', () => {
    expect(textOf(drawn(offered()))).toContain('Pay another amount');
    const field = drawn(offered(), '40');
    expect(textOf(field)).toContain('Amount to pay From $1.00 to $1,284.16.');
    expect(field).not.toContain('aria-invalid');
    expect(field).toMatch(/<label[^>]*for="amount"/);
  });
  it('says what is wrong once it is insisted on', () => {
    expect(drawn(offered(), '0')).not.toContain('aria-invalid');
    const wrong = drawn(offered(), '0', true);
    expect(wrong).toContain('aria-invalid="true"');
    expect(textOf(wrong)).toContain('Enter an amount from $1.00 to $1,284.16');
  });
  it('is not there where it is not offered, nor where only all of it can be paid', () => {
    expect(drawn(infoOf())).toBe('');
    const little = { partPayment: { least: '0.80', most: '0.80', leastRest: null, fee } };
    expect(drawn(offered({ ...little, invoiceAmount: '0.80', total: '0.81' }))).toBe('');
  });
});

describe('a part that is paid', () => {
  const part = (info: PaymentInfo) => partPrice(info, '40');
  it('is sent without fee, with the total that was shown; where it is not offered, as ever', async () => {
    const { flow, seen } = flowOf({ details: [offered()], pay: [{ status: 'succeeded' }] });
    await flow.start();
    await flow.submit({ ...entered, price: part(offered()) });
    expect(seen.pays[0]?.body).toEqual(
      expect.objectContaining({ invoiceAmount: '40.00', total: '40.60', due: offered().partPayment?.most }),
    );
    const plain = flowOf({ details: [infoOf()], pay: [{ status: 'succeeded' }] });
    await plain.flow.start();
    await plain.flow.submit(entered);
    expect(plain.seen.pays[0]?.body).toMatchObject({ invoiceAmount: '1303.42' });
    expect(plain.seen.pays[0]?.body).not.toHaveProperty('total');
    expect(plain.seen.pays[0]?.body).not.toHaveProperty('due');
  });
  it('is told with what is still due', async () => {
    const left = offered({
      invoiceAmount: '1244.16',
      attempt: attemptOf('succeeded'),
      partPayment: { least: '1.00', most: '1244.16', leastRest: null, fee },
    });
    const { flow } = flowOf({
      details: [offered(), left],
      pay: [{ status: 'succeeded', amount: 40.6, stillDue: 1244.16 }],
    });
    await flow.start();
    await flow.submit({ ...entered, price: part(offered()) });
    const text = textOf(
      renderToStaticMarkup(<PayPage flow={flow} outcomes={() => outcomes} kept={undefined} />),
    );
    expect(text).toContain('You paid $40.60 to Northline Telecom');
    expect(text).toContain('Still to pay $1,244.16');
    await flow.retry();
    expect(flow.view()).toMatchObject({ state: 'form', info: { invoiceAmount: '1244.16' } });
  });
  it('is not told as what is still due where the answer does not say it', async () => {
    const { flow } = flowOf({ details: [offered()], pay: [{ status: 'succeeded' }] });
    await flow.start();
    await flow.submit({ ...entered, price: part(offered()) });
    const text = textOf(
      renderToStaticMarkup(<PayPage flow={flow} outcomes={() => outcomes} kept={undefined} />),
    );
    expect(text).toContain('You paid $40.60');
    expect(text).not.toContain('Still to pay');
  });
  it('whose answer was lost is found, and not called failed', async () => {
    const paid = offered({ invoiceAmount: '1244.16', attempt: attemptOf('succeeded', { amount: '40.60' }) });
    const { flow, seen } = flowOf({ details: [offered(), paid], pay: [new Error('lost')] });
    await flow.start();
    await flow.submit({ ...entered, price: part(offered()) });
    expect(flow.view()).toMatchObject({ state: 'success', outcome: { amount: '40.60' } });
    expect(seen.states).not.toContain('failed');
  });
  it('names the amount of the attempt that was open, not the one that was asked for', async () => {
    const answer = { status: 'processing', attemptId: 'a', amount: 70 } as const;
    const { flow } = flowOf({ details: [offered(), new Error('later')], pay: [answer] });
    await flow.start();
    void flow.submit({ ...entered, price: part(offered()) });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(flow.view().outcome?.amount).toBe('70');
  });
  it('refused because another part was paid meanwhile: which one, and what is due now', async () => {
    const now = offered({
      invoiceAmount: '1244.16',
      fee: '18.66',
      total: '1262.82',
      attempt: attemptOf('succeeded', { amount: '40.60' }),
    });
    const refusal = new ApiError(409, 'payment.amountChanged', 'The amount to pay has changed');
    const { flow } = flowOf({ details: [offered(), now], pay: [refusal] });
    await flow.start();
    await flow.submit({ ...entered, price: part(offered()) });
    const text = textOf(
      renderToStaticMarkup(<PayPage flow={flow} outcomes={() => outcomes} kept={undefined} />),
    );
    expect(text).toContain('The amount to pay has changed. Nothing was charged.');
    expect(text).toContain('$40.60 of this invoice was paid on 11.21.2026');
    expect(text).toContain('Still to pay $1,262.82');
    await flow.retry();
    expect(flow.view()).toMatchObject({ state: 'form', info: { total: '1262.82' } });
  });
  it('elsewhere: the form stands, with what is due now', async () => {
    const less = offered({ invoiceAmount: '1244.16', total: '1262.82' });
    const { flow } = flowOf({ details: [offered(), less] });
    await flow.start();
    await flow.recheck();
    expect(flow.view()).toMatchObject({ state: 'form', isDueChanged: true, info: { total: '1262.82' } });
  });
});
