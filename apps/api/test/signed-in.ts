import { hashPassword } from '../src/features/auth/passwords.ts';
import type { TestWorld } from './test-world.ts';

const PASSWORD = 'Ledger!2026';
let hash: Promise<string> | undefined;

/** A customer of a reseller of their own with a signed-in user, and calls in their name. */
export async function signedIn(world: TestWorld, settings?: Readonly<Record<string, unknown>>) {
  const { customer, reseller } = await world.seedPayer(settings);
  hash ??= hashPassword(PASSWORD);
  const passwordHash = await hash;
  const user = await world.make.user({ resellerId: reseller.id, passwordHash, customerIds: [customer.id] });
  const form = {
    grant_type: 'password',
    client_id: 'counterfoil-portal',
    username: user.email,
    password: PASSWORD,
  };
  const answer = await world.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });
  const headers = { authorization: `Bearer ${answer.json().access_token}` };
  const call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) =>
    world.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return { customer, reseller, user, headers, call, get: (url: string) => call('GET', url) };
}
