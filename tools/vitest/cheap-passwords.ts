import { vi } from 'vitest';

/**
 * Hashes of passwords cost tests a hundredth: what they cost in earnest is shown by the test of `passwords.ts`, which
 * takes the real module (`vi.unmock`). Both read each other's hashes, since a hash says how it was made.
 */
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  const hash: typeof real.hash = (password, options, signal) =>
    real.hash(password, Object.assign({}, options, { memoryCost: 256, timeCost: 1 }), signal);
  return { ...real, hash };
});
