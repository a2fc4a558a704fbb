import { fileURLToPath } from 'node:url';
import { resolveConfig } from 'vite';
import { expect, it, vi } from 'vitest';

const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));

it.each([
  ['build', true],
  ['serve', false],
] as const)(
  'the client that %s makes is flagged production: %s [portal.calls.constant.flagged-production]',
  async (command, production) => {
    // The flag follows the command alone, not whatever this process runs as.
    vi.stubEnv('NODE_ENV', undefined);
    const usual = production ? 'production' : 'development';
    const { env, isProduction, mode } = await resolveConfig({ configFile }, command, usual, usual);
    expect([env['PROD'], env['DEV'], isProduction, mode]).toEqual([
      production,
      !production,
      production,
      usual,
    ]);
  },
);
