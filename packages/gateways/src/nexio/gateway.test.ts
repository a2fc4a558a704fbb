import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { benchOf, type Opened } from '../cases/test-support.ts';
import { secretBytes } from '../kit/secret-bytes.ts';
import type {
  Action,
  Charge,
  GatewayState,
  OneTimeInput,
  PayOnce,
  SetupCompletion,
} from '../port/gateway.ts';
import { newGatewayRef, remoteId } from '../port/gateway-ref.ts';
import { casesData } from './cases-data.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

/** Against the sandbox: what no case of the list asks. Numbers at the head of titles are those of `cases-data.ts`. */
const { harness, now, advance, open, strategy } = benchOf({ manifest, createGateway }, casesData);

const MINUTE = 60_000;
/** With an answer of the sandbox rewritten on its way. */
const rewriting = (rewrite: (url: string, text: string) => string): Opened =>
  open(
    {},
    {
      async fetch(input, init) {
        const answer = await fetch(input, init);
        return new Response(rewrite(String(input), await answer.text()), answer);
      },
    },
  );

/** What the frame saves: a token. */
async function enteredIn(account: Opened['account'], action: Action): Promise<OneTimeInput> {
  const entered = await casesData.good.once(account, action);
  if ('posted' in entered) throw new Error('the frame posts nothing to us');
  return entered;
}

/** What the frame saves for a payment. */
async function byFrame({ gateway, account }: Opened, minor = 4_215n): Promise<PayOnce> {
  const amount = money(minor, 'USD');
  const entry = await gateway.prepareEntry?.({
    ref: newGatewayRef(),
    purpose: 'payOnce',
    kind: 'card',
    amount,
    returnTo: 'https://p.example/',
    callbackUrl: 'https://p.example/c',
  });
  if (entry?.is !== 'ready') throw new Error('not prepared');
  return { ...(await enteredIn(account, entry.action)), entry: entry.state };
}
const charge = (source: Charge['source'], minor = 4_215n, over: Partial<Charge> = {}): Charge =>
  testCharge({ sentAt: now(), amount: money(minor, 'USD'), fee: money(0n, 'USD'), source, ...over });
const owner = { name: 'Ana Poe', firstName: 'Ana', lastName: 'Poe', shipping: { line1: '1 Bay' } };
const code = (digits: string) => secretBytes(Uint8Array.from(Buffer.from(digits)));
const scan = strategy('scan');

