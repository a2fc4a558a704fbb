import type { SaveState } from '@counterfoil/gateways/port/gateway.ts';
import { describe, expect, it, vi } from 'vitest';
import {
  absent,
  fixture,
  inconclusive,
  rows,
  setUp,
  unknown,
} from '../../../../test/fixtures/paying/engine-fixture.ts';
import { DatabaseUnavailable } from '../../../db/database.ts';
import { reconcile } from './reconcile.ts';

describe('when the answer cannot be written down', () => {
  it.each([
    ['the database is away', () => new DatabaseUnavailable('no answer')],
    ['anything else breaks', () => new Error('broken')],
  ])(
    'because %s, the payer is told it is being confirmed, and it is [decisions.3.failed-only-certain]',
    async (_name, fault) => {
      const { pay, attempt, captures } = await setUp();
      fixture.gateway.onCharge = async (charge) => {
        vi.spyOn(fixture.deps.databases.web, 'transaction').mockRejectedValueOnce(fault());
        return fixture.gateway.take(charge);
      };
      expect(await pay()).toMatchObject({ status: 'processing', expected: 'seconds' });
      expect((await attempt()).state).toBe('sending');
      expect(await pay({ cardToken: 'tok_other' })).toMatchObject({ status: 'processing' });
      fixture.clock.advance(26_000);
      await reconcile(fixture.engine);
      expect((await attempt()).state).toBe('succeeded');
      expect(await captures()).toHaveLength(1);
    },
  );

  it('a transaction that cannot roll back never lends its connection on', async () => {
    const { web } = fixture.deps.databases;
    await expect(
      web.transaction(async (tx) => {
        vi.spyOn(await tx.connection(), 'query').mockRejectedValueOnce(
          new Error('Query read timeout') as never,
        );
        throw new RangeError('mine');
      }),
    ).rejects.toThrow(DatabaseUnavailable);
    await expect(web.transaction(async () => 1)).resolves.toBe(1);
  });
});

describe('a gateway that is slow', () => {
  it('the payer is answered in time, and the late answer still counts', async () => {
    const { pay, attempt } = await setUp();
    const late = Promise.withResolvers<void>();
    fixture.gateway.onCharge = async (charge) => {
      await late.promise;
      return fixture.gateway.take(charge);
    };
    expect(await pay()).toMatchObject({ status: 'processing', expected: 'seconds' });
    expect((await attempt()).state).toBe('unknown');
    late.resolve();
    await vi.waitFor(async () => expect((await attempt()).state).toBe('succeeded'), 10_000);
  });

  it('the payer does not wait for a look, a close or a check that hangs', async () => {
    const { pay, body } = await setUp();
    fixture.gateway.onCharge = async () => ({
      is: 'requiresAction',
      action: { do: 'redirect', to: 'https://bank.example/c' },
      state: { id: 'a' },
    });
    await pay();
    const never = () => new Promise<never>(() => undefined);
    Object.assign(fixture.gateway, { onLookup: never, onCancel: never, onVerifyCredentials: never });
    fixture.clock.advance(61_000);
    const [shown, again] = await Promise.all([
      fixture.app.inject(`/v1/ec/payment/details/${body.uid}`),
      pay({ cardToken: 'tok_other' }),
    ]);
    expect(shown.json().data).toMatchObject({ apiStatus: true, attempt: { status: 'requires_action' } });
    expect(again).toMatchObject({ status: 'requires_action', redirectToUrl: 'https://bank.example/c' });
  });
});

