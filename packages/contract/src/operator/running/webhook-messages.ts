import { attemptStates } from '@counterfoil/domain/paying/attempt.ts';
import * as z from 'zod/mini';
import { adminInvoice } from '../billing/admin-invoices.ts';
import { importStates } from '../imports/admin-imports.ts';
import { said } from '../parts.ts';
import { adminPayment } from '../paying/admin-payments.ts';
import { externalMethods } from '../paying/external-payments.ts';

/**
 * What the webhook endpoints of a provider are sent: ids, the provider's own references, states and amounts. No names, no
 * addresses: what else is to be known is read at `link`, by whoever may.
 */

/** Types of webhook messages, and when each is sent. */
export const messageTypes = {
  'invoice.created': 'An invoice or credit note came in.',
  'invoice.updated': 'What an invoice or credit note says was corrected.',
  'invoice.due': 'The due date of an invoice has come, and something is still due.',
  'invoice.overdue': 'The due date of an invoice has passed, and something is still due.',
  'invoice.paid': 'Nothing is due of an invoice any more: it was paid, or credits took the rest off it.',
  'invoice.reopened':
    'Something is due of an invoice again: a payment came back, or that it was void or disputed was taken back.',
  'invoice.removed': 'The import that had made an invoice was undone; what is told is how it was.',
  'invoice.voided': 'An invoice was voided.',
  'invoice.disputed': 'An invoice was marked as disputed.',
  'payment.succeeded': 'Money was taken by a gateway.',
  'payment.failed': 'A payment ended without money: declined, never sent, or given up.',
  'payment.refunded': 'Money of a payment was given back.',
  'payment.reversed':
    'Money of a payment was taken back by the bank: a chargeback, or a debit that failed late.',
  'payment.restored':
    'Money that had gone back came in again: a chargeback won, a debit collected once more, a refund that failed.',
  'payment.refund_failed':
    'A refund that was ordered here ended without money going back: declined, never sent, or given up. What is told is the refund.',
  'external_payment.recorded': 'Money that came outside the portal was booked.',
  'external_payment.voided':
    'A payment that came outside the portal was taken back; its invoices are due again.',
  'payment_method.added': 'A card or bank account was saved.',
  'payment_method.expiring': 'A saved card expires at the end of this month.',
  'payment_method.removed': 'A saved card or bank account is gone.',
  'consent.changed': 'A customer allowed Auto-Pay or a direct debit, or took that back.',
  'user.registered': 'Somebody who was invited has set up the account.',
  'import.finished': 'An import has ended.',
  'webhook.test': 'Somebody asked for a test.',
} as const satisfies Record<string, string>;
export type MessageType = keyof typeof messageTypes;

export const isMessageType = (text: string): text is MessageType => Object.hasOwn(messageTypes, text);

/** Number of the shape of what messages say; members may be added within a version. */
export const MESSAGE_VERSION = 1;

const decimal = (what: string) => said(z.string(), `${what} An exact decimal, such as \`12.50\`.`);
const moment = (what: string) => said(z.string(), `${what} ISO 8601 in UTC.`);
const customer = {
  customerId: said(z.uuid(), 'Our id of its customer.'),
  customerReference: said(z.nullable(z.string()), 'The provider’s own reference of the customer.'),
};
const link = said(z.string(), 'The call of this API that tells all of it.');

const ofInvoice = adminInvoice.shape;
export const invoiceMessage = z.object({
  id: ofInvoice.id,
  number: ofInvoice.number,
  kind: ofInvoice.kind,
  ...customer,
  status: ofInvoice.status,
  issuedOn: ofInvoice.issuedOn,
  dueOn: ofInvoice.dueOn,
  currency: ofInvoice.currency,
  total: ofInvoice.total,
  payable: ofInvoice.payable,
  paid: ofInvoice.paid,
  credited: ofInvoice.credited,
  reversed: ofInvoice.reversed,
  due: ofInvoice.due,
  link,
});
export type InvoiceMessage = z.infer<typeof invoiceMessage>;

