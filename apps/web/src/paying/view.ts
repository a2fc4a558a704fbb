import type { PayState } from '@counterfoil/domain/paying/pay-state.ts';
import type { Failure } from './outcome/failure.ts';

/** What is known about the payment that was tried. */
export interface Outcome {
  /** Its id, where it is asked about by id: by a pay link. */
  readonly attemptId: string | undefined;
  /** Our reference; unknown while the answer of the paying call is lost. */
  readonly reference: string | undefined;
  /** Decimal text, fee included, once it has gone through of what was taken; undefined: not known. */
  readonly amount: string | undefined;
  /** What was asked for, where another amount was taken. */
  readonly asked: string | undefined;
  /** The payment's own time, ISO; undefined until the server has said it. */
  readonly at: string | undefined;
  /** Why it failed, or how it stands. */
  readonly message: string | undefined;
  /** 'Visa ending 4242', when it is known. */
  readonly method: string | undefined;
  /** Its receipt can be had by the pay link. */
  readonly hasReceipt: boolean;
}

/** Everything a page of a payment draws from. @typeParam Info what is to be paid, as the server says it */
export interface PaymentView<Info> {
  readonly state: PayState;
  readonly info: Info | undefined;
  readonly outcome: Outcome | undefined;
  /** Why loading failed, or why the paying call was refused. */
  readonly failure: Failure | undefined;
  /** What is still to be paid after a payment, a decimal text, '0' for nothing; undefined: not known. */
  readonly stillDue: string | undefined;
  /** To whom the receipt goes. */
  readonly receiptTo: string | undefined;
  /** The page's own button has asked the server for something that has not come yet. */
  readonly isBusy: boolean;
  /** The last look at the server failed; the page keeps on asking. */
  readonly isOffline: boolean;
  /** The browser is on its way to the provider's page. */
  readonly isLeaving: boolean;
  /** The form shows another amount than before, or than was sent. */
  readonly isDueChanged: boolean;
}

/** Before anything is known. */
export const initialView = {
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
} as const satisfies PaymentView<never>;
