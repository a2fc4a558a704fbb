/** The sandbox as a process of its own: it shares nothing with this adapter but the published protocol. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ContractFixture, DebitedAccount, Delivery } from '../cases/contract-fixture.ts';
import type { Gateway } from '../port/gateway.ts';
import { createGateway } from './gateway.ts';

const root = join(import.meta.dirname, '../../../..');
const secret = 'whsec_contract';
const token = (suffix: string) => ({ token: `tok_${suffix}` });

/** An account with its holder's agreement, from an address reserved for documentation. */
function account(scheme: string, currency: string, good: string, returned: string): DebitedAccount {
  const consent = {
    text: 'I let you debit my account once',
    version: '1',
    at: new Date(),
    ip: '203.0.113.7',
    agent: 'Mozilla/5.0',
  };
  const once = (suffix: string) => ({ token: `pm_${suffix}`, debit: { scheme, consent } });
  return {
    scheme,
    currency,
    pay: once(good),
    returned: once(returned),
    cardToken: { token: 'pm_card_visa' },
  };
}

async function startSandbox(): Promise<{ url: string; stop: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'counterfoil-sandbox-'));
  const child = spawn(process.execPath, [join(root, 'apps/sandbox/src/main.ts')], {
    env: { PATH: '/usr/bin:/bin', SANDBOX_PORT: '0', SANDBOX_DIR: directory, SANDBOX_PARENT: 'stdin' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the sandbox ended before it listened');
  });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  ended.catch(() => undefined);
  const stop = async (): Promise<void> => {
    const gone = once(child, 'exit');
    child.stdin.end();
    await gone;
    await rm(directory, { recursive: true, force: true });
  };
  return { url: (JSON.parse(line) as { sandbox: string }).sandbox, stop };
}

/** Takes deliveries and keeps them; an answer of 200 to each. */
async function startReceiver() {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
      deliveries.push({ raw: Buffer.concat(parts), headers, at: new Date() });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    deliveries,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * A sandbox and a receiver for its webhooks, with the test cards of https://docs.stripe.com/testing.
 * @param nowhere address at which nothing listens
 */
export async function openFixture(nowhere: string): Promise<ContractFixture> {
  const sandbox = await startSandbox();
  const receiver = await startReceiver();
  const control = async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
    const response = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  await control('webhooks', { gateway: 'stripe', url: receiver.url, secret });

  let aheadMs = 0;
  const now = (): Date => new Date(Date.now() + aheadMs);
  const gateway = (over: { secretKey?: string; api?: string; timeoutMs?: number } = {}): Gateway =>
    createGateway({
      config: {
        secretKey: over.secretKey ?? 'sk_test_contract',
        publishableKey: 'pk_test_contract',
        webhookSecrets: [secret],
        separateInputs: false,
      },
      addresses: { api: over.api ?? sandbox.url, script: sandbox.url, challenge: sandbox.url },
      clock: { now },
      log: { debug: () => undefined, warn: () => undefined },
      pause: () => Promise.resolve(),
      ...(over.timeoutMs === undefined ? {} : { timeoutMs: over.timeoutMs }),
    });
  const journal = async (kind: 'charges' | 'refunds', ref: string): Promise<readonly bigint[]> => {
    const rows = (await control(`charges?reference=${ref}`))[kind] as readonly { minor: number }[];
    return rows.map((row) => BigInt(row.minor));
  };

  return {
    gateway: gateway(),
    impatient: gateway({ timeoutMs: 700 }),
    lockedOut: gateway({ secretKey: 'sk_live_contract' }),
    nowhere: gateway({ api: nowhere }),
    now,
    advance: async (milliseconds) => {
      aheadMs += milliseconds;
      await control('clock', { advanceMs: milliseconds });
    },
    good: token('visa'),
    declined: [
      ['generic', 'chargeDeclined', 'retryLater', 'Your card was declined'],
      ['no funds', 'chargeDeclinedInsufficientFunds', 'retryLater', 'Not enough funds on this card'],
      ['lost', 'chargeDeclinedLostCard', 'otherMethod', 'Your card was declined'],
      ['stolen', 'chargeDeclinedStolenCard', 'otherMethod', 'Your card was declined'],
      ['blocked', 'radarBlock', 'otherMethod', 'Your card was declined'],
      [
        'expired',
        'chargeDeclinedExpiredCard',
        'fixInput',
        'Your credit card has expired. Please add a new one and try again',
      ],
      ['code', 'chargeDeclinedIncorrectCvc', 'fixInput', 'Please check the security code'],
      ['bank fault', 'chargeDeclinedProcessingError', 'retryLater', 'Please try again in a few minutes'],
      [
        'velocity',
        'visa_chargeDeclinedVelocityLimitExceeded',
        'otherMethod',
        'Card limit reached, please use another method',
      ],
    ].map(([name = '', suffix = '', kind, text = '']) => ({
      name,
      pay: token(suffix),
      class: kind as 'retryLater' | 'otherMethod' | 'fixInput',
      text,
    })),
    accounts: [
      account('au_becs_debit', 'AUD', 'auBecsDebit_success', 'auBecsDebit_accountClosed'),
      account('bacs_debit', 'GBP', 'bacsDebit_success', 'bacsDebit_insufficientFunds'),
      account('sepa_debit', 'EUR', 'sepaDebit_success_de', 'sepaDebit_failed_de'),
    ],
    challenged: {
      pay: token('threeDSecure2Required'),
      answer: async (to, how) => {
        const response = await fetch(to, {
          method: 'POST',
          redirect: 'manual',
          body: new URLSearchParams({ outcome: how }),
        });
        const location = response.headers.get('location');
        if (location === null) throw new Error(`the page answered ${response.status}`);
        return Object.fromEntries(new URL(location).searchParams);
      },
    },
    payOnPage: async (to) => {
      const response = await fetch(to, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({
          type: 'card',
          'card[number]': ['4242', '4242', '4242', '4242'].join(''),
          'card[exp_month]': '12',
          'card[exp_year]': '2034',
          'card[cvc]': '123',
          'billing_details[name]': 'Ada',
        }),
      });
      if (response.headers.get('location') === null) throw new Error(`the page answered ${response.status}`);
    },
    fault: async (operation, mode, more = {}) => {
      await control('faults', { gateway: 'stripe', operation, mode, times: 1, ...more });
    },
    clearFaults: async () => {
      await control('faults', undefined, 'DELETE');
    },
    taken: (ref) => journal('charges', ref),
    given: (ref) => journal('refunds', ref),
    delivery: async (remote) => {
      for (let tries = 0; tries < 200; tries += 1) {
        const found = receiver.deliveries.find(({ raw }) => {
          const event = JSON.parse(Buffer.from(raw).toString()) as { data: { object: { id: string } } };
          return event.data.object.id === remote;
        });
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`no delivery about ${remote}`);
    },
    close: async () => {
      receiver.stop();
      await sandbox.stop();
    },
  };
}
