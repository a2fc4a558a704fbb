import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../../test/signed-in.ts';
import { useWorld } from '../../test/test-world.ts';
import type { AreaFlag } from './access.ts';

const world = useWorld();
const id = randomUUID();
const span = 'dateFrom=2026-01-01&dateTo=2026-01-31';

/** Calls by the areas that show what they answer. */
const calls: readonly (readonly [
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  areas: readonly AreaFlag[],
])[] = [
  ['GET', '/v1/ec/opening-balance', ['endShowDashboard']],
  ['GET', '/v1/ec/jasper-usage', ['endShowDashboard']],
  ['GET', '/v1/ec/jasper-usage/all', ['endShowDashboard']],
  ['GET', '/v1/ec/bundle-widget', ['endShowDashboard']],
  ['GET', '/v1/ec/next-bill', ['endShowDashboard']],
  ['GET', `/v1/ec/invoice/${id}`, ['endShowInvoices']],
  ['GET', `/v1/ec/invoice/${id}/usage.csv`, ['endShowInvoices']],
  ['GET', '/v1/ec/agreements', ['endShowTransactions', 'endShowUsage']],
  ['GET', `/v1/ec/billing-periods/${id}`, ['endShowTransactions']],
  ['GET', `/v1/ec/transactions?period=${id}`, ['endShowTransactions']],
  ['GET', '/v1/ec/extra-fields/labels', ['endShowTransactions']],
  ['GET', `/v1/ec/usage?${span}&pageNumber=1&pageSize=25`, ['endShowUsage', 'endShowInvoices']],
  ['GET', `/v1/ec/usage/summary?${span}`, ['endShowUsage']],
  ['GET', '/v1/ec/record-types', ['endShowUsage']],
  ['GET', '/v1/ec/services', ['endShowCostCentre', 'endShowServiceItem', 'endShowUsage', 'endShowReports']],
  ['GET', '/v1/ec/service-items', ['endShowCostCentre', 'endShowServiceItem', 'endShowUsage']],
  ['PUT', `/v1/ec/service-items/${id}`, ['endShowCostCentre', 'endShowServiceItem']],
  ['PUT', '/v1/ec/cost-centres', ['endShowCostCentre']],
  ['GET', '/v1/ec/cost-centres/changes', ['endShowCostCentre']],
  ['POST', `/v1/ec/cost-centres/changes/${id}/undo`, ['endShowCostCentre']],
  ['GET', `/v1/ec/cost-centres/summary?${span}`, ['endShowCostCentre']],
  ['GET', '/v1/ec/reports', ['endShowReports']],
  ['POST', '/v1/ec/reports', ['endShowReports']],
  ['GET', '/v1/ec/reports/jobs', ['endShowReports']],
  ['GET', `/v1/ec/reports/status/${id}`, ['endShowReports']],
  ['GET', `/v1/ec/reports/blob/${'A'.repeat(22)}`, ['endShowReports']],
];
const flags = [...new Set(calls.flatMap(([, , areas]) => areas))];
type Person = Awaited<ReturnType<typeof signedIn>>;

const setBrand = (person: Person, off: readonly AreaFlag[]) =>
  world.database
    .pool()
    .query('update brand set settings = settings || $2 where reseller_id = $1', [
      person.reseller.id,
      JSON.stringify(Object.fromEntries(flags.map((flag) => [flag, !off.includes(flag)]))),
    ]);

/** Which of the calls are answered as if they were not there. */
async function refused(person: Person): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [method, url] of calls) {
    const answer = await person.call(method, url, method === 'GET' ? undefined : {});
    if (answer.statusCode === 404 && answer.json().code === 'area.disabled') found.push(url);
  }
  return found;
}

let person: Person;
beforeAll(async () => {
  person = await signedIn(world);
});

describe('an area that the brand switches off', () => {
  it('is on by itself', async () => {
    expect(await refused(person)).toEqual([]);
  });

  it.each(flags)('%s: what only it shows is not there, what others show too is', async (flag) => {
    await setBrand(person, [flag]);
    expect(await refused(person)).toEqual(
      calls.filter(([, , areas]) => areas.length === 1 && areas[0] === flag).map(([, url]) => url),
    );
  });

  it.each(calls.filter(([, , areas]) => areas.length > 1))(
    '%s %s is gone when all are off that show it',
    async (...[, url, areas]) => {
      await setBrand(person, areas);
      expect(await refused(person)).toContain(url);
      await setBrand(person, areas.slice(1));
      expect(await refused(person)).not.toContain(url);
    },
  );

  it('leaves paying, the list of invoices, the statement and the account as they are', async () => {
    await setBrand(person, flags);
    expect(await refused(person)).toHaveLength(calls.length);
    for (const path of ['invoices', 'me', 'settings', 'preferences', 'sessions', `statement?${span}`]) {
      expect([path, (await person.get(`/v1/ec/${path}`)).statusCode]).toEqual([path, 200]);
    }
  });
});
