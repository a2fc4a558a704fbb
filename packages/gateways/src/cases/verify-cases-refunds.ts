/** Cases of `gateway verify` about giving money back: for the suites of gateways that refund at any time. */
import type { LookupStrategy } from '../port/gateway.ts';
import { CaseFailed, ensure, type TestMethod, type VerifyCase } from './verify.ts';
import { expectOutcome, lookUp } from './verify-cases.ts';
import { inWords, type VerifySession } from './verify-session.ts';

/** A payment to refund, and a little less than half of it. */
async function payment(session: VerifySession, card: TestMethod) {
  const charge = await session.charge(card);
  const paid = await session.paid(charge);
  const whole = paid.captured.minor;
  return { charge, paid, whole, part: (whole * 2n) / 5n };
}

export const refundPartsCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'refund-parts',
  what: 'a part is refunded, then the rest; no more than was taken',
  proves,
  async run(session) {
    const { charge, paid, whole, part } = await payment(session, card);
    await gives(session, session.order(charge, paid, part));
    const tooMuch = await session.gateway.refund(session.order(charge, paid, whole, part));
    ensure(tooMuch.is === 'notAttempted', `more than is left: expected a refusal, got ${inWords(tooMuch)}`);
    await gives(session, session.order(charge, paid, whole - part, part));
    const more = await session.gateway.refund(session.order(charge, paid, part, whole));
    ensure(more.is === 'notAttempted', `after all is refunded: expected a refusal, got ${inWords(more)}`);
  },
});

async function gives(session: VerifySession, order: ReturnType<VerifySession['order']>) {
  const outcome = await session.refund(order);
  if (outcome.is !== 'succeeded') throw new CaseFailed(`refunding ended as ${inWords(outcome)}`);
  const { minor, currency } = outcome.captured;
  ensure(
    minor === order.amount.minor && currency === order.amount.currency,
    'another amount went back than was ordered',
  );
  return outcome;
}

export const refundRepeatCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'refund-repeat',
  what: 'the same order to refund again refunds once',
  proves,
  async run(session) {
    const { charge, paid, whole, part } = await payment(session, card);
    const order = session.order(charge, paid, part);
    const first = await gives(session, order);
    expectOutcome(await session.refund(order, true), 'succeeded', first.remote);
    // Only if the part went back once is this much left.
    await gives(session, session.order(charge, paid, whole - part, part));
  },
});

export const findRefundCases = (
  plans: readonly LookupStrategy[],
  proves: readonly number[],
  card: TestMethod,
): readonly VerifyCase[] =>
  plans.map((plan) => ({
    id: `find-refund-${plan.by}`,
    what: `what was refunded is found by ${plan.by}`,
    proves,
    withinMs: 150_000,
    async run(session) {
      const { charge, paid, part } = await payment(session, card);
      const order = session.order(charge, paid, part);
      const { remote, state } = await gives(session, order);
      const { lookupRefund } = session.gateway;
      if (lookupRefund === undefined) throw new CaseFailed('the adapter cannot look for it');
      expectOutcome(await lookUp(session, plan, () => lookupRefund(order, state, plan)), 'succeeded', remote);
    },
  }));
