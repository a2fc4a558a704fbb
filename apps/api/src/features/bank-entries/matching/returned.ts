import type { Db } from '../../../db/database.ts';
import { plainColumn } from '../../../db/plain-text.ts';
import { sql } from '../../../db/sql.ts';
import type { StatementEntry } from '../statement-entry.ts';
import type { Candidate } from './match.ts';
import { namedNumbers, writtenNumbers } from './written-numbers.ts';

const MOST = 10;

interface PaymentRow {
  customer_id: string;
  payment_id: string;
  by: 'reference' | 'account' | 'number';
  invoices: { id: string; number: string }[];
}

const invoicesOf = sql`
  (select coalesce(json_agg(json_build_object('id', i.id, 'number', i.number) order by i.number), '[]')
     from external_payment_share s join invoice i on i.customer_id = s.customer_id and i.id = s.invoice_id
    where s.customer_id = p.customer_id and s.payment_id = p.id)`;

/**
 * Payments from outside that a debit may take back: of its amount, booked from an entry of the same reference or account, or for
 * an invoice that it names.
 */
export async function findReturned(
  db: Db,
  resellerId: number,
  entry: StatementEntry,
): Promise<readonly Candidate[]> {
  const { endToEndId, partyAccount, amount } = entry;
  const ofEntries = await db.many<PaymentRow>(sql`
    select p.customer_id, p.id as payment_id,
           case when b.end_to_end_id = ${endToEndId} and ${endToEndId} <> '' then 'reference' else 'account' end as by,
           ${invoicesOf} as invoices
      from bank_entry b join external_payment p on p.customer_id = b.customer_id and p.id = b.payment_id
     where b.reseller_id = ${resellerId} and b.state = 'booked' and b.sign = 'credit' and p.voided_at is null
       and p.currency = ${amount.currency} and p.amount_minor = ${amount.minor} and b.booked_on <= ${entry.bookedOn}
       and b.party_account <> '' and b.party_account = ${partyAccount}
     order by (b.end_to_end_id = ${endToEndId}) desc, b.booked_on desc, b.id limit ${MOST}`);
  const rows = [...ofEntries, ...(await ofNumbers(db, resellerId, entry))];
  const distinct = new Map(rows.toReversed().map((row) => [row.payment_id, row]));
  return [...distinct.values()].toReversed().map(({ customer_id, payment_id, by, invoices }) => ({
    customerId: customer_id,
    by,
    invoices,
    fits: true,
    paymentId: payment_id,
  }));
}

/** Payments of the amount for invoices that the debit names. */
async function ofNumbers(db: Db, resellerId: number, entry: StatementEntry): Promise<readonly PaymentRow[]> {
  const written = writtenNumbers(entry);
  const texts = [...new Set(written.map(({ plain }) => plain))];
  if (texts.length === 0) return [];
  const found = await db.many<PaymentRow & { plain: string }>(sql`
    select p.customer_id, p.id as payment_id, 'number' as by, ${invoicesOf} as invoices, n.plain
      from (select customer_id, invoice_id,
                   ${plainColumn('number')} as plain
              from invoice_identity
             where reseller_id = ${resellerId}
               and ${plainColumn('number')} = any(${texts}::text[])) as n
      join external_payment_share s on s.customer_id = n.customer_id and s.invoice_id = n.invoice_id
      join external_payment p on p.customer_id = s.customer_id and p.id = s.payment_id
     where p.voided_at is null and p.currency = ${entry.amount.currency} and p.amount_minor = ${entry.amount.minor}
     order by p.received_on desc, p.id limit ${MOST}`);
  const { numbers } = namedNumbers(written, new Set(found.map(({ plain }) => plain)));
  return found.filter(({ plain }) => numbers.has(plain));
}
