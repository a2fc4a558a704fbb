import { defineArea } from '../../lib/area.ts';
import { preferencesQuery } from '../../lib/preferences.ts';
import { t } from './messages.ts';

/** Which mails one gets, where the brand mails its invoices; in the Settings menu after Sessions. */
export const area = defineArea({
  path: '/mails',
  label: () => t('title'),
  settings: 2.5,
  isEnabled: ({ settings }) => settings.invoiceMails?.sent === true,
  otherwise: '/dashboard',
  page: () => import('./mails-page.tsx'),
  preload: ({ client }) => void client.prefetchQuery(preferencesQuery()),
});
