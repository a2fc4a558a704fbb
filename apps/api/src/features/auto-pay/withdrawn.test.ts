import { newId } from '@counterfoil/domain/text/ids.ts';
import { describe, expect, it } from 'vitest';
import { fixture, rows, setUp, unknown } from '../../../test/fixtures/paying/engine-fixture.ts';
import { sealGatewayState } from '../payments/attempts/attempt-row.ts';
import { reconcile } from '../payments/attempts/reconcile.ts';

/** A charge by Auto-Pay of which nothing was heard, and a gateway that may only be asked by sending again. */
async function sentByItself() {
  const one = await setUp();
  const { id: customerId, resellerId } = one.customer;
  fixture.gateway.onCharge = async () => unknown;
  await one.pay();
  const { key, ref } = await one.attempt();
  const methodId = newId();
  await rows(`update attempt set initiator = 'merchant' where id = $1`, [key.attemptId]);
  await rows(
    `insert into payment_method (customer_id, id, gateway_account_id, kind, token_digest, gateway_state_sealed, show, usable, state,
       created_at, updated_at)
     select customer_id, $2, gateway_account_id, 'card', '\\x01', '\\x01', '{}', 'now', 'active', sent_at, sent_at
       from attempt where id = $1`,
    [key.attemptId, methodId],
  );
  await rows(
    `insert into autopay_plan (customer_id, invoice_id, state, attempt_id, runs, updated_at)
     select customer_id, $2, 'charging', id, 1, sent_at from attempt where id = $1`,
    [key.attemptId, one.invoice.id],
  );
  await rows(
    `insert into autopay_run (customer_id, invoice_id, run_no, attempt_id, payment_method_id, at)
     select customer_id, $2, 1, id, $3, sent_at from attempt where id = $1`,
    [key.attemptId, one.invoice.id, methodId],
  );
  const agree = () =>
    rows(
      `insert into consent (customer_id, id, purpose, text, version, user_id, user_name, at, address, agent)
       values ($1, $2, 'autoPay', 'yes', '1', $2, 'jo', $3, '::1', 'test')`,
      [customerId, newId(), fixture.clock.now()],
    );
  /** The strategies used by a round. */
  const asked = async () => {
    const strategies: string[] = [];
    fixture.gateway.onLookup = async (charge, strategy) => {
      // Those of the other tests are still open.
      if (charge.ref !== ref) return { is: 'inconclusive', why: 'another one' };
      strategies.push(strategy?.by ?? '');
      return strategy?.mayCharge === true
        ? fixture.gateway.take(charge)
        : { is: 'inconclusive', why: 'not seen' };
    };
    fixture.clock.advance(60_000);
    await reconcile(fixture.engine);
    return strategies;
  };
  return { ...one, customerId, resellerId, methodId, agree, asked };
}

describe('a charge by Auto-Pay of which nothing was heard', () => {
  it('is sent again while the permission stands', async () => {
    const one = await sentByItself();
    await one.agree();
    expect(await one.asked()).toEqual(['ref', 'replay']);
    expect(await one.attempt()).toMatchObject({ state: 'succeeded' });
  });

  it('is not sent again once the customer has switched Auto-Pay off', async () => {
    const one = await sentByItself();
    await one.agree();
    await rows(`update consent set revoked_at = $2, revoked_by = 'jo' where customer_id = $1`, [
      one.customerId,
      fixture.clock.now(),
    ]);
    expect(await one.asked()).toEqual(['ref']);
    expect(fixture.gateway.taken.size).toBe(0);
    expect(await one.attempt()).toMatchObject({ state: 'unknown' });
  });

  it('is sent again without a permission where the reseller asks for none', async () => {
    const one = await sentByItself();
    await rows('update reseller set settings = $2 where id = $1', [
      one.resellerId,
      JSON.stringify({ requireCustomerPermissionForCharging: false }),
    ]);
    expect(await one.asked()).toEqual(['ref', 'replay']);
  });

  it('is not sent again once its card was removed', async () => {
    const one = await sentByItself();
    await one.agree();
    await rows(`update payment_method set state = 'leaving' where id = $1`, [one.methodId]);
    expect(await one.asked()).toEqual(['ref']);
    expect(fixture.gateway.taken.size).toBe(0);
  });
});

describe('a charge to a saved card of which nothing was heard, by somebody who pressed Pay', () => {
  async function pressed() {
    const one = await sentByItself();
    const { key } = await one.attempt();
    const gatewayState = { token: 'tok_kept' };
    await rows(`update attempt set initiator = 'customer', method_sealed = $2 where id = $1`, [
      key.attemptId,
      sealGatewayState(gatewayState, key.attemptId, fixture.deps.secrets),
    ]);
    await rows('update payment_method set gateway_state_sealed = $2 where id = $1', [
      one.methodId,
      sealGatewayState(gatewayState, one.methodId, fixture.deps.secrets),
    ]);
    return one;
  }

  it('is sent again while the card is kept', async () => {
    const one = await pressed();
    expect(await one.asked()).toEqual(['ref', 'replay']);
    expect(await one.attempt()).toMatchObject({ state: 'succeeded' });
  });

  it.each(['leaving', 'gone'])('is only looked for once the card was removed: %s', async (state) => {
    const one = await pressed();
    await rows('update payment_method set state = $2 where id = $1', [one.methodId, state]);
    expect(await one.asked()).toEqual(['ref']);
    expect(fixture.gateway.taken.size).toBe(0);
    expect(await one.attempt()).toMatchObject({ state: 'unknown' });
  });

  it('is only looked up once the card was entered again and has another token', async () => {
    const one = await pressed();
    await rows('update payment_method set gateway_state_sealed = $2 where id = $1', [
      one.methodId,
      sealGatewayState({ token: 'tok_new' }, one.methodId, fixture.deps.secrets),
    ]);
    expect(await one.asked()).toEqual(['ref']);
  });
});
