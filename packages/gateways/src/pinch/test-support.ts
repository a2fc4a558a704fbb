/** What the tests of the adapter share: it in its sandbox, cards, payments and saved methods. */
import { SandboxHarness } from '@counterfoil/sandbox/test-support.ts';
import { afterAll, beforeAll } from 'vitest';
import { testCharge } from '../cases/test-charge.ts';
import { resolveAddresses } from '../port/addresses.ts';
import type { Charge, Gateway, GatewayState } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { tradeCard } from './card-token.ts';
import { casesData } from './cases-data.ts';
import { createGateway } from './gateway.ts';
import { manifest, type PinchSettings } from './manifest.ts';

export const harness = new SandboxHarness('pinch');
beforeAll(() => harness.start());
afterAll(() => harness.end());

export const settings = casesData.sandbox.settings as PinchSettings;
export const visa = ['4242', '4242', '4242', '4242'].join('');
export const owner = { name: 'Ada Example', email: 'ada@example.test' };
export const hour = 60 * 60_000;

// ---- The adapter in its sandbox ----

interface Sent {
  readonly call: string;
  readonly body: string;
}
interface Opened {
  readonly gateway: Gateway;
  readonly sent: readonly Sent[];
  readonly logged: readonly string[];
  /** Requests to a path. */
  readonly to: (path: string) => readonly Sent[];
}

/** Answers instead of the sandbox, by the path's end; undefined lets a request through. */
type Instead = (call: string) => Response | undefined;

export function open(
  instead: Instead = () => undefined,
  over: Partial<PinchSettings> = {},
  timeoutMs = 5_000,
): Opened {
  const sent: Sent[] = [];
  const logged: string[] = [];
  const log = (fields: object, message: string) => logged.push(JSON.stringify({ fields, message }));
  const gateway = createGateway({
    config: { ...settings, ...over },
    addresses: resolveAddresses(manifest, { GATEWAY_URL_PINCH: harness.sandbox.url }),
    clock: { now: () => new Date() },
    log: { debug: log, warn: log },
    pause: () => Promise.resolve(),
    timeoutMs,
    fetch: async (input, init) => {
      const call = `${init?.method} ${String(input).replace(/^.*\/pinch\/(auth|api\/test)/, '')}`;
      sent.push({ call, body: String(init?.body ?? '') });
      return instead(call) ?? fetch(input, init);
    },
  });
  return { gateway, sent, logged, to: (path) => sent.filter(({ call }) => call === path) };
}

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
export const lost = (charge: Charge): Charge =>
  charge.source !== 'lost' && 'saved' in charge.source ? charge : { ...charge, source: 'lost' };

/** Pays, and gives what was kept before an answer came. */
export async function pay(gateway: Gateway, charge: Charge) {
  let kept: GatewayState | undefined;
  const outcome = await gateway.charge(charge, (state) => {
    kept = state;
    return Promise.resolve();
  });
  return { outcome, kept };
}
export async function paid(gateway: Gateway, charge: Charge) {
  const { outcome } = await pay(gateway, charge);
  if (outcome.is !== 'succeeded') throw new Error(JSON.stringify(outcome));
  return outcome;
}
export async function save(gateway: Gateway) {
  const person = {
    customerId: 'C1',
    resellerId: '3006',
    name: 'Quinn Quandong',
    email: 'quinn@example.test',
  };
  const returnTo = 'https://portal.example/';
  const asked = { ref: newGatewayRef(), payer: undefined, person, kind: 'card', returnTo } as const;
  const begun = await gateway.beginSetup?.(asked);
  if (begun?.payer === undefined || begun.result.is !== 'continue') throw new Error(JSON.stringify(begun));
  const { payer } = begun;
  const input = { token: await newToken() };
  const step = begun.result.state;
  const setup = await gateway.completeSetup?.({ ref: asked.ref, payer, step, input, owner, returnTo });
  if (setup?.is !== 'saved') throw new Error(JSON.stringify(setup));
  return { method: setup.method, payer };
}
export async function listed(gateway: Gateway, payer: GatewayState): Promise<string[]> {
  const remotes: string[] = [];
  for await (const { remote } of gateway.listMethods?.(payer) ?? []) remotes.push(remote);
  return remotes;
}
