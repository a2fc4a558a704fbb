/** Saved methods, mandates and consent, as the port speaks of them. */
import type { MethodKind } from './capabilities.ts';
import type { Action, Decline, GatewayRef, OneTime, Outcome, RemoteId, SealedBag } from './outcomes.ts';

/** The payer's recorded agreement to be debited later. */
export interface Consent {
  readonly text: string;
  readonly version: string;
  readonly at: Date;
  readonly ip: string;
  readonly agent: string;
}

export interface Mandate {
  readonly remote: RemoteId;
  readonly state: 'pending' | 'active' | 'suspended' | 'dead';
  readonly scheme: string;
  /** First day it may be used, YYYY-MM-DD. */
  readonly from?: string;
  readonly replacedBy?: RemoteId;
}

export interface Method {
  readonly bag: SealedBag;
  readonly kind: MethodKind;
  /** What a screen may show: `type`, `brand`, `last4`, `name`, `expMonth`, `expYear`, `bankName`, and the like. */
  readonly show: Readonly<Record<string, string>>;
  /** Last month it is valid, YYYY-MM. */
  readonly expires?: string;
  /** Equal for the same card or account at the same gateway account. */
  readonly fingerprint?: string;
  readonly usable: 'now' | 'pending' | 'never';
  readonly mandate?: Mandate;
}

export type Saving =
  | { readonly is: 'saved'; readonly method: Method }
  | { readonly is: 'continue'; readonly action: Action; readonly bag: SealedBag }
  | { readonly is: 'underWay'; readonly bag: SealedBag }
  | { readonly is: 'refused'; readonly why: Decline }
  /** Our keys, our request, or nothing reached the gateway; nothing was saved. */
  | Extract<Outcome, { is: 'notAttempted' }>
  | { readonly is: 'unknown'; readonly evidence: string; readonly bag?: SealedBag };

/** The person behind a payer, as the gateway's customer record needs it. */
export interface Person {
  readonly customerId: string;
  readonly resellerId: string;
  readonly name: string;
  readonly email: string;
}

export interface BeginSaving {
  /** Of this saving; repeats with the same reference are idempotent. */
  readonly ref: GatewayRef;
  /** Undefined for a customer this gateway has not seen; the answer then carries a new one. */
  readonly payer: SealedBag | undefined;
  readonly person: Person;
  readonly kind: MethodKind;
  /** The gateway's own name of the method's type where a kind has several (`sepa_debit`). */
  readonly scheme?: string;
  readonly returnTo: string;
  readonly consent?: Consent;
}

export interface FinishSaving {
  readonly ref: GatewayRef;
  readonly payer: SealedBag;
  /** The bag of the last `continue` or `underWay`. */
  readonly step: SealedBag;
  /** A token or raw bytes, or the fields of a form or of the query of a redirect. */
  readonly input: OneTime | { readonly fields: Readonly<Record<string, string>> };
  readonly returnTo: string;
  readonly consent?: Consent;
}
