import type { Need, NeedsOfGroup, NewSnooze } from '@counterfoil/contract/operator/running/today.ts';
import { formatDecimal, isPositive, parseMoney, subtractMoney } from '@counterfoil/domain/money/money.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { sha256 } from '../../secrets.ts';

/** Something is put off for a month at most. */
const MOST_MS = 31 * 86_400_000;
/** A list of more is no list of what was put off; the oldest ones are shown again. */
const MOST_OF_ONE = 200;

/** What somebody put off: kind, id and what it said then. */
export interface Snooze {
  kind: string;
  need_id: string;
  state: string;
}

/** What of a thing makes it another thing to look at, in short. */
export const stateOf = ({
  kind,
  id,
  title,
  about,
  reason,
  amount,
  currency,
  count,
}: Omit<Need, 'state'>): string =>
  sha256(JSON.stringify([kind, id, title, about, reason, amount, currency, count]))
    .toString('hex')
    .slice(0, 16);

/** What a caller has put off and is not over. */
export const listSnoozes = (db: Db, actor: string, resellerId: number, now: Date) =>
  db.many<Snooze>(sql`
    select kind, need_id, state from today_snooze
     where actor = ${actor} and reseller_id = ${resellerId} and until > ${now}`);

interface SnoozeAt {
  readonly resellerId: number;
  readonly by: ActedBy;
  readonly now: Date;
}

/**
 * Puts a thing off for the caller alone, until a moment or until it says something else.
 * @throws {AppError} need.until where the moment has passed or is more than 31 days ahead
 */
export async function snoozeNeed(
  tx: Tx,
  wanted: NewSnooze,
  { resellerId, by, now }: SnoozeAt,
): Promise<void> {
  const { kind, id, state, note } = wanted;
  const until = new Date(wanted.until);
  if (until <= now || until.getTime() > now.getTime() + MOST_MS) throw new AppError('need.until');
  await tx.execute(sql`delete from today_snooze where until <= ${now}`);
  await tx.execute(sql`
    insert into today_snooze (actor, reseller_id, kind, need_id, state, until, created_at)
    values (${by.actor}, ${resellerId}, ${kind}, ${id}, ${state}, ${until}, ${now})
    on conflict (actor, reseller_id, kind, need_id)
    do update set state = excluded.state, until = excluded.until, created_at = excluded.created_at`);
  await tx.execute(sql`
    delete from today_snooze where actor = ${by.actor} and reseller_id = ${resellerId} and (kind, need_id) in (
      select kind, need_id from today_snooze where actor = ${by.actor} and reseller_id = ${resellerId}
       order by created_at desc, kind, need_id offset ${MOST_OF_ONE})`);
  const detail = { kind, need: id, until: until.toISOString(), ...(note !== '' && { note }) };
  await recordAudit(tx, { action: 'need.snoozed', at: now, resellerId, ...by, detail });
}

/** Shows the caller again what they have put off. */
export async function endSnoozes(tx: Tx, { resellerId, by, now }: SnoozeAt): Promise<void> {
  const ended = await tx.execute(
    sql`delete from today_snooze where actor = ${by.actor} and reseller_id = ${resellerId}`,
  );
  if (ended === 0) return;
  const detail = { things: ended };
  await recordAudit(tx, { action: 'need.shownAgain', at: now, resellerId, ...by, detail });
}

/** A group without what was put off and says still the same; its count, sums and oldest follow. */
export function withoutSnoozed(group: NeedsOfGroup, snoozes: readonly Snooze[]): NeedsOfGroup {
  const isSnoozed = (need: Need) =>
    snoozes.some(
      ({ kind, need_id: id, state }) => kind === need.kind && id === need.id && state === need.state,
    );
  const hidden = group.items.filter(isSnoozed);
  if (hidden.length === 0) return group;
  const items = group.items.filter((need) => !isSnoozed(need));
  const count = group.count - hidden.length;
  const sums = group.sums.flatMap(({ currency, amount }) => {
    const left = hidden.reduce(
      (rest, need) =>
        need.currency === currency && need.amount !== null
          ? subtractMoney(rest, parseMoney(need.amount, currency))
          : rest,
      parseMoney(amount, currency),
    );
    return isPositive(left) ? [{ currency, amount: formatDecimal(left) }] : [];
  });
  // Of those that are not listed nothing is known but the oldest of all.
  const oldestAt = count > items.length ? group.oldestAt : (items.map(({ at }) => at).toSorted()[0] ?? null);
  return { group: group.group, isKnown: group.isKnown, count, sums, oldestAt, items };
}
