import type { Operation } from '../../src/http/answers/openapi-document.ts';
import type { TestFixture } from '../fixtures/test-fixture.ts';
import { badRequest } from './bad-request.ts';
import { faultOf } from './check-answer.ts';
import { type Random, seededRandom } from './random.ts';
import { FOREIGN_MARKER, type Stage } from './stage.ts';

/** Longer than any answer may take; a request that is still open then hangs. */
const HANGS_AFTER_MS = 20_000;
const AT_ONCE = 16;

/** What one call was asked and answered. */
export interface CallCount {
  readonly operation: Operation;
  signedIn: number;
  notSignedIn: number;
  readonly statuses: Map<number, number>;
}

export interface Attack {
  readonly calls: readonly CallCount[];
  /** One line per wrong answer. */
  readonly faults: readonly string[];
}

/** Sends every call its share of bad requests, several at once. The same seed sends the same. */
export async function attack(
  fixture: TestFixture,
  stage: Stage,
  options: { readonly count: number; readonly seed: number },
): Promise<Attack> {
  const random = seededRandom(options.seed);
  const calls = stage.operations.map(
    (operation): CallCount => ({ operation, signedIn: 0, notSignedIn: 0, statuses: new Map() }),
  );
  const faults: string[] = [];
  for (let sent = 0; sent < options.count; sent += AT_ONCE) {
    const share = Array.from({ length: Math.min(AT_ONCE, options.count - sent) }, (_, n) => sent + n);
    await Promise.all(
      share.map(async (n) => {
        const call = calls[n % calls.length];
        if (call !== undefined) faults.push(...(await sendOne(fixture, stage, call, random, addressOf(n))));
      }),
    );
  }
  return { calls, faults };
}

/** Each comes from somewhere else: limits by address are not what is tried here. */
const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

async function sendOne(
  fixture: TestFixture,
  stage: Stage,
  call: CallCount,
  random: Random,
  remoteAddress: string,
): Promise<string[]> {
  const { operation } = call;
  const good = stage.good.get(operation);
  if (good === undefined) throw new Error(`no good request for ${operation.method} ${operation.path}`);
  // One of each first, so that none is left to chance.
  const isSignedIn = [true, false][call.signedIn + call.notSignedIn];
  const { signedIn, ...request } = badRequest(operation, good, stage.callers, random, isSignedIn);
  call[signedIn ? 'signedIn' : 'notSignedIn'] += 1;
  const answer = await Promise.race([fixture.app.inject({ ...request, remoteAddress }), hanging()]);
  if (answer === undefined) return [`${describe(request)}: no answer`];
  call.statuses.set(answer.statusCode, (call.statuses.get(answer.statusCode) ?? 0) + 1);
  // Signing out, or whatever else ends sessions, worked.
  if (signedIn && (answer.statusCode === 401 || operation.path.endsWith('/logout'))) {
    await stage.renewSession();
  }
  const fault = faultOf(answer, operation.path, String(request.method), FOREIGN_MARKER);
  return fault === undefined ? [] : [`${describe(request)}: ${fault}`];
}

function hanging(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), HANGS_AFTER_MS).unref();
  });
}

function describe(request: {
  url?: unknown;
  method?: unknown;
  headers?: unknown;
  payload?: unknown;
}): string {
  const text = JSON.stringify(request).replaceAll(/eyJ[\w.-]+/g, '…');
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

/** Whether a call that writes more than sessions took a request: one that was spoilt where it does not matter. */
export function hasWritten(calls: readonly CallCount[]): boolean {
  return calls.some(
    ({ operation, statuses }) =>
      operation.method !== 'GET' &&
      !/\/token|\/logout|\/webhooks/.test(operation.path) &&
      [...statuses.keys()].some((status) => status < 300),
  );
}

/**
 * An unknown token is answered as a known one (RFC 7009), and a sign-in elsewhere that cannot begin, or failed, by leading back to the page for it, so that
 * few bad inputs are refused: by chance none.
 */
const ANSWERS_ALIKE: ReadonlySet<string> = new Set([
  '/token/revoke',
  '/sso/login',
  '/v1/operator/sso/callback',
]);

/** The calls that refused nothing: their bad input was not bad, or nothing looks at it. */
export function refusedNothing(calls: readonly CallCount[]): string[] {
  return calls
    .filter(({ operation: { path } }) => !ANSWERS_ALIKE.has(path))
    .filter(({ statuses }) => ![...statuses.keys()].some((status) => status >= 400))
    .map(({ operation }) => `${operation.method} ${operation.path}`);
}

/** Counts by call and status, for people. */
export function countTable(calls: readonly CallCount[], ms: number): string {
  const total = calls.reduce((sum, call) => sum + call.signedIn + call.notSignedIn, 0);
  const lines = calls.map(({ operation, signedIn, notSignedIn, statuses }) => {
    const answers = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}×${n}`);
    const name = `${operation.method} ${operation.path}`.padEnd(44);
    return `  ${name} ${signedIn} signed in, ${notSignedIn} not: ${answers.join(' ')}`;
  });
  return [`${total} bad inputs to ${calls.length} calls in ${(ms / 1000).toFixed(1)} s`, ...lines].join('\n');
}
