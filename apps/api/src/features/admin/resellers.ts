import { storedResellerSettings } from '@counterfoil/contract/brand.ts';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { checkedName, checkedNumber } from './checks.ts';
import { AdminRefused } from './refused.ts';
import { applySettings } from './settings-input.ts';

export interface NewReseller {
  readonly id: number;
  readonly name: string;
  /** `name=value` */
  readonly settings?: readonly string[];
  /** Of the demo world: its users sign in under DEMO=1 only. */
  readonly isDemo?: boolean;
}

/** Whether something was written, or was there already just as asked for. */
export type Added = 'created' | 'unchanged';

interface ResellerRow {
  id: number;
  name: string;
  settings: Record<string, unknown>;
}

const findReseller = (db: Db, id: number) =>
  db.maybeOne<ResellerRow>(sql`select id, name, settings from reseller where id = ${id}`);

/** Makes a reseller known. The same again changes nothing. @throws {AdminRefused} */
export async function addReseller(tx: Tx, wanted: NewReseller): Promise<Added> {
  const id = checkedNumber('reseller’s id', wanted.id);
  const name = checkedName('name', wanted.name);
  const settings = applySettings(storedResellerSettings, {}, wanted.settings ?? []);
  const made = await tx.execute(sql`
    insert into reseller (id, name, settings, is_demo)
    values (${id}, ${name}, ${JSON.stringify(settings)}, ${wanted.isDemo ?? false})
    on conflict do nothing`);
  if (made === 1) return 'created';
  const known = await findReseller(tx, id);
  if (known?.name === name && (wanted.settings ?? []).length === 0) return 'unchanged';
  throw new AdminRefused(`reseller ${id} is there already; 'reseller set' changes it`);
}

/** Changes name or settings. @throws {AdminRefused} */
export async function setReseller(
  tx: Tx,
  id: number,
  change: {
    readonly name?: string | undefined;
    /** The installation's own name of it, by which programs put it. */
    readonly reference?: string | undefined;
    readonly settings: readonly string[];
  },
): Promise<void> {
  const known = await findReseller(tx, id);
  if (known === undefined) throw new AdminRefused(`there is no reseller ${id}`);
  const name = change.name === undefined ? known.name : checkedName('name', change.name);
  const settings = applySettings(storedResellerSettings, known.settings, change.settings);
  const reference = change.reference === undefined ? null : checkedName('reference', change.reference);
  if (reference !== null) {
    const other = await tx.maybeOne(
      sql`select 1 from reseller where reference = ${reference} and id <> ${id}`,
    );
    if (other !== undefined) throw new AdminRefused(`another reseller has the reference '${reference}'`);
  }
  await tx.execute(sql`
    update reseller set name = ${name}, settings = ${JSON.stringify(settings)},
           reference = coalesce(${reference}, reference)
     where id = ${id}`);
}

/** All resellers with what hangs on them. */
export const listResellers = (db: Db) =>
  db.many<{
    id: number;
    name: string;
    settings: Record<string, unknown>;
    brands: number;
    customers: number;
    gateway: string | null;
  }>(sql`
    select r.id, r.name, r.settings,
           (select count(*)::int from brand b where b.reseller_id = r.id) as brands,
           (select count(*)::int from reseller_customer c where c.reseller_id = r.id) as customers,
           (select g.gateway from gateway_account g where g.reseller_id = r.id and g.is_active) as gateway
      from reseller r order by r.id`);
