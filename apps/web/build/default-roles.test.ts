import { readFileSync } from 'node:fs';
import { brandRoles, defaultColours, toCssCustomProperties } from '@counterfoil/domain/text/palette.ts';
import { describe, expect, it } from 'vitest';

const sheet = readFileSync(new URL('../src/theme/default-roles.css', import.meta.url), 'utf8');
const squeezed = sheet.replaceAll(/\s/g, '');

describe('the roles that stand in for /brand.css', () => {
  it.each(['light', 'dark'] as const)('are those of the default brand, %s', (theme) => {
    const roles = toCssCustomProperties(brandRoles(defaultColours, theme)).split(';').filter(Boolean);
    const missing = roles.filter((declaration) => !squeezed.includes(`${declaration};`));
    expect(missing).toEqual([]);
  });
});
