import { newId } from '@counterfoil/domain/text/ids.ts';
import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { saveRounds } from '../../jobs/rounds.ts';
import { startLoop } from '../../jobs/worker.ts';

const fixture = useFixture();
const rows = async (text: string, values: unknown[] = []) =>
  (await fixture.database.pool().query(text, values)).rows;

async function caller(isWide: boolean) {
  const { reseller } = await fixture.seedPayer();
  const key = await programKey(fixture, isWide ? null : reseller.id, newId());
  const headers = { authorization: `Bearer ${key}`, 'x-reseller-id': String(reseller.id) };
  return async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const url = `/v1/admin/${path}`;
    const answer = await fixture.app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, ...(answer.body === '' ? {} : answer.json()) };
  };
}

it('is for keys of the installation alone', async () => {
  const ask = await caller(false);
  for (const [method, path, body] of [
    ['GET', 'health'],
    ['GET', 'jobs'],
    ['POST', 'jobs/1/retry'],
    ['POST', 'jobs/1/drop', { note: 'x' }],
    ['POST', 'rounds/auto-pay/run'],
  ] as const)
    expect([path, (await ask(method, path, body)).code]).toEqual([path, 'installation.only']);
});

it('tells how each part of the installation is, and that no worker lives', async () => {
  const { status, data } = await (await caller(true))('GET', 'health');
  expect(status).toBe(200);
  expect(data.checks.map(({ what, state }: never) => `${what} ${state}`)).toEqual([
    'database ok',
    'disk ok',
    'workers fault',
    'queue ok',
    'rounds ok',
    'mail warning',
    'webhooks ok',
    'gateways ok',
  ]);
});

it('shows jobs that fail, runs one again and drops another, each on record', async () => {
  const ask = await caller(true);
  for (const name of ['again', 'never', 'fine'])
    await rows('select graphile_worker.add_job($1, json_build_object())', [name]);
  await rows(`update graphile_worker._private_jobs j set attempts = 25, max_attempts = 25, last_error = 'it broke'
                from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier <> 'fine'`);
  const { failing, queue } = (await ask('GET', 'jobs')).data;
  expect([queue.waiting, queue.givenUp]).toEqual([1, 2]);
  expect(failing.map(({ task, state, problem }: never) => [task, state, problem])).toEqual([
    ['never', 'givenUp', 'it broke'],
    ['again', 'givenUp', 'it broke'],
  ]);
  const [never, again] = failing;
  expect((await ask('POST', `jobs/${again.id}/retry`)).status).toBe(204);
  expect((await ask('POST', `jobs/${never.id}/drop`, { note: 'not wanted' })).status).toBe(204);
  const left = (await ask('GET', 'jobs')).data.queue;
  expect([left.waiting, left.givenUp]).toEqual([2, 0]);
  expect(await ask('POST', `jobs/${never.id}/retry`)).toMatchObject({ status: 404, code: 'job.notFound' });
  await rows("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'w'");
  expect(await ask('POST', `jobs/${again.id}/drop`, { note: 'x' })).toMatchObject({ code: 'job.running' });
  await rows('delete from graphile_worker._private_jobs');
  const trail = await rows("select action, detail from audit_event where action like 'job.%' order by id");
  expect(trail).toEqual([
    {
      action: 'job.retried',
      detail: { job: again.id, task: 'again', 'before.tries': 25, 'before.problem': 'it broke' },
    },
    {
      action: 'job.dropped',
      detail: {
        job: never.id,
        task: 'never',
        'before.tries': 25,
        'before.problem': 'it broke',
        note: 'not wanted',
      },
    },
  ]);
});

it('shows what is done again and again, how the last one went, and begins one at once', async () => {
  const ask = await caller(true);
  const log = pino({ level: 'silent' });
  let runs = 0;
  const stops = [
    startLoop('counting', 3_600_000, log, async () => {
      runs += 1;
    }),
    startLoop('breaking', 3_600_000, log, () => Promise.reject(new Error('it broke'))),
  ];
  try {
    await vi.waitFor(() => expect(runs).toBe(1));
    await saveRounds(fixture.deps.databases.jobs);
    const { rounds } = (await ask('GET', 'jobs')).data;
    expect(rounds.map(({ name, problem, isWanted }: never) => [name, problem, isWanted])).toEqual([
      ['breaking', 'it broke', false],
      ['counting', null, false],
    ]);
    expect(rounds[0].state).toBe('failing');
    expect((await ask('POST', 'rounds/counting/run')).status).toBe(204);
    expect((await ask('POST', 'rounds/nothing/run')).code).toBe('round.notFound');
    await saveRounds(fixture.deps.databases.jobs);
    await vi.waitFor(() => expect(runs).toBe(2));
    await saveRounds(fixture.deps.databases.jobs);
    expect(runs).toBe(2);
  } finally {
    for (const stop of stops) await stop();
  }
});
