import fc from 'fast-check';
import { expect, it } from 'vitest';
import { billingRows } from '../../../../test/fixtures/billing-rows.ts';
import { dates, MARCH, parseCsv, reportFixture } from '../../../../test/fixtures/report-fixture.ts';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const reports = reportFixture(fixture);
const rows = billingRows(fixture);
type Person = Awaited<ReturnType<typeof signedIn>>;

const report = async (person: Person, parameters: object[] = MARCH) =>
  parseCsv(await reports.make(person, 'invoice-details', { parameters }));
const inMarch = { issuedOn: '2026-03-10', dueOn: '2026-03-24' };

it('has one row per line with everything it says, and what a service item is called now', async () => {
  const person = await signedIn(fixture);
  const { id } = person.customer;
  const serviceId = await rows.service(person.reseller.id, 'Voice');
  const serviceItemId = await rows.item(id, serviceId, '+1 555 0100', { costCentre: 'Sales' });
  const invoice = await fixture.seedPayable(person.customer, {
    ...inMarch,
    number: 'D-1',
    subtotalMinor: 1_234n,
    taxMinor: 99n,
  });
  await rows.line(id, {
    invoiceId: invoice.id,
    serviceId,
    serviceItemId,
    name: 'Calls',
    quantity: '12.500000',
    from: '2026-02-01',
    to: '2026-02-28',
    amountMinor: 1_234n,
    taxMinor: 99n,
    costCentre: 'Old',
  });
  expect(await report(person)).toEqual([
    [
      'Invoice Number',
      'Invoice Date',
      'Due Date',
      'Product',
      'Service',
      'Service Item',
      'Cost Centre',
      'From',
      'To',
      'Quantity',
      'Unit',
      'Unit Price',
      'Amount',
      'Tax',
      'Total',
      'Currency',
    ],
    [
      'D-1',
      '2026-03-10',
      '2026-03-24',
      'Calls',
      'Voice',
      "'+1 555 0100",
      'Sales',
      '2026-02-01',
      '2026-02-28',
      '12.500000',
      '',
      '12.34',
      '12.34',
      '0.99',
      '13.33',
      'USD',
    ],
  ]);
});

it('is about the invoices of the span, both days included, without void ones; or about one of them', async () => {
  const person = await signedIn(fixture);
  const seed = (number: string, issuedOn: string, over: object = {}) =>
    fixture.seedPayable(person.customer, { number, issuedOn, ...over });
  await seed('N-0', '2026-02-28');
  await seed('N-1', '2026-03-01');
  const last = await seed('N-2', '2026-03-31');
  await seed('N-3', '2026-04-01');
  await seed('N-4', '2026-03-15', { status: 13 });
  const numbers = async (parameters?: object[]) =>
    (await report(person, parameters)).slice(1).map(([number]) => number);
  expect(await numbers()).toEqual(['N-1', 'N-2']);
  expect(await numbers([...MARCH, { name: 'InvoiceId', value: last.id }])).toEqual(['N-2']);
  expect(await numbers(dates('01.01.2020', '12.31.2020'))).toEqual([]);
});

it('shows nothing of another customer', async () => {
  const [mine, other] = [await signedIn(fixture), await signedIn(fixture)];
  const invoice = await fixture.seedPayable(other.customer, inMarch);
  await rows.line(other.customer.id, { invoiceId: invoice.id });
  expect(await report(mine)).toHaveLength(1);
});

const minor = (text: string | undefined): bigint => BigInt((text ?? '').replace('.', ''));
const lineSeed = fc.record({
  amountMinor: fc.bigInt({ min: -50_000n, max: 500_000n }),
  taxMinor: fc.bigInt({ min: -5_000n, max: 50_000n }),
});
const invoiceSeed = fc.record({
  currency: fc.constantFrom('USD', 'EUR'),
  lines: fc.array(lineSeed, { maxLength: 5 }),
  /** What the invoice says beyond its lines. */
  rounding: fc.oneof(fc.constant(0n), fc.bigInt({ min: -3n, max: 3n })),
});

it('adds up to the subtotal and tax of every invoice, whatever its lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(invoiceSeed, { minLength: 1, maxLength: 6 }), async (seeds) => {
      const person = await signedIn(fixture);
      const expected = new Map<string, readonly [bigint, bigint, string]>();
      for (const [n, { currency, lines, rounding }] of seeds.entries()) {
        const number = `P-${n}`;
        const sum = (of: 'amountMinor' | 'taxMinor') => lines.reduce((all, line) => all + line[of], 0n);
        const subtotalMinor = sum('amountMinor') + rounding;
        const taxMinor = sum('taxMinor');
        const kind = subtotalMinor + taxMinor < 0n ? 'creditNote' : 'invoice';
        const invoice = await fixture.make.invoice({
          customerId: person.customer.id,
          resellerId: person.reseller.id,
          number,
          currency,
          subtotalMinor,
          taxMinor,
          kind,
          ...inMarch,
        });
        for (const line of lines)
          await rows.line(person.customer.id, { invoiceId: invoice.id, currency, ...line });
        if (lines.length > 0 || subtotalMinor !== 0n || taxMinor !== 0n)
          expected.set(number, [subtotalMinor, taxMinor, currency]);
      }
      const found = new Map<string, [bigint, bigint, string]>();
      for (const row of (await report(person)).slice(1)) {
        const [number = '', currency = ''] = [row[0], row[15]];
        const [amount, tax] = found.get(number) ?? [0n, 0n];
        found.set(number, [amount + minor(row[12]), tax + minor(row[13]), currency]);
        expect(minor(row[14])).toBe(minor(row[12]) + minor(row[13]));
      }
      expect(found).toEqual(expected);
    }),
    { numRuns: 12 },
  );
});
