/** What the tests of the adapter share: cards, payments and saved methods of the sandbox. */
import { testCharge } from '../cases/test-charge.ts';
import { benchOf, type Opened } from '../cases/test-support.ts';
import type { Charge, Gateway, GatewayState } from '../port/gateway.ts';
import { tradeCard } from './card-token.ts';
import { casesData } from './cases-data.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

export const { harness, open, strategy } = benchOf({ manifest, createGateway }, casesData);

export const visa = ['4242', '4242', '4242', '4242'].join('');
export const owner = { name: 'Ada Example', email: 'ada@example.test' };
export const hour = 60 * 60_000;

export async function newToken(): Promise<string> {
  const entered = await tradeCard(`${harness.sandbox.url}/pinch/api/test/tokens`, typed);
  if (entered === undefined || !('token' in entered)) throw new Error(JSON.stringify(entered));
  return entered.token;
}
export const typed = {
  PublishableKey: 'pk_test_cases',
  CardNumber: visa,
  Cvc: '123',
  ExpiryMonth: 9,
  ExpiryYear: new Date().getUTCFullYear() + 3,
  CardHolderName: 'Ada Example',
};

export const charged = async (over: Partial<Charge> = {}): Promise<Charge> =>
  testCharge({ source: { token: await newToken() }, owner, ...over });

export async function save({ setUp }: Pick<Opened, 'setUp'>) {
  const { payer, done } = await setUp({ token: await newToken() }, { owner });
  if (done.is !== 'saved') throw new Error(JSON.stringify(done));
  return { method: done.method, payer };
}
export async function listed(gateway: Gateway, payer: GatewayState): Promise<string[]> {
  const methods = await Array.fromAsync(gateway.listMethods?.(payer) ?? []);
  return methods.map(({ remote }) => remote);
}
