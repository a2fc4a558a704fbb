/** Takes secrets out of text that ends in logs, evidence and operators' screens. */

/** Longest piece of evidence kept; the rest is cut. */
const longest = 400;

const rules: readonly (readonly [RegExp, string])[] = [
  // Card and account numbers: 9 to 19 digits, also grouped by spaces or dashes.
  [/(?<![\w.])\d(?:[ -]?\d){8,18}(?![\w.])/g, '[number]'],
  // Client secrets and webhook secrets.
  [/\b((?:pi|seti)_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+/g, '$1_secret_[hidden]'],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, 'whsec_[hidden]'],
  // API keys of the form sk_test_…, rk_live_….
  [/\b([sr]k_(?:test|live)_)[A-Za-z0-9*]+/g, '$1[hidden]'],
  // Authorization values.
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]+/gi, '$1 [hidden]'],
  // One-time tokens.
  [/\b(tok_|tkn_)[A-Za-z0-9]+/g, '$1[hidden]'],
];

/** IBANs, which are mostly digits; an id of ours that begins like one is not. */
const iban = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g;
const withoutIban = (text: string): string =>
  text.replace(iban, (found) => (found.replace(/\D/g, '').length >= 10 ? '[iban]' : found));

/** `text` without card or account numbers, keys, secrets, tokens; at most 400 characters. Control characters become spaces. */
export function redact(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  let clean = text.replace(/[\u0000-\u001f\u007f]+/g, ' ');
  clean = withoutIban(clean);
  for (const [pattern, replacement] of rules) clean = clean.replace(pattern, replacement);
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
}

/** Name, code and redacted message of anything thrown, its cause included. */
export function describeFault(fault: unknown): string {
  if (!(fault instanceof Error)) return redact(String(fault));
  const code = 'code' in fault && typeof fault.code === 'string' ? ` ${fault.code}` : '';
  const cause = fault.cause instanceof Error ? ` (${describeFault(fault.cause)})` : '';
  return redact(`${fault.name}${code}: ${fault.message}${cause}`);
}
