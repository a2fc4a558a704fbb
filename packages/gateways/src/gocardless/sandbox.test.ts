/** The checklist of the API, by plain requests as its documentation has them. */
import { createHmac } from 'node:crypto';
import { webhookReceiver } from '@counterfoil/sandbox/test-support.ts';
import { describe, expect, it, vi } from 'vitest';
import {
  act,
  ask,
  bsb,
  caller,
  day,
  flowOf,
  harness,
  mandate,
  newKey,
  order,
  page,
  paid,
  pay,
  type Reply,
  refusal,
  request,
  returnTo,
  run,
  statusOf,
  told,
  usual,
} from './test-support.ts';

describe('a request', () => {
  it('1: without a token, or with one that nobody has, is answered 401', async () => {
    const { authorization: _none, ...rest } = usual();
    expect(refusal(await ask('GET', '/creditors', undefined, rest))).toEqual([
      401,
      'missing_authorization_header',
    ]);
    const other = { ...usual(), authorization: 'Bearer live_abc' };
    expect(refusal(await ask('GET', '/creditors', undefined, other))).toEqual([
      401,
      'access_token_not_found',
    ]);
  });

  it('2, 3: without a version, or with an unknown one, is answered 400', async () => {
    const { 'gocardless-version': _none, ...rest } = usual();
    expect(refusal(await ask('GET', '/creditors', undefined, rest))).toEqual([400, 'missing_version_header']);
    const old = { ...usual(), 'gocardless-version': '2014-01-01' };
    expect(refusal(await ask('GET', '/creditors', undefined, old))).toEqual([400, 'version_not_found']);
  });

  it('4: without its envelope is answered 400', async () => {
    for (const body of [{ amount: 1 }, { payments: [] }, []])
      expect(refusal(await ask('POST', '/payments', body))).toEqual([400, 'invalid_document_structure']);
  });

  it('32: of a list in pages gives each once; the last page has no cursor', async () => {
    caller.account = 'paged';
    const id = await mandate();
    const made = [await paid(id), await paid(id), await paid(id)];
    const seen: string[] = [];
    let after: string | null = '';
    while (after !== null) {
      const cursor: string = after === '' ? '' : `&after=${after}`;
      const one: Reply = await ask('GET', `/payments?mandate=${id}&limit=1${cursor}`);
      seen.push(...(one.body['payments'] ?? []).map((payment) => payment.id));
      after = one.after;
    }
    expect(seen).toEqual(made.reverse());
    caller.account = 'plain';
  });
});

