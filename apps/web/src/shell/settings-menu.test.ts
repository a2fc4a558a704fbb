import { expect, it } from 'vitest';
import { areasIn } from '../lib/area.ts';
import type { Portal } from '../lib/portal/portal-context.ts';
import { areas } from './areas.ts';

it('Sessions and Security stand in the Settings menu after the specified entries', () => {
  const portal = { brand: {}, settings: { payments: {} }, me: { needsSecondFactor: false } };
  const paths = areasIn('settings', areas, portal as unknown as Portal).map(({ path }) => path);
  const place = (path: (typeof paths)[number]) => paths.indexOf(path);
  expect(place('/settings')).toBe(0);
  expect(place('/sessions')).toBeGreaterThan(place('/payment-types'));
  expect(place('/security')).toBeGreaterThan(place('/sessions'));
});
