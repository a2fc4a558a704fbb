import { defineMessages } from '../../messages/catalogue.ts';

/** Texts of the sign-in and the reset page; those in the specification's quotes stand verbatim (portal §2 'Login', §8). */
export const t = defineMessages({
  'signIn.title': 'Sign in',
  'signIn.username': 'Username',
  'signIn.password': 'Password',
  'signIn.submit': 'Sign In',
  'signIn.busy': 'Signing in…',
  'signIn.forgot': 'Forgot your password?',
  'signIn.company': 'I know my company name!',
  'signIn.wrong': 'Invalid username or password',
  'signIn.noUsername': 'Enter your username',
  'signIn.noPassword': 'Enter your password',
  'signIn.logIn': 'Log in',
  'request.title': 'Reset your password',
  'request.email': 'E-mail',
  'request.hint': 'The address you sign in with',
  'request.submit': 'Request a new password',
  'request.busy': 'Requesting…',
  'sent.title': 'Check your e-mail',
  'sent.text':
    'Password reset email will be sent to the associated email address. If you not received this email please check your username and try again, or contact support',
  'sent.continue': 'Continue',
  'reset.title': 'Reset your password',
  'reset.password': 'New Password',
  'reset.rule': 'At least {least} characters',
  'reset.submit': 'Update Password',
  'reset.busy': 'Updating…',
  'reset.back': 'Back to Login',
  'reset.success':
    'Your password has been reset successfully! Your new password has been sent to your primary email address. Click "Back to Login" to return to the login page.',
  'reset.expired': 'Your change password session has expired. Please try again.',
});
