import { median, quantile } from '../support/figure.ts';
import { residentMib } from '../support/memory.ts';
import type { UsageData } from './data/open.ts';
import { makeWorld } from './data/world.ts';
import { copyWithPsql, downloadFile } from './export-readers.ts';
import { filtersOf, lastDayOf, pageCases, pathOf } from './pages/cases.ts';
import { look, sit } from './pages/measure.ts';
import type { PageStage } from './pages/run.ts';
import { grouped, print, say } from './report.ts';

const ROUNDS = 4;
const ROWS = 1_000_000;
const LEAST = 1;
const FIRST_BYTE_MS = 100;
const GROWTH_MIB = 64;
const OTHERS_MS = 100;
const OTHERS_EVERY_MS = 50;
const LOOK_EVERY_MS = 20;

/** The last months that together have about a million records of the largest customer. */
function monthsOf({ months, records }: UsageData): readonly string[] {
  const each = (records * 0.2) / months.length;
  return months.slice(-Math.min(months.length, Math.max(1, Math.round(ROWS / each))));
}

/**
 * About a million records as CSV through HTTP, in turn with `psql` copying the same cells to its standard output; what
 * it costs in memory, and what others wait meanwhile.
 */
export async function runExport({ data, product }: PageStage): Promise<void> {
  const world = makeWorld();
  const { customerId } = filtersOf(world);
  const token = await product.signIn();
  const range = { from: monthsOf(data)[0] ?? '', to: lastDayOf(data.months.at(-1) ?? '') };
  const ours = () => downloadFile({ port: product.port, token, range });
  const theirs = (neutralised: boolean) => copyWithPsql(data.url, { customerId, range, neutralised });
  const other = await sit(product.port, token);
  const [list] = pageCases(world, data.months);
  const path = list === undefined ? '' : pathOf(list, 1);
  for (let n = 0; n < 50; n += 1) await look(other, path);
  const before = residentMib(product.pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentMib(product.pid));
  }, LOOK_EVERY_MS);
  const waits: number[] = [];
  const times = {
    ours: [] as number[],
    firstByte: [] as number[],
    plain: [] as number[],
    neutralised: [] as number[],
  };
  try {
    const counted = await Promise.all([downloadFile({ port: product.port, token, range, counts: true })]);
    const rows = (counted[0]?.lines ?? 1) - 1;
    const copied = await copyWithPsql(data.url, { customerId, range, neutralised: false, counts: true });
    say(`export: ${rows} rows, psql ${copied.lines}; ${Math.round((counted[0]?.bytes ?? 0) / 1e6)} MB`);
    print({
      figure: 'export: rows that psql copies as well',
      value: rows === copied.lines ? rows : 0,
      unit: 'rows',
      limit: copied.lines,
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      const measure = async () => {
        const meanwhile = new AbortController();
        const others = askMeanwhile(() => look(other, path), waits, meanwhile.signal);
        const { ms, firstByteMs } = await ours();
        meanwhile.abort();
        await others;
        times.ours.push(ms);
        times.firstByte.push(firstByteMs);
      };
      const alone = async () => {
        times.ours.push((await ours()).ms);
      };
      const plain = async () => {
        times.plain.push((await theirs(false)).ms);
      };
      const neutralised = async () => {
        times.neutralised.push((await theirs(true)).ms);
      };
      // Speed is measured without others, as psql has none.
      const ways = [alone, plain, neutralised];
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) await way();
      const fast = times.ours.length;
      await measure();
      times.ours.splice(fast);
    }
    const perSecond = (all: readonly number[]) => (rows * 1000) / median(all);
    const figure = `${grouped(data.records)} records: CSV of ${grouped(rows)} rows`;
    print({
      figure: `${figure}, limit: psql \\copy of the same cells as they are`,
      value: perSecond(times.ours),
      unit: 'rows/s',
      limit: LEAST * perSecond(times.plain),
    });
    print({
      figure: `${figure}, limit: psql \\copy with formulas neutralised as ours`,
      value: perSecond(times.ours),
      unit: 'rows/s',
      limit: LEAST * perSecond(times.neutralised),
    });
    print({
      figure: `${figure}, first byte with others at work, median`,
      value: median(times.firstByte),
      unit: 'ms',
      limit: FIRST_BYTE_MS,
      isMost: true,
    });
    print({
      figure: `${figure}, resident memory above that before`,
      value: most - before,
      unit: 'MiB',
      limit: GROWTH_MIB,
      isMost: true,
    });
    print({
      figure: `${figure}, other pages meanwhile, p95`,
      value: quantile(waits, 0.95),
      unit: 'ms',
      limit: OTHERS_MS,
      isMost: true,
    });
  } finally {
    clearInterval(watch);
    other.connection.close();
  }
}

async function askMeanwhile(
  ask: () => Promise<{ readonly ms: number }>,
  waits: number[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { ms } = await ask();
    waits.push(ms);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, OTHERS_EVERY_MS - ms)));
  }
}
