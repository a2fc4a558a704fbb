import type { LookupStrategy } from '@counterfoil/gateways/port/gateway.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type BulkPayer,
  bulkPayer,
  fixture,
  ids,
  paths,
  rows,
  takenFrom,
} from '../../../test/fixtures/paying/bulk-fixture.ts';
import { reconcileMethods } from '../payment-methods/tasks.ts';
import { reconcile } from '../payments/attempts/reconcile.ts';

const strategy = {
  by: 'ref',
  mayCharge: false,
  savedMethodOnly: false,
  firstMs: 0,
  visibleMs: 0,
  validMs: 'unknown',
  maxAttempts: 'any',
  absenceProvenMs: 'never',
  pause: { firstMs: 0, factor: 1, mostMs: 0 },
} as const satisfies LookupStrategy;
/** As at a gateway where the contents of a request are its key: sent again with other contents it charges again. */
const replay: LookupStrategy = {
  ...strategy,
  by: 'replay',
  mayCharge: true,
  savedMethodOnly: true,
  methodUnchanged: true,
};

// What other tests left open is nobody's now.
beforeEach(() => rows('update attempt set next_lookup_at = null'));

/** A payment with a saved card whose answer was lost, at a gateway that is asked by these strategies. */
async function unanswered(strategies: readonly LookupStrategy[]) {
  fixture.gateway.setStrategies(strategies);
  const payer = await bulkPayer();
  const cardId = await payer.add('tok_saved');
  const { sessionId } = await payer.intent(ids(await payer.invoices(1)));
  fixture.gateway.onCharge = async (charge) => {
    fixture.gateway.take(charge);
    return { is: 'unknown', evidence: 'cut' };
  };
  const asked: string[] = [];
  fixture.gateway.onLookup = async (_charge, used) => {
    asked.push(used?.by ?? '');
    return { is: 'absent', proven: false };
  };
  expect(await payer.paid(sessionId, { cardId })).toMatchObject({ status: 'processing' });
  const edit = () => payer.call('PUT', paths.cards, { id: cardId, expMonth: 9, expYear: 2033 });
  const found = () => {
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
  };
  return { payer, cardId, edit, asked, found };
}

async function later(ms: number): Promise<void> {
  fixture.clock.advance(ms);
  await reconcile(fixture.engine);
}

const stateOf = async ({ customerId }: BulkPayer) =>
  (await rows<{ state: string }>('select state from attempt where customer_id = $1', [customerId]))[0]?.state;

describe('a saved card, at a gateway where sending again is a look-up only with the same contents', () => {
  it('cannot be changed while what became of a payment with it is not known, and can afterwards', async () => {
    const { payer, edit, found } = await unanswered([strategy, replay]);
    const refused = await edit();
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'paymentMethod.beingCharged']);
    found();
    await later(5_000);
    expect(await stateOf(payer)).toBe('succeeded');
    expect((await edit()).statusCode).toBe(200);
    expect(await takenFrom(payer.customerId)).toEqual([11_000n]);
  });

  it('that was changed all the same, at the gateway or meanwhile, is not charged again', async () => {
    const { payer, cardId, asked } = await unanswered([strategy, replay]);
    await rows('update payment_method set changed_at = $2 where id = $1', [cardId, fixture.clock.now()]);
    await later(5_000);
    expect(asked).toEqual(['ref']);
    expect(await takenFrom(payer.customerId)).toEqual([11_000n]);
  });

  it('that is as it was may be sent again', async () => {
    const { asked } = await unanswered([strategy, replay]);
    await later(5_000);
    expect(asked).toEqual(['ref', 'replay']);
  });

  it('may be changed at a gateway that keeps keys: its charge is the same however it is sent', async () => {
    const { edit } = await unanswered([
      strategy,
      { ...replay, methodUnchanged: undefined } as unknown as LookupStrategy,
    ]);
    expect((await edit()).statusCode).toBe(200);
  });
});

it('counts as changed from before its change is sent, and when it was changed at the gateway', async () => {
  const payer = await bulkPayer();
  const id = await payer.add('tok_seen');
  const changedAt = async () =>
    (await rows<{ at: Date | null }>('select changed_at as at from payment_method where id = $1', [id]))[0]
      ?.at;
  expect(await changedAt()).toBeNull();
  let before: Date | null | undefined;
  fixture.gateway.onUpdateMethod = async () => {
    before = await changedAt();
    return { is: 'unknown', evidence: 'cut' };
  };
  await payer.call('PUT', paths.cards, { id, expMonth: 9, expYear: 2033 });
  const begun = fixture.clock.now();
  expect(before).toEqual(begun);
  // Nobody knows whether it was changed, so it is read, and is another than it was.
  fixture.gateway.onGetMethod = async () => ({
    is: 'there',
    method: fixture.gateway.card('tok_seen', { expires: '2033-09' }),
  });
  fixture.clock.advance(1_000);
  await reconcileMethods(fixture.engine);
  expect(await changedAt()).toEqual(fixture.clock.now());
  await reconcileMethods(fixture.engine);
});
