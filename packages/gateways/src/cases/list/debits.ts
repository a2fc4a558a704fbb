/** Cases about bank accounts, debited under a mandate or once. */
import type { Capabilities, Charge, Method, Outcome, PayOnce, SetupResult } from '../../port/gateway.ts';
import type { GatewayCase } from '../case.ts';
import { CaseFailed, CaseNotAvailable, ensure } from '../case-end.ts';
import type { CasesData, DebitedAccount, TestMethod } from '../data.ts';
import { type CaseSession, inWords, lost, type MadeCharge } from '../session.ts';
import { settle } from '../settle.ts';
import { expectNotAttempted, expectOutcome } from './charges.ts';

/** More than a bank of a sandbox needs, and less than proves an absence. */
export const waitForBank = (session: CaseSession, settlesMs = 10_000): Promise<void> =>
  session.control.advance(settlesMs);

/** What an account pays once with. */
async function payOnce(session: CaseSession, method: TestMethod, scheme: string): Promise<PayOnce> {
  const input = await session.enter(method, session.amountOf(method));
  return { ...input, debit: { scheme, consent: session.consent() } };
}

/** A charge of an account that is not kept. */
export async function debitCharge(
  session: CaseSession,
  account: DebitedAccount,
  method: TestMethod = account,
): Promise<Charge> {
  return session.charge(account, { source: await payOnce(session, method, account.scheme) });
}

type IsNotOffered = NonNullable<CasesData['isNotOffered']>;

export function debitCases(
  { accounts = [], good, isNotOffered = () => false }: CasesData,
  { repeat }: Capabilities,
): GatewayCase[] {
  const [first] = accounts.filter(({ isOnce }) => isOnce);
  return [
    ...accounts.flatMap((account) => [
      ...mandateCases(account, isNotOffered),
      ...(account.isOnce ? onceCases(account, isNotOffered) : []),
    ]),
    ...(first === undefined ? [] : [otherKindCase(first, good)]),
    // Where contents are compared, a token used again is another content.
    ...(first === undefined || repeat === 'windowed' ? [] : [repeatCase(first)]),
  ];
}

function expectUnderWay(outcome: Outcome, isNotOffered: IsNotOffered): void {
  if (outcome.is === 'notAttempted' && isNotOffered(outcome.detail))
    throw new CaseNotAvailable(outcome.detail);
  expectOutcome(outcome, 'pending');
  ensure('because' in outcome && outcome.because === 'bank', 'it is not the bank it waits for');
}

function savedAccount(setup: SetupResult, isNotOffered: IsNotOffered): Method {
  if (setup.is === 'saved') return setup.method;
  if (setup.is === 'notAttempted' && isNotOffered(setup.detail)) throw new CaseNotAvailable(setup.detail);
  throw new CaseFailed(`saving ended as ${inWords(setup)}`);
}

function mandateCases(account: DebitedAccount, isNotOffered: IsNotOffered): GatewayCase[] {
  const { scheme, returned } = account;
  const name = scheme.replaceAll('_', '-');
  /** Saves a test account and debits it. */
  const debit = async (session: CaseSession, method: TestMethod) => {
    const { setup, payer } = await session.save(method);
    const kept = savedAccount(setup, isNotOffered);
    if (account.hasNoMandate !== true) {
      ensure(kept.mandate !== undefined, 'it was saved without a mandate');
      ensure(kept.mandate.scheme === scheme, `its mandate is of ${kept.mandate.scheme}`);
    }
    ensure(kept.kind === 'bank' && kept.show['type'] === scheme, 'it was saved as another kind');
    ensure(kept.usable === 'now', `it is usable ${kept.usable}`);
    session.note(kept.mandate?.remote);
    const charge = await session.charge(account, { source: { saved: kept.state }, payer });
    const { outcome, made } = await session.pay(charge);
    expectUnderWay(outcome, isNotOffered);
    return { charge, made };
  };
  return [
    {
      id: `debit-${name}`,
      title: `a bank debit is made under a mandate and is under way: ${scheme}`,
      async run(session) {
        const { charge, made } = await debit(session, account);
        if (session.run.control === undefined) return;
        if (await expectCancel(session, charge, made)) return;
        await waitForBank(session, account.settlesMs);
        made.outcome = await settle(session, charge, made.state);
        expectOutcome(made.outcome, 'succeeded');
        await session.expectTaken(charge, [charge.amount.minor]);
      },
    },
    ...returned.map(
      (method): GatewayCase => ({
        id: `debit-${name}-${method.code.replaceAll('_', '-')}`,
        title: `a debit under a mandate that the bank returns is declined with its reason: ${scheme}, ${method.code}`,
        needs: 'clock',
        async run(session) {
          const { charge, made } = await debit(session, method);
          await waitForBank(session);
          await expectReturned(session, charge, made.state, method.code);
        },
      }),
    ),
  ];
}

