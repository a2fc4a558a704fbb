import { eInvoiceFacts } from '@counterfoil/contract/brand.ts';
import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { readDocument } from '../imports/service.ts';
import { sampleFacts } from './sample-rows.ts';

const fixture = useFixture();

/** A customer with an invoice that lacks nothing but its electronic address, and the provider's program. */
async function withInvoice(isOffered = true) {
  const person = await signedIn(fixture);
  const { customer, reseller } = person;
  const { id, number } = await fixture.seedPayable(customer);
  const pool = fixture.database.pool();
  await pool.query(
    `insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_name, quantity, price, currency,
                               amount_minor, tax_minor, tax_category, tax_percent)
     select customer_id, gen_random_uuid(), id, 1, 'line', 'Fibre 300', 1, subtotal_minor / 100.0, currency, subtotal_minor,
            tax_minor, 'S', round(tax_minor * 100.0 / subtotal_minor, 4) from invoice where id = $1`,
    [id],
  );
  await pool.query("update customer set country = 'AT', external_ref = 'C-77' where customer_id = $1", [
    customer.id,
  ]);
  await pool.query('update brand set settings = settings || $2 where reseller_id = $1', [
    reseller.id,
    { eInvoice: eInvoiceFacts.parse({ ...sampleFacts.settings, isOffered }) },
  ]);
  const key = await programKey(fixture, reseller.id, 'erp');
  return {
    ...person,
    number,
    mine: (path: string) => person.get(`/v1/ec/invoice/${id}/${path}`),
    theirs: (path = '') =>
      fixture.app.inject({
        url: `/v1/admin/invoices/${id}/e-invoice${path}`,
        headers: { authorization: `Bearer ${key}` },
      }),
    address: () =>
      pool.query("insert into customer_identity values ($1, 'endpoint', '0088:7300010000902', $2)", [
        reseller.id,
        customer.id,
      ]),
    id,
  };
}

describe('invoices as data', () => {
  it('are offered once nothing is missing; until then the provider is told what is', async () => {
    const { mine, theirs, address, number } = await withInvoice();
    expect((await theirs()).json().data).toMatchObject({
      isOffered: true,
      ubl: false,
      facturX: true,
      findings: [{ rule: 'PEPPOL-EN16931-R010', of: 'peppol' }],
    });
    expect((await theirs('/ubl')).json()).toMatchObject({
      code: 'invoice.noEInvoice',
      message: expect.stringContaining('electronic address is missing'),
    });
    expect((await mine('e-invoices')).json().data).toEqual(['facturX']);
    const refused = await mine('e-invoice.xml');
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      'This invoice cannot be had as an e-invoice',
    ]);
    await address();
    expect((await mine('e-invoices')).json().data).toEqual(['ubl', 'facturX']);
    const xml = await mine('e-invoice.xml');
    expect(xml.headers['content-disposition']).toContain(`attachment; filename="invoice_${number}.xml"`);
    expect(xml.rawPayload).toEqual((await theirs('/ubl')).rawPayload);
  });

  it('say the same in both forms, and our own import reads the PDF', async () => {
    const { mine, theirs, address, number } = await withInvoice();
    await address();
    const read = async (payload: Buffer) => {
      const document = await readDocument(payload);
      if (!document.ok) throw new Error(document.reason);
      const { lines, ...invoice } = document.invoice;
      return { ...invoice, lines: lines.map(({ at: _, ...line }) => line) };
    };
    const pdf = await mine('factur-x.pdf');
    expect(pdf.headers['content-type']).toBe('application/pdf');
    expect((await theirs('/factur-x')).rawPayload).toEqual(pdf.rawPayload);
    const inside = await read(pdf.rawPayload);
    expect(inside).toEqual(await read((await mine('e-invoice.xml')).rawPayload));
    expect(inside).toMatchObject({ number, supplier: { taxId: 'ATU12345678' } });
  });

  it('are no Factur-X where the provider has a PDF of its own, and it is told so', async () => {
    const { theirs, id } = await withInvoice();
    await fixture.database.pool().query(
      `insert into invoice_document (customer_id, invoice_id, file_key, sha256, size_bytes, content_hash, stored_at)
       select customer_id, id, 'none.pdf', '', 1, content_hash, now() from invoice where id = $1`,
      [id],
    );
    const { facturX, findings } = (await theirs()).json().data;
    expect([facturX, findings.at(-1)]).toEqual([
      false,
      { rule: 'ownDocument', of: 'facturX', text: expect.stringContaining('own PDF') },
    ]);
    expect((await theirs('/factur-x')).statusCode).toBe(409);
  });

  it('are kept from other customers, from other providers, and where the brand offers none', async () => {
    const [closed, other] = [await withInvoice(false), await signedIn(fixture)];
    await closed.address();
    expect((await closed.mine('e-invoices')).json().data).toEqual([]);
    expect((await closed.mine('factur-x.pdf')).statusCode).toBe(409);
    expect((await closed.theirs('/ubl')).statusCode).toBe(200);
    const key = await programKey(fixture, other.reseller.id, 'erp');
    for (const path of ['e-invoices', 'e-invoice.xml', 'factur-x.pdf'])
      expect((await other.get(`/v1/ec/invoice/${closed.id}/${path}`)).statusCode).toBe(404);
    for (const path of ['', '/ubl', '/factur-x'])
      expect(
        await fixture.app.inject({
          url: `/v1/admin/invoices/${closed.id}/e-invoice${path}`,
          headers: { authorization: `Bearer ${key}` },
        }),
      ).toMatchObject({ statusCode: 404 });
  });
});
