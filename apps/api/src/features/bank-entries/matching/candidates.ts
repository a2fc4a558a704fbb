import type { Db, Tx } from '../../../db/database.ts';
import { plainColumn } from '../../../db/plain-text.ts';
import { sql } from '../../../db/sql.ts';
import type { StatementEntry } from '../statement-entry.ts';
import { namedNumbers, writtenNumbers } from './written-numbers.ts';

/** An invoice as matching sees it; amounts in minor units. */
export interface InvoiceState {
  id: string;
  customer_id: string;
  number: string;
  currency: string;
  status: number;
  due_minor: bigint;
  /** What a payment under way holds. */
  held_minor: bigint;
}

/** By what a customer is known that no number of an invoice names. */
export type KnownBy = 'customerNumber' | 'account' | 'name';

/** What may have been meant by an entry. */
export interface Found {
  readonly invoices: readonly InvoiceState[];
  /** Numbers of invoices were written so that it is not clear which. */
  readonly isAmbiguous: boolean;
  /** Customers by other marks, each with its open invoices in the entry's currency, the longest due first. */
  readonly customers: readonly {
    readonly customerId: string;
    readonly by: KnownBy;
    readonly invoices: readonly InvoiceState[];
  }[];
}

const MOST_INVOICES = 100;
const MOST_CUSTOMERS = 5;

const columns = sql`i.id, i.customer_id, i.number, i.currency, i.status, i.due_minor, i.held_minor`;

/** Invoices of a customer, locked in the order of their ids, as everybody does. */
export const lockInvoiceStates = (tx: Tx, customerId: string, ids: readonly string[]) =>
  tx.many<InvoiceState>(sql`
    select ${columns} from invoice i where i.customer_id = ${customerId} and i.id = any(${[...ids]}::uuid[])
     order by i.id for update`);

type Wanted = Pick<
  StatementEntry,
  'remittance' | 'creditorReference' | 'endToEndId' | 'partyName' | 'partyAccount' | 'amount'
>;

/** Looks for invoices and customers that an entry may be about. */
export async function findCandidates(db: Db, resellerId: number, entry: Wanted): Promise<Found> {
  const written = writtenNumbers(entry);
  const texts = [...new Set(written.map(({ plain }) => plain))];
  const named =
    texts.length === 0
      ? []
      : await db.many<InvoiceState & { plain: string }>(sql`
          select ${columns}, ${plainColumn('n.number')} as plain
            from invoice_identity n join invoice i on i.customer_id = n.customer_id and i.id = n.invoice_id
           where n.reseller_id = ${resellerId} and ${plainColumn('n.number')} = any(${texts}::text[])
             and i.kind = 'invoice' and i.payable_minor >= 0
           order by i.id limit ${MOST_INVOICES + 1}`);
  const { numbers, isAmbiguous } = namedNumbers(written, new Set(named.map(({ plain }) => plain)));
  const invoices = named.filter(({ plain }) => numbers.has(plain));
  if (invoices.length > 0)
    return {
      invoices,
      isAmbiguous: isAmbiguous || named.length > MOST_INVOICES || isTwice(invoices),
      customers: [],
    };
  return { invoices: [], isAmbiguous: false, customers: await customersOf(db, resellerId, entry, texts) };
}

/** Two invoices of one number: of two issuers, or written alike. */
const isTwice = (invoices: readonly { readonly plain: string }[]): boolean =>
  new Set(invoices.map(({ plain }) => plain)).size < invoices.length;

async function customersOf(
  db: Db,
  resellerId: number,
  { partyName, partyAccount, amount }: Wanted,
  texts: readonly string[],
): Promise<Found['customers']> {
  const found = await db.many<{ customer_id: string; by: KnownBy }>(sql`
    select distinct on (customer_id) customer_id, by from (
      select n.customer_id, 'customerNumber' as by, 1 as rank from customer_identity n
       where n.reseller_id = ${resellerId} and n.kind = 'externalRef'
         and ${plainColumn('n.value')} = any(${[...texts]}::text[])
      union all
      select b.customer_id, 'account', 2 from bank_entry b
       where b.reseller_id = ${resellerId} and b.party_account = ${partyAccount} and ${partyAccount} <> ''
         and b.party_account <> '' and b.state = 'booked' and b.sign = 'credit' and b.customer_id is not null
      union all
      select c.customer_id, 'name', 3 from reseller_customer c
       where c.reseller_id = ${resellerId} and ${partyName} <> '' and lower(c.label) = lower(${partyName})
      union all
      select n.customer_id, 'name', 3 from customer_identity n
       where n.reseller_id = ${resellerId} and n.kind = 'name' and ${partyName} <> '' and n.value = ${partyName}
    ) as f order by customer_id, rank limit ${MOST_CUSTOMERS}`);
  if (found.length === 0) return [];
  const open = await db.many<InvoiceState>(sql`
    select ${columns} from invoice i
     where i.customer_id = any(${found.map(({ customer_id }) => customer_id)}::uuid[]) and i.kind = 'invoice'
       and i.status = 10 and i.currency = ${amount.currency} and i.due_minor > i.held_minor
     order by coalesce(i.due_on, i.issued_on), i.id limit ${MOST_INVOICES}`);
  return found.map(({ customer_id: customerId, by }) => ({
    customerId,
    by,
    invoices: open.filter((invoice) => invoice.customer_id === customerId),
  }));
}
