import type { PublicStatus } from './attempt.ts';
import { InvoiceStatus } from './invoice-status.ts';

/** What the public payment page shows (specification, payments §4), with the states of uncertain outcomes. */
export const publicPayStates = [
  'loading',
  'loadFailed',
  'misconfigured',
  'credited',
  'paid',
  'notPayable',
  'form',
  'submitting',
  'requiresAction',
  'confirming',
  'submitted',
  'success',
  'failed',
] as const;
/** One of {@link publicPayStates}. */
export type PublicPayState = (typeof publicPayStates)[number];

/** The page starts here and stays until `apiStatus` is known. */
export const initialState: PublicPayState = 'loading';

/**
 * What can happen on the page. Loading answers with one of the first seven, `invoicePayable` showing the form.
 * `submit` sends the form; paying, polling and coming back answer with `succeeded`, `actionNeeded`,
 * `beingConfirmed` (seconds), `submittedToBank` (days) or `failed`. `returned`: the payer is back from the
 * provider. `retry`: the page's own button. `paidElsewhere`: another tab has paid.
 */
export const publicPayEvents = [
  'loadFailed',
  'gatewayMisconfigured',
  'invoiceCredited',
  'invoicePaid',
  'invoiceNotPayable',
  'invoicePayable',
  'submit',
  'actionNeeded',
  'returned',
  'beingConfirmed',
  'submittedToBank',
  'succeeded',
  'failed',
  'retry',
  'paidElsewhere',
] as const;
/** One of {@link publicPayEvents}. */
export type PublicPayEvent = (typeof publicPayEvents)[number];

type Row = Partial<Record<PublicPayEvent, PublicPayState>>;

/** How paying can answer, wherever the answer is waited for. */
const answers = {
  actionNeeded: 'requiresAction',
  beingConfirmed: 'confirming',
  submittedToBank: 'submitted',
  succeeded: 'success',
  failed: 'failed',
} as const satisfies Row;

/** For every state the events that move it; any other event leaves it as it is. */
export const transitions: Readonly<Record<PublicPayState, Readonly<Row>>> = {
  loading: {
    // A page that is opened while an attempt is open, or that comes back from the provider, starts with its answer.
    ...answers,
    loadFailed: 'loadFailed',
    gatewayMisconfigured: 'misconfigured',
    invoiceCredited: 'credited',
    invoicePaid: 'paid',
    invoiceNotPayable: 'notPayable',
    invoicePayable: 'form',
  },
  loadFailed: { retry: 'loading', paidElsewhere: 'loading' },
  misconfigured: { retry: 'loading', paidElsewhere: 'loading' },
  credited: {},
  paid: {},
  // Void, or disputed until that is settled.
  notPayable: { retry: 'loading', paidElsewhere: 'loading' },
  form: { submit: 'submitting', gatewayMisconfigured: 'misconfigured', paidElsewhere: 'loading' },
  // The invoice can be found settled when it is paid: the form must not come back.
  submitting: {
    ...answers,
    gatewayMisconfigured: 'misconfigured',
    invoiceCredited: 'credited',
    invoicePaid: 'paid',
    invoiceNotPayable: 'notPayable',
  },
  // An abandoned step: starting over shows the form, and the new attempt first cancels the open one.
  requiresAction: { ...answers, returned: 'confirming', retry: 'form' },
  confirming: { ...answers, beingConfirmed: 'confirming' },
  submitted: { succeeded: 'success', failed: 'failed' },
  // A part of the invoice may still be due.
  success: { retry: 'loading' },
  failed: { retry: 'loading', paidElsewhere: 'loading' },
};

/** The state after an event; the same state when the event does not belong to it. */
export const next = (state: PublicPayState, event: PublicPayEvent): PublicPayState =>
  transitions[state][event] ?? state;

/** What the payment info says that decides the first screen. */
export interface PublicPayInfo {
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
export function eventOfInfo(info: PublicPayInfo): PublicPayEvent {
  if (info.isCredited || info.invoiceStatus === InvoiceStatus.CREDITED) return 'invoiceCredited';
  if (info.invoiceStatus === InvoiceStatus.PAID || info.invoiceAmount <= 0) return 'invoicePaid';
  if (info.invoiceStatus !== InvoiceStatus.OPEN) return 'invoiceNotPayable';
  return info.apiStatus ? 'invoicePayable' : 'gatewayMisconfigured';
}

/** The event of a paying call's answer. */
export function eventOfStatus({ status, expected }: PublicStatus): PublicPayEvent {
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
