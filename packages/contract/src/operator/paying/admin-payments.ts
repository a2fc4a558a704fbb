import { attemptStates } from '@counterfoil/domain/paying/attempt.ts';
import * as z from 'zod/mini';
import { cursor, pageLimit, said } from '../parts.ts';

/** What a provider's programs call about payments: `/v1/admin/payments`. */

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));
const decimal = (what: string) => said(z.string(), `${what} An exact decimal, such as \`12.50\`.`);
const moment = (what: string) => said(z.string(), `${what} ISO 8601 in UTC.`);

export const paymentDirections = ['charge', 'refund', 'resubmission'] as const;

export const paymentQuery = z.object({
  customer: said(z.optional(text(200)), 'Our id of a customer, or the provider’s own reference of it.'),
  state: said(z.optional(z.enum(attemptStates)), 'Those in this state only.'),
  gateway: said(
    z.optional(z.string().check(z.regex(/^[a-z][a-z0-9]{0,31}$/))),
    'Those through this gateway, by its name, such as `stripe`.',
  ),
  direction: said(
    z.optional(z.enum(paymentDirections)),
    'Charges, refunds, or debits that a gateway collects once more by itself.',
  ),
  invoice: said(z.optional(text(100)), 'Those that pay the invoice with this number.'),
  reference: said(
    z.optional(z.string().check(z.regex(/^[0-9A-Za-z]{1,18}$/))),
    'The reference that the gateway knows the payment by.',
  ),
  since: said(z.optional(z.iso.datetime({ offset: true })), 'Sent at this moment or later.'),
  until: said(z.optional(z.iso.datetime({ offset: true })), 'Sent before this moment.'),
  waiting: said(
    z.optional(z.enum(['true', 'false'])),
    '`true`: only those whose end is not known, and those of which a loss was not seen to.',
  ),
  limit: pageLimit,
  cursor,
});
export type PaymentQuery = z.output<typeof paymentQuery>;

const examplePayment = {
  id: '0199a3c1-8b20-7e13-9c2d-5f4f7f2f0b31',
  reference: '7K2M9QX4T1B8ZC3WRD',
  direction: 'charge',
  customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
  customer: 'Harbour Office',
  gateway: 'stripe',
  kind: 'card',
  method: 'Visa •••• 4242',
  state: 'succeeded',
  amount: '110.00',
  fee: '1.10',
  currency: 'NZD',
  captured: '110.00',
  capturedFee: '1.10',
  gatewayId: 'pi_3OkExample',
  of: null,
  invoices: ['INV-1001'],
  returned: null,
  lost: null,
  sentAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:02.000Z',
} as const;

/** One try to move money, as programs are told of it. */
export const adminPayment = z
  .object({
    id: said(z.uuid(), 'Its id here; calls about it name it.'),
    reference: said(z.string(), 'The reference that the gateway knows it by.'),
    direction: said(
      z.enum(paymentDirections),
      '`resubmission`: the gateway collects a failed debit once more.',
    ),
    customerId: said(z.uuid(), 'Whose it is.'),
    customer: said(z.string(), 'The name of the customer.'),
    gateway: said(z.string(), 'The gateway that it went through.'),
    kind: said(z.enum(['card', 'bank']), 'Whether it is paid by card or from a bank account.'),
    method: said(z.nullable(z.string()), 'What it is paid with, as a person knows it.'),
    state: said(
      z.enum(attemptStates),
      'Open: `sending`, `requiresAction`, `pending`, `unknown`, `needsReview`. Ended for ever: the others; only `succeeded` moved money.',
    ),
    amount: decimal('What was asked for, the fee included.'),
    fee: decimal('The fee in it; of a refund in proportion to its payment’s.'),
    currency: said(z.string(), 'ISO 4217.'),
    captured: z.nullable(decimal('What was taken; null where nothing is booked.')),
    capturedFee: z.nullable(decimal('The fee in what was taken.')),
    gatewayId: said(z.nullable(z.string()), 'What the gateway calls it, where that is known.'),
    of: said(
      z.nullable(z.string()),
      'The reference of the charge that is refunded or collected again; null for a charge.',
    ),
    invoices: said(z.array(z.string()), 'Numbers of the invoices that it pays.'),
    returned: z.nullable(decimal('What a refund gave back, where that is not what was ordered.')),
    lost: z.nullable(decimal('What the gateway took back beyond the payment and nobody has seen to.')),
    sentAt: moment('When it was first sent.'),
    updatedAt: moment('When its state last changed.'),
  })
  .check(z.meta({ examples: [examplePayment] }));
