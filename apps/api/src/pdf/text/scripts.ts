import type { FamilyId } from '../fonts/families.ts';

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ideographic =
  /[\u2e80-\u2fdf\u3000-\u30ff\u3100-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;
const kana = /[\u3040-\u30ff\u31f0-\u31ff]/;
const hangul = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]/;
const mark = /^\p{M}$/u;
/** Joiners and variation selectors: they shape their neighbours and have no shape of their own. */
const invisible = /^(?:\u200c|\u200d|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])$/u;

export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);
export const isIdeographic = (char: string): boolean => ideographic.test(char);
export const isMark = (char: string): boolean => mark.test(char);
export const isInvisible = (char: string): boolean => invisible.test(char);

/**
 * Families to try for a text, best first. The same ideograph is drawn differently in Japan, Korea and China:
 * kana or hangul in the text tell, else the document's language.
 */
export function familiesFor(text: string, language: string): readonly FamilyId[] {
  if (kana.test(text) || /^ja\b/i.test(language)) return ['arabic', 'hebrew', 'jp', 'sc', 'kr'];
  if (hangul.test(text) || /^ko\b/i.test(language)) return ['arabic', 'hebrew', 'kr', 'sc', 'jp'];
  return ['arabic', 'hebrew', 'sc', 'jp', 'kr'];
}
