import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { type OpenapiDocument, type Operation, operationsOf } from '../answers/openapi-document.ts';
import type { AreaFlag } from './access.ts';

const fixture = useFixture();

/**
 * Calls that act for a customer, by the areas that show what they answer. None: whatever is off it answers; its route
 * says why.
 */
const expected: Readonly<Record<string, readonly AreaFlag[]>> = {
  'GET /v1/ec/settings': [],
  'GET /v1/ec/payments/details': [],
  'GET /v1/ec/allow-reseller-charge': [],
  'POST /v1/ec/payments/intents': [],
  'GET /v1/ec/payments/intents/{sessionId}': [],
  'POST /v1/ec/payments/intents/{sessionId}': [],
  'POST /v1/ec/payments/pay/bulk': [],
  'GET /v1/ec/payments/checkout-session/{id}': [],
  'POST /v1/ec/payments/checkout-session/{id}': [],
  'GET /v1/ec/scripted/pay/bulk-template/{sessionId}': [],

  'GET /v1/ec/opening-balance': ['endShowDashboard'],
  'GET /v1/ec/jasper-usage': ['endShowDashboard'],
  'GET /v1/ec/jasper-usage/all': ['endShowDashboard'],
  'GET /v1/ec/bundle-widget': ['endShowDashboard'],
  'GET /v1/ec/next-bill': ['endShowDashboard'],
  'GET /v1/ec/credit': ['endShowDashboard'],
  'GET /v1/ec/invoices': ['endShowDashboard', 'endShowInvoices', 'endShowReports'],
  'GET /v1/ec/invoices/overview': ['endShowDashboard', 'endShowInvoices'],
  'GET /v1/ec/invoices/{id}': ['endShowDashboard', 'endShowInvoices'],
  'GET /v1/ec/invoice/{id}': ['endShowInvoices'],
  'GET /v1/ec/invoice/{id}/lines': ['endShowInvoices'],
  'GET /v1/ec/invoice/{id}/usage.csv': ['endShowInvoices'],
  'GET /v1/ec/invoice/{id}/e-invoices': ['endShowInvoices'],
  'GET /v1/ec/invoice/{id}/e-invoice.xml': ['endShowInvoices'],
  'GET /v1/ec/invoice/{id}/factur-x.pdf': ['endShowInvoices'],
  'POST /v1/ec/invoice/{id}/pay-link': ['endShowInvoices'],
  'GET /v1/ec/payments/{id}/receipt': ['endShowInvoices', 'paymentsEnabled'],
  'GET /v1/ec/statement': ['endShowInvoices'],
  'GET /v1/ec/statement/pdf': ['endShowInvoices'],
  'GET /v1/ec/agreements': ['endShowTransactions', 'endShowUsage'],
  'GET /v1/ec/billing-periods/{id}': ['endShowTransactions'],
  'GET /v1/ec/transactions': ['endShowTransactions'],
  'GET /v1/ec/transactions/sums': ['endShowTransactions'],
  'GET /v1/ec/extra-fields/labels': ['endShowTransactions'],
  'GET /v1/ec/usage': ['endShowUsage', 'endShowInvoices'],
  'GET /v1/ec/usage/summary': ['endShowUsage'],
  'POST /v1/ec/usage/download': ['endShowUsage'],
  'GET /v1/ec/record-types': ['endShowUsage'],
  'GET /v1/ec/services': ['endShowCostCentre', 'endShowServiceItem', 'endShowUsage', 'endShowReports'],
  'GET /v1/ec/service-items': ['endShowCostCentre', 'endShowServiceItem', 'endShowUsage'],
  'GET /v1/ec/service-items/cost-centres': ['endShowCostCentre', 'endShowServiceItem'],
  'PUT /v1/ec/service-items/{id}': ['endShowCostCentre', 'endShowServiceItem'],
  'PUT /v1/ec/cost-centres': ['endShowCostCentre'],
  'GET /v1/ec/cost-centres/changes': ['endShowCostCentre'],
  'POST /v1/ec/cost-centres/changes/{id}/undo': ['endShowCostCentre'],
  'GET /v1/ec/cost-centres/summary': ['endShowCostCentre'],
  'GET /v1/ec/reports': ['endShowReports'],
  'POST /v1/ec/reports': ['endShowReports'],
  'GET /v1/ec/reports/jobs': ['endShowReports'],
  'GET /v1/ec/reports/status/{id}': ['endShowReports'],
  'GET /v1/ec/reports/blob/{path}': ['endShowReports'],
  'PUT /v1/ec/allow-reseller-charge': ['paymentsEnabled'],
};
/** Saved methods have an address for each kind of gateway. */
const ofMethods = (operation: Operation) => operation.tags?.includes('payment-methods') === true;

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const areasOf = (operation: Operation) => operation['x-areas'] ?? [];
type Person = Awaited<ReturnType<typeof signedIn>>;
let person: Person;
let calls: readonly Operation[];
let flags: readonly AreaFlag[];
beforeAll(async () => {
  person = await signedIn(fixture);
  const document = (await fixture.app.inject('/openapi.json')).json<OpenapiDocument>();
  calls = operationsOf(document).filter(({ access, method }) => access === 'customer' && method !== 'HEAD');
  flags = [...new Set(calls.flatMap(areasOf))];
});

