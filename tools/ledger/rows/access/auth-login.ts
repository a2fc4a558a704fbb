import { call, control, error, field, type Row, rule, screen, section } from '../../row.ts';

const login = section({ prefix: 'portal.login', source: 'portal §2 Login' }, [
  screen('state-1', 'Form state 1 of the login screen is sign-in with username and password.'),
  screen('state-2', 'Form state 2 of the login screen requests a password reset.'),
  screen('state-3', 'Form state 3 confirms that the reset e-mail was sent.'),
  screen('state-4', 'Form state 4 takes a company name for single sign-on.'),
  field('username', 'Sign-in has a username field.'),
  field('password', 'Sign-in has a password field.'),
  field('email', 'The reset request has an e-mail field.'),
  field('company', 'The single sign-on form has a field for the company name.'),
  control('sign-in', 'A button signs in.', { text: 'Sign In' }),
  control('show-password', 'A toggle shows or hides the password.'),
  control('company-link', 'A link leads from sign-in to the company form.', 'I know my company name!'),
  control('forgot-link', 'A link leads from sign-in to the reset request.', 'Forgot your password?'),
  control('request-reset', 'A button requests the reset.', 'Request a new password'),
  control('log-in-link', 'A link returns from the reset request to sign-in.', 'Log in'),
  control('continue', 'A button leaves the confirmation.', 'Continue'),
  rule('request-reset-disabled', 'The reset button is disabled while the e-mail is empty.', {
    source: 'portal §2 Login, §5',
  }),
  field('query.e', 'Query parameter e of /login carries a single sign-on error.'),
  field('query.b', 'Query parameter b of /login (company) triggers an automatic single sign-on redirect.'),
  field('query.r', 'Query parameter r of /login may stand beside b and goes along with the redirect.'),
  rule('destination', 'After sign-in: the remembered origin, else a safe r, else the landing at /.', {
    source: 'portal §2 Login; decisions §1',
  }),
]);

const states = section({ prefix: 'portal.login.state', source: 'portal §4' }, [
  rule('1-to-2', 'The form goes from state 1 to 2 by the forgotten-password link.'),
  rule('2-to-3', 'The form goes from state 2 to 3 after a successful reset request.'),
  rule('2-to-1', "The form goes from state 2 to 1 by the 'Log in' link.", { source: 'portal §2 Login' }),
  rule('3-to-1-continue', 'The form goes from state 3 to 1 by Continue.'),
  rule('3-to-1-log-in', 'The form goes from state 3 to 1 by Log in.'),
  rule('1-to-4', 'The form goes from state 1 to 4 by the company link.'),
  rule('4-to-1', 'The form goes from state 4 to 1 by Log in.'),
  rule('reset-after-success', 'On login success the form state resets to 1.'),
  rule('fields-cleared', 'On login success the fields are cleared.'),
  rule('redirect-after-success', 'On login success the user is redirected.'),
]);

const model = section({ prefix: 'portal.login', source: 'portal §3' }, [
  field('state.username', 'The login state holds the username.'),
  field('state.password', 'The login state holds the password.'),
  field('state.email', 'The login state holds the e-mail address.'),
  field('state.passwordType', 'The login state holds whether the password is shown or hidden.'),
  field('state.formState', 'The login state holds the form state, 1 to 4.'),
  field('state.success', 'The login state holds success.'),
  field('state.failure', 'The login state holds failure.'),
  field('state.error_description', "The login state holds the server's error_description."),
]);

const validation = section({ prefix: 'portal.login', source: 'portal §5' }, [
  rule('username-required', 'Login needs a username.'),
  rule('password-required', 'Login needs a password.'),
  rule('reset-email-required', 'A reset request needs an e-mail address.'),
]);

const errors = section({ prefix: 'portal.login', source: 'portal §8' }, [
  error('server-text', "A failed login shows the server's error_description when there is one."),
  error(
    'default-text',
    'A failed login without a server text shows the default.',
    'Invalid username or password',
  ),
]);

const tokenCall = section({ prefix: 'portal.token', source: 'portal §7 Authentication' }, [
  call('password', 'POST /token (form-encoded) takes the password grant.'),
  call('refresh', 'POST /token (form-encoded) takes the refresh_token grant.'),
  call('authorization-code', 'POST /token (form-encoded) takes the authorization_code grant.'),
  field('username', 'The password grant sends username.'),
  field('password', 'The password grant sends password.'),
  field('refresh_token', 'The refresh_token grant sends refresh_token.'),
  field('code', 'The authorization_code grant sends code.'),
  field('redirect_uri', 'The authorization_code grant sends the redirect uri.'),
  field('answer.access_token', '/token answers access_token.'),
  field('answer.refresh_token', '/token answers refresh_token.'),
  field('answer.error', '/token answers error when it refuses.'),
  error('description', 'A refused login is answered with error_description.'),
]);

const decided = section({ prefix: 'decisions.token', source: 'decisions §3' }, [
  rule('not-wrapped', 'The answer of /token is not wrapped in data.'),
  rule('rfc-6749-errors', 'Errors of /token have the members of RFC 6749 as application/json.'),
  field('answer.token_type', '/token answers token_type.'),
  field('answer.expires_in', '/token answers expires_in.'),
  field('claim.resellername', 'The claim resellername is what the header shows.'),
  field('claim.act', 'The claim act is present when support is signed in.'),
]);

const factors = section({ prefix: 'decisions.2', source: 'decisions §2' }, [
  rule(
    'mfa-required',
    '/token answers 400 with error mfa_required and mfa_token when a second factor is due.',
  ),
  field(
    'mfa-required.error',
    'The answer to a sign-in that needs a second factor has error mfa_required.',
    'mfa_required',
  ),
  field('mfa-required.mfa_token', 'The answer to a sign-in that needs a second factor has mfa_token.'),
  call('mfa-grant', 'POST /token takes the second factor.', 'urn:counterfoil:mfa'),
  call('passkey-grant', 'POST /token takes a passkey.', 'urn:counterfoil:passkey'),
]);

/** Sign-in: the login screen, its states, and /token. */
export const rows: readonly Row[] = [
  ...login,
  ...states,
  ...model,
  ...validation,
  ...errors,
  ...tokenCall,
  ...decided,
  ...factors,
];
