/** The adapter in front of the sandbox: what no case of the list asks. */
import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { lost } from '../cases/session.ts';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { benchOf, type Opened, polled } from '../cases/test-support.ts';
import type { Charge, GatewayState, LookupStrategy } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { casesData } from './cases-data.ts';
import { answerPage } from './demo.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

const { harness, now, advance, open, refunded, strategy, taken } = benchOf(
  { manifest, createGateway },
  casesData,
);
const [byRef, replay] = [strategy('ref'), strategy('replay')];
const minute = 60_000;
const securityKey = String(casesData.sandbox.settings['securityKey']);
const visa = ['4111', '1111', '1111', '1111'].join('');

async function prepared({ gateway }: Opened, kind: 'card' | 'bank' = 'card') {
  const entry = await gateway.prepareEntry?.({
    ref: newGatewayRef(),
    purpose: 'payOnce',
    kind,
    returnTo: 'https://portal.example/',
    callbackUrl: 'https://portal.example/callback',
  });
  if (entry?.is !== 'ready') throw new Error(`no entry: ${entry?.is}`);
  return entry;
}
const typedCard = { number: visa, expiry: '09/31', code: '123' };

/** A charge whose method was entered on the hosted page. */
async function entered(opened: Opened, account?: string): Promise<Charge> {
  const kind = account === undefined ? 'card' : 'bank';
  const entry = await prepared(opened, kind);
  const typed = account === undefined ? typedCard : { routing: '111000025', account };
  const read = opened.gateway.readCallback?.(entry.state, await answerPage(entry.action, typed));
  if (read?.is !== 'entered') throw new Error(`not entered: ${read?.is}`);
  const consent = { text: 'yes', version: '1', at: now(), ip: '203.0.113.7', agent: 'test' };
  return testCharge({
    amount: money(4_250n, 'USD'),
    sentAt: now(),
    owner: { name: 'Ada Example' },
    source: {
      ...read.input,
      entry: entry.state,
      ...(kind === 'bank' && { debit: { scheme: 'ach', consent } }),
    },
  });
}
/** Sends it. @returns its outcome, the row's charge as it is built again, and what is kept */
async function sent({ pay }: Opened, one: Charge) {
  const { outcome, kept } = await pay(one);
  const state = 'state' in outcome ? (outcome.state ?? kept) : kept;
  return { outcome, row: lost(one), state };
}
/** Look-ups one after the other, each with what the one before has left. */
async function lookedUp(
  { gateway }: Opened,
  row: Charge,
  first: GatewayState | undefined,
  steps: readonly (LookupStrategy | number)[],
): Promise<string[]> {
  const found: string[] = [];
  let state = first;
  for (const step of steps) {
    if (typeof step === 'number') await advance(step);
    else {
      const result = await gateway.lookup(row, state, step);
      if ('state' in result && result.state !== undefined) state = result.state;
      found.push(result.is);
    }
  }
  return found;
}

describe('a sale without an answer', () => {
  it('16: that was taken counts once it is found again ten minutes later', async () => {
    const opened = open();
    await harness.fault({ operation: 'charge', mode: 'reset-after' });
    const { outcome, row, state } = await sent(opened, await entered(opened));
    expect(outcome).toMatchObject({ is: 'unknown' });
    const steps = [byRef, byRef, 9 * minute, byRef, 2 * minute, byRef];
    expect(await lookedUp(opened, row, state, steps)).toEqual(['pending', 'pending', 'pending', 'succeeded']);
    expect(await taken(row.ref)).toEqual([4_250n]);
  });

  it('17: that never arrived is sent once more under its id, after it was not found twice', async () => {
    const opened = open();
    await harness.fault({ operation: 'charge', mode: 'timeout-before' });
    const { row, state } = await sent(opened, await entered(opened));
    expect(await lookedUp(opened, row, state, [byRef, replay])).toEqual(['inconclusive', 'succeeded']);
    expect(await taken(row.ref)).toEqual([4_250n]);
  });

  it('17: is not sent by the first look-up, and not a third time', async () => {
    const opened = open();
    await harness.fault({ operation: 'charge', mode: 'timeout-before', times: 2 });
    const { row, state } = await sent(opened, await entered(opened));
    const steps = [replay, byRef, replay, replay, replay, byRef];
    expect(await lookedUp(opened, row, state, steps)).toEqual([
      'inconclusive',
      'absent',
      'inconclusive',
      'inconclusive',
      'inconclusive',
      'absent',
    ]);
    expect(await taken(row.ref)).toEqual([]);
  });

  it('18: is never sent again while look-ups fail', async () => {
    const opened = open();
    await harness.fault({ operation: 'charge', mode: 'timeout-before' });
    const { row, state } = await sent(opened, await entered(opened));
    await harness.fault({ operation: 'find', mode: 'lookup-down', times: 4 });
    expect(await lookedUp(opened, row, state, [byRef, replay, byRef, replay])).toEqual(
      Array.from({ length: 4 }, () => 'inconclusive'),
    );
    expect(await taken(row.ref)).toEqual([]);
  });

  it('37: that the gateway voids by itself is closed by the second look-up', async () => {
    const opened = open();
    await harness.fault({ operation: 'charge', mode: 'reset-after' });
    await harness.fault({ operation: 'charge', mode: 'self-void', ms: minute });
    const { row, state } = await sent(opened, await entered(opened));
    expect(await lookedUp(opened, row, state, [byRef, 11 * minute, byRef])).toEqual(['pending', 'closed']);
    expect(await taken(row.ref)).toEqual([]);
  });

  it('37: voided once it counted, it is a late failure; one that was answered is not asked about', async () => {
    const opened = open();
    const { gateway } = opened;
    await harness.fault({ operation: 'charge', mode: 'self-void', ms: 15 * minute });
    const { row, state } = await sent(opened, await entered(opened));
    await advance(20 * minute);
    expect(await gateway.listReversals?.(row, { ...state, found: 'byEnquiry' })).toMatchObject({
      reversals: [{ kind: 'failed', of: row.ref, amount: row.amount }],
    });
    expect(await gateway.listReversals?.(row, state ?? {})).toEqual({ reversals: [] });
  });

  it('36: of an account is looked for on its own terminal', async () => {
    const opened = open();
    await harness.fault({ operation: 'charge', mode: 'reset-after' });
    const { row, state } = await sent(opened, await entered(opened, '000012345'));
    expect(await lookedUp(opened, row, state, [byRef, minute, byRef])).toEqual(['pending', 'succeeded']);
    expect(await lookedUp(opened, row, { ...state, kind: 'card' }, [byRef])).toEqual(['inconclusive']);
  });
});

