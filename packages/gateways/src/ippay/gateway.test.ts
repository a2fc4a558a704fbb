/** The adapter in front of the sandbox: what no case of the list asks. */
import { money } from '@counterfoil/domain/money/money.ts';
import { nowhere } from '@counterfoil/testing/ports.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type SandboxControl } from '../cases/sandbox-control.ts';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { resolveAddresses } from '../port/addresses.ts';
import type { Charge, Gateway, GatewayEvent, GatewayState, LookupStrategy } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { casesData } from './cases-data.ts';
import { answerPage, sandboxKeys } from './demo.ts';
import { createGateway } from './gateway.ts';
import { type IppaySettings, manifest } from './manifest.ts';

const settings = sandboxKeys('cases') as unknown as IppaySettings;
let control: SandboxControl;
const lines: string[] = [];
beforeAll(async () => {
  control = await openSandbox('ippay', casesData.sandbox, await nowhere());
});
afterAll(() => control.close());
afterEach(() => control.clearFaults());

const open = (over: Partial<IppaySettings> = {}): Gateway =>
  createGateway({
    config: { ...settings, ...over },
    addresses: resolveAddresses(manifest, { GATEWAY_URL_IPPAY: control.url }),
    clock: control,
    log: {
      debug: (fields, message) => void lines.push(JSON.stringify([fields, message])),
      warn: (fields, message) => void lines.push(JSON.stringify([fields, message])),
    },
    timeoutMs: 1_500,
  });
const [byRef, replay] = manifest.capabilities.lookup as [LookupStrategy, LookupStrategy];
const minute = 60_000;
const visa = ['4111', '1111', '1111', '1111'].join('');

async function prepared(gateway: Gateway, kind: 'card' | 'bank' = 'card') {
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
async function entered(gateway: Gateway, account?: string): Promise<Charge> {
  const kind = account === undefined ? 'card' : 'bank';
  const entry = await prepared(gateway, kind);
  const typed = account === undefined ? typedCard : { routing: '111000025', account };
  const read = gateway.readCallback?.(entry.state, await answerPage(entry.action, typed));
  if (read?.is !== 'entered') throw new Error(`not entered: ${read?.is}`);
  const consent = { text: 'yes', version: '1', at: control.now(), ip: '203.0.113.7', agent: 'test' };
  return testCharge({
    amount: money(4_250n, 'USD'),
    sentAt: control.now(),
    owner: { name: 'Ada Example' },
    source: {
      ...read.input,
      entry: entry.state,
      ...(kind === 'bank' && { debit: { scheme: 'ach', consent } }),
    },
  });
}
/** Sends it. @returns its outcome, the row's charge as it is built again, and what is kept */
async function sent(gateway: Gateway, one: Charge) {
  let state: GatewayState | undefined;
  const outcome = await gateway.charge(one, async (kept) => {
    state = kept;
  });
  if ('state' in outcome && outcome.state !== undefined) state = outcome.state;
  return { outcome, row: { ...one, source: 'lost' as const }, state };
}
/** Look-ups one after the other, each with what the one before has left. */
async function lookedUp(
  gateway: Gateway,
  row: Charge,
  first: GatewayState | undefined,
  steps: readonly (LookupStrategy | number)[],
): Promise<string[]> {
  const found: string[] = [];
  let state = first;
  for (const step of steps) {
    if (typeof step === 'number') await control.advance(step);
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
    const gateway = open();
    await control.fault('charge', 'reset-after');
    const { outcome, row, state } = await sent(gateway, await entered(gateway));
    expect(outcome).toMatchObject({ is: 'unknown' });
    const steps = [byRef, byRef, 9 * minute, byRef, 2 * minute, byRef];
    expect(await lookedUp(gateway, row, state, steps)).toEqual([
      'pending',
      'pending',
      'pending',
      'succeeded',
    ]);
    expect(await control.taken(row.ref)).toEqual([4_250n]);
  });

  it('17: that never arrived is sent once more under its id, after it was not found twice', async () => {
    const gateway = open();
    await control.fault('charge', 'timeout-before');
    const { row, state } = await sent(gateway, await entered(gateway));
    expect(await lookedUp(gateway, row, state, [byRef, replay])).toEqual(['inconclusive', 'succeeded']);
    expect(await control.taken(row.ref)).toEqual([4_250n]);
  });

  it('17: is not sent by the first look-up, and not a third time', async () => {
    const gateway = open();
    await control.fault('charge', 'timeout-before', { times: 2 });
    const { row, state } = await sent(gateway, await entered(gateway));
    const steps = [replay, byRef, replay, replay, replay, byRef];
    expect(await lookedUp(gateway, row, state, steps)).toEqual([
      'inconclusive',
      'absent',
      'inconclusive',
      'inconclusive',
      'inconclusive',
      'absent',
    ]);
    expect(await control.taken(row.ref)).toEqual([]);
  });

  it('18: is never sent again while look-ups fail', async () => {
    const gateway = open();
    await control.fault('charge', 'timeout-before');
    const { row, state } = await sent(gateway, await entered(gateway));
    await control.fault('find', 'lookup-down', { times: 4 });
    expect(await lookedUp(gateway, row, state, [byRef, replay, byRef, replay])).toEqual(
      Array.from({ length: 4 }, () => 'inconclusive'),
    );
    expect(await control.taken(row.ref)).toEqual([]);
  });

  it('37: that the gateway voids by itself is closed by the second look-up', async () => {
    const gateway = open();
    await control.fault('charge', 'reset-after');
    await control.fault('charge', 'self-void', { ms: minute });
    const { row, state } = await sent(gateway, await entered(gateway));
    expect(await lookedUp(gateway, row, state, [byRef, 11 * minute, byRef])).toEqual(['pending', 'closed']);
    expect(await control.taken(row.ref)).toEqual([]);
  });

  it('37: voided once it counted, it is a late failure; one that was answered is not asked about', async () => {
    const gateway = open();
    await control.fault('charge', 'self-void', { ms: 15 * minute });
    const { row, state } = await sent(gateway, await entered(gateway));
    await control.advance(20 * minute);
    expect(await gateway.listReversals?.(row, { ...state, found: 'byEnquiry' })).toMatchObject({
      reversals: [{ kind: 'failed', of: row.ref, amount: row.amount }],
    });
    expect(await gateway.listReversals?.(row, state ?? {})).toEqual({ reversals: [] });
  });

  it('36: of an account is looked for on its own terminal', async () => {
    const gateway = open();
    await control.fault('charge', 'reset-after');
    const { row, state } = await sent(gateway, await entered(gateway, '000012345'));
    expect(await lookedUp(gateway, row, state, [byRef, minute, byRef])).toEqual(['pending', 'succeeded']);
    expect(await lookedUp(gateway, row, { ...state, kind: 'card' }, [byRef])).toEqual(['inconclusive']);
  });
});

