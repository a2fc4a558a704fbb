import { DEFAULT_COLOURS } from '@counterfoil/contract/brand.ts';
import type { MailKind, MailPlaceholder } from '@counterfoil/contract/mail-texts.ts';
import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import { brandRoles } from '@counterfoil/domain/text/palette.ts';
import { withValues } from '@counterfoil/domain/text/placeholders.ts';
import { type Brand, legalLinksOf } from '../features/brand/service.ts';
import { type MailContent, type MailFact, mailHtml } from './html.ts';
import type { Mail, MailAttachment } from './mailer.ts';
import {
  isOperatorMail,
  type OperatorMailKind,
  type OperatorMailValues,
  operatorTexts,
} from './operator-texts.ts';
import { mailText } from './text.ts';
import { builtInTexts } from './texts.ts';

type AnyKind = MailKind | OperatorMailKind;
type ValueOf<K extends AnyKind> = K extends MailKind
  ? Exclude<MailPlaceholder<K>, 'companyName'>
  : K extends OperatorMailKind
    ? OperatorMailValues[K]
    : never;

/** A mail in a brand's name, before it is put into words. */
export interface BrandMail<K extends AnyKind> {
  readonly kind: K;
  readonly brand: Brand;
  readonly to: string;
  /** What the placeholders of its texts stand for, beside the company's name. */
  readonly values: Readonly<Record<ValueOf<K>, string>>;
  /** Set under the text; a brand's own words do not change them. */
  readonly facts: readonly MailFact[];
  /** Where the button leads; without it there is none. */
  readonly url?: string;
  /** The same for the same mail sent again. */
  readonly messageId: string;
  readonly attachments?: readonly MailAttachment[];
  /** Whom it is about, where that is one of these. */
  readonly about?:
    | { readonly customerId: string }
    | { readonly userId: string }
    | { readonly operatorId: string };
}

/** A mail of whichever kind. */
export type AnyBrandMail = { [K in AnyKind]: BrandMail<K> }[AnyKind];

// Line ends and other controls: a name or a number has none, and a subject is one line.
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** What a mail says, in the brand's own words where it has some. */
export interface MailWords extends MailContent {
  readonly subject: string;
}

/** The words of a mail, before it is laid out. */
export function wordMail(mail: AnyBrandMail): MailWords {
  const { brand, kind, facts, url } = mail;
  const words = wordsOf(brand, kind);
  const given: Readonly<Record<string, string>> = { ...mail.values, companyName: brand.companyName };
  const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, oneLine(value)]));
  return {
    subject: oneLine(withValues(words.subject, values)),
    heading: withValues(words.heading, values),
    paragraphs: words.text
      .split(/\r?\n\s*\r?\n/)
      .map((paragraph) => oneLine(withValues(paragraph, values)))
      .filter((paragraph) => paragraph !== ''),
    facts: facts.map((fact) => ({ ...fact, label: oneLine(fact.label), value: oneLine(fact.value) })),
    ...(url === undefined ? {} : { link: { label: withValues(words.button, values), url } }),
    companyName: oneLine(brand.companyName),
    contact: contactOf(brand),
    legal: legalLinksOf(brand.settings),
    language: brand.settings.language,
  };
}

/** The words of a mail as HTML, in a brand's colours. */
export function layOutMail(content: MailContent, { colours: own }: Pick<Brand, 'colours'>): string {
  const colours = own.length === DEFAULT_COLOURS.length ? own : DEFAULT_COLOURS;
  return mailHtml(content, { light: brandRoles(colours, 'light'), dark: brandRoles(colours, 'dark') });
}

/** The mail as text and HTML. */
export function composeMail(mail: AnyBrandMail, mailFrom: string): Mail {
  const content = wordMail(mail);
  // A mail server refuses a mail from what is no address: then it is ours, as where the brand has none.
  const { supportEmail } = mail.brand.settings;
  return {
    to: mail.to,
    from: { name: content.companyName, address: isMailAddress(supportEmail) ? supportEmail : mailFrom },
    subject: content.subject,
    text: mailText(content),
    html: layOutMail(content, mail.brand),
    messageId: mail.messageId,
    ...(mail.attachments === undefined ? {} : { attachments: mail.attachments }),
  };
}

function wordsOf(brand: Brand, kind: AnyKind) {
  if (isOperatorMail(kind)) return operatorTexts[kind];
  const [builtIn, own] = [builtInTexts[kind], brand.settings.mailTexts[kind]];
  return {
    subject: own?.subject ?? builtIn.subject,
    heading: own?.heading ?? builtIn.heading,
    text: own?.text ?? builtIn.text,
    button: own?.button ?? builtIn.button,
  };
}

function contactOf({ settings }: Brand): readonly string[] {
  const { supportEmail, supportPhone, postalAddress } = settings;
  return [[supportEmail, supportPhone].filter(Boolean).join(' · '), postalAddress.join(', ')]
    .map(oneLine)
    .filter((line) => line !== '');
}
