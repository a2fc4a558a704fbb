import { createHash } from 'node:crypto';
import type { BulkOutcome } from '../../../bulk/bulk.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { upsert } from '../quarantine/rows.ts';
import type { Cause } from '../report/causes.ts';
import type { EntityKind } from './kinds.ts';

/** What is longer is not kept, in bytes: as of rows of usage. */
const MAX_RECORD_BYTES = 8_192;
/** Of one file; what is beyond is counted and not kept. */
export const MAX_KEPT = 100_000;

/** A row that was not taken. */
export interface AsideRow {
  readonly line: number;
  readonly cause: Cause;
  readonly reason: string;
  /** What the provider calls it; null where that cannot be read. */
  readonly reference: string | null;
  /** By what a customer would have to be known. */
  readonly missing: readonly string[];
  /** What it would become. */
  readonly value: unknown;
}

const noCustomer: ReadonlySet<string> = new Set([
  'invoice.noCustomer',
  'customer.notFound',
  'externalPayment.noCustomer',
]);
const unknownThing: ReadonlySet<string> = new Set([
  'reference.unknown',
  'reference.notFound',
  'externalPayment.noInvoice',
]);

/** Why a line was refused, as the quarantine says it. */
export function asideOf({
  line,
  reference,
  code = '',
  message = '',
  errors = [],
  write,
}: BulkOutcome): AsideRow {
  const isCustomer =
    noCustomer.has(code) || (code === 'reference.unknown' && errors.some(({ path }) => path === 'customer'));
  const cause = isCustomer ? 'customer' : unknownThing.has(code) ? 'reference' : 'line';
  const value = write as { readonly customer?: unknown; readonly reference?: unknown } | undefined;
  const named = reference ?? (typeof value?.reference === 'string' ? value.reference : null);
  const customer = typeof value?.customer === 'string' ? value.customer : '';
  const reason = isCustomer
    ? `no customer is known as '${customer}'`
    : errors.length === 0
      ? message
      : errors
          .slice(0, 3)
          .map(({ path, message: why }) =>
            path === '' ? why : `${path}: ${isMissing(write, path) ? 'is missing' : why}`,
          )
          .join('; ');
  return { line, cause, reason, reference: named, missing: isCustomer ? [customer] : [], value: write };
}

/** Whether a member has no value at all: what a schema says of it then helps nobody. */
function isMissing(value: unknown, path: string): boolean {
  let inner = value;
  for (const name of path.split('.')) {
    if (typeof inner !== 'object' || inner === null) return true;
    inner = (inner as Readonly<Record<string, unknown>>)[name];
  }
  return inner === undefined;
}

/** By what a row is known in the quarantine: the thing it would become, else its place in its file. */
export const identityOf = (
  kind: Pick<EntityKind, 'name'>,
  reference: string | null,
  place: { readonly digest: Buffer; readonly line: number },
): string =>
  createHash('sha256')
    .update(JSON.stringify(['entity', kind.name, reference ?? [place.digest.toString('hex'), place.line]]))
    .digest('hex')
    .slice(0, 32);

/** Keeps rows that were not taken. */
export async function keepAside(
  tx: Tx,
  {
    resellerId,
    fileId,
    digest,
    now,
  }: { readonly resellerId: number; readonly fileId: string; readonly digest: Buffer; readonly now: Date },
  kind: Pick<EntityKind, 'name'>,
  rows: readonly AsideRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const kept = rows.map(({ line, cause, reason, reference, missing, value }) => {
    const record = value === undefined ? null : JSON.stringify(value);
    const isKept = record !== null && Buffer.byteLength(record) <= MAX_RECORD_BYTES;
    return {
      identity: identityOf(kind, reference, { digest, line }),
      line,
      cause,
      reason,
      missing,
      // What is wrong in itself stays wrong, however often it is tried.
      record: isKept && cause !== 'line' ? record : null,
    };
  });
  await upsert(
    tx,
    resellerId,
    fileId,
    now,
    sql`
    select distinct on (r.identity) 'row' as kind, r.identity, 1 as ordinal, r.line, r.cause, r.reason, r.missing,
           convert_to(r.record, 'UTF8') as record
      from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb)
             as r(identity uuid, line int, cause text, reason text, missing text[], record text)
     order by r.identity, r.line desc`,
  );
}

/** Takes out of the quarantine what is in now, whatever file it came with. */
export const settleRows = (
  tx: Tx,
  resellerId: number,
  kind: Pick<EntityKind, 'name'>,
  references: readonly string[],
): Promise<number> => {
  const identities = references.map((reference) =>
    identityOf(kind, reference, { digest: Buffer.alloc(0), line: 0 }),
  );
  return tx.execute(sql`
    delete from quarantine_entry where reseller_id = ${resellerId} and identity = any(${identities}::uuid[])`);
};
