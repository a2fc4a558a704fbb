/** What is read and written, without a network: the vendor's documented answers, its vector, its fixtures. */
import { createHmac } from 'node:crypto';
import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { testCharge } from '../cases/test-charge.ts';
import { openGateway } from '../port/define-gateway.ts';
import { casesData } from './cases-data.ts';
import { demo } from './demo.ts';
import { readWebhook, reversalsOf } from './events.ts';
import { createGateway } from './gateway.ts';
import { type GocardlessSettings, manifest } from './manifest.ts';
import {
  declineOf,
  type EventReply,
  errorFromWire,
  methodFrom,
  outcomeFromPayment,
  outcomeFromRefund,
  paymentBody,
  refusalOf,
} from './wire.ts';

const payment = (status: string) => ({
  id: 'PM1',
  status,
  amount: 4250,
  currency: 'AUD',
  metadata: {},
  created_at: '2026-01-15T03:04:05.000Z',
  links: { mandate: 'MD1' },
});
const taken = money(4_250n, 'AUD');

describe('a payment', () => {
  it('12: is asked for in minor units as a number, without a reference of the bank', () => {
    const charge = testCharge();
    const { payments } = paymentBody(charge, 'MD1') as { payments: Record<string, unknown> };
    expect(payments).toMatchObject({
      amount: 12_550,
      currency: 'AUD',
      metadata: { attempt: charge.ref, invoice: '1001,1002' },
      retry_if_possible: false,
      links: { mandate: 'MD1' },
    });
    expect(Object.keys(payments)).not.toContain('reference');
    expect(Object.keys(payments['metadata'] as object).length).toBeLessThanOrEqual(3);
  });

  it.each([
    ['pending_customer_approval', 'pending'],
    ['pending_submission', 'pending'],
    ['submitted', 'pending'],
    ['confirmed', 'succeeded'],
    ['paid_out', 'succeeded'],
    ['charged_back', 'succeeded'],
    ['customer_approval_denied', 'declined'],
    ['cancelled', 'closed'],
    ['a status of tomorrow', 'unknown'],
  ])('that is %s is %s', (status, is) => {
    expect(outcomeFromPayment(payment(status), undefined).is).toBe(is);
  });

  it('that failed is declined, unless the provider collects again, or nobody has told why', () => {
    const failed = (isRetried: boolean) =>
      outcomeFromPayment(payment('failed'), { cause: 'refer_to_payer', isRetried });
    expect(failed(false)).toMatchObject({ is: 'declined', why: { code: 'refer_to_payer' }, remote: 'PM1' });
    expect(failed(true)).toMatchObject({ is: 'pending', because: 'bank' });
    expect(outcomeFromPayment(payment('failed'), undefined).is).toBe('unknown');
  });

  it('is read whether its amount is a number or a text', () => {
    expect(outcomeFromPayment({ ...payment('confirmed'), amount: '4250' }, undefined)).toMatchObject({
      captured: taken,
    });
  });
});

it.each([
  ['created', 'pending'],
  ['pending_submission', 'pending'],
  ['submitted', 'pending'],
  ['paid', 'succeeded'],
  ['cancelled', 'declined'],
  ['bounced', 'declined'],
  ['funds_returned', 'declined'],
  ['a status of tomorrow', 'unknown'],
])('a refund that is %s is %s', (status, is) => {
  expect(outcomeFromRefund({ ...payment(status), links: { payment: 'PM1' } }).is).toBe(is);
});

it.each([
  ['insufficient_funds', 'retryLater', 'check your balance', undefined],
  ['bank_account_closed', 'otherMethod', 'Please add the account again', true],
  ['mandate_cancelled', 'otherMethod', 'Please set it up again', true],
  ['authorisation_disputed', 'otherMethod', 'Please contact support', true],
  ['a cause of tomorrow', 'otherMethod', 'Please contact support', true],
] as const)('21: a debit that comes back for %s says so', (cause, kind, words, final) => {
  const decline = declineOf(cause);
  expect(decline).toMatchObject({ class: kind, code: cause });
  expect([decline.text.includes(words), decline.final]).toEqual([true, final]);
});

