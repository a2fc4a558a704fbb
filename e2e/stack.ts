import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '../tools/web-build.ts';
import { offerControl, type StackName } from './support/stack/control.ts';
import { installedPostgres, startExternal } from './support/stack/external-postgres.ts';
import { PortalStack } from './support/stack/portal-stack.ts';

const PREFIX = 'counterfoil-e2e-';

/**
 * Set-up of an end-to-end run: builds the portal where its sources changed, and starts the stacks the tests ask for.
 * E2E_CONTROL names a stack that runs already (`node e2e/stack.ts` keeps one for work on the tests);
 * E2E_DATABASE_URL takes a PostgreSQL server for the first of them, on which a database of its own is made.
 * @returns the teardown: everything ends and nothing is left
 */
export default async function startRun(): Promise<() => Promise<void>> {
  if (process.env['E2E_CONTROL']) return async () => undefined;
  removeLeftovers();
  if ((await buildWeb()) !== 0) throw new Error('the portal could not be built');
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o711); // accounts that run a database must pass
  const running = new Map<StackName, Promise<PortalStack>>();
  const ends: (() => Promise<unknown>)[] = [];

  const start: Record<StackName, () => Promise<PortalStack> | undefined> = {
    embedded: () =>
      PortalStack.start({
        folder: join(folder, 'embedded'),
        externalServer: process.env['E2E_DATABASE_URL'],
        hasDemo: true,
      }),
    external: () => {
      const found = installedPostgres();
      return found && startOnExternal(found);
    },
  };
  async function startOnExternal({ bin, version }: { bin: string; version: number }): Promise<PortalStack> {
    const server = await startExternal(bin, version, join(folder, 'postgresql'));
    ends.push(() => server.stop());
    return PortalStack.start({
      folder: join(folder, 'external'),
      externalServer: server.url,
      hasDemo: false,
    });
  }

  const control = await offerControl((name) => {
    const known = running.get(name) ?? start[name]();
    if (known !== undefined) running.set(name, known);
    return known;
  });
  process.env['E2E_CONTROL'] = control.address;
  return async () => {
    control.close();
    await Promise.allSettled([...running.values()].map(async (stack) => (await stack).stop()));
    for (const end of ends) await end().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Folders of runs that were killed; their processes ended with them. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

if (import.meta.main) {
  const stop = await startRun();
  process.stdout.write(`E2E_CONTROL=${process.env['E2E_CONTROL']}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
}
