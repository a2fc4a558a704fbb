/** What other features use of accounts and sign-in, beside the reads of queries.ts. */
export { type Grants, INCOMPLETE } from './grants.ts';
export {
  type AccountMailDeps,
  accountMailJob,
  enqueueRegistrationMail,
  enqueueRegistrationMails,
  enqueueResetMail,
} from './mail-queue.ts';
export { securityChangedMail } from './mails.ts';
export {
  changePassword,
  type PasswordDeps,
  refuseWeakPassword,
  setPasswordByLink,
  verifyPassword,
} from './passwords/account-password.ts';
export { hashPassword, passwordFits } from './passwords/passwords.ts';
export { type AuthDeps, type Origin, openSession, refused, type TokenResult } from './session.ts';
export type { SignInChecks } from './sign-in.ts';
