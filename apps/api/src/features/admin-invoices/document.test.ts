import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const pdf = (words: string) => Buffer.from(`%PDF-1.7\n${words}\n%%EOF\n`);

/** A customer with an invoice and a user who is signed in, and the provider's program. */
async function withInvoice() {
  const person = await signedIn(fixture);
  const { id, token, number } = await fixture.seedPayable(person.customer);
  const key = await programKey(fixture, person.reseller.id, 'erp');
  const call = (method: 'GET' | 'PUT' | 'DELETE', payload?: Buffer, type = 'application/pdf') =>
    fixture.app.inject({
      method,
      url: `/v1/admin/invoices/${id}/document`,
      headers: { authorization: `Bearer ${key}`, ...(payload && { 'content-type': type }) },
      ...(payload && { payload }),
    });
  return {
    ...person,
    id,
    call,
    number,
    shownToOperators: async () => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fixture.app.inject({ url: `/v1/admin/invoices/${id}/pdf`, headers })).rawPayload;
    },
    shown: async () => (await person.get(`/v1/ec/invoices/${id}`)).rawPayload,
    shownByLink: async () =>
      (await fixture.app.inject({ url: `/v1/ec/payment/invoice/${token}` })).rawPayload,
  };
}

describe('the provider’s own document of an invoice', () => {
  it('is what portal, pay link and operators are shown, until it is replaced or removed', async () => {
    const { call, shown, shownByLink, shownToOperators, number, customer } = await withInvoice();
    expect((await call('GET')).json()).toMatchObject({ code: 'invoice.noDocument' });
    const made = await shown();
    const stored = await call('PUT', pdf('first'));
    expect(stored.json().data).toMatchObject({ sizeBytes: 21, isShown: true });
    expect((await call('PUT', pdf('first'))).json()).toEqual(stored.json());
    const everywhere = [await shown(), await shownByLink(), await shownToOperators()];
    expect(everywhere).toEqual([pdf('first'), pdf('first'), pdf('first')]);
    await call('PUT', pdf('second'));
    const read = await call('GET');
    expect([read.rawPayload, read.headers['content-disposition']]).toEqual([
      pdf('second'),
      expect.stringContaining(`attachment; filename="invoice_${number}.pdf"`),
    ]);
    expect((await call('DELETE')).statusCode).toBe(200);
    expect((await call('DELETE')).statusCode).toBe(404);
    for (const again of [await shown(), await shownToOperators()])
      expect([again.subarray(0, 5), again.length]).toEqual([made.subarray(0, 5), made.length]);
    const { rows } = await fixture.database
      .pool()
      .query(
        "select action from audit_event where customer_id = $1 and action like 'invoice.%' order by id",
        [customer.id],
      );
    expect(rows.map(({ action }) => action)).toEqual([
      'invoice.documentStored',
      'invoice.documentStored',
      'invoice.documentRemoved',
    ]);
  });

  it('is not shown of an invoice that was corrected since', async () => {
    const { call, shown, id } = await withInvoice();
    await call('PUT', pdf('first'));
    await fixture.database.pool().query("update invoice set content_hash = '\\x01' where id = $1", [id]);
    expect(await shown()).not.toEqual(pdf('first'));
    expect((await call('PUT', pdf('first'))).json().data).toMatchObject({ isShown: true });
    expect(await shown()).toEqual(pdf('first'));
  });

  it.each([
    [Buffer.from('<html></html>'), 'application/pdf', 400, 'invoice.noPdf'],
    [Buffer.from('%PDF-1.7\n'), 'application/pdf', 400, 'invoice.noPdf'],
    [pdf('x'), 'application/json', 415, 'request.mediaType'],
    [pdf('x'.repeat(10 * 1024 ** 2)), 'application/pdf', 413, 'request.tooLarge'],
  ])('is a PDF of a bounded size (%#)', async (content, type, status, code) => {
    const { call } = await withInvoice();
    const answer = await call('PUT', content, type);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });
});
