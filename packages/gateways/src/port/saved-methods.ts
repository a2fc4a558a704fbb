/** Saved methods, mandates and consent, as the port speaks of them. */
import type { MethodKind } from './capabilities.ts';
import type {
  Action,
  Decline,
  GatewayRef,
  GatewayState,
  OneTimeInput,
  Outcome,
  RemoteId,
} from './outcomes.ts';
import type { BillingOwner } from './owner.ts';

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
  /** What the account holder may see of it: `reference`, and `url` where the gateway keeps the document. */
  readonly show?: Readonly<Record<string, string>>;
}

export interface Method {
  /** The gateway's id or token of it, the same at every reading: an event names it, and by it a method is told from others. */
  readonly remote: RemoteId;
  readonly state: GatewayState;
  readonly kind: MethodKind;
  /**
   * What a screen may show: `type` (the gateway's own name of it), `brand`, `last4`, `name`, `expMonth`, `expYear`;
   * of a bank account `routing`, `bankName`, `accountType`, `bankCountry`; and of its owner `email`, `phone`, `line1`,
   * `line2`, `city`, `state`, `postalCode`, `country`. What is not known stays away.
   */
  readonly show: Readonly<Record<string, string>>;
  /** Last month it is valid, YYYY-MM. */
  readonly expires?: string;
  /** Equal for the same card or account at the same gateway account. */
  readonly fingerprint?: string;
  readonly usable: 'now' | 'pending' | 'never';
  readonly mandate?: Mandate;
}

export type SetupResult =
  | { readonly is: 'saved'; readonly method: Method }
  | { readonly is: 'continue'; readonly action: Action; readonly state: GatewayState }
  /** Begun, and not for us to finish now; `method` where it is known already, `pending` until it is saved. */
  | {
      readonly is: 'underWay';
      readonly state: GatewayState;
      readonly method?: Method;
      readonly needs?: Verification;
    }
  | { readonly is: 'refused'; readonly why: Decline }
  /** Our keys, our request, or nothing reached the gateway; nothing was saved. */
  | Extract<Outcome, { is: 'notAttempted' }>
  | { readonly is: 'unknown'; readonly evidence: string; readonly state?: GatewayState };

/** What the payer must bring later, e.g. what the bank statement says of a small deposit. */
export interface Verification {
  /** Fields of {@link SetupCompletion.input}, one of which is enough. */
  readonly fields: readonly string[];
  /** The gateway's own page for it. */
  readonly page?: string;
}

/** A saved method as the gateway has it now. */
export type MethodReading =
  | { readonly is: 'there'; readonly method: Method }
  /** Removed there; it can never be charged again. */
  | { readonly is: 'gone' }
  | { readonly is: 'unknown'; readonly evidence: string };

/** The person behind a payer, as the gateway's customer record needs it. */
export interface Person {
  readonly customerId: string;
  readonly resellerId: string;
  readonly name: string;
  readonly email: string;
}

export interface SetupRequest {
  /** Of this setup; repeats with the same reference are idempotent. */
  readonly ref: GatewayRef;
  /** Undefined for a customer this gateway has not seen; the answer then carries a new one. */
  readonly payer: GatewayState | undefined;
  readonly person: Person;
  readonly kind: MethodKind;
  /** The gateway's own name of the method's type where a kind has several (`sepa_debit`). */
  readonly scheme?: string;
  readonly returnTo: string;
  readonly consent?: Consent;
}

export interface SetupStarted {
  readonly payer: GatewayState | undefined;
  /** The gateway's id of the payer, as events name it. */
  readonly payerRemote?: RemoteId;
  readonly result: SetupResult;
}

export interface SetupCompletion {
  readonly ref: GatewayRef;
  readonly payer: GatewayState;
  /** The state of the last `continue` or `underWay`. */
  readonly step: GatewayState;
  /** A token, the numbers themselves, or the fields of a form or of the query of a redirect. */
  readonly input: OneTimeInput;
  /** The state of the entry it was typed into, where {@link Gateway.prepareEntry} made one. */
  readonly entry?: GatewayState;
  /** What was typed beside a token; what the token says comes first. */
  readonly owner?: BillingOwner;
  readonly returnTo: string;
  readonly consent?: Consent;
}
