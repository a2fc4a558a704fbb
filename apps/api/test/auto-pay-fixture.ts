import type { InvoiceSeed } from '@counterfoil/testing/factories.ts';
import { afterEach, beforeEach, expect } from 'vitest';
import { autoPayMailJob } from '../src/features/auto-pay/mail-job.ts';
import { AUTO_PAY_MAIL } from '../src/features/auto-pay/mail-queue.ts';
import { type AutoPayDeps, autoPayRound } from '../src/features/auto-pay/service.ts';
import { followCredit } from '../src/features/payments/credit.ts';
import type { Mail } from '../src/mail/mailer.ts';
import { brokenRules } from './books.ts';
import { fixture, type Person, paths, person, rows, type Settings } from './methods-fixture.ts';

export { fixture, rows };

/** What the tests of auto-pay share: a customer who lets their invoices be charged, a round, and the mails of it. */
export const EMAIL = 'jo@mail.example';

export const deps = (): AutoPayDeps => ({ ...fixture.engine, publicUrl: new URL('http://localhost:3000') });

interface Payer extends Person {
  bill(over?: Partial<InvoiceSeed>): Promise<InvoiceSeed & { token: string }>;
}

export interface PayerSettings extends Settings {
  readonly timeZone?: string;
  readonly consents?: boolean;
  readonly card?: string | null;
}

/** A customer with an address, a saved card and, unless told otherwise, a standing consent. */
export async function payer(settings: PayerSettings = {}): Promise<Payer> {
  const me = await person(settings);
  await rows('update customer set email = $2 where customer_id = $1', [me.customerId, EMAIL]);
  if (settings.timeZone !== undefined)
    await rows('update brand set time_zone = $2 where reseller_id = $1', [me.resellerId, settings.timeZone]);
  const token = settings.card === undefined ? 'tok_visa' : settings.card;
  if (token !== null) await me.add(token);
  if (settings.consents ?? true) {
    const answer = await me.call('PUT', paths.charge, { allowResellerCharge: true });
    expect(answer.statusCode, answer.body).toBe(200);
  }
  return {
    ...me,
    bill: (over = {}) => fixture.seedPayable({ id: me.customerId, resellerId: me.resellerId }, over),
  };
}

/** A customer with credit as a credit note leaves it, in the ledger and in the balance. */
export async function payerWithCredit(minor: bigint) {
  const me = await payer({ brand: { cardFee: { basisPoints: 1000, fixedMinor: 0, capMinor: null } } });
  const { customerId } = me;
  await rows(
    `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
     values ($1, $1, 'creditNote', 'customerCredit', 'USD', $2, 'invoice', $1, 'credit', now())`,
    [customerId, minor],
  );
  await fixture.deps.databases.web.transaction((tx) =>
    followCredit(tx, { customerId, currency: 'USD' }, minor),
  );
  return me;
}

/** One round at a moment. */
export function roundAt(moment: string, resellerId: number, over: Partial<AutoPayDeps> = {}) {
  fixture.clock.set(moment);
  return autoPayRound({ ...deps(), ...over }, { resellerId });
}

export async function planOf(customerId: string) {
  const found = await rows<{
    state: string;
    reason: string | null;
    charge_on: string | null;
    runs: number;
    declines: number;
  }>('select state, reason, charge_on, runs, declines from autopay_plan where customer_id = $1', [
    customerId,
  ]);
  return found[0];
}

export const runsOf = (customerId: string) =>
  rows<{ run_no: number; reason: string | null; state: string | null; minor: string | null }>(
    `select r.run_no, r.reason, a.state, a.amount_minor::text as minor from autopay_run r
       left join attempt a on a.customer_id = r.customer_id and a.id = r.attempt_id
      where r.customer_id = $1 order by r.run_no`,
    [customerId],
  );

export const invoiceOf = async (invoiceId: string) =>
  (
    await rows<{ status: number; paid: string; held: string }>(
      'select status, paid_minor::text as paid, held_minor::text as held from invoice where id = $1',
      [invoiceId],
    )
  )[0];

/** Sends what is promised to a customer, as the queue would. @returns the new mails in their order */
export async function mailsOf(customerId: string): Promise<Mail[]> {
  const sent: Mail[] = [];
  const job = autoPayMailJob({
    db: fixture.deps.databases.jobs,
    clock: fixture.clock,
    secrets: fixture.deps.secrets,
    mailFrom: 'bills@portal.example',
    publicUrl: deps().publicUrl,
    mailer: { send: async (mail) => void sent.push(mail) },
  });
  const open = await rows<{ id: string }>(
    'select id from outbox where customer_id = $1 and kind = $2 and done_at is null order by created_at, id',
    [customerId, AUTO_PAY_MAIL],
  );
  for (const { id } of open) await job.run({ customerId, outboxId: id });
  for (const { id } of open) await job.run({ customerId, outboxId: id });
  return sent;
}

beforeEach(async () => {
  fixture.clock.set('2026-03-02T09:00:00Z');
  // Time goes back here: what was counted would never be free.
  await rows('delete from rate_limit');
  fixture.gateway.taken.clear();
  fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
  fixture.gateway.onLookup = async (charge) =>
    fixture.gateway.taken.has(charge.ref) ? fixture.gateway.take(charge) : { is: 'absent', proven: true };
});
afterEach(async () => {
  expect(await brokenRules(fixture.database.pool())).toEqual({});
});