export const paymentMovements = [
  'refund',
  'refundFailed',
  'lateFailure',
  'chargeback',
  'chargebackWon',
  'resubmitted',
] as const;

const ofPayment = adminPayment.shape;
export const paymentMessage = z.object({
  id: ofPayment.id,
  reference: ofPayment.reference,
  direction: ofPayment.direction,
  ...customer,
  gateway: ofPayment.gateway,
  kind: ofPayment.kind,
  amount: ofPayment.amount,
  fee: ofPayment.fee,
  currency: ofPayment.currency,
  gatewayId: ofPayment.gatewayId,
  state: said(z.enum(attemptStates), 'How it ended; it never changes once it has.'),
  captured: z.nullable(decimal('What was taken; null where nothing is booked.')),
  reversed: decimal('What went back of it until now, by refunds and by the bank.'),
  invoices: said(z.array(z.object({ id: z.uuid(), number: z.string() })), 'The invoices that it is to pay.'),
  failure: said(
    z.nullable(z.object({ class: z.string(), code: z.nullable(z.string()) })),
    'Why it was declined or not sent: our class of it, and the gateway’s own code.',
  ),
  movement: said(
    z.nullable(
      z.object({
        kind: z.enum(paymentMovements),
        amount: decimal('How much.'),
        fee: decimal('What of that is fee.'),
      }),
    ),
    'What has just moved, of `payment.refunded`, `payment.reversed` and `payment.restored`.',
  ),
  link,
});
export type PaymentMessage = z.infer<typeof paymentMessage>;

export const externalPaymentMessage = z.object({
  id: said(z.uuid(), 'Its id here.'),
  reference: said(z.string(), 'The provider’s own name of it.'),
  ...customer,
  method: z.enum(externalMethods),
  amount: decimal('What came.'),
  currency: ofPayment.currency,
  receivedOn: said(z.string(), 'The day it came, `YYYY-MM-DD`.'),
  status: z.enum(['booked', 'voided']),
  invoices: said(
    z.array(z.object({ id: z.uuid(), number: z.string(), amount: decimal('What it paid of it.') })),
    'The invoices that it paid.',
  ),
  toCredit: decimal('What no invoice could use: it became the customer’s credit.'),
  link,
});
export type ExternalPaymentMessage = z.infer<typeof externalPaymentMessage>;

export const methodMessage = z.object({
  id: said(z.uuid(), 'Its id here.'),
  ...customer,
  kind: z.enum(['card', 'bank']),
  gateway: said(z.string(), 'Code of its gateway.'),
  expires: said(z.nullable(z.string()), '`YYYY-MM`, of a card.'),
  isDefault: said(z.boolean(), 'Auto-Pay takes this one.'),
  link,
});
export type MethodMessage = z.infer<typeof methodMessage>;

export const consentMessage = z.object({
  id: said(z.uuid(), 'Its id here.'),
  ...customer,
  purpose: said(
    z.enum(['autoPay', 'mandate', 'debit']),
    '`debit`: one debit of an account that is not kept.',
  ),
  state: z.enum(['given', 'revoked']),
  givenAt: moment('When it was given.'),
  revokedAt: z.nullable(moment('When it was taken back.')),
  link,
});
export type ConsentMessage = z.infer<typeof consentMessage>;

export const userMessage = z.object({
  id: said(z.uuid(), 'Its id here.'),
  customerIds: said(z.array(z.uuid()), 'The customers for which the user may sign in.'),
  link,
});
export type UserMessage = z.infer<typeof userMessage>;

export const importMessage = z.object({
  id: said(z.uuid(), 'Its id here.'),
  format: said(z.nullable(z.string()), 'What was read.'),
  state: z.enum(importStates),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  quarantined: z.int(),
  link,
});
export type ImportMessage = z.infer<typeof importMessage>;

export const testMessage = z.object({ id: z.uuid(), text: z.string() });

