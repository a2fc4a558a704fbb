/** Cases about saved methods, at gateways that keep them. */
import type { Capabilities, GatewayState, Method } from '../../port/gateway.ts';
import { newGatewayRef } from '../../port/gateway-ref.ts';
import type { GatewayCase } from '../case.ts';
import { CaseFailed, ensure } from '../case-end.ts';
import type { CasesData, DeclinedMethod, TestMethod } from '../data.ts';
import { type CaseSession, inWords } from '../session.ts';
import { payWhole } from '../settle.ts';
import { expectNotAttempted, expectOutcome, lookUp } from './charges.ts';

async function list({ gateway }: CaseSession, payer: GatewayState): Promise<Method[] | undefined> {
  if (gateway.listMethods === undefined) return undefined;
  const listed: Method[] = [];
  for await (const one of gateway.listMethods(payer)) listed.push(one);
  return listed;
}

/** @param owner of the vault: the default of one that is ours is ours too */
export function savedCases(data: CasesData, owner: Capabilities['vault']['owner']): GatewayCase[] {
  const { good, challenged, change } = data;
  const refused = data.declines.filter(({ savable }) => savable !== true);
  const decline = refused.find(({ name }) => name === data.decline) ?? refused[0];
  return [
    ...(decline === undefined ? [] : [declinedCase(decline)]),
    {
      id: 'save',
      title: 'a method is saved, listed and read back',
      async run(session) {
        const { method, payer } = await session.saved(good);
        ensure(method.kind === good.kind && method.usable === 'now', 'what was saved is read as another');
        const listed = await list(session, payer);
        if (listed !== undefined) {
          const own = listed.filter(({ remote }) => remote === method.remote);
          ensure(own.length === 1, 'the saved method is not in the list once');
          ensure(isSameState(own[0]?.state, method.state), 'the list gives it another state');
        }
        const read = await session.gateway.getMethod?.(method.state);
        if (read === undefined) return;
        if (read.is !== 'there') throw new CaseFailed(`reading it back: ${read.is}`);
        ensure(JSON.stringify(read.method) === JSON.stringify(method), 'another method was read back');
      },
    },
    {
      id: 'pay-saved',
      title: 'a saved method is charged with its payer and without, and found without a second charge',
      withinMs: 240_000,
      async run(session) {
        const { method, payer } = await session.saved(good);
        const source = { saved: method.state };
        await payWhole(session, await session.charge(good, { source, payer }));
        const charge = await session.charge(good, { source, payer, initiator: 'merchant' });
        await payWhole(session, charge);
        for (const strategy of session.run.can.lookup) {
          const look = () => session.gateway.lookup(charge, undefined, strategy);
          const first = await look();
          // It may not be listed yet.
          const found =
            first.is === 'absent' && !first.proven ? await lookUp(session, strategy, look) : first;
          ensure(found.is !== 'absent', `by ${strategy.by} it is absent`);
        }
        await session.expectTaken(charge, [charge.amount.minor]);
      },
    },
    ...(owner === 'gateway' && data.hasNoDefault !== true ? [defaultCase(good)] : []),
    ...(good.play === undefined ? [] : [pageLeftCase(good)]),
    ...(change === undefined ? [] : [editCase(good, change)]),
    {
      id: 'remove',
      title: 'a removed method is gone, also when it is removed again, and cannot be charged',
      async run(session) {
        const { method, payer } = await session.saved(good);
        const { gateway } = session;
        ensure((await gateway.removeMethod?.(method.state)) === 'gone', 'it could not be removed');
        ensure(
          (await gateway.removeMethod?.(method.state)) === 'gone',
          'removing it again was not understood',
        );
        if (gateway.getMethod !== undefined)
          ensure((await gateway.getMethod(method.state)).is === 'gone', 'it is still read back');
        const listed = await list(session, payer);
        ensure(listed?.some((one) => one.remote === method.remote) !== true, 'it is still in the list');
        // Where only we forget it, what we have forgotten cannot be charged.
        if (session.run.can.vault.remove === 'local') return;
        const charge = await session.charge(good, { source: { saved: method.state }, payer });
        expectNotAttempted((await session.pay(charge)).outcome, 'methodGone');
      },
    },
    ...(challenged === undefined ? [] : challengedCases(challenged)),
  ];
}

