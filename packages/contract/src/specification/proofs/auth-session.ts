import type { Proof, Proofs } from '../row.ts';

const authFile = 'e2e/auth.spec.ts';
const brandFile = 'e2e/brand.spec.ts';
const clientFile = 'apps/web/src/lib/api/client.test.ts';
const customersFile = 'e2e/customers.spec.ts';
const doubtFile = 'e2e/public-pay-doubt.spec.ts';
const payFile = 'e2e/public-pay.spec.ts';
const tokenFile = 'apps/api/src/features/auth/routes.test.ts';
const areaoff: Proof = { file: brandFile, title: 'an area that the brand switches off is in no menu' };
const choose: Proof = {
  file: customersFile,
  title: 'a user of several customers chooses one; the page loads again and every call carries it',
};
const claims: Proof = {
  file: tokenFile,
  title: 'answers access and refresh token with the claims the portal reads',
};
const fifteen: Proof = { file: tokenFile, title: 'ends after fifteen minutes without a refresh' };
const good: Proof = { file: authFile, title: 'a good sign-in leads into the portal of the reseller' };
const headers: Proof = {
  file: clientFile,
  title: 'unwrap data, send token and customer, and leave empty parameters out',
};
const logout: Proof = {
  file: authFile,
  title: 'logging out clears the browser and ends the session on the server, in every tab',
};
const lost: Proof = { file: tokenFile, title: 'answers a lost answer again within ten seconds' };
const origin: Proof = {
  file: authFile,
  title: 'a protected page asks to sign in and is shown afterwards, with its query',
};
const paid: Proof = {
  file: payFile,
  title: 'a card pays an invoice: one charge, the words of success, one receipt',
};
const parallel: Proof = {
  file: authFile,
  title: 'an expired token is refreshed once for calls at the same time, in one tab and in two',
};
const r: Proof = { file: authFile, title: 'signed in, /login goes on to r when it is safe' };
const refused: Proof = { file: authFile, title: 'a refresh that is refused logs out locally' };
const reuse: Proof = {
  file: 'e2e/sessions.spec.ts',
  title: 'a refresh token used again after the first use ends the whole session',
};
const rotates: Proof = { file: tokenFile, title: 'rotates at every use' };
const thirty: Proof = { file: tokenFile, title: 'refuses a token after thirty days' };
const timeout: Proof = {
  file: doubtFile,
  title: 'a time-out after the charge is being confirmed, then paid by itself, charged once',
};
const twenty: Proof = {
  file: clientFile,
  title: 'is refreshed once for 20 calls at the same time, and all are answered',
};
const waits: Proof = { file: clientFile, title: 'makes calls that start during the refresh wait for it' };
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));

const loginAsFile = 'e2e/login-as.spec.ts';
const loginAsApi = 'apps/api/src/features/login-as/routes.test.ts';
const routesFile = 'apps/web/src/shell/routes.test.ts';
const asSupport: Proof = {
  file: loginAsFile,
  title: 'support sees the portal as the user, and everybody can tell',
};
const flag: Proof = { file: loginAsFile, title: 'only the token makes somebody support' };
const rightly: Proof = { file: loginAsFile, title: 'r leads to pages here and to origins the brand lists' };
const publicPages: Proof = {
  file: routesFile,
  title:
    'the public pages are login, reset, registration, pay and la; everything else stands behind the guard',
};
const sameRole: Proof = {
  file: loginAsApi,
  title: 'sees what the user sees: for the server there is no other role',
};

const hostNames = by('apps/web/src/lib/runtime-config.test.ts', 'names apiHost and resellerApiHost');