/** What the messages of each kind of object say: the first part of their types. */
export const messageData = {
  invoice: invoiceMessage,
  payment: paymentMessage,
  external_payment: externalPaymentMessage,
  payment_method: methodMessage,
  consent: consentMessage,
  user: userMessage,
  import: importMessage,
  webhook: testMessage,
} as const;
export type MessageObject = keyof typeof messageData;

/** The kind of object that a type is about. */
export const objectOf = (type: MessageType): MessageObject => type.split('.')[0] as MessageObject;

const ids = {
  invoice: '0199a3c1-9c30-7f24-8d3e-6a5a8a3a1c42',
  payment: '0199a3c1-8b20-7e13-9c2d-5f4f7f2f0b31',
  customer: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
  other: '0199a3c1-7b11-7a02-8c1d-4e3e6e1e9a20',
};
const exampleCustomer = { customerId: ids.customer, customerReference: 'C-1001' };

/** What is said of an object of each kind, for the document and the handbook. */
export const messageExamples: { readonly [Kind in MessageObject]: z.infer<(typeof messageData)[Kind]> } = {
  invoice: {
    id: ids.invoice,
    number: 'INV-1001',
    kind: 'invoice',
    ...exampleCustomer,
    status: 'paid',
    issuedOn: '2026-03-01',
    dueOn: '2026-03-15',
    currency: 'NZD',
    total: '115.00',
    payable: '115.00',
    paid: '115.00',
    credited: '0.00',
    reversed: '0.00',
    due: '0.00',
    link: `/v1/admin/invoices/${ids.invoice}`,
  },
  payment: {
    id: ids.payment,
    reference: '7K2M9QX4T1B8ZC3WRD',
    direction: 'charge',
    ...exampleCustomer,
    gateway: 'stripe',
    kind: 'card',
    amount: '116.15',
    fee: '1.15',
    currency: 'NZD',
    gatewayId: 'pi_3OkExample',
    state: 'succeeded',
    captured: '116.15',
    reversed: '0.00',
    invoices: [{ id: ids.invoice, number: 'INV-1001' }],
    failure: null,
    movement: null,
    link: `/v1/admin/payments/${ids.payment}`,
  },
  external_payment: {
    id: ids.other,
    reference: 'BANK-2026-03-02-17',
    ...exampleCustomer,
    method: 'bankTransfer',
    amount: '120.00',
    currency: 'NZD',
    receivedOn: '2026-03-02',
    status: 'booked',
    invoices: [{ id: ids.invoice, number: 'INV-1001', amount: '115.00' }],
    toCredit: '5.00',
    link: `/v1/admin/external-payments/${ids.other}`,
  },
  payment_method: {
    id: ids.other,
    ...exampleCustomer,
    kind: 'card',
    gateway: 'stripe',
    expires: '2028-08',
    isDefault: true,
    link: `/v1/admin/customers/${ids.customer}/payment-methods`,
  },
  consent: {
    id: ids.other,
    ...exampleCustomer,
    purpose: 'autoPay',
    state: 'given',
    givenAt: '2026-03-01T10:00:00.000Z',
    revokedAt: null,
    link: `/v1/admin/customers/${ids.customer}/auto-pay`,
  },
  user: {
    id: ids.other,
    customerIds: [ids.customer],
    link: `/v1/admin/customers/${ids.customer}/users`,
  },
  import: {
    id: ids.other,
    format: 'freeswitch',
    state: 'done',
    created: 8_114,
    updated: 37,
    unchanged: 252,
    quarantined: 9,
    link: `/v1/admin/imports/${ids.other}`,
  },
  webhook: { id: ids.other, text: 'A test of this endpoint.' },
};

/** The body of a delivery, around the data of its kind. */
export interface MessageBody {
  readonly id: string;
  readonly type: MessageType;
  readonly version: typeof MESSAGE_VERSION;
  readonly timestamp: string;
  readonly resellerId: number;
  readonly data: unknown;
}
