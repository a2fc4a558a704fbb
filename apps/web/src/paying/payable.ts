import type { ConfirmationRequest, PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import type { PayEvent, PayState } from '@counterfoil/domain/paying/pay-state.ts';
import type { Waiter } from './outcome/waiter.ts';
import type { PaymentWatch } from './payment-watch.ts';
import type { Outcome } from './view.ts';

/** An attempt as what is to be paid tells of it. */
export interface SeenAttempt {
  readonly status: PayAnswer['status'];
  readonly expected: PayAnswer['expected'];
  readonly outcome: Outcome;
}

/** What an account of what is to be paid says about the payment. */
export interface Reading {
  /** What it means for a page that waits for nothing. */
  readonly event: PayEvent;
  /** The open or last attempt. */
  readonly attempt: SeenAttempt | undefined;
  /** What is due, a decimal text: another one than before is told. */
  readonly due: string;
  /** What is still to be paid after a payment; undefined: it does not say. */
  readonly stillDue: string | undefined;
  /** To whom a receipt goes where nothing was typed. */
  readonly receiptTo: string | undefined;
}

/** A submission, ready to be sent, and sent again under the same key. */
export interface Prepared {
  readonly send: (idempotencyKey: string) => Promise<PayAnswer>;
  /** What is known of the payment before anybody has answered. */
  readonly outcome: Outcome;
  readonly receiptTo: string | undefined;
}

/**
 * Something that can be paid: by a pay link, or several invoices at once. All that the two differ in for the flow.
 * The calls reject with `ApiError`.
 * @typeParam Info what is to be paid, as the server says it
 * @typeParam Input what Pay was pressed with
 */
export interface Payable<Info, Input> {
  /** Asks for it at the start, and again after a failure; undefined: there is nothing such. */
  readonly load: () => Promise<Info | undefined>;
  /** Asks how it stands now. */
  readonly read: () => Promise<Info>;
  /** Asks what became of a step at the bank. */
  readonly confirm: (returned: ConfirmationRequest) => Promise<PayAnswer>;
  /** Names the payment for such a question, when the payer did not come back with one. */
  readonly askedAbout: (outcome: Outcome | undefined) => ConfirmationRequest;
  readonly prepare: (input: Input, info: Info) => Prepared;
  readonly readingOf: (info: Info) => Reading;
  /** What a load that failed means. */
  readonly afterLoadFailure: (error: unknown) => PayEvent;
  /** What a refused paying call means, by the code of the refusal; undefined: this try failed. */
  readonly afterRefusal: (code: string) => PayEvent | undefined;
  /** Whether it is read again after the answer of a paying call, before that is told. */
  readonly isReread: boolean;
  /** Whether the page the payer comes back to from the bank has the form, too. */
  readonly hasForm: boolean;
  /** How long the overlay of a payment stays at least that has already failed. */
  readonly overlayMs: number;
  /** Called after every change of the state. */
  readonly onState: (state: PayState) => void;
}

/** What the flow needs of the browser. */
export interface FlowParts {
  readonly watch: Pick<PaymentWatch, 'announce'>;
  readonly now: () => Date;
  readonly waiter: Waiter;
  readonly newKey: () => string;
  /** Leaves for the provider's page. */
  readonly go: (url: string) => void;
}
