/** What the server says in query parameter e of the sign-in page (specification, portal §8). */
export const ssoErrors = {
  unknownCompany: 'Unexpected redirect error',
  noSso: 'The Company does not have SSO authentication',
  failed: 'Authentication failed',
} as const;
/** One of {@link ssoErrors}. */
export type SsoError = (typeof ssoErrors)[keyof typeof ssoErrors];

/** Which error a value of e names. Any that is not known is a failure; the value itself is never shown. */
export function ssoErrorOf(e: string): keyof typeof ssoErrors {
  if (e === ssoErrors.unknownCompany) return 'unknownCompany';
  return e === ssoErrors.noSso ? 'noSso' : 'failed';
}

/** Company names that are compared equal: without regard to case, width, or how many blanks stand in them. */
export const companyKey = (name: string): string =>
  name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
