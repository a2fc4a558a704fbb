/**
 * The reference inside a creditor reference of ISO 11649, such as 'INV1001' in 'RF71 INV1001'.
 * @param text as it was written: blanks, and small letters, are allowed
 * @returns it in capitals without blanks, or null where the text is none or its check digits are wrong
 */
export function readCreditorReference(text: string): string | null {
  const plain = text.replaceAll(/\s/g, '').toUpperCase();
  const match = /^RF(\d{2})([0-9A-Z]{1,21})$/.exec(plain);
  const reference = match?.[2];
  if (match === null || reference === undefined) return null;
  return remainderOf97(`${reference}RF${match[1] ?? ''}`) === 1 ? reference : null;
}

/** ISO 7064, mod 97-10: letters count as 10 to 35. */
function remainderOf97(text: string): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest;
}
