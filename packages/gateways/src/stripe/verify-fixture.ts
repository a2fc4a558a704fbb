/** The cases of `gateway verify` in a sandbox process, for tests: with the adapter as it is, or broken. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VerifyReport } from '../cases/verify.ts';
import { runVerification, type VerifyOptions } from '../cases/verify-run.ts';
import type { GatewayFetch } from '../kit/http.ts';
import type { GatewayModule } from '../port/define-gateway.ts';
import type { Gateway } from '../port/gateway.ts';
import { launchSandbox } from '../sandbox-host/launch.ts';
import { createGateway } from './gateway.ts';
import { manifest, type StripeSettings } from './manifest.ts';
import { verify } from './verify.ts';

const config: StripeSettings = {
  secretKey: 'sk_test_verify',
  publishableKey: 'pk_test_verify',
  webhookSecrets: ['whsec_one', 'whsec_two'],
  separateInputs: false,
};

/** What is unlike a run against the sandbox as it should be. */
export interface Over {
  readonly config?: Partial<StripeSettings>;
  readonly api?: string;
  readonly fetch?: GatewayFetch;
  readonly timeoutMs?: number;
  readonly only?: readonly string[];
  readonly suite?: VerifyOptions['suite'];
  readonly onResult?: VerifyOptions['onResult'];
  /** Breaks the adapter. */
  readonly change?: (gateway: Gateway) => Partial<Gateway>;
}

export interface VerifyFixture {
  run(over?: Over): Promise<VerifyReport>;
  control(path: string, body?: object, method?: string): Promise<Record<string, unknown>>;
  /** Charges of the journal that were not refunded whole. */
  kept(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

export async function openVerifyFixture(): Promise<VerifyFixture> {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-verify-'));
  const sandbox = await launchSandbox({ directory });
  const control: VerifyFixture['control'] = async (
    path,
    body,
    method = body === undefined ? 'GET' : 'POST',
  ) => {
    const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Record<string, unknown>;
  };
  return {
    control,
    async run(over = {}) {
      const module: GatewayModule = {
        manifest,
        createGateway: (context) => {
          const gateway = createGateway(context as Parameters<typeof createGateway>[0]);
          return { ...gateway, ...over.change?.(gateway) };
        },
      };
      return runVerification({
        suite: over.suite ?? verify,
        module,
        context: {
          config: { ...config, ...over.config },
          addresses: { api: over.api ?? sandbox.url, script: sandbox.url, challenge: sandbox.url },
          clock: { now: () => new Date() },
          log: { debug: () => undefined, warn: () => undefined },
          pause: () => Promise.resolve(),
          timeoutMs: over.timeoutMs ?? 5_000,
          ...(over.fetch === undefined ? {} : { fetch: over.fetch }),
        },
        currency: 'AUD',
        resellerId: '4100',
        returnTo: 'https://portal.example/',
        ...(over.only === undefined ? {} : { only: over.only }),
        ...(over.onResult === undefined ? {} : { onResult: over.onResult }),
      });
    },
    async kept() {
      const { charges } = (await control('charges')) as {
        charges: readonly { readonly minor: number; readonly refundedMinor: number }[];
      };
      return charges.filter((one) => one.minor !== one.refundedMinor);
    },
    async close() {
      await sandbox.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** How each case ended. */
export const ends = ({ results }: VerifyReport) =>
  Object.fromEntries(results.map((one) => [one.case, one.is]));

/** What did not pass, and why. */
export const details = ({ results }: VerifyReport): readonly string[] =>
  results.filter(({ is }) => is !== 'passed').map((one) => `${one.case} ${one.is}: ${one.detail}`);
