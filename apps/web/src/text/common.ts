import { defineMessages } from './catalogue.ts';

/** Texts that several features or the primitives show. */
export const t = defineMessages({
  'error.banner': 'Our server returned error, try again later',
  'error.close': 'Close message',
  'error.section': 'This part could not be loaded',
  'error.rest': 'The rest of the page is up to date.',
  'error.request': 'Request',
  'error.summary': 'There is a problem',
  'title.error': 'Error: {title}',
  'error.offline': 'The server could not be reached. Check your connection and try again',
  'error.timeout': 'The server did not answer in time. Try again later',
  'error.unavailable': 'The server cannot answer at the moment. Please try again in a minute',
  'error.unreadable': 'The answer of the server could not be read. Try again later',
  'error.sessionEnded': 'Your session has ended. Please sign in again',
  'action.tryAgain': 'Try again',
  'action.cancel': 'Cancel',
  'action.close': 'Close',
  'action.back': 'Back to {place}',
  'state.loading': 'Loading',
  'wait.long': 'This takes longer than usual …',
  'state.nothing': 'There is nothing here yet',
  'password.show': 'Show',
  'password.hide': 'Hide',
  'password.showLabel': 'Show password',
  'rule.met': 'met',
  'crumbs.label': 'Breadcrumb',
});
