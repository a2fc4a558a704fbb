import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestDatabase, useDatabase } from '@counterfoil/testing/database.ts';
import { fakePortal } from '@counterfoil/testing/fake-portal.ts';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { commands } from '../src/cli/commands.ts';
import { runCommand } from '../src/cli/run.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface TestCommands {
  readonly database: TestDatabase;
  /** A folder of the test file's own. Valid once its `beforeAll` ran. */
  readonly folder: string;
  run(...args: readonly string[]): Promise<Ran>;
  /** Runs with --json. @throws {Error} when it was refused */
  json<T>(...args: readonly string[]): Promise<T>;
}

/** Gives the calling test file the commands, on an external database of its own that is empty. */
export function useCommands(): TestCommands {
  const database = useDatabase();
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commands-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(() => {
    vi.stubEnv('DATABASE_URL', database.url);
    vi.stubEnv('SECRET_KEY', 'a key only for this test, long enough');
    vi.stubEnv('DATA_DIR', folder);
    vi.stubEnv('LOG_LEVEL', 'silent');
    vi.stubEnv('DEMO', '0');
    vi.stubEnv('WEB_DIST', fakePortal());
  });
  const run = async (...args: readonly string[]): Promise<Ran> => {
    const out: string[] = [];
    const err: string[] = [];
    const output = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
    const code = await runCommand(commands, args, output);
    return { code, out: out.join('\n'), err: err.join('\n') };
  };
  return {
    database,
    get folder() {
      return folder;
    },
    run,
    async json<T>(...args: readonly string[]) {
      const { code, out, err } = await run(...args, '--json');
      if (code !== 0) throw new Error(`exit ${code}: ${err}${out}`);
      return JSON.parse(out) as T;
    },
  };
}
