/** Cases of `gateway verify` about keys, payments without a saved method, and webhooks: for any gateway's suite. */

import type {
  CancelResult,
  Charge,
  Decline,
  GatewayRef,
  LookupStrategy,
  Outcome,
  RemoteId,
} from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import {
  CaseFailed,
  CaseNotAvailable,
  ensure,
  type TestAccount,
  type TestMethod,
  type VerifyCase,
} from './verify.ts';
import { inWords, lost, type VerifySession } from './verify-session.ts';

/** What a payment must be, and its id where one is expected. @throws {CaseFailed} */
export function expectOutcome(
  answer: Outcome | CancelResult,
  is: (Outcome | CancelResult)['is'],
  remote?: RemoteId,
): void {
  if (answer.is !== is) throw new CaseFailed(`expected ${is}, got ${inWords(answer)}`);
  if (remote === undefined) return;
  if (!('remote' in answer) || answer.remote !== remote)
    throw new CaseFailed(`expected ${is} as ${remote}, got another id: it was done twice`);
}

export const keysCase = (proves: readonly number[]): VerifyCase => ({
  id: 'keys',
  what: 'the keys are good',
  proves,
  isGate: true,
  async run({ gateway }) {
    const check = await gateway.verifyCredentials();
    if (!check.ok) throw new CaseFailed(check.why ?? 'the keys are refused');
  },
});

/** @param spoil makes keys of them that nobody has */
export const refusedKeysCase = (
  proves: readonly number[],
  spoil: (settings: TestAccount['settings']) => TestAccount['settings'],
  card: TestMethod,
): VerifyCase => ({
  id: 'keys-refused',
  what: 'keys that nobody has are refused, and take nothing',
  proves,
  async run(session) {
    const spoilt = session.open(spoil(session.account.settings));
    const check = await spoilt.verifyCredentials();
    ensure(!check.ok && check.unreachable !== true, 'a check with spoilt keys was not refused');
    const { outcome } = await session.pay(await session.charge(card), spoilt);
    ensure(
      outcome.is === 'notAttempted' && outcome.why === 'config',
      `a payment with spoilt keys: expected a refusal, got ${inWords(outcome)}`,
    );
  },
});

export const payOnceCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'pay-once',
  what: 'a payment without a saved method is taken whole',
  proves,
  async run(session) {
    await session.paid(await session.charge(card));
  },
});

export interface DeclinedMethod {
  /** For the id of the case: lower-case kebab. */
  readonly name: string;
  readonly method: TestMethod;
  readonly why: Pick<Decline, 'class' | 'code' | 'text'>;
}

export const declineCase = (
  proves: readonly number[],
  { name, method, why }: DeclinedMethod,
): VerifyCase => ({
  id: `decline-${name}`,
  what: `a decline is read: ${why.code}`,
  proves,
  async run(session) {
    const { outcome } = await session.pay(await session.charge(method));
    if (outcome.is !== 'declined') throw new CaseFailed(`expected declined, got ${inWords(outcome)}`);
    const { code, class: kind, text } = outcome.why;
    ensure(code === why.code, `expected the code ${why.code}, got ${code}`);
    ensure(kind === why.class, `${code}: expected the class ${why.class}, got ${kind}`);
    ensure(text === why.text, `${code}: the customer would read '${text}'`);
  },
});

/** A payment that needs its payer: the payer is asked, and the payment can be ended so that it never captures. */
export const challengeCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'challenge-closed',
  what: '3-D Secure: the payer is sent to the bank; an abandoned payment is closed for good',
  proves,
  async run(session) {
    const charge = await session.charge(card);
    const { outcome, made } = await session.pay(charge);
    expectOutcome(outcome, 'requiresAction');
    const { state = {} } = made;
    const { gateway } = session;
    expectOutcome(await gateway.handleReturn(lost(charge), state, {}), 'requiresAction');
    made.outcome = await gateway.cancel(lost(charge), state);
    expectOutcome(made.outcome, 'closed');
    expectOutcome(await gateway.handleReturn(lost(charge), state, {}), 'closed');
    expectOutcome(await gateway.cancel(lost(charge), state), 'closed');
  },
});

export const offSessionCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'challenge-off-session',
  what: '3-D Secure without the payer: declined as in need of authentication',
  proves,
  async run(session) {
    const { outcome } = await session.pay(await session.charge(card, { initiator: 'merchant' }));
    if (outcome.is !== 'declined') throw new CaseFailed(`expected declined, got ${inWords(outcome)}`);
    ensure(outcome.why.class === 'authenticate', `declined as ${outcome.why.class}, ${outcome.why.code}`);
  },
});

export const repeatCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'repeat',
  what: 'the same reference again charges once',
  proves,
  async run(session) {
    if (session.run.can.repeat === 'charges') throw new CaseNotAvailable('a repeat charges at this gateway');
    const charge = await session.charge(card);
    const first = await session.paid(charge);
    const { outcome: again } = await session.pay(charge);
    if (session.run.can.repeat === 'replayed') expectOutcome(again, 'succeeded', first.remote);
    if (again.is === 'succeeded') expectOutcome(again, 'succeeded', first.remote);
  },
});

