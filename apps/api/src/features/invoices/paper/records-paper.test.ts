import { expect, it } from 'vitest';
import { addThings } from '../../../../test/fixtures/customer-things.ts';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { readPdf } from '../../../pdf/read-pdf.ts';

const fixture = useFixture();
const run = (text: string, values: unknown[] = []) => fixture.database.pool().query(text, values);

/** A customer whose invoice billed so many records of one number, five seconds apart. */
async function billedRecords(count: number) {
  const person = await signedIn(fixture, { itemisedRecords: true });
  const { id: customerId, resellerId } = person.customer;
  const invoice = await fixture.seedPayable(person.customer);
  await addThings(fixture, { resellerId, customerId, mark: `things-${resellerId}` }, invoice.id);
  await run(
    `insert into usage_record (customer_id, started_at, id, agreement_id, record_type_id, service_item_id,
            service_item2, units, price, content_hash)
     select customer_id, started_at + at * interval '5 seconds', gen_random_uuid(), agreement_id, record_type_id,
            service_item_id, 'n' || at, 1, 0.01, at + 1
       from usage_record, generate_series(1, $2::int) at where customer_id = $1`,
    [customerId, count - 1],
  );
  await run(
    `insert into usage_billed (customer_id, started_at, id, invoice_line_id)
     select r.customer_id, r.started_at, r.id, l.id from usage_record r
       join invoice_line l on l.customer_id = r.customer_id and l.invoice_id = $2
      where r.customer_id = $1 on conflict do nothing`,
    [customerId, invoice.id],
  );
  return () => person.get(`/v1/ec/invoices/${invoice.id}`);
}

it('has all of thousands of records in their order, read in several goes, and only its own', async () => {
  const paper = await billedRecords(1_203);
  await billedRecords(5);
  const answer = await paper();
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  const { pages } = await readPdf(answer.rawPayload);
  const called = pages.flatMap(({ text }) => text.match(/\bn\d+\b/g) ?? []);
  expect(called).toEqual(Array.from({ length: 1_202 }, (_, at) => `n${at + 1}`));
  // The first one costs 1.0000, the others a cent each.
  expect(pages.map(({ text }) => text.replace(/\s+/g, ' ')).join(' ')).toContain('1,203 records $13.0200');
});
