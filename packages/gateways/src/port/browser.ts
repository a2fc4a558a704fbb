/**
 * What a page asks of a gateway's browser entry (`<gateway>/browser.tsx`). The page knows no provider: it
 * loads the entry named by `integrationType` and hands over the public configuration.
 */
import type { ReactNode } from 'react';

/** The public configuration of a gateway, as the API gives it to a page that takes a card. */
export interface CardEntryConfig {
  readonly publishableKey: string;
  /** Address of the provider's script. Loaded at run time, never bundled. */
  readonly scriptUrl: string;
  /** Three fields instead of one combined field. */
  readonly separateInputs: boolean;
}

export type CardField = 'card' | 'number' | 'expiry' | 'cvc';

export interface BillingAddress {
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
}

/** Something the payer must mend before the card can be used. */
export interface CardProblem {
  readonly field: CardField;
  readonly text: string;
}

export type Tokenised =
  | { readonly token: string }
  /** The provider's message, or ours. `field` when it is about one input, which then shows it too. */
  | { readonly error: string; readonly field?: CardField };

export type CardEntryStatus = 'loading' | 'slow' | 'ready' | 'failed';

export interface CardEntryState {
  readonly status: CardEntryStatus;
  /** All inputs are filled in and valid. */
  readonly isComplete: boolean;
}

/** Words of the fields; a page passes translations, or the defaults of the entry stand. */
export interface CardEntryTexts {
  readonly card: string;
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
  readonly missingCard: string;
  readonly missingNumber: string;
  readonly missingExpiry: string;
  readonly missingCvc: string;
  readonly slow: string;
  readonly failed: string;
  readonly retry: string;
  readonly notReady: string;
}

export interface CardFieldsProps {
  readonly disabled?: boolean;
  readonly texts?: Partial<CardEntryTexts>;
  readonly onState?: (state: CardEntryState) => void;
}

export interface CardEntry {
  /** The inputs with their labels and errors. Rendered once per entry. */
  readonly Fields: (props: CardFieldsProps) => ReactNode;
  /** What is missing or wrong now; the inputs concerned show it from then on. Empty: `tokenise` may be called. */
  readonly problems: () => readonly CardProblem[];
  /** Puts the cursor into an input, for the links of an error summary. */
  readonly focus: (field: CardField) => void;
  /** Trades the typed card for a one-time token. Never rejects; the number never passes through our code. */
  readonly tokenise: (holder: string, billing?: Partial<BillingAddress>) => Promise<Tokenised>;
}

/** What `<gateway>/browser.tsx` exports under this name. Call it once per page, outside of rendering. */
export type CreateCardEntry = (config: CardEntryConfig) => CardEntry;

/** What was typed into the form for a bank account, by the names of the gateway's `FormField`s. */
export type BankFields = Readonly<Record<string, string>>;

export type BankTokenised =
  | { readonly token: string }
  /** The provider's message, or ours. `field`: the input it is about. */
  | { readonly error: string; readonly field?: string };

/** Takes a bank account from the portal's own form to the provider; its number goes nowhere else. */
export interface BankEntry {
  /**
   * Trades the typed account for a token. Never rejects.
   * @param scheme the gateway's name of the kind of account
   * @param setup `config` of the open set-up the token is for
   */
  readonly tokenise: (
    scheme: string,
    typed: BankFields,
    setup: Readonly<Record<string, string>>,
  ) => Promise<BankTokenised>;
}

/** Exported under this name by gateways whose bank accounts are typed into the portal's form. */
export type CreateBankEntry = (config: CardEntryConfig) => BankEntry;
