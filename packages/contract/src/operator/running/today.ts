import * as z from 'zod/mini';
import { said } from '../parts.ts';

/** What needs a person now, and the money of a day: `/v1/admin/today`, `/v1/admin/money`. */

const moment = (what: string) => said(z.string(), `${what} ISO 8601 in UTC.`);
const decimal = (what: string) => said(z.string(), `${what} An exact decimal, such as \`12.50\`.`);

export const needGroups = [
  'payments',
  'refunds',
  'bankEntries',
  'quarantine',
  'mails',
  'webhooks',
  'endpoints',
  'keys',
  'gateways',
  'jobs',
] as const;
export type NeedGroup = (typeof needGroups)[number];

export const needKinds = [
  'paymentInReview',
  'paymentLost',
  'refundInReview',
  'refundWaiting',
  'bankEntrySuggested',
  'quarantinedRows',
  'mailsRefused',
  'mailsFailing',
  'eventsGivenUp',
  'eventsFailing',
  'endpointStopped',
  'endpointFailing',
  'keyExpires',
  'keyExpired',
  'gatewayRefusesKeys',
  'gatewayPaused',
  'jobsFailing',
  'roundFailing',
] as const;
export type NeedKind = (typeof needKinds)[number];

const sum = z.object({
  currency: said(z.string(), 'ISO 4217.'),
  amount: decimal('How much.'),
});
export type Sum = z.infer<typeof sum>;

/** One thing that needs a person. */
export const need = z.object({
  kind: said(z.enum(needKinds), 'What it is.'),
  id: said(z.string(), 'What it is about, by the id that calls about it take; unique within its group.'),
  title: said(
    z.string(),
    'The name of what it is about: a customer, a file, a gateway, a key, a kind of job.',
  ),
  about: said(z.nullable(z.string()), 'More of that: numbers of invoices, the name of a file.'),
  reason: said(z.nullable(z.string()), 'Why, as it was said by a gateway, a mail server or an import.'),
  amount: z.nullable(decimal('The money that waits on it; null where that is not known.')),
  currency: said(z.nullable(z.string()), 'ISO 4217, where there is an amount.'),
  count: said(z.int(), 'How many of its kind it stands for: rows, mails, events, jobs.'),
  at: moment('Since when it waits; of a key when it runs out.'),
  path: said(z.string(), 'The address in the console at which it is seen to.'),
  state: said(z.string(), 'What it says, in short: another one once that has changed. A snooze names it.'),
});
export type Need = z.infer<typeof need>;

/** Things of one kind that need a person, most money first, then the oldest. */
export const needsOfGroup = z.object({
  group: said(z.enum(needGroups), 'What they have in common.'),
  isKnown: said(z.boolean(), 'False where they could not be read; the other groups stand all the same.'),
  count: said(z.int(), 'How many there are; more than are listed.'),
  sums: said(z.array(sum), 'The money that waits on all of them, by currency, most first.'),
  oldestAt: z.nullable(moment('Since when the oldest of them waits.')),
  items: said(z.array(need), 'The first 25.'),
});
export type NeedsOfGroup = z.infer<typeof needsOfGroup>;

/** What needs a person now. */
export const today = z
  .object({
    at: moment('When this was looked at.'),
    count: said(z.int(), 'How many things need a person.'),
    sums: said(z.array(sum), 'The money that waits on them, by currency, most first.'),
    snoozed: said(z.int(), 'How many of the things the caller has put off; they are in no count or sum.'),
    groups: said(z.array(needsOfGroup), 'Only groups that have something, or could not be read.'),
  })
  .check(
    z.meta({
      examples: [
        {
          at: '2026-03-01T10:00:00.000Z',
          count: 1,
          sums: [{ currency: 'NZD', amount: '110.00' }],
          snoozed: 0,
          groups: [
            {
              group: 'payments',
              isKnown: true,
              count: 1,
              sums: [{ currency: 'NZD', amount: '110.00' }],
              oldestAt: '2026-03-01T09:00:00.000Z',
              items: [
                {
                  kind: 'paymentInReview',
                  id: '0199a3c1-8b20-7e13-9c2d-5f4f7f2f0b31',
                  title: 'Harbour Office',
                  about: 'INV-1001',
                  reason: null,
                  amount: '110.00',
                  currency: 'NZD',
                  count: 1,
                  at: '2026-03-01T09:00:00.000Z',
                  path: '/admin/payments/0199a3c1-8b20-7e13-9c2d-5f4f7f2f0b31',
                  state: '9f2c41d07ab35e68',
                },
              ],
            },
          ],
        },
      ],
    }),
  );
