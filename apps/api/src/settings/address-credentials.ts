/** Characters that end the part of an address before its host: within user or password they are written as `%` codes. */
const ENDS = /[/?#]/;
const CODES = '/ is %2F, ? is %3F, # is %23, @ is %40, % is %25';

/**
 * What is wrong with user and password of an address, in words that show nothing of them; undefined where nothing is.
 * Without this such an address would be read as another one, and the fault told would be of that.
 * @param name of the setting
 */
export function credentialsFault(name: string, text: string): string | undefined {
  const [, rest] = /^[a-z]+:\/\/(.*)$/is.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const end = rest.search(ENDS);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const after = end < 0 ? '' : rest.slice(end);
  const isParameters = after.startsWith('?') && (authority.includes('@') || /^\?\w+=/.test(after));
  const place = after.startsWith('/') ? after.split('?', 1).join() : after;
  // A host comes after the last '@': where one follows what ends the host, that came too early.
  if (!isParameters && place.includes('@')) return mustBeCoded(name);
  const credentials = authority.slice(0, Math.max(authority.lastIndexOf('@'), 0));
  return isDecodable(credentials) ? undefined : mustBeCoded(name);
}

const mustBeCoded = (name: string): string =>
  `the password in ${name} has characters that must be percent-encoded: ${CODES}`;

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
