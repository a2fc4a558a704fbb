import { paymentRules } from '../../../src/features/books/rules.ts';
import { brokenRules } from '../../fixtures/paying/books.ts';
import type { Market } from './market.ts';
import type { UnreliableGateway } from './unreliable-gateway.ts';

interface Captured {
  id: string;
  ref: string;
  remote: string;
  amount: bigint;
  to_credit: bigint;
  to_fee: bigint;
  reversed: bigint;
}

interface Attempted {
  id: string;
  ref: string;
  state: string;
  last: string;
  kind: string;
  amount: bigint;
  fee: bigint;
  credit: bigint;
  claimed: bigint;
}

/** What a payment costs beside what is paid, worked out apart from the product. */
export interface Fees {
  readonly card: { readonly percent: number; readonly fixedMinor: number; readonly capMinor: number };
  readonly bank: { readonly percent: number; readonly fixedMinor: number; readonly capMinor: number };
}

function feeOf(due: bigint, { percent, fixedMinor, capMinor }: Fees['card']): bigint {
  const share = Math.round((Number(due) * percent) / 100 + Number.EPSILON * 1_000);
  return BigInt(Math.min(share + fixedMinor, capMinor));
}

/** Compares the gateway's own book with ours, and ours with itself. What differs is a violation. */
export async function compareBooks(market: Market, gateway: UnreliableGateway, fees: Fees): Promise<number> {
  const { pool, violations, told, sumsTold } = market;
  const rows = async <T>(text: string) => (await pool.query(text)).rows as T[];
  for (const [rule, broken] of Object.entries(await brokenRules(pool, { rules: paymentRules })))
    violations.push(
      `${rule}: ${JSON.stringify(broken, (_key, value) => (typeof value === 'bigint' ? String(value) : value))}`,
    );
  const open = await rows<{ ref: string; state: string }>('select ref, state from attempt where is_open');
  for (const { ref, state } of open.slice(0, 5)) violations.push(`stays open: ${ref}, ${state}`);
  const events = await rows<{ event_key: string; outcome: string | null }>(
    'select event_key, outcome from inbox',
  );
  const left = events.filter(({ outcome }) => outcome === null || outcome.startsWith('person: '));
  for (const { event_key, outcome } of left.slice(0, 5))
    violations.push(`an event is not followed up: ${event_key}, ${outcome ?? 'it waits'}`);

  const captures = await rows<Captured>(`
    select a.id, a.ref, c.remote, c.amount_minor as amount, c.to_credit_minor as to_credit, c.to_fee_minor as to_fee,
           c.reversed_minor as reversed
      from capture c join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id`);
  const booked = new Map(captures.map((capture) => [capture.ref, capture]));
  if (booked.size !== captures.length) violations.push('a payment has two captures');
  const back = new Map<string, bigint>();
  for (const { of, minor, isRefused } of gateway.refunded.values())
    if (!isRefused) back.set(of, (back.get(of) ?? 0n) + minor);
  for (const entry of gateway.book.values()) {
    const ours = booked.get(entry.ref);
    if (entry.state !== 'taken') {
      if (ours !== undefined) violations.push(`booked and not taken: ${entry.ref}, ${entry.state}`);
      continue;
    }
    if (ours === undefined) {
      violations.push(`taken and not booked: ${entry.ref}`);
      continue;
    }
    if (ours.amount !== entry.captured)
      violations.push(`${entry.ref}: ${entry.captured} taken, ${ours.amount} booked`);
    const surplus = entry.captured > entry.asked ? entry.captured - entry.asked : 0n;
    if (ours.to_credit !== surplus) {
      const why =
        ours.to_credit > surplus ? 'it was charged twice, or booked late' : 'it was kept from its customer';
      violations.push(`${entry.ref}: ${ours.to_credit} went to credit, not ${surplus}: ${why}`);
    }
    const net = entry.captured - entry.away - (back.get(entry.ref) ?? 0n);
    if (net < 0n) violations.push(`${entry.ref}: more was refunded than taken`);
    if (ours.amount - ours.reversed !== net)
      violations.push(`${entry.ref}: the gateway keeps ${net}, our books ${ours.amount - ours.reversed}`);
    for (const sum of sumsTold.get(ours.id) ?? [])
      if (sum !== entry.captured) violations.push(`${entry.ref}: ${entry.captured} taken, ${sum} told`);
    if (told.get(ours.id)?.has('failed') === true)
      violations.push(`${entry.ref}: failed was told for money that was taken`);
  }
  for (const { ref } of captures)
    if (!gateway.book.has(ref)) violations.push(`booked and unknown there: ${ref}`);
  const reversals = await rows<{ remote: string; amount: bigint }>(
    `select remote, amount_minor as amount from reversal where kind = 'refund'`,
  );
  const refunds = new Map(reversals.map(({ remote, amount }) => [remote, amount]));
  for (const [ref, { minor, isRefused }] of gateway.refunded) {
    if (refunds.get(`gb_${ref}`) !== (isRefused ? undefined : minor))
      violations.push(
        `refund ${ref}: ${isRefused ? 'refused' : minor} there, ${refunds.get(`gb_${ref}`)} here`,
      );
  }
  const attempts = await checkAttempts(market, booked, fees);
  for (const [n, violation] of violations.entries()) violations[n] = await explained(market, violation);
  return attempts;
}

