import { money } from '@counterfoil/domain/money/money.ts';
import type { LookupResult } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixture, lines, paid, rows } from '../../../../test/fixtures/paying/reversals-fixture.ts';
import { doAfterEnd } from '../after-end/rounds.ts';
import { reconcile } from '../attempts/reconcile.ts';
import { settleResubmission } from './resubmissions.ts';

const { gateway, clock } = fixture;
type Paid = Awaited<ReturnType<typeof paid>>;

const open = { status: 10, due: '11000', reversed: '11165' };
const closed = { status: 11, due: '0', reversed: '0' };
const declined: LookupResult = {
  is: 'declined',
  why: { class: 'retryLater', code: 'R01', text: 'Your bank could not collect the payment.' },
};

/** What the gateway says of the charge. */
let says: 'pending' | 'succeeded' | 'declined' | 'denied' = 'pending';
beforeEach(() => {
  says = 'pending';
  gateway.onLookup = async (charge) => {
    if (says === 'declined') return declined;
    if (says === 'denied') return { is: 'absent', proven: true };
    const remote = remoteId(`r_${charge.ref}`);
    return says === 'pending'
      ? { is: 'pending', because: 'bank', remote, state: {} }
      : { is: 'succeeded', remote, captured: charge.amount, state: {} };
  };
});
afterEach(() => {
  gateway.onListReversals = undefined;
});

/** The gateway has an answer, and the reconciler comes round. */
async function comesRound(answer: typeof says): Promise<void> {
  says = answer;
  clock.advance(2 * 3_600_000);
  await fixture.eventsFollowed();
  await reconcile(fixture.engine);
  await fixture.eventsFollowed();
}

const resubmissions = ({ customer }: Paid) =>
  rows<{ id: string; state: string; held: number }>(
    `select a.id, a.state, (select count(*)::int from claim c where c.customer_id = a.customer_id and c.attempt_id = a.id
        and c.is_open) as held
       from attempt a where a.customer_id = $1 and a.direction = 'resubmission' order by a.sent_at, a.id`,
    [customer.id],
  );
const states = async (one: Paid) => (await resubmissions(one)).map(({ state }) => state);

const receipts = ({ customer }: Paid) =>
  rows("select 1 from outbox where customer_id = $1 and kind = 'receipt'", [customer.id]);

/** A paid invoice whose debit has failed and is collected once more. */
async function collectedAgain(): Promise<Paid> {
  const one = await paid();
  await one.tell('failed', 'f_1', 11_165n);
  expect(await one.stand()).toEqual(open);
  await one.tell('resubmitted', 's_1', 11_165n);
  return one;
}

