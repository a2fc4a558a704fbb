import { expect, it } from 'vitest';
import { billingRows } from '../../../test/fixtures/billing-rows.ts';
import { fixture, rows } from '../../../test/fixtures/paying/engine-fixture.ts';
import { paid } from '../../../test/fixtures/paying/refund-fixture.ts';
import { programKey } from '../../../test/fixtures/program.ts';

/** A line of a file, by the head's names. */
type Line = Readonly<Record<string, string>>;

function linesOf(csv: string): Line[] {
  const [head = [], ...lines] = csv
    .split('\r\n')
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/(?<=^|,)("((?:[^"]|"")*)"|[^,]*)(?=,|$)/g)].map(
        ([, all = '', quoted]) => quoted ?? all,
      ),
    );
  return lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at] ?? ''])));
}

async function provider(settings: object = {}) {
  const one = await paid();
  const { customer } = one;
  const [{ reseller_id: resellerId } = { reseller_id: 0 }] = await rows<{ reseller_id: number }>(
    'select reseller_id from customer where customer_id = $1',
    [customer.id],
  );
  await rows('update reseller set settings = settings || $2 where id = $1', [
    resellerId,
    JSON.stringify(settings),
  ]);
  await one.back(1_000n);
  const headers = { authorization: `Bearer ${await programKey(fixture, resellerId, `books ${resellerId}`)}` };
  const get = async (query: string) => {
    const answer = await fixture.app.inject({ url: `/v1/admin/journal?${query}`, headers });
    return { status: answer.statusCode, lines: linesOf(answer.body), body: answer.body };
  };
  const day = fixture.clock.now().toISOString().slice(0, 10);
  return { ...one, get, day, resellerId };
}

const minorOf = (text: string | undefined): bigint => BigInt((text || '0.00').replace('.', ''));
const sum = (lines: readonly Line[], side: string) =>
  lines.reduce((all, line) => all + minorOf(line[side]), 0n);

it('has each entry with both sides, named as accounting names them, and sums as the ledger has', async () => {
  const { get, day, customer } = await provider({ journalAccounts: { gateway: '1010', receivable: '1100' } });
  const { lines } = await get(`from=${day}&to=${day}`);
  expect(lines.slice(0, 2)).toMatchObject([
    {
      Date: day,
      Account: '1010',
      'Account name': 'Payment gateways',
      Debit: '110.00',
      Credit: '',
      Currency: 'USD',
    },
    { Account: '1100', 'Account name': 'Accounts receivable', Debit: '', Credit: '110.00' },
  ]);
  expect(lines[0]?.['Invoice']).not.toBe('');
  expect(lines[0]?.['Payment']).toMatch(/^[0-9A-Z]{18}$/);
  // What went back names the payment it is of.
  expect(lines.filter(({ Source }) => Source === 'reversal').map(({ Payment }) => Payment)).toEqual([
    lines[0]?.['Payment'],
    lines[0]?.['Payment'],
  ]);
  const [books] = await rows<{ n: number; minor: string }>(
    'select count(*)::int as n, sum(amount_minor)::text as minor from ledger where customer_id = $1',
    [customer.id],
  );
  expect(lines).toHaveLength(2 * (books?.n ?? 0));
  expect([sum(lines, 'Debit'), sum(lines, 'Credit')]).toEqual([
    BigInt(books?.minor ?? ''),
    BigInt(books?.minor ?? ''),
  ]);
});

it('is summed by day, account and currency for other programs, balanced', async () => {
  const { get, day } = await provider({
    journalTaxRate: 'BAS Excluded',
    journalAccounts: { refunded: '4900' },
  });
  const quickbooks = (await get(`from=${day}&to=${day}&format=quickbooks`)).lines;
  expect(sum(quickbooks, '*Debits')).toBe(sum(quickbooks, '*Credits'));
  expect(quickbooks).toContainEqual({
    '*JournalNo': `CF-${day.replaceAll('-', '')}-USD`,
    '*JournalDate': day,
    '*AccountName': '4900',
    '*Debits': '10.00',
    '*Credits': '',
    Description: 'Refunds',
    Name: '',
    Currency: 'USD',
  });
  const xero = (await get(`from=${day}&to=${day}&format=xero`)).lines;
  expect(sum(xero, '*Amount')).toBe(0n);
  expect(xero).toHaveLength(quickbooks.length);
  expect(xero[0]).toMatchObject({
    '*Date': day.split('-').toReversed().join('/'),
    '*TaxRate': 'BAS Excluded',
  });
});

