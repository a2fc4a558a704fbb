import * as z from 'zod/mini';
import { MAIL_PLACEHOLDERS, type MailKind } from '../../mail-texts.ts';
import { cursor, pageLimit, said } from '../parts.ts';

/** What a provider's programs call about the mails that were sent: `/v1/admin/mails`. */

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));
const moment = (what: string) => said(z.string(), `${what} ISO 8601 in UTC.`);
const kinds = Object.keys(MAIL_PLACEHOLDERS) as [MailKind, ...MailKind[]];

export const mailStates = ['waiting', 'sent', 'failing', 'refused', 'givenUp', 'closed'] as const;

export const mailQuery = z.object({
  customer: said(
    z.optional(text(200)),
    'About this customer or to one of its users: our id of it, or the provider’s own reference.',
  ),
  address: said(z.optional(text(320)), 'To this address.'),
  kind: said(z.optional(z.enum(kinds)), 'Of this kind.'),
  state: said(z.optional(z.enum(mailStates)), 'In this state.'),
  limit: pageLimit,
  cursor,
});

const exampleMail = {
  id: '0199a3c1-9c10-7b3e-8d11-3c2a1f0e9b77',
  kind: 'receipt',
  address: 'bills@harbour.example',
  subject: 'Your payment of $110.00',
  state: 'sent',
  customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
  customer: 'Harbour Office',
  userId: null,
  problem: null,
  tries: 1,
  createdAt: '2026-03-01T10:00:02.000Z',
  updatedAt: '2026-03-01T10:00:02.000Z',
} as const;

/** A mail that was to be sent. */
export const sentMail = z
  .object({
    id: said(z.uuid(), 'Its id here.'),
    kind: said(z.enum(kinds), 'Which mail it is.'),
    address: said(z.string(), 'Whom it went to.'),
    subject: said(z.string(), 'Its subject.'),
    state: said(
      z.enum(mailStates),
      '`failing`: it is tried again; `refused`: a mail server does not take it, or sent it back; `givenUp`: it was tried as often as it is; `closed`: there is nothing to send any more, or it was dismissed.',
    ),
    customerId: said(z.nullable(z.uuid()), 'Whose invoices or payments it is about.'),
    customer: said(z.nullable(z.string()), 'The name of that customer.'),
    userId: said(z.nullable(z.uuid()), 'Whose account it is about.'),
    problem: said(z.nullable(z.string()), 'Why it did not go out, in the mail server’s codes.'),
    tries: said(z.int(), 'How often it was tried.'),
    createdAt: moment('When it was first tried.'),
    updatedAt: moment('When its state last changed.'),
  })
  .check(z.meta({ examples: [exampleMail] }));
export type SentMail = z.infer<typeof sentMail>;

export const mailPage = z.object({
  data: z.array(sentMail),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});

const mailEvent = z.object({
  at: moment('When it happened.'),
  outcome: said(
    z.enum(['sent', 'failed', 'refused', 'bounced', 'notNeeded', 'ordered', 'dismissed']),
    '`bounced`: it was taken and came back; `ordered`: a person has sent it again; `dismissed`: a person has seen to it.',
  ),
  to: said(z.nullable(z.string()), 'Whom it was sent to.'),
  reason: said(z.nullable(z.string()), 'Why it failed, in the mail server’s codes.'),
  by: said(z.nullable(z.string()), 'Who decided, for what a person did.'),
  note: said(z.nullable(z.string()), 'What they said.'),
});
export type MailEvent = z.infer<typeof mailEvent>;

/** A mail with what it says and what became of it. */
export const sentMailWhole = z
  .extend(sentMail, {
    text: said(z.string(), 'As text. Of a link that opens something the secret part is left out.'),
    html: said(
      z.string(),
      'As HTML, in the colours that the brand has now. It holds no scripts and no pictures.',
    ),
    addressIsFixed: said(
      z.boolean(),
      'It opens an account: it goes to the address of that account and to no other.',
    ),
    story: said(z.array(mailEvent), 'What became of it, in the order of time.'),
  })
  .check(
    z.meta({
      examples: [
        {
          ...exampleMail,
          text: 'Your payment\n\nWe have received $110.00.\n',
          html: '<!doctype html><html lang="en"><title>Your payment</title></html>',
          addressIsFixed: false,
          story: [
            {
              at: '2026-03-01T10:00:02.000Z',
              outcome: 'sent',
              to: 'bills@harbour.example',
              reason: null,
              by: null,
              note: null,
            },
          ],
        },
      ],
    }),
  );
export type SentMailWhole = z.infer<typeof sentMailWhole>;

/** Body of `POST /v1/admin/mails/{id}/resend`. */
export const mailResend = z
  .strictObject({
    address: said(
      z.optional(z.string().check(z.trim(), z.minLength(3), z.maxLength(320))),
      'Another address; without it where it went before. A mail that opens an account takes none.',
    ),
  })
  .check(z.meta({ examples: [{ address: 'accounts@harbour.example' }] }));

/** Body of `POST /v1/admin/mails/{id}/dismiss`. */
export const mailDismissal = z
  .strictObject({ note: said(text(500), 'What was done about it; kept with the mail.') })
  .check(z.meta({ examples: [{ note: 'Rang them; the address was mistyped' }] }));