const defaultCase = (good: TestMethod): GatewayCase => ({
  id: 'default',
  title: 'the default is set, read back, and forgotten with its method',
  async run(session) {
    const { method, payer } = await session.saved(good);
    const { setDefaultMethod, getDefaultMethod, removeMethod } = session.gateway;
    if (setDefaultMethod === undefined || getDefaultMethod === undefined)
      throw new CaseFailed('the adapter has no default');
    ensure((await setDefaultMethod(payer, method.state)) === 'done', 'the default could not be set');
    ensure((await getDefaultMethod(payer)) === method.remote, 'another default was read back');
    ensure((await removeMethod?.(method.state)) === 'gone', 'it could not be removed');
    ensure((await getDefaultMethod(payer)) === null, 'the default is still that of the removed method');
  },
});

/** A method that is entered on the provider's page. */
const pageLeftCase = (good: TestMethod): GatewayCase => ({
  id: 'save-page-left',
  title: 'a page for saving that its payer has left is open still at the same address, and has saved nothing',
  async run(session) {
    const left = { ...good, play: async () => ({ fields: {} }) };
    const { setup, payer, go } = await session.save(left);
    for (const found of [setup, await go({ fields: {} })])
      ensure(found.is === 'continue' && found.action.do === 'redirect', `saving is ${inWords(found)}`);
    ensure((await list(session, payer))?.length === 0, 'a method is in the list');
  },
});

const declinedCase = ({ method, why }: DeclinedMethod): GatewayCase => ({
  id: 'save-declined',
  title: 'a card that is declined while it is saved is refused, in words for its owner',
  async run(session) {
    const { setup } = await session.save(method);
    if (setup.is !== 'refused') throw new CaseFailed(`expected refused, got ${inWords(setup)}`);
    ensure(setup.why.text === why.text, `the customer would read '${setup.why.text}'`);
  },
});

const isSameState = (one: GatewayState | undefined, other: GatewayState): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const editCase = (good: TestMethod, change: () => Readonly<Record<string, string>>): GatewayCase => ({
  id: 'edit',
  title: 'what may be changed of a saved card is changed',
  async run(session) {
    const { method } = await session.saved(good);
    const wanted = change();
    const edited = await session.gateway.updateMethod?.(newGatewayRef(), method.state, wanted);
    if (edited?.is !== 'saved')
      throw new CaseFailed(`changing ended as ${edited === undefined ? 'nothing' : inWords(edited)}`);
    for (const [field, value] of Object.entries(wanted))
      ensure(edited.method.show[field] === value, `${field} was not changed`);
  },
});

/** A card whose bank asks its owner before it is saved. */
function challengedCases(challenged: TestMethod): GatewayCase[] {
  /** Saves it, and gives what its owner comes back with from the bank. */
  const answered = async (session: CaseSession, how: 'complete' | 'fail') => {
    const { setup, payer, go } = await session.save(challenged);
    if (setup.is !== 'continue' || setup.action.do !== 'redirect')
      throw new CaseFailed(`expected to be sent to the bank, got ${inWords(setup)}`);
    const query = await session.run.data.sandbox.answerChallenge?.(setup.action.to, how);
    return { payer, done: await go({ fields: query ?? {} }) };
  };
  return [
    {
      id: 'save-challenge',
      title: '3-D Secure while saving: the owner is sent to the bank',
      async run(session) {
        const { setup } = await session.save(challenged);
        if (setup.is !== 'continue') throw new CaseFailed(`expected continue, got ${inWords(setup)}`);
        ensure(setup.action.do !== 'browser', 'the owner is not sent anywhere');
      },
    },
    {
      id: 'save-challenge-completed',
      title: '3-D Secure while saving: saved once answered; charged with its owner only',
      needs: 'payer',
      async run(session) {
        const { payer, done } = await answered(session, 'complete');
        if (done.is !== 'saved') throw new CaseFailed(`saving ended as ${inWords(done)}`);
        const source = { saved: done.method.state };
        const alone = await session.charge(challenged, { source, payer, initiator: 'merchant' });
        const { outcome } = await session.pay(alone);
        if (outcome.is !== 'declined') throw new CaseFailed(`expected declined, got ${inWords(outcome)}`);
        ensure(outcome.why.class === 'authenticate', `declined as ${outcome.why.class}`);
        await session.expectTaken(alone, []);
        const present = await session.pay(await session.charge(challenged, { source, payer }));
        expectOutcome(present.outcome, 'requiresAction');
      },
    },
    {
      id: 'save-challenge-failed',
      title: '3-D Secure while saving: refused when the bank says no',
      needs: 'payer',
      async run(session) {
        const { done } = await answered(session, 'fail');
        if (done.is !== 'refused') throw new CaseFailed(`expected refused, got ${inWords(done)}`);
        ensure(done.why.class === 'otherMethod', `refused as ${done.why.class}`);
      },
    },
  ];
}
