import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { type Config, isLoopback, readSettings, readStartSettings } from '../../config.ts';
import { ensureDemo } from '../../demo/ensure-demo.ts';
import { refuseBesideOthers } from '../../demo/marks.ts';
import { ledToSandbox } from '../../demo/sandbox-addresses.ts';
import { startSandbox } from '../../demo/sandbox-process.ts';
import { saveDemoMethods } from '../../demo/writing/save-methods.ts';
import { ensureMonthsAhead } from '../../features/usage/months/months.ts';
import { type Running, serve, WORK_PORT, work, workWatched } from '../../processes.ts';
import type { Runtime } from '../../runtime.ts';
import { startTracing } from '../../tracing/start.ts';
import { WorldFault } from '../../world-fault.ts';
import { open, prepareDatabase } from '../begin.ts';
import { type Beginning, SERVERS } from '../checks/check.ts';
import type { Command } from '../command.ts';
import { leaveSandboxWord, reachGateways } from '../demo-sandbox.ts';
import { listenFault } from '../doctor/world-faults.ts';
import { leaveServerWord } from '../running-server.ts';
import { untilStopped } from '../until-stopped.ts';

interface Part {
  readonly running: Running;
}

/**
 * Starts parts in order and stops them in the opposite one, then gives the database back.
 * @param start gives what tells that all is ready; who hears it may send a signal at once, so that is awaited before
 */
async function runParts(
  name: 'serve' | 'work' | 'start',
  runtime: Runtime,
  start: (parts: Part[]) => Promise<() => void>,
): Promise<number> {
  const parts: Part[] = [];
  const tracing = await startTracing(runtime.config.tracing, name, runtime.log);
  try {
    const announce = await start(parts);
    const stopped = untilStopped(runtime.log, runtime.config.stopPauseMs);
    announce();
    await stopped;
    return 0;
  } finally {
    for (const part of parts.reverse()) await part.running.stop();
    await tracing.stop();
    await runtime.close();
  }
}

/** What is thrown in the place of an error where the address of the settings cannot be had. */
function orListenFault(error: unknown, config: Config, setting: 'PORT' | 'WORK_PORT'): unknown {
  const port = setting === 'PORT' ? config.port : (config.workPort ?? WORK_PORT);
  const fault = listenFault(error, { host: config.host, port, setting });
  return fault === undefined ? error : new WorldFault(fault);
}

/** @throws {WorldFault} where the address of the settings cannot be had */
const listen = (runtime: Runtime) =>
  serve(runtime, gatewayModules).catch((error: unknown) => {
    throw orListenFault(error, runtime.config, 'PORT');
  });

/** @throws {WorldFault} as {@link listen} */
const watch = (runtime: Runtime) =>
  workWatched(runtime, gatewayModules).catch((error: unknown) => {
    throw orListenFault(error, runtime.config, 'WORK_PORT');
  });

/** Leaves word of a server that listens, at the name this machine has for itself where it listens on all addresses. */
function leaveWordOf({ address }: { readonly address: string }, { dataDir }: Config): Promise<Running> {
  const url = new URL(address);
  if (isLoopback(url) || ['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = 'localhost';
  return leaveServerWord(dataDir, { url: url.origin });
}

/**
 * Brings the schema up to date for a process beside others, which in a demo calls the sandbox that `start` runs.
 * @throws {BadConfig} for a demo where none may be
 */
async function beside(runtime: Runtime, begins: Beginning): Promise<Runtime> {
  await prepareDatabase(runtime, [begins]);
  if (runtime.config.demo !== true) return runtime;
  await refuseBesideOthers(runtime.databases.web);
  return reachGateways(runtime, gatewayModules);
}

export const serveCommand: Command = {
  usage: '',
  options: {},
  async run(invocation) {
    const runtime = await open(readSettings(), ['serve']);
    return runParts('serve', runtime, async (parts) => {
      const forServing = await beside(runtime, 'serve');
      // A worker tries again within the hour, and an import makes what it needs: no reason not to serve.
      await ensureMonthsAhead(runtime.databases.jobs, runtime.clock.now()).catch((error: unknown) =>
        runtime.log.warn({ err: error }, 'usage months ahead could not be made'),
      );
      const server = await listen(forServing);
      parts.push({ running: server });
      parts.push({ running: await leaveWordOf(server, runtime.config) });
      return () =>
        invocation.print({ ready: runtime.config.publicUrl.href, listening: server.address }, [
          `ready ${runtime.config.publicUrl.href}`,
        ]);
    });
  },
};

export const workCommand: Command = {
  usage: '',
  options: {},
  async run(invocation) {
    const runtime = await open(readSettings(), ['work']);
    return runParts('work', runtime, async (parts) => {
      const worker = await watch(await beside(runtime, 'work'));
      parts.push({ running: worker });
      return () =>
        invocation.print({ working: true, listening: worker.address }, [
          `working, watched at ${worker.address}`,
        ]);
    });
  },
};

export const startCommand: Command = {
  usage: '',
  options: {},
  async run(invocation) {
    const config = readStartSettings();
    const runtime = await open(config, SERVERS);
    return runParts('start', runtime, async (parts) => {
      await prepareDatabase(runtime, SERVERS);
      let forServing: Runtime = runtime;
      if (config.demo === true) {
        // Before the world is made, which takes its time: that its port is taken is known at once.
        const sandbox = await startSandbox(config);
        parts.push({ running: sandbox });
        parts.push({ running: await leaveSandboxWord(config.dataDir, sandbox.url) });
        forServing = { ...runtime, config: ledToSandbox(config, gatewayModules, sandbox.url) };
      }
      const world = config.demo === true ? await ensureDemo(runtime) : undefined;
      parts.push({ running: await work(forServing, gatewayModules) });
      const server = await listen(forServing);
      parts.push({ running: server });
      parts.push({ running: await leaveWordOf(server, config) });
      if (config.demo === true) await saveDemoMethods(forServing, gatewayModules);
      const url = config.publicUrl.href.replace(/\/$/, '');
      return () =>
        invocation.print({ ready: url, users: world?.users ?? [] }, [
          ...(world === undefined ? [] : ['', ...world.signIns(url), '']),
          `ready ${url}`,
        ]);
    });
  },
};