describe('a mandate', () => {
  it('5, 6: is asked for by a billing request with its actions, and a page that is open for seven days', async () => {
    const made = await request();
    expect(made).toMatchObject({ status: 'pending', actions: { length: 3 } });
    const flow = await flowOf(made?.id ?? '');
    expect(String(flow?.['authorisation_url'])).toMatch(/^http.*BRF/);
    expect(Date.parse(String(flow?.['expires_at'])) - Date.parse(String(flow?.['created_at']))).toBe(7 * day);
  });

  it('7: is given on the page: links, and the browser goes to the address of the flow', async () => {
    const made = await request();
    const flow = await flowOf(made?.id ?? '');
    const shown = await fetch(String(flow?.['authorisation_url']));
    expect(await shown.text()).toContain('I authorise debits');
    const answer = await page(flow?.['authorisation_url'], bsb);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, returnTo]);
    const read = (await ask('GET', `/billing_requests/${made?.id}`)).body['billing_requests'];
    expect(read).toMatchObject({ status: 'fulfilled', metadata: { setup: 'S1' } });
    expect(read?.links['mandate_request_mandate']).toMatch(/^MD/);
    const bank = read?.links['customer_bank_account'];
    const shownAccount = (await ask('GET', `/customer_bank_accounts/${bank}`)).body['customer_bank_accounts'];
    expect(shownAccount).toMatchObject({ account_number_ending: '78', account_holder_name: 'ADA EXAMPLE' });
    expect(Object.keys(shownAccount ?? {}).some((name) => name.startsWith('_'))).toBe(false);
    expect((await page(flow?.['authorisation_url'], bsb)).status).toBe(410);
  });

  it('8: is not given by who leaves the page, types something else, or does not agree', async () => {
    const made = await request();
    const flow = await flowOf(made?.id ?? '');
    const to = String(flow?.['authorisation_url']);
    expect(await (await fetch(to)).text()).toContain(`${returnTo}&amp;exit=1`);
    expect(await (await page(to, { ...bsb, branch_code: '12' })).text()).toContain('branch_code');
    expect((await page(to, { ...bsb, mandate: '' })).status).toBe(200);
    expect(await statusOf(`/billing_requests/${made?.id}`, 'billing_requests')).toBe('pending');
  });

  it('9: is given by the actions of a form of one’s own, in their order', async () => {
    const made = await request();
    const path = `/billing_requests/${made?.id}`;
    const step = (name: string, data: object = {}) => ask('POST', `${path}/actions/${name}`, { data });
    expect((await step('fulfil')).status).toBe(422);
    const customer = { given_name: 'Ada', family_name: 'Example', email: 'ada@example.test' };
    await step('collect_customer_details', { customer });
    await step('collect_bank_account', { ...bsb, account_holder_name: 'Ada Example', country_code: 'AU' });
    expect((await step('confirm_payer_details')).body['billing_requests']?.status).toBe('ready_to_fulfil');
    expect((await step('fulfil')).body['billing_requests']?.status).toBe('fulfilled');
  });

  it.each([
    ['another branch code', 'becs', 'AUD', { ...bsb, branch_code: '12a' }, 'branch_code'],
    [
      'a dollar account without its type',
      'ach',
      'USD',
      { bank_code: '026073150', account_number: '2715500356' },
      'account_type',
    ],
    ['an IBAN with a wrong check digit', 'sepa_core', 'EUR', { iban: 'DE00370400440532013000' }, 'iban'],
  ])('10, 11: %s is refused by name', async (_what, scheme, currency, fields, field) => {
    const made = await request(scheme, currency);
    const data = { ...fields, account_holder_name: 'Ada Example' };
    const answer = await ask('POST', `/billing_requests/${made?.id}/actions/collect_bank_account`, { data });
    expect([answer.type, ...refusal(answer)]).toEqual(['validation_failed', 422, field]);
  });

  it('36: is on an account whose last digits are four in New Zealand', async () => {
    const id = await mandate('Ada', 'becs_nz', 'NZD', {
      bank_code: '12',
      branch_code: '3113',
      account_number: '0003869-00',
    });
    const bank = (await ask('GET', `/mandates/${id}`)).body['mandates']?.links['customer_bank_account'];
    const read = (await ask('GET', `/customer_bank_accounts/${bank}`)).body['customer_bank_accounts'];
    expect(read).toMatchObject({ account_number_ending: '6900', currency: 'NZD' });
  });

  it('16, 29: is cancelled once, with its debits that are not with the bank yet', async () => {
    const id = await mandate();
    const payment = await paid(id);
    expect((await act(`/mandates/${id}`, 'cancel')).body['mandates']?.status).toBe('cancelled');
    expect(await statusOf(`/payments/${payment}`, 'payments')).toBe('cancelled');
    expect(refusal(await act(`/mandates/${id}`, 'cancel'))).toEqual([422, 'cancellation_failed']);
    // 16
    expect(refusal(await pay(id))).toEqual([422, 'mandate_is_inactive']);
  });

  it.each([
    ['Invalid', 2, 'failed'],
    ['Expired', 3, 'expired'],
  ])('of somebody called %s comes to its end by itself', async (name, days, status) => {
    const id = await mandate(name);
    for (let each = 0; each < days; each += 1) await harness.advance(day + 1);
    expect(await statusOf(`/mandates/${id}`, 'mandates')).toBe(status);
  });
});

