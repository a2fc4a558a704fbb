import type { Proof, Proofs } from '../row.ts';

const folder = 'apps/api/src/features/sso';
const by = (file: string, title: string): Proof => ({ file, title });

const byName = by(
  'e2e/sso.spec.ts',
  'by company name, through the company’s own page, into the portal; the code stays in no address',
);
const byLink = by('e2e/sso.spec.ts', 'a link with b leads on by itself, and r is where it ends');
const errors = by(
  'e2e/sso.spec.ts',
  'each error opens the company form with its words, the company still in the field',
);
const required = by(
  'e2e/sso.spec.ts',
  'by keyboard alone: a password where the company requires single sign-on leads there',
);
const address = by('apps/web/src/features/auth/login-state.test.ts', 'begins with %s as asked');
const everyError = by(
  'apps/web/src/features/auth/login-state.test.ts',
  'is the company form with the failure for every error of single sign-on: %s',
);
const leads = by(
  `${folder}/sign-in.test.ts`,
  'leads through the company’s provider to a code, and the code to a session',
);
const otherClient = by(`${folder}/sign-in.test.ts`, 'for another kind of client than the portal');
const unknown = by(
  `${folder}/sign-in.test.ts`,
  'for an unknown company, one that is blocked, and none at all',
);
const without = by(`${folder}/sign-in.test.ts`, 'for a company without single sign-on, which is named as is');
const cookie = by(
  `${folder}/sign-in.test.ts`,
  'gives a cookie that scripts and other sites do not get, for ten minutes',
);
const pkce = by(`${folder}/refusals.test.ts`, 'with the code of somebody else: PKCE');
const minute = by(`${folder}/refusals.test.ts`, 'lives for 60 seconds');
const once = by(`${folder}/refusals.test.ts`, 'works once: replayed it is refused');
const twenty = by(`${folder}/refusals.test.ts`, 'of twenty trades at once gives exactly one session');
const bound = by(`${folder}/refusals.test.ts`, 'is good in the browser that began the sign-in only');
const otherCompany = by(
  `${folder}/refusals.test.ts`,
  'who is a user of another company of the same reseller',
);
const notOpenId = by(`${folder}/identity-provider.test.ts`, 'is not believed when it is %s, nor remembered');
const brandHeader = by(
  `${folder}/service.test.ts`,
  'of a company that requires single sign-on is sent there, whether or not the account exists',
);
const onlyThen = by(`${folder}/service.test.ts`, 'of a company that %s goes on as ever');
const otherDomain = by(
  `${folder}/service.test.ts`,
  'with an address of another domain, or none, goes on as ever',
);

/** Tests that prove rows of auth-single-sign-on: row id to file and title. */
export const proofs: Proofs = {
  'portal.sso.on-400-with-brand-header': [required],
  'portal.sso.field.login.b': [byName, byLink],
  'portal.sso.field.login.ct': [byName, otherClient],
  'portal.sso.field.login.r': [byLink],
  'portal.sso.error.unexpected-redirect': [errors, unknown],
  'portal.sso.error.no-sso': [errors, without],
  'portal.sso.error.other': [errors, address],
  'portal.sso.errors-open-company-form': [errors, everyError],
  'decisions.2.call.sso-login': [leads, byLink],
  'decisions.2.sso-pkce': [leads, pkce],
  'decisions.2.sso-company-provider': [leads, otherCompany],
  'decisions.2.sso-callback': [leads],
  'decisions.2.constant.sso-code-life': [minute],
  'decisions.2.sso-code-once': [once, twenty],
  'decisions.2.sso-code-bound': [bound, cookie],
  'decisions.2.sso-code-trade': [leads],
  'decisions.2.sso-no-saml': [notOpenId],
  'decisions.2.field.X-Brand-Company': [brandHeader, required],
  'decisions.2.X-Brand-Company-when': [brandHeader, onlyThen, otherDomain],
  'decisions.2.X-Brand-Company-tells-nothing': [brandHeader],
};
