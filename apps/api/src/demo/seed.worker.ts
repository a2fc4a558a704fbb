import { createInterface } from 'node:readline';
import pino from 'pino';
import { sentenceFor } from '../cli/doctor/world-faults.ts';
import { createLogger } from '../logger.ts';
import { openRuntime } from '../runtime.ts';
import type { SeedTask } from './ensure-demo.ts';
import { seedDemo } from './seed-demo.ts';

// A process of its own: making the world takes memory that a server at rest must not keep. Its task is the first
// line of the input; the input's end before that of the work is the end of the parent.
const lines = createInterface({ input: process.stdin });
lines.once('close', () => process.exit(1));
lines.once('line', (line) =>
  make(line).then(
    () => process.exit(0),
    (error: unknown) => {
      // Where the parent is gone, and with it the database, nobody reads this.
      process.stderr.on('error', () => process.exit(1));
      process.stderr.write(`${sentenceFor(error) ?? String(error)}\n`, () => process.exit(1));
    },
  ),
);

async function make(line: string): Promise<void> {
  const task = JSON.parse(line) as SeedTask;
  const config = {
    ...task,
    publicUrl: new URL(task.publicUrl),
    filesUrl: new URL(task.filesUrl),
    gatewayUrls: new Map<string, string>(),
  };
  const log = createLogger(config.logLevel, pino.destination({ dest: 2, sync: true }));
  const runtime = await openRuntime(config, log);
  await seedDemo(runtime);
  await runtime.close();
}
