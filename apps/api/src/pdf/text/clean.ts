/** Longest text taken as it is, in UTF-16 code units. */
export const maxTextLength = 4000;

/** Tab and the characters that end a line. */
const breaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/**
 * What must never reach a page: controls, soft hyphen, direction marks, overrides and isolates (a name could
 * otherwise reorder the figures beside it), byte order mark, interlinear marks, tags, noncharacters.
 */
const removed =
  /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\u{e0000}-\u{e007f}]/gu;
const plain = /^[\x20-\x7e]*$/;

/**
 * Text as it may be set: composed (NFC), without control characters, with lone surrogates replaced.
 * @returns paragraphs, at least one; never with a line break inside
 */
export function cleanParagraphs(text: string): readonly string[] {
  if (plain.test(text) && text.length <= maxTextLength) return [text];
  const cut = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  return cut
    .toWellFormed()
    .normalize('NFC')
    .replace(breaks, '\n')
    .split('\n')
    .map((paragraph) => paragraph.replaceAll('\t', ' ').replace(removed, ''));
}

/** The same on one line. */
export function cleanLine(text: string): string {
  const paragraphs = cleanParagraphs(text);
  return paragraphs.length === 1 ? (paragraphs[0] ?? '') : paragraphs.filter((part) => part !== '').join(' ');
}
