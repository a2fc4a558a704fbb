/** Plain requests to the sandbox as the documentation has them, and the adapter over it. */
import { beforeEach } from 'vitest';
import { benchOf } from '../cases/test-support.ts';
import { casesData } from './cases-data.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

export const { harness, now, advance, open, strategy } = benchOf({ manifest, createGateway }, casesData);
// Nothing goes to the bank by itself unless a test moves the clock.
beforeEach(() => harness.control('POST', 'settings', { debitMs: day }));

export const day = 24 * 60 * 60_000;
export const returnTo = 'https://portal.example/payment-types?flow=9f2c';

// ---- Plain requests ----

interface Entry {
  readonly reason?: string;
  readonly field?: string;
  readonly links?: Readonly<Record<string, string>>;
}
interface Resource {
  readonly id: string;
  readonly status: string;
  readonly links: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}
export interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, Resource & readonly Resource[]>>;
  readonly type: string;
  readonly entry: Entry;
  readonly after: string | null;
}

/** Whose account plain requests are of. */
export const caller = { account: 'plain' };
export const usual = () => ({
  authorization: `Bearer sandbox_${caller.account}`,
  'gocardless-version': '2015-07-06',
  'content-type': 'application/json',
});

export async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = usual(),
): Promise<Reply> {
  const answer = await fetch(`${harness.sandbox.url}/gocardless/api${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read = (await answer.json()) as {
    readonly error?: { readonly type: string; readonly errors: readonly Entry[] };
    readonly meta?: { readonly cursors: { readonly after: string | null } };
  };
  return {
    status: answer.status,
    body: read as Reply['body'],
    type: read.error?.type ?? '',
    entry: read.error?.errors[0] ?? {},
    after: read.meta?.cursors.after ?? null,
  };
}
export const refusal = ({ status, entry }: Reply) => [status, entry.reason ?? entry.field];

const wanted = (scheme: string, currency: string) => ({
  billing_requests: { mandate_request: { scheme, currency, verify: 'minimum' }, metadata: { setup: 'S1' } },
});
export const request = async (scheme = 'becs', currency = 'AUD') =>
  (await ask('POST', '/billing_requests', wanted(scheme, currency))).body['billing_requests'];
export const flowOf = async (id: string) =>
  (
    await ask('POST', '/billing_request_flows', {
      billing_request_flows: {
        redirect_uri: returnTo,
        exit_uri: `${returnTo}&exit=1`,
        prefilled_customer: { given_name: 'Ada', family_name: 'Example', email: 'ada@example.test' },
        links: { billing_request: id },
      },
    })
  ).body['billing_request_flows'];
export const page = (to: unknown, fields: Readonly<Record<string, string>>) =>
  fetch(String(to), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ mandate: 'accepted', ...fields }),
  });

export const bsb = { branch_code: '082-082', account_number: '012345678' };

/** A mandate given on the page by a customer of that first name. */
export async function mandate(
  name = 'Ada',
  scheme = 'becs',
  currency = 'AUD',
  fields: Readonly<Record<string, string>> = bsb,
) {
  const made = await request(scheme, currency);
  const flow = await flowOf(made?.id ?? '');
  await page(flow?.['authorisation_url'], { given_name: name, ...fields });
  const read = await ask('GET', `/billing_requests/${made?.id}`);
  return read.body['billing_requests']?.links['mandate_request_mandate'] ?? '';
}

let keys = 0;
export const newKey = () => {
  keys += 1;
  return { ...usual(), 'idempotency-key': `key-${keys}` };
};
export const order = (id: string, over: object = {}) => ({
  payments: {
    amount: 4250,
    currency: 'AUD',
    metadata: { attempt: 'PAY7K2M9Q4X1Z8B3C6' },
    links: { mandate: id },
    ...over,
  },
});
export const pay = async (id: string, over: object = {}) =>
  ask('POST', '/payments', order(id, over), newKey());
export const paid = async (id: string) => (await pay(id)).body['payments']?.id ?? '';
export const run = (name: string, resource: string) =>
  ask('POST', `/scenario_simulators/${name}/actions/run`, { data: { links: { resource } } });
export const act = (path: string, action: string) => ask('POST', `${path}/actions/${action}`, { data: {} });
export const statusOf = async (path: string, envelope: string) =>
  (await ask('GET', path)).body[envelope]?.status;
export const told = async (payment: string) =>
  [...((await ask('GET', `/events?payment=${payment}`)).body['events'] ?? [])]
    .map((event) => String(event['action']))
    .reverse();
