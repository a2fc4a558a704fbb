import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DrawPage } from '@counterfoil/contract/first-paint.ts';

/** The portal's own drawing of a page's first markup, built beside it; undefined where the build has none. */
export async function readDrawer<Draw = DrawPage>(dist: string, page: string): Promise<Draw | undefined> {
  const file = join(dist, 'server', page.replace(/\.html$/, '.mjs'));
  if (!existsSync(file)) return undefined;
  const { draw } = (await import(pathToFileURL(file).href)) as { readonly draw: Draw };
  return draw;
}

/** The reader's locale: the first language the browser names, as the portal's own code takes it. */
export function localeOf(acceptLanguage: string | undefined): string {
  for (const part of (acceptLanguage ?? '').split(',')) {
    try {
      const [canonical] = Intl.getCanonicalLocales(part.split(';')[0]?.trim() ?? '');
      if (canonical !== undefined) return canonical;
    } catch {
      // `*`, or something that is no language: the next one may do.
    }
  }
  return 'en';
}
