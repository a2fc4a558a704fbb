import { type Sql, sql } from '../../apps/api/src/db/sql.ts';
import { printAlone, printBeside, reader, timesOf } from './measure.ts';
import { type LargeWorld, sizes } from './world.ts';

/** A page as the portal asks for it, and the best statements that answer the same. */
interface PageCase {
  readonly name: string;
  readonly path: string;
  readonly best: readonly Sql[];
}

const MOST_MS = 20;

/** The latest of a customer's invoices, with how many there are. */
const invoices = ({ customerId }: LargeWorld): readonly PageCase[] => {
  const all = sql`from invoice where customer_id = ${customerId}`;
  const page = (name: string, query: string, order: Sql, of = all): PageCase => ({
    name: `invoices, ${name}`,
    path: `/v1/ec/invoices?limit=25&${query}`,
    best: [sql`select * ${of} order by ${order}`, sql`select count(*) ${of}`],
  });
  const deep = Math.floor(sizes.invoices / 2);
  return [
    page('first page', 'order=dateInvoice&orderDirection=desc', sql`issued_on desc, id desc limit 25`),
    page('a deep page', `offset=${deep}`, sql`issued_on desc, id desc limit 25 offset ${deep}`),
    page('by amount', 'order=amount', sql`total_minor, issued_on desc, id desc limit 25`),
    page('by number', 'order=number', sql`number collate people, issued_on desc, id desc limit 25`),
    page(
      'searched',
      'search=inv-77',
      sql`issued_on desc, id desc limit 25`,
      sql`${all} and number ilike '%inv-77%'`,
    ),
  ];
};

const transactions = ({ customerId, agreementId, periodId }: LargeWorld): readonly PageCase[] => {
  const all = sql`from invoice_line l
    where l.customer_id = ${customerId} and l.agreement_id = ${agreementId} and l.date_from between '2026-01-01' and '2026-01-31'
      and not exists (select 1 from invoice v where v.customer_id = l.customer_id and v.id = l.invoice_id and v.status = 13)`;
  const page = (name: string, query: string, order: Sql, of = all): PageCase => ({
    name: `transactions, ${name}`,
    path: `/v1/ec/transactions?period=${periodId}&limit=25&${query}`,
    best: [
      sql`select l.*, i.number from (select l.* ${of} order by ${order} limit 25) l
            left join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id`,
      sql`select count(*) ${of}`,
    ],
  });
  const inTime = sql`l.date_from, l.invoice_id, l.line_no, l.id`;
  return [
    page('first page', '', inTime),
    page('by price', 'order=price', sql`l.amount_minor, ${inTime}`),
    page('searched', 'search=roaming%207', inTime, sql`${all} and l.product_name ilike '%roaming 7%'`),
  ];
};

const items = ({ customerId }: LargeWorld): readonly PageCase[] => {
  const all = sql`from service_item where customer_id = ${customerId}`;
  const page = (name: string, query: string, order: Sql, of = all): PageCase => ({
    name: `service items, ${name}`,
    path: `/v1/ec/service-items?limit=25&${query}`,
    best: [sql`select * ${of} order by ${order} limit 25`, sql`select count(*) ${of}`],
  });
  return [
    page('first page', '', sql`name, id`),
    page('by description', 'order=description', sql`description collate people, name, id`),
    page('searched', 'search=handset%2077', sql`name, id`, sql`${all} and description ilike '%handset 77%'`),
  ];
};

/** Pages of the lists, each beside the best statements on a bare connection; and what the portal asks for beside them. */
export async function pagesOfLists(world: LargeWorld): Promise<void> {
  const { get, close } = await reader(world);
  for (const { name, path, best } of [invoices, transactions, items].flatMap((of) => of(world))) {
    const bare = await timesOf(async () => {
      for (const statement of best) await world.server.db.many(statement);
    });
    printBeside(name, await timesOf(() => get(path)), bare, MOST_MS);
  }
  for (const [name, path] of [
    ['overview of invoices', '/v1/ec/invoices/overview'],
    ['sums of transactions', `/v1/ec/transactions/sums?period=${world.periodId}`],
  ] as const)
    printAlone(name, await timesOf(() => get(path)), MOST_MS);
  close();
}