/** A debit on its way is cancelled for good, or goes on. @returns whether it was cancelled */
async function expectCancel(session: CaseSession, charge: Charge, made: MadeCharge): Promise<boolean> {
  const cancelled = await session.gateway.cancel(charge, made.state);
  if (cancelled.is !== 'closed') expectOutcome(cancelled, 'pending');
  else {
    made.outcome = cancelled;
    await waitForBank(session);
    expectOutcome(await settle(session, charge, made.state), 'closed');
    await session.expectTaken(charge, []);
  }
  return cancelled.is === 'closed';
}

async function expectReturned(
  session: CaseSession,
  charge: Charge,
  state: Parameters<typeof settle>[2],
  code: string,
): Promise<void> {
  const end = await settle(session, lost(charge), state);
  if (end.is !== 'declined') throw new CaseFailed(`expected declined, got ${inWords(end)}`);
  ensure(end.why.code === code, `expected the code ${code}, got ${end.why.code}`);
  const [made] = session.charges;
  if (made !== undefined) made.outcome = end;
  await session.expectTaken(charge, []);
}

function onceCases(account: DebitedAccount, isNotOffered: IsNotOffered): GatewayCase[] {
  const { scheme } = account;
  const name = scheme.replaceAll('_', '-');
  const [returned] = account.returned;
  return [
    {
      id: `debit-once-${name}`,
      title: `an account is debited once by its holder's agreement, without being kept, and is under way: ${scheme}`,
      async run(session) {
        const token = await session.enter(account, session.amountOf(account));
        const refused = await session.charge(account, { source: { ...token, debit: { scheme } } });
        expectNotAttempted((await session.pay(refused)).outcome, 'invalid');
        const charge = await debitCharge(session, account);
        const { outcome, made } = await session.pay(charge);
        expectUnderWay(outcome, isNotOffered);
        const { shown = {} } = outcome as Extract<Outcome, { is: 'pending' }>;
        ensure(shown['type'] === scheme && shown['last4'] !== undefined, 'it does not say what pays');
        if (session.run.control === undefined) return;
        await session.expectTaken(charge, []);
        expectOutcome(await session.gateway.cancel(lost(charge), made.state), 'pending');
        await waitForBank(session);
        await session.expectTaken(refused, []);
        made.outcome = await settle(session, lost(charge), made.state);
        expectOutcome(made.outcome, 'succeeded');
        await session.expectTaken(charge, [charge.amount.minor]);
      },
    },
    ...(returned === undefined ? [] : [onceReturned(account, returned, name)]),
  ];
}

const onceReturned = (
  account: DebitedAccount,
  method: DebitedAccount['returned'][number],
  name: string,
): GatewayCase => ({
  id: `debit-once-${name}-returned`,
  title: `an account debited once, whose bank returns it: declined, and nothing was taken: ${account.scheme}`,
  needs: 'clock',
  async run(session) {
    const charge = await debitCharge(session, account, method);
    const { outcome, made } = await session.pay(charge);
    expectUnderWay(outcome, () => false);
    await waitForBank(session);
    await expectReturned(session, charge, made.state, method.code);
  },
});

const otherKindCase = (account: DebitedAccount, card: TestMethod): GatewayCase => ({
  id: 'debit-once-other-kind',
  title: 'a card is not debited as an account, nor an account charged as a card: the fee is that of the kind',
  needs: 'clock',
  async run(session) {
    const asAccount = await payOnce(session, card, account.scheme);
    for (const source of [asAccount, await session.enter(account, session.amountOf(account))]) {
      const charge = await session.charge(account, { source });
      expectNotAttempted((await session.pay(charge)).outcome, 'invalid');
      await waitForBank(session);
      await session.expectTaken(charge, []);
    }
  },
});

const repeatCase = (account: DebitedAccount): GatewayCase => ({
  id: 'debit-once-repeat',
  title: 'an account debited once, and the same reference again, is debited once',
  needs: 'clock',
  async run(session) {
    const charge = await debitCharge(session, account);
    const { made } = await session.pay(charge);
    const { outcome: again } = await session.pay(charge);
    ensure(again.is === 'pending' || again.is === 'unknown', `the second time it is ${inWords(again)}`);
    await waitForBank(session);
    made.outcome = await settle(session, lost(charge), made.state);
    await session.expectTaken(charge, [charge.amount.minor]);
  },
});
