/**
 * The gateway port: everything the payment engine may ask of a payment provider, and all it may be told.
 *
 * Three rules hold for every method that returns an outcome:
 * - It never throws for anything the provider or the network does; a fault is a value. It may throw for a
 *   mistake of the caller.
 * - `unknown` is said whenever money may have moved and nobody knows. Only `notAttempted` may be sent again
 *   without finding out first.
 * - A browser's return, a webhook or a poll proves nothing by itself: the provider is asked.
 *
 * Why it has this shape: docs/adr/0006-gateway-port.md.
 */
import type { Money } from '@counterfoil/domain/money/money.ts';
import type { Capabilities, LookupStrategy, MethodKind } from './capabilities.ts';
import type {
  Action,
  CancelResult,
  GatewayRef,
  GatewayState,
  LookupResult,
  OneTimeInput,
  Outcome,
  RemoteId,
} from './outcomes.ts';
import type { BillingOwner } from './owner.ts';
import type {
  Consent,
  Method,
  MethodReading,
  Person,
  SetupCompletion,
  SetupRequest,
  SetupResult,
  SetupStarted,
} from './saved-methods.ts';

export type { Capabilities, Entry, LookupStrategy, MethodKind } from './capabilities.ts';
export type {
  Action,
  CancelResult,
  Decline,
  GatewayRef,
  GatewayState,
  LookupResult,
  OneTimeInput,
  Outcome,
  RemoteId,
  SecretName,
} from './outcomes.ts';
export type { BillingOwner, PostalAddress } from './owner.ts';
export type {
  Consent,
  Mandate,
  Method,
  MethodReading,
  Person,
  SetupCompletion,
  SetupRequest,
  SetupResult,
  SetupStarted,
  Verification,
} from './saved-methods.ts';

// ---- Charging ----

/** A bank account that is debited once and not kept. */
export interface OneDebit {
  /** The gateway's name of its kind (`sepa_debit`), one whose {@link DebitScheme.once} is set. */
  readonly scheme: string;
  /** What its holder has agreed to; absent where the scheme has no mandate. */
  readonly consent?: Consent;
}

/** What pays once: a card unless `debit` says otherwise. Gone after the call, so an adapter that sends again keeps what it needs. */
export type PayOnce = OneTimeInput & {
  readonly debit?: OneDebit;
  /** The state of the entry it was typed into, where {@link Gateway.prepareEntry} made one. */
  readonly entry?: GatewayState;
};

/** `lost` after a crash or a restart: the one-time token is gone, so the charge can only be looked for. */
export type ChargeSource = { readonly saved: GatewayState } | PayOnce | 'lost';

export interface ChargeLabels {
  /** Invoice numbers, comma-separated when several. */
  readonly invoice: string;
  /** One line for the payer's statement and the gateway's back office. */
  readonly description: string;
  /** Our customer id. */
  readonly customer: string;
  /** `req_uid`: the pay session this belongs to. */
  readonly session: string;
}

/**
 * One attempt to take money, as committed before the gateway is called. When finding out, the engine builds
 * it again from the stored row: every field but `source` and `lastSentAt` must then be the same as at first.
 */
export interface Charge {
  /** Ours. It goes to the provider as it is: look-ups search by it and compare it. What a payer reads is in `labels`. */
  readonly ref: GatewayRef;
  /** When the first request was sent (the commit before it). */
  readonly sentAt: Date;
  /** When the latest request that may charge was sent, no earlier than the last step kept; else `sentAt`. */
  readonly lastSentAt: Date;
  /** The whole amount, fee included. */
  readonly amount: Money;
  /** The part of `amount` that is our fee. */
  readonly fee: Money;
  readonly initiator: 'customer' | 'merchant';
  readonly source: ChargeSource;
  readonly labels: ChargeLabels;
  /** The payer at the gateway; empty for a one-off. */
  readonly payer: GatewayState;
  /** Absolute address the payer comes back to after a redirect. */
  readonly returnTo: string;
  /** Of a method that pays once; stored sealed with the attempt. */
  readonly owner?: BillingOwner;
  /** The payer's browser; absent where the merchant charges. */
  readonly client?: { readonly ip: string; readonly userAgent: string };
}

/**
 * Stores a step that must survive a crash (an id made before the money call). The adapter awaits it between
 * two calls; when it rejects, the adapter goes no further and answers `notAttempted`. It rejects once the attempt
 * has ended, so nothing kept for a one-time token proves that no money call was made, or ever will be.
 */
export type SaveState = (state: GatewayState) => Promise<void>;

// ---- Entry ----

