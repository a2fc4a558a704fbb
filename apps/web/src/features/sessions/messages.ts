import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the Sessions page. */
export const t = defineMessages({
  title: 'Sessions',
  about: 'Every browser in which you are signed in. End what you do not know, and change your password.',
  'here.title': 'This device',
  'elsewhere.title': 'Elsewhere',
  'elsewhere.none': 'You are signed in nowhere else',
  'elsewhere.noneWhy': 'A sign-in on another device or in another browser will stand here.',
  'device.both': '{browser} on {system}',
  'device.unknown': 'Unknown browser',
  'device.support': 'Support ({name})',
  'mark.current': 'Signed in now',
  'mark.support': 'Support',
  lastUsed: 'Last used {ago}, {day} {time}',
  'since.password': 'Signed in {day} {time} with password',
  'since.sso': 'Signed in {day} {time} through your company',
  'since.passkey': 'Signed in {day} {time} with a passkey',
  'since.support': 'Signed in {day} {time} by support',
  from: 'from {address}',
  end: 'Sign out',
  endName: 'Sign out {device}',
  'end.title': 'Sign out {device}?',
  'end.text': 'It is signed out at once, wherever it is. Whoever uses it has to sign in again.',
  'end.busy': 'Signing out…',
  'end.done': '{device} was signed out',
  endAll: 'Sign out everywhere else',
  'endAll.title': 'Sign out everywhere else?',
  'endAll.text':
    '{count, plural, one {The other session is} other {All # other sessions are}} signed out at once. You stay signed in here.',
  'endAll.done': 'You are signed out everywhere else',
  'support.note': 'Only the person themselves can sign out elsewhere.',
});