describe('after the end', () => {
  const events = async (gateway: Gateway, cursor?: string) => {
    const all: (GatewayEvent & { cursor: string })[] = [];
    for await (const event of gateway.pollEvents?.(cursor) ?? []) all.push(event);
    return all;
  };

  it.each([
    ['a debit that its bank returns later', '000012345', 'failed', 'R10'],
    ['a card that is charged back', undefined, 'chargeback', '4837'],
  ])('34: %s is told by an event that has one name, and once', async (_, account, kind, code) => {
    const gateway = open();
    await control.fault('charge', 'late-failure', { ms: 10 * minute });
    const { row, state } = await sent(gateway, await entered(gateway, account));
    await control.advance(minute);
    expect((await gateway.lookup(row, state, byRef)).is).toBe('succeeded');
    const before = await events(gateway);
    expect(before.some(({ ref }) => ref === row.ref)).toBe(false);
    await control.advance(15 * minute);
    const after = (await events(gateway, control.now().toISOString())).filter(({ ref }) => ref === row.ref);
    const again = (await events(gateway)).filter(({ ref }) => ref === row.ref);
    expect(after).toHaveLength(1);
    expect(again.map(({ id }) => id)).toEqual(after.map(({ id }) => id));
    for (let look = 0; look < 2; look += 1)
      expect(await gateway.listReversals?.(row, state ?? {})).toEqual({
        reversals: [{ kind, remote: `${row.ref}/${code}`, of: row.ref, amount: row.amount, code }],
      });
  });

  it('a list that cannot be read is no list', async () => {
    const gateway = open({ reportingPassword: 'wrong' });
    await expect(events(gateway)).rejects.toThrow('Invalid credentials');
    const state = { token: 'x1', kind: 'bank' };
    expect(await gateway.listReversals?.(testCharge(), state)).toBe('inconclusive');
    expect(await gateway.verifyCredentials()).toMatchObject({
      ok: false,
      why: 'Reporting: Invalid credentials',
    });
  });

  it('all charges are listed with what they need, and no void', async () => {
    const gateway = open();
    const since = control.now();
    const [kept, voided, debited] = await Promise.all(
      [undefined, undefined, '000012345'].map(async (account) =>
        sent(gateway, await entered(gateway, account)),
      ),
    );
    if (voided?.outcome.is !== 'succeeded') throw new Error('it was not taken');
    await gateway.refund(testRefund(voided.row, voided.outcome, { sentAt: control.now() }));
    const listed = new Map<string | undefined, unknown>();
    for await (const one of gateway.listCharges?.(since) ?? []) listed.set(one.ref, one);
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
    const gateway = open();
    const { outcome, row } = await sent(gateway, await entered(gateway));
    if (outcome.is !== 'succeeded') throw new Error(outcome.is);
    const order = testRefund(row, outcome, { amount: money(4_251n, 'USD'), sentAt: control.now() });
    expect(await gateway.refund(order)).toMatchObject({ is: 'notAttempted', why: 'invalid' });
    expect(await control.refunded(order.ref)).toEqual([]);
  });

  it('once a sale is settled it is credited; an account is credited and waits for its bank', async () => {
    const gateway = open();
    const sale = await sent(gateway, await entered(gateway));
    if (sale.outcome.is !== 'succeeded') throw new Error(sale.outcome.is);
    await control.advance(24 * 60 * minute);
    const credit = testRefund(sale.row, sale.outcome, { sentAt: control.now() });
    expect(await gateway.refund(credit)).toMatchObject({ is: 'succeeded', remote: credit.ref });
    const debit = await sent(gateway, await entered(gateway, '000012345'));
    await control.advance(minute);
    const settled = await gateway.lookup(debit.row, debit.state, byRef);
    if (settled.is !== 'succeeded') throw new Error(settled.is);
    const back = testRefund(debit.row, settled, { sentAt: control.now() });
    expect(await gateway.refund(back)).toMatchObject({ is: 'pending', because: 'bank' });
    await control.advance(minute);
    expect(await gateway.lookupRefund?.(back, undefined, byRef)).toMatchObject({
      is: 'succeeded',
      captured: back.amount,
    });
    expect(await control.refunded(back.ref)).toEqual([4_250n]);
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
    const gateway = open();
    const entry = await prepared(gateway);
    const posted = await answerPage(entry.action, typedCard);
    const read = gateway.readCallback?.(entry.state, { ...posted, ...over });
    expect(read?.is).toBe(is);
    if (read?.is !== 'entered') return;
    expect(read).toMatchObject({ input: { token: posted['CardToken'] }, once: posted['TransactionID'] });
    expect(read.message).toBe(over['ActionCode'] ?? '000');
  });

  it('38: is what pays: a token that came otherwise, or by another form, pays and saves nothing', async () => {
    const gateway = open();
    const one = await entered(gateway);
    const other = await prepared(gateway);
    const { source } = one;
    if (source === 'lost' || !('token' in source)) throw new Error('no token');
    for (const odd of [
      { token: source.token, entry: source.entry ?? {} },
      { ...source, entry: other.state },
      { ...source, token: '4F2A9C1D7B3E1111' },
      { fields: {}, entry: other.state },
    ]) {
      const { outcome } = await sent(gateway, { ...one, source: odd });
      expect(outcome).toMatchObject({ is: 'notAttempted', why: 'invalid' });
      const { entry = {}, ...input } = odd;
      const setup = { ref: one.ref, payer: {}, step: {}, input, entry, returnTo: 'https://portal.example/' };
      expect(await gateway.completeSetup?.(setup)).toMatchObject({ is: 'notAttempted', why: 'invalid' });
    }
    expect(await control.taken(one.ref)).toEqual([]);
  });

  it('35: and every form asks for a token alone', async () => {
    for (const kind of ['card', 'bank'] as const) {
      const { action } = await prepared(open(), kind);
      expect(action).toMatchObject({ do: 'form', fields: { TransactionType: 'TOKENIZE', Amount: '0.00' } });
      expect(JSON.stringify(action)).not.toContain(settings.securityKey);
    }
  });
});

