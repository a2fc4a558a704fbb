/** Networks by the first digits of their numbers; the first that fits. */
const brands: readonly (readonly [name: string, first: RegExp, groups: readonly number[]])[] = [
  ['Amex', /^3[47]/, [4, 6, 5]],
  ['Diners Club', /^3(?:0[0-5]|[689])/, [4, 6, 4]],
  ['JCB', /^35(?:2[89]|[3-8])/, [4, 4, 4, 4, 3]],
  ['Visa', /^4/, [4, 4, 4, 4, 3]],
  ['Mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [4, 4, 4, 4, 3]],
  ['Discover', /^(?:6011|64[4-9]|65)/, [4, 4, 4, 4, 3]],
  ['UnionPay', /^62/, [4, 4, 4, 4, 3]],
];

const found = (text: string) => {
  const digits = text.replace(/\D/g, '');
  return brands.find(([, first]) => first.test(digits));
};

/** The brand of a number that is being typed; undefined while it is not known. */
export const brandOf = (text: string): string | undefined => found(text)?.[0];

/** The number in the groups its brand prints, while it is being typed. What is no digit goes away. */
export function groupNumber(text: string): string {
  const digits = text.replace(/\D/g, '').slice(0, 19);
  const [, , sizes] = found(digits) ?? ['', /^/, [4, 4, 4, 4, 3]];
  // More digits than the brand's numbers have: fours, as of any other.
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const groups: string[] = [];
  let at = 0;
  for (const size of digits.length > total ? [4, 4, 4, 4, 3] : sizes) {
    if (at >= digits.length) break;
    groups.push(digits.slice(at, at + size));
    at += size;
  }
  return groups.join(' ');
}
