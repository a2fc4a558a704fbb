import { setTimeout as sleep } from 'node:timers/promises';
import { useDatabase } from '@counterfoil/testing/database.ts';
import pino from 'pino';
import { expect, it } from 'vitest';
import { livingWorkers, sayAlive } from './presence.ts';
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

it('the job of a worker that was killed is taken up by another; one that lives keeps its own', async () => {
  const ran: unknown[] = [];
  const job = { name: 'orphan', run: async (payload: unknown) => void ran.push(payload) };
  for (const name of ['killed', 'alive']) {
    await query(`select graphile_worker.add_job('orphan', '"${name}"'::json)`);
    await query(`update graphile_worker._private_jobs set locked_by = 'worker-${name}', attempts = 1,
                   locked_at = now() - interval '1 minute' where locked_by is null`);
  }
  await query("insert into queue_worker values ('worker-alive'), ('worker-killed')");
  await query(
    "update queue_worker set seen_at = now() - interval '1 minute' where worker_id = 'worker-killed'",
  );
  const worker = await startWorker({ url: database.url, log: pino({ level: 'silent' }) }, [job]);
  try {
    await expect.poll(() => ran, { timeout: 5_000 }).toEqual(['killed']);
    // A job that has run is still there until its end is written down.
    const left = () => query("select locked_by from graphile_worker.jobs where task_identifier = 'orphan'");
    await expect.poll(async () => (await left()).rows).toEqual([{ locked_by: 'worker-alive' }]);
    const db = queueDatabase(database.url);
    expect(await livingWorkers(db)).toBe(2);
    await db.end();
  } finally {
    await worker.stop();
  }
  // Its own workers have said goodbye.
  expect((await query("select worker_id from queue_worker where worker_id <> 'worker-killed'")).rows).toEqual(
    [{ worker_id: 'worker-alive' }],
  );
});

/** How many workers have said that they live, and have a job of this kind. A busy machine may give one its job before it has. */
async function present(task: string): Promise<number> {
  const { rows } = await query(
    `select 1 from queue_worker join graphile_worker.jobs on locked_by = worker_id where task_identifier = '${task}'`,
  );
  return rows.length;
}

it('a job that was given to a worker and never reached it is taken up again; what the worker is at stays its own', async () => {
  const ran: unknown[] = [];
  let end = () => {};
  const job = {
    name: 'given',
    async run(payload: unknown) {
      ran.push(payload);
      if (payload === 'long') await new Promise<void>((resolve) => (end = resolve));
    },
  };
  const log = pino({ level: 'silent' });
  const worker = await startWorker({ url: database.url, log }, [job]);
  try {
    await query(`select graphile_worker.add_job('given', '"long"'::json)`);
    await expect.poll(() => ran).toEqual(['long']);
    await expect.poll(() => present('given')).toBe(1);
    // As the queue's own statement leaves it when its answer is lost with the connection.
    await query(`insert into graphile_worker._private_jobs (task_id, payload, attempts, locked_by, locked_at)
                 select task_id, '"lost"', 1, locked_by, locked_at from graphile_worker._private_jobs`);
    await query("update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'");
    await expect.poll(() => ran, { timeout: 12_000 }).toEqual(['long', 'lost']);
    end();
    const left = async () =>
      (await query("select 1 from graphile_worker.jobs where task_identifier = 'given'")).rows;
    await expect.poll(left).toEqual([]);
    expect(ran).toEqual(['long', 'lost']);
  } finally {
    end();
    await worker.stop();
  }
});

it('a job that takes long stays its worker’s own, however often the others look for the dead', async () => {
  let end = () => {};
  const job = { name: 'long', run: () => new Promise<void>((resolve) => (end = resolve)) };
  const log = pino({ level: 'silent' });
  const worker = await startWorker({ url: database.url, log }, [job]);
  try {
    await query("select graphile_worker.add_job('long', '{}'::json)");
    const locked = async () =>
      (await query("select locked_by from graphile_worker.jobs where task_identifier = 'long'")).rows[0]
        ?.locked_by;
    await expect.poll(locked).toMatch(/./);
    await expect.poll(() => present('long')).toBe(1);
    await query("update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'");
    const db = queueDatabase(database.url);
    await sayAlive(db, { workerIds: ['another'], taken: new Set() });
    await db.end();
    expect(await locked()).toMatch(/./);
    end();
    await expect.poll(locked, { timeout: 5_000 }).toBe(undefined);
  } finally {
    end();
    await worker.stop();
  }
});

it.each([
  ['the disk is full', '53100'],
  ['the database stops', '57P01'],
])(
  'a job whose end cannot be written down, because %s, is done once, and the worker lives',
  async (_why, code) => {
    await query(`
    create function refuse() returns trigger language plpgsql as
      'begin raise exception using errcode = ''${code}'', message = ''not now''; end';
    create trigger refuse before delete on graphile_worker._private_jobs for each row execute function refuse()`);
    let runs = 0;
    const job = {
      name: 'once',
      async run() {
        runs += 1;
      },
    };
    const worker = await startWorker({ url: database.url, log: pino({ level: 'silent' }) }, [job]);
    try {
      await query("select graphile_worker.add_job('once', '{}'::json)");
      await expect.poll(() => runs).toBe(1);
      // Time for the first try to be refused.
      await sleep(300);
      await query('drop function refuse() cascade');
      const left = async () =>
        (await query("select 1 from graphile_worker.jobs where task_identifier = 'once'")).rows;
      await expect.poll(left, { timeout: 8_000 }).toEqual([]);
      expect(runs).toBe(1);
    } finally {
      await query('drop function if exists refuse() cascade');
      await worker.stop();
    }
  },
);
