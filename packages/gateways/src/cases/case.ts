/**
 * One list of cases over the gateway port (`list.ts`). Tests run it against a gateway's sandbox, `counterfoil gateway verify`
 * runs it at the provider with test keys. A gateway gives its test data (`<name>/cases-data.ts`), never a case of its own.
 *
 * Why it has this shape: docs/adr/0061-one-list-of-cases.md.
 */

import type { GatewayManifest, KeyMode } from '../port/define-gateway.ts';
import type { SandboxNeed } from './data.ts';
import type { CaseSession } from './session.ts';

export type { KeyMode } from '../port/define-gateway.ts';

/** One thing proven. It ends when all is as expected, and throws {@link CaseFailed} or {@link CaseNotAvailable} otherwise. */
export interface GatewayCase {
  /** For `--case`, the record and the titles of tests: lower-case kebab. It stays. */
  readonly id: string;
  readonly title: string;
  /** Absent: it runs at the provider, too. */
  readonly needs?: SandboxNeed;
  /** Without it the others are not run at the provider: what they ask would be refused all the same. */
  readonly isGate?: true;
  /** Longest time until its end, milliseconds (90,000). */
  readonly withinMs?: number;
  run(session: CaseSession): Promise<void>;
}

export type CaseEnd = 'passed' | 'failed' | 'unreachable' | 'notAvailable' | 'notRun';

export interface CaseResult {
  readonly case: string;
  readonly what: string;
  readonly is: CaseEnd;
  readonly ms: number;
  /** Ids the gateway gave; never keys or numbers of cards and accounts. */
  readonly ids: readonly string[];
  /** Why it did not pass, redacted; empty when it passed. */
  readonly detail: string;
}

export interface CasesReport {
  readonly results: readonly CaseResult[];
  readonly notChecked: readonly string[];
  /** Payments refunded or closed, and methods removed. */
  readonly undone: number;
  /** What stays at the gateway, one line each. */
  readonly left: readonly string[];
}

/** Whether these settings are of a test account; `unknown` where the gateway's settings cannot tell. */
export const keyModeOf = (manifest: GatewayManifest, settings: Readonly<Record<string, unknown>>): KeyMode =>
  manifest.keyMode?.(settings) ?? 'unknown';

/** How many ended how, for people and for the record. */
export function countEnds(results: readonly CaseResult[]): Readonly<Record<CaseEnd, number>> {
  const counts = { passed: 0, failed: 0, unreachable: 0, notAvailable: 0, notRun: 0 };
  for (const { is } of results) counts[is] += 1;
  return counts;
}

const needWords: Readonly<Record<SandboxNeed, string>> = {
  faults: 'faults on the way',
  clock: 'a clock that is moved',
  payer: "a payer on the provider's page",
  delivery: 'a webhook that arrives',
  data: 'test data that an account need not have',
};

/** What cannot be asked at the provider, a line for each reason. */
export function sandboxOnly(cases: readonly GatewayCase[]): string[] {
  return Object.entries(needWords).flatMap(([need, words]) => {
    const ids = cases.filter((one) => one.needs === need).map(({ id }) => id);
    return ids.length === 0 ? [] : [`Only in a sandbox, for want of ${words}: ${ids.join(', ')}.`];
  });
}
