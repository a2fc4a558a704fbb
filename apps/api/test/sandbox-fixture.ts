import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { Gateway } from '@counterfoil/gateways/port/gateway.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { launchSandbox, type RunningSandbox } from '@counterfoil/sandbox/launch.ts';
import type { FakeClock } from '@counterfoil/testing/clock.ts';
import { afterAll, beforeAll } from 'vitest';
import { type FixtureOptions, type TestFixture, useFixture } from './test-fixture.ts';
import { readingBatches } from './webhook-batch.ts';

/** One movement of money in the sandbox's journal. */
export interface JournalCharge {
  readonly reference: string | null;
  readonly remote: string;
  readonly minor: number;
  readonly refundedMinor: number;
  readonly state: string;
}

/** A server over the real Stripe adapter and a real sandbox process, whose clocks move together. */
export interface SandboxFixture {
  readonly fixture: TestFixture;
  readonly customer: { readonly id: string; readonly resellerId: number };
  control(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  /** Moves the clocks of the server and of the sandbox. */
  advance(ms: number): Promise<void>;
  /** A one-time token as the provider's script makes it. */
  cardToken(number: string): Promise<string>;
  charges(): Promise<JournalCharge[]>;
  /** Waits until every webhook has been taken and followed up as far as can be. */
  webhooksDelivered(): Promise<void>;
}

const NAME = 'faults';
const SECRET = 'whsec_faults';
/** A call's time limit here; in earnest it is 20 s. */
const TIMEOUT_MS = 250;

/** Real time, moved ahead: signatures of webhooks are checked against real time. */
function movedClock(): FakeClock {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance(ms) {
      aheadMs += ms;
    },
    set(moment) {
      aheadMs = new Date(moment).getTime() - Date.now();
    },
  };
}

function impatient(module: GatewayModule): GatewayModule {
  return {
    ...module,
    createGateway(context): Gateway {
      const gateway = module.createGateway({ ...context, timeoutMs: TIMEOUT_MS, pause: () => sleep(5) });
      const hook = gateway.parseWebhook && readingBatches(gateway.parseWebhook);
      return {
        ...gateway,
        ...(hook === undefined ? {} : { parseWebhook: (raw, headers) => hook(raw, headers, new Date()) }),
      };
    },
  };
}

/** @param settings of the brand. Call at the top of a file. */
export function useSandboxFixture(
  settings: Readonly<Record<string, unknown>> = {},
  options: Pick<FixtureOptions, 'database' | 'env' | 'statementTimeoutMs' | 'callWithinMs'> = {},
): SandboxFixture {
  const clock = movedClock();
  const late: { sandbox?: RunningSandbox; customer?: SandboxFixture['customer'] } = {};
  const sandboxUrl = () => late.sandbox?.url ?? '';
  beforeAll(async () => {
    late.sandbox = await launchSandbox({ directory: mkdtempSync(join(tmpdir(), 'sandbox-')) });
  });
  const stripe = gatewayModules.filter((module) => module.manifest.id === 'stripe').map(impatient);
  const env = () => ({ GATEWAY_URL_STRIPE: sandboxUrl(), ...options.env?.() });
  const fixture = useFixture({ ...options, clock, modules: stripe, env });
  const control: SandboxFixture['control'] = async (method, path, body) => {
    const answer = await fetch(`${sandboxUrl()}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  beforeAll(async () => {
    const { customer, reseller, accountId } = await fixture.seedPayer(settings);
    late.customer = { id: customer.id, resellerId: reseller.id };
    const secrets = { secretKey: `sk_test_${NAME}`, webhookSecrets: [SECRET] };
    await fixture.database
      .pool()
      .query("update gateway_account set gateway = 'stripe', config = $2, secrets = $3 where id = $1", [
        accountId,
        JSON.stringify({ publishableKey: `pk_test_${NAME}` }),
        fixture.deps.secrets.seal(JSON.stringify(secrets), accountId),
      ]);
    const address = await fixture.app.listen({ host: '127.0.0.1', port: 0 });
    const url = `${address}/v1/webhooks/stripe/${reseller.id}`;
    await control('POST', 'webhooks', { gateway: 'stripe', url, secret: SECRET });
  });
  afterAll(() => late.sandbox?.stop());

  return {
    fixture,
    control,
    get customer() {
      return late.customer ?? { id: randomUUID(), resellerId: 0 };
    },
    async advance(ms) {
      clock.advance(ms);
      await control('POST', 'clock', { advanceMs: ms });
    },
    async cardToken(number) {
      const body = new URLSearchParams({
        'card[number]': number,
        'card[exp_month]': '12',
        'card[exp_year]': '2036',
        'card[cvc]': '123',
        key: `pk_test_${NAME}`,
      });
      const answer = await fetch(`${sandboxUrl()}/v1/tokens`, { method: 'POST', body });
      return String(((await answer.json()) as { id?: string }).id);
    },
    charges: async () => (await control('GET', 'charges'))['charges'] as JournalCharge[],
    async webhooksDelivered() {
      for (let tries = 0; tries < 200; tries += 1) {
        if ((await control('GET', 'webhooks'))['pending'] === 0) break;
        await sleep(20);
      }
      await fixture.eventsFollowed();
    },
  };
}
