import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const path = '/v1/admin/invoices/by-reference';

/** A provider's program, with a customer. */
async function provider() {
  const { reseller, customer } = await fixture.seedPayer();
  const key = await programKey(fixture, reseller.id, 'erp');
  const call = async (
    method: 'GET' | 'PUT',
    reference: string,
    payload?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await fixture.app.inject({
      method,
      url: `${path}/${encodeURIComponent(reference)}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, etag: answer.headers['etag'], ...answer.json() };
  };
  return {
    reseller,
    customer,
    get: (reference: string) => call('GET', reference),
    put: (reference: string, values: object, headers?: Readonly<Record<string, string>>) =>
      call('PUT', reference, { ...base, customer: customer.id, ...values }, headers),
    trail: async () =>
      (
        await fixture.database
          .pool()
          .query<{ action: string; actor: string; detail: object }>(
            "select action, actor, detail from audit_event where customer_id = $1 and action like 'invoice.%' order by id",
            [customer.id],
          )
      ).rows,
  };
}

const base = {
  issuedOn: '2026-03-01',
  dueOn: '2026-03-15',
  currency: 'NZD',
  lines: [
    {
      name: 'Fibre 300',
      quantity: '2',
      price: '50.00',
      amount: '100.00',
      taxCategory: 'S',
      taxPercent: '15',
    },
  ],
  taxes: [{ category: 'S', percent: '15', taxable: '100.00', amount: '15.00' }],
  subtotal: '100.00',
  tax: '15.00',
  total: '115.00',
  payable: '115.00',
};
/** The same with another amount. */
const cheaper = {
  lines: [{ name: 'Fibre 100', price: '80.00', amount: '80.00', taxCategory: 'S', taxPercent: '15' }],
  taxes: [{ category: 'S', percent: '15', taxable: '80.00', amount: '12.00' }],
  subtotal: '80.00',
  tax: '12.00',
  total: '92.00',
  payable: '92.00',
};
const anyState = { 'if-match': '*' };
const paid = (minor: number, id: string) =>
  fixture.database.pool().query('update invoice set paid_minor = $1 where id = $2', [minor, id]);

describe('PUT /v1/admin/invoices/by-reference/{reference}', () => {
  it('takes an invoice in, leaves it as it is, and corrects it where the caller has read its content', async () => {
    const { put, get, trail } = await provider();
    const made = await put('INV/1', {});
    expect(made).toMatchObject({
      status: 201,
      data: { number: 'INV/1', status: 'open', total: '115.00', due: '115.00', dueOn: '2026-03-15' },
    });
    expect(await put('INV/1', {})).toMatchObject({ status: 200, etag: made.etag, data: made.data });
    expect(await put('INV/1', cheaper)).toMatchObject({ status: 428, code: 'precondition.required' });
    expect(await put('INV/1', cheaper, { 'if-match': '"0"' })).toMatchObject({ status: 412 });
    expect(await put('INV/1', cheaper, { 'if-none-match': '*' })).toMatchObject({ status: 412 });
    const corrected = await put('INV/1', cheaper, { 'if-match': made.etag ?? '' });
    expect(corrected).toMatchObject({ status: 200, data: { id: made.data.id, due: '92.00' } });
    // However the amounts are written; a word on it is another content.
    expect(await put('INV/1', { ...cheaper, total: '92' })).toMatchObject({ status: 200 });
    expect(await put('INV/1', { ...cheaper, note: 'Thank you' })).toMatchObject({ status: 428 });
    // The answer was lost, and the same is sent again.
    expect(await put('INV/1', cheaper, { 'if-match': made.etag ?? '' })).toMatchObject({ status: 200 });
    expect(await get('INV/1')).toMatchObject({
      etag: corrected.etag,
      data: { lines: [{ lineNo: 1, name: 'Fibre 100', amount: '80.00', tax: '12.00' }] },
    });
    const said = { actor: 'key:erp' };
    expect(await trail()).toEqual([
      { ...said, action: 'invoice.added', detail: { invoice: 'INV/1', payable: '115.00 NZD' } },
      {
        ...said,
        action: 'invoice.corrected',
        detail: {
          invoice: 'INV/1',
          'before.payable': '115.00 NZD',
          'after.payable': '92.00 NZD',
          'before.status': 10,
          'after.status': 10,
        },
      },
    ]);
  });

  it('says of lines and of the whole all that an imported document says', async () => {
    const { put, get } = await provider();
    const taxed = { taxCategory: 'S', taxPercent: '15' };
    const full = {
      lines: [
        {
          name: 'Fibre 300',
          label: 'Internet',
          site: 'Quay Street',
          extra: ['PO-77', '', 'Fleet'],
          price: '100.00',
          amount: '95.00',
          allowances: [{ reason: 'Loyalty', amount: '5.00' }],
          ...taxed,
        },
      ],
      allowances: [
        { reason: 'Campaign', amount: '20.00', ...taxed },
        { reason: 'Paper', isCharge: true, amount: '5.00', ...taxed },
      ],
      taxes: [{ category: 'S', percent: '15', taxable: '80.00', amount: '12.00' }],
      subtotal: '80.00',
      tax: '12.00',
      total: '92.00',
      payable: '92.00',
      paymentTerms: 'Within 14 days',
      buyerReference: 'Dept 7',
      orderReference: 'PO-77',
    };
    const made = await put('A-1', full);
    expect(made).toMatchObject({ status: 201, data: { due: '92.00' } });
    const { lines } = (await get('A-1')).data;
    expect(lines).toMatchObject([
      {
        kind: 'line',
        label: 'Internet',
        name: 'Fibre 300',
        description: 'Loyalty − 5.00',
        site: 'Quay Street',
        amount: '95.00',
        extra: ['PO-77', '', 'Fleet'],
      },
      { kind: 'allowance', name: 'Campaign', label: '', site: '', amount: '-20.00', extra: [] },
      { kind: 'charge', name: 'Paper', amount: '5.00' },
    ]);
    const { rows } = await fixture.database
      .pool()
      .query('select details from invoice where id = $1', [made.data.id]);
    const { paymentTerms, buyerReference, orderReference } = full;
    expect(rows[0].details).toMatchObject({ paymentTerms, buyerReference, orderReference });
    // The same again is the same; each of them counts as content, and leaving one out takes it away.
    expect(await put('A-1', full)).toMatchObject({ status: 200, etag: made.etag });
    for (const change of [{ site: '' }, { extra: [] }, { label: '' }])
      expect(await put('A-1', { ...full, lines: [{ ...full.lines[0], ...change }] })).toMatchObject({
        status: 428,
      });
    const bare = { ...full, lines: [{ ...full.lines[0], label: '', site: '', extra: [] }] };
    expect(await put('A-1', bare, anyState)).toMatchObject({ status: 200 });
    expect((await get('A-1')).data.lines[0]).toMatchObject({ label: '', site: '', extra: [] });
  });

  it('keeps what was paid: less than that is refused, just that is paid, more is due', async () => {
    const { put } = await provider();
    const { id } = (await put('A-1', {})).data;
    await paid(9_201, id);
    expect(await put('A-1', cheaper, anyState)).toMatchObject({ status: 409, code: 'invoice.notCorrected' });
    await paid(9_200, id);
    expect(await put('A-1', cheaper, anyState)).toMatchObject({ data: { status: 'paid', due: '0.00' } });
    expect(await put('A-1', {}, anyState)).toMatchObject({ data: { status: 'open', due: '23.00' } });
    expect(await put('A-1', { currency: 'USD' }, anyState)).toMatchObject({ status: 409 });
    await fixture.database.pool().query('update invoice set held_minor = 100 where id = $1', [id]);
    expect(await put('A-1', cheaper, anyState)).toMatchObject({ status: 409, code: 'invoice.notCorrected' });
  });

  it('keeps lines bound to the usage they billed, and frees that of lines that are gone or about something else', async () => {
    const { put, customer } = await provider();
    const line = (name: string) => ({ name, price: '10.00', amount: '10.00' });
    const of = (...names: string[]) => {
      const sum = `${names.length * 10}.00`;
      return { lines: names.map(line), taxes: [], subtotal: sum, tax: '0', total: sum, payable: sum };
    };
    const { id } = (await put('A-1', of('kept', 'other', 'gone'))).data;
    const query = <T extends object>(text: string, values: unknown[]) =>
      fixture.database.pool().query<T>(text, values);
    await query(
      `insert into usage_billed (customer_id, started_at, id, invoice_line_id)
       select customer_id, now(), gen_random_uuid(), id from invoice_line where customer_id = $1 and invoice_id = $2`,
      [customer.id, id],
    );
    expect(await put('A-1', of('kept', 'new'), anyState)).toMatchObject({ status: 200 });
    const { rows } = await query<{ name: string }>(
      `select l.product_name as name from usage_billed b join invoice_line l on l.customer_id = b.customer_id and l.id = b.invoice_line_id
        where b.customer_id = $1`,
      [customer.id],
    );
    expect(rows).toEqual([{ name: 'kept' }]);
  });

  it('takes a credit note that credits an invoice, and corrects none', async () => {
    const { put, get } = await provider();
    await put('A-1', {});
    const credit = { ...cheaper, kind: 'creditNote', credits: ['A-1'] };
    expect(await put('C-1', credit)).toMatchObject({ status: 201, data: { payable: '-92.00' } });
    expect((await get('A-1')).data).toMatchObject({ credited: '92.00', due: '23.00' });
    expect(await put('C-1', { ...credit, note: 'x', dueOn: null }, anyState)).toMatchObject({
      status: 409,
      code: 'invoice.notCorrected',
    });
  });

  it.each([
    [{ payable: '115.01' }, 'payable'],
    [{ tax: '15.01' }, 'total'],
    [{ subtotal: '99.00', total: '114.00', payable: '114.00' }, 'subtotal'],
    [{ lines: [{ name: 'x', quantity: '2', price: '50.00', amount: '99.99' }] }, 'lines.0.amount'],
    [{ currency: 'XYZ' }, 'currency'],
    [{ total: '115.001' }, 'total'],
    [{ lines: [{ name: 'x', price: '1', amount: '1', baseQuantity: '0' }] }, 'lines.0.baseQuantity'],
  ])('refuses %j and says which member is wrong', async (values, member) => {
    const { put, get } = await provider();
    const { status, code, errors } = await put('A-1', values);
    expect([status, code]).toEqual([400, 'request.invalid']);
    expect(errors.map((one: { path: string }) => one.path)).toContain(member);
    expect((await get('A-1')).status).toBe(404);
  });

  it('is about the key’s own customers only, and another’s number is another invoice', async () => {
    const [one, other] = [await provider(), await provider()];
    await other.put('A-1', {});
    expect(await one.get('A-1')).toMatchObject({ status: 404, code: 'invoice.notFound' });
    expect(await one.put('A-1', { customer: other.customer.id })).toMatchObject({
      status: 400,
      code: 'invoice.noCustomer',
    });
    expect(await one.put('A-1', {})).toMatchObject({ status: 201 });
    const second = await fixture.make.customer({
      resellerId: one.reseller.id,
      brandId: one.reseller.brandId,
    });
    expect(await one.put('A-1', { customer: second.id, note: 'x' }, anyState)).toMatchObject({ status: 409 });
  });

  it('twice at once takes one in', async () => {
    const { put } = await provider();
    const both = await Promise.all([put('A-1', {}), put('A-1', {})]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 201]);
  });
});
