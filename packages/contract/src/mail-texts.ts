import { placeholdersIn } from '@counterfoil/domain/text/placeholders.ts';
import * as z from 'zod/mini';

/** The mails a brand sends, and what may stand in braces in the texts of each. */
export const MAIL_PLACEHOLDERS = {
  registration: ['companyName', 'username'],
  reset: ['companyName', 'username'],
  passwordChanged: ['companyName', 'username', 'when'],
  securityChanged: ['companyName', 'username', 'when', 'change'],
  newSignIn: ['companyName', 'username', 'when', 'browser', 'system', 'address', 'method'],
  receipt: ['companyName', 'amount', 'date', 'reference', 'invoiceLabel', 'invoices'],
  autoPayAhead: ['companyName', 'invoiceLabel', 'invoice', 'amount', 'date', 'method', 'stop'],
  autoPayNoMethod: ['companyName', 'invoiceLabel', 'invoice', 'amount', 'date'],
  autoPayDeclined: ['companyName', 'invoiceLabel', 'invoice', 'amount', 'method', 'why', 'next'],
  autoPayConfirm: ['companyName', 'invoiceLabel', 'invoice', 'amount', 'method'],
  autoPayPart: ['companyName', 'invoiceLabel', 'invoice', 'amount', 'due', 'method'],
  payLink: ['companyName', 'invoiceLabel', 'invoice', 'amount', 'date'],
  invoiceNew: ['companyName', 'invoiceLabel', 'invoice', 'amount', 'how'],
  invoiceDueSoon: ['companyName', 'invoiceLabel', 'invoice', 'amount', 'date'],
  invoiceOverdue: ['companyName', 'invoiceLabel', 'invoice', 'amount', 'date'],
} as const;
export type MailKind = keyof typeof MAIL_PLACEHOLDERS;
export type MailPlaceholder<K extends MailKind> = (typeof MAIL_PLACEHOLDERS)[K][number];

export const isMailKind = (text: string): text is MailKind => Object.hasOwn(MAIL_PLACEHOLDERS, text);

const line = z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^\P{Cc}*$/u));

/** A brand's own words for one mail; what is left out keeps the built-in ones. */
export const mailText = z.strictObject({
  subject: z.optional(line),
  heading: z.optional(line),
  /** A blank line begins another paragraph. */
  text: z.optional(z.string().check(z.minLength(1), z.maxLength(4_000))),
  /** On the button, where the mail has one. */
  button: z.optional(line),
});
export type MailText = z.infer<typeof mailText>;

/** A brand's own words, by mail. */
export const mailTexts = z.strictObject({
  registration: z.optional(mailText),
  reset: z.optional(mailText),
  passwordChanged: z.optional(mailText),
  securityChanged: z.optional(mailText),
  newSignIn: z.optional(mailText),
  receipt: z.optional(mailText),
  autoPayAhead: z.optional(mailText),
  autoPayNoMethod: z.optional(mailText),
  autoPayDeclined: z.optional(mailText),
  autoPayConfirm: z.optional(mailText),
  autoPayPart: z.optional(mailText),
  payLink: z.optional(mailText),
  invoiceNew: z.optional(mailText),
  invoiceDueSoon: z.optional(mailText),
  invoiceOverdue: z.optional(mailText),
} satisfies Record<MailKind, z.ZodMiniType>);
export type MailTexts = z.infer<typeof mailTexts>;

/** What stands in braces in a text and means nothing in this mail. */
export function unknownPlaceholders(kind: MailKind, text: string): readonly string[] {
  const known: readonly string[] = MAIL_PLACEHOLDERS[kind];
  return placeholdersIn(text).filter((name) => !known.includes(name));
}
