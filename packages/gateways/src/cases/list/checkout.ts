/** Cases about the gateway's own page that takes a payment. */
import type { Charge, GatewayState, RemoteId } from '../../port/gateway.ts';
import type { GatewayCase } from '../case.ts';
import { CaseFailed, CaseNotAvailable, ensure } from '../case-end.ts';
import type { TestMethod } from '../data.ts';
import { type CaseSession, inWords, type MadeCharge } from '../session.ts';
import { expectOutcome } from './charges.ts';

interface Page {
  readonly charge: Charge;
  readonly state: GatewayState;
  /** What was kept before the page was there. */
  readonly kept: GatewayState;
  readonly made: MadeCharge;
  readonly to: string;
  readonly remote: RemoteId | undefined;
  readonly pay: () => Promise<void>;
}

const nothing: TestMethod = { kind: 'card', once: () => ({ token: '' }) };
const pageCharge = (session: CaseSession) => session.charge(nothing, { source: 'lost' });

async function openPage(session: CaseSession): Promise<Page> {
  const charge = await pageCharge(session);
  let kept: GatewayState | undefined;
  const opened = session.gateway.createCheckout;
  if (opened === undefined) throw new CaseFailed('the adapter has no page');
  const keeping = {
    ...session.gateway,
    createCheckout: ((one, saveState) =>
      opened(one, (state) => {
        kept = state;
        return saveState(state);
      })) satisfies typeof opened,
  };
  const { outcome, made } = await session.openPage(charge, keeping);
  if (outcome.is !== 'requiresAction' || outcome.action.do !== 'redirect')
    throw new CaseFailed(`expected requiresAction with an address, got ${inWords(outcome)}`);
  if (kept === undefined) throw new CaseFailed('nothing was kept before the page was opened');
  await session.expectTaken(charge, []);
  const { to } = outcome.action;
  const pay = async () => {
    const { control, data } = session.run;
    if (control === undefined || data.sandbox.payOnPage === undefined)
      throw new CaseNotAvailable('nobody pays on the page here');
    await data.sandbox.payOnPage(to);
  };
  return { charge, state: outcome.state, kept, made, to, remote: outcome.remote, pay };
}

/** That the page takes no payment; only a sandbox has somebody who would try. */
async function expectDead(session: CaseSession, pay: () => Promise<void>): Promise<void> {
  if (session.run.control === undefined) return;
  const isDead = await pay().then(
    () => false,
    () => true,
  );
  ensure(isDead, 'the page takes a payment still');
}

export function checkoutCases(hasWebhook: boolean): GatewayCase[] {
  const closed = (id: string, title: string, by: 'state' | 'kept'): GatewayCase => ({
    id,
    title,
    async run(session) {
      const { [by]: known, charge, state, made, pay } = await openPage(session);
      const { gateway } = session;
      made.outcome = await gateway.cancel(charge, known);
      expectOutcome(made.outcome, 'closed');
      await expectDead(session, pay);
      await session.expectTaken(charge, []);
      expectOutcome(await gateway.handleReturn(charge, state, {}), 'closed');
      expectOutcome(await gateway.cancel(charge, state), 'closed');
    },
  });
  return [
    {
      id: 'page-paid',
      title: "the gateway's own page takes a payment once, however often it is looked at",
      needs: 'payer',
      async run(session) {
        const { charge, state, made, pay } = await openPage(session);
        await pay();
        for (let load = 0; load < 3; load += 1) {
          made.outcome = await session.gateway.handleReturn(charge, state, {});
          expectOutcome(made.outcome, 'succeeded');
        }
        for (const strategy of session.run.can.lookup) {
          const { is } = await session.gateway.lookup(charge, state, strategy);
          ensure(is === 'succeeded' || is === 'inconclusive', `by ${strategy.by} it is ${is}`);
        }
        await expectDead(session, pay);
        await session.expectTaken(charge, [charge.amount.minor]);
      },
    },
    {
      id: 'page-left',
      title: "the gateway's own page is open still at the same address; looking opens no second one",
      async run(session) {
        const { charge, state, kept, to, remote } = await openPage(session);
        for (const known of [state, kept]) {
          const found = await Promise.all(
            session.run.can.lookup.map((strategy) => session.gateway.lookup(charge, known, strategy)),
          );
          const pages = found.flatMap((one) => (one.is === 'requiresAction' ? [one] : []));
          ensure(pages.length > 0, 'no look-up finds it');
          for (const page of pages) {
            ensure(page.remote === remote, 'a second page was found');
            ensure(page.action.do === 'redirect' && page.action.to === to, 'another address was found');
          }
        }
      },
    },
    closed(
      'page-closed',
      "the gateway's own page opens, and nobody can pay on it once it is closed",
      'state',
    ),
    closed(
      'page-closed-later',
      "the gateway's own page is closed by what was kept before it was there",
      'kept',
    ),
    {
      id: 'page-closed-late',
      title: "the gateway's own page: closed too late, it is said that it was paid",
      needs: 'payer',
      async run(session) {
        const { charge, state, made, pay } = await openPage(session);
        await pay();
        made.outcome = await session.gateway.cancel(charge, state);
        expectOutcome(made.outcome, 'succeeded');
      },
    },
    {
      id: 'page-fault-timeout-after',
      title: "the gateway's own page: an answer that was lost is found, and its page closed",
      needs: 'faults',
      async run(session) {
        await session.control.fault('charge', 'timeout-after');
        const charge = await pageCharge(session);
        const { outcome, made } = await session.openPage(charge, session.open({ timeoutMs: impatientMs }));
        ensure(outcome.is === 'unknown' || outcome.is === 'requiresAction', `it is ${inWords(outcome)}`);
        const found = await session.gateway.cancel(charge, made.state);
        made.outcome = found;
        expectOutcome(found, 'closed');
        await session.expectTaken(charge, []);
      },
    },
    ...(hasWebhook ? [pageWebhookCase] : []),
  ];
}

/** Short enough for a fault that gives no answer, milliseconds. */
export const impatientMs = 700;

const pageWebhookCase: GatewayCase = {
  id: 'page-webhook',
  title: "the gateway's own page: a webhook names the payment",
  needs: 'delivery',
  async run(session) {
    const { charge, state, made, remote, pay } = await openPage(session);
    ensure(remote !== undefined, 'the page has no id');
    await pay();
    const { raw, headers, at } = await session.control.delivery(remote);
    const reading = session.gateway.parseWebhook?.(raw, headers, at);
    if (reading?.is !== 'accepted') throw new CaseFailed(`it was refused: ${reading?.why ?? 'not read'}`);
    const [event] = reading.events;
    ensure(event?.about === 'charge' && event.ref === charge.ref, 'it names another payment');
    made.outcome = await session.gateway.handleReturn(charge, state, {});
  },
};
