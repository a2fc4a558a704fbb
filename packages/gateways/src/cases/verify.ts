/**
 * What `counterfoil gateway verify` asks of a gateway: cases that drive the adapter through the port against the provider's
 * own service, with test keys. A gateway's `verify.ts` puts its suite together, mostly from the cases of `verify-cases*.ts`.
 *
 * Why it has this shape: docs/adr/0034-gateway-verify.md.
 */

import type { GatewayFetch } from '../kit/http.ts';
import type { GatewayManifest, KeyMode } from '../port/define-gateway.ts';
import type { Action, MethodKind, OneTimeInput, SetupCompletion } from '../port/gateway.ts';
import type { VerifySession } from './verify-session.ts';

export type { KeyMode } from '../port/define-gateway.ts';

/** One thing proven. It ends when all is as expected, and throws {@link CaseFailed} or {@link CaseNotAvailable} otherwise. */
export interface VerifyCase {
  /** For `--case` and the record: lower-case kebab. */
  readonly id: string;
  readonly what: string;
  /** Numbers of the gateway's conformance cases that it asks of the service itself, whole or in part. */
  readonly proves: readonly number[];
  /** Without it the others are not run: what they ask would be refused all the same. */
  readonly isGate?: true;
  /** Longest time until its end, milliseconds (90,000). */
  readonly withinMs?: number;
  run(session: VerifySession): Promise<void>;
}

export interface VerifySuite {
  readonly cases: readonly VerifyCase[];
  /** What this command cannot show, because a person, a browser, a webhook or much time is needed. */
  readonly notChecked: readonly string[];
  /** Minor units to charge where five of the currency are not enough, or mean something at the test service. */
  readonly amounts?: Readonly<Record<string, bigint>>;
}

/** What a test method may need to play the payer's browser at the provider. */
export interface TestAccount {
  /** As the manifest's schema has read them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** By role. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly fetch: GatewayFetch;
}

/** A method of the provider's test data. */
export interface TestMethod {
  readonly kind: MethodKind;
  /** The gateway's own name of the type where a kind has several. */
  readonly scheme?: string;
  /** The only currency it can pay in; else that of the run. */
  readonly currency?: string;
  /** Minor units that make the test service answer as meant; else the usual amount. */
  readonly minor?: bigint;
  /** A token or raw bytes, made anew for each use. */
  once(account: TestAccount): OneTimeInput | Promise<OneTimeInput>;
  /** Plays the payer where saving goes over a page of the provider; absent: {@link once} finishes it. */
  play?(action: Action, account: TestAccount): Promise<SetupCompletion['input']>;
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

export interface VerifyReport {
  readonly results: readonly CaseResult[];
  readonly notChecked: readonly string[];
  /** Payments refunded or closed, and methods removed. */
  readonly undone: number;
  /** What stays at the gateway, one line each. */
  readonly left: readonly string[];
}

/** The gateway does not do what its adapter says. The message is for the operator. */
export class CaseFailed extends Error {
  override readonly name = 'CaseFailed';
}

/** This account cannot show it: neither passed nor failed. */
export class CaseNotAvailable extends Error {
  override readonly name = 'CaseNotAvailable';
}

/** @throws {CaseFailed} with `words` unless `condition` holds */
export function ensure(condition: unknown, words: string): asserts condition {
  if (condition !== true) throw new CaseFailed(words);
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