export type AdminPayment = z.infer<typeof adminPayment>;

export const paymentPage = z.object({
  data: z.array(adminPayment),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});

/** What is known of a payment besides its row, in the order of time. */
const storyEntry = z.object({
  at: moment('When it happened.'),
  what: said(
    z.enum(['state', 'refund', 'reversal']),
    '`state`: its state changed; `refund`: a refund of it was ordered; `reversal`: money moved after its end.',
  ),
  from: said(
    z.nullable(z.string()),
    'The state before; null at the beginning, and for what is no change of state.',
  ),
  to: said(z.string(), 'The state afterwards; of a refund how it stands now; of a reversal its kind.'),
  cause: said(
    z.nullable(z.string()),
    'What brought it about: `response`, `redirect`, `webhook`, `reconciler`, `close`, `gateway`, `operator`.',
  ),
  amount: z.nullable(decimal('The amount of a refund or reversal.')),
  fee: z.nullable(decimal('What of that is fee.')),
  reference: said(
    z.nullable(z.string()),
    'Of a refund its reference, of a reversal what the gateway calls it.',
  ),
  paymentId: said(z.nullable(z.uuid()), 'Of a refund its id here.'),
  evidence: said(
    z.record(z.string(), z.string()),
    'What the gateway or the operator said, member by member, without secrets.',
  ),
});
export type StoryEntry = z.infer<typeof storyEntry>;

/** A payment with all that became of it. */
export const adminPaymentStory = z
  .extend(adminPayment, {
    capture: said(
      z.nullable(
        z.object({
          amount: decimal('What was taken.'),
          refunded: decimal('What went back of it.'),
          lost: decimal('What the gateway took back beyond it.'),
          feeRefunded: decimal('What of the fee went back.'),
        }),
      ),
      'The money that is booked; null where nothing is.',
    ),
    agreement: said(
      z.nullable(
        z.object({
          by: said(z.string(), 'Who agreed.'),
          at: moment('When.'),
          address: said(z.string(), 'From which address.'),
          text: said(z.string(), 'To which words.'),
        }),
      ),
      'What the holder of an account that was debited once agreed to; null for others.',
    ),
    story: said(z.array(storyEntry), 'What became of it, in the order of time; at most 1,000 entries.'),
  })
  .check(
    z.meta({
      examples: [
        {
          ...examplePayment,
          capture: { amount: '110.00', refunded: '0.00', lost: '0.00', feeRefunded: '0.00' },
          agreement: null,
          story: [
            {
              at: '2026-03-01T10:00:00.000Z',
              what: 'state',
              from: null,
              to: 'sending',
              cause: 'response',
              amount: null,
              fee: null,
              reference: null,
              paymentId: null,
              evidence: {},
            },
          ],
        },
      ],
    }),
  );
export type AdminPaymentStory = z.infer<typeof adminPaymentStory>;

/** Body of `POST /v1/admin/payments/{id}/refunds`. */
export const newRefund = z
  .strictObject({
    amount: said(
      z.optional(z.string().check(z.regex(/^\d{1,13}(\.\d{1,3})?$/))),
      'An exact decimal in the currency of the payment; without it all that is left.',
    ),
    note: said(text(500), 'Why; kept with the refund.'),
    again: said(
      z.optional(z.string().check(z.regex(/^[0-9A-Za-z]{1,18}$/))),
      'The reference of a refund of the same amount, on top of which this one is meant.',
    ),
  })
  .check(
    z.refine(({ amount, again }) => again === undefined || amount !== undefined, {
      error: 'belongs to an amount',
      path: ['again'],
    }),
    z.meta({ examples: [{ amount: '12.50', note: 'Line 3 was billed twice' }] }),
  );

/** Body of `POST /v1/admin/payments/{id}/resolve`. */
export const paymentResolution = z
  .strictObject({
    outcome: said(
      z.enum(['captured', 'absent', 'lossSeen']),
      '`captured`: the money moved; `absent`: it did not, and never will; `lossSeen`: what the gateway took back beyond the payment was seen to.',
    ),
    gatewayId: said(z.optional(text(255)), 'What the gateway calls it; with `captured` only.'),
    note: said(text(500), 'How that is known; kept with the payment.'),
  })
  .check(
    z.refine(({ outcome, gatewayId }) => gatewayId === undefined || outcome === 'captured', {
      error: 'belongs to the outcome captured',
      path: ['gatewayId'],
    }),
    z.meta({ examples: [{ outcome: 'absent', note: 'Not in the gateway’s list of that day' }] }),
  );
export type PaymentResolution = z.output<typeof paymentResolution>;
