import { money } from '@counterfoil/domain/money/money.ts';
import { SandboxHarness } from '@counterfoil/sandbox/test-support.ts';
import * as z from 'zod/mini';
import { testCharge } from '../cases/test-charge.ts';
import { secretBytes } from '../kit/secret-bytes.ts';
import { resolveAddresses } from '../port/addresses.ts';
import type { Charge, Gateway, LookupStrategy, Method, OneTimeInput, Outcome } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

export const harness = new SandboxHarness('authorize-net');
let aheadMs = 0;
export const advance = async (ms: number) => {
  aheadMs += ms;
  await harness.advance(ms);
};
export const clock = { now: () => new Date(Date.now() + aheadMs) };
export const day = 25 * 3_600_000;

export const signatureKey = 'AB12'.repeat(32);
export function open(name: string, over: object = {}, timeoutMs = 5_000): Gateway {
  const config = z.parse(manifest.config, {
    apiLoginId: name,
    transactionKey: name.padEnd(16, '0').slice(0, 16),
    publicClientKey: `public-client-key-of-${name}`,
    signatureKeys: [signatureKey],
    ...over,
  });
  return createGateway({
    config,
    addresses: resolveAddresses(manifest, { GATEWAY_URL_AUTHORIZE_NET: harness.sandbox.url }),
    clock,
    log: { debug: () => undefined, warn: () => undefined },
    timeoutMs,
  });
}

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
export const charge = (over: Partial<Charge> = {}): Charge => {
  const sentAt = clock.now();
  return testCharge({ amount: money(12_550n, 'USD'), sentAt, lastSentAt: sentAt, ...over });
};
export const strategy = (by: LookupStrategy['by']): LookupStrategy => {
  const found = manifest.capabilities.lookup.find((one) => one.by === by);
  if (found === undefined) throw new Error(`no strategy ${by}`);
  return found;
};
export const none = () => Promise.resolve();

let people = 0;
/** Saves a method for somebody new at an address of its own, unless said otherwise. */
export async function save(
  gateway: Gateway,
  input: OneTimeInput,
  {
    kind = 'card',
    customerId,
    address,
  }: { kind?: 'card' | 'bank'; customerId?: string; address?: string } = {},
) {
  people += 1;
  const person = {
    customerId: customerId ?? `customer ${people}`,
    resellerId: '3002',
    name: 'Vera Fox',
    email: 'vera@x.example',
  };
  const begun = await gateway.beginSetup?.({
    ref: newGatewayRef(),
    payer: undefined,
    person,
    kind,
    returnTo: 'https://portal.example/',
  });
  const { payer = {}, result } = begun ?? {};
  if (result?.is !== 'continue') throw new Error(`begun as ${result?.is}`);
  const done = await gateway.completeSetup?.({
    ref: newGatewayRef(),
    payer,
    step: result.state,
    input,
    owner: { name: 'Vera Fox', billing: { line1: address ?? `${people} Street`, country: 'US' } },
    returnTo: 'https://portal.example/',
    consent,
  });
  return { payer, person, step: result.state, done };
}
export async function saved(gateway: Gateway, input = card()): Promise<Method> {
  const { done } = await save(gateway, input);
  if (done?.is !== 'saved') throw new Error(`saved as ${JSON.stringify(done)}`);
  return done.method;
}
export function paid(outcome: Outcome) {
  if (outcome.is !== 'succeeded') throw new Error(`paid as ${JSON.stringify(outcome)}`);
  return outcome;
}
