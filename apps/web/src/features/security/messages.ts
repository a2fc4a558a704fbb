import { defineMessages } from '../../messages/catalogue.ts';

/** Texts of the Security page. */
export const t = defineMessages({
  title: 'Security',
  'factor.title': 'Two-step sign-in',
  'factor.about':
    'After your password you also enter a code from an app on your phone, so that a stolen password alone opens nothing.',
});