it('is read page by page, of the days asked for, and shows nothing of others', async () => {
  const [one, other] = [await provider(), await provider()];
  await rows(
    `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
     select $1, gen_random_uuid(), 'adjustment', 'receivable', 'USD', n, 'adjustment', gen_random_uuid(), 'x',
            '2026-01-31T23:59:59Z'::timestamptz from generate_series(1, 2500) n`,
    [one.customer.id],
  );
  const { lines } = await one.get('from=2026-01-31&to=2026-01-31');
  expect(new Set(lines.map(({ Entry }) => Entry)).size).toBe(2_500);
  expect([lines.length, sum(lines, 'Debit')]).toEqual([5_000, 3_126_250n]);
  for (const query of ['from=2026-02-01&to=2026-02-01', 'from=2026-01-30&to=2026-01-30'])
    expect((await one.get(query)).lines).toEqual([]);
  expect((await other.get('from=2026-01-31&to=2026-01-31')).lines).toEqual([]);
  const ofOne = (customer: string) => one.get(`from=${one.day}&to=${one.day}&customer=${customer}`);
  expect((await ofOne(one.customer.id)).lines.length).toBeGreaterThan(3);
  expect((await ofOne(other.customer.id)).status).toBe(404);
  for (const query of ['', 'from=2026-02-02&to=2026-02-01', 'from=2025-01-01&to=2026-12-31', 'from=x&to=y'])
    expect([query, (await one.get(query)).status]).toEqual([query, 400]);
});

it('says what invoices come to by cost centre: each invoice whole, however many stand before it', async () => {
  const { get, customer, resellerId } = await provider();
  const make = billingRows(fixture);
  const item = await make.item(customer.id, await make.service(resellerId, 'Voice'), '+44 1', {
    costCentre: 'Sales',
  });
  const over = { issuedOn: '2026-01-15', subtotalMinor: 3_000n, taxMinor: 300n };
  const bill = await fixture.seedPayable(customer, { ...over, number: 'J-2' });
  const part = (amountMinor: bigint, taxMinor: bigint, more: object) =>
    make.line(customer.id, { invoiceId: bill.id, amountMinor, taxMinor, ...more });
  await part(1_000n, 100n, { serviceItemId: item, costCentre: 'what it was' });
  await part(500n, 50n, { serviceItemId: item });
  await part(700n, 70n, { costCentre: 'Stores' });
  await part(700n, 70n, {});
  await fixture.seedPayable(customer, { ...over, number: 'J-1', issuedOn: '2026-01-14' });
  const gone = await fixture.seedPayable(customer, { ...over, number: 'J-3' });
  await rows('update invoice set status = 13 where customer_id = $1 and id = $2', [customer.id, gone.id]);
  await rows(
    `insert into invoice (customer_id, id, reseller_id, kind, number, supplier_key, issued_on, currency, subtotal_minor, tax_minor,
                          total_minor, payable_minor, status, content_hash, generated_at)
     select customer_id, gen_random_uuid(), reseller_id, kind, 'M-' || n, 'm', '2026-01-13', currency, 100, 0, 100, 100, 10, '\\x00',
            generated_at
       from invoice, generate_series(1, 1200) n where customer_id = $1 and id = $2`,
    [customer.id, bill.id],
  );
  const { lines } = await get('from=2026-01-13&to=2026-01-15&format=costCentres');
  expect([lines.length, sum(lines.slice(0, 1_200), 'Total')]).toEqual([1_204, 120_000n]);
  expect(
    lines
      .slice(1_200)
      .map((line) => [line['Invoice'], line['Cost centre'], line['Amount'], line['Tax'], line['Total']]),
  ).toEqual([
    ['J-1', '', '30.00', '3.00', '33.00'],
    ['J-2', 'Sales', '15.00', '1.50', '16.50'],
    ['J-2', 'Stores', '7.00', '0.70', '7.70'],
    // A line without one, and what no line tells.
    ['J-2', '', '8.00', '0.80', '8.80'],
  ]);
});
