import type { Proof, Proofs } from '../row.ts';

const authFile = 'e2e/auth.spec.ts';
const tokenFile = 'apps/api/src/features/auth/routes.test.ts';
const claims: Proof = {
  file: tokenFile,
  title: 'answers access and refresh token with the claims the portal reads',
};
const emptied: Proof = {
  file: authFile,
  title: 'a sign-in empties the fields, and the form is back at its first state',
};
const good: Proof = { file: authFile, title: 'a good sign-in leads into the portal of the reseller' };
const keyboard: Proof = { file: authFile, title: 'by keyboard alone, with the password shown and hidden' };
const origin: Proof = {
  file: authFile,
  title: 'a protected page asks to sign in and is shown afterwards, with its query',
};
const r: Proof = { file: authFile, title: 'signed in, /login goes on to r when it is safe' };
const required: Proof = { file: authFile, title: 'username and password are required' };
const rotates: Proof = { file: tokenFile, title: 'rotates at every use' };
const samewords: Proof = {
  file: tokenFile,
  title: 'uses the same words for an unknown user and a wrong password',
};
const wrong: Proof = {
  file: authFile,
  title: 'a wrong password and an unknown user are refused with the same words',
};

const resetFile = 'e2e/password-reset.spec.ts';
const reset: Proof = {
  file: resetFile,
  title: 'from the forgotten password by mail to a new one, which signs in',
};
const back: Proof = {
  file: resetFile,
  title: "'Log in' leads back from the request and from its confirmation",
};

const ssoFile = 'e2e/sso.spec.ts';
const stateFile = 'apps/web/src/features/auth/login-state.test.ts';
const byCompany: Proof = {
  file: ssoFile,
  title: 'by company name, through the company’s own page, into the portal; the code stays in no address',
};
const byLink: Proof = { file: ssoFile, title: 'a link with b leads on by itself, and r is where it ends' };
const ssoErrors: Proof = {
  file: ssoFile,
  title: 'each error opens the company form with its words, the company still in the field',
};
const ssoKeyboard: Proof = {
  file: ssoFile,
  title: 'by keyboard alone: a password where the company requires single sign-on leads there',
};
const mfaRequired: Proof = {
  file: 'apps/api/src/features/second-factor/sign-in.test.ts',
  title: 'is answered mfa_required with mfa_token after the right password, and a code opens the session',
};
const mfaForm: Proof = {
  file: 'apps/web/src/features/auth/sign-in.test.ts',
  title: 'sends the code with the token of the sign-in, and stores the answer',
};
const loginState: Proof = { file: stateFile, title: 'holds formState, success and failure' };
const loginFailure: Proof = {
  file: stateFile,
  title: 'is the company form with the failure for every error of single sign-on: %s',
};
const loginSuccess: Proof = {
  file: stateFile,
  title: 'is the first form again, with success, after a sign-in from any form',
};
const codeTrade: Proof = {
  file: 'apps/api/src/features/sso/sign-in.test.ts',
  title: 'leads through the company’s provider to a code, and the code to a session',
};
const codeForm: Proof = {
  file: stateFile,
  title: 'is sent with the redirect uri, and opens the session of a normal user',
};
const codeAddress: Proof = {
  file: 'apps/api/src/features/sso/refusals.test.ts',
  title: 'is good for the sign-in page it was made for only',
};

/** Tests that prove rows of auth-login: row id to file and title. */
export const proofs: Proofs = {
  'portal.login.screen.state-2': [reset],
  'portal.login.screen.state-3': [reset],
  'portal.login.field.email': [reset],
  'portal.login.field.state.email': [reset],
  'portal.login.control.forgot-link': [reset],
  'portal.login.control.request-reset': [reset],
  'portal.login.control.log-in-link': [back],
  'portal.login.control.continue': [reset],
  'portal.login.request-reset-disabled': [reset],
  'portal.login.reset-email-required': [reset],
  'portal.login.state.1-to-2': [reset],
  'portal.login.state.2-to-3': [reset],
  'portal.login.state.2-to-1': [back],
  'portal.login.state.3-to-1-continue': [reset],
  'portal.login.state.3-to-1-log-in': [back],
  'portal.login.screen.state-1': [good],
  'portal.login.field.username': [good],
  'portal.login.field.password': [good],
  'portal.login.control.sign-in': [good],
  'portal.login.state.redirect-after-success': [good],
  'portal.login.field.state.username': [good],
  'portal.login.field.state.password': [good],
  'portal.login.control.show-password': [keyboard],
  'portal.login.field.state.passwordType': [keyboard],
  'portal.login.state.reset-after-success': [emptied],
  'portal.login.state.fields-cleared': [emptied],
  'portal.login.destination': [origin, r],
  'portal.login.field.state.error_description': [wrong],
  'portal.login.username-required': [required],
  'portal.login.password-required': [required],
  'portal.login.error.server-text': [wrong],
  'portal.login.error.default-text': [wrong],
  'portal.token.call.password': [claims],
  'portal.token.field.username': [claims],
  'portal.token.field.password': [claims],
  'portal.token.field.answer.access_token': [claims],
  'portal.token.field.answer.refresh_token': [claims],
  'decisions.2.call.passkey-grant': [
    {
      file: 'apps/api/src/features/passkeys/sign-in.test.ts',
      title: 'opens a session by the passkey alone, and says so among the sessions and in the audit trail',
    },
    { file: 'e2e/passkeys.spec.ts', title: 'a passkey is added, signs in alone, is named and removed' },
  ],
  'decisions.token.not-wrapped': [claims],
  'decisions.token.field.answer.token_type': [claims],
  'decisions.token.field.answer.expires_in': [claims],
  'decisions.token.field.claim.resellername': [claims],
  'portal.token.call.refresh': [rotates],
  'portal.token.field.refresh_token': [rotates],
  'portal.token.field.answer.error': [samewords],
  'portal.token.error.description': [samewords],
  'decisions.token.field.claim.act': [
    {
      file: 'apps/api/src/features/login-as/routes.test.ts',
      title: 'answers the auth object of /token, whose claim act names support',
    },
  ],
  'decisions.token.rfc-6749-errors': [samewords],
  'portal.login.screen.state-4': [byCompany],
  'portal.login.field.company': [byCompany],
  'portal.login.control.company-link': [byCompany],
  'portal.login.field.query.e': [ssoErrors, loginFailure],
  'portal.login.field.query.b': [byLink],
  'portal.login.field.query.r': [byLink],
  'portal.login.state.1-to-4': [byCompany, ssoKeyboard],
  'portal.login.state.4-to-1': [ssoErrors, ssoKeyboard],
  'portal.login.field.state.formState': [loginState],
  'portal.login.field.state.success': [loginSuccess],
  'portal.login.field.state.failure': [loginFailure],
  'portal.token.call.authorization-code': [codeTrade],
  'portal.token.field.code': [codeForm],
  'portal.token.field.redirect_uri': [codeForm, codeAddress],
  'decisions.2.mfa-required': [mfaRequired],
  'decisions.2.field.mfa-required.error': [mfaRequired],
  'decisions.2.field.mfa-required.mfa_token': [mfaRequired],
  'decisions.2.call.mfa-grant': [mfaRequired, mfaForm],
};
