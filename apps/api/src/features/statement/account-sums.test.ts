import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { statementRows } from '../../../test/fixtures/statement-rows.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { authorisedCustomer, type CustomerScope } from '../../http/requests/scope.ts';
import { accountSumJob, invoiceCount, MANY_UNSUMMED, sumAccount, takeFromSums } from './account-sums.ts';
import { balanceBefore } from './queries.ts';

const fixture = useFixture();
const { bill, post, statement } = statementRows(fixture);
const query = (text: string, values: readonly unknown[]) => fixture.database.pool().query(text, [...values]);

beforeAll(() => fixture.clock.set('2026-11-10T12:00:00Z'));

/** In the Azores the first hour of the 25th comes twice; the others are as far from UTC as places are. */
const ZONES = ['UTC', 'Atlantic/Azores', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu'];
const FIRST = Date.parse('2026-10-23T00:00:00Z');
const HOUR = 3_600_000;
const currency = fc.constantFrom('USD', 'EUR');
const day = fc.integer({ min: 21, max: 29 }).map((n) => `2026-10-${n}`);
const minor = fc.bigInt(1n, 10n ** 12n);
const account = fc.constantFrom('receivable', 'customerCredit', 'gateway', 'feeIncome');
const which = fc.nat({ max: 30 });
const sums = fc.constant({ do: 'sum' } as const);
const step = fc.oneof(
  fc.record({ do: fc.constant('bill' as const), currency, day, minor }),
  fc.record({ do: fc.constant('credit' as const), currency, day, minor }),
  fc.record({ do: fc.constant('correct' as const), which, currency, day, minor }),
  fc.record({ do: fc.constant('status' as const), which, status: fc.constantFrom(10, 11, 13, 14) }),
  fc.record({ do: fc.constant('undo' as const), which }),
  fc.record({
    do: fc.constant('post' as const),
    currency,
    minor,
    debit: account,
    credit: account,
    at: fc.integer({ min: 0, max: 5 * 24 * 4 }).map((quarters) => new Date(FIRST + (quarters * HOUR) / 4)),
  }),
  sums,
);
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** The plain sum over all there is, as statements had it before there were sums. */
const plainSum = (tx: Tx, customerId: string, of: { currency: string; timeZone: string; day: string }) =>
  tx.one<{ minor: bigint }>(sql`
    select coalesce(sum(minor), 0)::bigint as minor from (
      select issued_on as day, currency, payable_minor as minor from invoice
       where customer_id = ${customerId} and kind = 'invoice' and payable_minor > 0 and status <> 13
      union all
      select coalesce(d.issued_on, (l.at at time zone ${of.timeZone})::date), l.currency,
             case when l.debit in ('receivable', 'customerCredit') then l.amount_minor else 0 end
             - case when l.credit in ('receivable', 'customerCredit') then l.amount_minor else 0 end
        from ledger l left join invoice d on l.source = 'invoice' and d.customer_id = l.customer_id and d.id = l.source_id
       where l.customer_id = ${customerId}) m
     where currency = ${of.currency} and day < ${of.day}`);

/** How many invoices there are, and balances of all currencies before each day in each zone, by both ways at one moment. @returns what is not summed */
async function compare(scope: CustomerScope): Promise<number> {
  return fixture.deps.databases.web.transaction(
    async (tx) => {
      let left = 0;
      const counted = await tx.one<{ kept: number; all: number }>(sql`
        select ${invoiceCount(scope)} as kept, (select count(*)::int from invoice where customer_id = ${scope.customerId}) as all`);
      expect(counted.kept).toBe(counted.all);
      for (const timeZone of ZONES)
        for (const code of ['USD', 'EUR'])
          for (const before of ['2026-10-25', '2026-10-26', '2026-11-01']) {
            const of = { currency: code, timeZone, day: before };
            const { minor: balance, unsummed } = await balanceBefore(tx, scope, of);
            expect([of, balance]).toEqual([of, (await plainSum(tx, scope.customerId, of)).minor]);
            left = Math.max(left, unsummed);
          }
      return left;
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** Does what anybody may do to an account, one step after the other. */
function walk(scope: CustomerScope, resellerId: number) {
  const { customerId } = scope;
  const made: string[] = [];
  const at = (n: number) => made[n % made.length] ?? randomUUID();
  return async (one: Step): Promise<void> => {
    switch (one.do) {
      case 'bill':
      case 'credit': {
        const isCredit = one.do === 'credit';
        const over = { customerId, resellerId, currency: one.currency, issuedOn: one.day, dueOn: null };
        const kind = isCredit ? 'creditNote' : 'invoice';
        const invoice = await fixture.make.invoice({ ...over, kind, subtotalMinor: one.minor, taxMinor: 0n });
        if (!isCredit) made.push(invoice.id);
        else
          await query(
            `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
             values ($1, gen_random_uuid(), 'creditNote', 'customerCredit', $2, $3, 'invoice', $4, 'credit', now())`,
            [customerId, one.currency, one.minor, invoice.id],
          );
        return;
      }
      case 'correct':
        await query(
          'update invoice set currency = $3, issued_on = $4, payable_minor = $5 where customer_id = $1 and id = $2',
          [customerId, at(one.which), one.currency, one.day, one.minor],
        );
        return;
      case 'status':
        await query('update invoice set status = $3 where customer_id = $1 and id = $2', [
          customerId,
          at(one.which),
          one.status,
        ]);
        return;
      case 'undo': {
        const id = at(one.which);
        await fixture.deps.databases.web.transaction(async (tx) => {
          await tx.many(
            sql`select id from invoice where customer_id = ${customerId} and id = ${id} for update`,
          );
          await takeFromSums(tx, customerId, [id]);
          await tx.execute(sql`delete from invoice where customer_id = ${customerId} and id = ${id}`);
        });
        return;
      }
      case 'post':
        if (one.debit !== one.credit)
          await query(
            `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
             values ($1, $2, $3, $4, $5, $6, 'capture', $2, 'x', $7)`,
            [customerId, randomUUID(), one.debit, one.credit, one.currency, one.minor, one.at],
          );
        return;
      case 'sum':
        await sumAccount(fixture.deps.databases.jobs, customerId);
    }
  };
}

it('is the plain sum after any history, in every zone, and while several write and sum up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), fc.boolean(), async (steps, atOnce) => {
      const { customer, reseller } = await fixture.seedPayer();
      const scope = authorisedCustomer(customer.id, reseller.id, 'system');
      const doStep = walk(scope, reseller.id);
      if (atOnce) {
        const hands = [0, 1, 2].map(async (hand) => {
          for (const [index, one] of steps.entries()) if (index % 3 === hand) await doStep(one);
        });
        await Promise.all([...hands, compare(scope), doStep({ do: 'sum' })]);
      } else for (const one of steps) await doStep(one);
      await compare(scope);
      await doStep({ do: 'sum' });
      expect(await compare(scope)).toBe(0);
    }),
    { numRuns: 15 },
  );
});

