import { readFile } from 'node:fs/promises';
import { type UsageMapping, usageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { isTimeZone } from '@counterfoil/domain/time/dates.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { positionsOf } from './columns.ts';
import { readyMapping, readyMappings } from './ready.ts';

/**
 * Reads a mapping as a person has written it.
 * @param where it comes from, for messages
 * @returns it, or a sentence that names what is wrong
 */
export function readMapping(value: unknown, where: string): UsageMapping | string {
  const read = usageMapping.safeParse(value);
  if (!read.success) {
    const faults = read.error.issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
    return `${where} is no mapping: ${faults.join('; ')}`;
  }
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

/** Reads a mapping from a JSON file. @returns it, or a sentence that says what is wrong */
export async function readMappingFile(path: string): Promise<UsageMapping | string> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? `there is no mapping '${path}', and no file of that name` : `${path} is not JSON`;
  }
  return readMapping(value, path);
}

/** A ready mapping, or one the reseller has stored. @returns undefined when there is none of that name */
export async function findMapping(
  db: Db,
  resellerId: number,
  name: string,
): Promise<UsageMapping | undefined> {
  const row = await db.maybeOne<{ definition: unknown }>(sql`
    select definition from usage_mapping where reseller_id = ${resellerId} and name = ${name}`);
  if (row === undefined) return readyMapping(name);
  const mapping = readMapping(row.definition, `stored mapping '${name}'`);
  if (typeof mapping === 'string') throw new Error(mapping);
  return mapping;
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
  return row === undefined ? undefined : findMapping(db, resellerId, name);
}

/** Stores a mapping of the reseller's own under its name, in the place of an earlier one. */
export const storeMapping = (tx: Tx, resellerId: number, mapping: UsageMapping, now: Date): Promise<number> =>
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
  readonly format: string;
  readonly isOwn: boolean;
}

/** The ready mappings and the reseller's own, which come first where names are equal. */
export async function listMappings(db: Db, resellerId: number): Promise<readonly ListedMapping[]> {
  const own = await db.many<{ name: string; title: string; format: string }>(sql`
    select name, definition ->> 'title' as title, definition ->> 'format' as format
      from usage_mapping where reseller_id = ${resellerId} order by name`);
  const names = new Set(own.map(({ name }) => name));
  const ready = readyMappings.map(({ mapping: { name, title, format } }) => ({ name, title, format }));
  return [
    ...own.map((one) => ({ ...one, isOwn: true })),
    ...ready.filter(({ name }) => !names.has(name)).map((one) => ({ ...one, isOwn: false })),
  ];
}
