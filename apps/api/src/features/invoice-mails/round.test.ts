import { newId } from '@counterfoil/domain/text/ids.ts';
import type { InvoiceSeed } from '@counterfoil/testing/factories.ts';
import { expect, it } from 'vitest';
import { addThings } from '../../../test/fixtures/customer-things.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { openFileStore } from '../../files/open-file-store.ts';
import type { Mail } from '../../mail/mailer.ts';
import { INVOICE_MAIL, invoiceMailJob } from './mail-queue.ts';
import { invoiceMailsRound } from './service.ts';

const fixture = useFixture();
const BILLING = 'bills@customer.example';
const pdf = { render: async () => new Uint8Array([1, 2, 3]) };
const rows = async <T>(text: string, values: unknown[]): Promise<T[]> =>
  (await fixture.database.pool().query(text, values)).rows as T[];

/** A customer with a billing address, of a brand that mails as told. */
async function customerOf(invoiceMails: object) {
  const { customer, reseller } = await fixture.seedPayer({ invoiceMails });
  await rows('update customer set email = $2 where customer_id = $1', [customer.id, BILLING]);
  const bill = (over: Partial<InvoiceSeed> = {}) => {
    const id = newId(fixture.clock.now().getTime());
    return fixture.seedPayable(customer, { id, issuedOn: '2026-03-01', dueOn: '2026-03-20', ...over });
  };
  const user = async (email: string, invoices: boolean) => {
    const { id } = await fixture.make.user({ resellerId: reseller.id, email, customerIds: [customer.id] });
    await rows(`insert into user_preference values ($1, 'mails', $2)`, [id, JSON.stringify({ invoices })]);
  };
  return { customerId: customer.id, resellerId: reseller.id, bill, user };
}

type Me = Awaited<ReturnType<typeof customerOf>>;
type Payable = Awaited<ReturnType<Me['bill']>>;

async function roundAt(moment: string): Promise<void> {
  fixture.clock.set(moment);
  const { jobs: db } = fixture.deps.databases;
  await Promise.all([
    invoiceMailsRound({ db, clock: fixture.clock }),
    invoiceMailsRound({ db, clock: fixture.clock }),
  ]);
}

/** Sends what is promised to a customer, each twice, as a queue may. @returns the new mails */
async function mailsOf(customerId: string): Promise<Mail[]> {
  const sent: Mail[] = [];
  const { databases, secrets, config } = fixture.deps;
  const job = invoiceMailJob({
    db: databases.jobs,
    exports: databases.exports,
    clock: fixture.clock,
    secrets,
    pdf,
    files: openFileStore(config.filesUrl),
    mailFrom: 'billing@portal.example',
    publicUrl: new URL('http://localhost:3000'),
    comingCharges: async () => [],
    paymentTypeOf: async () => 1,
    mailer: { send: async (mail) => void sent.push(mail) },
  });
  const open = await rows<{ id: string }>(
    'select id from outbox where customer_id = $1 and kind = $2 and done_at is null order by created_at, id',
    [customerId, INVOICE_MAIL],
  );
  for (const { id } of [...open, ...open]) await job.run({ customerId, outboxId: id });
  await rows('update outbox set done_at = now() where customer_id = $1', [customerId]);
  return sent;
}

it('a new invoice is mailed once, with its PDF and pay link, to the billing address and to users who want it', async () => {
  fixture.clock.set('2026-03-02T09:00:00Z');
  const me = await customerOf({ newInvoices: true });
  await me.bill({ number: 'BEFORE' });
  await roundAt('2026-03-02T10:00:00Z');
  fixture.clock.set('2026-03-02T11:00:00Z');
  const invoice = await me.bill({ number: 'NEW-1' });
  await me.bill({ number: 'OLD', issuedOn: '2026-01-05' });
  await me.bill({ number: 'PAID', status: 11 });
  await me.bill({ number: 'DISPUTED', status: 14 });
  await me.bill({ number: 'CREDIT', kind: 'creditNote' });
  await me.user('wants@customer.example', true);
  await me.user('wants-none@customer.example', false);
  await roundAt('2026-03-02T11:05:00Z');
  await roundAt('2026-03-02T11:06:00Z');
  const mails = await mailsOf(me.customerId);
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [BILLING, `Invoice NEW-1 from Reseller ${me.resellerId}`],
    ['wants@customer.example', `Invoice NEW-1 from Reseller ${me.resellerId}`],
  ]);
  const [mail] = mails;
  expect(mail?.text).toContain('Please pay $110.00 by 03.20.2026.');
  expect(mail?.text).toContain(`/pay/${invoice.token}`);
  expect(mail?.attachments).toEqual([
    { filename: 'invoice_NEW-1.pdf', contentType: 'application/pdf', content: Buffer.from([1, 2, 3]) },
  ]);
});

