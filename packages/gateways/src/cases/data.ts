/** What a gateway's `cases-data.ts` gives: the provider's test data, and how its pages are answered. */
import type { GatewayFetch } from '../kit/http.ts';
import type {
  Action,
  BillingOwner,
  Decline,
  GatewayRef,
  MethodKind,
  OneTimeInput,
  SetupCompletion,
} from '../port/gateway.ts';
import type { Conformance } from './conformance.ts';

/**
 * What only a sandbox can supply: `faults` on the way, a `clock` that is moved, a `payer` in front of the provider's page,
 * a webhook `delivery` that arrives, and `data` that no account of the provider is sure to have.
 */
export type SandboxNeed = 'faults' | 'clock' | 'payer' | 'delivery' | 'data';

/** Where the cases run, as a test method may need it to play the payer's browser there. */
export interface TestAccount {
  /** As the manifest's schema has read them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** By role. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly fetch: GatewayFetch;
}

/** `posted`: by the provider's page, to the callback of an entry. */
export type EnteredOnce = OneTimeInput | { readonly posted: Readonly<Record<string, string>> };

/** A method of the provider's test data. */
export interface TestMethod {
  readonly kind: MethodKind;
  /** The gateway's own name of the type where a kind has several. */
  readonly scheme?: string;
  /** The only currency it can pay in; else that of the run. */
  readonly currency?: string;
  /** Who owns it, again for each use; where a test service answers by the address, what it answers. */
  owner?(): BillingOwner;
  /** Minor units that make the test service answer as meant; else the usual amount. */
  readonly minor?: bigint;
  /**
   * A token or numbers, made again for each use; or what the provider's page posts to the callback of a prepared entry.
   * @param prepared what the payer's page is given first, where the gateway prepares an entry
   */
  once(account: TestAccount, prepared?: Action): EnteredOnce | Promise<EnteredOnce>;
  /** Plays the payer where saving goes over a page of the provider; absent: {@link once} finishes it. */
  play?(action: Action, account: TestAccount): Promise<SetupCompletion['input']>;
}

export interface DeclinedMethod {
  /** For the id of the case: lower-case kebab. */
  readonly name: string;
  readonly method: TestMethod;
  readonly why: Pick<Decline, 'class' | 'code' | 'text'>;
  /** Saving works, only paying is refused. */
  readonly savable?: true;
  /** Where an account of the provider need not decline it. */
  readonly needs?: SandboxNeed;
}

/** A kind of bank account that is debited, with a mandate or once. */
export interface DebitedAccount extends TestMethod {
  readonly kind: 'bank';
  readonly scheme: string;
  readonly currency: string;
  /** It can be debited once, without being kept. */
  readonly isOnce: boolean;
  /** The gateway keeps no mandate: the agreement is ours alone. */
  readonly hasNoMandate?: true;
  /** How long its bank has to return a debit, milliseconds; seconds where a sandbox's banks are quick. */
  readonly settlesMs?: number;
  /** Accounts whose bank returns the debit later, with the code it gives. */
  readonly returned: readonly (TestMethod & { readonly code: string })[];
}

export interface SignedDelivery {
  readonly raw: Uint8Array;
  readonly headers: Headers;
}

/** Minor units under a reference, one entry a charge or refund; read from the provider, not through the adapter. */
export interface ReadBack {
  taken(ref: GatewayRef, account: TestAccount): Promise<readonly bigint[]>;
}

/** What becomes of a payment after its end, each of what became of it before. */
export type ReversalKind = 'failed' | 'resubmitted' | 'chargeback' | 'chargebackWon';

/** How the cases reach the gateway's sandbox and play the payer on its pages. */
export interface SandboxData {
  readonly settings: Readonly<Record<string, unknown>>;
  /** What the sandbox signs its webhooks with; one of the settings. */
  readonly webhookSecret?: string;
  /** The id of the object that a delivery is about. */
  eventAbout?(raw: Uint8Array): string;
  /** Makes a payment that has succeeded come back, or come again. */
  reverse?(remote: string, how: ReversalKind, account: TestAccount): Promise<void>;
  /** Plays the payer on the bank's page; gives the query the browser comes back with. Throws when the page refuses. */
  answerChallenge?(to: string, how: 'complete' | 'fail'): Promise<Readonly<Record<string, string>>>;
  /** Plays the payer on the gateway's own page, with a good card. Throws when the page refuses. */
  payOnPage?(to: string): Promise<void>;
}

export interface CasesData {
  /** A method that pays, at once or once its bank has answered, and can be saved where methods can. */
  readonly good: TestMethod;
  /** Another card or account that pays, where the gateway knows an equal one again. */
  readonly other?: TestMethod;
  readonly declines: readonly DeclinedMethod[];
  /** One of {@link declines}, by its name, for cases that need a decline. */
  readonly decline: string;
  /** A method whose bank asks each time; absent where there is no such thing. */
  readonly challenged?: TestMethod;
  readonly accounts?: readonly DebitedAccount[];
  /** Whether a refusal says that this account may not take a kind of debit. */
  isNotOffered?(detail: string): boolean;
  /** No answer carries an amount: what was asked for is taken, or nothing. */
  readonly hasNoParts?: true;
  /** The gateway keeps methods and no default of them: ours is the only one. */
  readonly hasNoDefault?: true;
  /** Makes keys of them that nobody has. */
  spoil(settings: TestAccount['settings']): TestAccount['settings'];
  /** What may be changed of a saved {@link good}. */
  change?(): Readonly<Record<string, string>>;
  /** Deliveries about a payment with that reference as the provider would sign them: one a secret in use. */
  sign?(settings: TestAccount['settings'], ref: GatewayRef, at: Date): readonly SignedDelivery[];
  /** Whether the signature covers when it was made. */
  readonly isTimed?: true;
  readonly readBack?: ReadBack;
  readonly sandbox: SandboxData;
  /** Minor units to charge where five of the currency are not enough, or mean something at the test service. */
  readonly amounts?: Readonly<Record<string, bigint>>;
  /** What the protocol asks for; absent where nothing is listed yet. */
  readonly conformance?: Conformance;
  /** Numbers of {@link conformance} that a case asks of the service itself, whole or in part, by its id. */
  readonly proves: Readonly<Record<string, readonly number[]>>;
  /** What cannot be shown at the provider, because a person, a browser, a webhook or much time is needed. */
  readonly notChecked: readonly string[];
}
