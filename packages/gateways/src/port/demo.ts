/**
 * What a gateway's `demo.ts` gives to the demo world and to end-to-end tests: accounts in its sandbox and methods of its
 * customers. The registry finds it, so that neither knows a gateway by its name.
 */
import type { Action } from './outcomes.ts';

/** An account in the gateway's sandbox. */
export interface DemoAccount {
  /** Of the sandbox, as the settings lead the gateway's calls there; without a trailing slash. */
  readonly url: string;
  readonly name: string;
}

/** Kinds of methods that customers of the demo world have; a gateway offers those it can. */
export type DemoSample =
  | 'card.au'
  | 'card.visa'
  | 'card.mastercard'
  | 'card.mastercardDebit'
  | 'card.amex'
  | 'account.au'
  | 'account.eu'
  | 'account.gb'
  | 'account.us'
  | 'account.usOther';

/** Who owns a method. */
export interface DemoOwner {
  readonly holder: string;
  readonly email: string;
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
  readonly country: string;
}

export interface GatewayDemo {
  /** Settings of an account as `gateway set` takes them (`name=value`). They open nothing but the sandbox. */
  settings(name: string): readonly string[];
  /** Settings that show the fields of a card as separate inputs, where there is a choice. */
  readonly separateInputs?: readonly string[];
  /** What the sandbox signs the webhooks of an account with; absent where there are none. */
  webhookSecret?(name: string): string;
  /** The gateway's name of each sample's kind, `card` for cards. One that is not here cannot be saved. */
  readonly schemes: Readonly<Partial<Record<DemoSample, string>>>;
  /**
   * Makes a method as the provider's script or page makes it in a browser.
   * @returns its one-time token, or what the page posts to the callback of the entry
   */
  tokenise?(
    account: DemoAccount,
    sample: DemoSample,
    owner: DemoOwner,
    /** What the form is given first, where the gateway prepares an entry. */
    prepared?: Action,
  ): Promise<
    | string
    | { readonly token: string; readonly beside: Readonly<Record<string, string>> }
    | { readonly posted: Readonly<Record<string, string>> }
  >;
  /**
   * Answers the gateway's own page for a method, as its holder would; instead of {@link tokenise}, where the provider's page
   * asks for it.
   * @param page its address
   */
  answerPage?(page: string, sample: DemoSample, owner: DemoOwner): Promise<void>;
  /** What a small deposit is called on the bank statement. */
  readonly depositCode?: string;
  /** Gives a saved card another last month, as its bank would. @param token what {@link tokenise} gave */
  expire?(
    account: DemoAccount,
    token: string,
    last: { readonly year: number; readonly month: number },
  ): Promise<void>;
}
