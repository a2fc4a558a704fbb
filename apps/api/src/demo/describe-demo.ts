import { formatDecimal, money, zero } from '@counterfoil/domain/money/money.ts';
import {
  amountDue,
  InvoiceStatus,
  invoiceLabel,
  isInvoiceStatus,
} from '@counterfoil/domain/paying/invoice.ts';
import { parseDay, today } from '@counterfoil/domain/time/dates.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { brandUrl } from '../features/brand/service.ts';
import { openPayLink } from '../features/pay-links/service.ts';
import type { Runtime } from '../runtime.ts';
import { demoGateways } from './gateways.ts';
import { hasDemo } from './marks.ts';
import { DEMO_PASSWORD, demoUsers } from './world/customers.ts';

/** The demo world as `counterfoil demo --json` prints it. */
export interface DemoDescription {
  /** One entry for each host of a brand, its main host first. */
  readonly brands: readonly { id: number; resellerId: number; host: string; gateway: string | null }[];
  readonly users: readonly { email: string; password: string; customerIds: readonly string[] }[];
  readonly customers: readonly { id: string; label: string; resellerId: number }[];
  /** Newest first within a customer; amounts are decimals of the currency, below zero where we owe. */
  readonly invoices: readonly DemoInvoice[];
}

interface DemoInvoice {
  readonly id: string;
  readonly number: string;
  readonly customerId: string;
  readonly state: string;
  readonly amountDue: string;
  readonly currency: string;
  readonly payLink: string | null;
}

const resellerIds = demoGateways.map((one) => one.resellerId);

/** Reads the demo world as it is now. @returns undefined when there is none */
export async function describeDemo(
  runtime: Pick<Runtime, 'databases' | 'secrets' | 'config' | 'clock'>,
): Promise<DemoDescription | undefined> {
  const db = runtime.databases.jobs;
  if (!(await hasDemo(db))) return undefined;
  const brands = await db.many<DemoDescription['brands'][number]>(sql`
    select b.id, b.reseller_id as "resellerId", h.host, g.gateway
      from brand b join brand_host h on h.brand_id = b.id
      left join gateway_account g on g.reseller_id = b.reseller_id and g.is_active
     where b.reseller_id = any(${resellerIds}::int[]) order by b.id, h.is_main desc, h.host`);
  const customers = await db.many<DemoDescription['customers'][number]>(sql`
    select customer_id as id, label, reseller_id as "resellerId" from customer
     where reseller_id = any(${resellerIds}::int[]) order by customer_id`);
  return {
    brands,
    users: demoUsers.map(({ email, customerIds }) => ({ email, password: DEMO_PASSWORD, customerIds })),
    customers,
    invoices: (await readInvoices(db)).map((row) => presentInvoice(runtime, row)),
  };
}

interface InvoiceRow {
  id: string;
  number: string;
  customer_id: string;
  status: number;
  currency: string;
  payable_minor: bigint;
  paid_minor: bigint;
  credited_minor: bigint;
  reversed_minor: bigint;
  due_on: string | null;
  is_attempt_open: boolean;
  token_sealed: Buffer | null;
  time_zone: string;
  main_host: string | null;
}

const readInvoices = (db: Db) =>
  db.many<InvoiceRow>(sql`
    select i.id, i.number, i.customer_id, i.status, i.currency, i.payable_minor, i.paid_minor, i.credited_minor,
           i.reversed_minor, i.due_on, l.token_sealed, coalesce(b.time_zone, 'UTC') as time_zone, h.host as main_host,
           exists (select 1 from claim k
                    where k.customer_id = i.customer_id and k.invoice_id = i.id and k.is_open) as is_attempt_open
      from customer c
      join invoice i on i.customer_id = c.customer_id
      left join invoice_pay_link l on l.customer_id = i.customer_id and l.invoice_id = i.id and l.retired_at is null
      left join brand b on b.id = c.brand_id
      left join brand_host h on h.brand_id = b.id and h.is_main
     where c.reseller_id = any(${resellerIds}::int[])
     order by c.customer_id, i.issued_on desc, i.id`);

function presentInvoice(
  { secrets, config, clock }: Pick<Runtime, 'secrets' | 'config' | 'clock'>,
  row: InvoiceRow,
): DemoInvoice {
  const amounts = {
    payable: money(row.payable_minor, row.currency),
    paid: money(row.paid_minor, row.currency),
    credited: money(row.credited_minor, row.currency),
    reversed: money(row.reversed_minor, row.currency),
  };
  const state = invoiceLabel({
    status: isInvoiceStatus(row.status) ? row.status : InvoiceStatus.OPEN,
    money: amounts,
    dueOn: row.due_on === null ? null : parseDay(row.due_on),
    today: today(row.time_zone, clock.now()),
    attemptOpen: row.is_attempt_open,
  });
  const token = row.token_sealed === null ? null : openPayLink(secrets, row.token_sealed, row.id);
  return {
    id: row.id,
    number: row.number,
    customerId: row.customer_id,
    state,
    // Nobody owes a void invoice, as in the portal.
    amountDue: formatDecimal(state === 'void' ? zero(row.currency) : amountDue(amounts)),
    currency: row.currency,
    payLink: token === null ? null : brandUrl({ mainHost: row.main_host }, config.publicUrl, `/pay/${token}`),
  };
}
