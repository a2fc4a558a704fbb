import { randomUUID } from 'node:crypto';
import {
  currencyExponent,
  money,
  moneyToNumber,
  parseCurrency,
  parseMoney,
} from '@counterfoil/domain/money/money.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { billingRows } from '../fixtures/billing-rows.ts';
import { dates, parseCsv, reportFixture } from '../fixtures/report-fixture.ts';
import { signedIn } from '../fixtures/signed-in.ts';
import { useFixture } from '../fixtures/test-fixture.ts';

const fixture = useFixture();
const make = billingRows(fixture);
type Person = Awaited<ReturnType<typeof signedIn>>;

beforeAll(() => fixture.clock.set('2026-05-10T12:00:00Z'));

const MONTHS = [
  { start: '2026-01-01', end: '2026-01-31' },
  { start: '2026-02-01', end: '2026-02-28' },
  { start: '2026-03-01', end: '2026-03-31' },
] as const;
const [FIRST, LAST] = ['2026-01-01', '2026-03-31'];
const VOID = 13;
const OPEN = 10;
const PAID = 11;

const currency = fc.constantFrom('USD', 'JPY');
const minor = fc.bigInt(0n, 10n ** 9n);
const day = fc
  .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 28 }))
  .map(([month, date]) => `2026-0${month + 1}-${String(date).padStart(2, '0')}`);
const line = fc.record({ amount: minor, tax: minor, from: day, item: fc.integer({ min: 0, max: 3 }) });
const history = fc.record({
  invoices: fc.array(
    fc.record({
      currency,
      day,
      lines: fc.array(line, { maxLength: 3 }),
      rounding: fc.bigInt(0n, 3n),
      isVoid: fc.boolean(),
    }),
    { maxLength: 5 },
  ),
  // Charged and not invoiced yet.
  open: fc.array(fc.record({ currency, line }), { maxLength: 4 }),
  credits: fc.array(fc.record({ currency, day, amount: fc.bigInt(1n, 10n ** 9n) }), { maxLength: 3 }),
  // Paid from elsewhere, or kept as credit.
  payments: fc.array(fc.record({ currency, day, amount: fc.bigInt(1n, 10n ** 9n), isCredit: fc.boolean() }), {
    maxLength: 5,
  }),
});
type History = typeof history extends fc.Arbitrary<infer Made> ? Made : never;
type Line = History['open'][number]['line'];

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((all, amount) => all + amount, 0n);

/** The minor units of a figure of the API, which must be just that figure. */
function minorOf(figure: number, code: string): bigint {
  const found = money(BigInt(Math.round(figure * 10 ** currencyExponent(parseCurrency(code)))), code);
  expect(moneyToNumber(found)).toBe(figure);
  return found.minor;
}

interface Posting {
  readonly debit: string;
  readonly credit: string;
  readonly source: string;
  readonly of: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly day: string;
}

const post = (customerId: string, { debit, credit, source, of, currency: code, amount, day: on }: Posting) =>
  fixture.database.pool().query(
    `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'x', $9)`,
    [customerId, randomUUID(), debit, credit, code, amount, source, of, `${on}T12:00:00Z`],
  );

/** @returns the agreement all lines belong to */
async function live(person: Person, { invoices, open, credits, payments }: History) {
  const { id } = person.customer;
  const service = await make.service(person.reseller.id, 'Line');
  const agreementId = await make.agreement(id, 'Agreement');
  for (const { start, end } of MONTHS) await make.period(id, agreementId, start, end);
  // Of four items one has no cost centre, and two share one; place 3 is a line of no item.
  const items = [
    await make.item(id, service, 'One', { costCentre: 'A' }),
    await make.item(id, service, 'Two', { costCentre: 'A' }),
    await make.item(id, service, 'Three'),
  ];
  const addLine = (invoiceId: string | null, code: string, one: Line) =>
    make.line(id, {
      invoiceId,
      agreementId,
      from: one.from,
      currency: code,
      amountMinor: one.amount,
      taxMinor: one.tax,
      serviceItemId: items[one.item] ?? null,
    });
  for (const [at, invoice] of invoices.entries()) {
    const made = await fixture.make.invoice({
      customerId: id,
      resellerId: person.reseller.id,
      number: `F-${at}`,
      currency: invoice.currency,
      issuedOn: invoice.day,
      dueOn: null,
      status: invoice.isVoid ? VOID : OPEN,
      subtotalMinor: sum(invoice.lines.map(({ amount }) => amount)) + invoice.rounding,
      taxMinor: sum(invoice.lines.map(({ tax }) => tax)),
    });
    for (const one of invoice.lines) await addLine(made.id, invoice.currency, one);
  }
  for (const one of open) await addLine(null, one.currency, one.line);
  for (const [at, one] of credits.entries()) {
    const note = await fixture.make.invoice({
      customerId: id,
      resellerId: person.reseller.id,
      number: `N-${at}`,
      kind: 'creditNote',
      currency: one.currency,
      issuedOn: one.day,
      dueOn: null,
      status: PAID,
      subtotalMinor: -one.amount,
      taxMinor: 0n,
    });
    await post(id, { ...one, debit: 'creditNote', credit: 'receivable', source: 'invoice', of: note.id });
  }
  for (const one of payments) {
    const credit = one.isCredit ? 'customerCredit' : 'receivable';
    await post(id, { ...one, debit: 'external', credit, source: 'external', of: randomUUID() });
  }
  return agreementId;
}