/** Tests that prove rows of auth-session: row id to file and title. */
export const proofs: Proofs = {
  'portal.session.refresh-once': [parallel, twenty],
  'portal.session.others-wait': [waits],
  'portal.session.others-retried': [twenty],
  'portal.session.failed-refresh-clears-auth': [refused],
  'portal.session.failed-refresh-clears-customer': [refused],
  'portal.session.error.failed-refresh-logs-out': [refused],
  'portal.session.field.claim.BrandId': [claims],
  'portal.session.field.claim.resellername': [good, claims],
  'portal.session.field.claim.DisplayName': [claims],
  'portal.session.reseller-name-in-header': [good],
  'portal.session.field.stored.auth': [good],
  'portal.session.field.stored.current_customer_id': [choose],
  'portal.roles.two-states': [origin, refused],
  'portal.roles.area-flags-gate': [areaoff],
  'portal.roles.pay-without-login': [paid],
  'portal.guard.protected-to-login': [origin],
  'portal.guard.protected-remembers-origin': [origin],
  'portal.guard.login-only-to-r': [r],
  'portal.guard.login-only-to-landing': [r],
  'portal.guard.screen.logout': [logout],
  'portal.guard.logout-clears-auth': [logout],
  'portal.guard.logout-clears-customer': [logout],
  'portal.guard.logout-to-login': [logout],
  'portal.calls.constant.time-out': [
    {
      file: 'apps/web/src/lib/api/time-out.test.ts',
      title: 'a call to a silent server is given up after 300000 ms, and says so',
    },
  ],
  'portal.calls.constant.flagged-production': [
    { file: 'apps/web/build/production.test.ts', title: 'the client that %s makes is flagged production' },
  ],
  'portal.calls.bearer-token': [headers],
  'portal.calls.customer-header': [headers, choose],
  'portal.session.failed-refresh-clears-super-user': [
    flag,
    ...by(clientFile, 'is over when the refresh is refused: all is forgotten and every waiting call says so'),
  ],
  'portal.session.field.stored.super-user': [asSupport],
  'portal.session.call.code-login': by(
    loginAsApi,
    'answers the auth object of /token, whose claim act names support',
  ),
  'portal.roles.no-named-roles': [sameRole],
  'portal.roles.super-user-normal-login': by(
    'apps/web/src/features/auth/sign-in.test.ts',
    'sends the password grant as a form of the public client and stores the answer',
  ),
  'portal.roles.super-user-login-as': [asSupport],
  'portal.roles.super-user-no-other-effect': [
    sameRole,
    ...by(routesFile, 'support has the areas the user has, but for Payment Types'),
  ],
  'portal.roles.la-without-login': [asSupport, publicPages],
  'portal.roles.public-routes': [publicPages],
  'portal.guard.logout-clears-super-user': [flag, asSupport],
  'decisions.8.redirect-own-origin': [rightly],
  'decisions.8.redirect-brand-origins': [rightly],
  'decisions.8.redirect-otherwise-landing': [
    rightly,
    ...by(
      'apps/web/src/lib/session/redirects.test.ts',
      '%j leads to / from /login and /redirect-loader',
      'is never followed, whatever it is made of',
    ),
    ...by('packages/domain/src/redirect.test.ts', 'whatever comes in, a browser stays on this origin'),
    ...by('apps/web/src/features/login-as/login-as.test.ts', 'r %j does not leave this origin by itself'),
  ],
  'decisions.4.screen.security': [
    { file: 'e2e/sessions.spec.ts', title: 'a session elsewhere is ended from the list and is out at once' },
    { file: 'e2e/passkeys.spec.ts', title: 'a passkey is added, signs in alone, is named and removed' },
    { file: 'e2e/second-factor.spec.ts', title: 'two-step sign-in is turned on and used by keyboard alone' },
    {
      file: 'apps/web/src/shell/settings-menu.test.ts',
      title: 'Sessions and Security stand in the Settings menu after the specified entries',
    },
  ],
  'decisions.4.screen.sessions': [
    { file: 'e2e/sessions.spec.ts', title: 'a session elsewhere is ended from the list and is out at once' },
  ],
  'decisions.7.constant.access-token': [fifteen],
  'decisions.7.constant.refresh-token': [thirty],
  'decisions.7.refresh-rotated': [rotates],
  'decisions.7.constant.refresh-retry': [lost, reuse],
  'decisions.7.constant.public-client': [reuse],
  'decisions.7.public-client-no-secret': [reuse],
  'decisions.2.one-origin': [good],
  'decisions.9.processing-when-unknown': [timeout],
  'decisions.9.call-goes-on': [timeout],
  'decisions.2.field.runtime.apiHost': hostNames,
  'decisions.2.field.runtime.resellerApiHost': hostNames,
  'decisions.9.server-answers-early': [
    {
      file: 'apps/api/src/http/app.test.ts',
      title: 'is answered 503 in time, and what comes later changes nothing',
    },
  ],
};
