/** Runs the cases of a suite one after the other, each with a time limit, and tidies up after each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultTimeoutMs } from '../kit/http.ts';
import { describeFault, redact } from '../kit/redact.ts';
import type { GatewayContext, GatewayModule } from '../port/define-gateway.ts';
import type { Gateway } from '../port/gateway.ts';
import {
  CaseFailed,
  CaseNotAvailable,
  type CaseResult,
  keyModeOf,
  type TestAccount,
  type VerifyCase,
  type VerifyReport,
  type VerifySuite,
} from './verify.ts';
import { type VerifyRun, VerifySession } from './verify-session.ts';
import { tidy } from './verify-tidy.ts';
import { watch } from './verify-watch.ts';

export interface VerifyOptions {
  readonly suite: VerifySuite;
  readonly module: GatewayModule;
  /** Of the account, with settings that the manifest's schema has read. */
  readonly context: GatewayContext<TestAccount['settings']>;
  readonly currency: string;
  readonly resellerId: string;
  readonly returnTo: string;
  /** Ids of the cases to run; absent: all. */
  readonly only?: readonly string[];
  /** Told of each case as it ends. */
  readonly onResult?: (result: CaseResult) => void;
}

const usualLimitMs = 90_000;

/**
 * Runs a suite. Anything a gateway or the network does is a result.
 * @throws {TypeError} for live keys: nothing is sent with them
 */
export async function runVerification(options: VerifyOptions): Promise<VerifyReport> {
  const { suite, module, context, only } = options;
  if (keyModeOf(module.manifest, context.config) === 'live') throw new TypeError('these keys are live');
  const run: VerifyRun = {
    can: module.manifest.capabilities,
    currency: options.currency,
    amounts: suite.amounts ?? {},
    resellerId: options.resellerId,
    returnTo: options.returnTo,
    now: () => context.clock.now(),
    pause: context.pause ?? ((milliseconds) => sleep(milliseconds)),
  };
  const results: CaseResult[] = [];
  const left: string[] = [];
  let undone = 0;
  let closedGate: CaseResult | undefined;
  for (const one of suite.cases) {
    if (only !== undefined && !only.includes(one.id)) continue;
    if (closedGate !== undefined) {
      results.push({ ...resultOf(one, 'notRun', 0), detail: `${closedGate.case}: ${closedGate.is}` });
      continue;
    }
    const done = await runCase(one, run, options);
    results.push(done.result);
    options.onResult?.(done.result);
    undone += done.undone;
    left.push(...done.left);
    if (one.isGate === true && done.result.is !== 'passed') closedGate = done.result;
  }
  if (run.payer !== undefined) left.push(`payer ${run.payer.remote}: the record of the customer`.trim());
  return { results, notChecked: suite.notChecked, undone, left };
}

const resultOf = ({ id, what }: VerifyCase, is: CaseResult['is'], ms: number): CaseResult => ({
  case: id,
  what,
  is,
  ms,
  ids: [],
  detail: '',
});

async function runCase(
  one: VerifyCase,
  run: VerifyRun,
  { module, context }: VerifyOptions,
): Promise<{ result: CaseResult; undone: number; left: readonly string[] }> {
  const openOver = (config: TestAccount['settings'], fetchWith: typeof globalThis.fetch): Gateway =>
    module.createGateway({ ...context, config, fetch: fetchWith });
  const base = context.fetch ?? globalThis.fetch;
  const seen = watch(base);
  const begun = performance.now();
  const limitMs = one.withinMs ?? usualLimitMs;
  const answerMs = context.timeoutMs ?? defaultTimeoutMs;

  const account = { settings: context.config, addresses: context.addresses, fetch: seen.fetch };
  const session = new VerifySession(one.id, run, account, (settings) => openOver(settings, seen.fetch));
  const end = await within(limitMs, one.run(session));
  const wasWaiting = seen.isWaiting();
  // Nothing may be made any more that is not tidied up.
  seen.close();
  const ms = Math.round(performance.now() - begun);
  await seen.settled(answerMs + 1_000);

  const result = {
    ...resultOf(one, 'passed', ms),
    ...judge(end, limitMs, seen.trouble(), wasWaiting),
    ids: [...session.ids],
  };
  const after = watch(base);
  const tidied = await tidy(session, openOver(context.config, after.fetch));
  return { result, ...tidied };
}

type End =
  | { readonly is: 'done' }
  | { readonly is: 'late' }
  | { readonly is: 'thrown'; readonly fault: unknown };

async function within(ms: number, work: Promise<void>): Promise<End> {
  const limit = new AbortController();
  const end = await Promise.race([
    work.then(
      (): End => ({ is: 'done' }),
      (fault: unknown): End => ({ is: 'thrown', fault }),
    ),
    sleep(ms, undefined, { signal: limit.signal }).then(
      (): End => ({ is: 'late' }),
      (): End => ({ is: 'late' }),
    ),
  ]);
  limit.abort();
  return end;
}

/** In doubt it was not reached: whoever runs it again learns more. */
function judge(
  end: End,
  limitMs: number,
  trouble: string | undefined,
  wasWaiting: boolean,
): Pick<CaseResult, 'is' | 'detail'> {
  if (end.is === 'done') return { is: 'passed', detail: '' };
  if (end.is === 'thrown' && end.fault instanceof CaseNotAvailable)
    return { is: 'notAvailable', detail: redact(end.fault.message) };
  const limit = `no end within ${Math.round(limitMs / 1000)} s`;
  if (trouble !== undefined) return { is: 'unreachable', detail: trouble };
  if (end.is === 'late') return { is: wasWaiting ? 'unreachable' : 'failed', detail: limit };
  const { fault } = end;
  return { is: 'failed', detail: fault instanceof CaseFailed ? redact(fault.message) : describeFault(fault) };
}
