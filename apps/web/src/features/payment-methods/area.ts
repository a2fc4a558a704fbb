import { defineArea } from '../../lib/area.ts';
import { methodQueries } from '../../paying/methods/queries.ts';
import { isMenuShown } from './is-menu-shown.ts';
import { t } from './messages.ts';

/** Payment Types, the second entry of the Settings menu (specification, portal §2; decisions §1). */
export const area = defineArea({
  path: '/payment-types',
  label: () => t('menu'),
  settings: 1.5,
  isEnabled: isMenuShown,
  otherwise: '/dashboard',
  page: () => import('./payment-methods-page.tsx'),
  preload: ({ client }) => {
    void client.prefetchQuery(methodQueries.details());
    void client.prefetchQuery(methodQueries.charge());
  },
});
