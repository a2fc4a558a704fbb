import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the sign-in by passkey. */
export const t = defineMessages({
  'passkey.action': 'Sign in with a passkey',
  'passkey.busy': 'Waiting for your device…',
  'passkey.cancelled':
    'No passkey was used: it was cancelled, took too long, or this device has none for this page. Try again, or sign in with your password.',
  'passkey.unable': 'This device could not use a passkey. Sign in with your password instead.',
  'passkey.refused': 'This passkey does not open an account here. Sign in with your password instead.',
});
