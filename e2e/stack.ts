import { join } from 'node:path';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { temporaryFolder } from '@counterfoil/testing/temporary-folder.ts';
import { buildServer } from '../tools/server-build.ts';
import { buildWeb } from '../tools/web-build.ts';
import { offerControl, type StackName } from './support/stack/control.ts';
import { installedPostgres, startExternal } from './support/stack/external-postgres.ts';
import { PortalStack } from './support/stack/portal-stack.ts';

/**
 * Set-up of an end-to-end run: builds portal and server where their sources changed, and starts the stacks the tests ask for.
 * E2E_CONTROL names a stack that runs already (`node e2e/stack.ts` keeps one for work on the tests);
 * E2E_DATABASE_URL takes a PostgreSQL server for the first of them, on which a database of its own is made;
 * CITUS_URL the coordinator of a Citus cluster, over which that is spread.
 * @returns the teardown: everything ends and nothing is left
 */
export default async function startRun(): Promise<() => Promise<void>> {
  if (process.env['E2E_CONTROL']) return async () => undefined;
  if ((await buildWeb()) !== 0) throw new Error('the portal could not be built');
  if ((await buildServer()) !== 0) throw new Error('the server could not be built');
  const temporary = temporaryFolder('e2e');
  const folder = temporary.path;
  const running = new Map<StackName, Promise<PortalStack>>();
  const ends: (() => Promise<unknown>)[] = [];

  const start: Record<StackName, () => Promise<PortalStack> | undefined> = {
    embedded: () =>
      PortalStack.start({
        folder: join(folder, 'embedded'),
        externalServer: process.env['E2E_DATABASE_URL'],
        cluster: clusterUrl(),
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
    temporary.remove();
  };
}

if (import.meta.main) {
  const stop = await startRun();
  process.stdout.write(`E2E_CONTROL=${process.env['E2E_CONTROL']}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
}
