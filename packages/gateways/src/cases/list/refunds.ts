/** Cases about refunds. */
import type { Capabilities, LookupResult, Outcome, Refund } from '../../port/gateway.ts';
import type { GatewayCase } from '../case.ts';
import { CaseFailed, ensure } from '../case-end.ts';
import type { TestMethod } from '../data.ts';
import { type CaseSession, inWords } from '../session.ts';
import { payWhole, settleRefund } from '../settle.ts';
import { expectOutcome, lookUp } from './charges.ts';

/** A payment to refund, and a little less than half of it. */
export async function payment(session: CaseSession, method: TestMethod) {
  const charge = await session.charge(method);
  const paid = await payWhole(session, charge);
  const whole = paid.captured.minor;
  return { charge, paid, whole, part: (whole * 2n) / 5n };
}

/** Gateways settle once a day, some at a fixed hour: what was paid after midnight waits for up to 29 hours. */
const settlementMs = 30 * 60 * 60_000;

/** The same, settled where parts are refunded only then: no provider can be waited for. */
async function settledPayment(session: CaseSession, method: TestMethod) {
  const made = await payment(session, method);
  if (session.run.can.refund.when === 'afterSettlement') await session.control.advance(settlementMs);
  return made;
}

/** Refunds, and waits for its end where a refund takes days; at the provider it stays on its way then. */
async function refunds(session: CaseSession, order: ReturnType<CaseSession['order']>) {
  const outcome = await ended(session, order, await session.refund(order));
  if (outcome.is !== 'succeeded' && outcome.is !== 'pending')
    throw new CaseFailed(`refunding ended as ${inWords(outcome)}`);
  const { minor, currency } = outcome.is === 'succeeded' ? outcome.captured : order.amount;
  ensure(
    minor === order.amount.minor && currency === order.amount.currency,
    'another amount was refunded than was ordered',
  );
  await session.expectRefunded(order, [minor]);
  return outcome;
}

async function ended(session: CaseSession, order: Refund, outcome: Outcome): Promise<LookupResult> {
  if (outcome.is !== 'pending' || session.run.control === undefined) return outcome;
  await session.control.advance(settlementMs);
  const end = await settleRefund(session, order, outcome.state);
  expectOutcome(end, 'succeeded', outcome.remote);
  return end;
}

export function refundCases(
  good: TestMethod,
  { refund: { when, partial: isPartial }, refundLookup: lookup }: Capabilities,
): GatewayCase[] {
  const needs = when === 'afterSettlement' ? ({ needs: 'clock' } as const) : {};
  return [
    {
      id: 'refund-whole',
      title: 'a payment is refunded in full, once',
      async run(session) {
        const { charge, paid, whole } = await payment(session, good);
        await refunds(session, session.order(charge, paid, whole));
        const again = await session.gateway.refund(session.order(charge, paid, whole));
        ensure(again.is === 'notAttempted', `a second time: expected a refusal, got ${inWords(again)}`);
      },
    },
    ...(isPartial ? [{ ...partsCase(good), ...needs }] : []),
    // Where sending it again is no way to find out, a repeat is another refund.
    ...(isPartial && lookup.some(({ by }) => by === 'replay') ? [repeatCase(good)] : []),
    ...lookup.map(
      (strategy): GatewayCase => ({
        id: `find-refund-${strategy.by}`,
        title: `what was refunded is found by ${strategy.by}`,
        withinMs: 150_000,
        ...needs,
        async run(session) {
          const { charge, paid, whole, part } = await settledPayment(session, good);
          const order = session.order(charge, paid, isPartial ? part : whole);
          const { is, remote, state } = await refunds(session, order);
          const { lookupRefund } = session.gateway;
          if (lookupRefund === undefined) throw new CaseFailed('the adapter cannot look for it');
          const find = () => lookupRefund(order, state, strategy);
          expectOutcome(await lookUp(session, strategy, find), is, remote);
        },
      }),
    ),
  ];
}

const partsCase = (good: TestMethod): GatewayCase => ({
  id: 'refund-parts',
  title: 'a part is refunded, then the rest; no more than was taken',
  async run(session) {
    const { charge, paid, whole, part } = await settledPayment(session, good);
    await refunds(session, session.order(charge, paid, part));
    const tooMuch = await session.gateway.refund(session.order(charge, paid, whole, part));
    ensure(tooMuch.is === 'notAttempted', `more than is left: expected a refusal, got ${inWords(tooMuch)}`);
    await refunds(session, session.order(charge, paid, whole - part, part));
    const more = await session.gateway.refund(session.order(charge, paid, part, whole));
    ensure(more.is === 'notAttempted', `after all is refunded: expected a refusal, got ${inWords(more)}`);
  },
});

const repeatCase = (good: TestMethod): GatewayCase => ({
  id: 'refund-repeat',
  title: 'the same order to refund again refunds once',
  async run(session) {
    const { charge, paid, whole, part } = await payment(session, good);
    const order = session.order(charge, paid, part);
    const first = await refunds(session, order);
    expectOutcome(await session.refund(order, true), first.is, first.remote);
    // Only if the part was refunded once is this much left.
    await refunds(session, session.order(charge, paid, whole - part, part));
  },
});
