import type { MoneyOfDay, MoneyOfGateway } from '@counterfoil/contract/operator/running/today.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { firstIdAt } from '@counterfoil/domain/text/ids.ts';
import { addDays, type Day, dayOf, dayParts, daysInMonth } from '@counterfoil/domain/time/day.ts';
import { clockIn, startOfDay } from '@counterfoil/domain/time/time-zone.ts';
import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { findResellerZone } from '../brand/queries.ts';

interface Span {
  readonly since: Date;
  readonly until: Date;
}

interface AccountRow {
  readonly id: string;
  readonly gateway: string;
}

/** Whose money. */
interface MoneyOf {
  readonly resellerId: number;
  readonly accounts: readonly AccountRow[];
}

interface MoneyRow {
  gateway: string | null;
  currency: string;
  payments: number;
  collected: bigint;
  refunded: bigint;
  taken_back: bigint;
  in_review: bigint;
  declined: number;
}

interface CollectedRow {
  currency: string;
  minor: bigint;
}

/**
 * What a reseller took and gave back in a day, by gateway and currency, beside the same day of the month before by the same
 * hour.
 * @param wanted today unless given
 */
export async function readMoney(
  db: Db,
  resellerId: number,
  wanted: Day | undefined,
  now: Date,
): Promise<MoneyOfDay> {
  const timeZone = await findResellerZone(db, resellerId);
  const day = wanted ?? clockIn(timeZone, now).day;
  const span = spanOf(day, timeZone, now);
  const monthBefore = sameDayBefore(day);
  const began = startOfDay(monthBefore, timeZone);
  const passed = span.shownUntil.getTime() - span.since.getTime();
  const before = { since: began, until: new Date(began.getTime() + passed) };
  const accounts = await db.many<AccountRow>(sql`
    select id, gateway from gateway_account where reseller_id = ${resellerId}`);
  const of = { resellerId, accounts };
  const [rows, collectedBefore] = await Promise.all([byGateway(db, of, span), collectedIn(db, of, before)]);
  return {
    day,
    timeZone,
    since: span.since.toISOString(),
    until: span.shownUntil.toISOString(),
    gateways: rows.map(present),
    before: {
      day: monthBefore,
      collected: collectedBefore.map(({ currency, minor }) => ({
        currency,
        amount: decimal(minor, currency),
      })),
    },
  };
}

/** @returns with until when there is anything of it */
function spanOf(day: Day, timeZone: string, now: Date): Span & { readonly shownUntil: Date } {
  const since = startOfDay(day, timeZone);
  const end = startOfDay(addDays(day, 1), timeZone);
  return { since, until: end, shownUntil: now > since && now < end ? now : end };
}

/** The same day of the month before; of a longer month its last day. */
function sameDayBefore(of: Day): Day {
  const { year, month, day } = dayParts(of);
  const [y, m] = month === 1 ? [year - 1, 12] : [year, month - 1];
  return dayOf(y, m, Math.min(day, daysInMonth(y, m)));
}

const decimal = (minor: bigint, currency: string): string => formatDecimal(money(minor, currency));

/** The least id of the rows that were made since. */
const idAt = (at: Date): string => firstIdAt(Math.max(0, at.getTime()));

/**
 * Captures of a time, summed over an index that has all of it: once for each account, since to group a hundred thousand rows by
 * account as well takes twice as long.
 */
const captures = ({ id, gateway }: AccountRow, { since, until }: Span) => sql`
  select ${gateway}::text as gateway, currency, count(*) as payments, sum(amount_minor)::bigint as minor
    from capture where gateway_account_id = ${id} and at >= ${since} and at < ${until} group by currency`;

/** Payments from outside, of a time. */
const external = (resellerId: number, { since, until }: Span) => sql`
  select null::text as gateway, currency, count(*) as payments, sum(amount_minor)::bigint as minor
    from external_payment
   where reseller_id = ${resellerId} and id >= ${idAt(since)}::uuid and id < ${idAt(until)}::uuid and voided_at is null
   group by currency`;

/** All that was taken in a time, by account or from outside, and by currency. */
const collected = ({ resellerId, accounts }: MoneyOf, span: Span): Sql =>
  accounts.reduce(
    (all, account) => sql`${all} union all ${captures(account, span)}`,
    external(resellerId, span),
  );

const byGateway = (db: Db, of: MoneyOf, span: Span) =>
  db.many<MoneyRow>(sql`
    select gateway, currency, sum(payments)::int as payments, sum(collected)::bigint as collected,
           sum(refunded)::bigint as refunded, sum(taken_back)::bigint as taken_back, sum(in_review)::bigint as in_review,
           sum(declined)::int as declined
      from (
        select gateway, currency, payments, minor as collected, 0 as refunded, 0 as taken_back, 0 as in_review,
               0 as declined
          from (${collected(of, span)}) as c
        union all
        select g.gateway, c.currency, 0, 0, case when r.kind in ('refund', 'void') then r.amount_minor else 0 end,
               case when r.kind in ('lateFailure', 'chargeback') then r.amount_minor
                    when r.kind in ('chargebackWon', 'resubmitted') then - r.amount_minor else 0 end, 0, 0
          from reversal r join capture c on c.customer_id = r.customer_id and c.id = r.capture_id
          join gateway_account g on g.id = c.gateway_account_id
         where r.at >= ${span.since} and r.at < ${span.until} and g.reseller_id = ${of.resellerId}
        union all
        select a.gateway, a.currency, 0, 0, 0, 0, a.amount_minor, 0
          from attempt a
         where a.reseller_id = ${of.resellerId} and a.is_open and a.state = 'needsReview' and a.direction <> 'refund'
        union all
        select a.gateway, a.currency, 0, 0, 0, 0, 0, 1
          from attempt a
         where a.reseller_id = ${of.resellerId} and a.id >= ${idAt(span.since)}::uuid and a.id < ${idAt(span.until)}::uuid
           and a.direction = 'charge' and a.state = 'declined') as all_of_it
     group by gateway, currency order by 4 desc, gateway, currency`);

const collectedIn = (db: Db, of: MoneyOf, span: Span) =>
  db.many<CollectedRow>(sql`
    select currency, sum(minor)::bigint as minor from (${collected(of, span)}) as c
     group by currency order by 2 desc, 1`);

function present(row: MoneyRow): MoneyOfGateway {
  const { gateway, currency, payments, collected, refunded, taken_back: back, in_review, declined } = row;
  return {
    gateway,
    currency,
    payments,
    collected: decimal(collected, currency),
    refunded: decimal(refunded, currency),
    takenBack: decimal(back, currency),
    net: decimal(collected - refunded - back, currency),
    inReview: decimal(in_review, currency),
    declined,
  };
}
