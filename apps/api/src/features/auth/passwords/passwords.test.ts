import { expect, it, vi } from 'vitest';
import { hashPassword, passwordFits } from './passwords.ts';

// Other tests hash at a hundredth of the cost.
vi.unmock('@node-rs/argon2');

it('hashes with Argon2id over 64 MiB in two passes, and tells the password from others', async () => {
  const hashed = await hashPassword('Ledger!2026');
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=65536,t=2,p=1\$/);
  expect(await passwordFits(hashed, 'Ledger!2026')).toBe(true);
  expect(await passwordFits(hashed, 'Ledger!2027')).toBe(false);
});
