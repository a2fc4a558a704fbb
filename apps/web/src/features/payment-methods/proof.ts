/** What is typed to prove an account: what the small deposit on its statement says. */
export interface Proof {
  readonly way: 'descriptorCode' | 'amounts';
  readonly code: string;
  readonly first: string;
  readonly second: string;
}

/** Characters of a statement's code: 'SM' and four more. */
const CODE_LENGTH = 6;
const isAmount = (text: string): boolean => /^\d{1,3}$/.test(text.trim());

/** The members of the call; amounts in minor units: '32,45'. Undefined while something is missing. */
export function proofOf({
  way,
  code,
  first,
  second,
}: Proof): { readonly descriptorCode: string } | { readonly amounts: string } | undefined {
  if (way === 'descriptorCode') {
    const text = code.replace(/\s/g, '').toUpperCase();
    return text.length === CODE_LENGTH ? { descriptorCode: text } : undefined;
  }
  return isAmount(first) && isAmount(second) ? { amounts: `${first.trim()},${second.trim()}` } : undefined;
}
