import { money } from '@counterfoil/domain/money/money.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { encryptDigits } from './encryption.ts';
import { readFrame } from './frame-messages.ts';
import { decrypted, publicKey } from './sandbox-data.ts';
import { isRoutingNumber } from './saved-methods.ts';
import { readWebhook } from './webhook.ts';
import {
  declineOf,
  expiryOf,
  invoicesFromWire,
  meaningOf,
  methodOf,
  outcomeOf,
  processRequest,
  rowOf,
  type shownOf,
  statusOf,
} from './wire.ts';

const asked = { ref: 'ABCDEFGHIJ01234567', amount: money(4_215n, 'USD'), kind: 'card' as const };

describe('what a status comes to', () => {
  it.each([
    ['pending', 'succeeded'],
    ['authorizedPending', 'succeeded'],
    ['settled', 'succeeded'],
    [9, 'succeeded'],
    [10, 'succeeded'],
    [20, 'succeeded'],
    [30, 'declined'],
    ['declined', 'declined'],
    ['fraudReject', 'declined'],
    [50, 'declined'],
    ['voided', 'closed'],
    [39, 'closed'],
    // Authorised only: no money was asked for so.
    ['authOnly', 'unknown'],
    [3, 'unknown'],
    ['', 'unknown'],
    [77, 'unknown'],
    ['paid', 'unknown'],
  ])('%s of a card is %s', (status, is) => {
    expect(outcomeOf(statusOf(status), 42.15, asked, {}).is).toBe(is);
  });
  it.each([
    [10, 'pending'],
    [20, 'succeeded'],
    [50, 'declined'],
  ])('%s of an account is %s', (status, is) => {
    expect(outcomeOf(statusOf(status), 42.15, { ...asked, kind: 'bank' }, {}).is).toBe(is);
  });
  it.each([
    [21.07, 2_107n],
    ['42.15', 4_215n],
    [42, 4_200n],
    [undefined, 4_215n],
  ])('an amount of %s is captured as %s', (amount, minor) => {
    expect(outcomeOf('pending', amount, asked, {})).toMatchObject({
      is: 'succeeded',
      captured: { minor },
      remote: asked.ref,
    });
  });
  it('an amount that is none leaves it open', () => {
    expect(outcomeOf('pending', 42.155, asked, {}).is).toBe('unknown');
  });
});

describe('what an error means', () => {
  it.each([
    [400, 435, 'Do not Honor', { is: 'declined', why: { code: '435', class: 'otherMethod' } }],
    [
      400,
      437,
      'Verify CVC failed',
      { is: 'declined', why: { code: '437', text: 'Check the security code' } },
    ],
    [400, 438, 'AVS', { is: 'declined', why: { code: '438' } }],
    [400, 408, 'Payment gateway timed out', { is: 'unknown' }],
    [400, 409, 'merchantId is not enabled', { is: 'refused', why: 'config' }],
    [400, 418, 'Unsupported currency', { is: 'refused', why: 'config' }],
    [401, 401, 'Unauthorized', { is: 'refused', why: 'config' }],
    [403, 403, 'Forbidden', { is: 'refused', why: 'config' }],
    [404, 404, 'Token not found', { is: 'refused', why: 'notFound' }],
    [404, 404, 'Merchant not found', { is: 'refused', why: 'config' }],
    [400, 400, 'Bad Request', { is: 'refused', why: 'invalid' }],
    // Nobody has documented it: it may have been carried out.
    [400, 999, 'x', { is: 'unknown' }],
    [429, undefined, undefined, { is: 'unknown' }],
    [502, 435, 'x', { is: 'unknown' }],
  ])('%i with %s, %s', (status, error, message, meaning) => {
    expect(meaningOf(status, { error, message }, 'card')).toMatchObject(meaning);
  });
  it.each([
    ['Pickup Card - insufficient', 'pick-up', true],
    ['Restricted card', 'pick-up', true],
    ['Insufficient funds', 'funds', undefined],
    ['Exceeds withdrawal limit', 'funds', undefined],
    ['CVV mismatch', 'code', undefined],
    ['No such issuer', 'number', undefined],
    ['No checking account', 'number', undefined],
  ])('a decline of %s', (message, name, final) => {
    expect(declineOf('435', message, 'card')).toMatchObject({ code: `435/${name}`, ...(final && { final }) });
  });
});

it.each([
  [{ expirationDate: '2031-09' }, { month: '9', year: '31' }],
  [
    { expirationMonth: '09', expirationYear: '2031' },
    { month: '9', year: '31' },
  ],
  [
    { expirationMonth: '12', expirationYear: '31' },
    { month: '12', year: '31' },
  ],
  [{ expirationMonth: '13', expirationYear: '31' }, undefined],
  [{}, undefined],
])('an expiry of %j', (fields, expiry) => expect(expiryOf(fields)).toEqual(expiry));

it.each([
  ['110000000', true],
  ['121042882', true],
  ['999546788', false],
  ['12345678', false],
  ['1210428820', false],
])('%s is a routing number: %s', (digits, is) => expect(isRoutingNumber(digits)).toBe(is));

