import type { Proof, Proofs } from '../row.ts';

const apiFile = 'apps/api/src/features/login-as/routes.test.ts';
const pageFile = 'e2e/login-as.spec.ts';
const webFile = 'apps/web/src/features/login-as/login-as.test.ts';
const failure: Proof = {
  file: webFile,
  title: 'goes to /login when the code is refused, and leaves the session that was there',
};
const next: Proof = { file: webFile, title: 'goes to the redirect loader with r, else to the dashboard' };
const once: Proof = {
  file: pageFile,
  title: 'a code works once, takes the place of who was signed in, and goes on to r',
};
const sends: Proof = {
  file: webFile,
  title: 'sends the code without any session and stores auth, super-user flag and customer',
};
const support: Proof = {
  file: pageFile,
  title: 'support sees the portal as the user, and everybody can tell',
};
const twenty: Proof = {
  file: apiFile,
  title: 'works once: of twenty uses at the same time exactly one succeeds',
};

/** Tests that prove rows of auth-login-as: row id to file and title. */
export const proofs: Proofs = {
  'portal.login-as.screen.page': [support],
  'portal.login-as.field.query.c': [support, sends],
  'portal.login-as.c-stored': [support, sends],
  'portal.login-as.field.query.r': [once, next],
  'portal.login-as.success-with-r': [once, next],
  'portal.login-as.success-without-r': [support, next],
  'portal.login-as.error.failure': [once, failure],
  'portal.login-as.support-one-time-code': [support],
  'decisions.2.field.login-by-code.code': [sends],
  'decisions.2.login-code-once': [twenty, once],
  'decisions.2.constant.login-code-life': [{ file: apiFile, title: 'works for five minutes' }],
};
