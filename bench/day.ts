import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sample, startDay } from './day/server.ts';
import { isFlat, trendOf } from './day/slope.ts';
import { startTraffic } from './day/traffic.ts';
import { printFigure } from './support/figure.ts';

/**
 * A day of a whole server with the demo world: people sign in, read lists, invoices and usage, print, make reports and sign out; bills come
 * in by the operator API, links and signed-in people pay them by card at the gateway's sandbox, whose events come back; a webhook endpoint
 * is told; lists of the console are read; the worker makes its rounds. The server's clock goes 180 times as fast: 24 hours (DAY_HOURS) take
 * eight minutes. Every half hour of it everybody pauses, what can be collected is, and memory is read. Ends with 1 where memory of the second half of
 * the day is not flat.
 */
const HOURS = Number(process.env['DAY_HOURS'] || 24);
const SPEED = 180;
const EVERY_HOURS = 0.5;
const MB = 1024 * 1024;
/** What is flat: at most this share of the level an hour, and so many megabytes over the half. */
const MOST = { share: 0.02, growth: 5 };
/** Open files, and connections to the database: the same, in pieces. */
const MOST_PIECES = { share: 0.02, growth: 5 };

const hourMs = 3_600_000 / SPEED;
const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

const server = await startDay(SPEED);
const samples: { readonly at: number; readonly sample: Sample }[] = [];
try {
  await server.speedUp();
  const began = performance.now();
  const hoursNow = () => (performance.now() - began) / hourMs;
  const traffic = await startTraffic(server);
  // On a busy machine a look takes longer than half an hour of the fast clock: there are fewer then.
  for (let next = EVERY_HOURS; next <= HOURS; next = Math.max(next, hoursNow()) + EVERY_HOURS) {
    await sleep(Math.max(0, began + next * hourMs - performance.now()));
    const sample = await traffic.quiet(() => server.sample());
    samples.push({ at: hoursNow(), sample });
    const { rss, heapUsed, external } = sample;
    const mb = (bytes: number) => (bytes / MB).toFixed(1);
    say(
      `hour ${hoursNow().toFixed(1)}: rss ${mb(rss)}, heap ${mb(heapUsed)}, beside it ${mb(external)} MB; ${sample.files} files, ` +
        `${sample.connections} connections, ${sample.handles} handles; ${traffic.calls()} calls, ${traffic.payments()} payments, ${traffic.turnedAway()} turned away, ` +
        `${sample.rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`,
    );
  }
  await traffic.stop();
  const bad = server.lines().filter((line) => line.includes('"level":"error"'));
  for (const line of bad.slice(0, 5)) say(line.slice(0, 4000));
  const last = samples.at(-1)?.sample;
  if (last === undefined || last.rounds < HOURS) throw new Error('the worker made no rounds');
  const half = samples.filter(({ at }) => at >= HOURS / 2);
  const judge = (figure: string, unit: string, of: (sample: Sample) => number, most = MOST): void => {
    const trend = trendOf(half.map(({ at, sample }) => ({ at, value: of(sample) })));
    const what = `${figure} (${trend.level.toFixed(1)} ${unit})`;
    const print = (name: string, value: number, of: string, limit: number) =>
      printFigure({
        bench: 'day',
        figure: `${what}, ${name}`,
        value: Math.max(value, 1e-3),
        unit: of,
        limit,
        isMost: true,
      });
    print('growth over the second half', trend.growth, unit, most.growth);
    print('growth an hour', (trend.perHour / trend.level) * 100, '%', most.share * 100);
    if (!isFlat(trend, most)) process.exitCode = 1;
  };
  judge('resident memory', 'MB', ({ rss }) => rss / MB);
  judge('heap in use', 'MB', ({ heapUsed }) => heapUsed / MB);
  judge('memory beside the heap', 'MB', ({ external }) => external / MB);
  judge('open files', 'files', ({ files }) => files, MOST_PIECES);
  judge('connections to the database', 'connections', ({ connections }) => connections, MOST_PIECES);
} finally {
  await server.stop();
}
