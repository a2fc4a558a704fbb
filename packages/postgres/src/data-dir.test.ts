import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { databaseAccount } from './account.ts';
import { closeDataDir, makeDataDir, othersRights } from './data-dir.ts';
import { attachOrStart } from './server.ts';

let folder: string;
let umask: number;
const rightsOf = (path: string) => statSync(path).mode & 0o777;
const account = databaseAccount();

beforeEach(() => {
  umask = process.umask(0o077);
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-data-dir-'));
  chmodSync(folder, 0o711);
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, force: true });
});

it.each([undefined, 0o755, 0o777])(
  'with a cluster in it is closed to all but its owner and the account of the database (before: %o)',
  async (before) => {
    const above = join(folder, 'new');
    const dataDir = join(above, 'data');
    if (before !== undefined) {
      makeDataDir(dataDir);
      chmodSync(dataDir, before);
    }
    const server = await attachOrStart({ dataDir, durable: false });
    try {
      expect(server.cluster).toBe(join(dataDir, 'postgres'));
      expect(rightsOf(dataDir)).toBe(account === undefined ? 0o700 : 0o710);
      if (account !== undefined) expect(statSync(dataDir).gid).toBe(account.gid);
      expect(othersRights(dataDir)).toBe(0);
      // What lies above is not the program's to close.
      expect(rightsOf(above)).toBe(0o755);
      closeDataDir(dataDir);
      expect(rightsOf(dataDir)).toBe(account === undefined ? 0o700 : 0o710);
    } finally {
      await server.stop();
    }
  },
);

it('without a cluster is closed to all but its owner', () => {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  for (const before of [0o755, 0o711, 0o750, 0o777]) {
    chmodSync(dataDir, before);
    expect(othersRights(dataDir)).not.toBe(0);
    closeDataDir(dataDir);
    expect(rightsOf(dataDir)).toBe(0o700);
  }
});