it('a statement that had much to read has it summed up, and says the same after that', async () => {
  const person = await signedIn(fixture);
  await bill(person, 'B-1', '2026-09-01', 500n);
  await query(
    `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
     select $1, gen_random_uuid(), 'gateway', 'receivable', 'USD', 1, 'capture', gen_random_uuid(), 'x',
            '2026-09-02T00:00:00Z' from generate_series(1, $2::int)`,
    [person.customer.id, MANY_UNSUMMED],
  );
  const job = async () =>
    (
      await query(
        `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier = 'account.sum' and j.payload ->> 'customerId' = $1`,
        [person.customer.id],
      )
    ).rows.map((row: { payload: unknown }) => row.payload);
  const opening = async () => (await statement(person, '2026-10-01', '2026-10-31')).opening;
  expect(await opening()).toBe((500 - MANY_UNSUMMED) / 100);
  const [payload, ...more] = await job();
  expect([payload, more]).toEqual([{ customerId: person.customer.id }, []]);
  await accountSumJob({ db: fixture.deps.databases.jobs }).run(payload);
  await post(person.customer.id, 'gateway', 'receivable', 7n, '2026-09-30T23:59:59Z');
  expect(await opening()).toBe((500 - MANY_UNSUMMED - 7) / 100);
});
