import { call, constant, control, error, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'portal.reset', source: 'portal §2 Reset password' }, [
  screen('page', '/reset-password/{id} takes the reset token as id.'),
  field('newPassword', 'The page has one password field.', 'New Password'),
  control('update', 'A button sets the new password.', 'Update Password'),
  control('back', 'A link leads to /login.', 'Back to Login'),
  rule('form-until-end', 'The form is shown until success or failure.'),
  rule('success-hides-form', 'Success shows a message and hides the form.'),
  rule('failure-message', 'Failure shows an expired-session message.'),
  rule('min-length', 'The button stays disabled until the new password has at least 6 characters.', {
    source: 'portal §5, §9',
  }),
]);

const words = section({ prefix: 'portal.reset', source: 'portal §8' }, [
  error('expired', 'The reset link is no longer good.', {
    text: 'Your change password session has expired. Please try again.',
  }),
  text('success', 'The password was reset.', {
    text: 'Your password has been reset successfully! Your new password has been sent to your primary email address. Click "Back to Login" to return to the login page.',
    source: 'portal §8; decisions §9',
  }),
  text('request-info', 'What the confirmation of a reset request says.', {
    text: 'Password reset email will be sent to the associated email address. If you not received this email please check your username and try again, or contact support',
  }),
]);

const calls = section({ prefix: 'portal.reset', source: 'portal §7 Account' }, [
  call('request', 'POST /v1/ec/password-reset-request asks for a reset mail.'),
  field('request.email', 'The reset request sends email.'),
  call('finish', 'POST /v1/ec/password-reset sets the new password.'),
  field('finish.token', 'The reset sends token.'),
  field('finish.password', 'The reset sends password.'),
  error('description', 'Reset failures are answered with error_description.', {
    source: 'portal §7 Authentication',
  }),
]);

const decided = section({ prefix: 'decisions', source: 'decisions §8' }, [
  rule(
    '8.reset-tells-nothing-answer',
    'The answer to a reset request does not tell whether an account exists.',
  ),
  rule(
    '8.reset-tells-nothing-wording',
    'The wording of a reset request does not tell whether an account exists.',
  ),
  rule(
    '8.reset-tells-nothing-timing',
    'The timing of a reset request does not tell whether an account exists.',
  ),
  constant('7.reset-token', 'A reset token lives 1 hour.', { source: 'decisions §7' }),
  rule('7.reset-token-single-use', 'A reset token works once.', { source: 'decisions §7' }),
  rule('9.no-password-mailed', 'No password is ever mailed, whatever the specified text says.', {
    source: 'decisions §9',
  }),
]);

/** Password reset. */
export const rows: readonly Row[] = [...page, ...words, ...calls, ...decided];
