import type { InvoiceValues } from '@counterfoil/contract/operator/billing/put-invoice.ts';
import { AppError } from '../../app-error.ts';
import { recordAuditLines } from '../../audit/record.ts';
import type { BulkOf, BulkWritten } from '../../bulk/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { lockByCustomer } from '../../db/lock-rows.ts';
import { sql } from '../../db/sql.ts';
import { customersNamed } from '../admin/queries.ts';
import { type ImportedInvoice, storeInvoices, unstoredInvoiceOf } from '../imports/service.ts';
import { contentHashOfValues, importedInvoiceOf, partyOf } from './imported-values.ts';
import { type InvoicePutDeps, invoiceAdded, putInvoice } from './put-invoice.ts';

/** An invoice as it is to be, by its number. */
export interface InvoiceWrite {
  readonly number: string;
  readonly values: InvoiceValues;
}

type Done = BulkWritten | AppError;

/**
 * Has invoices be as they are given, each whatever state it is in. Those that are new, and those that are so already, take as many
 * statements for a thousand as for one; what is corrected, and credits, are put one by one.
 * @param writes each number once
 * @returns in their order, an error in the place of one that is refused
 */
export async function putInvoices(
  tx: Tx,
  deps: InvoicePutDeps,
  of: BulkOf,
  writes: readonly InvoiceWrite[],
): Promise<readonly Done[]> {
  const read = await readWrites(tx, of, writes);
  const known = await identitiesOf(
    tx,
    of.resellerId,
    writes.map(({ number }) => number),
  );
  const done = new Map<string, Done>();
  const fresh: ReadWrite[] = [];
  const others: ReadWrite[] = [];
  for (const [at, one] of read.entries()) {
    const { number } = writes[at] ?? { number: '' };
    if (one instanceof AppError) {
      done.set(number, one);
      continue;
    }
    const { invoice, contentHash } = one;
    const [first, second] = known.get(`${invoice.kind} ${number}`) ?? [];
    if (second !== undefined) done.set(number, new AppError('invoice.ambiguous'));
    else if (first?.content_hash.equals(contentHash) === true)
      done.set(number, { status: 'unchanged', id: first.invoice_id });
    else if (first === undefined && invoice.kind === 'invoice' && invoice.totals.payableMinor >= 0n)
      fresh.push(one);
    else others.push({ ...one, isKnown: first !== undefined });
  }
  for (const [number, result] of await storeNew(tx, deps, of, fresh)) done.set(number, result);
  for (const one of others) done.set(one.write.number, await putApart(tx, deps, of, one));
  return writes.map(({ number }) => {
    const result = done.get(number);
    if (result === undefined) throw new Error(`invoice ${number} was not put`);
    return result;
  });
}

interface ReadWrite {
  readonly write: InvoiceWrite;
  readonly customerId: string;
  readonly invoice: ImportedInvoice;
  readonly contentHash: Buffer;
  readonly isKnown: boolean;
}

/** What is asked for, with its customers locked in an order of its own; errors in the place of what cannot be. */
async function readWrites(
  tx: Tx,
  { resellerId }: BulkOf,
  writes: readonly InvoiceWrite[],
): Promise<readonly (ReadWrite | AppError)[]> {
  const reseller = await tx.one<{ id: number; name: string }>(
    sql`select id, name from reseller where id = ${resellerId}`,
  );
  const customers = await customersNamed(
    tx,
    resellerId,
    writes.map(({ values }) => values.customer),
  );
  // One put at a time for a customer's documents; payments are not held up.
  const locked = await lockByCustomer(
    tx,
    [...customers.values()],
    (these) => sql<{ customer_id: string; label: string }>`
      select customer_id, label from customer where customer_id = ${these} order by customer_id for no key update`,
  );
  const labels = new Map(locked.map(({ customer_id: id, label }) => [id, label]));
  return writes.map((write) => {
    try {
      const read = importedInvoiceOf(write.values, write.number, reseller);
      const customerId = customers.get(write.values.customer);
      if (customerId === undefined) return new AppError('invoice.noCustomer');
      const invoice = { ...read, buyer: partyOf('customer', customerId, labels.get(customerId) ?? '') };
      return { write, customerId, invoice, contentHash: contentHashOfValues(invoice), isKnown: false };
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
}

interface Known {
  kind: string;
  number: string;
  invoice_id: string;
  content_hash: Buffer;
}

/** Invoices of a reseller by kind and number: several where several suppliers have used it. */
async function identitiesOf(
  tx: Tx,
  resellerId: number,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, readonly Known[]>> {
  const rows = await tx.many<Known>(sql`
    select n.kind, n.number, n.invoice_id, i.content_hash
      from invoice_identity n join invoice i on i.customer_id = n.customer_id and i.id = n.invoice_id
     where n.reseller_id = ${resellerId} and n.number = any(${[...numbers]}::text[])`);
  return Map.groupBy(rows, ({ kind, number }) => `${kind} ${number}`);
}

/** Takes in what is no credit and not in the books. @returns what became of each, by number */
async function storeNew(
  tx: Tx,
  { secrets, now }: InvoicePutDeps,
  { resellerId, by }: BulkOf,
  fresh: readonly ReadWrite[],
): Promise<ReadonlyMap<string, Done>> {
  if (fresh.length === 0) return new Map();
  const documents = fresh.map(({ customerId, invoice, contentHash }) =>
    unstoredInvoiceOf(invoice, { customerId, resellerId, contentHash }),
  );
  const stored = await storeInvoices(tx, secrets, documents, now);
  const added = fresh.flatMap((one, at) => (stored[at] === undefined ? [] : [one]));
  await recordAuditLines(
    tx,
    added.map(({ customerId, invoice }) => ({
      ...invoiceAdded(invoice),
      at: now,
      resellerId,
      customerId,
      ...by,
    })),
  );
  return new Map(
    fresh.map(({ write }, at): readonly [string, Done] => {
      const id = stored[at]?.id;
      return [
        write.number,
        id === undefined ? new AppError('server.unavailable') : { status: 'created', id },
      ];
    }),
  );
}

/** Puts one by itself; where it is refused, nothing of it is left. */
async function putApart(
  tx: Tx,
  deps: InvoicePutDeps,
  { resellerId, by }: BulkOf,
  { write, isKnown }: ReadWrite,
): Promise<Done> {
  const anyState = { ifMatch: isKnown ? '*' : undefined, ifNoneMatch: undefined };
  await tx.execute(sql`savepoint invoice`);
  try {
    const { row, isNew } = await putInvoice(tx, deps, { resellerId, ...write }, anyState, by);
    await tx.execute(sql`release savepoint invoice`);
    return { status: isNew ? 'created' : 'changed', id: row.id };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await tx.execute(sql`rollback to savepoint invoice`);
    await tx.execute(sql`release savepoint invoice`);
    return error;
  }
}