describe('a failed debit that its gateway collects once more', () => {
  it('holds its invoice, is not paid a second time, and has paid once when it has come [decisions.6.late-bank-return]', async () => {
    const one = await collectedAgain();
    await one.tell('resubmitted', 's_1', 11_165n);
    expect(await resubmissions(one)).toMatchObject([{ state: 'pending', held: 1 }]);
    const { charge } = gateway.calls;
    expect(await one.pay('tok_again')).toMatchObject({ status: 'processing' });
    expect(gateway.calls.charge).toBe(charge);
    await comesRound('pending');
    expect(await one.stand()).toEqual(open);
    await comesRound('succeeded');
    await one.tell('resubmitted', 's_1', 11_165n);
    expect(await one.stand()).toEqual(closed);
    expect(await one.balances()).toEqual({ gateway: 11_165, receivable: -11_000, feeIncome: -165 });
    expect(await resubmissions(one)).toMatchObject([{ state: 'succeeded', held: 0 }]);
    // It can fail after all.
    await one.tell('failed', 'f_2', 11_165n);
    expect(await one.stand()).toEqual(open);
    expect(lines).toEqual([]);
  });

  it.each(['before', 'after'] as const)(
    'opens its invoice when it fails again, told %s it is seen, and is no loss',
    async (told) => {
      const one = await collectedAgain();
      if (told === 'before') await one.tell('failed', 'f_2', 11_165n);
      expect(await resubmissions(one)).toMatchObject([{ state: 'pending', held: 1 }]);
      await comesRound('declined');
      expect(await states(one)).toEqual(['declined']);
      await one.tell('failed', 'f_2', 11_165n);
      await one.tell('failed', 'f_2', 11_165n, { code: 'again' });
      expect(await one.stand()).toEqual(open);
      expect(await one.lost()).toBe('0');
      expect(lines).toEqual([]);
      expect(await one.pay('tok_again')).toMatchObject({ status: 'succeeded' });
    },
  );

  it('is collected a third time after it has failed twice', async () => {
    const one = await collectedAgain();
    await one.tell('resubmitted', 's_2', 11_165n);
    expect(await resubmissions(one)).toMatchObject([
      { state: 'closed', held: 0 },
      { state: 'pending', held: 1 },
    ]);
    await comesRound('succeeded');
    // Told late, of the second collection: the gateway has the money now.
    await one.tell('failed', 'f_2', 11_165n);
    await one.tell('failed', 'f_1', 11_165n);
    expect(await one.stand()).toEqual(closed);
    says = 'declined';
    await one.tell('failed', 'f_3', 11_165n);
    expect(await one.stand()).toEqual(open);
    expect(lines).toEqual([]);
  });

  it('which has come and fails after all is open, also where an earlier failure is told only afterwards', async () => {
    const one = await collectedAgain();
    await one.tell('resubmitted', 's_2', 11_165n);
    await comesRound('succeeded');
    says = 'declined';
    await one.tell('failed', 'f_3', 11_165n);
    expect(await one.stand()).toEqual(open);
    await one.tell('failed', 'f_2', 11_165n);
    expect(await one.stand()).toEqual(open);
    expect(await one.lost()).toBe('0');
    expect(lines).toEqual([]);
  });

  it('whose invoice was paid otherwise meanwhile is the customer’s credit, and a person is told', async () => {
    const one = await paid();
    await one.tell('failed', 'f_1', 11_165n);
    expect(await one.pay('tok_again')).toMatchObject({ status: 'succeeded' });
    await one.tell('resubmitted', 's_1', 11_165n);
    expect(await resubmissions(one)).toMatchObject([{ state: 'pending', held: 0 }]);
    await comesRound('succeeded');
    expect(await one.stand()).toMatchObject({ status: 11, due: '0' });
    expect(await one.balances()).toMatchObject({ gateway: 22_330, customerCredit: -11_000 });
    expect(lines.join('')).toContain('paid otherwise; it stands as credit');
  });

  it('leaves an invoice to the payment that is under way for it, and pays it where that fails', async () => {
    const one = await paid();
    await one.tell('failed', 'f_1', 11_165n);
    gateway.onCharge = async (charge) => ({
      is: 'pending',
      because: 'bank',
      remote: remoteId(`r_${charge.ref}`),
      state: {},
    });
    expect(await one.pay('tok_again')).toMatchObject({ status: 'processing' });
    await one.tell('resubmitted', 's_1', 11_165n);
    expect(await resubmissions(one)).toMatchObject([{ state: 'pending', held: 0 }]);
    await rows("update attempt set next_lookup_at = null where customer_id = $1 and direction = 'charge'", [
      one.customer.id,
    ]);
    await comesRound('succeeded');
    // What is held for the other is not paid twice.
    expect(await one.balances()).toMatchObject({ customerCredit: -11_000 });
    expect(await one.stand()).toMatchObject({ status: 10, due: '11000' });
  });

  it('is asked for again when it is told before the failure is known', async () => {
    const one = await paid();
    await one.tell('resubmitted', 's_1', 11_165n);
    expect(await resubmissions(one)).toEqual([]);
    await one.tell('failed', 'f_1', 11_165n);
    await comesRound('pending');
    expect(await resubmissions(one)).toMatchObject([{ state: 'pending', held: 1 }]);
  });

  it('is booked in the order in which it came about, however the gateway lists it', async () => {
    const one = await paid();
    const amount = money(11_165n, 'USD');
    gateway.onListReversals = async () => ({
      reversals: [
        { kind: 'resubmitted', remote: remoteId('s_1'), amount, code: '' },
        { kind: 'failed', remote: remoteId('f_1'), amount, code: '' },
      ],
    });
    await one.tell('failed', 'f_1', 11_165n, {}, false);
    await doAfterEnd(fixture.engine);
    expect(await one.stand()).toEqual(open);
    expect(await resubmissions(one)).toMatchObject([{ state: 'pending', held: 1 }]);
  });

  it('which the gateway then denies is for a person, whose word ends it', async () => {
    const one = await collectedAgain();
    await comesRound('denied');
    expect(await resubmissions(one)).toMatchObject([{ state: 'needsReview', held: 1 }]);
    const [again] = await resubmissions(one);
    const key = { customerId: one.customer.id, attemptId: again?.id ?? '' };
    const word = { is: 'manualResolution', taken: false, by: 'ops', note: 'seen at the bank' } as const;
    expect(await settleResubmission(fixture.engine, key, word, 'operator')).toMatchObject({
      state: 'absent',
    });
    expect(await one.pay('tok_again')).toMatchObject({ status: 'succeeded' });
  });
});