/** A form as the specification posts it: the number encrypted, the code beside it in clear. */
async function form(over: Record<string, string> = {}): Promise<OneTimeInput> {
  const { constants, createPublicKey, publicEncrypt } = await import('node:crypto');
  const key = createPublicKey({
    key: Buffer.from(String(casesData.sandbox.settings['publicKey']), 'base64'),
    format: 'der',
    type: 'spki',
  });
  const visa = ['4111', '1111', '1111', '1111'].join('');
  const encryptedNumber = publicEncrypt(
    { key, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(visa),
  ).toString('base64');
  return {
    secrets: { code: code('111') },
    beside: { encryptedNumber, expirationDate: '2031-09', cardType: 'visa', ...over },
  };
}
const setup = (input: OneTimeInput, over: Partial<SetupCompletion> = {}): SetupCompletion => ({
  ref: newGatewayRef(),
  payer: { ref: 'CUST' },
  step: { ref: 'CUST', kind: 'card' },
  input,
  owner,
  returnTo: 'https://portal.example/',
  ...over,
});

describe('a number that was encrypted', () => {
  it('is saved with its code, and is the customer’s', async () => {
    const { gateway, sent } = open({ verifyCvc: true });
    const saved = await gateway.completeSetup?.(setup(await form()));
    expect(saved).toMatchObject({
      is: 'saved',
      method: {
        show: { brand: 'visa', last4: '1111', name: 'Ana Poe', firstName: 'Ana', shippingLine1: '1 Bay' },
        expires: '2031-09',
      },
    });
    const [, save] = sent;
    expect(JSON.parse(save?.body ?? '')).toMatchObject({
      card: { securityCode: '111' },
      data: { customer: { customerRef: 'CUST' } },
    });
  });
  it('5: makes a one-time token for each try', async () => {
    const { gateway, to } = open();
    await gateway.completeSetup?.(setup(await form()));
    await gateway.completeSetup?.(setup(await form()));
    const tokens = to('POST /saveCard').map(({ body }) => JSON.parse(body).token);
    expect(new Set(tokens).size).toBe(2);
  });
  it('6: a number that cannot be read is refused, and so is a wrong date', async () => {
    const saved = async (over: Record<string, string>) =>
      open().gateway.completeSetup?.(setup(await form(over)));
    const refused = (text: string) => ({ is: 'refused', why: { text } });
    expect(await saved({ encryptedNumber: 'A'.repeat(344) })).toMatchObject(refused('Check the card number'));
    expect(await saved({ expirationDate: '' })).toMatchObject(refused('Please provide valid date'));
  });
  it('without a holder nothing is sent', async () => {
    const { gateway, sent } = open();
    expect(await gateway.completeSetup?.(setup(await form(), { owner: {} }))).toMatchObject({
      is: 'refused',
    });
    expect(sent).toEqual([]);
  });
  it('pays once, and its token is removed afterwards', async () => {
    const opened = open();
    const order = charge(await form(), 4_215n, { owner });
    const { outcome, kept } = await opened.pay(order);
    expect(outcome).toMatchObject({
      is: 'succeeded',
      captured: { minor: 4_215n },
      remote: order.ref,
      shown: { last4: '1111' },
    });
    const state = (outcome as { state: GatewayState }).state;
    expect(state['temporary']).toBe(kept?.['temporary']);
    await opened.gateway.cleanUp?.(order, state);
    await opened.gateway.cleanUp?.(order, state);
    const gone = await opened.gateway.getMethod?.({ token: state['temporary'] ?? '', kind: 'card' });
    expect(gone).toEqual({ is: 'gone' });
  });
});

it('a card that was saved for one payment is removed though its answer was lost', async () => {
  const opened = rewriting((url, text) => (url.endsWith('/saveCard') ? text.slice(0, 20) : text));
  const order = charge(await form(), 4_215n, { owner });
  expect((await opened.pay(order)).outcome).toMatchObject({ is: 'notAttempted', why: 'unreachable' });
  const cards = async () => {
    const answer = await fetch(`${harness.sandbox.url}/nexio/card/v3?customerRef=${order.ref}`, {
      headers: { authorization: `Basic ${Buffer.from('cases:sandbox-cases').toString('base64')}` },
    });
    return ((await answer.json()) as { rows: readonly object[] }).rows;
  };
  expect(await cards()).toHaveLength(1);
  await opened.gateway.cleanUp?.(order, {});
  expect(await cards()).toEqual([]);
});

describe('the frame', () => {
  it('36: of what the frame has saved, a token alone comes here', async () => {
    const opened = open();
    const source = await byFrame(opened);
    expect(new Set(Object.keys(source))).toEqual(new Set(['entry', 'token']));
    expect((await opened.pay(charge(source))).outcome.is).toBe('succeeded');
    for (const { body } of opened.sent) expect(body).not.toMatch(/encryptedNumber|securityCode|4111/);
  });
  it('a token of another customer neither pays nor is saved', async () => {
    const opened = open();
    const source = await byFrame(opened);
    const foreign = { ...source, entry: { ref: 'another' } };
    expect((await opened.pay(charge(foreign))).outcome).toMatchObject({
      is: 'notAttempted',
      why: 'invalid',
    });
    expect(opened.to('POST /process')).toEqual([]);
    const token = 'token' in source ? source.token : '';
    expect(await opened.gateway.completeSetup?.(setup({ token }))).toMatchObject({ is: 'notAttempted' });
  });
  it('what was typed beside it is told to the vault', async () => {
    const opened = open();
    const person = { customerId: 'CUST', resellerId: '1', name: 'x', email: 'ana@example.test' };
    const entry = await opened.gateway.prepareEntry?.({
      ref: newGatewayRef(),
      purpose: 'save',
      kind: 'card',
      person,
      returnTo: 'https://p.example/',
      callbackUrl: 'https://p.example/c',
    });
    if (entry?.is !== 'ready') throw new Error('not prepared');
    const saved = await opened.gateway.completeSetup?.(
      setup(await enteredIn(opened.account, entry.action), { entry: entry.state }),
    );
    expect(saved).toMatchObject({
      is: 'saved',
      method: { show: { lastName: 'Poe', shippingLine1: '1 Bay', email: 'ana@example.test' } },
    });
  });
});

describe('finding out', () => {
  it('21: a time-out is unknown, absent while nothing is listed, then found, and never paid again', async () => {
    const opened = open();
    const order = charge(await byFrame(opened, 4_208n), 4_208n);
    const { outcome, kept } = await opened.pay(order);
    expect(outcome.is).toBe('unknown');
    const look = () => opened.gateway.lookup({ ...order, source: 'lost' }, kept, scan);
    expect(await look()).toEqual({ is: 'absent', proven: false });
    await advance(MINUTE);
    expect(await look()).toMatchObject({ is: 'succeeded', captured: { minor: 4_208n } });
    expect(opened.to('POST /process')).toHaveLength(1);
    expect(await harness.captures(order.ref)).toHaveLength(1);
  });
  it('34: what no list shows is never absent for certain', async () => {
    const { gateway } = open();
    const order = charge('lost');
    await advance(90 * 24 * 60 * MINUTE);
    expect(await gateway.lookup(order, { processing: 'card' }, scan)).toEqual({
      is: 'absent',
      proven: false,
    });
    expect((await gateway.cancel(order, { processing: 'card' })).is).toBe('absent');
    expect(await gateway.cancel(order, undefined)).toEqual({ is: 'closed' });
  });
  it('35: found by a list without its id it is paid, and not refunded here', async () => {
    const opened = rewriting((url, text) =>
      url.includes('/transaction/v3?') ? text.replace(/"originalId":"[^"]*"/g, '"x":1') : text,
    );
    const order = charge(await byFrame(opened));
    await opened.pay(order);
    await advance(MINUTE);
    const found = await opened.gateway.lookup({ ...order, source: 'lost' }, { processing: 'card' }, scan);
    if (found.is !== 'succeeded') throw new Error(found.is);
    const refund = await opened.gateway.refund(testRefund(order, found));
    expect(refund).toMatchObject({ is: 'notAttempted', why: 'invalid' });
  });
  it('26: the bank is asked, and the payment read afterwards', async () => {
    const opened = open();
    const order = charge(await byFrame(opened, 4_203n), 4_203n);
    const { outcome } = await opened.pay(order);
    if (outcome.is !== 'requiresAction' || outcome.action.do !== 'redirect') throw new Error(outcome.is);
    const { state, action } = outcome;
    expect((await opened.gateway.handleReturn(order, state, {})).is).toBe('requiresAction');
    expect((await opened.gateway.cancel(order, state)).is).toBe('cannotCancel');
    await harness.answerChallenge(action.to, 'complete');
    await advance(MINUTE);
    expect(await opened.gateway.handleReturn(order, state, { anything: '1' })).toMatchObject({
      is: 'succeeded',
      captured: { minor: 4_203n },
    });
    const failed = charge(await byFrame(opened, 4_203n), 4_203n);
    const second = (await opened.pay(failed)).outcome;
    if (second.is !== 'requiresAction' || second.action.do !== 'redirect') throw new Error(second.is);
    await harness.answerChallenge(second.action.to, 'fail');
    await advance(MINUTE);
    expect((await opened.gateway.handleReturn(failed, second.state, {})).is).toBe('declined');
  });
  it('32: a hint is looked up, and a forged one leads nowhere', async () => {
    const opened = open();
    const order = charge(await byFrame(opened));
    await opened.pay(order);
    await advance(MINUTE);
    const [capture] = await harness.captures(order.ref);
    const row = await fetch(
      `${harness.sandbox.url}/nexio/transaction/v3?plugin.originalId=${encodeURIComponent(capture?.remote ?? '')}`,
      {
        headers: { authorization: `Basic ${Buffer.from('cases:sandbox-cases').toString('base64')}` },
      },
    );
    const { rows } = (await row.json()) as { rows: { id: number }[] };
    const event = (remote: string) =>
      opened.gateway.resolveEvent?.({ id: 'x', about: 'charge', remote: remoteId(remote) });
    expect(await event(`txn-${rows[0]?.id}`)).toMatchObject([{ ref: order.ref, remote: order.ref }]);
    expect(await event('txn-1')).toBe('inconclusive');
  });
  it('a debit that comes back after it was paid is told', async () => {
    const opened = open();
    const order = charge(await byFrame(opened));
    await harness.fault({ operation: 'charge', mode: 'late-failure', ms: 1_000 });
    const { outcome } = await opened.pay(order);
    await advance(MINUTE);
    const told = await opened.gateway.listReversals?.(order, (outcome as { state: GatewayState }).state);
    expect(told).toMatchObject({ reversals: [{ kind: 'failed', of: order.ref, amount: { minor: 4_215n } }] });
  });
  it('lists what was taken since, ours by its reference', async () => {
    const opened = open();
    const since = now();
    const order = charge(await byFrame(opened));
    await opened.pay(order);
    await advance(MINUTE);
    const listed = await Array.fromAsync(opened.gateway.listCharges?.(since) ?? []);
    expect(listed.find(({ ref }) => ref === order.ref)).toMatchObject({
      amount: { minor: 4_215n },
      kind: 'card',
      labels: { invoice: order.labels.invoice },
    });
  });
});
