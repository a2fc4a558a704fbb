import type { AdjustmentValues } from '@counterfoil/contract/operator/billing/adjustments.ts';
import { formatDecimal, isCurrencyCode, money, parseMoney } from '@counterfoil/domain/money/money.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { customersNamed } from '../admin/queries.ts';
import { Account, followCredits } from '../payments/service.ts';
import { type Change, customerJoin, type Entity, ownedColumns, type StoredRow, thingsOf } from './entity.ts';
import { invalid, notKnown } from './named.ts';

interface KeptAdjustment {
  readonly kind: AdjustmentValues['kind'];
  /** Minor units, as JSON carries them. */
  readonly amountMinor: string;
  readonly currency: string;
  readonly bookedOn: string;
  readonly note: string;
}

/** Opening balances of customers, and what is corrected by hand. Each is booked in the ledger; a change takes back what it was. */
export const adjustments: Entity<AdjustmentValues, KeptAdjustment> = {
  kind: 'adjustment',
  present: ({ amountMinor, ...kept }) => ({
    kind: kept.kind,
    amount: formatDecimal(money(BigInt(amountMinor), kept.currency)),
    currency: kept.currency,
    bookedOn: kept.bookedOn,
    note: kept.note,
  }),
  select: (where) => sql<StoredRow<KeptAdjustment>>`
    select ${ownedColumns}, json_build_object(
             'kind', t.kind, 'amountMinor', t.amount_minor::text, 'currency', t.currency, 'bookedOn', t.booked_on,
             'note', t.note) as kept
      from balance_adjustment t ${customerJoin} ${where}`,
  async understand(tx, resellerId, asked) {
    const customers = await customersNamed(
      tx,
      resellerId,
      asked.map(({ values }) => values.customer),
    );
    // Nowhere on earth is it later than this.
    const { last } = await tx.one<{ last: string }>(
      sql`select (now() at time zone 'UTC' + interval '14 hours')::date as last`,
    );
    return asked.map(({ values: { customer, kind, amount, currency, bookedOn, note } }) => {
      const customerId = customers.get(customer);
      if (customerId === undefined) return notKnown('customer');
      if (!isCurrencyCode(currency)) return invalid('currency', 'is no currency');
      const minor = minorOf(amount, currency);
      if (minor === undefined) return invalid('amount', 'has more decimals than its currency');
      if (bookedOn > last) return invalid('bookedOn', 'has not come yet');
      return { customerId, kept: { kind, amountMinor: `${minor}`, currency, bookedOn, note } };
    });
  },
  async write(tx, resellerId, changes, now) {
    const before = await readBooked(
      tx,
      changes.map(({ customerId, id }) => ({ customer_id: customerId, id })),
    );
    await tx.execute(sql`
      insert into balance_adjustment (customer_id, id, kind, reference, currency, amount_minor, booked_on, booked_at, note,
                                      version)
      select g.customer, g.id, g.kind, g.reference, g.currency, g.minor, g.day,
             -- Midday of the day in the brand's zone: statements then show it on that day.
             (g.day + time '12:00') at time zone b.time_zone, g.note, 1
        from unnest(${changes.map(({ customerId }) => customerId)}::uuid[], ${changes.map(({ id }) => id)}::uuid[],
                    ${changes.map(({ kept }) => kept.kind)}::text[], ${changes.map(({ reference }) => reference)}::text[],
                    ${changes.map(({ kept }) => kept.currency)}::text[],
                    ${changes.map(({ kept }) => kept.amountMinor)}::bigint[],
                    ${changes.map(({ kept }) => kept.bookedOn)}::date[], ${changes.map(({ kept }) => kept.note)}::text[])
               as g(customer, id, kind, reference, currency, minor, day, note)
        join customer c on c.customer_id = g.customer
        join brand b on b.id = coalesce(c.brand_id,
               (select id from brand where reseller_id = ${resellerId} order by id limit 1), 0)
      on conflict (customer_id, id) do update
         set kind = excluded.kind, currency = excluded.currency, amount_minor = excluded.amount_minor,
             booked_on = excluded.booked_on, booked_at = excluded.booked_at, note = excluded.note,
             version = balance_adjustment.version + 1`);
    const after = await readBooked(tx, changes.map(asRow));
    await post(tx, [...before.map((one) => undone(one)), ...after.map((one) => booked(one))], now);
  },
  async remove(tx, _resellerId, rows, now) {
    const before = await readBooked(tx, rows);
    await post(tx, before.map(undone), now);
    await tx.execute(sql`
      delete from balance_adjustment t using ${thingsOf(rows)} where t.customer_id = g.customer and t.id = g.id`);
  },
};

