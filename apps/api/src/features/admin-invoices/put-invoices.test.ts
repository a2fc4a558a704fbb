import type { BulkResult } from '@counterfoil/contract/operator/parts.ts';
import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

const base = {
  issuedOn: '2026-03-01',
  dueOn: '2026-03-15',
  currency: 'NZD',
  periodFrom: '2026-02-01',
  periodTo: '2026-02-28',
};
const of = (amount: number) => ({
  lines: [
    { name: 'Fibre', label: 'Internet', price: `${amount}.00`, amount: `${amount}.00`, extra: ['PO-1'] },
  ],
  subtotal: `${amount}.00`,
  total: `${amount}.00`,
  payable: `${amount}.00`,
});

/** A provider's program, with a customer that has an agreement. */
async function provider() {
  const { reseller, customer } = await fixture.seedPayer();
  const key = await programKey(fixture, reseller.id, 'erp');
  const query = async <T extends object>(text: string, values: unknown[]) =>
    (await fixture.database.pool().query<T>(text, values)).rows;
  await query("insert into agreement (customer_id, id, name) values ($1, gen_random_uuid(), 'Main')", [
    customer.id,
  ]);
  const call = async (method: 'PUT' | 'POST', rest: string, payload: string, type = 'application/json') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    return fixture.app.inject({ method, url: `/v1/admin/invoices/${rest}`, headers, payload });
  };
  return {
    customer,
    query,
    line: (reference: string, values: object) => ({ reference, customer: customer.id, ...base, ...values }),
    async put(reference: string, values: object) {
      const body = JSON.stringify({ customer: customer.id, ...base, ...values });
      return (await call('PUT', `by-reference/${reference}`, body)).json().data;
    },
    async bulk(...lines: readonly object[]): Promise<BulkResult[]> {
      const body = lines.map((line) => JSON.stringify(line)).join('\n');
      const answer = await call('POST', 'bulk', body, 'application/x-ndjson');
      return answer.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
    /** All that is stored of an invoice but its number and ids. */
    async stored(number: string) {
      const [told] = await query<{ trail: object }>(
        `select array_agg(detail - 'invoice' order by id) as trail from audit_event
          where detail ->> 'invoice' = $1 and customer_id = $2`,
        [number, customer.id],
      );
      const rows = await query(
        `select i.kind, i.supplier_key, i.agreement_id, i.issued_on, i.due_on, i.period_start, i.period_end, i.currency,
                i.subtotal_minor, i.tax_minor, i.total_minor, i.payable_minor, i.paid_minor, i.status, i.supplier, i.buyer,
                i.details, i.taxes, i.discrepancies, p.expires_at,
                (select json_agg(to_jsonb(l) - array['id', 'invoice_id'] order by l.line_no) from invoice_line l
                  where l.customer_id = i.customer_id and l.invoice_id = i.id) as lines
           from invoice i left join invoice_pay_link p on p.customer_id = i.customer_id and p.invoice_id = i.id
          where i.number = $1 and i.customer_id = $2`,
        [number, customer.id],
      );
      return rows.map((row) => ({ ...row, trail: told?.trail }));
    },
  };
}

const outcomes = (results: readonly BulkResult[]) => results.map(({ code, status }) => code ?? status);

describe('POST /v1/admin/invoices/bulk', () => {
  it('takes invoices in as each by itself is taken in; the same file again changes nothing', async () => {
    const { put, bulk, line, stored, query, customer } = await provider();
    await put('ONE', of(100));
    const file = [line('A-1', of(100)), line('A-2', of(50))];
    const first = await bulk(...file);
    expect(outcomes(first)).toEqual(['created', 'created']);
    const [one, many] = [await stored('ONE'), await stored('A-1')];
    expect(one).toHaveLength(1);
    expect(many).toEqual(one);
    const periods = await query('select period_start from billing_period where customer_id = $1', [
      customer.id,
    ]);
    expect(periods).toHaveLength(1);
    const again = await bulk(...file);
    expect(again).toEqual(first.map((result) => ({ ...result, status: 'unchanged' })));
    expect(await stored('A-1')).toEqual(many);
  });

  it('corrects what differs, credits what is named, and one bad line harms no other', async () => {
    const [{ bulk, line, query, customer }, stranger] = [await provider(), await provider()];
    await bulk(line('A-1', of(100)), line('A-2', of(50)), line('PAID', of(80)));
    await query("update invoice set paid_minor = 7000 where number = 'PAID' and customer_id = $1", [
      customer.id,
    ]);
    const results = await bulk(
      line('A-1', of(90)),
      line('PAID', of(60)),
      line('SUM', { ...of(10), total: '11.00' }),
      line('A-2', of(50)),
      { ...line('THEIRS', of(10)), customer: stranger.customer.id },
      line('NEW', of(20)),
      // A credit that came before the invoice it names is applied when that comes, in the same file or not.
      line('CN-1', { ...of(30), kind: 'creditNote', credits: ['NEW', 'LATER'] }),
      line('LATER', of(40)),
    );
    expect(outcomes(results)).toEqual([
      'changed',
      'invoice.notCorrected',
      'request.invalid',
      'unchanged',
      'invoice.noCustomer',
      'created',
      'created',
      'created',
    ]);
    expect(results.map(({ errors }) => errors?.[0]?.path).filter((path) => path !== undefined)).toEqual([
      'total',
    ]);
    const rows = await query(
      `select number, (payable_minor - credited_minor)::int as due from invoice
        where customer_id = $1 and kind = 'invoice' order by number`,
      [customer.id],
    );
    expect(rows).toEqual([
      { number: 'A-1', due: 9000 },
      { number: 'A-2', due: 5000 },
      { number: 'LATER', due: 3000 },
      { number: 'NEW', due: 0 },
      { number: 'PAID', due: 8000 },
    ]);
    // In a file of its own it finds the credit that waits.
    await bulk(line('CN-2', { ...of(15), kind: 'creditNote', credits: ['LAST'] }));
    await bulk(line('LAST', of(20)));
    expect(await query("select credited_minor::int as c from invoice where number = 'LAST'", [])).toEqual([
      { c: 1500 },
    ]);
  });
});
