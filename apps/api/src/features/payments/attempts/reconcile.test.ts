import type { LookupResult } from '@counterfoil/gateways/port/gateway.ts';
import { describe, expect, it, vi } from 'vitest';
import { fixture, rows, setUp, unknown } from '../../../../test/fixtures/paying/engine-fixture.ts';
import { reconcile, reconciler } from './reconcile.ts';

const never = () => new Promise<never>(() => undefined);
/** More than one account has workers. */
const MANY = 12;

/** A payment of a reseller of its own whose outcome is not known; the money was taken. */
async function lost() {
  const payer = await setUp();
  fixture.gateway.onCharge = async (charge) => {
    fixture.gateway.take(charge);
    return unknown;
  };
  expect(await payer.pay()).toMatchObject({ status: 'processing' });
  const state = async () => (await payer.attempt()).state;
  return { ...payer, state, ref: (await payer.attempt()).ref };
}

/** Payments of one reseller, all unknown, whose gateway does not answer any more when asked. */
async function hanging() {
  const first = await lost();
  for (let n = 1; n < MANY; n += 1) {
    const invoice = await fixture.seedPayable(first.customer);
    await first.pay({ uid: invoice.token, invoiceNumber: invoice.number });
  }
  const of = await rows<{ ref: string }>('select ref from attempt where reseller_id = $1', [
    first.reseller.id,
  ]);
  expect(of).toHaveLength(MANY);
  return new Set(of.map(({ ref }) => ref));
}

describe('a gateway that hangs when it is asked', () => {
  it('holds up no other account in a round, nor a later one', async () => {
    const refs = await hanging();
    const other = await lost();
    const asked: string[] = [];
    const release = Promise.withResolvers<LookupResult>();
    fixture.gateway.onLookup = async (charge) => {
      if (!refs.has(charge.ref)) return fixture.gateway.take(charge);
      asked.push(charge.ref);
      return release.promise;
    };
    fixture.clock.advance(30_000);
    const rounds = reconciler(fixture.engine);
    await rounds.round();
    await vi.waitFor(async () => expect(await other.state()).toBe('succeeded'), 10_000);
    const third = await lost();
    fixture.clock.advance(5_000);
    await rounds.round();
    await vi.waitFor(async () => expect(await third.state()).toBe('succeeded'), 10_000);
    // Its own share and no more; nobody is asked twice at the same time.
    expect(asked).toHaveLength(8);
    expect(new Set(asked).size).toBe(8);
    release.resolve({ is: 'inconclusive', why: 'hung up' });
    await vi.waitFor(() => expect(new Set(asked)).toEqual(refs), 10_000);
    await rounds.stop();
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    fixture.clock.advance(60_000);
    expect(await reconcile(fixture.engine)).toEqual({ asked: MANY, ended: MANY });
  });

  it('of a round that is waited for, all others have ended before', async () => {
    const refs = await hanging();
    const other = await lost();
    fixture.gateway.onLookup = (charge) =>
      refs.has(charge.ref) ? never() : Promise.resolve(fixture.gateway.take(charge));
    fixture.clock.advance(30_000);
    void reconcile(fixture.engine).catch(() => undefined);
    await vi.waitFor(async () => expect(await other.state()).toBe('succeeded'), 10_000);
  });
});
