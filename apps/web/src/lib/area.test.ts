import { describe, expect, it } from 'vitest';
import { type Area, areasIn, defineArea, isAreaEnabled, landingPath } from './area.ts';
import type { Portal } from './portal/portal-context.ts';

const flags = {
  endShowDashboard: true,
  endShowInvoices: true,
  endShowUsage: true,
  endShowTransactions: true,
  endShowReports: true,
  endShowCostCentre: true,
  endShowServiceItem: true,
};
const portal = (
  brand: Partial<typeof flags> = {},
  needsSecondFactor = false,
  passwordExpiresAt: string | null = null,
): Portal =>
  ({ brand: { ...flags, ...brand }, me: { needsSecondFactor, passwordExpiresAt } }) as unknown as Portal;
const area = (path: Area['path'], more: Partial<Area>): Area =>
  defineArea({ path, label: () => path, page: () => Promise.resolve({ default: () => null }), ...more });

// Declared out of order: places decide, not files.
const areas = [
  area('/service-items', { flag: 'endShowServiceItem', menu: 7, landing: 7 }),
  area('/usage', { flag: 'endShowUsage', menu: 4, landing: 3 }),
  area('/dashboard', { flag: 'endShowDashboard', menu: 1, landing: 1 }),
  area('/cost-centre', { flag: 'endShowCostCentre', menu: 6, landing: 6 }),
  area('/transactions', { flag: 'endShowTransactions', menu: 3, landing: 4 }),
  area('/reports', { flag: 'endShowReports', menu: 5, landing: 5 }),
  area('/invoices', { flag: 'endShowInvoices', menu: 2, landing: 2 }),
  area('/settings', { settings: 1 }),
  area('/payment-types', { settings: 2, isEnabled: () => false }),
];
const paths = (list: readonly Area[]): string[] => list.map((one) => one.path);

describe('areas', () => {
  it('stand in the menu in the specified order', () => {
    expect(paths(areasIn('menu', areas, portal()))).toEqual([
      '/dashboard',
      '/invoices',
      '/transactions',
      '/usage',
      '/reports',
      '/cost-centre',
      '/service-items',
    ]);
  });

  it('are landed on in the specified order, disabled ones passed over [portal.route.landing, portal.landing.first-enabled, portal.landing.order]', () => {
    const order = ['Dashboard', 'Invoices', 'Usage', 'Transactions', 'Reports', 'CostCentre', 'ServiceItem'];
    const landed: (string | undefined)[] = [];
    const off: Record<string, boolean> = {};
    for (const name of order) {
      landed.push(landingPath(areas, portal(off)));
      off[`endShow${name}`] = false;
    }
    landed.push(landingPath(areas, portal(off)));
    expect(landed).toEqual([
      '/dashboard',
      '/invoices',
      '/usage',
      '/transactions',
      '/reports',
      '/cost-centre',
      '/service-items',
      undefined,
    ]);
  });

  it('are none but where a second factor is set up, for a person who has to do that first', () => {
    const security = area('/security', { settings: 3, beforeSecondFactor: true });
    const all = [...areas, security];
    for (const place of ['menu', 'landing'] as const)
      expect(areasIn(place, all, portal({}, true))).toEqual([]);
    expect(areasIn('settings', all, portal({}, true))).toEqual([security]);
    expect(landingPath(all, portal({}, true))).toBe('/security');
    expect(landingPath(all, portal())).toBe('/dashboard');
  });

  it('land on where a password is chosen, for a person whose own was made for them; a second factor comes first', () => {
    const own = area('/own', { settings: 1, choosesPassword: true });
    const security = area('/security', { settings: 3, beforeSecondFactor: true });
    const all = [...areas, own, security];
    const made = '2026-03-08T09:00:00.000Z';
    expect(landingPath(all, portal({}, false, made))).toBe('/own');
    expect(landingPath(all, portal({}, true, made))).toBe('/security');
    expect(landingPath(all, portal())).toBe('/dashboard');
    expect(paths(areasIn('menu', all, portal({}, false, made)))).toEqual(
      paths(areasIn('menu', all, portal())),
    );
  });

  it('are absent when their brand flag or their own condition says so [portal.shell.menu-by-flag]', () => {
    const invoices = areas.find((one) => one.path === '/invoices');
    expect(invoices && isAreaEnabled(invoices, portal({ endShowInvoices: false }))).toBe(false);
    expect(paths(areasIn('settings', areas, portal()))).toEqual(['/settings']);
  });
});