const asRow = ({ customerId, id }: Change<KeptAdjustment>) => ({ customer_id: customerId, id });

function minorOf(amount: string, currency: string): bigint | undefined {
  try {
    return parseMoney(amount, currency).minor;
  } catch {
    return undefined;
  }
}

/** An adjustment as it is booked. */
interface Booked {
  readonly customer_id: string;
  readonly id: string;
  readonly currency: string;
  readonly minor: bigint;
  readonly at: Date;
  readonly version: number;
}

const readBooked = (tx: Tx, of: readonly Pick<Booked, 'customer_id' | 'id'>[]): Promise<Booked[]> =>
  tx.many(sql`
    select t.customer_id, t.id, t.currency, t.amount_minor as minor, t.booked_at as at, t.version
      from unnest(${of.map((row) => row.customer_id)}::uuid[], ${of.map(({ id }) => id)}::uuid[]) as g(customer, id)
      join balance_adjustment t on t.customer_id = g.customer and t.id = g.id
     order by t.customer_id, t.id`);

/** An entry: what the customer owes changes by an amount. */
interface Entry extends Omit<Booked, 'version'> {
  readonly leg: string;
  /** What was the customer's credit stays an entry of that account when it is taken back. */
  readonly account: string;
}

const accountOf = (minor: bigint): string => (minor > 0n ? Account.receivable : Account.customerCredit);

const booked = ({ version, ...one }: Booked): Entry => ({
  ...one,
  leg: `book:${version}`,
  account: accountOf(one.minor),
});

const undone = ({ version, ...one }: Booked): Entry => ({
  ...one,
  minor: -one.minor,
  leg: `undo:${version}`,
  account: accountOf(one.minor),
});

/** Posts entries, and follows what they change of customers' credit. */
async function post(tx: Tx, entries: readonly Entry[], now: Date): Promise<void> {
  if (entries.length === 0) return;
  const sides = entries.map(({ minor, account }) =>
    minor > 0n ? [account, Account.adjustment] : [Account.adjustment, account],
  );
  await tx.execute(sql`
    insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
    select g.customer, g.id, g.debit, g.credit, g.currency, g.minor, 'adjustment', g.source, g.leg, g.at
      from unnest(${entries.map((one) => one.customer_id)}::uuid[], ${entries.map(() => newId(now.getTime()))}::uuid[],
                  ${sides.map(([debit]) => debit)}::text[], ${sides.map(([, credit]) => credit)}::text[],
                  ${entries.map(({ currency }) => currency)}::text[],
                  ${entries.map(({ minor }) => `${minor < 0n ? -minor : minor}`)}::bigint[],
                  ${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ leg }) => leg)}::text[],
                  ${entries.map(({ at }) => at)}::timestamptz[])
             as g(customer, id, debit, credit, currency, minor, source, leg, at)`);
  const credits = new Map<string, { customerId: string; currency: string; minor: bigint }>();
  for (const { customer_id: customerId, currency, minor, account } of entries) {
    if (account !== Account.customerCredit) continue;
    const key = `${customerId} ${currency}`;
    credits.set(key, { customerId, currency, minor: (credits.get(key)?.minor ?? 0n) - minor });
  }
  await followCredits(tx, [...credits.values()]);
}
