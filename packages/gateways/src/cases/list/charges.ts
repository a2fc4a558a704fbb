/** Cases about keys and payments without a saved method. */
import type {
  CancelResult,
  Capabilities,
  Charge,
  LookupStrategy,
  Outcome,
  RemoteId,
} from '../../port/gateway.ts';
import type { GatewayCase } from '../case.ts';
import { CaseFailed, ensure } from '../case-end.ts';
import type { CasesData, DeclinedMethod, TestMethod } from '../data.ts';
import { type CaseSession, inWords, lost, type Paid } from '../session.ts';
import { endOf, payWhole, settle } from '../settle.ts';

/** What a payment must be, and its id where one is expected. @throws {CaseFailed} */
export function expectOutcome(
  answer: Outcome | CancelResult | undefined,
  is: (Outcome | CancelResult)['is'],
  remote?: RemoteId,
): void {
  if (answer?.is !== is)
    throw new CaseFailed(`expected ${is}, got ${answer === undefined ? 'nothing' : inWords(answer)}`);
  if (remote === undefined) return;
  if (!('remote' in answer) || answer.remote !== remote)
    throw new CaseFailed(`expected ${is} as ${remote}, got another id: it was done twice`);
}

/** That nothing was sent, and why. @throws {CaseFailed} */
export function expectNotAttempted(
  answer: Outcome | undefined,
  why: Extract<Outcome, { is: 'notAttempted' }>['why'],
): void {
  if (answer?.is !== 'notAttempted' || answer.why !== why)
    throw new CaseFailed(
      `expected notAttempted, ${why}, got ${answer === undefined ? 'nothing' : inWords(answer)}`,
    );
}

export function keysCases({ good, spoil }: CasesData): GatewayCase[] {
  return [
    {
      id: 'keys',
      title: 'the keys are good',
      isGate: true,
      async run({ gateway }) {
        const check = await gateway.verifyCredentials();
        if (!check.ok) throw new CaseFailed(check.why ?? 'the keys are refused');
      },
    },
    {
      id: 'keys-refused',
      title: 'keys that nobody has are refused, and take nothing',
      async run(session) {
        const spoilt = session.open({ settings: spoil(session.account.settings) });
        const check = await spoilt.verifyCredentials();
        ensure(!check.ok && check.unreachable !== true, 'a check with spoilt keys was not refused');
        ensure((check.why ?? '') !== '', 'a check with spoilt keys does not say why');
        const charge = await session.charge(good);
        expectNotAttempted((await session.pay(charge, spoilt)).outcome, 'config');
        await session.expectTaken(charge, []);
        if (spoilt.createCheckout === undefined) return;
        const page = await session.openPage(await session.charge(good, { source: 'lost' }), spoilt);
        expectNotAttempted(page.outcome, 'config');
      },
    },
    {
      id: 'unreachable',
      title: 'a gateway that is not there is no verdict on the keys, takes nothing and finds nothing',
      needs: 'faults',
      async run(session) {
        const gone = session.open({ isNowhere: true });
        const check = await gone.verifyCredentials();
        ensure(!check.ok && check.unreachable === true, 'a check that reached nothing is a verdict');
        ensure(check.why?.includes('ECONNREFUSED'), 'the check does not say what went wrong');
        const unreached = async (outcome: Outcome | undefined) => {
          expectNotAttempted(outcome, 'unreachable');
          ensure(
            outcome?.is === 'notAttempted' && outcome.detail.includes('ECONNREFUSED'),
            'it does not say what went wrong',
          );
        };
        const refused = await session.charge(good);
        await unreached((await session.pay(refused, gone)).outcome);
        await session.expectTaken(refused, []);
        if (gone.createCheckout !== undefined) {
          const page = await session.charge(good, { source: 'lost' });
          await unreached((await session.openPage(page, gone)).outcome);
        }
        const charge = await session.charge(good);
        const paid = await payWhole(session, charge);
        for (const strategy of session.run.can.lookup.filter((one) => !one.mayCharge)) {
          const found = await gone.lookup(lost(charge), session.charges.at(-1)?.state, strategy);
          ensure(
            found.is === 'unknown' || found.is === 'inconclusive',
            `a look-up by ${strategy.by} that reached nothing is ${found.is}`,
          );
        }
        if (session.run.can.refund.when !== 'any') return;
        const refund = session.order(charge, paid, paid.captured.minor);
        await unreached(await gone.refund(refund));
        await session.expectRefunded(refund, []);
      },
    },
  ];
}