const setBrand = (off: readonly AreaFlag[]) =>
  fixture.database
    .pool()
    .query('update brand set settings = settings || $2 where reseller_id = $1', [
      person.reseller.id,
      JSON.stringify(Object.fromEntries(flags.map((flag) => [flag, !off.includes(flag)]))),
    ]);

/** Whether a call is answered as if it were not there. What it asks for need not make sense: that is looked at later. */
async function isOff({ method, path }: Operation): Promise<boolean> {
  const url = path.replaceAll(/\{\w+\}/g, randomUUID());
  const body = method === 'GET' ? undefined : {};
  const answer = await person.call(method as 'GET', url, body);
  return answer.statusCode === 404 && answer.json().code === 'area.disabled';
}

async function refused(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const call of calls) if (await isOff(call)) found.push(nameOf(call));
  return found;
}

describe('what a brand switches off', () => {
  it('is said by every call that acts for a customer: the areas it serves, or that none decides', () => {
    const declared = calls.filter((call) => !ofMethods(call) || nameOf(call) in expected);
    expect(Object.fromEntries(declared.map((call) => [nameOf(call), areasOf(call)]))).toEqual(expected);
    const methods = calls.filter((call) => ofMethods(call) && !(nameOf(call) in expected));
    expect(methods.length).toBeGreaterThan(10);
    expect(methods.filter((call) => areasOf(call).join() !== 'paymentsEnabled').map(nameOf)).toEqual([]);
  });

  it('is on by itself', async () => {
    expect(await refused()).toEqual([]);
  });

  it('is not there where only it shows it; what other areas show too is', async () => {
    for (const flag of flags) {
      await setBrand([flag]);
      const own = calls.filter((call) => areasOf(call).join() === flag).map(nameOf);
      // Paying several says by itself that payments are off.
      const bulk = flag === 'paymentsEnabled' ? calls.filter(({ tags }) => tags?.includes('bulk-pay')) : [];
      const told = bulk.map(nameOf);
      expect([flag, (await refused()).filter((name) => !told.includes(name))]).toEqual([flag, own]);
    }
  });

  it('is gone when all areas are off that show it, and there while one is on', async () => {
    for (const call of calls.filter((one) => areasOf(one).length > 1)) {
      const areas = areasOf(call);
      await setBrand(areas);
      expect([nameOf(call), await isOff(call)]).toEqual([nameOf(call), true]);
      for (const area of areas) {
        await setBrand(areas.filter((one) => one !== area));
        expect([nameOf(call), area, await isOff(call)]).toEqual([nameOf(call), area, false]);
      }
    }
  });

  it('leaves signing in, the account and the payment settings as they are', async () => {
    await setBrand(flags);
    for (const path of [
      'me',
      'settings',
      'preferences',
      'sessions',
      'payments/details',
      'allow-reseller-charge',
    ])
      expect([path, (await person.get(`/v1/ec/${path}`)).statusCode]).toEqual([path, 200]);
  });

  it('is left to what a pay link shows: it is paid by whoever has the link', async () => {
    await setBrand(flags.filter((flag) => flag !== 'paymentsEnabled'));
    const invoice = await fixture.seedPayable(person.customer, { number: 'OFF-1' });
    const answer = await fixture.app.inject(`/v1/ec/payment/details/${invoice.token}`);
    expect(answer.statusCode).toBe(200);
  });
});
