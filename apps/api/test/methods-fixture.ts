import type { SavedSource } from '@counterfoil/contract/payment-methods.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, expect } from 'vitest';
import { signInAt } from './access-matrix/tenants.ts';
import { useFixture } from './test-fixture.ts';

/** What the tests of saved methods share: a fixture whose gateway obeys, and people who are signed in. */
export const fixture = useFixture();

const CARDS = '/v1/ec/payments/cards';
export const paths = {
  cards: CARDS,
  accounts: '/v1/ec/payments/payment-methods',
  defaultSource: '/v1/ec/payments/customer-default-source',
  setup: '/v1/ec/payments/setup-intent',
  charge: '/v1/ec/allow-reseller-charge',
  details: '/v1/ec/payments/details',
} as const;

export const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await fixture.database.pool().query(text, values)).rows as T[];

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Person {
  readonly customerId: string;
  readonly resellerId: number;
  readonly userId: string;
  readonly accountId: string;
  call(
    method: Method,
    url: string,
    payload?: object,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  /** Saves a card. @returns its id */
  add(token: string): Promise<string>;
  cards(): Promise<SavedSource[]>;
  /** Ids of the methods that are the default; there is at most one. */
  defaults(): Promise<string[]>;
}

export interface Settings {
  readonly brand?: Readonly<Record<string, unknown>>;
  readonly reseller?: Readonly<Record<string, unknown>>;
  readonly actor?: string;
}

/** A signed-in person of a customer of their own. */
export async function person({ brand = {}, reseller = {}, actor }: Settings = {}): Promise<Person> {
  const seeded = await fixture.seedPayer(brand);
  const { id: customerId, resellerId } = seeded.customer;
  await rows('update reseller set settings = $2 where id = $1', [resellerId, JSON.stringify(reseller)]);
  const user = await fixture.make.user({ resellerId, customerIds: [customerId] });
  const signIn = async () => ({
    at: fixture.clock.now(),
    token: (await signInAt(fixture, user.id, 'test', actor)).access_token,
  });
  let session = await signIn();
  const call: Person['call'] = async (method, url, payload, headers = {}) => {
    if (fixture.clock.now().getTime() - session.at.getTime() > 600_000) session = await signIn();
    return fixture.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${session.token}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
  };
  const cards = async () => {
    const answer = await call('GET', CARDS);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data as SavedSource[];
  };
  return {
    customerId,
    resellerId,
    userId: user.id,
    accountId: seeded.accountId,
    call,
    cards,
    async add(token) {
      const answer = await call('POST', CARDS, { token });
      expect(answer.json().data, answer.body).toMatchObject({ status: 'succeeded' });
      return String(answer.json().data.source.id);
    },
    async defaults() {
      const found = await rows<{ id: string }>(
        'select id from payment_method where customer_id = $1 and is_default',
        [customerId],
      );
      return found.map(({ id }) => id);
    },
  };
}

/** Events of the scripted gateway, signed; answered, and followed up as far as can be. */
export async function hook(
  resellerId: number,
  event: object,
  headers: Record<string, string> = { 'x-signed': '1' },
) {
  fixture.gateway.onWebhook = () => [{ id: `e_${Math.random()}`, about: 'method', ...event }];
  const answer = await fixture.app.inject({
    method: 'POST',
    url: `/v1/webhooks/scripted/${resellerId}`,
    payload: '{}',
    headers: { 'content-type': 'application/json', ...headers },
  });
  await fixture.eventsFollowed();
  return answer;
}

/** What is left of methods and setups, by state. */
export const states = (customerId: string, table: 'payment_method' | 'method_setup') =>
  rows<{ state: string; n: number }>(
    `select state, count(*)::int as n from ${table} where customer_id = $1 group by 1 order by 1`,
    [customerId],
  );

/** The setup reference of a customer's only setup, as the gateway sends it back. */
export async function refOf(customerId: string): Promise<string> {
  const [row] = await rows<{ ref: string }>(
    'select ref from method_setup where customer_id = $1 order by created_at desc, id desc limit 1',
    [customerId],
  );
  return row?.ref ?? '';
}

export { remoteId };

const scripts = [
  'onBeginSetup',
  'onCompleteSetup',
  'onUpdateMethod',
  'onRemoveMethod',
  'onGetMethod',
  'onListMethods',
  'onSetDefaultMethod',
  'onGetDefaultMethod',
] as const;
const asBuilt = Object.fromEntries(scripts.map((name) => [name, fixture.gateway[name]]));
beforeEach(() => {
  Object.assign(fixture.gateway, asBuilt);
});
