import { expect, it } from 'vitest';
import { areasIn } from '../lib/area.ts';
import type { Portal } from '../lib/portal/portal-context.ts';
import { areas } from './areas.ts';

const paths = () => {
  const portal = {
    brand: { endShowInvoices: true },
    settings: { payments: {} },
    me: { needsSecondFactor: false, passwordExpiresAt: null },
  };
  return areasIn('settings', areas, portal as unknown as Portal).map(({ path }) => path);
};
const placeOf = (path: ReturnType<typeof paths>[number]) => paths().indexOf(path);

it('Sessions and Security stand in the Settings menu after the specified entries [decisions.4.screen.security]', () => {
  expect(placeOf('/settings')).toBe(0);
  expect(placeOf('/sessions')).toBeGreaterThan(placeOf('/payment-types'));
  expect(placeOf('/security')).toBeGreaterThan(placeOf('/sessions'));
});

it('Statement stands in the Settings menu after the specified entries [decisions.screen.4.statement]', () => {
  expect(placeOf('/statement')).toBeGreaterThan(placeOf('/settings'));
  expect(placeOf('/statement')).toBeGreaterThan(placeOf('/payment-types'));
  expect(placeOf('/statement')).toBeGreaterThan(placeOf('/security'));
});
