import { storedResellerSettings } from '@counterfoil/contract/brand.ts';
import type { BrandValues, ResellerValues } from '@counterfoil/contract/operator/running/admin-brands.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type Preconditions, requireState } from '../../http/requests/preconditions.ts';
import {
  AdminRefused,
  checkedBrand,
  checkedHost,
  checkedName,
  nextBrandId,
  withoutDefaults,
} from '../admin/service.ts';
import { normaliseHost } from '../brand/service.ts';
import { etagOf, presentAdminBrand, presentReseller } from './present.ts';
import {
  type AdminBrandRow,
  findAdminBrand,
  findBrandByReference,
  findResellerByReference,
  lockAdminBrand,
  lockBrandByReference,
  lockReseller,
  type ResellerRow,
} from './queries.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Makes a brand be as it is given, by the provider's own reference. One that is not known is made. One that differs is changed
 * only where the caller says which state it has read. What is so already changes nothing.
 * @throws {AppError} brand.refused, brand.hostTaken, precondition.failed, precondition.required
 */
export async function putBrand(
  tx: Tx,
  { resellerId, reference }: { readonly resellerId: number; readonly reference: string },
  values: BrandValues,
  conditions: Preconditions,
  by: ActedBy,
  now: Date,
): Promise<{ readonly row: AdminBrandRow; readonly isNew: boolean }> {
  const before = await lockBrandByReference(tx, resellerId, reference);
  if (before !== undefined)
    return { row: await changeBrand(tx, before, values, conditions, by, now), isNew: false };
  const { hosts, ...stored } = checkedValues(values);
  requireState(conditions, undefined, true);
  const id = await nextBrandId(tx);
  // Of two that make the same brand the second finds it here, once the first has committed.
  if ((await findBrandByReference(tx, resellerId, reference)) !== undefined)
    return putBrand(tx, { resellerId, reference }, values, conditions, by, now);
  await tx.execute(sql`
    insert into brand (id, reseller_id, reference, name, company_name, colours, settings, time_zone, currency)
    values (${id}, ${resellerId}, ${reference}, ${stored.name}, ${stored.company_name}, ${[...stored.colours]},
            ${JSON.stringify(stored.settings)}, ${stored.time_zone}, ${stored.currency})`);
  await setHosts(tx, id, hosts);
  const detail = { brand: id, name: stored.name };
  await recordAudit(tx, { action: 'brand.added', at: now, resellerId, ...by, detail });
  return { row: await readAgain(tx, resellerId, id), isNew: true };
}

/**
 * Makes a brand that is there be as it is given, as {@link putBrand} does.
 * @throws {AppError} brand.notFound, brand.refused, brand.hostTaken, precondition.failed, precondition.required
 */
export async function setBrand(
  tx: Tx,
  { resellerId, id }: { readonly resellerId: number; readonly id: number },
  values: BrandValues,
  conditions: Preconditions,
  by: ActedBy,
  now: Date,
): Promise<AdminBrandRow> {
  const before = await lockAdminBrand(tx, resellerId, id);
  if (before === undefined) throw new AppError('brand.notFound');
  return changeBrand(tx, before, values, conditions, by, now);
}

async function changeBrand(
  tx: Tx,
  before: AdminBrandRow,
  values: BrandValues,
  conditions: Preconditions,
  by: ActedBy,
  now: Date,
): Promise<AdminBrandRow> {
  const { hosts, ...stored } = checkedValues(values);
  const changes = changesBetween(valuesOf(before), { ...stored, hosts: inOrder(hosts) });
  requireState(conditions, etagOf(presentAdminBrand(before)), changes !== undefined);
  if (changes === undefined) return before;
  const { id, reseller_id: resellerId } = before;
  await tx.execute(sql`
    update brand set name = ${stored.name}, company_name = ${stored.company_name}, colours = ${[...stored.colours]},
           settings = ${JSON.stringify(stored.settings)}, time_zone = ${stored.time_zone}, currency = ${stored.currency}
     where id = ${id}`);
  await setHosts(tx, id, hosts);
  const detail = { brand: id, ...changes };
  await recordAudit(tx, { action: 'brand.changed', at: now, resellerId, ...by, detail });
  return readAgain(tx, resellerId, id);
}

/** What is given as it is stored. @throws {AppError} brand.refused */
export const checkedValues = (values: BrandValues) =>
  refusing(() => ({
    ...checkedBrand({ ...values, companyName: values.companyName ?? values.name }),
    hosts: [...new Set(values.hosts.map((host) => checkedHost(normaliseHost(host))))],
  }));

