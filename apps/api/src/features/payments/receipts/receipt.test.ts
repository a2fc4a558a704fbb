import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import type { Mail } from '../../../mail/mailer.ts';
import { createPdfRenderer } from '../../../pdf/process/pool.ts';
import { nodesOf, readPdf } from '../../../pdf/read-pdf.ts';
import { reconcile } from '../attempts/reconcile.ts';
import { receiptJob } from './mail-queue.ts';

const fixture = useFixture();
const pdf = createPdfRenderer();
afterAll(() => pdf.close());
beforeEach(() => {
  fixture.gateway.onCharge = async (charge) => {
    const taken = fixture.gateway.take(charge);
    const shown = { type: 'card', brand: 'visa', last4: '4242' };
    return taken.is === 'succeeded' ? { ...taken, shown } : taken;
  };
});

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await fixture.database.pool().query(text, values)).rows as T[];

async function paid() {
  const cardFee = { basisPoints: 150, fixedMinor: 0, capMinor: null };
  const person = await signedIn(fixture);
  await rows('update brand set settings = settings || $2 where reseller_id = $1', [
    person.customer.resellerId,
    JSON.stringify({ cardFee }),
  ]);
  const invoice = await fixture.seedPayable(person.customer);
  const body = {
    uid: invoice.token,
    invoiceAmount: '111.65',
    invoiceNumber: invoice.number,
    cardToken: 'tok_visa',
    email: 'payer@mail.example',
  };
  const pay = async () =>
    (await fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body })).json().data;
  return { person, invoice, pay };
}

async function mailed(customerId: string): Promise<Mail[]> {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const { jobs } = fixture.deps.databases;
  const job = receiptJob({
    db: jobs,
    clock: fixture.clock,
    mailer,
    mailFrom: 'bills@mail.example',
    pdf,
    secrets: fixture.deps.secrets,
    publicUrl: new URL('http://localhost:3000'),
  });
  const open = await rows<{ id: string }>(
    "select id from outbox where customer_id = $1 and kind = 'receipt'",
    [customerId],
  );
  for (const { id } of [...open, ...open]) await job.run({ customerId, outboxId: id });
  return mails;
}

/** The cells of a PDF's table, and its paragraphs. */
async function printed(bytes: Uint8Array) {
  const read = await readPdf(bytes);
  const [page] = read.pages;
  return {
    table: nodesOf(page?.structure, 'TR').map((row) => row.children.map(({ text }) => text)),
    paragraphs: nodesOf(page?.structure, 'P').map(({ text }) => text),
  };
}

describe('the receipt', () => {
  it('is attached to its mail as a PDF, once: invoice, fee, method and reference', async () => {
    const { person, invoice, pay } = await paid();
    const { reference, attemptId } = await pay();
    const mails = await mailed(person.customer.id);
    expect(mails).toHaveLength(1);
    const [file, ...others] = mails[0]?.attachments ?? [];
    expect(others).toEqual([]);
    expect([file?.filename, file?.contentType]).toEqual([`Receipt_${reference}.pdf`, 'application/pdf']);
    const { table, paragraphs } = await printed(file?.content ?? Buffer.of());
    const day = expect.stringMatching(/^\d\d\.\d\d\.\d{4}$/);
    expect(table).toEqual([
      ['Paid for', 'Date', 'Detail', 'Amount'],
      [`Invoice ${invoice.number}`, day, '', '$110.00'],
      ['Fee', day, '', '$1.65'],
      ['Total paid', '', '', '$111.65'],
    ]);
    expect(paragraphs).toEqual(
      expect.arrayContaining([
        'Paid',
        '$111.65',
        `Payment reference ${reference}`,
        'Currency USD, US Dollar',
        `Visa ending 4242 Reference ${reference}`,
        'Nothing: paid in full.',
        expect.stringMatching(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d UTC$/),
      ]),
    );
    const download = await person.get(`/v1/ec/payments/${attemptId}/receipt`);
    expect([download.statusCode, download.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(download.headers['content-disposition']).toContain(`filename="Receipt_${reference}.pdf"`);
    expect(Buffer.compare(download.rawPayload, file?.content ?? Buffer.of())).toBe(0);
  });

  it('is there by the id that the statement names, and not for other customers', async () => {
    const { person, pay } = await paid();
    await pay();
    const { entries } = (await person.get('/v1/ec/statement?dateFrom=2026-01-01&dateTo=2026-12-31')).json()
      .data;
    const names = entries.map(({ kind, receiptOf }: { kind: string; receiptOf: string | null }) => [
      kind,
      receiptOf !== null,
    ]);
    expect(names).toEqual([
      ['invoice', false],
      ['payment', true],
    ]);
    const id = entries[1].receiptOf;
    expect((await person.get(`/v1/ec/payments/${id}/receipt`)).statusCode).toBe(200);
    const other = await signedIn(fixture);
    expect((await other.get(`/v1/ec/payments/${id}/receipt`)).statusCode).toBe(404);
  });

  it('of a bank debit comes when the bank has confirmed it, not before [decisions.6.receipt-bank]', async () => {
    const { person, pay } = await paid();
    fixture.gateway.onCharge = async (charge) => {
      const taken = fixture.gateway.take(charge);
      if (taken.is !== 'succeeded') return taken;
      return { is: 'pending', because: 'bank', remote: taken.remote, state: {} };
    };
    fixture.gateway.onLookup = async (charge) => {
      const taken = fixture.gateway.take(charge);
      return taken.is === 'succeeded'
        ? { is: 'pending', because: 'bank', remote: taken.remote, state: {} }
        : taken;
    };
    const { status, attemptId } = await pay();
    expect(status).toBe('processing');
    expect(await mailed(person.customer.id)).toEqual([]);
    expect((await person.get(`/v1/ec/payments/${attemptId}/receipt`)).statusCode).toBe(404);
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    fixture.clock.advance(60_000);
    await reconcile(fixture.engine);
    expect(await mailed(person.customer.id)).toHaveLength(1);
    expect((await person.get(`/v1/ec/payments/${attemptId}/receipt`)).statusCode).toBe(200);
  });
});
