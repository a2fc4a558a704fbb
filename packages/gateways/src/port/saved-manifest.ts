/** What a gateway's manifest says of saved methods, so that screens and server need not know its name. */
import type * as z from 'zod/mini';
import type { Entry, MethodKind } from './capabilities.ts';
import type { Action } from './outcomes.ts';
import type { BillingOwner } from './owner.ts';
import type { Method } from './saved-methods.ts';

/** One input of a form, by its name in the specification (payments §3); lengths in characters. */
export interface FormField {
  readonly name: string;
  readonly required: boolean;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** One kind of direct debit, as a brand's `directDebitPaymentMethodId` selects it. */
export interface DebitScheme {
  /** The gateway's name of the type, `paymentMethodType` on the wire. */
  readonly scheme: string;
  /** Title of the list (payments §2). */
  readonly title: 'Direct Debit' | 'ACH' | 'BACS' | 'SEPA';
  /** The only currency it can be debited in. */
  readonly currency: string;
  /** Working days until the bank usually confirms a debit; 5 unless said. */
  readonly settlesInDays?: number;
  readonly fields: readonly FormField[];
  /** An account can be debited once without being kept, and without a proof of it that takes days: a pay link may offer it. */
  readonly once?: true;
  /** What the account holder agrees to; `{company}` stands for the company that is paid. */
  readonly mandate?: {
    readonly version: string;
    readonly text: string;
    /** Terms the text speaks of, and the mark in the text that leads to them. */
    readonly terms?: { readonly words: string; readonly url: string };
  };
}

/** Where the specification and its decisions put the calls of this gateway (payments §7, decisions §2). */
export interface SavedMethodPaths {
  readonly cards: string;
  /** Bank accounts; the same as `cards` where both are in one list. */
  readonly accounts: string;
  readonly defaultSource: string;
}

/** What a saved method is called and shown as in the specification's own shape: scalars, and objects of texts, by name. */
export type WireFields = Readonly<Record<string, string | number | Readonly<Record<string, string>>>>;

/**
 * What is shown of a method, under the names of the specification's shape; what is not known stays away.
 * @param names by the name on the wire, the name in {@link Method.show}
 */
export const renamed = (
  show: Method['show'],
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([wire, own]) => {
      const value = show[own];
      return value === undefined ? [] : [[wire, value]];
    }),
  );

/** What a body of a gateway's own shape says. */
export interface ReadBody {
  readonly token?: string | undefined;
  /** The provider's name of the entry that holds the method ({@link EntryPrepared.remote}). */
  readonly entryRemote?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly beside?: Readonly<Record<string, string>> | undefined;
  readonly owner?: BillingOwner | undefined;
  readonly kind?: MethodKind | undefined;
}

/** A body that the specification gives a gateway of its own (payments §7), beside the one that all take. */
export interface SavedBody {
  readonly at: 'cards' | 'accounts';
  /** Its members; none is required, for the path takes the common body too. */
  readonly members: Readonly<Record<string, z.ZodMiniType>>;
  /** @param body as the members have checked it. @returns undefined where it is not of this shape */
  read(body: Readonly<Record<string, unknown>>): ReadBody | undefined;
}

/**
 * A call by which the specification has a form of this gateway prepared (payments §7), on {@link Gateway.prepareEntry}.
 */
export interface EntryPath {
  /** `GET` answers markup for a frame, `POST` what {@link present} makes of the action. */
  readonly method: 'GET' | 'POST';
  /** With `:type` (`CC` or `ACH`) where methods are saved, `:sessionId` or `:token` where they pay once. */
  readonly path: string;
  readonly for: 'save' | 'session' | 'link';
  /** Members of the body of a `POST`. None is believed: whose it is says the session. */
  readonly members?: Readonly<Record<string, z.ZodMiniType>>;
  /** The member that names a saved method by our id, where one can be typed again ({@link EntryRequest.method}). */
  readonly savedMember?: string;
  /** The member that says where the owner of the method is written to ({@link EntryRequest.person}). */
  readonly emailMember?: string;
  /** Of what the browser is given, the members that the provider's script needs. */
  present?(action: Action): Readonly<Record<string, string>>;
}

export interface SavedMethodsManifest {
  readonly paths: SavedMethodPaths;
  /** What a one-time token of its browser entry looks like; nothing else is passed on or stored. */
  readonly token: RegExp;
  readonly cardFields: readonly FormField[];
  /** Of these, what the provider's own inputs ask for, by way of entry: the page does not ask again. */
  readonly askedByProvider?: Readonly<Partial<Record<Entry['how'], readonly string[]>>>;
  /** Fields without which a card's gateway changes nothing of it (payments §5). */
  readonly changeNeeds?: readonly string[];
  readonly bodies?: readonly SavedBody[];
  readonly entryPaths?: readonly EntryPath[];
  /**
   * By `directDebitPaymentMethodId`; empty where bank accounts cannot be saved. Several under one id: that of the brand's
   * currency is offered.
   */
  readonly debits: Readonly<Record<number, DebitScheme | readonly DebitScheme[]>>;
  /** The gateway's object in the specification's shape, by its member name (`stripeCard: {brand, …}`). */
  present(method: {
    /** Ours. */
    readonly id: string;
    readonly kind: MethodKind;
    readonly show: Method['show'];
  }): Readonly<Record<string, WireFields>>;
}

/** Working days until a bank usually confirms a debit, where the scheme says nothing else. */
const usualDays = 5;

/** Working days until the bank usually confirms a debit. @param debit undefined: of a kind that is not known */
export const settlingDays = (debit: Pick<DebitScheme, 'settlesInDays'> | undefined): number =>
  debit?.settlesInDays ?? usualDays;

/** Every kind of direct debit a gateway has. */
export const debitSchemes = (
  saved: Pick<SavedMethodsManifest, 'debits'> | undefined,
): readonly DebitScheme[] => Object.values(saved?.debits ?? {}).flat();

/**
 * The kind of direct debit that a brand offers.
 * @param id its `directDebitPaymentMethodId`
 * @param currency of the brand, ISO 4217
 */
export function debitFor(
  saved: Pick<SavedMethodsManifest, 'debits'> | undefined,
  id: number,
  currency: string,
): DebitScheme | undefined {
  const found = saved?.debits[id];
  return found === undefined || 'scheme' in found ? found : found.find((one) => one.currency === currency);
}