/** What the history says by itself, in one currency. */
function expected({ invoices, open, credits, payments }: History, code: string) {
  const own = <One extends { readonly currency: string }>(all: readonly One[]) =>
    all.filter((one) => one.currency === code);
  const valid = own(invoices).filter(({ isVoid }) => !isVoid);
  const lines = valid.flatMap((invoice) => invoice.lines);
  const openLines = own(open).map((one) => one.line);
  const amounts = (all: readonly Line[]) => sum(all.map(({ amount }) => amount));
  const taxes = (all: readonly Line[]) => sum(all.map(({ tax }) => tax));
  const invoiced =
    amounts(lines) +
    taxes(lines) +
    sum(valid.map(({ rounding }) => rounding)) -
    sum(own(credits).map(({ amount }) => amount));
  return {
    charged: amounts(lines) + amounts(openLines),
    // A credit note counts as a bill of less than nothing.
    invoiced,
    nextBill: amounts(openLines) + taxes(openLines),
    owed: invoiced - sum(own(payments).map(({ amount }) => amount)),
  };
}

describe('figures of a customer', () => {
  const data = async (person: Person, path: string) => {
    const answer = await person.get(path);
    expect(answer.statusCode).toBe(200);
    return answer.json().data;
  };

  it('agree on every page, exactly, whatever was billed and paid', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (made) => {
        const person = await signedIn(fixture);
        const agreementId = await live(person, made);
        const periods: { id: string }[] = await data(person, `/v1/ec/billing-periods/${agreementId}`);
        const transactions = (
          await Promise.all(periods.map(({ id }) => data(person, `/v1/ec/transactions?period=${id}`)))
        ).flat();
        const costs = await data(person, `/v1/ec/cost-centres/summary?dateFrom=${FIRST}&dateTo=${LAST}`);
        const next = await data(person, '/v1/ec/next-bill');
        const file = await reportFixture(fixture).make(person, 'invoice-details', {
          parameters: dates('01.01.2026', '03.31.2026'),
        });
        const [head = [], ...rows] = parseCsv(file);
        const [totalAt, currencyAt] = [head.indexOf('Total'), head.indexOf('Currency')];
        for (const code of ['USD', 'JPY']) {
          const should = expected(made, code);
          type Priced = { currency: string; price: number };
          const own = <One extends { currency: string }>(all: readonly One[]) =>
            all.filter((one) => one.currency === code);
          expect(sum(own<Priced>(transactions).map(({ price }) => minorOf(price, code)))).toBe(
            should.charged,
          );

          type Total = { total: number };
          type Costs = { currency: string; costCentres: Total[]; difference: Total; total: Total };
          const [cost] = own<Costs>(costs.currencies);
          const total = (one: Total | undefined) => minorOf(one?.total ?? 0, code);
          expect(sum((cost?.costCentres ?? []).map(total)) + total(cost?.difference)).toBe(should.invoiced);
          expect(total(cost?.total)).toBe(should.invoiced);

          const [bill] = own<Total & { currency: string }>(next.currencies);
          expect(total(bill)).toBe(should.nextBill);

          const printed = rows.filter((row) => row[currencyAt] === code);
          expect(sum(printed.map((row) => parseMoney(row[totalAt] ?? '', code).minor))).toBe(should.invoiced);

          const span = (from: string, to: string) =>
            data(person, `/v1/ec/statement?dateFrom=${from}&dateTo=${to}&currency=${code}`);
          let before = 0;
          for (const { start, end } of MONTHS) {
            const { opening, closing } = await span(start, end);
            expect(opening).toBe(before);
            before = closing;
          }
          expect(minorOf(before, code)).toBe(should.owed);
          expect((await span(FIRST, LAST)).closing).toBe(before);
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
