import type { Invoice, InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import { describe, expect, it } from 'vitest';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { authorisedCustomer } from '../../../http/requests/scope.ts';
import { sumInvoices } from './overview-queries.ts';

const fixture = useFixture();

const isCredit = (one: Invoice) => one.kind === 'creditNote' || one.amount < 0;
const isOwed = (one: Invoice) => !isCredit(one) && !one.paid && one.amountDue > 0;
const isDue = (one: Invoice) => isOwed(one) && ['open', 'overdue', 'partPaid'].includes(one.state);
const offersPay = (one: Invoice) =>
  (one.canPay || one.waitsForPayer) &&
  !one.paid &&
  one.status !== 11 &&
  !isCredit(one) &&
  one.payToken !== null;
const dueFirst = (a: Invoice, b: Invoice) => (a.dateDue ?? '9999').localeCompare(b.dateDue ?? '9999');

/** The same from the whole list, as the portal's parts understand an invoice. */
function overviewOf(all: readonly Invoice[], brandCurrency: string): InvoiceOverview {
  const sum = (of: readonly Invoice[], figure: (one: Invoice) => number) => ({
    count: of.length,
    amount: of.reduce((cents, one) => cents + Math.round(figure(one) * 100), 0) / 100,
  });
  const due = ({ amountDue }: Invoice) => amountDue;
  const signed = (one: Invoice) => (isCredit(one) ? -Math.abs(one.amount) : one.amount);
  const payable = all.filter((one) => one.canPay && offersPay(one));
  const currencies = [...new Set(all.map(({ currency }) => currency))].toSorted(
    (a, b) => Number(b === brandCurrency) - Number(a === brandCurrency) || a.localeCompare(b),
  );
  return {
    count: all.length,
    owed: all.filter((one) => isOwed(one) && one.state !== 'void').length,
    offersPay: all.filter(offersPay).length,
    payable: payable.length,
    confirming: all.filter(({ state }) => state === 'beingConfirmed').length,
    first: all.filter(offersPay).toSorted(dueFirst)[0] ?? null,
    currencies: currencies.map((currency) => {
      const own = all.filter((one) => one.currency === currency && one.state !== 'void');
      const asked = own.filter(isDue);
      const overdue = asked.filter(({ state }) => state === 'overdue');
      const later = asked.filter(({ state }) => state !== 'overdue');
      const firstDay = (of: readonly Invoice[]) =>
        of.flatMap(({ dateDue }) => dateDue ?? []).toSorted()[0] ?? null;
      const bills = own.filter((one) => !isCredit(one));
      const mine = payable.filter((one) => one.currency === currency);
      const late = mine.filter(({ state }) => state === 'overdue').toSorted(dueFirst);
      return {
        currency,
        later: sum(later, due),
        overdue: sum(overdue, due),
        due: sum(asked, due),
        overdueSince: firstDay(overdue),
        nextDay: firstDay(later),
        beingConfirmed: sum(
          bills.filter(({ state }) => state === 'beingConfirmed'),
          due,
        ),
        disputed: sum(
          bills.filter(({ state }) => state === 'disputed'),
          due,
        ),
        paid: sum(
          bills.filter(({ paid }) => paid),
          signed,
        ),
        credits: sum(own.filter(isCredit), signed),
        payable: mine.length,
        payableOverdue: sum(late, due),
        payableOverdueIds: late.map(({ id }) => id),
        payableOverdueTogether: sum(late, due),
        payableDueIds: mine
          .filter(isDue)
          .toSorted(dueFirst)
          .map(({ id }) => id),
      };
    }),
  };
}

describe('GET /v1/ec/invoices/overview', () => {
  it('says of all invoices what the list says one by one, in every state', async () => {
    const { customer, get } = await signedIn(fixture, { currencies: ['USD', 'NZD'] });
    const states = [10, 11, 12, 13, 14] as const;
    const seeded = [];
    for (let n = 0; n < 30; n += 1)
      seeded.push(
        await fixture.seedPayable(customer, {
          status: states[n % 5] ?? 10,
          currency: n % 7 === 3 ? 'NZD' : 'USD',
          dueOn: n % 4 === 1 ? null : `20${n % 3 === 0 ? 20 : 99}-01-${String(1 + n).padStart(2, '0')}`,
          issuedOn: `2026-01-${String(1 + (n % 9)).padStart(2, '0')}`,
          subtotalMinor: BigInt(100 * n + 1),
        }),
      );
    await fixture.make.invoice({
      customerId: customer.id,
      resellerId: customer.resellerId,
      kind: 'creditNote',
      subtotalMinor: -5_000n,
      taxMinor: 0n,
    });
    const pool = fixture.database.pool();
    await pool.query(
      `update invoice set paid_minor = payable_minor where customer_id = $1 and status = 11 and payable_minor > 0`,
      [customer.id],
    );
    await pool.query(
      'update invoice set paid_minor = 1 where customer_id = $1 and status = 10 and id = any($2)',
      [customer.id, seeded.filter((_, n) => n % 10 === 5).map(({ id }) => id)],
    );
    const { data: whole } = (await get('/v1/ec/invoices')).json() as { data: Invoice[] };
    const { data } = (await get('/v1/ec/invoices/overview')).json();
    expect(data).toEqual(overviewOf(whole, 'USD'));
    for (const [state, wanted] of [
      ['due', isDue],
      ['payable', (one: Invoice) => one.canPay],
      ['overdue', (one: Invoice) => one.state === 'overdue'],
      ['void', (one: Invoice) => one.state === 'void'],
    ] as const) {
      const page = (await get(`/v1/ec/invoices?limit=100&state=${state}`)).json();
      expect(page.data).toEqual(whole.filter(wanted));
    }
    const ids = [whole[3]?.id, whole[20]?.id];
    expect((await get(`/v1/ec/invoices?ids=${ids.join(',')}`)).json().data).toEqual([whole[3], whole[20]]);
  });

  it('names no more than can be paid together, those overdue longest, with their own sum', async () => {
    const { customer } = await signedIn(fixture);
    const seeded = [];
    for (const day of ['03', '01', '02'])
      seeded.push(
        await fixture.seedPayable(customer, { dueOn: `2020-01-${day}`, subtotalMinor: BigInt(`1${day}`) }),
      );
    const scope = authorisedCustomer(customer.id, customer.resellerId, 'session');
    const [row] = await sumInvoices(
      fixture.deps.databases.web,
      scope,
      { today: '2026-01-01', takesPayments: true },
      2,
    );
    expect(row).toMatchObject({ payable_overdue: 3, payable_overdue_ids: [seeded[1]?.id, seeded[2]?.id] });
    const { rows } = await fixture.database
      .pool()
      .query('select due_minor from invoice where customer_id = $1 and id = $2', [
        customer.id,
        seeded[0]?.id,
      ]);
    expect(row?.payable_overdue_together_minor).toBe((row?.payable_overdue_minor ?? 0n) - rows[0].due_minor);
  });

  it('is empty for a customer with nothing', async () => {
    const { get } = await signedIn(fixture);
    const nothing = {
      count: 0,
      owed: 0,
      offersPay: 0,
      payable: 0,
      confirming: 0,
      first: null,
      currencies: [],
    };
    expect((await get('/v1/ec/invoices/overview')).json().data).toEqual(nothing);
  });
});