/** A violation with what its attempt has been through. */
async function explained({ pool }: Market, violation: string): Promise<string> {
  const ref = /^[0-9A-Z]{18}(?=: )|(?<=: )[0-9A-Z]{18}$/.exec(violation)?.[0];
  if (ref === undefined) return violation;
  const { rows } = await pool.query(
    `select t.to_state, t.cause, t.at from attempt a
       join transition t on t.customer_id = a.customer_id and t.attempt_id = a.id where a.ref = $1 order by t.seq`,
    [ref],
  );
  const steps = (rows as { to_state: string; cause: string; at: Date }[]).map(
    ({ to_state, cause, at }) => `${at.toISOString().slice(5, 23)} ${to_state} (${cause})`,
  );
  return `${violation} [${steps.join(', ')}]`;
}

/** @returns the number of charges that were attempted */
async function checkAttempts(
  market: Market,
  booked: ReadonlyMap<string, Captured>,
  fees: Fees,
): Promise<number> {
  const { pool, violations, told } = market;
  const attempts = (
    await pool.query(`
      select a.id, a.ref, a.state, a.kind, a.amount_minor as amount, a.fee_minor as fee, a.credit_minor as credit,
             (select t.to_state from transition t where t.customer_id = a.customer_id and t.attempt_id = a.id
               order by t.seq desc limit 1) as last,
             (select coalesce(sum(c.amount_minor), 0)::bigint from claim c
               where c.customer_id = a.customer_id and c.attempt_id = a.id) as claimed
        from attempt a where a.direction = 'charge'`)
  ).rows as Attempted[];
  for (const { id, ref, state, last, kind, amount, fee, credit, claimed } of attempts) {
    if (state !== last) violations.push(`${ref}: it is ${state} and was last made ${last}`);
    if (amount !== claimed - credit + fee)
      violations.push(`${ref}: ${amount} was asked for ${claimed} less ${credit} and a fee of ${fee}`);
    const own = feeOf(amount - fee, kind === 'bank' ? fees.bank : fees.card);
    if (fee !== own) violations.push(`${ref}: the fee is ${fee}, not ${own}`);
    if (told.get(id)?.has('succeeded') === true && !booked.has(ref))
      violations.push(`${ref}: succeeded was told and nothing was taken`);
    if ((booked.get(ref)?.to_fee ?? 0n) > fee) violations.push(`${ref}: more than its fee was booked as fee`);
  }
  return attempts.length;
}
