import { newId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import { type AuditAction, recordAuditLines } from '../../audit/record.ts';
import type { BulkChanges, BulkOf } from '../../bulk/bulk.ts';
import { isUniqueViolation, type Tx } from '../../db/database.ts';
import { lockByCustomer } from '../../db/lock-rows.ts';
import { sql } from '../../db/sql.ts';
import {
  type Asked,
  type Change,
  type Entity,
  type EntityRow,
  keyOfThing,
  referencesOfThings,
  thingsOf,
  toldRows,
  type Wanted,
} from './entity.ts';

/** A thing as a caller sends it. */
export interface EntityWrite<Values> {
  readonly reference: string;
  readonly values: Values;
}

export interface WrittenEntity<Kept> {
  readonly row: EntityRow<Kept>;
  readonly outcome: 'created' | 'changed' | 'unchanged';
  /** It was there without a reference, and has it now. */
  readonly isAdopted: boolean;
  /** What differs, for whoever wants to see it. */
  readonly changes: BulkChanges | undefined;
}

/** Looks at a thing before anything of it is written; at one that is not known before what is sent is understood. @throws {AppError} that undoes all */
type Guard<Kept> = (before: EntityRow<Kept> | undefined, after: Kept | undefined) => void;

/**
 * Makes things be as they are given, by the provider's own references: those that are not known are made, those that differ
 * are changed. As many statements for a thousand as for one.
 * @param writes each reference once
 * @returns in the order of the writes, an error in the place of one that is refused
 * @throws {AppError} of the guard, and of what stands in the way of another
 */
export async function putEntities<Values, Kept>(
  tx: Tx,
  entity: Entity<Values, Kept>,
  of: BulkOf,
  writes: readonly EntityWrite<Values>[],
  now: Date,
  guard?: Guard<Kept>,
): Promise<readonly (WrittenEntity<Kept> | AppError)[]> {
  const known = await readKnown(
    tx,
    entity,
    of.resellerId,
    writes.map(({ reference }) => reference),
  );
  const asked = writes.map(
    (write): Asked<Values, Kept> => ({ ...write, before: known.get(write.reference) }),
  );
  for (const { before } of asked) if (before === undefined) guard?.(undefined, undefined);
  const understood = await entity.understand(tx, of.resellerId, asked);
  const wanted = asked.map((one, at) => ({ ...one, wanted: refusedMove(one, understood[at]) }));
  for (const { before, wanted: after } of wanted)
    if (before !== undefined && !(after instanceof AppError)) guard?.(before, after.kept);
  const fresh = wanted.flatMap(({ reference, before, wanted: after }) =>
    before !== undefined || after instanceof AppError ? [] : [{ reference, ...after }],
  );
  const { ids, adopted } = await nameNew(tx, entity, of.resellerId, fresh, now);
  const results = wanted.map(({ reference, before, wanted: after }) => {
    if (after instanceof AppError) return after;
    const change: Change<Kept> = { reference, id: before?.id ?? ids.get(reference) ?? '', ...after };
    const isSame = before !== undefined && isEqual(before.kept, after.kept);
    const outcome = before === undefined ? 'created' : isSame ? 'unchanged' : 'changed';
    const changes = outcome === 'changed' ? changesBetween(before?.kept, after.kept) : undefined;
    return { change, before, outcome, changes } as const;
  });
  const changes = results.flatMap((one) =>
    one instanceof AppError || one.outcome === 'unchanged' ? [] : [one],
  );
  if (changes.length > 0) {
    await entity.write(
      tx,
      of.resellerId,
      changes.map(({ change }) => change),
      now,
    );
    await record(
      tx,
      of,
      now,
      changes.map(({ change, outcome, changes: between }) => ({
        action: `${entity.kind}.${outcome === 'created' ? 'added' : 'changed'}`,
        customerId: change.customerId,
        detail: { reference: change.reference, ...(between ?? changesBetween(undefined, change.kept)) },
      })),
    );
  }
  const customers = await referencesOf(
    tx,
    results.flatMap((one) => (one instanceof AppError || one.before !== undefined ? [] : [one.change])),
  );
  return results.map((one) => {
    if (one instanceof AppError) return one;
    const { id, customerId, reference, kept } = one.change;
    const customer = one.before?.customer ?? customers.get(customerId) ?? null;
    const row = { id, customer_id: customerId, customer, reference, kept };
    return { row, outcome: one.outcome, isAdopted: adopted.has(reference), changes: one.changes };
  });
}

/**
 * Deletes a thing by the provider's own reference.
 * @param guard looks at it before
 * @returns undefined where there is none
 * @throws {AppError} reference.inUse
 */
export async function removeEntities<Values, Kept>(
  tx: Tx,
  entity: Entity<Values, Kept>,
  of: BulkOf,
  references: readonly string[],
  now: Date,
  guard?: (row: EntityRow<Kept>) => void,
): Promise<ReadonlyMap<string, EntityRow<Kept>>> {
  const known = await readKnown(tx, entity, of.resellerId, references);
  const rows = [...known.values()];
  if (rows.length === 0) return known;
  for (const row of rows) guard?.(row);
  await entity.remove(tx, of.resellerId, rows, now);
  await tx.execute(sql`
    delete from provider_reference
     where reseller_id = ${of.resellerId} and kind = ${entity.kind} and reference = any(${[...known.keys()]}::text[])`);
  await record(
    tx,
    of,
    now,
    rows.map((row) => ({
      action: `${entity.kind}.removed`,
      customerId: row.customer_id,
      detail: { reference: row.reference, ...changesBetween(row.kept, undefined) },
    })),
  );
  return known;
}

/** What references name. Writers of a kind and reseller wait for each other, so that it stays so. */
async function readKnown<Values, Kept>(
  tx: Tx,
  entity: Entity<Values, Kept>,
  resellerId: number,
  references: readonly string[],
): Promise<ReadonlyMap<string, EntityRow<Kept>>> {
  await tx.maybeOne(sql`
    select pg_advisory_xact_lock(hashtext(${`counterfoil ${entity.kind} write`}), ${resellerId}::int)`);
  const named = await tx.many<{ customer_id: string; id: string; reference: string }>(sql`
    select customer_id, id, reference from provider_reference
     where reseller_id = ${resellerId} and kind = ${entity.kind} and reference = any(${[...references]}::text[])`);
  if (named.length === 0) return new Map();
  const rows = await lockByCustomer(
    tx,
    named.map((row) => row.customer_id),
    (these) =>
      entity.select(sql`
        join ${thingsOf(named)} on g.customer = t.customer_id and g.id = t.id
       -- Said of the list: of the table it would be another way to it, through all that its customers have.
       where g.customer = ${these}
       order by t.customer_id, t.id for no key update of t`),
  );
  const told = await toldRows(
    tx,
    entity,
    rows,
    new Map(named.map((row) => [keyOfThing(row), row.reference])),
  );
  return new Map(told.map((row) => [row.reference ?? '', row]));
}

/** What belongs to a customer stays with it. */
const refusedMove = <Values, Kept>(
  { before }: Asked<Values, Kept>,
  wanted: Wanted<Kept> | AppError | undefined,
): Wanted<Kept> | AppError => {
  if (wanted === undefined) throw new Error('a thing was not understood');
  const isMoved =
    !(wanted instanceof AppError) && before !== undefined && before.customer_id !== wanted.customerId;
  return isMoved ? new AppError('reference.otherCustomer') : wanted;
};

/** Gives new things their names. @returns ids by reference, and which of them were there already */
async function nameNew<Values, Kept>(
  tx: Tx,
  entity: Entity<Values, Kept>,
  resellerId: number,
  fresh: readonly (Wanted<Kept> & { readonly reference: string })[],
  now: Date,
): Promise<{ readonly ids: ReadonlyMap<string, string>; readonly adopted: ReadonlySet<string> }> {
  if (fresh.length === 0) return { ids: new Map(), adopted: new Set() };
  const adopted = await adoptedOf(tx, entity, fresh);
  const named = fresh.map(({ reference, customerId }, at) => ({
    reference,
    customerId,
    id: adopted[at] ?? newId(now.getTime()),
  }));
  const insert = tx.execute(sql`
    insert into provider_reference (reseller_id, kind, reference, customer_id, id)
    select ${resellerId}, ${entity.kind}, g.reference, g.customer, g.id
      from unnest(${named.map(({ reference }) => reference)}::text[],
                  ${named.map(({ customerId }) => customerId)}::uuid[], ${named.map(({ id }) => id)}::uuid[])
             as g(reference, customer, id)
     order by g.reference`);
  // Two that would be one and the same thing.
  await refusingDuplicates(insert);
  return {
    ids: new Map(named.map(({ reference, id }) => [reference, id])),
    adopted: new Set(fresh.flatMap(({ reference }, at) => (adopted[at] === undefined ? [] : [reference]))),
  };
}

/** Things that are the new ones already and have no reference: their ids, in the order of the new ones. */
async function adoptedOf<Values, Kept>(
  tx: Tx,
  entity: Entity<Values, Kept>,
  fresh: readonly (Wanted<Kept> & { readonly reference: string })[],
): Promise<readonly (string | undefined)[]> {
  const adoptable = (await entity.adopt?.(tx, fresh)) ?? [];
  const references = await referencesOfThings(tx, adoptable);
  const found = new Map(
    adoptable.filter((row) => !references.has(keyOfThing(row))).map(({ at, id }) => [at, id]),
  );
  return fresh.map((_, at) => found.get(at + 1));
}

/** @throws {AppError} reference.duplicate in the place of a broken unique key */
export async function refusingDuplicates<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('reference.duplicate', { cause: error }) : error;
  }
}

