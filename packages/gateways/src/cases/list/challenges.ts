/** Cases about payments whose bank asks the payer: 3-D Secure. */
import type { Charge, GatewayState } from '../../port/gateway.ts';
import type { GatewayCase } from '../case.ts';
import { CaseFailed, CaseNotAvailable, ensure } from '../case-end.ts';
import type { TestMethod } from '../data.ts';
import { type CaseSession, inWords, lost, type MadeCharge } from '../session.ts';
import { expectOutcome } from './charges.ts';

interface Challenge {
  readonly charge: Charge;
  readonly state: GatewayState;
  readonly made: MadeCharge;
  /** Plays the payer on the bank's page; gives the query the browser comes back with. */
  readonly answer: (how: 'complete' | 'fail') => Promise<Readonly<Record<string, string>>>;
  /** The same after the payment was ended, where there is a payer: no page need take it any more. */
  readonly answerLate: () => Promise<void>;
}

/** A payment that waits for its payer. */
async function challenge(session: CaseSession, method: TestMethod): Promise<Challenge> {
  const charge = await session.charge(method);
  const { outcome, made } = await session.pay(charge);
  if (outcome.is !== 'requiresAction')
    throw new CaseFailed(`expected requiresAction, got ${inWords(outcome)}`);
  await session.expectTaken(charge, []);
  const { action, state } = outcome;
  const { control, data } = session.run;
  const { answerChallenge: play } = data.sandbox;
  const answer: Challenge['answer'] = (how) => {
    if (control === undefined || play === undefined || action.do !== 'redirect')
      throw new CaseNotAvailable('nobody answers the bank here');
    return play(action.to, how);
  };
  const answerLate = async () => {
    if (control !== undefined) await answer('complete').catch(() => undefined);
  };
  return { charge: lost(charge), state, made, answer, answerLate };
}

export function challengeCases(method: TestMethod): GatewayCase[] {
  return [
    {
      id: 'challenge-completed',
      title: '3-D Secure completed: paid once, however often the return page is loaded',
      needs: 'payer',
      async run(session) {
        const { charge, state, made, answer } = await challenge(session, method);
        const query = await answer('complete');
        for (let load = 0; load < 3; load += 1) {
          const found = await session.gateway.handleReturn(charge, state, query);
          expectOutcome(found, 'succeeded');
          made.outcome = found;
        }
        await session.expectTaken(charge, [charge.amount.minor]);
      },
    },
    {
      id: 'challenge-failed',
      title: '3-D Secure failed: declined, and nothing was taken',
      needs: 'payer',
      async run(session) {
        const { charge, state, answer } = await challenge(session, method);
        const query = await answer('fail');
        expectOutcome(await session.gateway.handleReturn(charge, state, query), 'declined');
        await session.expectTaken(charge, []);
      },
    },
    {
      id: 'challenge-closed',
      title: '3-D Secure: the payer is sent to the bank; an abandoned payment is closed for good',
      async run(session) {
        const { charge, state, made, answerLate } = await challenge(session, method);
        const { gateway } = session;
        expectOutcome(await gateway.handleReturn(charge, state, {}), 'requiresAction');
        // An address is no proof, whatever it claims.
        const claimed = await gateway.handleReturn(charge, state, { redirect_status: 'succeeded' });
        expectOutcome(claimed, 'requiresAction');
        made.outcome = await gateway.cancel(charge, state);
        expectOutcome(made.outcome, 'closed');
        await answerLate();
        await session.expectTaken(charge, []);
        expectOutcome(await gateway.handleReturn(charge, state, {}), 'closed');
        expectOutcome(await gateway.cancel(charge, state), 'closed');
      },
    },
    {
      id: 'challenge-closed-later',
      title: '3-D Secure: an abandoned payment is closed by the row alone, as after a crash',
      async run(session) {
        const { charge, made, answerLate } = await challenge(session, method);
        const closed = await session.gateway.cancel(charge, undefined);
        expectOutcome(closed, 'closed');
        made.outcome = closed;
        await answerLate();
        await session.expectTaken(charge, []);
      },
    },
    {
      id: 'challenge-paid',
      title: '3-D Secure: closed too late, it is said that it was paid',
      needs: 'payer',
      async run(session) {
        const { charge, state, made, answer } = await challenge(session, method);
        await answer('complete');
        made.outcome = await session.gateway.cancel(charge, state);
        expectOutcome(made.outcome, 'succeeded');
      },
    },
    {
      id: 'challenge-off-session',
      title: '3-D Secure without the payer: declined as in need of authentication',
      async run(session) {
        const charge = await session.charge(method, { initiator: 'merchant' });
        const { outcome } = await session.pay(charge);
        if (outcome.is !== 'declined') throw new CaseFailed(`expected declined, got ${inWords(outcome)}`);
        ensure(outcome.why.class === 'authenticate', `declined as ${outcome.why.class}, ${outcome.why.code}`);
        await session.expectTaken(charge, []);
      },
    },
  ];
}
