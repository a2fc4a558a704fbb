import type {
  ConfirmationRequest,
  PayAnswer,
  PaymentInfo,
  PayRequest,
} from '@counterfoil/contract/public-pay.ts';
import type { EnteredCard } from '../../paying/card/use-card-form.ts';
import type { PaymentWatch } from '../../paying/payment-watch.ts';
import type { Waiter } from '../../paying/waiter.ts';
import type { DraftStore } from './draft.ts';

/** A bank account as it is sent: its one-time token, and what its holder has agreed to. Nothing of it is kept. */
export interface EnteredAccount {
  readonly paymentMethodId: string;
  readonly paymentMethodType: string;
  readonly accountHolderName: string;
  readonly mandateAccepted: true;
  readonly mandateVersion?: string;
  readonly email?: string;
  readonly draft?: undefined;
}

/** What the payer sends; the draft is kept over a visit at the bank. */
export type Submission = EnteredCard | EnteredAccount;

/** The three calls of the page; all reject with `ApiError`. */
export interface PayCalls {
  readonly details: () => Promise<PaymentInfo>;
  readonly pay: (body: PayRequest, idempotencyKey: string) => Promise<PayAnswer>;
  readonly confirm: (body: ConfirmationRequest) => Promise<PayAnswer>;
}

export interface PayFlowParts {
  readonly uid: string;
  readonly calls: PayCalls;
  /** Whether this page has input fields for a gateway. */
  readonly canTakeCards: (integrationType: string) => boolean;
  readonly watch: Pick<PaymentWatch, 'announce'>;
  readonly drafts: DraftStore;
  readonly now: () => Date;
  readonly waiter: Waiter;
  readonly newKey: () => string;
  /** Leaves for the provider's page. */
  readonly go: (url: string) => void;
  /** Words for a payment that certainly never arrived. */
  readonly notSentText: string;
}

/** A paying call whose answer was lost. */
export interface Lost {
  readonly body: PayRequest;
  readonly key: string;
  /** The attempt that was there before it. */
  readonly before: string | undefined;
}
