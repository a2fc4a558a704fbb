/** What the tests of the adapter share: its accounts in the sandbox, cards, bank accounts, saved methods. */
import { money } from '@counterfoil/domain/money/money.ts';
import * as z from 'zod/mini';
import { testCharge } from '../cases/test-charge.ts';
import { benchOf, type OpenOptions, testPerson } from '../cases/test-support.ts';
import { secretBytes } from '../kit/secret-bytes.ts';
import type { Charge, Gateway, Method, OneTimeInput, Outcome } from '../port/gateway.ts';
import { casesData } from './cases-data.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

const bench = benchOf({ manifest, createGateway }, casesData);
export const { harness, now, advance, strategy } = bench;
export const day = 25 * 3_600_000;

export const signatureKey = 'AB12'.repeat(32);
/** The adapter for an account of that name. */
export function openAccount(name: string, over: object = {}, options: OpenOptions = {}) {
  const config = z.parse(manifest.config, {
    apiLoginId: name,
    transactionKey: name.padEnd(16, '0').slice(0, 16),
    publicClientKey: `public-client-key-of-${name}`,
    signatureKeys: [signatureKey],
    ...over,
  });
  return bench.open(config, options);
}
export const open = (...of: Parameters<typeof openAccount>): Gateway => openAccount(...of).gateway;

export const bytes = (text: string) => secretBytes(new TextEncoder().encode(text));
export const visa = ['4111', '1111', '1111', '1111'].join('');
export const codeCard = ['4222', '2222', '2222', '2'].join('');
export const card = (number = visa): OneTimeInput => ({
  secrets: { number: bytes(number), code: bytes('900') },
  beside: { expirationDate: '2035-12' },
});
export const account = (number: string): OneTimeInput => ({
  secrets: { account: bytes(number) },
  beside: {
    routingNumber: '121042882',
    accountType: 'savings',
    nameOnAccount: 'Vera Fox',
    bankName: 'First Bank',
  },
});
export const consent = { text: 'x', version: '1', at: new Date(), ip: '203.0.113.7', agent: 'x' };
export const charge = (over: Partial<Charge> = {}): Charge =>
  testCharge({ amount: money(12_550n, 'USD'), sentAt: now(), ...over });
export const none = () => Promise.resolve();

let people = 0;
/** Saves a method for somebody new at an address of its own, unless said otherwise. */
export async function save(
  name: string,
  input: OneTimeInput,
  over: { kind?: 'card' | 'bank'; customerId?: string; address?: string } = {},
  options: OpenOptions = {},
) {
  people += 1;
  const { kind = 'card', customerId = `customer ${people}`, address = `${people} Street` } = over;
  const person = { ...testPerson, customerId };
  const owner = { name: 'Vera Fox', billing: { line1: address, country: 'US' } };
  const set = await openAccount(name, {}, options).setUp(input, { kind, person, owner, consent });
  return { ...set, person };
}
export async function saved(name: string, input = card()): Promise<Method> {
  const { done } = await save(name, input);
  if (done?.is !== 'saved') throw new Error(`saved as ${JSON.stringify(done)}`);
  return done.method;
}
export function paid(outcome: Outcome) {
  if (outcome.is !== 'succeeded') throw new Error(`paid as ${JSON.stringify(outcome)}`);
  return outcome;
}