/** What must exist at the gateway before a payer types a method that pays once or is saved. */
export interface EntryRequest {
  /** Of this entry. */
  readonly ref: GatewayRef;
  readonly purpose: 'save' | 'payOnce';
  readonly kind: MethodKind;
  /** The gateway's own name of the method's type where a kind has several. */
  readonly scheme?: string;
  /** What will be charged, fee included; absent for `save`. */
  readonly amount?: Money;
  /** The payer at the gateway; absent for an unknown one. */
  readonly payer?: GatewayState;
  /** A saved method that is typed again: what is entered takes its place. Absent for a new one. */
  readonly method?: GatewayState;
  /** Who saves; absent on a pay link. */
  readonly person?: Person;
  /** Absolute address of the page that shows the entry. */
  readonly returnTo: string;
  /** Absolute address to which the gateway's page posts what was entered, bound to this entry and good for one use. */
  readonly callbackUrl: string;
}

export type EntryPrepared =
  | {
      readonly is: 'ready';
      readonly action: Action;
      /** Handed back with what was entered ({@link PayOnce.entry}, `SetupCompletion.entry`). */
      readonly state: GatewayState;
      /** The provider's name of it, where what the browser sends names it so (an auth key). */
      readonly remote?: RemoteId;
      /** Until when it can be used. */
      readonly until: Date;
    }
  | Extract<Outcome, { is: 'notAttempted' }>
  | { readonly is: 'unknown'; readonly evidence: string };

/** What a gateway's page posted to an entry's callback, verified. */
export type EntryCallback =
  | {
      readonly is: 'entered';
      readonly input: OneTimeInput;
      readonly owner?: BillingOwner;
      /** The page's own code, which the page around its frame is told; '000' unless said. */
      readonly message?: string;
      /** The provider's id of what was posted: another post with the same one is refused. */
      readonly once?: RemoteId;
    }
  /** Signed for this entry: the page did not take the method. The entry stays as it is; `text`, at most 100 characters, is shown. */
  | { readonly is: 'declined'; readonly text: string }
  /** Not what was signed for this entry, or not signed at all: nothing changes. */
  | { readonly is: 'refused'; readonly why: string };

// ---- Refunding ----

/** One refund or void, with a reference and an attempt of its own. */
export interface Refund {
  readonly ref: GatewayRef;
  readonly sentAt: Date;
  readonly lastSentAt: Date;
  readonly amount: Money;
  /** The charge it undoes: its state, its remote id, what was captured and what went back before. */
  readonly of: {
    readonly ref: GatewayRef;
    readonly remote: RemoteId;
    readonly state: GatewayState;
    readonly captured: Money;
    readonly refundedBefore: Money;
  };
  readonly reason?: 'duplicate' | 'fraudulent' | 'requestedByCustomer';
}

// ---- Events ----

/** What became of a charge after its end: a debit that failed later, a chargeback, one won back, a refund made at the gateway. */
export interface Reversal {
  /** `resubmitted`: the bank is asked again; the invoice is held until that ends. */
  readonly kind: 'failed' | 'chargeback' | 'chargebackWon' | 'resubmitted' | 'refund' | 'refundFailed';
  /** The gateway's id of the reversal itself. */
  readonly remote: RemoteId;
  /** The charge it is about. */
  readonly of?: RemoteId;
  readonly amount: Money;
  readonly code: string;
}

/** A charge as a gateway lists it, whoever sent it. */
export interface ListedCharge {
  /** Our reference, where it carries one. */
  readonly ref?: GatewayRef;
  /** What was to be charged. */
  readonly amount: Money;
  readonly kind: MethodKind;
  readonly at: Date;
  /** As they were sent with it, as far as the gateway keeps them. */
  readonly labels?: Partial<Pick<ChargeLabels, 'customer' | 'invoice'>>;
  readonly outcome: Extract<Outcome, { is: 'succeeded' | 'pending' | 'requiresAction' }>;
}

/** Something happened at the gateway. A hint to go and read, unless `reversal` comes by a signed webhook or a poll. */
export interface GatewayEvent {
  /** The gateway's event id, or a digest of the body: the inbox's key. */
  readonly id: string;
  readonly about: 'charge' | 'refund' | 'method' | 'mandate' | 'payer';
  readonly remote?: RemoteId;
  /** The payer at the gateway, where the event names it: a method we do not know yet is theirs. */
  readonly payer?: RemoteId;
  readonly ref?: GatewayRef;
  /**
   * After an end: a debit that failed later, a chargeback, one won back, a debit sent again, a refund made at the
   * gateway, one that could not be delivered.
   */
  readonly reversal?: Reversal;
}

export type WebhookReading =
  | { readonly is: 'accepted'; readonly trust: 'signed' | 'hint'; readonly events: readonly GatewayEvent[] }
  /** `status` is the HTTP status that the gateway expects for a refusal; nothing may change. */
  | { readonly is: 'refused'; readonly status: 400 | 401 | 413 | 498; readonly why: string };

export interface CredentialCheck {
  readonly ok: boolean;
  /** Rights the keys carry that a `LookupStrategy.needs` may name. */
  readonly rights: readonly string[];
  /** For the operator, redacted; absent when `ok`. */
  readonly why?: string;
  /** Not a verdict on the configuration: the gateway was not reachable. */
  readonly unreachable?: true;
}

/** One reseller's account at one provider. Stateless: everything it must remember goes into a `GatewayState`. */
export interface Gateway {
  readonly capabilities: Capabilities;

