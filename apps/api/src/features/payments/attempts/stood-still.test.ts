import { describe, expect, it } from 'vitest';
import { absent, fixture, rows, setUp, unknown } from '../../../../test/fixtures/paying/engine-fixture.ts';
import { sendCharge } from './charge.ts';
import { readAttempt } from './engine.ts';
import { settle } from './settle.ts';

/** A charge to a saved card, committed by a process that stands still before its call. */
async function committed() {
  const one = await setUp();
  fixture.gateway.onCharge = async () => unknown;
  await one.pay();
  const { key } = await one.attempt();
  const row = await readAttempt(fixture.engine, key);
  const account = row && (await fixture.engine.accounts.byId(row.gateway_account_id));
  if (row === undefined || account === undefined) throw new Error('there is no attempt');
  fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
  const before = fixture.gateway.calls.charge;
  return {
    ...one,
    key,
    goesOn: () => sendCharge(fixture.engine, account, row, { saved: { token: 'tok_kept' } }),
    calls: () => fixture.gateway.calls.charge - before,
  };
}

describe('a process that stands still between its commit and its charge of a saved card', () => {
  it('takes nothing once the payment was found absent', async () => {
    const one = await committed();
    await settle(fixture.engine, one.key, absent, 'reconciler');
    expect(await one.goesOn()).toMatchObject({ state: 'absent' });
    expect(one.calls()).toBe(0);
    expect(await one.captures()).toEqual([]);
  });

  it('counts from its call: what was asked before it proves nothing', async () => {
    const one = await committed();
    const asked = await readAttempt(fixture.engine, one.key);
    fixture.clock.advance(119_000);
    fixture.gateway.onCharge = async () => unknown;
    await one.goesOn();
    expect(one.calls()).toBe(1);
    const after = await settle(fixture.engine, one.key, absent, 'reconciler', asked);
    expect(after.state).toBe('unknown');
  });

  it('charges as ever while it is open', async () => {
    const one = await committed();
    expect(await one.goesOn()).toMatchObject({ state: 'succeeded' });
    expect(await rows('select 1 from capture where customer_id = $1', [one.customer.id])).toHaveLength(1);
  });
});
