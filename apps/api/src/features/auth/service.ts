/** What other features use of accounts and sign-in, beside the reads of queries.ts. */
export { type AccountMailDeps, accountMailJob, securityChangedMail } from './account-mails.ts';
export { changePassword, type PasswordDeps, setPasswordByLink, verifyPassword } from './account-password.ts';
export { type Grants, INCOMPLETE } from './grants.ts';
export { type AuthDeps, type Origin, openSession, refused, type TokenResult } from './session.ts';
export type { SignInChecks } from './sign-in.ts';