export const repeatDeclineCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'repeat-declined',
  what: 'the same reference again after a decline stays declined',
  proves,
  async run(session) {
    const charge = await session.charge(card);
    const { outcome: first } = await session.pay(charge);
    expectOutcome(first, 'declined');
    const { outcome: again } = await session.pay(charge);
    expectOutcome(again, 'declined', 'remote' in first ? first.remote : undefined);
  },
});

/** How long a gateway that does not say how soon it shows a payment is asked. */
const longestLookMs = 60_000;
const lookAgainMs = 5_000;

/** Asks by a plan, not before its time, until something is found or it should have been. */
export async function lookUp<Answer extends { readonly is: string }>(
  { run }: VerifySession,
  plan: LookupStrategy,
  look: () => Promise<Answer>,
): Promise<Answer> {
  const wait = Math.max(plan.firstMs, plan.visibleMs === 'unknown' ? 0 : plan.visibleMs);
  if (wait > 0) await run.pause(wait);
  let found = await look();
  const until = run.now().getTime() + longestLookMs;
  while (plan.visibleMs === 'unknown' && plan.maxAttempts === 'any' && run.now().getTime() < until) {
    if (found.is !== 'absent' && found.is !== 'inconclusive') break;
    await run.pause(lookAgainMs);
    found = await look();
  }
  return found;
}

/** @param proves by the way of finding */
export const findCases = (
  plans: readonly LookupStrategy[],
  proves: Readonly<Partial<Record<LookupStrategy['by'], readonly number[]>>>,
  card: TestMethod,
): readonly VerifyCase[] =>
  plans.map((plan) => ({
    id: `find-${plan.by}`,
    what: `a payment is found by ${plan.by}, and is not made again by it`,
    proves: proves[plan.by] ?? [],
    withinMs: 150_000,
    async run(session) {
      const charge = await session.charge(card, plan.savedMethodOnly ? await saved(session, card) : {});
      const { remote } = await session.paid(charge);
      const [made] = session.charges;
      const known = lost(charge);
      const find = () => session.gateway.lookup(known, made?.state, plan);
      expectOutcome(await lookUp(session, plan, find), 'succeeded', remote);
    },
  }));

async function saved(session: VerifySession, card: TestMethod): Promise<Pick<Charge, 'source' | 'payer'>> {
  const { method, payer } = await session.saved(card);
  return { source: { saved: method.state }, payer };
}

export const pageCase = (proves: readonly number[]): VerifyCase => ({
  id: 'page-closed',
  what: "the gateway's own page opens, and nobody can pay on it once it is closed",
  proves,
  async run(session) {
    const charge = await session.charge({ kind: 'card', once: () => ({ token: '' }) }, { source: 'lost' });
    const { outcome, made } = await session.openPage(charge);
    expectOutcome(outcome, 'requiresAction');
    const { state = {} } = made;
    made.outcome = await session.gateway.cancel(charge, state);
    expectOutcome(made.outcome, 'closed');
    expectOutcome(await session.gateway.handleReturn(charge, state, {}), 'closed');
  },
});

export interface SignedDelivery {
  readonly raw: Uint8Array;
  readonly headers: Headers;
}

/**
 * @param sign deliveries about a payment with that reference as the provider would sign them: one per secret in use
 * @param isTimed whether the signature covers when it was made
 */
export const hookCase = (
  proves: readonly number[],
  sign: (settings: TestAccount['settings'], ref: GatewayRef, at: Date) => readonly SignedDelivery[],
  isTimed: boolean,
): VerifyCase => ({
  id: 'webhook-signature',
  what: 'a delivery signed with the configured secret is taken; changed, old and unsigned ones are refused',
  proves,
  async run(session) {
    const { gateway, account, run } = session;
    const [at, ref] = [run.now(), newGatewayRef()];
    const deliveries = sign(account.settings, ref, at);
    if (deliveries.length === 0) throw new CaseNotAvailable('no signing secret is configured');
    for (const { raw, headers } of deliveries) {
      const read = (bytes: Uint8Array, with_: Headers, when: Date) =>
        gateway.parseWebhook?.(bytes, with_, when);
      const taken = read(raw, headers, at);
      if (taken?.is !== 'accepted') throw new CaseFailed(`a good delivery was refused: ${taken?.why ?? ''}`);
      ensure(taken.trust === 'signed' && taken.events[0]?.ref === ref, 'the delivery was read as another');
      // Not `slice`: of a Buffer that is a view, and the delivery itself would be changed.
      const changed = Uint8Array.from(raw);
      changed[raw.length - 2] = (changed[raw.length - 2] ?? 0) ^ 1;
      ensure(read(changed, headers, at)?.is === 'refused', 'a changed delivery was taken');
      ensure(read(raw, new Headers(), at)?.is === 'refused', 'an unsigned delivery was taken');
      const later = new Date(at.getTime() + 3_600_000);
      if (isTimed) ensure(read(raw, headers, later)?.is === 'refused', 'an old delivery was taken');
    }
  },
});
