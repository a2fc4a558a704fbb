import { call, constant, control, error, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'payments.registration', source: 'payments §2 User registration' }, [
  screen('page', '/finish-registration/{token} finishes a registration.', {
    source: 'portal §2 Route table; payments §2 User registration',
  }),
  rule('purpose', 'A person finishes their own registration by setting a password.', {
    source: 'payments §1',
  }),
  text('title', 'The title of the page.', 'User Registration'),
  field('password', 'The page has a password field.'),
  field('confirmation', 'The page has a field that repeats the password.', 'Confirm Password'),
  control('finish', 'A button finishes the registration.', 'Finish Registration'),
  control('back', 'A link leads to /login.', 'Back to Login'),
  text('success', 'The registration is complete.', {
    text: 'Registration complete! Click "Back to Login" to return to the login page.',
  }),
  error('expired', 'The registration link is no longer good.', {
    text: 'Your registration session has expired. Please try again.',
    source: 'payments §2 User registration, §8',
  }),
]);

const states = section({ prefix: 'payments.registration.state', source: 'payments §4' }, [
  rule('initial', 'Registration starts in its initial state.'),
  rule('success', 'Registration ends in success.'),
  rule('failure', 'Registration ends in failure.'),
]);

const password = section({ prefix: 'payments.registration', source: 'payments §5' }, [
  constant('min-length', 'A registration password has at least 8 characters.', { source: 'payments §5, §9' }),
  rule('uppercase', 'A registration password has at least one uppercase letter.'),
  rule('lowercase', 'A registration password has at least one lowercase letter.'),
  rule('digit', 'A registration password has at least one digit.'),
  constant('special', 'A registration password has at least one of the listed special characters.', {
    text: '!@#$%^&*(),.?":{}|<>',
  }),
  rule('confirmation-matches', 'The confirmation must match.'),
  error('short', 'Message 1.', 'Password shorter than 8 characters.'),
  error('no-uppercase', 'Message 2.', "Password don't include at least one uppercase letter."),
  error('no-lowercase', 'Message 3.', "Password don't include at least one lowercase letter."),
  error('no-number', 'Message 4.', "Password don't include at least one number."),
  error('no-special', 'Message 5.', "Password don't include at least one special character."),
  error('no-match', 'Message 6.', 'Passwords do not match.'),
  rule('message-order', 'The messages are tried in the order of the specification.'),
  rule('error-when-both-filled', 'The error shows only when both fields are filled.'),
  rule('disabled-until-valid', 'The button stays disabled until the password is valid.'),
  text('hint', 'The hint under the password.', {
    text: 'Password should be at least 8 characters long and include a mix of uppercase and lowercase letters, numbers, and special characters.',
  }),
]);

const calls = section({ prefix: 'payments.registration', source: 'portal §7 Account; payments §7' }, [
  call('finish', 'POST /v1/ec/user-registration finishes the registration.'),
  field('finish.token', 'Finishing the registration sends token.'),
  field('finish.password', 'Finishing the registration sends password.'),
  error('description', 'Registration failures are answered with error_description.', {
    source: 'portal §7 Authentication',
  }),
]);

const decided = section({ prefix: 'decisions.7', source: 'decisions §7' }, [
  constant('registration-token', 'A registration token lives 7 days.'),
  rule('registration-token-single-use', 'A registration token works once.'),
]);

/** Registration finish. */
export const rows: readonly Row[] = [...page, ...states, ...password, ...calls, ...decided];
