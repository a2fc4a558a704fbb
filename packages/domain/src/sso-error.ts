/** What the server says in query parameter e of the sign-in page (specification, portal §8). */
export const ssoErrors = {
  unknownCompany: 'Unexpected redirect error',
  noSso: 'The Company does not have SSO authentication',
  failed: 'Authentication failed',
} as const;
/** One of {@link ssoErrors}. */
export type SsoError = (typeof ssoErrors)[keyof typeof ssoErrors];

/** What a person reads for a value of e. Any value that is not known is a failure, never shown itself. */
export function ssoErrorText(e: string): string {
  if (e === ssoErrors.unknownCompany) return 'The Company does not exist or blocked';
  return e === ssoErrors.noSso ? e : ssoErrors.failed;
}

/** Company names that are compared equal: without regard to case, width, or how many blanks stand in them. */
export const companyKey = (name: string): string =>
  name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