describe('a debit that failed before anything was booked', () => {
  async function failedFirst() {
    const one = await paid();
    await one.tell('chargeback', 'dp_1', 11_165n);
    gateway.onCharge = async (charge) => ({
      is: 'pending',
      because: 'bank',
      remote: remoteId(`r_${charge.ref}`),
      state: {},
    });
    expect(await one.pay('tok_debit')).toMatchObject({ status: 'processing' });
    await comesRound('declined');
    const [debit] = await rows<{ remote: string; state: string }>(
      "select remote, state from attempt where customer_id = $1 and state = 'declined'",
      [one.customer.id],
    );
    const of = remoteId(debit?.remote ?? '');
    await rows("update attempt set receipt_email = 'payer@mail.example' where remote = $1", [of]);
    says = 'pending';
    await one.tell('resubmitted', 's_1', 11_165n, { of });
    return { ...one, debit: of };
  }

  it('and is collected once more holds its invoice again, pays it with the fee, and can fail later', async () => {
    const one = await failedFirst();
    expect(await resubmissions(one)).toMatchObject([{ state: 'pending', held: 1 }]);
    expect(await one.pay('tok_again')).toMatchObject({ status: 'processing' });
    // An old failure that is told only now changes nothing.
    await one.tell('failed', 'f_0', 11_165n, { of: one.debit });
    await comesRound('succeeded');
    expect(await states(one)).toEqual(['succeeded']);
    expect(await one.stand()).toMatchObject({ status: 11, due: '0' });
    expect(await one.balances()).toEqual({ gateway: 11_165, receivable: -11_000, feeIncome: -165 });
    expect(await receipts(one)).toHaveLength(1);
    says = 'declined';
    await one.tell('failed', 'f_3', 11_165n, { of: one.debit });
    expect(await one.stand()).toMatchObject({ status: 10, due: '11000' });
    expect(await one.balances()).toEqual({ gateway: 0, receivable: 0, feeIncome: 0 });
  });

  it('and fails again leaves its invoice open', async () => {
    const one = await failedFirst();
    await comesRound('declined');
    await one.tell('failed', 'f_2', 11_165n, { of: one.debit });
    expect(await states(one)).toEqual(['declined']);
    expect(await one.stand()).toMatchObject({ status: 10, due: '11000' });
    expect(lines).toEqual([]);
  });
});
