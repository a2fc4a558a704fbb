import { readFile } from 'node:fs/promises';
import { type EntityMapping, entityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { type UsageMapping, usageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { isTimeZone } from '@counterfoil/domain/time/dates.ts';
import type * as z from 'zod/mini';
import type { Db, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { describedKind } from '../entities/described.ts';
import { positionsOf } from './columns.ts';
import { readyMapping, readyMappings } from './ready.ts';

/**
 * Reads a mapping as a person has written it.
 * @param where it comes from, for messages
 * @returns it, or a sentence that names what is wrong
 */
export function readMapping(value: unknown, where: string): UsageMapping | string {
  const read = usageMapping.safeParse(value);
  if (!read.success) return faultsOf(read.error, where);
  const mapping = read.data;
  const { zone } = mapping.startedAt;
  if (zone !== undefined && !isTimeZone(zone)) return `${where}: startedAt.zone: '${zone}' is no time zone`;
  const { header, columns } = mapping.csv;
  if (mapping.format === 'csv' && header !== 'names' && columns !== undefined) {
    const positions = positionsOf(mapping, columns, null);
    if (typeof positions === 'string') return `${where}: ${positions}`;
  }
  return mapping;
}

/** The same of a mapping of anything else that files hold, which says so. */
const readAnyMapping = (value: unknown, where: string): UsageMapping | EntityMapping | string =>
  typeof value === 'object' && value !== null && 'entity' in value
    ? readColumns(value, where)
    : readMapping(value, where);

function readColumns(value: object, where: string): EntityMapping | string {
  const read = entityMapping.safeParse(value);
  return read.success ? checkedColumns(read.data, where) : faultsOf(read.error, where);
}

/** A mapping whose members its kind has, and whose zone there is. @returns it, or a sentence that names what is wrong */
export function checkedColumns(mapping: EntityMapping, where: string): EntityMapping | string {
  const { timeZone, entity, columns } = mapping;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return `${where}: timeZone: '${timeZone}' is no time zone`;
  const known = new Set(describedKind(entity).columns.map(({ name }) => name));
  const unknown = Object.keys(columns).find((name) => !known.has(name));
  return unknown === undefined ? mapping : `${where}: columns: ${entity} have no '${unknown}'`;
}

const faultsOf = ({ issues }: z.core.$ZodError, where: string): string => {
  const faults = issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  return `${where} is no mapping: ${faults.join('; ')}`;
};

/** Reads a mapping from a JSON file. @returns it, or a sentence that says what is wrong */
export async function readMappingFile(path: string): Promise<UsageMapping | EntityMapping | string> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? `there is no mapping '${path}', and no file of that name` : `${path} is not JSON`;
  }
  return readAnyMapping(value, path);
}

/** A ready mapping, or one the reseller has stored. @returns undefined when there is none of that name */
export async function findMapping(
  db: Db,
  resellerId: number,
  name: string,
): Promise<UsageMapping | EntityMapping | undefined> {
  const row = await db.maybeOne<{ definition: unknown }>(sql`
    select definition from usage_mapping where reseller_id = ${resellerId} and name = ${name}`);
  if (row === undefined) return readyMapping(name);
  const mapping = readAnyMapping(row.definition, `stored mapping '${name}'`);
  if (typeof mapping === 'string') throw new Error(mapping);
  return mapping;
}

/** The same of usage records only. */
export async function findUsageMapping(
  db: Db,
  resellerId: number,
  name: string,
): Promise<UsageMapping | undefined> {
  const found = await findMapping(db, resellerId, name);
  return found === undefined || 'entity' in found ? undefined : found;
}

/** A mapping of the reseller's own that was stored after a moment. */
export async function ownMappingSince(
  db: Db,
  resellerId: number,
  name: string,
  since: Date,
): Promise<UsageMapping | undefined> {
  const row = await db.maybeOne(sql`
    select 1 from usage_mapping where reseller_id = ${resellerId} and name = ${name} and changed_at > ${since}`);
  return row === undefined ? undefined : findUsageMapping(db, resellerId, name);
}

/** Stores a mapping of the reseller's own under its name, in the place of an earlier one. */
export const storeMapping = (
  tx: Tx,
  resellerId: number,
  mapping: UsageMapping | EntityMapping,
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    insert into usage_mapping (reseller_id, name, definition, changed_at)
    values (${resellerId}, ${mapping.name}, ${JSON.stringify(mapping)}, ${now})
    on conflict (reseller_id, name) do update set definition = excluded.definition, changed_at = excluded.changed_at`);

/** @returns false when there is none of that name */
export const removeMapping = async (tx: Tx, resellerId: number, name: string): Promise<boolean> =>
  (await tx.execute(sql`delete from usage_mapping where reseller_id = ${resellerId} and name = ${name}`)) ===
  1;

export interface ListedMapping {
  readonly name: string;
  readonly title: string;
  /** Of a mapping of anything but usage records, what its files hold. */
  readonly entity: string | null;
  readonly format: string;
  readonly isOwn: boolean;
}

/** The ready mappings and the reseller's own, which come first where names are equal. */
export async function listMappings(db: Db, resellerId: number): Promise<readonly ListedMapping[]> {
  const own = await db.many<{ name: string; title: string; format: string; entity: string | null }>(sql`
    select name, definition ->> 'title' as title, definition ->> 'format' as format, definition ->> 'entity' as entity
      from usage_mapping where reseller_id = ${resellerId} order by name`);
  const names = new Set(own.map(({ name }) => name));
  const ready = readyMappings.map(({ mapping: { name, title, format } }) => ({
    name,
    title,
    format,
    entity: null,
  }));
  return [
    ...own.map((one) => ({ ...one, isOwn: true })),
    ...ready.filter(({ name }) => !names.has(name)).map((one) => ({ ...one, isOwn: false })),
  ];
}
