import { DEFAULT_COLOURS } from '@counterfoil/contract/brand.ts';
import { brandRoles, toCssCustomProperties } from '@counterfoil/domain/text/palette.ts';

const cache = new Map<string, string>();
const CACHE_SIZE = 200;

/**
 * The brand's colour roles for light and dark as a style sheet of custom properties, so that the first paint is branded.
 * Dark ones are for screens: paper is white.
 */
export function brandStyleSheet(colours: readonly string[]): string {
  const seven = DEFAULT_COLOURS.map((standard, index) => colours[index] ?? standard);
  const key = seven.join(' ');
  const known = cache.get(key);
  if (known !== undefined) return known;
  const roles = (theme: 'light' | 'dark', moreContrast = false) =>
    toCssCustomProperties(brandRoles(seven, theme, { moreContrast }));
  const css = [
    `:root{color-scheme:light;${roles('light')}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme="light"]){color-scheme:dark;${roles('dark')}}}`,
    `@media screen{:root[data-theme="dark"]{color-scheme:dark;${roles('dark')}}}`,
    `@media (prefers-contrast:more){:root{${roles('light', true)}}}`,
    `@media screen and (prefers-contrast:more) and (prefers-color-scheme:dark){:root:not([data-theme="light"]){${roles('dark', true)}}}`,
  ].join('\n');
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(key, css);
  return css;
}
