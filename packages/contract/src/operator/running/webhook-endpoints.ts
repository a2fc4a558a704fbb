import * as z from 'zod/mini';
import { cursor, nextCursor, pageLimit, said } from '../parts.ts';
import { type MessageType, messageTypes } from './webhook-messages.ts';

/** Where a provider's programs are told of what happens: `/v1/admin/webhook-endpoints`. */

const moment = (what: string) => said(z.string(), `${what} ISO 8601 in UTC.`);

export const endpointStates = ['enabled', 'paused', 'disabled'] as const;
export type EndpointState = (typeof endpointStates)[number];

const url = said(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(2_000)),
  'Where messages are posted to: https, on the internet; other addresses only where the installation allows them.',
);
const description = said(
  z.string().check(
    z.trim(),
    z.maxLength(200),
    z.refine((text) => !/\p{Cc}/u.test(text), { error: 'holds control characters' }),
  ),
  'What it is for, in the provider’s own words; may be empty.',
);
const typeNames = Object.keys(messageTypes) as [MessageType, ...MessageType[]];
const types = said(
  z.array(z.enum(typeNames)).check(z.maxLength(typeNames.length)),
  'Types of messages that it is sent; none: all, those of later versions included.',
);
const state = said(
  z.enum(endpointStates),
  '`paused`: messages are kept and wait, for 30 days at most; `disabled`: none are written, and those that wait are given up.',
);

/** Body of `POST /v1/admin/webhook-endpoints`. */
export const newEndpoint = z
  .strictObject({ url, description: z._default(description, ''), types: z._default(types, []) })
  .check(
    z.meta({
      examples: [
        {
          url: 'https://accounting.example/hooks/billing',
          description: 'Books payments',
          types: ['invoice.paid', 'payment.refunded'],
        },
      ],
    }),
  );
export type NewEndpoint = z.output<typeof newEndpoint>;

/** Body of `PATCH /v1/admin/webhook-endpoints/{id}`: what is left out stays. */
export const endpointChange = z
  .strictObject({
    url: z.optional(url),
    description: z.optional(description),
    types: z.optional(types),
    state: z.optional(state),
  })
  .check(z.meta({ examples: [{ state: 'paused' }] }));
export type EndpointChange = z.output<typeof endpointChange>;

const exampleEndpoint = {
  id: '0199a3c1-be10-7a11-8e2f-7b2c6d3f5a20',
  url: 'https://accounting.example/hooks/billing',
  description: 'Books payments',
  types: ['invoice.paid', 'payment.refunded'],
  state: 'enabled',
  stateReason: null,
  failures: 0,
  failingSince: null,
  lastProblem: null,
  nextTryAt: null,
  lastDeliveredAt: '2026-03-01T10:00:03.000Z',
  previousSecretUntil: null,
  waiting: 0,
  givenUp: 0,
  createdAt: '2026-02-01T09:00:00.000Z',
  updatedAt: '2026-02-01T09:00:00.000Z',
};

/** An endpoint, without its secret. */
export const webhookEndpoint = z
  .object({
    id: said(z.uuid(), 'Its id here.'),
    url: z.string(),
    description: z.string(),
    types: said(z.array(z.string()), 'Types of messages that it is sent; none: all.'),
    state,
    stateReason: said(z.nullable(z.string()), 'Why it was paused or disabled, where nobody has said so.'),
    failures: said(z.int(), 'Deliveries that have failed one after the other.'),
    failingSince: z.nullable(moment('Since when.')),
    lastProblem: said(z.nullable(z.string()), 'What went wrong last, while it fails.'),
    nextTryAt: z.nullable(moment('Before then nothing is tried, while it fails.')),
    lastDeliveredAt: z.nullable(moment('When it last took a message, to the minute.')),
    previousSecretUntil: z.nullable(moment('Until then messages are signed with the secret before as well.')),
    waiting: said(z.int(), 'Messages that wait, counted up to 1,000.'),
    givenUp: said(z.int(), 'Messages of the last 30 days that were given up, counted up to 1,000.'),
    createdAt: moment('When it was made.'),
    updatedAt: moment('When it was last changed.'),
  })
  .check(z.meta({ examples: [exampleEndpoint] }));
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** An endpoint with its secret, which is told this once. */
export const endpointMade = z
  .extend(webhookEndpoint, {
    secret: said(z.string(), 'Verifies what is received; told this once, and never again.'),
  })
  .check(
    z.meta({
      examples: [{ ...exampleEndpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }],
    }),
  );
