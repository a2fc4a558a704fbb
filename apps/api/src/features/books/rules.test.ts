import { fillBooks } from '@counterfoil/testing/books.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brokenRules } from '../../../test/fixtures/paying/books.ts';
import { bookRules } from './rules.ts';

/** Of so many there is one of everything. */
const INVOICES = 2_500;

/** The smallest thing that breaks a rule. */
interface Break {
  /** One row that it happens to: a table and a condition. */
  readonly of: string;
  /** What happens: `$1` is the row's customer, `$2` its id or the one named by `id`. */
  readonly change: string;
  readonly id?: string;
  /** Other rules that cannot hold any more either. */
  readonly also?: readonly string[];
}

/** An id that nothing has. Citus takes no random one into an update. */
const NOTHING = "'00000000-0000-4000-8000-000000000000'::uuid";
const one = 'where customer_id = $1 and id = $2';
const set = (table: string, to: string) => `update ${table} set ${to} ${one}`;
const ofCustomer = (table: string, to: string) =>
  `update ${table} set ${to} where customer_id = $1 and $2::uuid = customer_id`;

const breaks: Readonly<Record<string, readonly Break[]>> = {
  'a capture is shared out whole': [
    { of: "allocation where target = 'fee'", change: set('allocation', 'amount_minor = amount_minor + 1') },
    { of: "allocation where target = 'fee'", change: `delete from allocation ${one}` },
  ],
  'the ledger has what the gateway holds for us': [
    { of: "ledger where leg = 'fee'", change: set('ledger', 'amount_minor = amount_minor + 1') },
    { of: "ledger where leg = 'fee'", change: `delete from ledger ${one}` },
    { of: "ledger where debit = 'refunded'", change: `delete from ledger ${one}` },
    {
      of: "ledger where credit = 'feeIncome'",
      change: `insert into ledger select customer_id, gen_random_uuid(), debit, credit, currency, amount_minor, source, gen_random_uuid(),
                                         leg, at, is_summed from ledger ${one}`,
    },
  ],
  'what a gateway took beyond a charge is a loss': [
    { of: "ledger where debit = 'lostAtGateway'", change: set('ledger', "debit = 'refunded'") },
    { of: "ledger where debit = 'refunded'", change: set('ledger', "debit = 'lostAtGateway'") },
  ],
  'an invoice has received what was allocated to it': [
    {
      of: 'invoice where status = 10 and due_minor > held_minor + 1',
      change: set('invoice', 'paid_minor = paid_minor + 1'),
    },
    { of: 'allocation where invoice_id is not null', change: set('allocation', 'invoice_id = null') },
    { of: "allocation where target = 'fee'", change: set('allocation', `invoice_id = ${NOTHING}`) },
  ],
  'paid exactly when payments + credits - reversals cover it': [
    { of: "invoice where status = 11 and kind = 'invoice'", change: set('invoice', 'status = 10') },
    { of: 'invoice where status = 10', change: set('invoice', 'status = 11') },
  ],
  'held is what open claims hold': [
    {
      of: 'claim where is_open',
      id: 'invoice_id',
      change: 'delete from claim where customer_id = $1 and invoice_id = $2 and is_open',
    },
    { of: 'invoice where held_minor > 0', change: set('invoice', 'held_minor = held_minor - 1') },
  ],
  'a claim is open exactly while its attempt is': [
    { of: "attempt where state = 'declined'", change: set('attempt', "state = 'needsReview'") },
  ],
  'an attempt has succeeded exactly when its capture paid something, or came late': [
    { of: "attempt where state = 'declined'", change: set('attempt', "state = 'succeeded'") },
    {
      of: "attempt where state = 'succeeded' and direction = 'charge' and credit_minor = 0",
      change: set('attempt', "state = 'declined'"),
    },
  ],
  'no more is refunded, and on its way back, than was taken': [
    {
      of: "attempt where is_open and direction = 'refund'",
      change: set('attempt', 'amount_minor = 1000000'),
    },
    {
      of: "attempt where is_open and direction = 'refund'",
      change: set('attempt', `of_capture_id = ${NOTHING}`),
    },
  ],
  'one receipt for each payment': [
    {
      of: "outbox where kind = 'receipt'",
      change: `insert into outbox select customer_id, gen_random_uuid(), kind, 'again', payload, created_at from outbox ${one}`,
    },
  ],
  'an invoice was credited what credits and the use of credit say': [
    { of: 'invoice_credit where true', change: set('invoice_credit', 'amount_minor = amount_minor + 1') },
    { of: 'invoice_credit where true', change: `delete from invoice_credit ${one}` },
    { of: 'credit_use where true', change: set('credit_use', 'amount_minor = amount_minor - 1') },
  ],
  'the credit that can be used is what the ledger says': [
    {
      of: 'customer_credit where true',
      id: 'customer_id',
      change: ofCustomer('customer_credit', 'balance_minor = balance_minor + 1'),
    },
    {
      of: 'customer_credit where held_minor = 0 and balance_minor > 0',
      id: 'customer_id',
      change: 'delete from customer_credit where customer_id = $1 and $2::uuid = customer_id',
    },
  ],
  'the credit held is what open attempts hold': [
    {
      of: 'customer_credit where balance_minor > held_minor',
      id: 'customer_id',
      change: ofCustomer('customer_credit', 'held_minor = held_minor + 1'),
    },
    { of: 'attempt where is_open', change: set('attempt', 'credit_minor = credit_minor + 1') },
  ],
  'an attempt that took money used the credit it held, and no other did': [
    {
      of: "attempt where credit_minor > 0 and state = 'succeeded'",
      change: set('attempt', 'credit_minor = credit_minor - 1'),
    },
    {
      of: "attempt where credit_minor > 0 and state = 'succeeded'",
      change: set('attempt', "state = 'closed'"),
      also: ['an attempt has succeeded exactly when its capture paid something, or came late'],
    },
  ],
  'nothing is paid by a session beyond its price': [
    {
      of: 'pay_session where credit_minor > 0',
      change: set('pay_session', 'credit_minor = credit_minor - 1'),
    },
  ],
  'transitions are without a gap': [
    {
      of: 'attempt where seq = 1',
      change: 'delete from transition where customer_id = $1 and attempt_id = $2 and seq = 1',
    },
    {
      of: 'attempt where seq = 0',
      change: 'delete from transition where customer_id = $1 and attempt_id = $2',
    },
  ],
  'what an attempt came to never changes': [
    {
      of: 'attempt where seq = 1',
      change:
        "update transition set from_state = 'declined' where customer_id = $1 and attempt_id = $2 and seq = 1",
    },
  ],
  'a charge of the gateway is one payment': [
    {
      of: "capture where customer_id::text not like '%-000000000000'",
      change: set('capture', "remote = 'ch_20'"),
    },
  ],
  'no invoice has more than it costs': [
    {
      of: "invoice where kind = 'creditNote'",
      change: set('invoice', "kind = 'invoice', credited_minor = 1"),
      also: ['an invoice was credited what credits and the use of credit say'],
    },
  ],
  'at most one method is the default, and it is there': [
    {
      of: 'payment_method where not is_default',
      change: set('payment_method', `is_default = true, gateway_account_id = ${NOTHING}`),
    },
  ],
  'money from outside is shared out whole': [
    { of: 'external_payment where true', change: set('external_payment', 'amount_minor = amount_minor + 1') },
    {
      of: "ledger where source = 'external' and leg = 'credit'",
      change: set('ledger', `source_id = ${NOTHING}`),
    },
  ],
  'an invoice has the shares of money from outside that the ledger says': [
    {
      of: 'external_payment_share where true',
      id: 'payment_id',
      change:
        'update external_payment_share set amount_minor = amount_minor + 1 where customer_id = $1 and payment_id = $2',
    },
    {
      of: "ledger where source = 'external' and leg like 'invoice:%'",
      change: set('ledger', `leg = 'invoice:' || ${NOTHING}`),
      also: ['an invoice has received what was allocated to it'],
    },
  ],
  'the sums of an account have what was summed of its invoices': [
    { of: 'invoice where summed_minor > 0', change: set('invoice', 'summed_minor = summed_minor + 1') },
    {
      of: 'invoice where summed_minor > 0',
      change: set('invoice', 'summed_on = date_trunc($$century$$, now())::date'),
      also: ['the sums of an account have how many of its invoices were summed'],
    },
  ],
  'the sums of an account have how many of its invoices were summed': [
    {
      of: 'invoice where summed_on is null',
      change: set('invoice', 'summed_on = issued_on, summed_currency = currency'),
    },
    {
      of: 'account_day where invoices > 0',
      id: 'day',
      change: 'update account_day set invoices = invoices + 1 where customer_id = $1 and day = $2',
    },
  ],
  'the sums of an account have what was summed of its ledger': [
    { of: "ledger where source = 'capture' and is_summed", change: set('ledger', 'is_summed = false') },
    { of: "ledger where source = 'capture' and is_summed", change: set('ledger', "at = '2001-01-01'") },
  ],
};