  /** Are the keys good? Cheap and harmless; feeds `apiStatus`. */
  verifyCredentials(): Promise<CredentialCheck>;

  /** Takes the money. Called once per attempt, after the attempt was committed; a crash is followed by `lookup`, not by this. */
  charge(charge: Charge, saveState: SaveState): Promise<Outcome>;
  /**
   * Opens the gateway's own page that takes the amount, instead of {@link charge}: `requiresAction` with a redirect, and
   * as `remote` the gateway's id of the page. `lookup`, `handleReturn` and `cancel` know by the state that it is one. `source` is `lost`.
   */
  createCheckout?(charge: Charge, saveState: SaveState): Promise<Outcome>;
  /** Finds out by one of `capabilities.lookup`. Only a strategy with `mayCharge` may take money; the engine sets `lastSentAt` (and commits) before it. */
  lookup(charge: Charge, state: GatewayState | undefined, strategy: LookupStrategy): Promise<LookupResult>;
  /** What became of the charge the gateway calls so, which need not be the one of our request; `inconclusive` unless it carries our reference. Changes nothing. */
  lookupByRemoteId?(charge: Charge, remote: RemoteId): Promise<LookupResult>;
  /** The browser came back with `query`. Reads the truth; an address that does not fit the attempt gives `inconclusive`. */
  handleReturn(
    charge: Charge,
    state: GatewayState,
    query: Readonly<Record<string, string>>,
  ): Promise<LookupResult>;
  /** Ends an open attempt so that it can never capture. `closed` is proof; anything else is what was found instead. */
  cancel(charge: Charge, state: GatewayState | undefined): Promise<CancelResult>;

  /** Removes what was made at the gateway for a charge that has ended (a temporary method or payer of a one-off). Twice is fine. */
  cleanUp?(charge: Charge, state: GatewayState): Promise<void>;

  /** Makes what a payer's page needs before anything is typed. Moves no money; one that is never used costs nothing. */
  prepareEntry?(request: EntryRequest): Promise<EntryPrepared>;
  /** Verifies what the gateway's page posted to an entry's callback. Pure. */
  readCallback?(entry: GatewayState, fields: Readonly<Record<string, string>>): EntryCallback;

  /** Voids or refunds, whichever the charge's state asks for. */
  refund(refund: Refund): Promise<Outcome>;
  lookupRefund?(
    refund: Refund,
    state: GatewayState | undefined,
    strategy: LookupStrategy,
  ): Promise<LookupResult>;

  beginSetup?(request: SetupRequest): Promise<SetupStarted>;
  /** With empty `fields` it only reads how the setup stands; it changes nothing then. */
  completeSetup?(request: SetupCompletion): Promise<SetupResult>;
  /** All methods of a payer. Throws when the list cannot be read whole. */
  listMethods?(payer: GatewayState): AsyncIterable<Method>;
  /** One saved method with its mandate, as it is now. */
  getMethod?(method: GatewayState): Promise<MethodReading>;
  /** Tells the gateway which method we charge by default, for its own pages; the default itself is ours. */
  setDefaultMethod?(payer: GatewayState, method: GatewayState): Promise<'done' | 'unknown'>;
  /** The default that somebody has set at the gateway; null when there is none. */
  getDefaultMethod?(payer: GatewayState): Promise<RemoteId | null | 'unknown'>;
  updateMethod?(
    ref: GatewayRef,
    method: GatewayState,
    change: Readonly<Record<string, string>>,
  ): Promise<SetupResult>;
  /** Gone twice is gone. */
  removeMethod?(method: GatewayState): Promise<'gone' | 'inUse' | 'unknown'>;

  /** Verifies and reads one webhook delivery over its raw bytes. Pure: no network, no clock of its own. */
  parseWebhook?(raw: Uint8Array, headers: Headers, now: Date): WebhookReading;
  /**
   * What an event is about, where the event itself does not say it all (an amount, a reference, the charge): read at the
   * gateway, and so believed whoever sent the event. None, where nothing is to be followed.
   */
  resolveEvent?(event: GatewayEvent): Promise<readonly GatewayEvent[] | 'inconclusive'>;
  /** All that became of a succeeded charge since, as it is now; asked after a hint and on `recheckMs`. */
  listReversals?(
    charge: Charge,
    state: GatewayState,
  ): Promise<{ readonly reversals: readonly Reversal[] } | 'inconclusive'>;
  /**
   * Every charge since then that took money or still may, in any order: after a backup was restored they may not be known here.
   * Throws when the list cannot be read whole.
   */
  listCharges?(since: Date): AsyncIterable<ListedCharge>;
  /**
   * What has happened after `cursor`, oldest first, each with the cursor behind it; without a cursor, since the account's keys
   * were made or as far back as the gateway lists. The same event has the same id as in a webhook. Throws when it cannot be read.
   */
  pollEvents?(cursor: string | undefined): AsyncIterable<GatewayEvent & { readonly cursor: string }>;
}
