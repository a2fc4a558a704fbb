import { randomUUID } from 'node:crypto';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { beforeAll, expect, it } from 'vitest';
import { ensureMonths } from '../../src/features/usage/months/months.ts';
import { readPdf } from '../../src/pdf/read-pdf.ts';
import { sha256 } from '../../src/secrets.ts';
import { billingRows } from '../fixtures/billing-rows.ts';
import { payLinkMails } from '../fixtures/paying/pay-link-mails.ts';
import { MARCH, reportFixture } from '../fixtures/report-fixture.ts';
import { signedIn } from '../fixtures/signed-in.ts';
import { useFixture } from '../fixtures/test-fixture.ts';

const fixture = useFixture();
const make = billingRows(fixture);
const run = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);

beforeAll(() => fixture.clock.set('2026-04-10T12:00:00Z'));

/** One record of usage that a line billed. */
async function used(of: Readonly<Record<'id' | 'agreementId' | 'itemId' | 'lineId' | 'at', string>>) {
  const { id, agreementId, itemId, lineId, at } = of;
  const record = randomUUID();
  await ensureMonths(fixture.deps.databases.jobs, ['2026-03-01']);
  await run(
    `insert into usage_record (customer_id, started_at, id, agreement_id, record_type_id, service_item_id, units, price, has_price, content_hash)
     values ($1, $2, $3, $4, (select max(id::text)::uuid from record_type), $5, 1, 1200, true, 1)`,
    [id, at, record, agreementId, itemId],
  );
  await run(
    'insert into usage_billed (customer_id, started_at, id, invoice_line_id) values ($1, $2, $3, $4)',
    [id, at, record, lineId],
  );
}

/** A customer of a brand in dollars with one invoice of 1200 yen, usage and no tax, and one that was paid. */
async function inYen(settings: object) {
  const person = await signedIn(fixture, { ...settings });
  const { id } = person.customer;
  await run(`update customer set email = 'ap@mail.example' where customer_id = $1`, [id]);
  const over = {
    currency: 'JPY',
    issuedOn: '2026-03-10',
    dueOn: '2026-04-30',
    subtotalMinor: 1_200n,
    taxMinor: 0n,
  };
  const [open, paid] = [
    await fixture.seedPayable(person.customer, over),
    await fixture.seedPayable(person.customer, over),
  ];
  const serviceId = await make.service(person.reseller.id, 'Line');
  const agreementId = await make.agreement(id, 'A');
  await run(
    `insert into record_type (id, reseller_id, service_id, code, description, unit)
     values (gen_random_uuid(), $1, $2, 'N', 'National', 'second')`,
    [person.reseller.id, serviceId],
  );
  const itemId = await make.item(id, serviceId, '555-0100');
  for (const { id: invoiceId } of [open, paid]) {
    const lineId = await make.line(id, {
      invoiceId,
      serviceId,
      currency: 'JPY',
      amountMinor: 1_200n,
      from: '2026-03-01',
    });
    await used({ id, agreementId, itemId, lineId, at: '2026-03-02T08:00:00Z' });
  }
  const payload = {
    uid: paid.token,
    invoiceAmount: '1200',
    invoiceNumber: paid.number,
    cardToken: 'tok_visa',
  };
  const payment = (await fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload })).json().data;
  expect(payment).toMatchObject({ status: 'succeeded' });
  return { person, open, attemptId: payment.attemptId };
}

type Me = Awaited<ReturnType<typeof inYen>>;

async function mailOf({ open }: Me): Promise<string> {
  const { job, sent } = payLinkMails(fixture);
  await job.run({ hash: sha256(open.token).toString('hex'), id: newId(fixture.clock.now().getTime()) });
  return sent.flatMap(({ subject, text, html }) => [subject, text, html ?? '']).join('\n');
}

const paper = async ({ person }: Me, url: string) => (await readPdf((await person.get(url)).rawPayload)).text;

/** Everything that states the amount, as text. */
const places = {
  'the invoice on paper': (me: Me) => paper(me, `/v1/ec/invoices/${me.open.id}`),
  'the statement on paper': (me: Me) =>
    paper(me, '/v1/ec/statement/pdf?dateFrom=2026-03-01&dateTo=2026-03-31&currency=JPY'),
  'the receipt on paper': (me: Me) => paper(me, `/v1/ec/payments/${me.attemptId}/receipt`),
  'the usage file': async ({ person, open }: Me) =>
    (await person.get(`/v1/ec/invoice/${open.id}/usage.csv`)).body,
  'the report file': async ({ person }: Me) =>
    String(await reportFixture(fixture).make(person, 'invoice-details', { parameters: MARCH })),
  'the mail': mailOf,
};

it.each([
  ['two', {}, /1,?200\.00(?!\d)/],
  ['currency', { moneyDigits: 'currency' }, /1,?200(?![\d.])/],
] as const)(
  'money of yen has the digits that the brand chose in all that is read, here: %s [decisions.10.money-digits, decisions.10.money-digits-everywhere]',
  async (digits, settings, amount) => {
    const me = await inYen(settings);
    // Pages show what they are told in as many digits as they are told.
    const data = async (url: string) => (await me.person.get(url)).json().data;
    expect(await data(`/v1/brands-settings/${me.person.reseller.brandId}`)).toMatchObject({
      moneyDigits: digits,
    });
    expect(await data(`/v1/ec/payment/details/${me.open.token}`)).toMatchObject({ moneyDigits: digits });
    // Prices of usage have four decimals in any currency.
    for (const [place, textOf] of Object.entries(places)) {
      const text = await textOf(me);
      expect.soft(text, place).toMatch(amount);
      if (digits === 'currency') expect.soft(text, place).not.toMatch(/200\.00(?!\d)/);
      else expect.soft(text, place).not.toMatch(/1,?200(?!\.00)/);
    }
  },
);
