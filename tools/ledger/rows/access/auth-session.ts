import { call, constant, error, field, type Row, rule, screen, section } from '../../row.ts';

const session = section({ prefix: 'portal.session', source: 'portal §4' }, [
  rule('refresh-once', 'On a 401 answer the stored session is refreshed once.'),
  rule('others-wait', 'Other requests made during a refresh wait.'),
  rule('others-retried', 'Requests that waited are retried with the new token.'),
  rule('failed-refresh-clears-auth', 'A failed refresh clears the stored auth.'),
  rule('failed-refresh-clears-super-user', 'A failed refresh clears the super-user flag.'),
  rule('failed-refresh-clears-customer', 'A failed refresh clears the customer choice.'),
  error('failed-refresh-logs-out', 'A failed token refresh logs the user out locally.', {
    source: 'portal §4, §8',
  }),
]);

const stored = section({ prefix: 'portal.session', source: 'portal §3' }, [
  field('claim.BrandId', 'The token claim BrandId is read.'),
  field('claim.resellername', 'The token claim resellername is read.'),
  field('claim.DisplayName', 'The token claim DisplayName is read.'),
  rule('reseller-name-in-header', 'The reseller name appears in the header.'),
  field('stored.auth', 'The auth result is stored locally as auth.'),
  field('stored.super-user', 'The super-user flag is stored locally.'),
  field('stored.current_customer_id', 'The chosen customer is stored locally as current_customer_id.'),
]);

const roles = section({ prefix: 'portal.roles', source: 'portal §6' }, [
  rule('two-states', 'Only two access states exist: an auth value is stored locally, or not.'),
  rule('no-named-roles', 'There are no named roles beyond customer users.', {
    source: 'portal §6; payments §6',
  }),
  rule('super-user-normal-login', 'The super-user flag is false for a normal login.', {
    source: 'portal §3, §6',
  }),
  rule('super-user-login-as', 'The super-user flag is true for a login-as by support.', {
    source: 'portal §3, §6',
  }),
  rule(
    'super-user-no-other-effect',
    'Apart from the Payment Types menu the super-user flag changes nothing specified.',
  ),
  rule('area-flags-gate', "The brand's flags decide which areas are visible."),
  rule('pay-without-login', 'The pay page is reachable without login.'),
  rule('la-without-login', '/la/{id} is reachable without login.'),
  rule('public-routes', 'The public routes are login, reset, registration, pay and la.', {
    source: 'payments §6',
  }),
]);

const guards = section({ prefix: 'portal.guard', source: 'portal §2 Route guards' }, [
  rule('protected-to-login', 'A protected route sends a visitor with no stored auth value to /login.'),
  rule(
    'protected-remembers-origin',
    'The protected route remembers the origin location on the way to /login.',
  ),
  rule('login-only-to-r', 'A login-only route sends an authenticated visitor to the page named by r.'),
  rule('login-only-to-landing', 'A login-only route without r sends an authenticated visitor to /.'),
  screen('logout', 'The logout route ends the session and leads to /login.'),
  rule('logout-clears-auth', 'The logout route clears the stored auth.'),
  rule('logout-clears-customer', 'The logout route clears the current customer id.'),
  rule('logout-clears-super-user', 'The logout route clears the super-user flag.', {
    source: 'portal §2 Route guards, §6',
  }),
  rule('logout-to-login', 'The logout route redirects to /login.'),
]);

const requests = section({ prefix: 'portal.calls', source: 'portal §7; payments §7' }, [
  rule('bearer-token', 'Every authenticated call sends a bearer token.'),
  rule('customer-header', 'Every authenticated call sends the current customer id as a header.'),
  constant('time-out', 'The request time-out is 300000 ms.', { source: 'portal §7, §9' }),
  constant('flagged-production', 'The client is flagged production.', { source: 'portal §9' }),
]);

const decided = section({ prefix: 'decisions.7', source: 'decisions §7' }, [
  constant('access-token', 'An access token lives 15 minutes.'),
  constant('refresh-token', 'A refresh token lives 30 days.'),
  rule('refresh-rotated', 'A refresh token is rotated at every use.'),
  constant('refresh-retry', 'A refresh whose answer was lost can be retried for 10 s.'),
  constant('public-client', 'The client credentials are fixed in the client: counterfoil-portal.', {
    text: 'counterfoil-portal',
    source: 'portal §7 Authentication; decisions §7',
  }),
  rule('public-client-no-secret', 'The public client of /token has no secret.'),
]);

const hosts = section({ prefix: 'decisions.2', source: 'decisions §2' }, [
  rule('one-origin', 'Portal and API share one origin by default.'),
  field('runtime.apiHost', "apiHost stands in the portal's runtime configuration."),
  field('runtime.resellerApiHost', "resellerApiHost stands in the portal's runtime configuration."),
]);

const timeOut = section({ prefix: 'decisions.9', source: 'decisions §9' }, [
  rule('server-answers-early', "300,000 ms is the portal's limit; the server answers within 25 s."),
  rule(
    'processing-when-unknown',
    "The server answers 'processing' if the outcome is not known within its limit.",
  ),
  rule('call-goes-on', 'The server goes on with a gateway call after it has answered processing.'),
]);

const extra = section({ prefix: 'decisions.4', source: 'decisions §4' }, [
  screen('sessions', 'Sessions stands in the Settings menu after the specified entries.'),
  screen('security', 'Security stands in the Settings menu after the specified entries.'),
]);

const guardDecisions = section({ prefix: 'decisions.8', source: 'decisions §8' }, [
  rule(
    'redirect-own-origin',
    'r on /login, /la/{id} and /redirect-loader is followed to a path on this origin.',
  ),
  rule('redirect-brand-origins', 'r is followed to an origin the brand lists.'),
  rule('redirect-otherwise-landing', 'Any other r goes to /.'),
]);

const login = section({ prefix: 'portal.session', source: 'portal §7 Authentication' }, [
  call('code-login', 'POST /v1/ec/login-by-code {code} answers the auth object of /token.', {
    source: 'portal §7 Authentication; decisions §2',
  }),
]);

/** Session: refresh, stored values, roles, guards, lifetimes. */
export const rows: readonly Row[] = [
  ...session,
  ...stored,
  ...roles,
  ...guards,
  ...requests,
  ...decided,
  ...hosts,
  ...timeOut,
  ...extra,
  ...guardDecisions,
  ...login,
];
