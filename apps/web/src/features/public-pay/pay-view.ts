import type { PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import type { PublicPayState } from '@counterfoil/domain/public-pay.ts';
import type { Failure } from '../../paying/failure.ts';

/** What is known about the payment that was tried. */
export interface Outcome {
  readonly attemptId: string | undefined;
  /** Our reference; unknown while the answer of the paying call is lost. */
  readonly reference: string | undefined;
  /** Decimal text of the total, once it has gone through of what was taken; undefined when the page came back without being able to load the invoice. */
  readonly amount: string | undefined;
  /** What was asked for, where another amount was taken. */
  readonly asked: string | undefined;
  /** The payment's own time, ISO; undefined until the server has said it. */
  readonly at: string | undefined;
  readonly message: string | undefined;
  /** 'Visa ending 4242', when the gateway said so. */
  readonly method: string | undefined;
  /** Its receipt can be had by this link. */
  readonly hasReceipt: boolean;
}

/** Everything the page draws from. */
export interface PayView {
  readonly state: PublicPayState;
  readonly info: PaymentInfo | undefined;
  readonly outcome: Outcome | undefined;
  /** Why loading failed, or why the paying call was refused. */
  readonly failure: Failure | undefined;
  /** What is still to be paid of the invoice after a payment, a decimal text, '0' for nothing; undefined: not known. */
  readonly stillDue: string | undefined;
  /** To whom the receipt goes. */
  readonly receiptTo: string | undefined;
  /** 'Try again' or 'Continue' is under way. */
  readonly isBusy: boolean;
  /** The last look at the server failed; the page keeps on asking. */
  readonly isOffline: boolean;
  /** The browser is on its way to the provider's page. */
  readonly isLeaving: boolean;
  /** Somebody has paid while the form stood: it shows what is due now. */
  readonly isDueChanged: boolean;
  /** The code that pays did not come: nothing was sent, and nothing can be. */
  readonly isIncomplete: boolean;
}

export const initialView: PayView = {
  state: 'loading',
  info: undefined,
  outcome: undefined,
  failure: undefined,
  stillDue: undefined,
  receiptTo: undefined,
  isBusy: false,
  isOffline: false,
  isLeaving: false,
  isDueChanged: false,
  isIncomplete: false,
};
