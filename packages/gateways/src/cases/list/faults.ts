/** Cases about trouble on the way: a sandbox orders it, and its journal says what became of the money. */
import type { Capabilities, Charge, LookupResult, Outcome } from '../../port/gateway.ts';
import type { GatewayCase } from '../case.ts';
import { ensure } from '../case-end.ts';
import type { CasesData, DebitedAccount } from '../data.ts';
import { type CaseSession, inWords, lost } from '../session.ts';
import { firstOf, settle, settleRefund } from '../settle.ts';
import { impatientMs } from './checkout.ts';
import { debitCharge, waitForBank } from './debits.ts';
import { payment } from './refunds.ts';

const chargeFaults = [
  'timeout-before',
  'timeout-after',
  'error-500-after',
  'reset-after',
  'malformed',
  'late',
  'replay-500',
];
const debitFaults = ['timeout-before', 'timeout-after', 'error-500-after', 'reset-after', 'malformed'];
const refundFaults = ['timeout-after', 'timeout-before', 'error-500-after', 'reset-after'];

/** An engine may end an attempt only in agreement with what the journal says. */
async function expectAgreement(session: CaseSession, charge: Charge, end: LookupResult): Promise<void> {
  ensure(end.is === 'succeeded' || end.is === 'absent', `it ends as ${inWords(end)}`);
  await session.expectTaken(charge, end.is === 'succeeded' ? [end.captured.minor] : []);
}

function expectUnsure(outcome: Outcome, ...certain: readonly Outcome['is'][]): void {
  ensure(certain.includes(outcome.is) || outcome.is === 'unknown', `it is called ${inWords(outcome)}`);
}

const orderFault = (session: CaseSession, mode: string) =>
  session.control.fault('charge', mode, mode === 'late' ? { ms: 2_000 } : {});

export function faultCases(
  { good, accounts = [] }: CasesData,
  { refund: refunds, refundLookup }: Capabilities,
): GatewayCase[] {
  const [account] = accounts.filter(({ isOnce }) => isOnce);
  return [
    ...chargeFaults.flatMap((mode): GatewayCase[] => [
      {
        id: `fault-${mode}`,
        title: `${mode}: never called declined, settled to what the journal says`,
        needs: 'faults',
        async run(session) {
          await orderFault(session, mode);
          const charge = await session.charge(good);
          const { outcome, made } = await session.pay(charge, session.open({ timeoutMs: impatientMs }));
          expectUnsure(outcome, firstOf(session, good.kind));
          const end = outcome.is === 'succeeded' ? outcome : await settle(session, lost(charge), made.state);
          made.outcome = end;
          await expectAgreement(session, charge, end);
        },
      },
      {
        id: `crash-${mode}`,
        title: `${mode}, then a crash: looked for with the row alone, or with what was stored where no list shows it`,
        needs: 'faults',
        async run(session) {
          await orderFault(session, mode);
          const charge = await session.charge(good);
          const { made } = await session.pay(charge, session.open({ timeoutMs: impatientMs }));
          await session.control.clearFaults();
          const isListed = session.run.can.lookup.some(({ by }) => by === 'scan');
          const end = await settle(session, lost(charge), isListed ? undefined : made.kept);
          made.outcome = end;
          await expectAgreement(session, charge, end);
        },
      },
    ]),
    ...(account === undefined ? [] : debitFaults.map((mode) => debitFault(account, mode))),
    ...(refunds.when === 'never' ? [] : refundFaults).map(
      (mode): GatewayCase => ({
        id: `refund-fault-${mode}`,
        title: `a refund, ${mode}: found out, or a person is asked; never made twice`,
        needs: 'faults',
        async run(session) {
          const { charge, paid, whole } = await payment(session, good);
          await session.control.fault('refund', mode);
          const refund = session.order(charge, paid, whole);
          const first = await session.open({ timeoutMs: impatientMs }).refund(refund);
          expectUnsure(first, 'succeeded', 'pending');
          if (refundLookup.length === 0) {
            ensure(
              first.is === 'unknown' && first.needsPerson,
              'it cannot be found out, and no person is asked',
            );
            const isMade = mode !== 'timeout-before';
            await session.expectRefunded(refund, isMade ? [whole] : []);
            const [made] = session.charges;
            if (made !== undefined && isMade) made.refunded = whole;
            return;
          }
          const state = 'state' in first ? first.state : undefined;
          const end = first.is === 'succeeded' ? first : await settleRefund(session, refund, state);
          await session.expectRefunded(refund, end.is === 'succeeded' ? [whole] : []);
          const [made] = session.charges;
          if (made !== undefined && end.is === 'succeeded') made.refunded = whole;
        },
      }),
    ),
  ];
}

const debitFault = (account: DebitedAccount, mode: string): GatewayCase => ({
  id: `debit-fault-${mode}`,
  title: `an account debited once, ${mode}, then a crash: found by what was kept, and debited once at the most`,
  needs: 'faults',
  async run(session) {
    await session.control.fault('charge', mode);
    const charge = await debitCharge(session, account);
    const { outcome, made } = await session.pay(charge, session.open({ timeoutMs: impatientMs }));
    expectUnsure(outcome, 'pending');
    await session.control.clearFaults();
    let end = await settle(session, lost(charge), made.state);
    if (end.is === 'pending') {
      await waitForBank(session);
      end = await settle(session, lost(charge), made.state);
    }
    made.outcome = end;
    await expectAgreement(session, charge, end);
  },
});