it('the order number is our reference; an amount is a number in major units', () => {
  const settings = { merchantId: '300100', checkFraud: false, check3ds: true } as Parameters<
    typeof processRequest
  >[0];
  const charge = {
    ...asked,
    customer: 'C',
    invoice: 'INV-501',
    owner: { firstName: 'Ana', lastName: 'Poe', shipping: { line1: '1 Bay' } },
    returnTo: 'https://portal.example/',
    isPresent: true,
  };
  const body = processRequest(settings, charge, { token: 't', kind: 'card' });
  expect(body).toMatchObject({
    data: {
      amount: 42.15,
      currency: 'USD',
      customer: { orderNumber: asked.ref, customerRef: 'C', firstName: 'Ana', shipToAddressOne: '1 Bay' },
    },
    isAuthOnly: false,
    processingOptions: { check3ds: true, customerRedirectUrl: 'https://portal.example/' },
  });
  // Nobody is there to answer the bank.
  const alone = processRequest(settings, { ...charge, isPresent: false }, { token: 't', kind: 'card' });
  expect(alone.processingOptions).toMatchObject({ check3ds: false });
});

it.each([
  ['INV-1, INV-2', 'INV-1, INV-2'],
  [`${'A'.repeat(44)},INV-12345`, 'A'.repeat(44)],
  ['A'.repeat(60), ''],
])('of the invoices %s a list names %s: none that was cut off', (invoice, named) => {
  const charge = { ...asked, customer: 'C', invoice, owner: undefined, returnTo: '', isPresent: false };
  const settings = { merchantId: '300100' } as Parameters<typeof processRequest>[0];
  const sent = processRequest(settings, charge, { token: 't', kind: 'card' });
  expect(invoicesFromWire(sent.data.customer.invoice)).toBe(named);
});

it('of a search, only our order number counts, no follow-up, and what took money first', () => {
  const row = (over: object) =>
    ({ id: 1, customer: { orderNumber: asked.ref }, transactionStatus: 10, ...over }) as Parameters<
      typeof rowOf
    >[0][number];
  const rows = [
    row({ id: 2, customer: { orderNumber: 'other' } }),
    row({ id: 3, originalTransactionId: 4 }),
    row({ id: 5, transactionStatus: 30 }),
    row({ id: 6 }),
  ];
  expect(rowOf(rows, asked.ref)?.id).toBe(6);
  expect(rowOf(rows.slice(0, 2), asked.ref)).toBeUndefined();
});

describe('a saved method', () => {
  const reply = {
    card: { cardHolderName: 'Ana Poe', expirationMonth: '9', expirationYear: '2031', cardType: 'masterCard' },
    token: { token: 't', lastFour: '1111' },
    data: { customer: { firstName: 'Ana', shipToAddressOne: '1 Bay', billToPostal: '84601' } },
  } as Parameters<typeof shownOf>[0];
  it('of a card', () => {
    expect(methodOf(reply, { token: 't', kind: 'card' })).toMatchObject({
      remote: 't',
      expires: '2031-09',
      show: {
        type: 'card',
        brand: 'mastercard',
        last4: '1111',
        firstName: 'Ana',
        shippingLine1: '1 Bay',
        postalCode: '84601',
      },
    });
  });
  it('of an account, with what its holder has typed', () => {
    const bank = {
      bank: { routingNumber: '110000000' },
      tokenex: { token: 'b', lastFour: '9012' },
    } as Parameters<typeof shownOf>[0];
    expect(methodOf(bank, { token: 'b', kind: 'bank', name: 'Ana Poe' }).show).toEqual({
      type: 'ach',
      routing: '110000000',
      last4: '9012',
      name: 'Ana Poe',
    });
  });
});

describe('a webhook of the current style', () => {
  const raw = Buffer.from('{"eventType":"TRANSACTION","transactionStatus":10,"transactionId":700012345}');
  it('is a hint that names a transaction', () => {
    expect(readWebhook(raw, new Headers(), undefined)).toMatchObject({
      is: 'accepted',
      trust: 'hint',
      events: [{ about: 'charge', remote: 'txn-700012345' }],
    });
  });
  it('is refused where deliveries are signed', () => {
    expect(readWebhook(raw, new Headers(), 'secret')).toMatchObject({ is: 'refused', status: 401 });
  });
  it.each(['', 'null', '[]', '{"eventType":1}'])('refuses %j', (text) => {
    expect(readWebhook(Buffer.from(text), new Headers(), undefined)).toMatchObject({
      is: 'refused',
      status: 400,
    });
  });
});

it.each([
  [{ event: 'loaded' }, 'other'],
  [{ event: 'cardSaved', data: { token: { token: 't-1' } } }, { token: 't-1' }],
  [{ event: 'eCheckSaved', data: { token: { token: 't-2' } } }, { token: 't-2' }],
  [{ event: 'cardSaved', data: {} }, { error: expect.any(String) }],
  [{ event: 'error', data: { message: 'Invalid CVC' } }, { error: 'Invalid CVC' }],
  ['posted', undefined],
  [null, undefined],
])('the frame says %j', (message, said) => expect(readFrame(message)).toEqual(said));

describe('encryption in the browser', () => {
  const inBrowser = () => {
    vi.stubGlobal('self', globalThis);
    vi.stubGlobal('window', globalThis);
  };
  afterEach(() => vi.unstubAllGlobals());
  it('30: is read by the provider, is another text each time, and takes a key with line breaks', async () => {
    inBrowser();
    const wrapped = publicKey.replace(/(.{64})/g, '$1\n');
    const made = [await encryptDigits(publicKey, '123456'), await encryptDigits(wrapped, '123456')];
    expect(made.map((text) => decrypted(text ?? ''))).toEqual(['123456', '123456']);
    expect(made[0]).not.toBe(made[1]);
  });
  it.each(['', '  \n', 'bm8ga2V5'])('29: makes nothing without a key: %j', async (key) => {
    inBrowser();
    expect(await encryptDigits(key, '123456')).toBeUndefined();
  });
});