/** No rows break it: an entry of the ledger is one row with both sides. */
const UNBREAKABLE = 'debits equal credits';

const database = useDatabase();
let client: pg.PoolClient;
beforeAll(async () => {
  client = await database.pool().connect();
  await fillBooks(client, INVOICES);
}, 60_000);
afterAll(() => client.release());

it('every rule holds of books that are true, and there is a break of each', async () => {
  expect(await brokenRules(client)).toEqual({});
  expect(new Set([...Object.keys(breaks), UNBREAKABLE])).toEqual(new Set(Object.keys(bookRules)));
});

const cases = Object.entries(breaks).flatMap(([rule, all]) =>
  all.map((one, n) => ({ rule, n: n + 1, ...one })),
);

it.each(cases)('$rule: broken by $n', async ({ rule, of, change, id = 'id', also = [] }) => {
  await client.query('begin');
  try {
    const { rows } = await client.query(`select customer_id, ${id} as id from ${of} order by 1, 2 limit 1`);
    const changed = await client.query(change, [rows[0]?.customer_id, rows[0]?.id]);
    expect(changed.rowCount).toBe(1);
    expect(new Set(Object.keys(await brokenRules(client)))).toEqual(new Set([rule, ...also]));
  } finally {
    await client.query('rollback');
  }
});