async function readAgain(tx: Tx, resellerId: number, id: number): Promise<AdminBrandRow> {
  const row = await findAdminBrand(tx, resellerId, id);
  if (row === undefined) throw new Error(`brand ${id} is gone`);
  return row;
}

/** The main one first, the others by name, as they are read. */
const inOrder = ([main, ...others]: readonly string[]): readonly string[] => [
  ...(main === undefined ? [] : [main]),
  ...others.sort((a, b) => (a < b ? -1 : 1)),
];

/** @throws {AppError} brand.hostTaken */
async function setHosts(tx: Tx, brandId: number, hosts: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from brand_host where brand_id = ${brandId} and host <> all(${[...hosts]}::text[])`);
  await tx.execute(sql`update brand_host set is_main = false where brand_id = ${brandId} and is_main`);
  for (const [at, host] of hosts.entries()) {
    const set = await tx.execute(sql`
      insert into brand_host (host, brand_id, is_main) values (${host}, ${brandId}, ${at === 0})
      on conflict (host) do update set is_main = excluded.is_main where brand_host.brand_id = ${brandId}`);
    if (set === 0) throw new AppError('brand.hostTaken');
  }
}

/**
 * Changes what is set of a reseller.
 * @throws {AppError} brand.refused, precondition.failed, precondition.required
 */
export async function putReseller(
  tx: Tx,
  resellerId: number,
  values: ResellerValues,
  conditions: Preconditions,
  by: ActedBy,
  now: Date,
): Promise<ResellerRow> {
  const name = refusing(() => checkedName('name', values.name));
  const settings = withoutDefaults(storedResellerSettings, values.settings);
  const before = await lockReseller(tx, resellerId);
  const changes = changesBetween({ name: before.name, settings: before.settings }, { name, settings });
  requireState(conditions, etagOf(presentReseller(before)), changes !== undefined);
  if (changes === undefined) return before;
  await tx.execute(sql`
    update reseller set name = ${name}, settings = ${JSON.stringify(settings)} where id = ${resellerId}`);
  await recordAudit(tx, { action: 'reseller.changed', at: now, resellerId, ...by, detail: changes });
  return { id: resellerId, reference: before.reference, name, settings: { ...settings } };
}

/**
 * Makes a reseller be as it is given, by the installation's own reference; a new one gets the next number.
 * @throws {AppError} brand.refused, precondition.failed, precondition.required
 */
export async function putResellerByReference(
  tx: Tx,
  reference: string,
  values: ResellerValues,
  conditions: Preconditions,
  by: ActedBy,
  now: Date,
): Promise<{ readonly row: ResellerRow; readonly isNew: boolean }> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('counterfoil reseller'))`);
  const known = await findResellerByReference(tx, reference);
  if (known !== undefined)
    return { row: await putReseller(tx, known.id, values, conditions, by, now), isNew: false };
  requireState(conditions, undefined, true);
  const name = refusing(() => checkedName('name', values.name));
  const settings = withoutDefaults(storedResellerSettings, values.settings);
  const { id } = await tx.one<{ id: number }>(sql`
    insert into reseller as r (id, reference, name, settings)
    select coalesce(max(id), 0) + 1, ${reference}, ${name}, ${JSON.stringify(settings)}::jsonb from reseller
    returning r.id`);
  await recordAudit(tx, {
    action: 'reseller.added',
    at: now,
    resellerId: id,
    ...by,
    detail: { reference, name },
  });
  return { row: { id, reference, name, settings: { ...settings } }, isNew: true };
}

const valuesOf = ({
  name,
  company_name,
  colours,
  currency,
  time_zone,
  settings,
  hosts,
}: AdminBrandRow): Values => ({
  name,
  company_name,
  colours,
  currency,
  time_zone,
  settings,
  hosts,
});

/** What differs, member by member, for the audit trail; of settings each by its name. Undefined: nothing. */
function changesBetween(
  before: Values | undefined,
  after: Values,
): Readonly<Record<string, string | null>> | undefined {
  const [was, is] = [flat(before ?? {}), flat(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => was[name] !== is[name],
  );
  if (names.length === 0) return undefined;
  return Object.fromEntries(
    names.flatMap((name) => [
      [`before.${name}`, was[name] ?? null],
      [`after.${name}`, is[name] ?? null],
    ]),
  );
}

const flat = ({ settings, ...values }: Values): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...Object.entries(values), ...Object.entries((settings ?? {}) as Values)].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

/** What a command would be refused with, as programs are told. */
export function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asAppError(error);
  }
}

export const asAppError = (error: unknown): unknown =>
  error instanceof AdminRefused
    ? new AppError('brand.refused', {
        text: capitalised(error.message),
        cause: error,
      })
    : error;
