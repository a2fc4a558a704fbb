import { formatMessage, type MessageValues } from './format-message.ts';

/** Texts by id, in ICU message syntax. */
export type Catalogue = Readonly<Record<string, string>>;

let translations: Catalogue = {};
let locale: string | undefined;

/**
 * The reader's locale: month names, week start, number format and plural rules follow it. Digits are those of the page's
 * language, which is English: figures in other digits beside English words are hard to read and to copy.
 */
export function readerLocale(): string {
  locale ??= withLatinDigits(firstUsable(globalThis.navigator?.languages ?? []));
  return locale;
}

const withLatinDigits = (tag: string): string =>
  new Intl.NumberFormat(tag).resolvedOptions().numberingSystem === 'latn'
    ? tag
    : new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();

/** Whether a page drawn for a locale reads as this browser would draw it. */
export const isReaderLocale = (tag: string | undefined): boolean =>
  tag !== undefined && withLatinDigits(tag) === readerLocale();

/** Where a page is drawn without a browser, on the server: for which reader. */
export function setReaderLocale(tag: string): void {
  locale = withLatinDigits(tag);
}

/** Browsers may report tags that Intl refuses ('en-US@posix' under LANG=C). */
export function firstUsable(tags: readonly string[]): string {
  for (const tag of tags) {
    try {
      const [canonical] = Intl.getCanonicalLocales(tag);
      if (canonical !== undefined) return canonical;
    } catch {
      // The next one may do.
    }
  }
  return 'en';
}

/** Puts the texts of another language over the English ones; ids that are missing stay English. */
export function installTranslations(texts: Catalogue, language: string): void {
  translations = texts;
  locale = language;
}

/**
 * Declares a feature's English texts and returns its translator. Every text a person reads goes through one,
 * so a translation is a table of the same ids.
 *
 * @example const t = defineMessages({ 'pager.range': '{from}–{to} of {total}' }); t('pager.range', {…})
 */
export function defineMessages<const C extends Catalogue>(
  english: C,
): (id: keyof C & string, values?: MessageValues) => string {
  return (id, values = {}) => formatMessage(translations[id] ?? english[id] ?? id, values, readerLocale());
}
