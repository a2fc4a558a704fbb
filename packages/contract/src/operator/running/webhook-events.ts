import * as z from 'zod/mini';
import { cursor, pageLimit, said } from '../parts.ts';

/** What a provider's programs call about the events that gateways have sent: `/v1/admin/webhook-events`. */

const moment = (what: string) => said(z.string(), `${what} ISO 8601 in UTC.`);

export const webhookEventStates = ['waiting', 'failing', 'needsReview', 'done'] as const;

export const webhookEventQuery = z.object({
  state: said(z.optional(z.enum(webhookEventStates)), 'Those in this state only.'),
  gateway: said(
    z.optional(z.string().check(z.regex(/^[a-z][a-z0-9]{0,31}$/))),
    'Those of this gateway, by its name, such as `stripe`.',
  ),
  limit: pageLimit,
  cursor,
});

/** An event that a gateway has sent, or that it was asked for. */
export const webhookEvent = z
  .object({
    id: said(z.uuid(), 'Its id here.'),
    gateway: said(z.string(), 'The gateway that sent it.'),
    eventId: said(z.string(), 'What the gateway calls it, or a digest of what it sent.'),
    about: said(
      z.nullable(z.string()),
      'What it is about: `charge`, `refund`, `method`, `mandate`, `payer`; null for one from before that was kept.',
    ),
    isSigned: said(
      z.nullable(z.boolean()),
      'Whether its sender was proven; what others say is only a hint to ask the gateway. Null for one from before that was kept.',
    ),
    state: said(
      z.enum(webhookEventStates),
      '`failing`: it could not be followed up yet and is tried again; `needsReview`: that was given up; `done`: followed up or dismissed.',
    ),
    gatewayId: said(z.nullable(z.string()), 'What it names at the gateway, such as a payment.'),
    paymentId: said(z.nullable(z.uuid()), 'The payment here that it is about, where that is known.'),
    outcome: said(z.nullable(z.string()), 'What came of it.'),
    problem: said(z.nullable(z.string()), 'Why it could not be followed up.'),
    tries: said(z.int(), 'How often it was tried.'),
    receivedAt: moment('When it came.'),
    nextTryAt: z.nullable(moment('When it is tried next.')),
    endedAt: z.nullable(moment('When it was followed up, given up or dismissed.')),
    canRetry: said(z.boolean(), 'Whether it can be followed up again: what it said is still kept.'),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '0199a3c1-ad20-7f6e-b0a4-7a1c5e2d9f10',
          gateway: 'stripe',
          eventId: 'evt_1OkExample',
          about: 'charge',
          isSigned: true,
          state: 'done',
          gatewayId: 'pi_3OkExample',
          paymentId: '0199a3c1-8b20-7e13-9c2d-5f4f7f2f0b31',
          outcome: 'succeeded',
          problem: null,
          tries: 1,
          receivedAt: '2026-03-01T10:00:02.000Z',
          nextTryAt: null,
          endedAt: '2026-03-01T10:00:03.000Z',
          canRetry: false,
        },
      ],
    }),
  );
export type WebhookEvent = z.infer<typeof webhookEvent>;

export const webhookEventPage = z.object({
  data: z.array(webhookEvent),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});

/** Body of `POST /v1/admin/webhook-events/{id}/dismiss`. */
export const webhookEventDismissal = z
  .strictObject({
    note: said(
      z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
      'What was done about it; kept with the event.',
    ),
  })
  .check(z.meta({ examples: [{ note: 'A test of the gateway, about no payment of ours' }] }));