const error = (status: number, type: string, entry: object) =>
  refusalOf(status, errorFromWire({ error: { type, code: status, message: 'm', errors: [entry] } }));

describe('an order that is refused', () => {
  it.each([
    [401, 'invalid_api_usage', { reason: 'unauthorized' }, 'config'],
    [403, 'invalid_api_usage', { reason: 'insufficient_permissions' }, 'config'],
    [404, 'invalid_api_usage', { reason: 'resource_not_found' }, 'methodGone'],
    [404, 'invalid_api_usage', { reason: 'path_not_found' }, 'invalid'],
    [422, 'invalid_api_usage', { reason: 'link_not_found' }, 'methodGone'],
    [422, 'invalid_state', { reason: 'mandate_is_inactive' }, 'methodGone'],
    [422, 'invalid_state', { reason: 'bank_account_disabled' }, 'methodGone'],
    [422, 'validation_failed', { field: 'amount', message: 'is too much' }, 'invalid'],
    [400, 'invalid_api_usage', { reason: 'bad_request' }, 'invalid'],
    [429, 'invalid_api_usage', { reason: 'rate_limit_exceeded' }, 'unreachable'],
  ])('%s %s %o was not carried out: %s', (status, type, entry, why) => {
    expect(error(status, type, entry)?.why).toBe(why);
  });

  it('31: by a server error, a conflict, a plain string or a page leaves it open', () => {
    expect(error(500, 'gocardless', { reason: 'internal_server_error' })).toBeUndefined();
    expect(error(409, 'invalid_state', { reason: 'idempotent_creation_conflict' })).toBeUndefined();
    expect(refusalOf(422, errorFromWire({ error: 'bank_authorisation_expired' }))).toBeUndefined();
    expect(refusalOf(403, errorFromWire('<html>'))).toBeUndefined();
  });

  it('13: as the vendor’s client has it names what a key has made', () => {
    const links = { conflicting_resource_id: 'PM1234' };
    const body = {
      error: {
        message: 'A resource has already been created with this idempotency key',
        errors: [{ reason: 'idempotent_creation_conflict', message: '…', links }],
        type: 'invalid_state',
        request_id: 'R1',
        code: 409,
      },
    };
    expect(errorFromWire(body)).toMatchObject({ conflicting: 'PM1234' });
    expect(errorFromWire(body)?.detail).toContain('R1');
  });
});

describe('what became of a payment', () => {
  let count = 0;
  const event = (action: string, details: object = {}): EventReply => {
    count += 1;
    return {
      id: `EV${count}`,
      created_at: new Date(count * 1000).toISOString(),
      resource_type: 'payments',
      action,
      links: { payment: 'PM1' },
      details,
    };
  };
  const told = (...events: readonly (string | readonly [string, object])[]) =>
    reversalsOf(
      payment('failed'),
      events.map((one) => (typeof one === 'string' ? event(one) : event(...one))),
    );

  const retried = ['failed', { will_attempt_retry: true }] as const;

  it.each([
    ['a failure after it was taken', ['confirmed', 'paid_out', 'failed'], ['failed']],
    [
      'a failure that was collected once more',
      ['submitted', 'failed', 'resubmission_requested', 'confirmed'],
      ['failed', 'resubmitted'],
    ],
    [
      'collected once more after a late failure',
      ['confirmed', 'failed', 'resubmission_requested'],
      ['failed', 'resubmitted'],
    ],
    ['a chargeback', ['paid_out', 'charged_back', 'chargeback_settled'], ['chargeback']],
    ['one won back', ['charged_back', 'chargeback_cancelled'], ['chargeback', 'chargebackWon']],
    ['a win nobody has told the loss of', ['paid_out', 'chargeback_cancelled'], []],
    [
      'a failure that is collected again, before anything was taken',
      ['submitted', retried, 'resubmission_requested', 'confirmed'],
      [],
    ],
    [
      'a late failure that is collected again',
      ['confirmed', retried, 'resubmission_requested', 'confirmed', 'failed'],
      ['failed', 'resubmitted', 'failed'],
    ],
    [
      'a late failure whose next collection is collected again',
      ['confirmed', retried, 'resubmission_requested', retried, 'resubmission_requested'],
      ['failed', 'resubmitted'],
    ],
    [
      'a failure that is collected again, and fails again',
      [retried, 'resubmission_requested', 'failed'],
      ['failed'],
    ],
    [
      'failed twice',
      ['confirmed', 'failed', 'resubmission_requested', 'failed'],
      ['failed', 'resubmitted', 'failed'],
    ],
  ] as const)('22, 33-35: told: %s', (_what, history, kinds) => {
    const reversals = told(...history);
    expect(reversals.map(({ kind }) => kind)).toEqual(kinds);
    expect(reversals.every(({ of, amount }) => of === 'PM1' && amount.minor === 4_250n)).toBe(true);
  });

  it('has a name of its own for each, and one for a chargeback and its win', () => {
    const names = told('confirmed', 'failed', 'resubmission_requested', 'failed').map(({ remote }) => remote);
    expect(new Set(names).size).toBe(3);
    const pair = told('charged_back', 'chargeback_cancelled');
    expect(pair[0]?.remote).toBe(pair[1]?.remote);
  });
});

