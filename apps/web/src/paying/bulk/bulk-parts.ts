import type { BulkPayRequest, NewIntent, PaymentIntent } from '@counterfoil/contract/bulk-pay.ts';
import type { ConfirmationRequest, PayAnswer } from '@counterfoil/contract/public-pay.ts';
import type { PaymentWatch } from '../payment-watch.ts';
import type { Waiter } from '../waiter.ts';
import type { BulkRequests } from './bulk-requests.ts';

/** The calls of a bulk payment; all reject with `ApiError`. */
export interface BulkCalls {
  readonly create: (body: NewIntent) => Promise<PaymentIntent>;
  readonly read: (sessionId: string) => Promise<PaymentIntent>;
  readonly pay: (body: BulkPayRequest, idempotencyKey: string) => Promise<PayAnswer>;
  readonly confirm: (body: ConfirmationRequest) => Promise<PayAnswer>;
}

/** What Pay was pressed with. */
export interface BulkSubmission {
  /** A saved method, a new card's token with what was typed beside it, or neither where credit pays all. */
  readonly fields: Omit<BulkPayRequest, 'uid'>;
  /** 'Visa ending 4242', where it is known before the gateway says it. */
  readonly method: string | undefined;
  /** Decimal text of the total that was shown, fee included. */
  readonly amount: string;
}

export interface BulkFlowParts {
  readonly calls: BulkCalls;
  readonly requests: Pick<BulkRequests, 'find' | 'keep' | 'end' | 'reset'>;
  readonly watch: Pick<PaymentWatch, 'announce'>;
  /** What the caches hold about invoices and balances is not true any more. */
  readonly onChanged: () => void;
  readonly waiter: Waiter;
  readonly newKey: () => string;
  /** Leaves for the provider's page. */
  readonly go: (url: string) => void;
  /** Words for a payment that certainly never arrived. */
  readonly notSentText: string;
}

/** A paying call whose answer was lost. */
export interface Lost {
  readonly body: BulkPayRequest;
  readonly key: string;
  /** Reference of the attempt that was there before it. */
  readonly before: string | undefined;
}