export function chargeCases(
  data: CasesData,
  { lookup, repeat, oneOff, settles }: Capabilities,
): GatewayCase[] {
  const { good } = data;
  const decline = data.declines.find(({ name }) => name === data.decline);
  return [
    ...(oneOff === 'no' ? [] : [onceCase(good)]),
    // A bank debits what it is told to, or nothing.
    ...(settles[good.kind] === 'later' || data.hasNoParts === true ? [] : [lessCase(good)]),
    ...data.declines.map(declineCase),
    // Where a repeat charges, none is made.
    ...(repeat === 'charges' ? [] : [repeatCase(good)]),
    // Where contents are compared, what was declined need not count.
    ...(repeat === 'charges' || repeat === 'windowed' || decline === undefined
      ? []
      : [repeatDeclinedCase(decline.method)]),
    ...(decline === undefined ? [] : [findDeclinedCase(decline.method)]),
    ...lookup.map((strategy) => findCase(strategy, good)),
    {
      id: 'find-nothing',
      title: 'a look-up that sees nothing yet proves nothing yet',
      async run(session) {
        const charge = await session.charge(good, { source: 'lost' });
        // Something was kept, so a money call may be on its way.
        for (const strategy of lookup.filter((one) => !one.mayCharge)) {
          const found = await session.gateway.lookup(charge, {}, strategy);
          ensure(!(found.is === 'absent' && found.proven), `by ${strategy.by} absence counts as proven`);
        }
      },
    },
  ];
}

const onceCase = (good: TestMethod): GatewayCase => ({
  id: 'pay-once',
  title: 'a payment without a saved method is taken whole',
  async run(session) {
    await payWhole(session, await session.charge(good));
  },
});

const lessCase = (good: TestMethod): GatewayCase => ({
  id: 'pay-less',
  title: 'what was captured is reported where that is less than was asked',
  needs: 'faults',
  async run(session) {
    const charge = await session.charge(good);
    const minor = charge.amount.minor / 2n;
    await session.control.fault('charge', 'partial', { minor: Number(minor) });
    const { outcome } = await session.pay(charge);
    expectOutcome(outcome, 'succeeded');
    const { captured } = outcome as Paid;
    ensure(captured.minor === minor, `${minor} was captured, ${captured.minor} is reported`);
  },
});

function declineCase({ name, method, why, needs }: DeclinedMethod): GatewayCase {
  return {
    id: `decline-${name}`,
    title: `a decline is read: ${why.code}`,
    ...(needs === undefined ? {} : { needs }),
    async run(session) {
      const charge = await session.charge(method);
      const outcome = await endOf(session, charge);
      if (outcome.is !== 'declined') throw new CaseFailed(`expected declined, got ${inWords(outcome)}`);
      const { code, class: kind, text } = outcome.why;
      ensure(code === why.code, `expected the code ${why.code}, got ${code}`);
      ensure(kind === why.class, `${code}: expected the class ${why.class}, got ${kind}`);
      ensure(text === why.text, `${code}: the customer would read '${text}'`);
      await session.expectTaken(charge, []);
    },
  };
}

