/** Accounts and saved methods against the sandbox: what the list of cases does not ask. */
import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { newGatewayRef } from '../port/gateway-ref.ts';
import {
  account,
  card,
  charge,
  harness,
  none,
  open,
  openAccount,
  save,
  saved,
  strategy,
  visa,
} from './test-support.ts';

describe('an account', () => {
  it('40: tells before the first payment that it may not read its transactions', async () => {
    expect(await open('rights').verifyCredentials()).toEqual({ ok: true, rights: ['transactions.read'] });
    expect(await open('noreport').verifyCredentials()).toEqual({ ok: true, rights: [] });
    expect(await open('noreport').lookup(charge(), undefined, strategy('scan'))).toMatchObject({
      is: 'inconclusive',
    });
  });

  it.each([
    ['in Test Mode', 'testmode1', {}, 'Test Mode'],
    ['of another currency', 'money-aud', {}, 'AUD'],
    ['with another public key', 'keys', { publicClientKey: 'other' }, 'public client key'],
  ])('31: %s is misconfigured', async (_what, name, over, why) => {
    expect(await open(name, over).verifyCredentials()).toMatchObject({
      ok: false,
      why: expect.stringContaining(why),
    });
  });

  it('in Test Mode pays nothing, and takes its own currency only', async () => {
    expect(await open('testmode1').charge(charge({ source: card() }), none)).toMatchObject({
      is: 'notAttempted',
      why: 'config',
    });
    const source = card();
    const foreign = charge({ amount: money(100n, 'AUD'), source });
    const { pay, sent } = openAccount('plain');
    expect((await pay(foreign)).outcome).toMatchObject({ is: 'notAttempted', why: 'invalid' });
    expect(sent).toEqual([]);
    const number = 'secrets' in source ? source.secrets.number : undefined;
    await expect(number?.use(() => 1)).rejects.toThrow('used or destroyed');
  });
});

describe('saved methods', () => {
  it('8: the same card again is the one there is', async () => {
    const { person, done } = await save('profiles', card(), { address: 'same' });
    const again = await save('profiles', card(), { customerId: person.customerId, address: 'same' });
    expect(done).toMatchObject({ is: 'saved' });
    expect(again.done).toEqual(done);
  });

  it('12: there are ten at the most', async () => {
    const { person } = await save('profiles', card());
    for (let at = 1; at < 10; at += 1) await save('profiles', card(), { customerId: person.customerId });
    expect((await save('profiles', card(), { customerId: person.customerId })).done).toMatchObject({
      is: 'refused',
      why: { code: 'E00042', text: expect.stringContaining('at most 10') },
    });
  });

  it('10, 36: a wrong number is refused, and stands in no answer', async () => {
    const { done } = await save('profiles', card(visa.replace(/1$/, '2')));
    expect(done).toMatchObject({ is: 'refused', why: { code: '6', text: 'Please check the card number' } });
    expect(JSON.stringify(done)).not.toContain(visa.slice(0, 12));
  });

  it('is found where its answer was lost', async () => {
    const gateway = open('profiles');
    await harness.fault({ operation: 'save', mode: 'timeout-after', times: 2 });
    // The first is the customer's own record: once it is there, only the method is lost.
    const customerId = 'customer of a lost answer';
    await expect(save('profiles', card(), { customerId }, { timeoutMs: 500 })).rejects.toThrow('unknown');
    const { done, payer, step } = await save('profiles', card(), { customerId }, { timeoutMs: 500 });
    expect(done).toMatchObject({ is: 'unknown' });
    const look = { ref: newGatewayRef(), payer, step, input: { fields: {} }, returnTo: 'https://x.example/' };
    expect(await gateway.completeSetup?.(look)).toMatchObject({
      is: 'saved',
      method: { show: { last4: '1111' } },
    });
  });

  it('13: an edit keeps number, address and default; a card needs a country', async () => {
    const gateway = open('profiles');
    const method = await saved('profiles');
    await gateway.setDefaultMethod?.({}, method.state);
    const change = { expMonth: '3', expYear: '2037', city: 'Omaha' };
    const edited = await gateway.updateMethod?.(newGatewayRef(), method.state, change);
    expect(edited).toMatchObject({
      is: 'saved',
      method: { expires: '2037-03', show: { last4: '1111', city: 'Omaha', country: 'US', name: 'Vera Fox' } },
    });
    const { profile = '' } = method.state;
    expect(await gateway.getDefaultMethod?.({ profile })).toBe(method.remote);
    expect(await gateway.updateMethod?.(newGatewayRef(), method.state, { country: '' })).toMatchObject({
      is: 'refused',
      why: { text: 'Please choose a country' },
    });
  });

  it('an account shows masked numbers, its holder and its bank', async () => {
    const { done } = await save('profiles', account('123456789012'), { kind: 'bank' });
    expect(done).toMatchObject({
      is: 'saved',
      method: {
        kind: 'bank',
        show: {
          type: 'ach',
          last4: '9012',
          routing: 'XXXX2882',
          bankName: 'First Bank',
          accountType: 'savings',
        },
      },
    });
  });
});