// ---- Webhooks ----

const secret = 'sandbox-webhook-secret';
/** From the vendor's convention: the signature was made elsewhere. */
const vector =
  '{"events":[{"id":"EV0001","created_at":"2026-01-15T03:04:05.000Z","resource_type":"payments","action":"confirmed","links":{"payment":"PM0001"},"details":{"origin":"gocardless","cause":"payment_confirmed","description":"Payment collected"},"metadata":{}}],"meta":{"webhook_id":"WB0001"}}';
const signature = '2447a36a9a897ca79d00e7759ae1aa9779ca9736608b5e1238611f3bbf541ee2';
const signed = (body: string, by = secret) =>
  readWebhook(
    [secret],
    Buffer.from(body),
    new Headers({ 'webhook-signature': createHmac('sha256', by).update(body).digest('hex') }),
  );

describe('a delivery', () => {
  it('is known by the documented vector', () => {
    const raw = Buffer.from(vector);
    expect(raw.byteLength).toBe(286);
    const headers = new Headers({ 'webhook-signature': signature });
    expect(readWebhook(['another', secret], raw, headers)).toEqual({
      is: 'accepted',
      trust: 'signed',
      events: [{ id: 'EV0001', about: 'charge', remote: 'PM0001' }],
    });
  });

  it('24: with another signature, other bytes or none is refused by 498', () => {
    const headers = new Headers({ 'webhook-signature': signature });
    const again = JSON.stringify(JSON.parse(vector), null, 1);
    for (const reading of [
      signed(vector, 'another secret'),
      readWebhook([secret], Buffer.from(again), headers),
      readWebhook([secret], Buffer.from(vector), new Headers()),
      readWebhook([], Buffer.from(vector), headers),
    ])
      expect(reading).toMatchObject({ is: 'refused', status: 498 });
  });

  it('26: brings 250 events, one that cannot be read among them; more, or something else, is refused by 400', () => {
    const [one] = (JSON.parse(vector) as { events: object[] }).events;
    const body = (events: unknown) => JSON.stringify({ events });
    const many = Array.from({ length: 249 }, (_, at) => ({ ...one, id: `EV${at}` }));
    const read = signed(body([{ id: 7 }, ...many]));
    expect(read.is === 'accepted' && read.events.length).toBe(249);
    expect(signed(body([one, one, ...many]))).toMatchObject({ is: 'refused', status: 400 });
    expect(signed(body('none'))).toMatchObject({ is: 'refused', status: 400 });
    expect(signed('no JSON')).toMatchObject({ is: 'refused', status: 400 });
    expect(signed(' '.repeat(1024 * 1024 + 1))).toMatchObject({ is: 'refused', status: 413 });
  });

  it.each([
    ['mandates', 'replaced', { mandate: 'MD1', new_mandate: 'MD2' }, [{ about: 'mandate', remote: 'MD1' }]],
    ['refunds', 'paid', { refund: 'RF1' }, [{ about: 'refund', remote: 'RF1' }]],
    ['billing_requests', 'fulfilled', { billing_request: 'BRQ1' }, [{ about: 'method', remote: 'BRQ1' }]],
    ['billing_requests', 'flow_visited', { billing_request: 'BRQ1' }, []],
    ['payments', 'chargeback_settled', { payment: 'PM1' }, []],
    ['payouts', 'paid', { payout: 'PO1' }, []],
    ['payments', 'confirmed', {}, []],
  ])('of %s %s is about %o: %o', (type, action, links, expected) => {
    const event = { id: 'EV1', created_at: '2026-01-15T03:04:05.000Z', resource_type: type, action, links };
    const read = signed(JSON.stringify({ events: [event] }));
    expect(read.is === 'accepted' && read.events).toMatchObject(expected);
    expect(read.is === 'accepted' && read.events.length).toBe(expected.length);
  });
});

