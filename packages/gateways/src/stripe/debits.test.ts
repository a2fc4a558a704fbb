/** The four bank debits and authentication of saved cards, against the sandbox. */
import { money } from '@counterfoil/domain/money.ts';
import { nowhere } from '@counterfoil/testing/ports.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCharge } from '../cases/contract-charge.ts';
import { type ContractFixture, Steps } from '../cases/contract-fixture.ts';
import type { Charge, GatewayState, LookupStrategy, Method, SetupResult } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { openFixture } from './contract-fixture.ts';
import { manifest } from './manifest.ts';

let fixture: ContractFixture;
let steps: Steps;
beforeAll(async () => {
  fixture = await openFixture(await nowhere());
  steps = new Steps(fixture);
});
afterAll(() => fixture.close());

const consent = {
  text: 'I authorise these debits',
  version: '1',
  at: new Date(),
  ip: '203.0.113.7',
  agent: 'Mozilla/5.0',
};
const returnTo = 'https://portal.example/payment-types';
const [byId] = manifest.capabilities.lookup as readonly [LookupStrategy, ...LookupStrategy[]];

/** Begins and completes a setup with a test method; gives the step too, for setups that go on. */
async function save(
  scheme: string,
  token: string,
): Promise<{
  payer: GatewayState;
  setup: SetupResult;
  again: (fields: Record<string, string>) => Promise<SetupResult>;
}> {
  const { gateway } = fixture;
  const ref = newGatewayRef();
  const person = { customerId: 'c-1', resellerId: '2204', name: 'Jo Fox', email: 'jo@example.com' };
  const kind = scheme === 'card' ? ('card' as const) : ('bank' as const);
  const begun = await gateway.beginSetup?.({ ref, payer: undefined, person, kind, scheme, returnTo });
  if (begun?.payer === undefined || begun.result.is !== 'continue') throw new Error(JSON.stringify(begun));
  const { payer } = begun;
  let step: GatewayState = begun.result.state;
  const finish = async (
    input: { token: string } | { fields: Record<string, string> },
  ): Promise<SetupResult> => {
    const setup = await gateway.completeSetup?.({ ref, payer, step, input, returnTo, consent });
    if (setup === undefined) throw new Error('saving is offered');
    if ('state' in setup && setup.state !== undefined) step = setup.state;
    return setup;
  };
  return { payer, setup: await finish({ token }), again: (fields) => finish({ fields }) };
}

function methodOf(setup: SetupResult): Method {
  if (setup.is !== 'saved') throw new Error(`expected saved, got ${JSON.stringify(setup)}`);
  return setup.method;
}

const debit = (method: Method, payer: GatewayState, currency: string, over: Partial<Charge> = {}): Charge =>
  testCharge({
    sentAt: fixture.now(),
    amount: money(12_550n, currency),
    fee: money(0n, currency),
    source: { saved: method.state },
    payer,
    ...over,
  });

/** Charges, waits for the bank, asks. */
async function outcomeOf(charge: Charge) {
  const { outcome, state } = await steps.pay(charge);
  expect(outcome).toMatchObject({ is: 'pending', because: 'bank' });
  await fixture.advance(10_000);
  return fixture.gateway.lookup(charge, state, byId);
}

describe('a bank debit', () => {
  it.each([
    ['au_becs_debit', 'pm_auBecsDebit_success', 'AUD'],
    ['us_bank_account', 'pm_usBankAccount_success', 'USD'],
    ['bacs_debit', 'pm_bacsDebit_success', 'GBP'],
    ['sepa_debit', 'pm_sepaDebit_success_at', 'EUR'],
  ])('%s is saved with a mandate, pending when charged, then paid', async (scheme, token, currency) => {
    const { payer, setup } = await save(scheme, token);
    const method = methodOf(setup);
    expect(method).toMatchObject({ kind: 'bank', usable: 'now', show: { type: scheme } });
    expect(method.mandate?.scheme).toBe(scheme);
    const charge = debit(method, payer, currency, { initiator: 'merchant' });
    expect(await outcomeOf(charge)).toMatchObject({ is: 'succeeded', captured: money(12_550n, currency) });
  });

  it.each([
    ['au_becs_debit', 'pm_auBecsDebit_accountClosed', 'AUD', 'account_closed'],
    ['au_becs_debit', 'pm_auBecsDebit_referToCustomer', 'AUD', 'refer_to_customer'],
    ['bacs_debit', 'pm_bacsDebit_insufficientFunds', 'GBP', 'insufficient_funds'],
  ])('%s returned by the bank is declined with its reason: %s', async (scheme, token, currency, code) => {
    const { payer, setup } = await save(scheme, token);
    const found = await outcomeOf(debit(methodOf(setup), payer, currency));
    expect(found).toMatchObject({ is: 'declined', why: { code } });
  });

  it('on its way cannot be closed', async () => {
    const { payer, setup } = await save('au_becs_debit', 'pm_auBecsDebit_success');
    const charge = debit(methodOf(setup), payer, 'AUD');
    const { state } = await steps.pay(charge);
    expect((await fixture.gateway.cancel(charge, state)).is).toBe('pending');
  });
});

describe('a saved card that needs its owner', () => {
  it('goes to the bank when saved, and cannot be charged without the payer', async () => {
    const { payer, setup, again } = await save('card', 'pm_card_authenticationRequired');
    if (setup.is !== 'continue' || setup.action.do !== 'redirect') throw new Error(setup.is);
    const query = await fixture.challenged?.answer(setup.action.to, 'complete');
    const method = methodOf(await again(query ?? {}));

    const alone = debit(method, payer, 'AUD', { initiator: 'merchant' });
    expect((await steps.pay(alone)).outcome).toMatchObject({
      is: 'declined',
      why: { class: 'authenticate' },
    });
    expect(await fixture.taken(alone.ref)).toEqual([]);
    const present = debit(method, payer, 'AUD');
    expect((await steps.pay(present)).outcome.is).toBe('requiresAction');
  });

  it('is refused when the bank says no', async () => {
    const { setup, again } = await save('card', 'pm_card_authenticationRequired');
    if (setup.is !== 'continue' || setup.action.do !== 'redirect') throw new Error(setup.is);
    const query = await fixture.challenged?.answer(setup.action.to, 'fail');
    expect(await again(query ?? {})).toMatchObject({ is: 'refused', why: { class: 'otherMethod' } });
  });
});