describe('after the end', () => {
  it.each([
    ['a debit that its bank returns later', '000012345', 'failed', 'R10'],
    ['a card that is charged back', undefined, 'chargeback', '4837'],
  ])('34: %s is told by an event that has one name, and once', async (_, account, kind, code) => {
    const opened = open();
    const { gateway } = opened;
    await harness.fault({ operation: 'charge', mode: 'late-failure', ms: 10 * minute });
    const { row, state } = await sent(opened, await entered(opened, account));
    await advance(minute);
    expect((await gateway.lookup(row, state, byRef)).is).toBe('succeeded');
    const before = await polled(gateway);
    expect(before.some(({ ref }) => ref === row.ref)).toBe(false);
    await advance(15 * minute);
    const after = (await polled(gateway, now().toISOString())).filter(({ ref }) => ref === row.ref);
    const again = (await polled(gateway)).filter(({ ref }) => ref === row.ref);
    expect(after).toHaveLength(1);
    expect(again.map(({ id }) => id)).toEqual(after.map(({ id }) => id));
    for (let look = 0; look < 2; look += 1)
      expect(await gateway.listReversals?.(row, state ?? {})).toEqual({
        reversals: [{ kind, remote: `${row.ref}/${code}`, of: row.ref, amount: row.amount, code }],
      });
  });

  it('a list that cannot be read is no list', async () => {
    const { gateway } = open({ reportingPassword: 'wrong' });
    await expect(polled(gateway)).rejects.toThrow('Invalid credentials');
    const state = { token: 'x1', kind: 'bank' };
    expect(await gateway.listReversals?.(testCharge(), state)).toBe('inconclusive');
    expect(await gateway.verifyCredentials()).toMatchObject({
      ok: false,
      why: 'Reporting: Invalid credentials',
    });
  });

  it('all charges are listed with what they need, and no void', async () => {
    const opened = open();
    const { gateway } = opened;
    const since = now();
    const [kept, voided, debited] = await Promise.all(
      [undefined, undefined, '000012345'].map(async (account) =>
        sent(opened, await entered(opened, account)),
      ),
    );
    if (voided?.outcome.is !== 'succeeded') throw new Error('it was not taken');
    await gateway.refund(testRefund(voided.row, voided.outcome, { sentAt: now() }));
    const charges = await Array.fromAsync(gateway.listCharges?.(since) ?? []);
    const listed = new Map(charges.map((one) => [one.ref, one]));
    expect(listed.get(kept?.row.ref)).toMatchObject({
      amount: kept?.row.amount,
      labels: { customer: kept?.row.labels.customer, invoice: kept?.row.labels.invoice },
      outcome: {
        is: 'succeeded',
        state: {
          kind: 'card',
          token: expect.stringMatching(/1111$/),
          approval: expect.stringMatching(/^TEST/),
        },
      },
    });
    expect(listed.has(voided.row.ref)).toBe(false);
    expect(listed.get(debited?.row.ref)).toMatchObject({ kind: 'bank', outcome: { is: 'pending' } });
  });
});

