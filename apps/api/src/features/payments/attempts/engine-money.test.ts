import { money } from '@counterfoil/domain/money/money.ts';
import type { GatewayEvent, Outcome } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it, vi } from 'vitest';
import {
  declined,
  fixture,
  hook,
  lines,
  post,
  rows,
  setUp,
  unknown,
} from '../../../../test/fixtures/paying/engine-fixture.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { receiptJob } from '../receipts/mail-queue.ts';
import { reconcile } from './reconcile.ts';
import { settle } from './settle.ts';

describe('what cannot be found out', () => {
  it('is shown to a person after an hour, is still asked about, and ends by evidence', async () => {
    const { pay, attempt } = await setUp();
    fixture.gateway.onCharge = async () => unknown;
    fixture.gateway.onLookup = async () => unknown;
    await pay();
    fixture.clock.advance(61 * 60_000);
    await reconcile(fixture.engine);
    expect((await attempt()).state).toBe('needsReview');
    expect(lines.join('')).toContain('a payment needs a person');
    expect(await pay({ cardToken: 'tok_other' })).toMatchObject({ status: 'processing' });
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    fixture.clock.advance(6 * 60_000);
    await reconcile(fixture.engine);
    expect((await attempt()).state).toBe('succeeded');
  });

  it.each(['its own answer', 'a look-up'])(
    'and that no look-up will ever tell is put before a person at once, and never repeated: by %s',
    async (by) => {
      const { pay, attempt } = await setUp();
      const forPerson = { ...unknown, needsPerson: true } as const;
      fixture.gateway.onCharge = async () => (by === 'a look-up' ? unknown : forPerson);
      fixture.gateway.onLookup = async () => forPerson;
      expect(await pay()).toMatchObject({ status: 'processing' });
      fixture.clock.advance(5_000);
      await reconcile(fixture.engine);
      expect((await attempt()).state).toBe('needsReview');
      expect(lines.join('')).toContain('a payment needs a person');
      expect(await pay({ cardToken: 'tok_other' })).toMatchObject({ status: 'processing' });
      expect(fixture.gateway.taken.size).toBe(0);
    },
  );

  it('an attempt in review that proves to be an abandoned challenge is cancelled', async () => {
    const { pay, attempt } = await setUp();
    fixture.gateway.onCharge = async () => unknown;
    fixture.gateway.onLookup = async () => unknown;
    await pay();
    fixture.clock.advance(61 * 60_000);
    await reconcile(fixture.engine);
    expect((await attempt()).state).toBe('needsReview');
    fixture.gateway.onLookup = async () => ({
      is: 'requiresAction',
      action: { do: 'redirect', to: 'https://bank.example/c' },
      state: { id: 'x' },
    });
    fixture.clock.advance(6 * 60_000);
    await reconcile(fixture.engine);
    expect((await attempt()).state).toBe('closed');
  });

  it('is known within 10 s once the gateway answers', async () => {
    const { pay, attempt } = await setUp();
    fixture.gateway.onCharge = async () => unknown;
    fixture.gateway.onLookup = async () => unknown;
    await pay();
    for (let round = 0; round < 8; round += 1) {
      fixture.clock.advance(5_000);
      await reconcile(fixture.engine);
      const { next_lookup_at } = await attempt();
      expect(Number(next_lookup_at) - fixture.clock.now().getTime()).toBeLessThanOrEqual(5_000);
    }
  });

  it('a challenge that cannot be cancelled is looked up with pauses until its gateway ends it, and is due again [decisions.6.abandoned-cannot-cancel]', async () => {
    const { pay, attempt } = await setUp();
    const challenge: Outcome = {
      is: 'requiresAction',
      action: { do: 'redirect', to: 'https://bank.example/c' },
      state: {},
    };
    fixture.gateway.onCharge = async () => challenge;
    fixture.gateway.onLookup = async () => challenge;
    fixture.gateway.onCancel = async () => ({ is: 'cannotCancel' });
    await pay();
    fixture.clock.advance(31 * 60_000);
    await reconcile(fixture.engine);
    const { next_lookup_at, state } = await attempt();
    expect(state).toBe('requiresAction');
    expect(Number(next_lookup_at) - fixture.clock.now().getTime()).toBeGreaterThanOrEqual(60_000);
    // For a day it is looked up again and again.
    const before = fixture.gateway.calls.lookup;
    for (let hours = 0; hours < 24; hours += 1) {
      fixture.clock.advance(60 * 60_000);
      await reconcile(fixture.engine);
    }
    expect(fixture.gateway.calls.lookup - before).toBeGreaterThanOrEqual(24);
    expect((await attempt()).state).toBe('requiresAction');
    fixture.gateway.onLookup = async () => declined;
    fixture.clock.advance(60 * 60_000);
    await reconcile(fixture.engine);
    expect((await attempt()).state).toBe('declined');
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    expect(await pay({ cardToken: 'tok_other' })).toMatchObject({ status: 'succeeded' });
  });

  it('a failed look does not take away where the payer must go', async () => {
    const { pay, body } = await setUp();
    fixture.gateway.onCharge = async () => ({
      is: 'requiresAction',
      action: { do: 'redirect', to: 'https://bank.example/c' },
      state: { id: 'x' },
    });
    const { attemptId } = await pay();
    fixture.gateway.onLookup = async () => unknown;
    const answer = await post('/v1/ec/payments/confirmation/result', { uid: body.uid, reqUid: attemptId });
    expect(answer.json().data).toMatchObject({
      status: 'requires_action',
      redirectToUrl: 'https://bank.example/c',
    });
    expect(await pay()).toMatchObject({ redirectToUrl: 'https://bank.example/c' });
  });
});