describe('an account', () => {
  it('without the Reporting service, or a terminal for them, takes no bank accounts', () => {
    expect(Object.keys(open().capabilities.entry)).toEqual(['card', 'bank']);
    for (const missing of ['reportingPassword', 'achTerminalId'] as const) {
      const gateway = createGateway({
        config: Object.fromEntries(
          Object.entries(settings).filter(([name]) => name !== missing),
        ) as IppaySettings,
        addresses: resolveAddresses(manifest, { GATEWAY_URL_IPPAY: control.url }),
        clock: control,
        log: { debug: () => undefined, warn: () => undefined },
      });
      expect(Object.keys(gateway.capabilities.entry)).toEqual(['card']);
    }
  });

  it.each([
    ['card', { terminalId: '0nobody' }],
    ['bank', { achTerminalId: '0nobody' }],
    ['card', { password: 'wrong' }],
  ])('whose keys are wrong is told: terminal for %s', async (kind, wrong) => {
    const check = await open(wrong).verifyCredentials();
    expect(check).toMatchObject({ ok: false, why: expect.stringContaining(`terminal for ${kind}`) });
    expect(check.unreachable).toBeUndefined();
  });
});

it('33: no log shows a number or a key', async () => {
  const gateway = open();
  await control.fault('charge', 'malformed');
  await sent(gateway, await entered(gateway));
  await sent(open({ terminalId: '0nobody' }), await entered(gateway));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toMatch(/\d{13,}/);
  expect(lines.join('\n')).not.toContain(settings.securityKey);
});
