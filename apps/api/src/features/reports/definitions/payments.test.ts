import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { dates, parseCsv, reportFixture } from '../../../../test/fixtures/report-fixture.ts';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const reports = reportFixture(fixture);
type Person = Awaited<ReturnType<typeof signedIn>>;

const report = async (person: Person, parameters: object[] = []) =>
  parseCsv(await reports.make(person, 'payments', { parameters, exportTypeId: 1 })).slice(1);

it('lists payments and what came back, with fee, reference, method and invoices, by day of the brand [decisions.11.refund-fee-told]', async () => {
  const person = await signedIn(fixture);
  const { id: customerId } = person.customer;
  const query = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);
  await query("update brand set time_zone = 'Pacific/Auckland' where id = $1", [person.reseller.brandId]);
  const invoice = await fixture.seedPayable(person.customer, { number: 'P-7' });
  const [session, attempt, capture] = [randomUUID(), randomUUID(), randomUUID()];
  const account = await fixture.database
    .pool()
    .query('select id from gateway_account where reseller_id = $1', [person.reseller.id]);
  await query(
    `insert into pay_session (customer_id, id, reseller_id, origin, public_id, currency, total_minor, quote_digest, created_at)
     values ($1, $2, $3, 'public', $4, 'USD', 11000, '', now())`,
    [customerId, session, person.reseller.id, session],
  );
  await query(
    `insert into attempt (customer_id, id, session_id, reseller_id, gateway_account_id, gateway, direction, ref,
       request_digest, kind, initiator, currency, amount_minor, state, labels, return_to, sent_at, last_sent_at, updated_at)
     values ($1, $2, $3, $4, $5, 'scripted', 'charge', 'REF7', '', 'card', 'customer', 'USD', 11000, 'succeeded', '{}', '', now(), now(), now())`,
    [customerId, attempt, session, person.reseller.id, account.rows[0].id],
  );
  await query(
    `insert into capture (customer_id, id, attempt_id, gateway_account_id, remote, currency, amount_minor,
       to_invoices_minor, to_fee_minor, to_credit_minor, at)
     values ($1, $2, $3, $4, 'r', 'USD', 11000, 10890, 110, 0, '2026-03-09T12:00:00Z')`,
    [customerId, capture, attempt, account.rows[0].id],
  );
  await query(
    `insert into allocation (customer_id, id, capture_id, target, invoice_id, amount_minor)
     values ($1, $2, $3, 'invoice', $4, 10890)`,
    [customerId, randomUUID(), capture, invoice.id],
  );
  const refund = randomUUID();
  await query(
    `insert into reversal (customer_id, id, capture_id, remote, kind, amount_minor, at)
     values ($1, $2, $3, 'x', 'refund', 2500, '2026-03-20T00:00:00Z')`,
    [customerId, refund, capture],
  );
  await query(
    `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
     values ($1, gen_random_uuid(), 'feeIncome', 'gateway', 'USD', 25, 'reversal', $2, 'fee', '2026-03-20T00:00:00Z')`,
    [customerId, refund],
  );
  await query(
    `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
     values ($1, $2, 'external', 'receivable', 'USD', 400, 'external', $2, $3, '2026-04-02T00:00:00Z')`,
    [customerId, randomUUID(), `invoice:${invoice.id}`],
  );
  const all = [
    ['2026-03-10', 'Payment', 'REF7', 'Card', 'P-7', '110.00', '1.10', 'USD'],
    ['2026-03-20', 'Refund', 'REF7', 'Card', 'P-7', '-25.00', '-0.25', 'USD'],
    ['2026-04-02', 'Payment', '', '', 'P-7', '4.00', '0.00', 'USD'],
  ];
  expect(await report(person)).toEqual(all);
  expect(await report(person, dates('03.10.2026', '03.20.2026'))).toEqual(all.slice(0, 2));
  expect(await report(await signedIn(fixture))).toEqual([]);
});
