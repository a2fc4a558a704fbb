import type { MailText, MailTexts } from '@counterfoil/contract/mail-texts.ts';
import type { StandardMailText } from '@counterfoil/contract/operator/running/admin-brands.ts';
import { placeholdersIn } from '@counterfoil/domain/text/placeholders.ts';

/** The parts of a mail that a brand may say in its own words, with the most characters of each. */
export const wordLimits = { subject: 200, heading: 200, text: 4_000, button: 200 } as const;
export type WordName = keyof typeof wordLimits;

/** A part of a mail as it is: the brand's own words, or else the standard ones. */
export const wordsOf = (own: MailTexts, standard: StandardMailText, name: WordName): string =>
  ownOf(own, standard)[name] ?? standard[name];

const ownOf = (own: MailTexts, { kind }: StandardMailText): MailText =>
  (own as Readonly<Record<string, MailText | undefined>>)[kind] ?? {};

/** Whether a brand says anything of a mail in its own words. */
export const hasOwnWords = (own: MailTexts, standard: StandardMailText): boolean =>
  Object.keys(ownOf(own, standard)).length > 0;

/** The brand's own words with one part said otherwise; what is as the standard is nothing of its own. */
export function withWords(
  own: MailTexts,
  standard: StandardMailText,
  name: WordName,
  text: string,
): MailTexts {
  const { [name]: _before, ...rest } = ownOf(own, standard);
  const mail = text === standard[name] ? rest : { ...rest, [name]: text };
  const others = withStandardWords(own, standard);
  return Object.keys(mail).length === 0 ? others : { ...others, [standard.kind]: mail };
}

/** The same with all standard words in one mail. */
export const withStandardWords = (own: MailTexts, { kind }: StandardMailText): MailTexts =>
  Object.fromEntries(Object.entries(own).filter(([one]) => one !== kind));

/** Why words would be refused: they are none, or a brace in them means nothing in this mail. */
export function problemOf(
  { placeholders, ...standard }: StandardMailText,
  name: WordName,
  text: string,
): { readonly is: 'empty' } | { readonly is: 'unknown'; readonly name: string } | undefined {
  if (text === '' && standard[name] !== '') return { is: 'empty' };
  const unknown = placeholdersIn(text).find((one) => !placeholders.includes(one));
  return unknown === undefined ? undefined : { is: 'unknown', name: unknown };
}
