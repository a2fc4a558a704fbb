import {
  by,
  type Comparator,
  compareDate,
  compareNumber,
  compareText,
  type SortDirection,
} from '@counterfoil/domain/text/compare.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { billingRows } from '../../test/fixtures/billing-rows.ts';
import { signedIn } from '../../test/fixtures/signed-in.ts';
import { useFixture } from '../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const make = billingRows(fixture);
type Person = Awaited<ReturnType<typeof signedIn>>;
type Row = Readonly<Record<string, unknown>>;
const late: { person?: Person; period?: string } = {};
const person = () => late.person as Person;

const names = [
  'N-10',
  'n-9',
  'N-9',
  'Ärger',
  'arger',
  'Zoo',
  '',
  '2026/7',
  '2026/07',
  '12',
  '7',
  'ö',
  '_x',
  'a b',
  'ab',
  'Ａ',
];

beforeAll(async () => {
  const signed = await signedIn(fixture, { currencies: ['USD', 'JPY'] });
  late.person = signed;
  const { customer, reseller } = signed;
  const agreement = await make.agreement(customer.id, 'Mobile');
  late.period = await make.period(customer.id, agreement, '2026-03-01', '2026-03-31');
  await make.agreement(customer.id, 'Fixed', '2025-01-01');
  const services = [await make.service(reseller.id, 'Voice 10'), await make.service(reseller.id, 'voice 9')];
  for (const [at, name] of names.entries()) {
    const number = name === '' ? '-' : name;
    const invoice = await fixture.seedPayable(customer, {
      number,
      issuedOn: `2026-03-0${1 + (at % 5)}`,
      dueOn: at % 3 === 0 ? null : `2026-0${1 + (at % 4)}-01`,
      currency: at % 4 === 0 ? 'JPY' : 'USD',
      subtotalMinor: BigInt(1_000 * (at % 6) + 10),
      status: [10, 11, 12, 13, 14][at % 5] ?? 10,
      ...(at === 7 ? { kind: 'creditNote' as const, subtotalMinor: -5_000n, taxMinor: 0n, status: 11 } : {}),
    });
    const item = await make.item(customer.id, services[at % 2] ?? '', `${name}#${at % 4}`, {
      description: at % 3 === 0 ? null : name,
      costCentre: at % 4 === 0 ? null : `CC ${at % 3}`,
    });
    await make.line(customer.id, {
      invoiceId: at % 4 === 3 ? null : invoice.id,
      // Some name no agreement, and some no day: these stand where their invoice does.
      agreementId: at % 6 === 5 ? null : agreement,
      serviceId: at % 5 === 0 ? null : (services[at % 2] ?? ''),
      serviceItemId: item,
      name,
      from: at % 7 === 6 ? null : `2026-03-0${1 + (at % 4)}`,
      to: at % 2 === 0 ? null : '2026-03-31',
      amountMinor: BigInt(at % 5) * 100n,
      quantity: `${(at * 7) % 5}.5`,
      currency: at % 4 === 0 ? 'JPY' : 'USD',
      extra: ['', name],
    });
  }
});

const pathOf = (list: string) =>
  list === 'transactions' ? `transactions?period=${late.period}&` : `${list}?`;
const get = async (list: string, query: string) => {
  const answer = await person().get(`/v1/ec/${pathOf(list)}${query}`);
  expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
  return answer.json() as { data: Row[]; totalCount: number };
};

/** The whole list, as pages of five. */
async function paged(list: string, query: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let offset = 0; ; offset += 5) {
    const { data, totalCount } = await get(list, `${query}&limit=5&offset=${offset}`);
    rows.push(...data);
    if (data.length < 5) {
      expect(totalCount).toBe(rows.length);
      return rows;
    }
  }
}

const words: Readonly<Record<string, string>> = {
  beingConfirmed: 'Being confirmed',
  partPaid: 'Part-paid',
};
const isCredit = (row: Row) => row['kind'] === 'creditNote' || Number(row['amount']) < 0;
const values: Readonly<Record<string, (row: Row) => unknown>> = {
  amount: (row) => (isCredit(row) ? -Math.abs(Number(row['amount'])) : row['amount']),
  status: (row) => (isCredit(row) ? 'Credit' : (words[String(row['state'])] ?? row['state'])),
};

/** As the browser compares such a column. */
const comparators: Readonly<Record<string, (direction: SortDirection) => Comparator<never>>> = {
  amount: compareNumber,
  amountDue: compareNumber,
  quantity: compareNumber,
  price: compareNumber,
  dateInvoice: compareDate,
  dateDue: compareDate,
  dateFrom: compareDate,
  dateTo: compareDate,
};

const lists = {
  invoices: ['number', 'amount', 'amountDue', 'dateInvoice', 'dateDue', 'status'],
  transactions: [
    'productLabel',
    'productName',
    'serviceName',
    'serviceItem',
    'siteLabel',
    'invoiceNumber',
    'dateFrom',
    'dateTo',
    'quantity',
    'price',
    'extraField1',
    'extraField2',
    'extraField5',
  ],
  'service-items': ['serviceItem', 'description', 'costCentre'],
} as const;
const cases = Object.entries(lists).flatMap(([list, orders]) =>
  orders.flatMap((order) => (['asc', 'desc'] as const).map((direction) => [list, order, direction] as const)),
);

describe('pages by the server', () => {
  it.each(cases)(
    '%s by %s, %s: as the browser sorted the whole list [decisions.11.lists-page]',
    async (list, order, direction) => {
      const { data: whole } = await get(list, '');
      const compare = (comparators[order] ?? ((way) => compareText(way, 'en')))(
        direction,
      ) as Comparator<unknown>;
      const sorted = whole.toSorted(by(values[order] ?? ((row: Row) => row[order]), compare));
      const pages = await paged(list, `order=${order}&orderDirection=${direction}`);
      const shown = (rows: readonly Row[]) =>
        rows.map((row) => [(values[order] ?? ((one) => one[order]))(row), row['id']]);
      expect(shown(pages)).toEqual(shown(sorted));
      expect(pages).toEqual(sorted);
    },
  );

  it.each(Object.keys(lists))(
    '%s in their own order, by number of page too, and empty past the end',
    async (list) => {
      const { data: whole } = await get(list, '');
      expect(await paged(list, '')).toEqual(whole);
      expect((await get(list, 'pageNumber=2&pageSize=4')).data).toEqual(whole.slice(4, 8));
      expect(await get(list, 'limit=5&offset=900')).toEqual({ data: [], totalCount: whole.length });
    },
  );

  it.each([
    ['invoices', 'search=n-9', 2],
    ['invoices', 'search=%C3%84RG', 1],
    ['invoices', 'state=paid', 4],
    ['invoices', 'search=%25', 0],
    ['transactions', 'search=ARGER', 1],
    ['transactions', 'search=voice%209', 5],
    ['service-items', 'search=cc%201', 4],
    ['service-items', 'serviceItem=%230&costCentre=CC', 0],
    ['service-items', 'description=n-', 2],
  ])(
    '%s?%s finds what holds the text, whatever its case [decisions.11.lists-page]',
    async (list, query, found) => {
      expect((await paged(list, query)).length).toBe(found);
    },
  );
});