const repeatCase = (good: TestMethod): GatewayCase => ({
  id: 'repeat',
  title: 'the same reference again charges once',
  async run(session) {
    // Where contents are compared, a token used again is another content.
    const { repeat } = session.run.can;
    const charge = await session.charge(good, repeat === 'windowed' ? await saved(session, good) : {});
    const first = await payWhole(session, charge);
    const { outcome: again } = await session.pay(charge);
    if (repeat !== 'refused' || again.is === 'succeeded') expectOutcome(again, 'succeeded', first.remote);
    else expectOutcome(again, 'unknown');
    await session.expectTaken(charge, [charge.amount.minor]);
  },
});

const repeatDeclinedCase = (method: TestMethod): GatewayCase => ({
  id: 'repeat-declined',
  title: 'the same reference again after a decline stays declined',
  async run(session) {
    const charge = await session.charge(method);
    const first = await endOf(session, charge);
    expectOutcome(first, 'declined');
    const { outcome: again } = await session.pay(charge);
    // Where a repeat is refused, its answer need not tell what became of the first.
    if (session.run.can.repeat === 'replayed' || again.is !== 'unknown')
      expectOutcome(again, 'declined', 'remote' in first ? first.remote : undefined);
    await session.expectTaken(charge, []);
  },
});

const findDeclinedCase = (method: TestMethod): GatewayCase => ({
  id: 'find-declined',
  title: 'a payment that was declined stays so when it is looked for',
  needs: 'clock',
  async run(session) {
    const charge = await session.charge(method);
    const { made } = await session.pay(charge);
    expectOutcome(await settle(session, lost(charge), made.state), 'declined');
    await session.expectTaken(charge, []);
  },
});

/** How long a gateway that does not say how soon it shows a payment is asked. */
const longestLookMs = 60_000;
const lookAgainMs = 5_000;

/** Waits at the provider; a sandbox has its own clock. */
const letPass = ({ run }: CaseSession, ms: number): Promise<void> =>
  run.control?.advance(ms) ?? run.pause(ms);

/** Asks by a strategy, not before its time, until something is found or it should have been. */
export async function lookUp<Answer extends { readonly is: string }>(
  session: CaseSession,
  strategy: LookupStrategy,
  look: () => Promise<Answer>,
): Promise<Answer> {
  const { run } = session;
  const wait = Math.max(strategy.firstMs, strategy.visibleMs === 'unknown' ? 0 : strategy.visibleMs);
  if (wait > 0) await letPass(session, wait);
  let found = await look();
  const until = run.now().getTime() + longestLookMs;
  while (strategy.visibleMs === 'unknown' && strategy.maxAttempts === 'any' && run.now().getTime() < until) {
    if (found.is !== 'absent' && found.is !== 'inconclusive') break;
    await letPass(session, lookAgainMs);
    found = await look();
  }
  return found;
}

const findCase = (strategy: LookupStrategy, good: TestMethod): GatewayCase => ({
  id: `find-${strategy.by}`,
  title: `a payment is found by ${strategy.by}, and is not made again by it`,
  withinMs: 150_000,
  async run(session) {
    const charge = await session.charge(good, strategy.savedMethodOnly ? await saved(session, good) : {});
    const { remote, captured } = await payWhole(session, charge);
    const [made] = session.charges;
    const known = lost(charge);
    const find = () => session.gateway.lookup(known, made?.state, strategy);
    const found = await lookUp(session, strategy, find);
    // Refused as sent before, which does not tell what became of it.
    const isRefusal = strategy.mayCharge && session.run.can.repeat === 'refused' && found.is === 'unknown';
    if (!isRefusal) expectOutcome(found, 'succeeded', remote);
    ensure(isRefusal || (found as Paid).captured.minor === captured.minor, 'another amount was found');
    await session.expectTaken(charge, [charge.amount.minor]);
  },
});

async function saved(session: CaseSession, method: TestMethod): Promise<Pick<Charge, 'source' | 'payer'>> {
  const { method: kept, payer } = await session.saved(method);
  return { source: { saved: kept.state }, payer };
}
