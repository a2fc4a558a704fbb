import { useDatabase } from '@counterfoil/testing/database.ts';
import pino from 'pino';
import { expect, it } from 'vitest';
import { queueDatabase, startWorker } from './worker.ts';

const database = useDatabase();
const query = (text: string) => database.pool().query(text);

it('a job that fails is tried again later, its reason on record, until it succeeds', async () => {
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  let runs = 0;
  const job = {
    name: 'stubborn',
    async run() {
      runs += 1;
      if (runs === 1) throw new Error('not yet');
    },
  };
  const worker = await startWorker({ url: database.url, log }, [job]);
  try {
    await query("select graphile_worker.add_job('stubborn', '{}'::json)");
    const waiting = async () =>
      (
        await query(
          'select last_error, locked_at, run_at > now() as later from graphile_worker._private_jobs where attempts > 0',
        )
      ).rows;
    await expect.poll(waiting).toEqual([{ last_error: 'not yet', locked_at: null, later: true }]);
    expect(runs).toBe(1);
    expect(logged.join()).toContain('not yet');
    await query('update graphile_worker._private_jobs set run_at = now()');
    await expect.poll(waiting, { timeout: 5_000 }).toEqual([]);
    expect(runs).toBe(2);
  } finally {
    await worker.stop();
  }
});

it('the queue reads its ids as text, and other numbers as everybody', async () => {
  const queue = queueDatabase(database.url);
  const { rows } = await queue.pool.query('select 7::bigint as id, 3 as n, 1.5::numeric as rate');
  expect(rows).toEqual([{ id: '7', n: 3, rate: '1.5' }]);
  await queue.end();
});