it('usage goes with a new invoice as CSV where the brand wants it and there is some', async () => {
  fixture.clock.set('2026-03-02T09:00:00Z');
  const me = await customerOf({ newInvoices: true, withPdf: false, withUsageCsv: true });
  await roundAt('2026-03-02T10:00:00Z');
  fixture.clock.set('2026-03-02T11:00:00Z');
  const { id } = await me.bill({ number: 'U/1' });
  await addThings(fixture, { ...me, mark: 'SIM 1' }, id);
  await me.bill({ number: 'FLAT' });
  await roundAt('2026-03-02T11:05:00Z');
  // What else the customer has now is told of too.
  const told = (await mailsOf(me.customerId)).filter(({ subject }) => / (U\/1|FLAT) from /.test(subject));
  const attached = told.map(({ subject, attachments }) => [
    subject.split(' ')[1],
    attachments?.map(({ filename, contentType, content }) => ({ filename, contentType, text: `${content}` })),
  ]);
  expect(attached).toEqual([
    [
      'U/1',
      [
        {
          filename: 'U_1_usage.csv',
          contentType: 'text/csv; charset=utf-8',
          text: expect.stringMatching(/^"Service Item","Service",.*\r\n"SIM 1","SIM 1","SIM 1",1,100\.00,/),
        },
      ],
    ],
    ['FLAT', undefined],
  ]);
});

it('the billing address is left out where it is that of a user who wants no such mail', async () => {
  fixture.clock.set('2026-03-02T09:00:00Z');
  const me = await customerOf({ newInvoices: true });
  await me.user(BILLING, false);
  await roundAt('2026-03-02T10:00:00Z');
  await me.bill();
  await roundAt('2026-03-02T10:05:00Z');
  expect(await mailsOf(me.customerId)).toEqual([]);
});

it('reminders go out on their days, from six in the morning, each once, and of several the last', async () => {
  fixture.clock.set('2026-03-02T09:00:00Z');
  const me = await customerOf({ daysBefore: [3, 0], daysAfter: [1, 7, 14] });
  await me.bill({ number: 'R-1' });
  const told = async (moment: string) => {
    await roundAt(moment);
    return (await mailsOf(me.customerId)).map(({ subject }) =>
      subject.replace(/^Invoice R-1 from Reseller \d+ /, ''),
    );
  };
  const [soon, late] = ['is due on 03.20.2026', 'is overdue'];
  const life: readonly (readonly [string, readonly string[]])[] = [
    ['2026-03-16T12:00:00Z', []],
    ['2026-03-17T05:59:00Z', []],
    ['2026-03-17T06:00:00Z', [soon]],
    ['2026-03-17T18:00:00Z', []],
    ['2026-03-18T06:00:00Z', []],
    ['2026-03-20T06:00:00Z', [soon]],
    ['2026-03-21T06:00:00Z', [late]],
    // No process ran for six days: one mail makes up for it, and only while it is fresh.
    ['2026-03-29T06:00:00Z', [late]],
    ['2026-04-03T06:00:00Z', [late]],
    ['2026-04-20T06:00:00Z', []],
  ];
  for (const [moment, mails] of life) expect([moment, await told(moment)]).toEqual([moment, mails]);
});

const execute = (statement: string) => (me: Me) => rows(statement, [me.customerId]);

it.each<readonly [string, (me: Me, invoice: Payable) => Promise<unknown>]>([
  [
    'it is paid',
    execute('update invoice set status = 11, paid_minor = payable_minor where customer_id = $1'),
  ],
  ['it is void', execute('update invoice set status = 13 where customer_id = $1')],
  ['it is disputed', execute('update invoice set status = 14 where customer_id = $1')],
  ['its customer is disabled', execute('update customer set disabled_at = now() where customer_id = $1')],
  [
    'a payment is under way',
    async (_, { token: uid, number: invoiceNumber }) => {
      fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'test' });
      const payload = { uid, invoiceNumber, invoiceAmount: '110.00', cardToken: 'tok_visa' };
      await fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload });
      expect(
        await rows('select 1 from claim where invoice_id = (select id from invoice where number = $1)', [
          invoiceNumber,
        ]),
      ).toHaveLength(1);
    },
  ],
  [
    'auto-pay has announced it',
    execute(`insert into autopay_plan (customer_id, invoice_id, state, charge_on, announced_minor, announced_at, updated_at)
             select customer_id, id, 'announced', '2026-03-28', 11000, now(), now() from invoice where customer_id = $1`),
  ],
])('no reminder is sent, and none that was promised, once %s', async (_, change) => {
  fixture.clock.set('2026-03-02T09:00:00Z');
  const me = await customerOf({ daysAfter: [1, 7] });
  const invoice = await me.bill();
  await roundAt('2026-03-21T06:00:00Z');
  await change(me, invoice);
  expect(await mailsOf(me.customerId)).toEqual([]);
  await roundAt('2026-03-27T06:00:00Z');
  const later = await rows("select 1 from invoice_mail where customer_id = $1 and step = 'after:7'", [
    me.customerId,
  ]);
  expect(later).toEqual([]);
});
