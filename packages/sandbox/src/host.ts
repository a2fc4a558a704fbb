/** Puts the host's services together and opens the gateways' sandboxes on them. */

import { Captures } from './captures.ts';
import { Clock } from './clock.ts';
import { Faults } from './faults.ts';
import type { GatewaySandbox, SandboxHost, SandboxInstance } from './gateway-sandbox.ts';
import { Scheduler } from './scheduler.ts';
import { defaultSettings } from './settings.ts';
import { Store } from './store.ts';
import { Webhooks } from './webhooks.ts';

export interface OpenHost extends SandboxHost {
  /** Headers that portals' pages may send to any of the sandboxes, and read. */
  readonly browserHeaders: { readonly sent: readonly string[]; readonly read: readonly string[] };
  readonly instances: ReadonlyMap<string, SandboxInstance>;
  readonly mounts: readonly {
    readonly prefix: string;
    readonly gateway: string;
    readonly instance: SandboxInstance;
  }[];
  /** Forgets all charges, objects, faults and time travel; registered webhook addresses stay. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the host on a directory with the journal in it.
 * @param options.directory where the journal lives; created when absent
 * @param options.publicUrl address of the sandbox, without a trailing slash
 */
export async function openHost(options: {
  readonly directory: string;
  readonly publicUrl: string;
  readonly portalOrigins: readonly string[];
  readonly sandboxes: readonly GatewaySandbox[];
}): Promise<OpenHost> {
  const store = await Store.open(options.directory);
  const clock = new Clock(store);
  const instances = new Map<string, SandboxInstance>();
  const scheduler = new Scheduler(store, clock, ({ gateway, task, payload }, tx) =>
    instances.get(gateway)?.run(task, payload, tx),
  );
  const webhooks = new Webhooks(store, clock, (endpoint, event) =>
    instances.get(endpoint.gateway)?.webhook(endpoint, event),
  );
  const host: SandboxHost = {
    publicUrl: options.publicUrl,
    portalOrigins: options.portalOrigins,
    store,
    clock,
    faults: new Faults(),
    settings: { ...defaultSettings },
    captures: new Captures(store),
    scheduler,
    webhooks,
  };
  const mounts = options.sandboxes.flatMap((sandbox) => {
    const instance = sandbox.open(host);
    instances.set(sandbox.gateway, instance);
    return sandbox.prefixes.map((prefix) => ({ prefix, gateway: sandbox.gateway, instance }));
  });
  mounts.sort((left, right) => right.prefix.length - left.prefix.length);
  await scheduler.runDue();
  webhooks.pump();
  return {
    ...host,
    instances,
    browserHeaders: {
      sent: options.sandboxes.flatMap(({ browserHeaders }) => browserHeaders?.sent ?? []),
      read: options.sandboxes.flatMap(({ browserHeaders }) => browserHeaders?.read ?? []),
    },
    mounts,
    async reset() {
      host.faults.clear();
      Object.assign(host.settings, defaultSettings);
      for (const instance of instances.values()) instance.reset();
      await store.clear(['host/endpoint']);
    },
    async close() {
      scheduler.stop();
      webhooks.stop();
      await store.close();
    },
  };
}
