import { call, constant, control, error, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'portal.account', source: 'portal §2 Change Password' }, [
  screen('change-password', '/settings is the Change Password page.'),
  field('oldPassword', 'The form has oldPassword.', { source: 'portal §2 Change Password, §3' }),
  field('newPassword', 'The form has newPassword.', { source: 'portal §2 Change Password, §3' }),
  field('newPasswordConfirmation', 'The form has newPasswordConfirmation.', {
    source: 'portal §2 Change Password, §3',
  }),
  text('success', 'A banner says that the password was changed.', {
    text: 'Your password was successfully updated',
    source: 'portal §2 Change Password, §8',
  }),
]);

const validation = section({ prefix: 'portal.account', source: 'portal §5' }, [
  rule('old-required', 'The old password is required.'),
  rule('new-required', 'The new password is required.'),
  rule('confirmation-required', 'The confirmation is required.'),
  rule('disabled-unless-equal', 'Submit is disabled unless the confirmation equals the new password.'),
  rule('disabled-unless-long', 'Submit is disabled unless the new password has at least 6 characters.', {
    source: 'portal §5, §9',
  }),
  control('strength-meter', 'A strength meter rates the new password.'),
  constant('meter-min-length', 'The strength meter has minimum length 5.', { source: 'portal §5, §9' }),
  constant('meter-min-score', 'The strength meter has minimum score 2.'),
  text('meter-bad', 'The first word of the meter.', 'Bad'),
  text('meter-weak', 'The second word of the meter.', 'Weak'),
  text('meter-decent', 'The third word of the meter.', 'Decent'),
  text('meter-strong', 'The fourth word of the meter.', 'Strong'),
  text('meter-great', 'The fifth word of the meter.', 'Great'),
  error(
    'no-match',
    'Shown when the confirmation is non-empty and differs.',
    "Password confirmation doesn't match",
  ),
]);

const calls = section({ prefix: 'portal.account', source: 'portal §7 Account' }, [
  call('password', 'POST /v1/ec/password changes the password.'),
  field('password.oldPassword', 'Changing the password sends oldPassword.'),
  field('password.newPassword', 'Changing the password sends newPassword.'),
]);

const decided = section({ prefix: 'decisions', source: 'decisions §7' }, [
  error('7.wrong-old-password', 'The old password is wrong.', {
    text: 'The current password is not correct',
    source: 'portal §8; decisions §7',
  }),
  error('7.common-password', 'The new password is on the block list.', {
    text: 'This password is too common. Please choose another',
  }),
  rule('9.password-min-length-setting', 'PASSWORD_MIN_LENGTH changes the minimum length.', {
    source: 'decisions §9',
  }),
  rule('9.password-rule-setting', 'PASSWORD_RULE=length replaces the composition rule by length.', {
    source: 'decisions §9',
  }),
  rule('9.block-list', 'A block list of passwords applies always.', { source: 'decisions §9' }),
  rule('9.long-passwords', 'At least 128 characters are accepted.', { source: 'decisions §9' }),
]);

/** Change Password. */
export const rows: readonly Row[] = [...page, ...validation, ...calls, ...decided];
