import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { archiveMonth } from '../../src/features/usage/months/archive.ts';
import { closeMonth, reopenMonth } from '../../src/features/usage/months/closing.ts';
import { listMonths } from '../../src/features/usage/months/list.ts';
import { unarchiveMonth } from '../../src/features/usage/months/unarchive.ts';
import { useMonths } from '../fixtures/months-fixture.ts';

/**
 * Processes that close, archive and bring back a month are killed, at each step and at any moment. Whatever they left,
 * the same command carries on, and no record is lost or doubled.
 */
const fixture = useMonths();
const MONTH = '2026-01-01';
const RECORDS = 3_000;
const KILLS = 5;
let before: Record<string, unknown>;

beforeAll(async () => {
  await fixture.seed(MONTH, RECORDS);
  before = await fixture.look();
});

/** @returns the signal the process ended by, or null */
function run(what: string, step: string, killAfterMs?: number): Promise<string | null> {
  const program = fileURLToPath(new URL('../processes/months-process.ts', import.meta.url));
  const args = [program, fixture.database.url, fixture.filesUrl.href, what, MONTH, step];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (killAfterMs !== undefined) void sleep(killAfterMs).then(() => child.kill('SIGKILL'));
  return new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
}

/** Runs it to its end. @returns milliseconds */
async function msOf(what: string): Promise<number> {
  const began = performance.now();
  expect(await run(what, '')).toBeNull();
  return performance.now() - began;
}

/** Everything in its place: the rollups always, the records here or in the files. */
async function expectWhole(): Promise<void> {
  const now = await fixture.look();
  const isAway = (await fixture.stateOf(MONTH)) === 'archived';
  const { records, billed, kept, ...rollups } = now;
  expect(before).toMatchObject(rollups);
  if (!isAway) expect({ records, billed, kept }).toEqual(pick(before));
}

const pick = ({ records, billed, kept }: Record<string, unknown>) => ({ records, billed, kept });

describe('killed at a step', () => {
  it.each(['marked', 'guarded'])('of closing: %s', async (step) => {
    expect(await run('close', step)).toBe('SIGKILL');
    await expectWhole();
    await closeMonth(fixture.deps(), MONTH);
    const [month] = await listMonths(fixture.db, fixture.deps().now);
    expect(month).toMatchObject({ state: 'closed', unfinished: null, records: 2 * RECORDS });
    await reopenMonth(fixture.deps(), MONTH);
  });

  it.each(['written', 'verified', 'marked', 'detached', 'dropped'])('of archiving: %s', async (step) => {
    await closeMonth(fixture.deps(), MONTH);
    expect(await run('archive', step)).toBe('SIGKILL');
    await expectWhole();
    await archiveMonth(fixture.deps(), MONTH);
    expect([await fixture.stateOf(MONTH), await fixture.hasTable(MONTH)]).toEqual(['archived', false]);
    await unarchiveMonth(fixture.deps(), MONTH);
    expect(await fixture.look()).toEqual(before);
  });

  it.each(['loaded', 'back'])('of bringing back: %s', async (step) => {
    await closeMonth(fixture.deps(), MONTH);
    await archiveMonth(fixture.deps(), MONTH);
    expect(await run('unarchive', step)).toBe('SIGKILL');
    await expectWhole();
    await unarchiveMonth(fixture.deps(), MONTH);
    expect(await fixture.look()).toEqual(before);
    expect(await fixture.stateOf(MONTH)).toBe('closed');
  });
}, 60_000);

it('killed at any moment, again and again, nothing is lost', async () => {
  await closeMonth(fixture.deps(), MONTH);
  // How long each takes when nobody disturbs it, here and now.
  const wholeMs = { archive: await msOf('archive'), unarchive: await msOf('unarchive') };
  let killed = 0;
  for (let n = 0; n < KILLS || (killed === 0 && n < 4 * KILLS); n += 1) {
    const isAway = (await fixture.stateOf(MONTH)) === 'archived' && !(await fixture.hasTable(MONTH));
    const what = isAway ? 'unarchive' : 'archive';
    const signal = await run(what, '', wholeMs[what] * (0.3 + 0.7 * Math.random()));
    if (signal === 'SIGKILL') killed += 1;
    await expectWhole();
  }
  expect(killed).toBeGreaterThan(0);
  await archiveMonth(fixture.deps(), MONTH);
  await unarchiveMonth(fixture.deps(), MONTH);
  expect(await fixture.look()).toEqual(before);
});
