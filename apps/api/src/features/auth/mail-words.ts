import { DEFAULT_COLOURS } from '@counterfoil/contract/brand.ts';
import { formatDay, parseDay } from '@counterfoil/domain/day.ts';
import { brandRoles } from '@counterfoil/domain/palette.ts';
import { today } from '@counterfoil/domain/time-zone.ts';
import { mailHtml, mailText } from '../../mail/layout.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { Brand } from '../brand/service.ts';

interface Words {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly facts: readonly (readonly [string, string])[];
  readonly link: string;
}

/** A mail about a person's way in, before it is laid out. */
export interface AccountMail {
  readonly brand: Brand;
  readonly to: string;
  readonly words: Words;
  /** Where the button leads. */
  readonly url: string;
  /** Left part of the message id. */
  readonly id: string;
}

/** Somebody asked for a new password. No password is ever mailed. */
export const resetWords = (brand: Brand, email: string): Words => ({
  subject: `Choose a new password for ${brand.companyName}`,
  heading: 'Choose a new password',
  paragraphs: [
    `A new password was asked for at ${brand.companyName}. The link below works once, for one hour.`,
    'If you did not ask for it, ignore this mail: your password stays as it is.',
  ],
  facts: [['Username', email]],
  link: 'Choose a new password',
});

/** The provider has made an account; the person chooses its first password. */
export const registrationWords = (brand: Brand, email: string): Words => ({
  subject: `Your account at ${brand.companyName}`,
  heading: 'Finish your registration',
  paragraphs: [
    `${brand.companyName} has made an account for you, where you see and pay your bills.`,
    'Choose a password to finish. The link below works once, for seven days.',
  ],
  facts: [['Username', email]],
  link: 'Choose a password',
});

/** Goes out after every change, so that a change by somebody else does not stay unnoticed. */
export const passwordChangedWords = (brand: Brand, email: string, at: Date): Words => ({
  subject: `Your password for ${brand.companyName} was changed`,
  heading: 'Your password was changed',
  paragraphs: [
    'You have been signed out everywhere else.',
    'If it was not you who changed it, ask for a new password on the sign-in page at once and tell us.',
  ],
  facts: [
    ['Username', email],
    ['When', `${formatDay(parseDay(today(brand.timeZone, at)))} ${timeOfDay(brand.timeZone, at)}`],
  ],
  link: 'Go to the sign-in page',
});

const timeOfDay = (timeZone: string, at: Date) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);

/** The mail in the brand's name, as text and HTML. */
export function composeAccountMail({ brand, to, words, url, id }: AccountMail, mailFrom: string): Mail {
  const content = { ...words, link: { label: words.link, url } };
  const roles = brandRoles(brand.colours.length === 7 ? [...brand.colours] : [...DEFAULT_COLOURS], 'light');
  return {
    to,
    from: { name: brand.companyName, address: brand.settings.supportEmail || mailFrom },
    subject: words.subject,
    text: mailText(brand, content),
    html: mailHtml(brand, content, { accent: roles['accent'], onAccent: roles['on-accent'] }),
    messageId: `<${id}@account.counterfoil>`,
  };
}
