import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { secondsOfLimit, timed } from './bulk/limit.ts';
import { type BulkLines, kinds } from './bulk/lines.ts';
import { startReceiver } from './bulk/receiver.ts';
import { type Outcomes, sendLines } from './bulk/send.ts';
import { startBulkServer } from './bulk/server.ts';
import { printFigure } from './support/figure.ts';

/**
 * 100,000 lines of each kind (or BULK_LINES; BULK_KINDS chooses some) through the operator API into an empty database, and the same file again, beside
 * the least that they could cost; memory beside that of a tenth of the lines, which another reseller sends before. About ten
 * minutes. BULK_ENDPOINTS=3 has so many webhook endpoints told of them.
 */
const LINES = Number(process.env['BULK_LINES'] || 100_000);
const FEW = LINES / 10;
/** Kinds by path, each with those before that it names; else all. */
const only = (process.env['BULK_KINDS'] || '').split(',').filter((path) => path !== '');
const ENDPOINTS = Number(process.env['BULK_ENDPOINTS'] || 0);
const MOST_SECONDS = 60;
/** What ten times the lines may need more of memory. */
const MOST_GROWTH_MB = 64;
/** At least this share of the speed of the least that lines could cost. */
const LEAST = 0.1;
const MB = 1024 * 1024;

const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

const folder = await mkdtemp(join(tmpdir(), 'counterfoil-bench-lines-'));
const server = await startBulkServer(ENDPOINTS > 0);
const receiver = await startReceiver();

async function send(kind: BulkLines, count: number, { id, key }: Sender, expected: string): Promise<Sent> {
  const file = join(folder, kind.path);
  await pipeline(Readable.from(textOf(kind, count, id)), createWriteStream(file));
  server.forgetPeak();
  const before = server.processorTimes();
  let outcomes: Outcomes = {};
  const seconds = await timed(async () => {
    outcomes = await sendLines(`${server.url}/v1/admin/${kind.path}/bulk`, key, file);
  });
  if (outcomes[expected] !== count) throw new Error(`${kind.path}: ${JSON.stringify(outcomes)}`);
  // Of processes that have ended meanwhile nothing is known any more.
  const processor = [...server.processorTimes()].reduce(
    (sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0),
    0,
  );
  const peakMb = server.peakMib();
  say(
    `${kind.path}, ${count} ${expected}: ${seconds.toFixed(1)} s, processors ${(processor / 1000).toFixed(1)} s, memory at most ${peakMb.toFixed(0)} MB`,
  );
  return { file, seconds, peakMb };
}

interface Sender {
  readonly id: number;
  readonly key: string;
}

interface Sent {
  readonly file: string;
  readonly seconds: number;
  readonly peakMb: number;
}

function* textOf({ line }: BulkLines, count: number, resellerId: number): Generator<string> {
  let text = '';
  for (let n = 1; n <= count; n += 1) {
    text += `${JSON.stringify(line(n, resellerId))}\n`;
    if (text.length < MB) continue;
    yield text;
    text = '';
  }
  yield text;
}

try {
  const [few, many] = [
    { id: 1, key: await server.addReseller(1) },
    { id: 2, key: await server.addReseller(2) },
  ];
  for (const { key } of [few, many]) await receiver.register(server.url, key, ENDPOINTS);
  for (const kind of kinds.filter(({ path }) => only.length === 0 || only.includes(path))) {
    const small = await send(kind, FEW, few, 'created');
    const made = await send(kind, LINES, many, 'created');
    const again = await send(kind, LINES, many, 'unchanged');
    const limit = await secondsOfLimit(server.db, kind, many.id, made.file, folder);
    await rm(made.file);
    const print = (figure: string, value: number, unit: string, most: number) =>
      printFigure({
        bench: 'bulk',
        figure: `${kind.path}, ${figure}`,
        value,
        unit,
        limit: most,
        isMost: true,
      });
    print(`${LINES} made`, made.seconds, 's', MOST_SECONDS);
    print(`${LINES} again`, again.seconds, 's', MOST_SECONDS);
    const growth = Math.max(made.peakMb, again.peakMb) - small.peakMb;
    print(`memory beyond that of ${FEW}`, Math.max(growth, 1), 'MB', MOST_GROWTH_MB);
    printFigure({
      bench: 'bulk',
      figure: `${kind.path}, beside JSON and COPY (${limit.toFixed(1)} s)`,
      value: limit / made.seconds,
      unit: 'times',
      limit: LEAST,
    });
  }
  if (ENDPOINTS > 0) say(`${receiver.received()} messages received`);
} finally {
  await server.stop();
  receiver.stop();
  await rm(folder, { recursive: true, force: true });
}
