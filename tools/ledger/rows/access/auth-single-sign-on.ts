import { call, constant, error, field, type Row, rule, section } from '../../row.ts';

const calls = section({ prefix: 'portal.sso', source: 'portal §7 Authentication' }, [
  rule(
    'on-400-with-brand-header',
    'On HTTP 400 with a brand response header the browser goes to the single sign-on login.',
  ),
  field('login.b', 'The single sign-on login of the API host takes the company as b.'),
  field('login.ct', 'The single sign-on login takes the client type ct=2.'),
  field('login.r', 'The single sign-on login takes r.'),
]);

const errors = section({ prefix: 'portal.sso', source: 'portal §8' }, [
  error('unexpected-redirect', "'Unexpected redirect error' is shown in other words.", {
    text: 'The Company does not exist or blocked',
  }),
  error('no-sso', 'The company without single sign-on is named as is.', {
    text: 'The Company does not have SSO authentication',
  }),
  error('other', 'Any other value of e.', 'Authentication failed'),
  rule('errors-open-company-form', 'Every single sign-on error switches the login to the company form.'),
]);

const decided = section({ prefix: 'decisions.2', source: 'decisions §2' }, [
  call(
    'sso-login',
    '{apiHost}/sso/login?b={company}&ct=2&r={path} starts OpenID Connect, a browser redirect.',
    {
      source: 'portal §7 Authentication; decisions §2',
    },
  ),
  rule('sso-pkce', 'Single sign-on uses the authorization code grant with PKCE.', {
    source: 'decisions §2, §9',
  }),
  rule('sso-company-provider', "Single sign-on uses the company's own identity provider."),
  rule('sso-callback', 'The callback ends at /login?code=….'),
  constant('sso-code-life', 'The code of the callback lives 60 s.'),
  rule('sso-code-once', 'The code of the callback works once.'),
  rule('sso-code-bound', 'The code of the callback is bound to an HttpOnly cookie set at the start.'),
  rule('sso-code-trade', 'The code of the callback is traded at /token by the authorization_code grant.'),
  rule('sso-no-saml', 'SAML is not in scope.'),
  field('X-Brand-Company', 'X-Brand-Company is the brand header of the 400 at sign-in.'),
  rule(
    'X-Brand-Company-when',
    "The header is sent when the user name's domain belongs to a company that requires single sign-on.",
  ),
  rule('X-Brand-Company-tells-nothing', 'The header is sent whether or not the account exists.'),
]);

/** Single sign-on. */
export const rows: readonly Row[] = [...calls, ...errors, ...decided];
