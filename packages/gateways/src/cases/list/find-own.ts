/** Cases about whose charge a look-up finds: that of its own attempt, and no other. */
import type { Capabilities, Charge, LookupResult, LookupStrategy } from '../../port/gateway.ts';
import { gatewayRef, newGatewayRef } from '../../port/gateway-ref.ts';
import type { GatewayCase } from '../case.ts';
import { ensure } from '../case-end.ts';
import type { CasesData, TestMethod } from '../data.ts';
import { type CaseSession, inWords, lost, type Paid } from '../session.ts';
import { payWhole } from '../settle.ts';
import { lookUp } from './charges.ts';

/** More than any look-up asks: what was ordered lasts until it is cleared. */
const ALWAYS = { times: 100 };

export function findOwnCases(
  { good, declines, decline }: CasesData,
  { lookup, repeat }: Capabilities,
): GatewayCase[] {
  const strategies = lookup.filter(({ mayCharge }) => !mayCharge);
  const declined = declines.find(({ name }) => name === decline);
  return [
    ownCase(good, strategies),
    ...(repeat === 'charges' && declined !== undefined ? [takenCase(good, declined.method, strategies)] : []),
    downCase(good, strategies),
  ];
}

/** References that differ in their last character only, as another attempt's never do. */
function alike(): [Charge['ref'], Charge['ref'], Charge['ref']] {
  const begin = newGatewayRef().slice(0, -1);
  return [gatewayRef(`${begin}0`), gatewayRef(`${begin}1`), gatewayRef(`${begin}2`)];
}

const findsOwn = (found: LookupResult, { remote }: Paid): boolean =>
  found.is === 'succeeded' && found.remote === remote;

/** What a strategy finds of a charge whose source is gone. */
async function find(session: CaseSession, strategy: LookupStrategy, charge: Charge): Promise<LookupResult> {
  const made = session.charges.find((one) => one.charge.ref === charge.ref);
  return lookUp(session, strategy, () => session.gateway.lookup(lost(charge), made?.state ?? {}, strategy));
}

const ownCase = (good: TestMethod, strategies: readonly LookupStrategy[]): GatewayCase => ({
  id: 'find-own',
  title:
    'of equal payments with like references a look-up finds its own, on whichever page, and of one that was not sent none',
  needs: 'faults',
  async run(session) {
    const [first, second, third] = alike();
    const paid = async (ref: Charge['ref']) => {
      const charge = await session.charge(good, { ref });
      return { charge, paid: await payWhole(session, charge) };
    };
    const one = await paid(first);
    const other = await paid(second);
    const unsent = await session.charge(good, { ref: third, source: 'lost' });
    ensure(one.paid.remote !== other.paid.remote, 'two payments have one id');
    await session.control.fault('find', 'lookup-loose', ALWAYS);
    for (const strategy of strategies) {
      for (const { charge, paid: own } of [one, other]) {
        const found = await find(session, strategy, charge);
        ensure(findsOwn(found, own), `by ${strategy.by}: not its own charge, but ${inWords(found)}`);
      }
      const { is } = await find(session, strategy, unsent);
      ensure(
        is === 'absent' || is === 'inconclusive' || is === 'unknown',
        `by ${strategy.by}: what was not sent is ${is}`,
      );
    }
    const foreign = await session.gateway.lookupByRemoteId?.(lost(one.charge), other.paid.remote);
    ensure(
      foreign === undefined || foreign.is === 'inconclusive',
      `the id of another payment's charge is ${foreign?.is} for this one`,
    );
    await session.control.clearFaults();
  },
});

const takenCase = (
  good: TestMethod,
  refused: TestMethod,
  strategies: readonly LookupStrategy[],
): GatewayCase => ({
  id: 'find-taken',
  title:
    'of several tries under one reference a look-up finds the one that took the money, declined ones before and after it',
  needs: 'faults',
  async run(session) {
    const { ref, ...first } = await session.charge(refused);
    await session.pay({ ref, ...first });
    const charge = await session.charge(good, { ref });
    const own = await payWhole(session, charge);
    await session.pay(await session.charge(refused, { ref }));
    await session.control.fault('find', 'lookup-loose', ALWAYS);
    for (const strategy of strategies.filter(({ by }) => by === 'scan')) {
      const found = await find(session, strategy, charge);
      ensure(findsOwn(found, own), `by ${strategy.by}: ${inWords(found)}`);
    }
    await session.control.clearFaults();
  },
});

const downCase = (good: TestMethod, strategies: readonly LookupStrategy[]): GatewayCase => ({
  id: 'find-down',
  title: 'a look-up that the provider does not answer says nothing: not that the payment is not there',
  needs: 'faults',
  async run(session) {
    const charge = await session.charge(good);
    await payWhole(session, charge);
    const [made] = session.charges;
    // Some show it only after a while, and say until then that it is not there.
    for (const strategy of strategies) await find(session, strategy, charge);
    for (const mode of ['lookup-down', 'error-500-after', 'malformed']) {
      await session.control.fault('find', mode, ALWAYS);
      for (const strategy of strategies) {
        const found = await session.gateway.lookup(lost(charge), made?.state ?? {}, strategy);
        ensure(
          found.is === 'inconclusive' || found.is === 'unknown',
          `${mode}: by ${strategy.by} it is ${inWords(found)}`,
        );
      }
      await session.control.clearFaults();
    }
  },
});
