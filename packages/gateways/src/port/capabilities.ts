/** What a gateway can do: data, read by the engine and the screens instead of the gateway's name. */

export type MethodKind = 'card' | 'bank';

/** How a number gets from the payer to the gateway, and the PCI DSS questionnaire that follows from it. */
export type Entry =
  | { readonly how: 'providerFrame' | 'providerFields' | 'redirect'; readonly pci: 'A' }
  | { readonly how: 'ownFieldsToProvider'; readonly pci: 'A-EP' }
  | { readonly how: 'ownFieldsEncrypted' | 'ownFieldsToUs'; readonly pci: 'D' };

export interface Capabilities {
  /** Ways of entry per kind; the first is the default, the others are a reseller's switches. A missing kind is not offered. */
  readonly entry: Readonly<Partial<Record<MethodKind, readonly Entry[]>>>;
  /** ISO 4217 codes that can be charged. */
  readonly currencies: 'any' | readonly string[];
  /** The least that is charged, in minor units by ISO 4217 code; one that is missing is not known beforehand. */
  readonly minimumCharge?: Readonly<Record<string, number>>;
  /** Only whole numbers of this are charged, in minor units by ISO 4217 code; where it is missing, any amount is. */
  readonly amountIncrement?: Readonly<Record<string, number>>;
  readonly vault: {
    /** Who keeps the list of saved methods. */
    readonly owner: 'gateway' | 'ours';
    /** Kinds the gateway can list. */
    readonly list: readonly MethodKind[];
    /** Fields `updateMethod` accepts, of cards; of bank accounts those that do not begin with `exp`. */
    readonly update: readonly string[];
    /** Of bank accounts, where it accepts others. */
    readonly updateBank?: readonly string[];
    /** `remote`: removing takes it from the gateway; `local`: only we forget it. */
    readonly remove: 'remote' | 'local';
  };
  /** A payment with a method that is not kept (the pay page). */
  readonly oneOff: 'direct' | 'viaTemporaryMethod' | 'no';
  /** `atOnce`: the answer is final; `later`: first `pending`, final by an event or by asking. */
  readonly settles: Readonly<Partial<Record<MethodKind, 'atOnce' | 'later'>>>;
  readonly refund: {
    readonly when: 'any' | 'afterSettlement' | 'never';
    readonly partial: boolean;
    /** Before settlement the whole amount can be voided. */
    readonly voidBefore: boolean;
  };
  /** What a second send of the same reference does. */
  readonly repeat: 'refused' | 'replayed' | 'windowed' | 'charges';
  /** Ways to find out about a charge, tried in this order. Empty: a person decides. */
  readonly lookup: readonly LookupStrategy[];
  /** The same for a refund or void. */
  readonly refundLookup: readonly LookupStrategy[];
  readonly events: readonly ('signedWebhook' | 'unsignedWebhook' | 'poll')[];
  /** When a payment that has succeeded is looked at again, milliseconds after its end: for returns that no event tells. */
  readonly recheckMs?: Readonly<Partial<Record<MethodKind, readonly number[]>>>;
  /** Longest time one money call may take, milliseconds; its payer is told 'being confirmed' long before. */
  readonly answerWithinMs: number;
}

/** One way to find out what happened, with everything the engine must obey. All durations in milliseconds. */
export interface LookupStrategy {
  /** `remote`: read by the gateway's id, when the state holds one; `ref`: ask by our reference; `replay`: send again; `scan`: search a list. */
  readonly by: 'remote' | 'ref' | 'replay' | 'scan';
  /** Asking this way charges when the first request never arrived. */
  readonly mayCharge: boolean;
  /** Works only where the charge used a saved method. */
  readonly savedMethodOnly: boolean;
  /**
   * Closed once the saved method may have been changed after the charge was sent: where the request's contents are the
   * key, sending again would be a second charge. While such a strategy may still be used, the method cannot be changed.
   */
  readonly methodUnchanged?: true;
  /** A right (one of `CredentialCheck.rights`); where the account lacks it this way is closed at once. */
  readonly needs?: string;
  /** The first look-up, counted from `Charge.lastSentAt`. */
  readonly firstMs: number;
  /** From when on a charge that exists is seen, counted from `Charge.lastSentAt`. */
  readonly visibleMs: number | 'unknown';
  /** Until when this way may be used, counted from `Charge.sentAt`. */
  readonly validMs: number | 'unknown';
  readonly maxAttempts: number | 'any';
  /** The shortest time between two look-ups of one attempt: `firstMs` after the first, then longer by `factor`, at most `mostMs`. */
  readonly pause: Pause;
  /** When `absent` is proof, counted from `Charge.lastSentAt`. The adapter says so itself in `LookupResult.absent.proven`. */
  readonly absenceProvenMs: number | 'never';
}

/**
 * A strategy that promises nothing which is not said: asking does not charge unless it is sending again, what is not seen proves
 * nothing, and how soon or how long anything is seen is not known. What is sent again is answered at once.
 */
export const lookupBy = (
  by: LookupStrategy['by'],
  said: Partial<Omit<LookupStrategy, 'by'>> & Pick<LookupStrategy, 'firstMs' | 'pause'>,
): LookupStrategy => ({
  by,
  mayCharge: by === 'replay',
  savedMethodOnly: false,
  visibleMs: by === 'replay' ? 0 : 'unknown',
  validMs: 'unknown',
  maxAttempts: 'any',
  absenceProvenMs: 'never',
  ...said,
});

/** How the time between two look-ups grows; milliseconds. */
export interface Pause {
  readonly firstMs: number;
  readonly factor: number;
  readonly mostMs: number;
}

/** Fields of a saved method of this kind that the gateway changes: an account does not expire. */
export const changeable = ({ vault }: Pick<Capabilities, 'vault'>, kind: MethodKind): readonly string[] =>
  kind === 'card'
    ? vault.update
    : (vault.updateBank ?? vault.update.filter((name) => !name.startsWith('exp')));
