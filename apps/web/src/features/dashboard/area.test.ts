import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { isAreaEnabled } from '../../lib/area.ts';
import type { Portal } from '../../lib/portal/portal-context.ts';
import { area } from './area.ts';
import { dashboardQueries } from './queries.ts';

const portalOf = (brand: object) =>
  ({ brand, me: { needsSecondFactor: false, passwordExpiresAt: null } }) as unknown as Portal;

it('is at /dashboard, first in menu and landing order, and only if endShowDashboard enables it', () => {
  const on = portalOf({ endShowDashboard: true });
  expect([area.path, area.label(on), area.menu, area.landing]).toEqual(['/dashboard', 'Dashboard', 1, 1]);
  expect(isAreaEnabled(area, on)).toBe(true);
  expect(isAreaEnabled(area, portalOf({ endShowDashboard: false }))).toBe(false);
});

it.each([
  [
    'opening balance and usage',
    { endShowOpeningBalance: true, dataUsageChart: true },
    ['opening-balance', 'data-usage'],
  ],
  ['the opening balance', { endShowOpeningBalance: true, dataUsageChart: false }, ['opening-balance']],
  ['neither', { endShowOpeningBalance: false, dataUsageChart: false }, []],
] as const)(
  'at sign-in it loads %s, as the brand and its reseller ask [portal.redirect-loader.preload-opening-balance, portal.redirect-loader.constant.preload-usage-report]',
  async (_what, brand, expected) => {
    const client = new QueryClient();
    const loaded = vi.spyOn(client, 'prefetchQuery').mockResolvedValue(undefined);
    await area.preloadAtSignIn?.({ client, portal: portalOf(brand) });
    const keys = loaded.mock.calls.map(([{ queryKey }]) => queryKey);
    expect(keys[0]).toEqual(['invoices', 'overview']);
    expect(keys[1]?.slice(0, 3)).toEqual(['invoices', 'list', 'page']);
    expect(keys.slice(2)).toEqual(expected.map((name) => [...dashboardQueries.all, name]));
  },
);
