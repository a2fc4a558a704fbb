import { hashPassword } from '../src/features/auth/passwords.ts';
import type { TestFixture } from './test-fixture.ts';

const PASSWORD = 'Ledger!2026';
let hash: Promise<string> | undefined;

/** A customer of a reseller of their own with a signed-in user, and calls in their name. */
export async function signedIn(fixture: TestFixture, settings?: Readonly<Record<string, unknown>>) {
  const { customer, reseller } = await fixture.seedPayer(settings);
  hash ??= hashPassword(PASSWORD);
  const passwordHash = await hash;
  const user = await fixture.make.user({ resellerId: reseller.id, passwordHash, customerIds: [customer.id] });
  const form = {
    grant_type: 'password',
    client_id: 'counterfoil-portal',
    username: user.email,
    password: PASSWORD,
  };
  const answer = await fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });
  const headers = { authorization: `Bearer ${answer.json().access_token}` };
  const call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) =>
    fixture.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return { customer, reseller, user, headers, call, get: (url: string) => call('GET', url) };
}