describe('a payment', () => {
  it('12: is accepted with the amount as a number', async () => {
    const answer = await pay(await mandate());
    expect([answer.status, answer.body['payments']]).toMatchObject([
      201,
      { status: 'pending_submission', amount: 4250, amount_refunded: 0, currency: 'AUD' },
    ]);
  });

  it('13: with a key that was used before is named, and not made', async () => {
    const id = await mandate();
    const headers = newKey();
    const first = await ask('POST', '/payments', order(id), headers);
    const again = await ask('POST', '/payments', order(id, { amount: 1 }), headers);
    expect(refusal(again)).toEqual([409, 'idempotent_creation_conflict']);
    expect(again.entry.links?.['conflicting_resource_id']).toBe(first.body['payments']?.id);
    expect((await ask('GET', `/payments?mandate=${id}`)).body['payments']).toHaveLength(1);
    const long = { ...usual(), 'idempotency-key': 'k'.repeat(129) };
    expect(refusal(await ask('POST', '/payments', order(id), long))).toEqual([
      400,
      'idempotency_key_too_long',
    ]);
  });

  it('15, 17, 18: of no mandate, for yesterday, with numbers as metadata, in another currency is refused', async () => {
    const id = await mandate();
    const yesterday = new Date(Date.now() - day).toISOString().slice(0, 10);
    expect(refusal(await pay('MD0'))).toEqual([422, 'link_not_found']);
    expect(refusal(await pay(id, { charge_date: yesterday }))).toEqual([422, 'charge_date']);
    expect(refusal(await pay(id, { metadata: { invoice: 1042 } }))).toEqual([422, 'metadata']);
    expect(refusal(await pay(id, { currency: 'EUR' }))).toEqual([422, 'currency']);
    expect(refusal(await pay(id, { amount: 42.5 }))).toEqual([422, 'amount']);
  });

  it('19: is cancelled before it is with the bank, and not afterwards', async () => {
    const id = await mandate();
    const [first, second] = [await paid(id), await paid(id)];
    expect((await act(`/payments/${first}`, 'cancel')).body['payments']?.status).toBe('cancelled');
    await run('payment_submitted', second);
    expect(refusal(await act(`/payments/${second}`, 'cancel'))).toEqual([422, 'cancellation_failed']);
  });

  it('20, 21, 22: is confirmed, fails, or fails late, and its events tell it in order', async () => {
    const id = await mandate();
    const [good, bad] = [await paid(id), await paid(id)];
    await run('payment_confirmed', good);
    expect(await told(good)).toEqual(['created', 'submitted', 'confirmed']);
    await run('payment_failed', bad);
    expect(await told(bad)).toEqual(['created', 'submitted', 'failed']);
    await run('payment_late_failure', good);
    expect(await told(good)).toEqual(['created', 'submitted', 'confirmed', 'paid_out', 'failed']);
    expect((await run('payment_confirmed', good)).status).toBe(422);
    expect((await act(`/payments/${good}`, 'retry')).body['payments']?.status).toBe('pending_submission');
    expect(refusal(await act(`/payments/${good}`, 'retry'))).toEqual([422, 'retry_failed']);
  });

  it.each([
    ['Penniless', ['created', 'submitted', 'failed'], 0],
    ['Fickle', ['created', 'submitted', 'confirmed', 'paid_out', 'charged_back'], 1],
    ['Late', ['created', 'submitted', 'confirmed', 'failed'], 1],
    ['Ada', ['created', 'submitted', 'confirmed', 'paid_out'], 1],
  ])('23: of somebody called %s takes its way by itself', async (name, actions, captures) => {
    caller.account = `of${name.toLowerCase()}`;
    const attempt = `ATTEMPT${name.toUpperCase()}`;
    const made = await pay(await mandate(name), { metadata: { attempt } });
    for (let days = 0; days < 5; days += 1) await harness.advance(day);
    expect(await told(made.body['payments']?.id ?? '')).toEqual(actions);
    expect(await harness.captures(attempt)).toHaveLength(captures);
    caller.account = 'plain';
  });
});

describe('a refund', () => {
  const refund = async (payment: string, amount: number, confirmation: number) =>
    ask(
      'POST',
      '/refunds',
      { refunds: { amount, total_amount_confirmation: confirmation, links: { payment } } },
      newKey(),
    );

  it('28: is of what was taken, with the whole sum confirmed, five times at most', async () => {
    const payment = await paid(await mandate());
    expect(refusal(await refund(payment, 1000, 1000))).toEqual([422, 'refund_payment_invalid_state']);
    await run('payment_confirmed', payment);
    expect((await refund(payment, 1000, 1000)).status).toBe(201);
    expect(refusal(await refund(payment, 1000, 900))).toEqual([422, 'total_amount_confirmation_invalid']);
    expect(refusal(await refund(payment, 4000, 5000))).toEqual([422, 'available_refund_amount_insufficient']);
    for (let count = 2; count <= 5; count += 1)
      expect((await refund(payment, 1, 999 + count)).status).toBe(201);
    expect(refusal(await refund(payment, 1, 1005))).toEqual([422, 'number_of_refunds_exceeded']);
  });
});

describe('webhooks', () => {
  it('7, 27: are signed over the bytes, come together, and again after a failure or a redirect', async () => {
    caller.account = 'hooked';
    const statuses = [500, 302, 200];
    const receiver = await webhookReceiver(() => statuses.shift() ?? 200);
    await harness.control('POST', 'webhooks', {
      gateway: 'gocardless',
      url: receiver.url,
      secret: 's',
      account: caller.account,
    });
    let seen = 0;
    const another = () =>
      vi.waitFor(() => {
        expect(receiver.received.length).toBeGreaterThan(seen);
        seen = receiver.received.length;
      });
    const made = await request();
    for (const ms of [0, 2_000, 5_000]) {
      await harness.advance(ms);
      await another();
    }
    expect(receiver.received.length).toBeGreaterThanOrEqual(3);
    const [first, second, third] = receiver.received;
    expect(new Set([first, second, third].map((one) => one?.body.toString())).size).toBe(1);
    const flow = await flowOf(made?.id ?? '');
    await page(flow?.['authorisation_url'], bsb);
    await another();
    const last = receiver.received.at(-1);
    const { events } = JSON.parse(String(last?.body)) as {
      events: { resource_type: string; action: string }[];
    };
    expect(events.map((event) => `${event.resource_type}.${event.action}`)).toEqual([
      'mandates.created',
      'billing_requests.fulfilled',
    ]);
    const expected = createHmac('sha256', 's')
      .update(last?.body ?? '')
      .digest('hex');
    expect(last?.headers['webhook-signature']).toBe(expected);
    receiver.close();
    caller.account = 'plain';
  });
});
