import { createHash, randomUUID } from 'node:crypto';
import { sql } from '../src/db/sql.ts';
import { createIncoming, incomingColumns, mergeIncoming } from '../src/features/imports/usage/merge.ts';
import { ensureMonths } from '../src/features/usage/months/months.ts';
import { type Random, seededRandom } from './bad-input/random.ts';
import type { TestFixture } from './test-fixture.ts';

/** One record as an import would have it. */
export interface UsageSeed {
  readonly customerId: string;
  readonly at: string;
  readonly id?: string;
  readonly agreementId: string;
  readonly recordTypeId: string;
  readonly serviceItemId: string;
  readonly number: string;
  readonly third: string;
  readonly units: string;
  /** Null: none was given. */
  readonly price: string | null;
}

/** Brings records in by the merge of the import, so that rollups and versions are its own. */
export async function mergeUsage(fixture: TestFixture, records: readonly UsageSeed[]): Promise<void> {
  const { jobs } = fixture.deps.databases;
  await ensureMonths(jobs, [...new Set(records.map(({ at }) => `${at.slice(0, 7)}-01`))]);
  const rows = records.map((one) => ({
    customer_id: one.customerId,
    started_at: one.at,
    id: one.id ?? randomUUID(),
    agreement_id: one.agreementId,
    record_type_id: one.recordTypeId,
    service_item_id: one.serviceItemId,
    service_item2: one.number,
    service_item3: one.third,
    units: one.units,
    price: one.price ?? '0',
    has_price: one.price !== null,
    content_hash: hashOf(one),
  }));
  await jobs.transaction(async (tx) => {
    await createIncoming(tx);
    await tx.execute(sql`
      insert into usage_incoming (${incomingColumns}, line)
      select r.*, row_number() over () from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
        customer_id uuid, started_at timestamptz, id uuid, agreement_id uuid, record_type_id uuid,
        service_item_id uuid, service_item2 text, service_item3 text, units numeric, price numeric, has_price boolean,
        content_hash bigint)`);
    await mergeIncoming(tx);
  });
}

const hashOf = (record: UsageSeed): string =>
  createHash('sha256').update(JSON.stringify(record)).digest().readBigInt64BE().toString();

/** What a customer's records can be of. */
export interface UsageThings {
  readonly customerId: string;
  readonly agreements: readonly [string, ...string[]];
  readonly services: readonly [string, ...string[]];
  /** Two of them have the same description, in different services; the last is rare. */
  readonly recordTypes: readonly [string, ...string[]];
  /** With names, descriptions, cost centres and sites of which some are equal and some missing; the first is busy. */
  readonly serviceItems: readonly [string, ...string[]];
}

/** Gives a customer agreements, services, record types and lines. */
export async function usageThings(
  fixture: TestFixture,
  { customerId, resellerId }: { readonly customerId: string; readonly resellerId: number },
  lines: number,
): Promise<UsageThings> {
  const add = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);
  const many = (n: number) => Array.from({ length: n }, () => randomUUID()) as [string, ...string[]];
  const things = { agreements: many(3), services: many(2), recordTypes: many(5), serviceItems: many(lines) };
  for (const [index, id] of things.agreements.entries())
    await add('insert into agreement (customer_id, id, name) values ($1, $2, $3)', [
      customerId,
      id,
      `A${index}`,
    ]);
  for (const [index, id] of things.services.entries())
    await add('insert into service (id, reseller_id, code, name) values ($1, $2, $3, $4)', [
      id,
      resellerId,
      id,
      `Service ${index}`,
    ]);
  const descriptions = ['National', 'mobile', 'SMS', 'National', 'Été'];
  const units = ['second', 'message', 'second', null, 'second'];
  for (const [index, id] of things.recordTypes.entries())
    await add(
      'insert into record_type (id, reseller_id, service_id, code, description, unit) values ($1::uuid, $2, $3, $1::text, $4, $5)',
      [id, resellerId, things.services[index % 2], descriptions[index], units[index]],
    );
  for (const [index, id] of things.serviceItems.entries())
    await add(
      `insert into service_item (customer_id, id, service_id, agreement_id, name, description, cost_centre, site)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        customerId,
        id,
        things.services[index % 2],
        things.agreements[index % 3],
        // The same name in both services, in another order than they were made.
        `06${String(((index >> 1) * 37) % 101).padStart(3, '0')}`,
        index % 4 === 0 ? null : `Desk ${index % 5}`,
        index % 3 === 0 ? null : `CC ${index % 7}`,
        index % 5 === 0 ? null : `Site ${index % 2}`,
      ],
    );
  return { customerId, ...things };
}

/** Records with ties in time, price, units and number, records on month borders, and some without a price. */
export function randomUsage(
  things: UsageThings,
  { n, months, seed }: { readonly n: number; readonly months: readonly string[]; readonly seed: number },
): UsageSeed[] {
  const random = seededRandom(seed);
  return Array.from({ length: n }, () => {
    const month = months[Math.floor(months.length * square(random))] ?? '2026-01';
    const type = random.oneIn(60) ? 4 : random.integer(4);
    return {
      customerId: things.customerId,
      at: instant(month, random),
      agreementId: random.pick(things.agreements),
      recordTypeId: things.recordTypes[type] ?? '',
      serviceItemId: random.oneIn(5) ? things.serviceItems[0] : random.pick(things.serviceItems),
      number: random.pick([
        '',
        '%',
        '_x',
        '+44%1',
        '+44_1',
        '+441',
        `+44${random.integer(40)}`,
        'Ω',
        '\u{1F4DE}9',
      ]),
      third: random.pick(['', 'a', 'b', `t${random.integer(9)}`]),
      units: random.pick(['0', '1', '60', '60.5', `${random.integer(900)}.${random.integer(999)}`]),
      price: random.pick([null, '0', '0.013', '-1.5', `${random.integer(3)}.${random.integer(99)}`]),
    };
  });
}

/** Small numbers more often. */
const square = (random: Random): number => (random.integer(1000) / 1000) ** 2;

/** Often on the same second, sometimes the very first or last instant of a month; microseconds count. */
function instant(month: string, random: Random): string {
  if (random.oneIn(40)) return `${month}-01T00:00:00.000000Z`;
  if (random.oneIn(40)) return `${lastDay(month)}T23:59:59.999999Z`;
  const two = (max: number) => String(random.integer(max)).padStart(2, '0');
  const day = String(1 + random.integer(28)).padStart(2, '0');
  const micros = random.oneIn(3) ? `.${String(random.integer(4)).padStart(6, '0')}` : '';
  return `${month}-${day}T${two(24)}:${random.pick(['00', '15', '30'])}:00${micros}Z`;
}

const lastDay = (month: string): string => {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1, 0);
  return next.toISOString().slice(0, 10);
};