/** The provider's own references of customers, by our ids. */
async function referencesOf(
  tx: Tx,
  changes: readonly { readonly customerId: string }[],
): Promise<ReadonlyMap<string, string | null>> {
  const ids = [...new Set(changes.map(({ customerId }) => customerId))];
  if (ids.length === 0) return new Map();
  const rows = await tx.many<{ customer_id: string; external_ref: string | null }>(sql`
    select customer_id, external_ref from customer where customer_id = any(${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.customer_id, row.external_ref]));
}

export const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** What differs, member by member, for the audit trail. */
export function changesBetween(before: unknown, after: unknown) {
  const [was, is] = [before, after]
    .map((kept) => Object.entries(kept ?? {}))
    .map((members) => new Map(members.map(([name, value]) => [name, inWords(value)])));
  const names = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].filter(
    (name) => was?.get(name) !== is?.get(name),
  );
  return Object.fromEntries(
    names.flatMap((name) => [
      ...(before === undefined ? [] : [[`before.${name}`, was?.get(name) ?? null] as const]),
      ...(after === undefined ? [] : [[`after.${name}`, is?.get(name) ?? null] as const]),
    ]),
  );
}

const inWords = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' || value === null ? value : JSON.stringify(value);

const record = (
  tx: Tx,
  { resellerId, by }: BulkOf,
  at: Date,
  acts: readonly {
    readonly action: AuditAction;
    readonly customerId: string;
    readonly detail: Readonly<Record<string, string | number | null>>;
  }[],
): Promise<void> =>
  recordAuditLines(
    tx,
    acts.map((act) => ({ ...act, at, resellerId, ...by })),
  );
