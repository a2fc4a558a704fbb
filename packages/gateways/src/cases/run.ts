/** Runs cases one after the other, each with a time limit, and tidies up after each: in a sandbox, or at the provider. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultTimeoutMs } from '../kit/http.ts';
import { describeFault, redact } from '../kit/redact.ts';
import type { GatewayAdapter, GatewayContext, GatewayModule } from '../port/define-gateway.ts';
import type { Gateway } from '../port/gateway.ts';
import { type CaseResult, type CasesReport, type GatewayCase, keyModeOf, sandboxOnly } from './case.ts';
import { CaseFailed, CaseNotAvailable } from './case-end.ts';
import type { CasesData, TestAccount } from './data.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { type CaseRun, CaseSession, type OpenOver } from './session.ts';
import { tidy } from './tidy.ts';
import { watch } from './watch.ts';

export interface CasesOptions {
  readonly cases: readonly GatewayCase[];
  readonly data: CasesData;
  /** Absent at the provider: cases that need a sandbox are not run there, and listed. */
  readonly control?: SandboxControl;
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
 * Runs the list. Anything a gateway or the network does is a result.
 * @throws {TypeError} for live keys: nothing is sent with them
 */
export async function runCases(options: CasesOptions): Promise<CasesReport> {
  const { cases, data, module, control, context, only } = options;
  if (keyModeOf(module.manifest, context.config) === 'live') throw new TypeError('these keys are live');
  const run: CaseRun = {
    can: module.manifest.capabilities,
    currency: options.currency,
    data,
    ...(control === undefined ? {} : { control }),
    resellerId: options.resellerId,
    returnTo: options.returnTo,
    now: () => context.clock.now(),
    pause: context.pause ?? ((milliseconds) => sleep(milliseconds)),
  };
  const opened = Object.assign({}, options, await module.load());
  const results: CaseResult[] = [];
  const left: string[] = [];
  let undone = 0;
  let closedGate: CaseResult | undefined;
  for (const one of cases) {
    if (only === undefined ? !runsAt(one, control) : !only.includes(one.id)) continue;
    if (closedGate !== undefined) {
      results.push({ ...resultOf(one, 'notRun', 0), detail: `${closedGate.case}: ${closedGate.is}` });
      continue;
    }
    const done = await runCase(one, run, opened);
    results.push(done.result);
    options.onResult?.(done.result);
    undone += done.undone;
    left.push(...done.left);
    if (one.isGate === true && done.result.is !== 'passed') closedGate = done.result;
  }
  if (run.payer !== undefined) left.push(`payer ${run.payer.remote}: the record of the customer`.trim());
  const notChecked = control === undefined ? [...data.notChecked, ...sandboxOnly(cases)] : [];
  return { results, notChecked, undone, left };
}

const runsAt = ({ needs }: GatewayCase, control: SandboxControl | undefined): boolean =>
  needs === undefined || control !== undefined;

const resultOf = ({ id, title }: GatewayCase, is: CaseResult['is'], ms: number): CaseResult => ({
  case: id,
  what: title,
  is,
  ms,
  ids: [],
  detail: '',
});

type Opened = CasesOptions & GatewayAdapter;

async function runCase(
  one: GatewayCase,
  run: CaseRun,
  { context, createGateway }: Opened,
): Promise<{ result: CaseResult; undone: number; left: readonly string[] }> {
  const { control } = run;
  const openOver = (fetchWith: typeof globalThis.fetch, over: OpenOver = {}): Gateway => {
    const { settings = context.config, timeoutMs, isNowhere } = over;
    return createGateway({
      ...context,
      config: settings,
      fetch: fetchWith,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(isNowhere === undefined || control === undefined ? {} : { addresses: atNowhere(context, control) }),
    });
  };
  const base = context.fetch ?? globalThis.fetch;
  const seen = watch(base);
  const begun = performance.now();
  const limitMs = one.withinMs ?? usualLimitMs;
  const answerMs = context.timeoutMs ?? defaultTimeoutMs;

  const account = { settings: context.config, addresses: context.addresses, fetch: seen.fetch };
  const session = new CaseSession(one.id, run, account, (over) => openOver(seen.fetch, over));
  const isShown = runsAt(one, control);
  await control?.clearFaults();
  const end = isShown ? await within(limitMs, one.run(session)) : notHere;
  await control?.clearFaults();
  const wasWaiting = seen.isWaiting();
  // Nothing may be made any more that is not tidied up.
  seen.close();
  const ms = Math.round(performance.now() - begun);
  await seen.settled(answerMs + 1_000);

  const result = {
    ...resultOf(one, 'passed', ms),
    ...judge(end, limitMs, control === undefined ? seen.trouble() : undefined, wasWaiting),
    ids: [...session.ids],
  };
  const after = watch(base);
  const tidied = await tidy(session, openOver(after.fetch));
  return { result, ...tidied };
}

const atNowhere = ({ addresses }: CasesOptions['context'], { nowhere }: SandboxControl) =>
  Object.fromEntries(Object.keys(addresses).map((role) => [role, nowhere]));

type End =
  | { readonly is: 'done' }
  | { readonly is: 'late' }
  | { readonly is: 'thrown'; readonly fault: unknown };

const notHere: End = { is: 'thrown', fault: new CaseNotAvailable('only a sandbox can show it') };

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