// ---- Methods and settings ----

describe('a mandate', () => {
  const mandate = (status: string) =>
    methodFrom(
      {
        id: 'MD2',
        status,
        scheme: 'becs_nz',
        links: { customer: 'CU1', customer_bank_account: 'BA1' },
      },
      { id: 'BA1', account_number_ending: '6900', currency: 'NZD', bank_name: 'TEST BANK' },
      'MD1',
    );

  it.each([
    ['pending_customer_approval', 'pending', 'pending'],
    ['pending_submission', 'now', 'pending'],
    ['submitted', 'now', 'pending'],
    ['active', 'now', 'active'],
    ['suspended_by_payer', 'never', 'suspended'],
    ['blocked', 'never', 'dead'],
    ['failed', 'never', 'dead'],
    ['expired', 'never', 'dead'],
    ['a status of tomorrow', 'never', 'dead'],
  ])('that is %s can be used %s', (status, usable, state) => {
    expect(mandate(status)).toMatchObject({ usable, mandate: { state } });
  });

  it('that has replaced another keeps the name of the method, and charges the new one', () => {
    expect(mandate('active')).toMatchObject({
      remote: 'MD1',
      mandate: { remote: 'MD2' },
      state: { id: 'MD1', mandate: 'MD2', currency: 'NZD' },
      fingerprint: 'BA1',
    });
  });

  it.each([
    [{ type: 'becs', last4: '78' }, { aubecsDebit: { last4: '78' } }],
    [{ type: 'bacs', last4: '11' }, { bacsDebit: { last4: '11' } }],
    [{ type: 'sepa_core', last4: '00', bankCountry: 'DE' }, { sepaDebit: { last4: '00', country: 'DE' } }],
    [{ type: 'ach', last4: '56' }, { usbankAccount: { last4: '56' } }],
    [{ type: 'becs_nz', last4: '6900', bankName: 'B' }, {}],
  ])('36: is shown as %o under the specification’s names, with the digits there are', (show, expected) => {
    expect(manifest.saved?.present({ id: '1', kind: 'bank', show })).toEqual(expected);
  });
});

describe('settings', () => {
  const settings = casesData.sandbox.settings as GocardlessSettings;

  it('tell test tokens from live ones; in doubt they are live', () => {
    expect(manifest.keyMode?.(settings)).toBe('test');
    expect(manifest.keyMode?.({ ...settings, environment: 'live' })).toBe('live');
    expect(manifest.keyMode?.({ ...settings, accessToken: 'live_abc' })).toBe('live');
  });

  it('of a demo open nothing but the sandbox: test ones, with a token that the provider never gave', async () => {
    const given = Object.fromEntries(
      demo.settings('demo3012').map((one) => one.split('=') as [string, string]),
    );
    expect(manifest.keyMode?.(given)).toBe('test');
    expect(given['accessToken']).toBe('sandbox_demo3012');
    const asked: string[] = [];
    const opened = await openGateway(
      { manifest, load: async () => ({ createGateway }) },
      { ...given, webhookSecrets: [given['webhookSecrets']] },
      {
        addresses: { api: 'https://live.example', apiSandbox: 'https://test.example' },
        clock: { now: () => new Date() },
        log: { debug: () => undefined, warn: () => undefined },
        fetch: async (input) => {
          asked.push(String(input));
          return new Response('{}');
        },
      },
    );
    if (opened.is !== 'open') throw new Error(`${opened.faults}`);
    return opened.gateway.verifyCredentials().then(() => {
      expect(asked.map((url) => new URL(url).host)).toEqual(['test.example']);
    });
  });
});
