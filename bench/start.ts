import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../packages/testing/src/ports.ts';
import { startProcess, type TestProcess } from '../packages/testing/src/processes.ts';
import { mallocSettings, nodeFlags, root } from '../tools/run/node.mjs';
import { serverProgram } from '../tools/run/server-program.mjs';
import { median, printFigure } from './support/figure.ts';
import { residentMib } from './support/memory.ts';

/** Starting and standing still: the demo world from nothing, again on what is there, a second process, memory. */
const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
const ROUNDS = 3;
const REST_MS = 5_000;

async function start(command: string, demo: boolean): Promise<{ process: TestProcess; seconds: number }> {
  const env = {
    DATA_DIR: dataDir,
    // The real one: what draws its pages is in memory too.
    WEB_DIST: 'apps/web/dist',
    ...mallocSettings,
    DEMO: demo ? '1' : '0',
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
  };
  const begun = performance.now();
  const started = await startProcess({
    command: [serverProgram(root), command],
    env,
    ready: /^ready/,
    nodeArgs: nodeFlags,
  });
  return { process: started, seconds: (performance.now() - begun) / 1000 };
}

const print = (figure: string, value: number, unit: string, limit: number) =>
  printFigure({ bench: 'start', figure, value, unit, limit, isMost: true });

try {
  const first = await start('start', true);
  print('first start with the demo world, installed and built before', first.seconds, 's', 60);
  await first.process.stop();

  const again: number[] = [];
  const stops: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { process: running, seconds } = await start('start', true);
    again.push(seconds);
    const begun = performance.now();
    await running.stop();
    stops.push((performance.now() - begun) / 1000);
  }
  print('start again', median(again), 's', 3);
  print('stop when idle', median(stops), 's', 10);

  const main = await start('start', true);
  const second = await start('serve', false);
  print('second process on the running database', second.seconds, 's', 1.5);
  await sleep(REST_MS);
  print('resident memory of the server at rest', residentMib(main.process.pid), 'MiB', 150);
  print('resident memory of a second process at rest', residentMib(second.process.pid), 'MiB', 150);
  await second.process.stop();
  await main.process.stop();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