export type EndpointMade = z.infer<typeof endpointMade>;

/** Body of `POST …/rotate-secret`. */
export const secretRotation = z
  .strictObject({
    overlapHours: said(
      z._default(z.int().check(z.minimum(0), z.maximum(168)), 24),
      'For how long messages are signed with the secret before as well; 0: it ends at once.',
    ),
  })
  .check(z.meta({ examples: [{ overlapHours: 24 }] }));

export const deliveryStates = ['waiting', 'delivered', 'givenUp'] as const;

export const deliveryQuery = z.object({
  state: said(z.optional(z.enum(deliveryStates)), 'Those in this state only.'),
  type: said(z.optional(z.enum(typeNames)), 'Messages of this type only.'),
  object: said(z.optional(z.uuid()), 'Messages about the thing with this id.'),
  limit: pageLimit,
  cursor,
});

export const deliveryParams = z.object({
  id: said(z.uuid(), 'Of the endpoint.'),
  messageId: said(z.uuid(), 'Of the message.'),
});

const exampleDelivery = {
  messageId: '0199a3c1-ce30-7f6e-b0a4-7a1c5e2d9f10',
  type: 'invoice.paid',
  objectId: '0199a3c1-9c30-7f24-8d3e-6a5a8a3a1c42',
  state: 'delivered',
  tries: 1,
  happenedAt: '2026-03-01T10:00:02.000Z',
  nextTryAt: null,
  endedAt: '2026-03-01T10:00:03.000Z',
  status: 204,
  problem: null,
};

/** A message on its way to an endpoint. */
export const webhookDelivery = z
  .object({
    messageId: said(z.uuid(), '`webhook-id` in its header.'),
    type: z.string(),
    objectId: said(z.uuid(), 'What it is about. Messages about one thing come one after the other.'),
    state: said(z.enum(deliveryStates), '`givenUp`: it failed for three days, or its endpoint was disabled.'),
    tries: z.int(),
    happenedAt: moment('When what it tells of happened.'),
    nextTryAt: z.nullable(moment('When it is tried next, where the endpoint works by then.')),
    endedAt: z.nullable(moment('When it was delivered or given up.')),
    status: said(z.nullable(z.int()), 'What the last try was answered; null: nothing.'),
    problem: said(z.nullable(z.string()), 'What went wrong with the last try.'),
  })
  .check(z.meta({ examples: [exampleDelivery] }));
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

export const deliveryPage = z.object({ data: z.array(webhookDelivery), nextCursor });

/** A delivery with what was sent and each of its tries. */
export const webhookDeliveryDetail = z
  .extend(webhookDelivery, {
    body: said(z.string(), 'What is sent, to the byte.'),
    attempts: said(
      z.array(
        z.object({
          number: said(z.int(), 'From 1.'),
          at: moment('When it was sent.'),
          tookMs: z.int(),
          status: said(z.nullable(z.int()), 'Of the answer; null where there was none.'),
          problem: z.nullable(z.string()),
          answer: said(z.nullable(z.string()), 'The beginning of the answer’s body.'),
        }),
      ),
      'The newest first, 50 at most.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          ...exampleDelivery,
          body: '{"id":"0199a3c1-ce30-7f6e-b0a4-7a1c5e2d9f10","type":"invoice.paid"}',
          attempts: [
            {
              number: 1,
              at: '2026-03-01T10:00:02.900Z',
              tookMs: 84,
              status: 204,
              problem: null,
              answer: '',
            },
          ],
        },
      ],
    }),
  );
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>;

/** Body of `POST …/redeliver`. */
export const redelivery = z
  .strictObject({
    since: said(
      z.iso.datetime({ offset: true }),
      'Messages that were given up since this moment, and of the last 30 days, are sent again.',
    ),
  })
  .check(z.meta({ examples: [{ since: '2026-03-01T00:00:00Z' }] }));

export const redelivered = z
  .object({ count: said(z.int(), 'How many are sent again.') })
  .check(z.meta({ examples: [{ count: 12 }] }));