describe('looking and sending at the same time', () => {
  it('absence seen before a step was kept does not end the attempt', async () => {
    const { pay, attempt, captures } = await setUp();
    const keeping = Promise.withResolvers<SaveState>();
    const go = Promise.withResolvers<void>();
    fixture.gateway.onCharge = async (charge, saveState) => {
      keeping.resolve(saveState);
      await go.promise;
      return fixture.gateway.take(charge);
    };
    await pay();
    const saveState = await keeping.promise;
    fixture.gateway.onLookup = async () => {
      await saveState({ method: 'pm' });
      return absent;
    };
    fixture.clock.advance(5_000);
    await reconcile(fixture.engine);
    expect((await attempt()).state).toBe('unknown');
    go.resolve();
    await vi.waitFor(async () => expect((await attempt()).state).toBe('succeeded'), 10_000);
    expect(await captures()).toMatchObject([{ n: '11000', credit: '0' }]);
  });

  it('a call that begins minutes after its commit counts from then: its absence is no proof yet', async () => {
    const { pay, attempt, captures } = await setUp();
    const stands = Promise.withResolvers<void>();
    const isKept = Promise.withResolvers<void>();
    const arrives = Promise.withResolvers<void>();
    fixture.gateway.onCharge = async (charge, saveState) => {
      await stands.promise;
      await saveState({ method: 'pm' });
      isKept.resolve();
      await arrives.promise;
      return fixture.gateway.take(charge);
    };
    // As an adapter says it: nothing that was sent so long ago can still arrive.
    fixture.gateway.onLookup = async ({ lastSentAt }) => ({
      is: 'absent',
      proven: fixture.clock.now().getTime() - lastSentAt.getTime() >= 120_000,
    });
    await pay();
    fixture.clock.advance(119_000);
    stands.resolve();
    await isKept.promise;
    fixture.clock.advance(5_000);
    await reconcile(fixture.engine);
    expect((await attempt()).state).toBe('unknown');
    arrives.resolve();
    await vi.waitFor(async () => expect((await attempt()).state).toBe('succeeded'), 10_000);
    expect(await captures()).toMatchObject([{ n: '11000', credit: '0' }]);
  });

  it('once it has ended, a step can no longer be kept, so no money call follows', async () => {
    const { pay, attempt } = await setUp();
    const keeping = Promise.withResolvers<SaveState>();
    fixture.gateway.onCharge = async (_charge, saveState) => {
      keeping.resolve(saveState);
      return new Promise(() => undefined);
    };
    await pay();
    fixture.clock.advance(5_000);
    await reconcile(fixture.engine);
    expect((await attempt()).state).toBe('absent');
    await expect((await keeping.promise)({ method: 'pm' })).rejects.toThrow('has ended');
  });

  it('absence seen while somebody else sent again does not end the attempt', async () => {
    const { pay, attempt } = await setUp();
    fixture.gateway.onCharge = async () => unknown;
    await pay();
    fixture.clock.advance(5_000);
    fixture.gateway.onLookup = async () => {
      await rows('update attempt set last_sent_at = $1 where id = $2', [
        fixture.clock.now(),
        (await attempt()).id,
      ]);
      return absent;
    };
    await reconcile(fixture.engine);
    expect((await attempt()).state).toBe('unknown');
  });

  it('a refusal to a later question does not end an attempt whose first answer never came', async () => {
    const { pay, attempt } = await setUp();
    fixture.gateway.onCharge = async () => {
      vi.spyOn(fixture.deps.databases.web, 'transaction').mockRejectedValueOnce(new Error('broken'));
      return unknown;
    };
    await pay();
    fixture.gateway.onLookup = async () => ({ is: 'notAttempted', why: 'config', detail: 'key refused' });
    fixture.clock.advance(26_000);
    await reconcile(fixture.engine);
    expect((await attempt()).state).toBe('unknown');
  });

  it('nothing is sent again for an invoice that is no longer due', async () => {
    const { pay, invoice, attempt } = await setUp();
    fixture.gateway.onCharge = async () => unknown;
    const asked: string[] = [];
    fixture.gateway.onLookup = async (charge, by) => {
      if (charge.ref === (await attempt()).ref) asked.push(by?.by ?? '');
      return inconclusive;
    };
    await pay();
    await rows('update invoice set status = 13 where id = $1', [invoice.id]);
    fixture.clock.advance(5_000);
    await reconcile(fixture.engine);
    expect(asked).toEqual(['ref']);
    await rows('update invoice set status = 10 where id = $1', [invoice.id]);
    fixture.clock.advance(5_000);
    await reconcile(fixture.engine);
    expect(asked).toEqual(['ref', 'ref', 'replay']);
    expect((await attempt()).state).toBe('unknown');
  });
});
