/** References, and what comes of asking a gateway for something. */
import type { Money } from '@counterfoil/domain/money/money.ts';
import type { SecretBytes } from '../kit/secret-bytes.ts';

declare const ours: unique symbol;
declare const theirs: unique symbol;

/** Our reference of one attempt: 18 random characters of `0-9A-Z`, the shortest any gateway takes. See gateway-ref.ts. */
export type GatewayRef = string & { readonly [ours]: true };
/** The gateway's own id of an object (`pi_…`, a transaction number). Opaque. */
export type RemoteId = string & { readonly [theirs]: true };
/** What an adapter wants to see again. The engine stores it (encrypted) and hands it back; only the adapter reads it. */
export type GatewayState = Readonly<Record<string, string>>;

export interface Decline {
  /** `retryLater`: same method, later; `fixInput`: the payer mistyped; `otherMethod`: this one will not work; `authenticate`: needs the payer present. */
  readonly class: 'retryLater' | 'fixInput' | 'otherMethod' | 'authenticate';
  /** The gateway's code, for logs, support and the rule 'never again after a code that forbids it'. */
  readonly code: string;
  /** What the customer reads. Never reveals that a card was reported lost or stolen. */
  readonly text: string;
  /** The gateway forbids any automatic retry with this method. */
  readonly final?: true;
}

/** What the payer's browser must do next. */
export type Action =
  | { readonly do: 'redirect'; readonly to: string }
  /** A form that the page posts into a frame of its own. */
  | {
      readonly do: 'form';
      readonly url: string;
      readonly fields: Readonly<Record<string, string>>;
      /** Origins whose pages may stand in the frame and send messages out of it. */
      readonly origins: readonly string[];
    }
  | { readonly do: 'frame'; readonly url: string; readonly origins: readonly string[] }
  | { readonly do: 'browser'; readonly config: Readonly<Record<string, string>> };

/** What a one-time token turned out to be: brand, last digits; under the names of `Method.show`. */
type Shown = Readonly<Record<string, string>>;

/** What came of a charge, refund or void. Exactly one of six. */
export type Outcome =
  /** Money moved. `captured` is what was taken, not what was asked for. */
  | {
      readonly is: 'succeeded';
      readonly remote: RemoteId;
      readonly captured: Money;
      readonly state: GatewayState;
      readonly shown?: Shown;
    }
  /** Accepted and on its way; final later. */
  | {
      readonly is: 'pending';
      readonly because: 'bank' | 'review' | 'gateway';
      readonly remote: RemoteId;
      readonly state: GatewayState;
      readonly shown?: Shown;
    }
  /** The payer must act; can still capture until `cancel`. */
  | {
      readonly is: 'requiresAction';
      readonly action: Action;
      readonly remote?: RemoteId;
      readonly state: GatewayState;
      readonly shown?: Shown;
    }
  /** Certainly nothing was taken: the bank or the gateway refused. */
  | { readonly is: 'declined'; readonly why: Decline; readonly remote?: RemoteId; readonly shown?: Shown }
  /** Certainly nothing was taken: it never got as far as a decision. */
  | {
      readonly is: 'notAttempted';
      /** `config`: keys or account; `invalid`: our request; `unreachable`: nothing was sent; `methodGone`: the saved method is no more. */
      readonly why: 'config' | 'invalid' | 'unreachable' | 'methodGone';
      /** For the log and the operator, redacted. Never shown to a customer. */
      readonly detail: string;
    }
  /**
   * Money may have moved. `evidence` is redacted. A `state` replaces the stored one. `needsPerson`: no look-up will ever tell,
   * so that a person is asked at once.
   */
  | {
      readonly is: 'unknown';
      readonly evidence: string;
      readonly state?: GatewayState;
      readonly needsPerson?: true;
    };

/** What finding out brought. */
export type LookupResult =
  | Outcome
  /** It exists at the gateway, took nothing and can never capture. */
  | { readonly is: 'closed' }
  /** No trace. Only when `proven` may the attempt end as absent. */
  | { readonly is: 'absent'; readonly proven: boolean }
  /**
   * This strategy cannot decide: go on to the next one. A `state` replaces the stored one, also then.
   * Unless `sent`, no request that may charge has left: `Charge.lastSentAt` may stay as it was.
   */
  | {
      readonly is: 'inconclusive';
      readonly why: string;
      readonly state?: GatewayState;
      readonly sent?: true;
    };

export type CancelResult = LookupResult | { readonly is: 'cannotCancel' };

/**
 * A method used once: a token made in the payer's browser, the fields of a form that was encrypted there, or the numbers
 * themselves where a reseller has them pass. Never stored, so that it can never be sent again after a crash.
 */
export type OneTimeInput =
  /** `beside`: what the provider's page does not put into the token, e.g. the expiry of a card. */
  | { readonly token: string; readonly beside?: Readonly<Record<string, string>> }
  | { readonly fields: Readonly<Record<string, string>> }
  /** `number`, `code` or `account`, each readable once; `beside`: the rest of the form, no number among it. */
  | {
      readonly secrets: Readonly<Partial<Record<SecretName, SecretBytes>>>;
      readonly beside: Readonly<Record<string, string>>;
    };

/** A card's number, its security code, the number of a bank account. */
export type SecretName = 'number' | 'code' | 'account';
