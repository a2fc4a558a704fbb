import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakePortal } from '@counterfoil/testing/fake-portal.ts';
import { afterAll, expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const dist = mkdtempSync(join(tmpdir(), 'health-'));
cpSync(fakePortal(), dist, { recursive: true });
afterAll(() => rmSync(dist, { recursive: true, force: true }));
const fixture = useFixture({ dist: () => dist });
const ready = async () => {
  const answer = await fixture.app.inject('/readyz');
  return { status: answer.statusCode, checks: answer.json<{ checks: object }>().checks };
};
const query = (text: string) => fixture.database.pool().query(text);

it('is not ready while a page cannot be served, or no job be left', async () => {
  const checks = { process: 'ok', database: 'ok', disk: 'ok', portal: 'ok' };
  expect(await ready()).toMatchObject({ status: 200, checks });
  for (const name of ['assets', 'pay.html']) {
    renameSync(join(dist, name), join(dist, 'away'));
    expect(await ready()).toMatchObject({ status: 503, checks: { ...checks, portal: 'not built' } });
    renameSync(join(dist, 'away'), join(dist, name));
  }
  await query('alter schema graphile_worker rename to away');
  expect(await ready()).toMatchObject({ status: 503, checks: { ...checks, database: 'no job queue' } });
  await query('alter schema away rename to graphile_worker');
  expect(await ready()).toMatchObject({ status: 200, checks });
});
