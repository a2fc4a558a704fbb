import { type Day, parseDay } from '@counterfoil/domain/time/day.ts';
import type { Decline, MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { firstBrands } from '../brand/queries.ts';
import type { Plan, PlanState, Reason, RunEnd } from './judge.ts';

export interface BillKey {
  readonly customer_id: string;
  readonly invoice_id: string;
}

/** An invoice with everything that is known of its customer, the default method and the plan. */
export interface BillRow extends BillKey {
  reseller_id: number;
  brand_id: number;
  number: string;
  kind: 'invoice' | 'creditNote';
  status: number;
  currency: string;
  due_on: string | null;
  due_minor: bigint;
  reversed_minor: bigint;
  label: string;
  email: string | null;
  is_active: boolean;
  has_open: boolean;
  has_consent: boolean;
  has_methods: boolean;
  method_id: string | null;
  method_kind: MethodKind | null;
  method_expires: string | null;
  method_show: Record<string, string> | null;
  state: PlanState | null;
  reason: Reason | null;
  charge_on: string | null;
  announced_minor: bigint | null;
  announced_at: Date | null;
  /** Credit that can be used in the invoice's currency. */
  credit_minor: bigint;
  plan_method_id: string | null;
  runs: number | null;
  declines: number | null;
  failures: number | null;
  first_on: string | null;
}

/** @param customer the id of one, who is then named in each subquery: Citus asks their machine alone */
const bills = (customer: Sql = sql`i.customer_id`) => sql`
  select i.customer_id, i.id as invoice_id, i.reseller_id, i.number, i.kind, i.status, i.currency, i.due_on, i.due_minor,
         i.reversed_minor, c.label, c.email,
         c.disabled_at is null as is_active,
         coalesce(c.brand_id, b.id, 0) as brand_id,
         exists (select from claim k where k.customer_id = ${customer} and k.invoice_id = i.id and k.is_open) as has_open,
         exists (select from consent s where s.customer_id = ${customer} and s.purpose = 'autoPay'
                    and s.revoked_at is null) as has_consent,
         exists (select from payment_method x where x.customer_id = ${customer} and x.gateway_account_id = g.id
                    and x.state = 'active') as has_methods,
         coalesce((select greatest(k.balance_minor - k.held_minor - k.overdrawn_minor, 0) from customer_credit k
                    where k.customer_id = ${customer} and k.currency = i.currency), 0)::bigint as credit_minor,
         m.id as method_id, m.kind as method_kind, m.expires as method_expires, m.show as method_show,
         p.state, p.reason, p.charge_on, p.announced_minor, p.announced_at, p.payment_method_id as plan_method_id, p.runs, p.declines,
         p.failures, p.first_on
    from invoice i
    join customer c on c.customer_id = i.customer_id
    join reseller r on r.id = i.reseller_id
    left join ${firstBrands} b on b.reseller_id = i.reseller_id
    left join gateway_account g on g.reseller_id = i.reseller_id and g.is_active
    left join payment_method m on m.customer_id = i.customer_id and m.gateway_account_id = g.id and m.is_default
          and m.state = 'active' and m.usable = 'now'
    left join autopay_plan p on p.customer_id = i.customer_id and p.invoice_id = i.id`;

const isAskingNobody = sql`coalesce((r.settings ->> 'requireCustomerPermissionForCharging')::boolean, true) = false`;

/** Of `invoice i`: it has been announced, or is being charged. */
export const isBeingCharged = sql`exists (
  select from autopay_plan p where p.customer_id = i.customer_id and p.invoice_id = i.id and p.state in ('announced', 'charging'))`;

/** Of `invoice i` and `reseller r`: it will be charged, unless it was found out that it cannot be. */
export const willBeCharged = sql`(
  (${isAskingNobody} or exists (select from consent s where s.customer_id = i.customer_id and s.purpose = 'autoPay'
                                   and s.revoked_at is null))
  and exists (select from payment_method x where x.customer_id = i.customer_id and x.is_default and x.state = 'active')
  and not exists (select from autopay_plan p where p.customer_id = i.customer_id and p.invoice_id = i.id
                     and p.state in ('noMethod', 'skipped', 'done', 'stopped')))`;

export interface Page {
  readonly after: BillKey | undefined;
  readonly limit: number;
  readonly resellerId: number | undefined;
  readonly customerId?: string | undefined;
}

const onPage = ({ after, resellerId, customerId }: Page) => sql`
  (${after?.customer_id ?? null}::uuid is null
    or (i.customer_id, i.id) > (${after?.customer_id ?? null}::uuid, ${after?.invoice_id ?? null}::uuid))
  and (${resellerId ?? null}::int is null or i.reseller_id = ${resellerId ?? null})
  and (${customerId ?? null}::uuid is null or i.customer_id = ${customerId ?? null})`;

/** Open invoices of covered customers that may have to be announced: due until `dueBy`, not in hand yet. */
export const pageToAnnounce = (db: Db, dueBy: Day, page: Page) =>
  db.many<BillRow>(sql`
    ${bills()}
     where i.kind = 'invoice' and i.status = 10 and i.due_minor > 0 and i.due_on <= ${dueBy} and c.disabled_at is null
       and (p.state is null or p.state in ('noMethod', 'skipped'))
       and (${isAskingNobody} or exists (select from consent s where s.customer_id = i.customer_id
              and s.purpose = 'autoPay' and s.revoked_at is null))
       and ${onPage(page)}
     order by i.customer_id, i.id limit ${page.limit}`);

/** Announced invoices whose day may have come. */
export const pageToCharge = (db: Db, by: Day, page: Page) =>
  db.many<BillRow>(sql`
    ${bills()} where p.state = 'announced' and p.charge_on <= ${by} and ${onPage(page)}
     order by i.customer_id, i.id limit ${page.limit}`);

/** Everything open that somebody may ask about: also of those who are not covered, for a preview. */
export const pageOpen = (db: Db, dueBy: Day, page: Page) =>
  db.many<BillRow>(sql`
    ${bills()}
     where ((i.kind = 'invoice' and i.status in (10, 14) and i.due_minor > 0 and (i.due_on is null or i.due_on <= ${dueBy}))
            or p.state in ('announced', 'charging'))
       and ${onPage(page)}
     order by i.customer_id, i.id limit ${page.limit}`);

/** What a customer owes in one currency. */
export const listOwed = (db: Db, of: { readonly customerId: string; readonly currency: string }) =>
  db.many<BillRow>(sql`
    ${bills(sql`${of.customerId}`)}
     where i.customer_id = ${of.customerId} and i.currency = ${of.currency} and i.kind = 'invoice' and i.status = 10
       and i.due_minor > 0`);

/** Credit that announced invoices of the customer use before one that is charged on a day; minor units. */
export const sumPromised = async (db: Db, row: BillRow, chargeOn: Day): Promise<bigint> => {
  const { minor } = await db.one<{ minor: bigint }>(sql`
    select coalesce(sum(i.due_minor), 0)::bigint as minor
      from autopay_plan p join invoice i on i.customer_id = p.customer_id and i.id = p.invoice_id
     where p.customer_id = ${row.customer_id} and p.state = 'announced' and i.currency = ${row.currency}
       and i.status = 10 and i.due_minor > 0
       and (p.charge_on < ${chargeOn} or (p.charge_on = ${chargeOn} and p.invoice_id < ${row.invoice_id}))`);
  return minor;
};

/**
 * Takes an invoice: its plan's row, where there is one, and its own are locked.
 * @returns undefined when another process has it
 */
export async function lockBill(tx: Tx, key: BillKey): Promise<BillRow | undefined> {
  const { customer_id: customerId, invoice_id: invoiceId } = key;
  const plans = await tx.many<{ is_locked: boolean }>(sql`
    select true as is_locked from autopay_plan
     where customer_id = ${customerId} and invoice_id = ${invoiceId} for update skip locked`);
  const invoice = await tx.maybeOne(sql`
    select 1 from invoice where customer_id = ${customerId} and id = ${invoiceId} for update`);
  if (invoice === undefined) return undefined;
  const row = await tx.one<BillRow>(sql`
    ${bills(sql`${customerId}`)} where i.customer_id = ${customerId} and i.id = ${invoiceId}`);
  return row.state !== null && plans.length === 0 ? undefined : row;
}

export const planOf = (row: BillRow): Plan | null =>
  row.state === null
    ? null
    : {
        state: row.state,
        reason: row.reason,
        announcedMinor: row.announced_minor,
        chargeOn: row.charge_on === null ? null : parseDay(row.charge_on),
        firstOn: row.first_on === null ? null : parseDay(row.first_on),
        methodId: row.plan_method_id,
        runs: row.runs ?? 0,
        declines: row.declines ?? 0,
        failures: row.failures ?? 0,
      };

export interface EndedRun extends BillKey {
  attempt_id: string;
  state: RunEnd['state'];
  decline: Decline | null;
  method: string | null;
  amount_minor: bigint;
  /** What was taken; null for nothing. */
  captured_minor: bigint | null;
}

/** Runs whose attempt has ended and whose plan does not know yet. */
export const listEnded = (db: Db, resellerId: number | undefined, limit: number) =>
  db.many<EndedRun>(sql`
    select p.customer_id, p.invoice_id, a.id as attempt_id, a.state, a.decline, a.method, a.amount_minor,
           t.amount_minor as captured_minor
      from autopay_plan p join attempt a on a.customer_id = p.customer_id and a.id = p.attempt_id
      left join capture t on t.customer_id = a.customer_id and t.attempt_id = a.id
     where p.state = 'charging' and not a.is_open and (${resellerId ?? null}::int is null or a.reseller_id = ${resellerId ?? null})
     order by a.updated_at limit ${limit}`);

export interface Changes {
  readonly state: PlanState;
  readonly reason?: Reason | null;
  readonly chargeOn?: Day | null;
  readonly announcedMinor?: bigint | null;
  readonly methodId?: string | null;
  readonly attemptId?: string | null;
  readonly runs?: number;
  readonly declines?: number;
  readonly failures?: number;
  readonly firstOn?: Day | null;
}

/** Writes how auto-pay stands with an invoice from now on. What is left out stays. The plan's row is locked. */
export async function writePlan(tx: Tx, row: BillRow, changes: Changes, now: Date): Promise<boolean> {
  const plan = planOf(row);
  const merged = { ...plan, reason: null, chargeOn: null, attemptId: null, ...changes };
  const announcedAt = changes.announcedMinor === undefined ? row.announced_at : now;
  const written = await tx.execute(sql`
    insert into autopay_plan as p (customer_id, invoice_id, state, reason, charge_on, announced_minor, announced_at,
      payment_method_id, attempt_id, runs, declines, failures, first_on, updated_at)
    values (${row.customer_id}, ${row.invoice_id}, ${merged.state}, ${merged.reason}, ${merged.chargeOn},
      ${merged.announcedMinor ?? null}, ${announcedAt}, ${merged.methodId ?? null}, ${merged.attemptId},
      ${merged.runs ?? 0}, ${merged.declines ?? 0}, ${merged.failures ?? 0}, ${merged.firstOn ?? null}, ${now})
    on conflict (customer_id, invoice_id) do update
      set state = excluded.state, reason = excluded.reason, charge_on = excluded.charge_on,
          announced_minor = excluded.announced_minor, announced_at = excluded.announced_at,
          payment_method_id = excluded.payment_method_id, attempt_id = excluded.attempt_id, runs = excluded.runs,
          declines = excluded.declines, failures = excluded.failures, first_on = excluded.first_on,
          updated_at = excluded.updated_at
      -- A plan nobody had seen when this one was decided was made by another process: it stands.
      where ${plan !== null}`);
  return written === 1;
}

/** Records one decision to charge: the attempt it made, or why it made none. */
export const writeRun = (
  tx: Tx,
  row: BillRow,
  run: { readonly no: number; readonly attemptId: string | null; readonly reason: Reason | null },
  now: Date,
) =>
  tx.execute(sql`
    insert into autopay_run (customer_id, invoice_id, run_no, attempt_id, payment_method_id, reason, at)
    values (${row.customer_id}, ${row.invoice_id}, ${run.no}, ${run.attemptId}, ${row.method_id}, ${run.reason}, ${now})`);