describe('money that does not fit', () => {
  it('in another currency is held for a person, never booked as paid', async () => {
    const { pay, attempt, captures } = await setUp();
    fixture.gateway.onCharge = async (charge) => ({
      is: 'succeeded',
      remote: remoteId(`r_${charge.ref}`),
      captured: money(11_000n, 'EUR'),
      state: {},
    });
    expect(await pay()).toMatchObject({ status: 'processing' });
    expect((await attempt()).state).toBe('needsReview');
    expect(await captures()).toEqual([]);
  });

  it('in another currency for an ended attempt is credit in that currency', async () => {
    const { pay, attempt, captures } = await setUp();
    fixture.gateway.onCharge = async () => declined;
    await pay();
    const { key, ref } = await attempt();
    const late = {
      is: 'succeeded',
      remote: remoteId(`l_${ref}`),
      captured: money(900n, 'EUR'),
      state: {},
    } as const;
    await settle(fixture.engine, key, late, 'webhook');
    expect(await captures()).toEqual([{ n: '900', currency: 'EUR', credit: '900' }]);
  });

  it('a charge that paid another attempt does not pay this one', async () => {
    const { pay, attempt, customer } = await setUp();
    fixture.gateway.onCharge = async (charge) =>
      ({ ...fixture.gateway.take(charge), remote: remoteId('same') }) as Outcome;
    await pay();
    const second = await fixture.seedPayable(customer);
    expect(await pay({ uid: second.token, invoiceNumber: second.number })).toMatchObject({
      status: 'processing',
    });
    expect((await attempt()).state).toBe('needsReview');
  });

  it('a charge that another attempt books at the same moment does not pay this one', async () => {
    const { pay, attempt, customer } = await setUp();
    fixture.gateway.onCharge = async () => declined;
    await pay();
    const { key: first } = await attempt();
    const other = await fixture.seedPayable(customer);
    fixture.gateway.onCharge = async () => unknown;
    await pay({ uid: other.token, invoiceNumber: other.number });
    const { key: second } = await attempt();
    const same: Outcome = {
      is: 'succeeded',
      remote: remoteId('same'),
      captured: money(11_000n, 'USD'),
      state: {},
    };
    const booked = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const slowly = {
      transaction: <T>(work: (tx: Tx) => Promise<T>) =>
        fixture.engine.db.transaction(async (tx) => {
          const result = await work(tx);
          booked.resolve();
          await mayCommit.promise;
          return result;
        }),
    } as Database;
    const late = settle({ ...fixture.engine, db: slowly }, first, same, 'webhook');
    await booked.promise;
    const paid = expect(settle(fixture.engine, second, same, 'reconciler')).rejects.toThrow(
      /booked for another/,
    );
    await vi.waitFor(async () => {
      const waiting = await rows(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(waiting.length).toBeGreaterThan(0);
    }, 10_000);
    mayCommit.resolve();
    await Promise.all([late, paid]);
    expect((await attempt()).state).toBe('unknown');
    expect(await settle(fixture.engine, second, same, 'reconciler')).toMatchObject({ state: 'needsReview' });
  });

  it('a second charge for one attempt is reported loudly', async () => {
    const { pay, attempt } = await setUp();
    await pay();
    const { key } = await attempt();
    const again = {
      is: 'succeeded',
      remote: remoteId('second'),
      captured: money(11_000n, 'USD'),
      state: {},
    } as const;
    await settle(fixture.engine, key, again, 'webhook');
    expect(lines.join('')).toContain('a second charge for one payment');
  });
});

describe('an event of an ended payment', () => {
  it('is asked for again while the gateway cannot tell, and its money becomes credit once [decisions.2.call.webhooks]', async () => {
    const { pay, attempt, reseller, captures } = await setUp();
    fixture.gateway.onCharge = async () => declined;
    await pay();
    const { ref } = await attempt();
    fixture.gateway.onWebhook = () => [{ id: 'evt_late', about: 'charge', ref } as GatewayEvent];
    fixture.gateway.onLookup = async () => unknown;
    expect((await hook(reseller.id)).statusCode).toBe(200);
    expect(await captures()).toEqual([]);
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    fixture.clock.advance(2_000);
    await fixture.eventsFollowed();
    expect(await captures()).toHaveLength(1);
    expect((await hook(reseller.id)).statusCode).toBe(200);
    expect(await captures()).toEqual([{ n: '11000', currency: 'USD', credit: '11000' }]);
  });

  it('a reference named by another reseller touches nothing', async () => {
    const mine = await setUp();
    const other = await setUp();
    fixture.gateway.onCharge = async () => unknown;
    await mine.pay();
    const { ref } = await mine.attempt();
    fixture.gateway.onWebhook = () => [{ id: 'evt_foreign', about: 'charge', ref } as GatewayEvent];
    const before = fixture.gateway.calls.lookup;
    expect((await hook(other.reseller.id)).statusCode).toBe(200);
    expect(fixture.gateway.calls.lookup).toBe(before);
  });
});

describe('the receipt', () => {
  it('is sent again with the same id when the process died before it was marked as sent [decisions.6.receipt-once]', async () => {
    const { pay, customer } = await setUp();
    await pay();
    const [outbox] = await rows<{ id: string }>('select id from outbox where customer_id = $1', [
      customer.id,
    ]);
    const payload = { customerId: customer.id, outboxId: outbox?.id };
    const sent: (string | undefined)[] = [];
    const mailer = { send: async (mail: { messageId?: string }) => void sent.push(mail.messageId) };
    const { jobs } = fixture.deps.databases;
    const pdf = { render: async () => new Uint8Array() };
    const { publicUrl } = fixture.deps.config;
    const deps = { db: jobs, clock: fixture.clock, mailer, pdf, publicUrl, mailFrom: 'bills@mail.example' };
    const job = receiptJob(deps as never);
    vi.spyOn(jobs, 'transaction').mockRejectedValueOnce(new Error('killed'));
    await expect(job.run(payload)).rejects.toThrow('killed');
    await job.run(payload);
    await job.run(payload);
    expect(sent).toHaveLength(2);
    expect(new Set(sent).size).toBe(1);
  });
});
