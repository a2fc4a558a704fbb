import { multiplyBasisPoints } from '@counterfoil/domain/money/money.ts';
import { today } from '@counterfoil/domain/time/dates.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { hashPassword } from '../features/auth/passwords/passwords.ts';
import type { Runtime } from '../runtime.ts';
import { hasDemo } from './marks.ts';
import { usageLines } from './world/bills.ts';
import { demoBrands } from './world/brands.ts';
import { type DemoMonth, demoMonths, HISTORY_MONTHS } from './world/calendar.ts';
import { DEMO_PASSWORD, demoCustomers, demoUsers } from './world/customers.ts';
import { monthlyDocuments } from './world/history.ts';
import { oddDocuments } from './world/oddities.ts';
import { subscriptionsOf } from './world/subscriptions.ts';
import type { UsageScope } from './world/usage.ts';
import { writeBundles } from './writing/write-bundles.ts';
import { writeDocuments, writeOpenCharges } from './writing/write-documents.ts';
import { writePeople, writeTariffs } from './writing/write-people.ts';
import { writeSubscriptions } from './writing/write-subscriptions.ts';
import { type MonthSums, writeRollups, writeUsage } from './writing/write-usage.ts';

// Any number will do, as long as every process takes the same one.
export const DEMO_LOCK = 7_263_402;

/**
 * Writes the demo world where it is not there yet. It is one transaction: whoever is killed meanwhile leaves nothing
 * of it, and of two processes the second finds it done.
 */
export async function seedDemo({
  databases,
  secrets,
  clock,
}: Pick<Runtime, 'databases' | 'secrets' | 'clock'>): Promise<void> {
  const now = clock.now();
  const hashes = new Map<string, string>();
  // One after the other: on a busy machine the last of many would wait longer than the queue lets anybody wait.
  for (const { email } of demoUsers) hashes.set(email, await hashPassword(DEMO_PASSWORD));
  await databases.jobs.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${DEMO_LOCK})`);
    if (!(await hasDemo(tx))) await writeWorld(tx, { secrets }, hashes, demoMonths(now), now);
  });
}

async function writeWorld(
  tx: Tx,
  { secrets }: Pick<Runtime, 'secrets'>,
  hashes: ReadonlyMap<string, string>,
  months: readonly DemoMonth[],
  now: Date,
): Promise<void> {
  await writePeople(tx, { secrets, modules: gatewayModules }, hashes);
  await writeTariffs(tx);
  const scopes = scopesOf(now);
  await writeSubscriptions(tx, scopes, months);
  const usage = await writeUsage(tx, scopes, months);
  const history = usage.filter(({ month, sums }) => month.index < HISTORY_MONTHS && sums.length > 0);
  const running = usage.filter(({ month, sums }) => month.index === HISTORY_MONTHS && sums.length > 0);
  const documents = [
    ...history.flatMap(({ scope, month, sums }) => monthlyDocuments(scope, month, sums)),
    ...scopes.flatMap((scope) => oddDocuments(scope, months)),
  ];
  await writeDocuments(tx, secrets, documents, now);
  await writeOpenCharges(tx, running.map(openCharges));
  const lastMonth = months[HISTORY_MONTHS - 1];
  if (lastMonth !== undefined) await writeBundles(tx, scopes, lastMonth);
  await writeRollups(
    tx,
    demoCustomers.map((customer) => customer.id),
  );
  // A small sample is enough for tables this even; the database takes larger ones by itself later.
  await tx.execute(sql`set local default_statistics_target = 20`);
  await tx.execute(sql`analyze`);
}

function scopesOf(now: Date): readonly UsageScope[] {
  const until = Date.parse(`${today('UTC', now)}T00:00:00Z`);
  return demoCustomers.flatMap((customer) => {
    const brand = demoBrands.find((one) => one.id === customer.brandId);
    return brand === undefined
      ? []
      : [{ customer, brand, until, subscriptions: subscriptionsOf(customer, brand) }];
  });
}

const openCharges = ({ scope, month, sums }: MonthSums) => ({
  customer: scope.customer,
  lines: usageLines(scope, month, sums).map((line) => ({
    ...line,
    tax: multiplyBasisPoints(line.amount, line.taxPoints),
  })),
});
