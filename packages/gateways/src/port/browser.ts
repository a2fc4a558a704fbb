/**
 * What a page asks of a gateway's way of entry: its own (`<gateway>/browser.tsx`), or the standard one of its `how`. The page
 * knows no provider: it loads what `integrationType` names, hands over the public configuration, draws `Fields`, and
 * sends what `submit` gives. Why it has this shape: docs/adr/0066-one-entry-in-the-browser.md.
 */
import type { ReactNode } from 'react';
import type { Entry, MethodKind } from './capabilities.ts';
import type { Action } from './outcomes.ts';
import type { BillingOwner } from './owner.ts';
import type { FormField } from './saved-manifest.ts';

export type { MethodKind } from './capabilities.ts';
export type { Action } from './outcomes.ts';
export type { BillingOwner, PostalAddress } from './owner.ts';
export type { FormField } from './saved-manifest.ts';

/** All that a page knows of one way of entry at a reseller's account. No secrets. */
export interface EntryConfig {
  readonly integrationType: string;
  readonly how: Entry['how'];
  /** The gateway's own name of the kind of account. */
  readonly scheme?: string | undefined;
  /** ISO 4217 code of that kind of account: it tells what a routing number is called there. */
  readonly currency?: string | undefined;
  /** The public configuration of the manifest (`publicConfig`), whole. */
  readonly public: Readonly<Record<string, string | boolean>>;
  /** Three fields instead of one combined field, where the provider's script has both. */
  readonly separateInputs: boolean;
  /** Of a card: whether it is kept, or pays once by a link. */
  readonly purpose?: 'save' | 'payOnce' | undefined;
  /** What this gateway asks for: the page draws those of the owner, the entry those of the account. */
  readonly formFields: readonly FormField[];
  /** The gateway makes something before anything is typed (`prepareEntry`). */
  readonly isPrepared: boolean;
}

/** What was made at the gateway for this form; used once. */
export interface PreparedEntry {
  readonly entryId: string;
  readonly action: Action;
}

/** Something the payer must mend before the method can be used. */
export interface EntryProblem {
  /** Of the entry's own inputs. */
  readonly field: string;
  readonly text: string;
}

/**
 * `slow`: it takes longer than usual. `entered`: the provider's page has said that it is done, so that the form sends
 * itself. `leaves`: nothing is typed here.
 */
export type EntryStatus = 'loading' | 'slow' | 'ready' | 'failed' | 'entered' | 'leaves';

export interface EntryState {
  readonly status: EntryStatus;
  /** All inputs are filled in and valid. */
  readonly isComplete: boolean;
}

export interface EntryFieldsProps {
  readonly disabled?: boolean;
  readonly prepared?: PreparedEntry | undefined;
  readonly onState?: ((state: EntryState) => void) | undefined;
  /** The provider's page says that what stands here is out of date: the page is loaded again, or a new entry made. */
  readonly onReload?: (() => void) | undefined;
}

/**
 * Numbers typed into our own inputs, on their way to our server. They stand in memory for as long as the call is made. What was
 * encrypted here stands in its number's place.
 */
export interface TypedNumbers {
  readonly cardNumber?: string;
  /** 'YYYY-MM'. */
  readonly expirationDate?: string;
  readonly cardCode?: string;
  /** Of a bank account, by the names of the {@link FormField}s. */
  readonly account?: Readonly<Record<string, string>>;
  /** All of it as a body of the gateway's own has it, where that is what saves it (payments §7). */
  readonly saved?: Readonly<Record<string, string>>;
}

/** What came of a press, and is sent. */
export type Entered =
  /** `beside`: what the provider's page does not put into the token, e.g. the expiry of a card. */
  | { readonly token: string; readonly beside?: Readonly<Record<string, string>> }
  /** Of a form that was encrypted here. */
  | { readonly fields: Readonly<Record<string, string>> }
  | { readonly numbers: TypedNumbers }
  /** The prepared entry holds it already, or the payer leaves for the gateway's own page. */
  | { readonly entered: true }
  | { readonly hint: 'reload' }
  /** The provider's message, or ours. `field` when it is about one input, which then shows it too. */
  | { readonly error: string; readonly field?: string };

/** One way of entry on a page. What was typed goes with it. */
export interface MethodEntry {
  /** The inputs with their labels and errors, or the provider's page. Rendered once per entry. */
  readonly Fields: (props: EntryFieldsProps) => ReactNode;
  /** What is missing or wrong now; the inputs concerned show it from then on. Empty: `submit` may be called. */
  readonly problems: () => readonly EntryProblem[];
  /** Puts the cursor into an input, for the links of an error summary. */
  readonly focus: (field: string) => void;
  /**
   * Trades what was typed for what is sent. Never rejects. Called again for a second token of the same method.
   * @param owner what was typed beside it
   * @param prepared the entry that was made for it, where {@link needsPrepared}
   */
  readonly submit: (owner: BillingOwner, prepared?: PreparedEntry) => Promise<Entered>;
  /** Something must be made at the gateway before `Fields` can be used. */
  readonly needsPrepared: boolean;
}

/**
 * What `<gateway>/browser.tsx` exports as `createEntry`. Called once per form, outside of rendering. It may load more code: the
 * card of a pay link brings none of what only an account needs.
 */
export type CreateEntry = (kind: MethodKind, config: EntryConfig) => MethodEntry | Promise<MethodEntry>;