export type Today = z.infer<typeof today>;

/** Body of `POST /v1/admin/today/snoozes`. */
export const newSnooze = z
  .strictObject({
    kind: said(z.enum(needKinds), 'What it is, as Today told.'),
    id: said(z.string().check(z.minLength(1), z.maxLength(300)), 'What it is about, as Today told.'),
    state: said(
      z.string().check(z.regex(/^[0-9a-f]{16}$/)),
      'What it says, as Today told; once it says otherwise, it is shown again.',
    ),
    until: said(z.iso.datetime({ offset: true }), 'Until when; at most 31 days ahead.'),
    note: said(z._default(z.string().check(z.maxLength(500)), ''), 'Why; kept in the audit trail.'),
  })
  .check(
    z.meta({
      examples: [
        {
          kind: 'quarantinedRows',
          id: '0199a3c1-8b20-7e13-9c2d-5f4f7f2f0b31',
          state: '9f2c41d07ab35e68',
          until: '2026-03-02T06:00:00Z',
          note: 'The customer is made tomorrow',
        },
      ],
    }),
  );
export type NewSnooze = z.output<typeof newSnooze>;

export const moneyQuery = z.object({
  day: said(
    z.optional(z.iso.date().check(z.regex(/^2\d{3}-/))),
    'Which day, `YYYY-MM-DD`, in the time zone of the reseller’s first brand; today unless given.',
  ),
});

/** What one gateway did in a day, in one currency. */
export const moneyOfGateway = z.object({
  gateway: said(
    z.nullable(z.string()),
    'The gateway, by its name; null for payments that came outside the portal.',
  ),
  currency: said(z.string(), 'ISO 4217.'),
  payments: said(z.int(), 'How many payments were collected.'),
  collected: decimal('What was taken.'),
  refunded: decimal('What was given back.'),
  takenBack: decimal('What banks took back: returned debits and chargebacks, less what came back of them.'),
  net: decimal('Collected, less what went back.'),
  inReview: decimal('What waits in review now, whenever it was sent.'),
  declined: said(z.int(), 'How many payments were declined.'),
});
export type MoneyOfGateway = z.infer<typeof moneyOfGateway>;

/** The money of a day. */
export const moneyOfDay = z
  .object({
    day: said(z.string(), 'The day, `YYYY-MM-DD`.'),
    timeZone: said(z.string(), 'Where that day is one.'),
    since: moment('When it began.'),
    until: moment('When it ends, or now.'),
    gateways: said(z.array(moneyOfGateway), 'By gateway and currency, most collected first.'),
    before: said(
      z.object({
        day: said(z.string(), 'The same day of the month before.'),
        collected: said(z.array(sum), 'What was taken on it by the same hour.'),
      }),
      'What to compare it with.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          day: '2026-03-01',
          timeZone: 'Pacific/Auckland',
          since: '2026-02-28T11:00:00.000Z',
          until: '2026-03-01T10:00:00.000Z',
          gateways: [
            {
              gateway: 'stripe',
              currency: 'NZD',
              payments: 2,
              collected: '220.00',
              refunded: '12.50',
              takenBack: '0.00',
              net: '207.50',
              inReview: '110.00',
              declined: 1,
            },
          ],
          before: { day: '2026-02-01', collected: [{ currency: 'NZD', amount: '180.00' }] },
        },
      ],
    }),
  );
export type MoneyOfDay = z.infer<typeof moneyOfDay>;
