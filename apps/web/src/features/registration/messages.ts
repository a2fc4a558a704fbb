import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the registration page; those in the specification's quotes stand verbatim (payments §2 and §5). */
export const t = defineMessages({
  title: 'User Registration',
  password: 'Password',
  confirm: 'Confirm Password',
  submit: 'Finish Registration',
  busy: 'Finishing…',
  back: 'Back to Login',
  success: 'Registration complete! Click "Back to Login" to return to the login page.',
  expired: 'Your registration session has expired. Please try again.',
  hintLength: 'Password should be at least {least} characters long.',
  'rule.length': 'At least {least} characters',
  'rule.uppercase': 'An uppercase letter',
  'rule.lowercase': 'A lowercase letter',
  'rule.number': 'A number',
  'rule.special': 'A special character',
});
