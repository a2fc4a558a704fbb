/** Cases of `gateway verify` about saved methods and bank debits. */

import type { Method, SetupResult } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { CaseFailed, CaseNotAvailable, ensure, type TestMethod, type VerifyCase } from './verify.ts';
import { expectOutcome } from './verify-cases.ts';
import { inWords, type VerifySession } from './verify-session.ts';

export const saveCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'save',
  what: 'a card is saved, listed and read back',
  proves,
  async run(session) {
    const { method, payer } = await session.saved(card);
    ensure(method.kind === card.kind && method.usable === 'now', 'what was saved is read as another');
    const listed = await list(session, payer);
    if (listed !== undefined)
      ensure(
        listed.some((one) => one.remote === method.remote),
        'the saved method is not in the list',
      );
    const read = await session.gateway.getMethod?.(method.state);
    if (read === undefined) return;
    if (read.is !== 'there') throw new CaseFailed(`reading it back: ${read.is}`);
    ensure(read.method.remote === method.remote, 'another method was read back');
  },
});

async function list({ gateway }: VerifySession, payer: Readonly<Record<string, string>>) {
  if (gateway.listMethods === undefined) return undefined;
  const listed: Method[] = [];
  for await (const one of gateway.listMethods(payer)) listed.push(one);
  return listed;
}

export const paySavedCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'pay-saved',
  what: 'a saved card is charged with its payer and without',
  proves,
  async run(session) {
    const { method, payer } = await session.saved(card);
    const pay = { saved: method.state };
    await session.paid(await session.charge(card, { source: pay, payer }));
    await session.paid(await session.charge(card, { source: pay, payer, initiator: 'merchant' }));
  },
});

export const defaultCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'default',
  what: 'the default is set, read back, and forgotten with its method',
  proves,
  async run(session) {
    const { method, payer } = await session.saved(card);
    const { setDefaultMethod: prefer, getDefaultMethod: preferred } = session.gateway;
    if (prefer === undefined || preferred === undefined) throw new CaseFailed('the adapter has no default');
    ensure((await prefer(payer, method.state)) === 'done', 'the default could not be set');
    ensure((await preferred(payer)) === method.remote, 'another default was read back');
    ensure((await session.gateway.removeMethod?.(method.state)) === 'gone', 'it could not be removed');
    ensure((await preferred(payer)) === null, 'the default is still that of the removed method');
  },
});

export const editCase = (
  proves: readonly number[],
  card: TestMethod,
  change: () => Readonly<Record<string, string>>,
): VerifyCase => ({
  id: 'edit',
  what: 'what may be changed of a saved card is changed',
  proves,
  async run(session) {
    const { method } = await session.saved(card);
    const wanted = change();
    const edited = await session.gateway.updateMethod?.(newGatewayRef(), method.state, wanted);
    if (edited?.is !== 'saved')
      throw new CaseFailed(`changing ended as ${edited === undefined ? 'nothing' : inWords(edited)}`);
    for (const [field, value] of Object.entries(wanted))
      ensure(edited.method.show[field] === value, `${field} was not changed`);
  },
});

export const removeCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'remove',
  what: 'a removed method is gone, also when it is removed again, and cannot be charged',
  proves,
  async run(session) {
    const { method, payer } = await session.saved(card);
    const { gateway } = session;
    ensure((await gateway.removeMethod?.(method.state)) === 'gone', 'it could not be removed');
    ensure((await gateway.removeMethod?.(method.state)) === 'gone', 'removing it again was not understood');
    if (gateway.getMethod !== undefined)
      ensure((await gateway.getMethod(method.state)).is === 'gone', 'it is still read back');
    const listed = await list(session, payer);
    ensure(listed?.some((one) => one.remote === method.remote) !== true, 'it is still in the list');
    const charge = await session.charge(card, { source: { saved: method.state }, payer });
    const { outcome } = await session.pay(charge);
    ensure(
      outcome.is === 'notAttempted' && outcome.why === 'methodGone',
      `charging it: expected methodGone, got ${inWords(outcome)}`,
    );
  },
});

/** A card whose bank asks for its owner before it is saved. */
export const setupChallengeCase = (proves: readonly number[], card: TestMethod): VerifyCase => ({
  id: 'save-challenge',
  what: '3-D Secure while saving: the owner is sent to the bank',
  proves,
  async run(session) {
    const { setup } = await session.save(card);
    if (setup.is !== 'continue') throw new CaseFailed(`expected continue, got ${inWords(setup)}`);
    ensure(setup.action.do !== 'browser', 'the owner is not sent anywhere');
  },
});

/** A bank account that is saved with a mandate and debited; the debit is under way afterwards. */
export const debitCase = (
  proves: readonly number[],
  account: TestMethod & { readonly scheme: string },
  isNotOffered: (detail: string) => boolean,
): VerifyCase => ({
  id: `debit-${account.scheme.replaceAll('_', '-')}`,
  what: `a bank debit is made under a mandate and is under way: ${account.scheme}`,
  proves,
  async run(session) {
    const { setup, payer } = await session.save(account);
    const method = savedAccount(setup, isNotOffered);
    ensure(method.mandate !== undefined, 'it was saved without a mandate');
    ensure(method.usable === 'now', `it is usable ${method.usable}`);
    session.note(method.mandate.remote);
    const charge = await session.charge(account, { source: { saved: method.state }, payer });
    const { outcome } = await session.pay(charge);
    if (outcome.is === 'notAttempted' && isNotOffered(outcome.detail))
      throw new CaseNotAvailable(outcome.detail);
    expectOutcome(outcome, 'pending');
    ensure('because' in outcome && outcome.because === 'bank', 'it is not the bank it waits for');
  },
});

/** A bank account that is debited once, without being kept. */
export const debitOnceCase = (
  proves: readonly number[],
  account: TestMethod & { readonly scheme: string },
  isNotOffered: (detail: string) => boolean,
): VerifyCase => ({
  id: `debit-once-${account.scheme.replaceAll('_', '-')}`,
  what: `an account is debited once by its holder's agreement, without being kept, and is under way: ${account.scheme}`,
  proves,
  async run(session) {
    const token = await account.once(session.account);
    const { scheme } = account;
    const refused = await session.pay(
      await session.charge(account, { source: { ...token, debit: { scheme } } }),
    );
    ensure(
      refused.outcome.is === 'notAttempted',
      `without an agreement: expected a refusal, got ${inWords(refused.outcome)}`,
    );
    const debit = { scheme, consent: session.consent() };
    const { outcome } = await session.pay(await session.charge(account, { source: { ...token, debit } }));
    if (outcome.is === 'notAttempted' && isNotOffered(outcome.detail))
      throw new CaseNotAvailable(outcome.detail);
    expectOutcome(outcome, 'pending');
    ensure('because' in outcome && outcome.because === 'bank', 'it is not the bank it waits for');
  },
});

function savedAccount(setup: SetupResult, isNotOffered: (detail: string) => boolean): Method {
  if (setup.is === 'saved') return setup.method;
  if (setup.is === 'notAttempted' && isNotOffered(setup.detail)) throw new CaseNotAvailable(setup.detail);
  throw new CaseFailed(`saving ended as ${inWords(setup)}`);
}