describe('refunds', () => {
  it('22: more than was taken is refused before it is sent', async () => {
    const opened = open();
    const { gateway } = opened;
    const { outcome, row } = await sent(opened, await entered(opened));
    if (outcome.is !== 'succeeded') throw new Error(outcome.is);
    const order = testRefund(row, outcome, { amount: money(4_251n, 'USD'), sentAt: now() });
    expect(await gateway.refund(order)).toMatchObject({ is: 'notAttempted', why: 'invalid' });
    expect(await refunded(order.ref)).toEqual([]);
  });

  it('once a sale is settled it is credited; an account is credited and waits for its bank', async () => {
    const opened = open();
    const { gateway } = opened;
    const sale = await sent(opened, await entered(opened));
    if (sale.outcome.is !== 'succeeded') throw new Error(sale.outcome.is);
    await advance(24 * 60 * minute);
    const credit = testRefund(sale.row, sale.outcome, { sentAt: now() });
    expect(await gateway.refund(credit)).toMatchObject({ is: 'succeeded', remote: credit.ref });
    const debit = await sent(opened, await entered(opened, '000012345'));
    await advance(minute);
    const settled = await gateway.lookup(debit.row, debit.state, byRef);
    if (settled.is !== 'succeeded') throw new Error(settled.is);
    const back = testRefund(debit.row, settled, { sentAt: now() });
    expect(await gateway.refund(back)).toMatchObject({ is: 'pending', because: 'bank' });
    await advance(minute);
    expect(await gateway.lookupRefund?.(back, undefined, byRef)).toMatchObject({
      is: 'succeeded',
      captured: back.amount,
    });
    expect(await refunded(back.ref)).toEqual([4_250n]);
  });
});

describe('what the hosted page posts', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['as it was posted', {}, 'entered'],
    ['with an amount, which is left aside', { Amount: '1.00' }, 'entered'],
    ['with a warning of the page', { ActionCode: 'AFS-103' }, 'entered'],
    ['for another form', { ReferenceID: 'OTHER' }, 'refused'],
    ['with another hash', { ReturnToken: '0'.repeat(40) }, 'refused'],
    ['without a hash', { ReturnToken: '' }, 'refused'],
    ['without a token', { CardToken: '' }, 'refused'],
    ['with a word of refusal', { Valid: 'False', ActionCode: '900' }, 'declined'],
  ])('29, 32: %s', async (_, over, is) => {
    const opened = open();
    const { gateway } = opened;
    const entry = await prepared(opened);
    const posted = await answerPage(entry.action, typedCard);
    const read = gateway.readCallback?.(entry.state, { ...posted, ...over });
    expect(read?.is).toBe(is);
    if (read?.is !== 'entered') return;
    expect(read).toMatchObject({ input: { token: posted['CardToken'] }, once: posted['TransactionID'] });
    expect(read.message).toBe(over['ActionCode'] ?? '000');
  });

  it('38: is what pays: a token that came otherwise, or by another form, pays and saves nothing', async () => {
    const opened = open();
    const { gateway } = opened;
    const one = await entered(opened);
    const other = await prepared(opened);
    const { source } = one;
    if (source === 'lost' || !('token' in source)) throw new Error('no token');
    for (const odd of [
      { token: source.token, entry: source.entry ?? {} },
      { ...source, entry: other.state },
      { ...source, token: '4F2A9C1D7B3E1111' },
      { fields: {}, entry: other.state },
    ]) {
      const { outcome } = await sent(opened, { ...one, source: odd });
      expect(outcome).toMatchObject({ is: 'notAttempted', why: 'invalid' });
      const { entry = {}, ...input } = odd;
      const setup = { ref: one.ref, payer: {}, step: {}, input, entry, returnTo: 'https://portal.example/' };
      expect(await gateway.completeSetup?.(setup)).toMatchObject({ is: 'notAttempted', why: 'invalid' });
    }
    expect(await taken(one.ref)).toEqual([]);
  });

  it('35: and every form asks for a token alone', async () => {
    for (const kind of ['card', 'bank'] as const) {
      const { action } = await prepared(open(), kind);
      expect(action).toMatchObject({ do: 'form', fields: { TransactionType: 'TOKENIZE', Amount: '0.00' } });
      expect(JSON.stringify(action)).not.toContain(securityKey);
    }
  });
});

describe('an account', () => {
  it('without the Reporting service, or a terminal for them, takes no bank accounts', () => {
    expect(Object.keys(open().gateway.capabilities.entry)).toEqual(['card', 'bank']);
    for (const missing of ['reportingPassword', 'achTerminalId'] as const) {
      const { gateway } = open({ [missing]: undefined });
      expect(Object.keys(gateway.capabilities.entry)).toEqual(['card']);
    }
  });

  it.each([
    ['card', { terminalId: '0nobody' }],
    ['bank', { achTerminalId: '0nobody' }],
    ['card', { password: 'wrong' }],
  ])('whose keys are wrong is told: terminal for %s', async (kind, wrong) => {
    const check = await open(wrong).gateway.verifyCredentials();
    expect(check).toMatchObject({ ok: false, why: expect.stringContaining(`terminal for ${kind}`) });
    expect(check.unreachable).toBeUndefined();
  });
});

it('33: no log shows a number or a key', async () => {
  const opened = open();
  const other = open({ terminalId: '0nobody' });
  await harness.fault({ operation: 'charge', mode: 'malformed' });
  await sent(opened, await entered(opened));
  await sent(other, await entered(opened));
  const lines = [...opened.logged, ...other.logged];
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toMatch(/\d{13,}/);
  expect(lines.join('\n')).not.toContain(securityKey);
});
