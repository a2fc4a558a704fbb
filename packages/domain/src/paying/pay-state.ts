import type { PublicStatus } from './attempt.ts';
import { InvoiceStatus } from './invoice-status.ts';

/**
 * How a payment stands, by a pay link and of several invoices alike: the states of the public payment page
 * (specification, payments §4) with those of uncertain outcomes. `invalid`: there is nothing such to pay, which only
 * a bulk payment can be.
 */
export const payStates = [
  'loading',
  'loadFailed',
  'misconfigured',
  'credited',
  'paid',
  'notPayable',
  'invalid',
  'form',
  'submitting',
  'requiresAction',
  'confirming',
  'submitted',
  'success',
  'failed',
] as const;
/** One of {@link payStates}. */
export type PayState = (typeof payStates)[number];

/** The page starts here and stays until `apiStatus` is known. */
export const initialState: PayState = 'loading';

/**
 * What can happen to it. Loading answers with one of the first eight, `invoicePayable` showing the form.
 * `submit` sends the form; paying, polling and coming back answer with `succeeded`, `actionNeeded`,
 * `beingConfirmed` (seconds), `submittedToBank` (days) or `failed`. `priceChanged`:
 * nothing was sent to the gateway, because another amount is due than was shown. `retry`: the page's own button.
 * `paidElsewhere`: another tab has paid.
 */
export const payEvents = [
  'loadFailed',
  'gatewayMisconfigured',
  'invoiceCredited',
  'invoicePaid',
  'invoiceNotPayable',
  'invalidIntent',
  'invoicePayable',
  'submit',
  'actionNeeded',
  'beingConfirmed',
  'submittedToBank',
  'succeeded',
  'failed',
  'priceChanged',
  'retry',
  'paidElsewhere',
] as const;
/** One of {@link payEvents}. */
export type PayEvent = (typeof payEvents)[number];

type Row = Partial<Record<PayEvent, PayState>>;

/** How paying can answer, wherever the answer is waited for. */
const answers = {
  actionNeeded: 'requiresAction',
  beingConfirmed: 'confirming',
  submittedToBank: 'submitted',
  succeeded: 'success',
  failed: 'failed',
} as const satisfies Row;

/** For every state the events that move it; any other event leaves it as it is. */
export const transitions: Readonly<Record<PayState, Readonly<Row>>> = {
  loading: {
    // A page that is opened while an attempt is open, or that comes back from the provider, starts with its answer.
    ...answers,
    loadFailed: 'loadFailed',
    gatewayMisconfigured: 'misconfigured',
    invoiceCredited: 'credited',
    invoicePaid: 'paid',
    invoiceNotPayable: 'notPayable',
    invalidIntent: 'invalid',
    invoicePayable: 'form',
  },
  loadFailed: { retry: 'loading', paidElsewhere: 'loading' },
  misconfigured: { retry: 'loading', paidElsewhere: 'loading' },
  credited: {},
  paid: {},
  invalid: {},
  // Void, or disputed until that is settled.
  notPayable: { retry: 'loading', paidElsewhere: 'loading' },
  form: { submit: 'submitting', gatewayMisconfigured: 'misconfigured', paidElsewhere: 'loading' },
  // The invoice can be found settled when it is paid: the form comes back only where surely nothing was sent.
  submitting: {
    ...answers,
    gatewayMisconfigured: 'misconfigured',
    invoiceCredited: 'credited',
    invoicePaid: 'paid',
    invoiceNotPayable: 'notPayable',
    invalidIntent: 'invalid',
    priceChanged: 'form',
  },
  // An abandoned step: starting over shows the form, and the new attempt first cancels the open one.
  requiresAction: { ...answers, retry: 'form' },
  confirming: { ...answers, beingConfirmed: 'confirming' },
  submitted: { succeeded: 'success', failed: 'failed' },
  // A part of the invoice may still be due.
  success: { retry: 'loading' },
  failed: { retry: 'loading', paidElsewhere: 'loading' },
};

/** The state after an event; the same state when the event does not belong to it. */
export const next = (state: PayState, event: PayEvent): PayState => transitions[state][event] ?? state;

/** What the payment info says that decides the first screen. */
export interface PayableInfo {
  /** Whether the gateway is configured and answers. */
  readonly apiStatus: boolean;
  readonly isCredited: boolean;
  readonly invoiceStatus: number;
  /** What is to be paid, without fee; only its sign matters. */
  readonly invoiceAmount: number;
}

/**
 * The event of a payment info that has arrived. What is settled is told before what is misconfigured: nobody has
 * to worry about a gateway for an invoice that is paid.
 */
export function eventOfInfo(info: PayableInfo): PayEvent {
  if (info.isCredited || info.invoiceStatus === InvoiceStatus.CREDITED) return 'invoiceCredited';
  if (info.invoiceStatus === InvoiceStatus.PAID || info.invoiceAmount <= 0) return 'invoicePaid';
  if (info.invoiceStatus !== InvoiceStatus.OPEN) return 'invoiceNotPayable';
  return info.apiStatus ? 'invoicePayable' : 'gatewayMisconfigured';
}

/** The event of a paying call's answer. */
export function eventOfStatus({ status, expected }: PublicStatus): PayEvent {
  switch (status) {
    case 'succeeded':
      return 'succeeded';
    case 'requires_action':
      return 'actionNeeded';
    case 'processing':
      return expected === 'days' ? 'submittedToBank' : 'beingConfirmed';
    case 'failed':
      return 'failed';
  }
}
