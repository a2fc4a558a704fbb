import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const fileOf = (path: string): string => createRequire(import.meta.url).resolve(path);

/** Usual fonts of three systems, the widest first; Arimo has the widths of Liberation Sans. */
export const fonts = {
  'DejaVu Sans': {
    400: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
    700: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  },
  'Noto Sans': {
    400: '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2',
    500: '@fontsource/noto-sans/files/noto-sans-latin-500-normal.woff2',
    600: '@fontsource/noto-sans/files/noto-sans-latin-600-normal.woff2',
  },
  'Liberation Sans': {
    400: '@fontsource/arimo/files/arimo-latin-400-normal.woff2',
    700: '@fontsource/arimo/files/arimo-latin-700-normal.woff2',
  },
} as const;

export type FontName = keyof typeof fonts;

/** Draws the page in a font, whatever the machine has. */
export async function useFont(page: Page, name: FontName): Promise<void> {
  const files = Object.entries(fonts[name]).map(([weight, path]) => ({
    weight,
    data: readFileSync(fileOf(path)).toString('base64'),
  }));
  await page.evaluate(
    async ([family, faces]) => {
      if (![...document.fonts].some((face) => face.family === family)) {
        for (const { weight, data } of faces) {
          const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
          document.fonts.add(await new FontFace(family, bytes, { weight }).load());
        }
      }
      document.documentElement.style.setProperty('--font', `"${family}"`);
    },
    [`Test ${name}`, files] as const,
  );
}
