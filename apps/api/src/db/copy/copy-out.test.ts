import { text } from 'node:stream/consumers';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { expect, it } from 'vitest';
import { Database } from '../database.ts';
import { copyOut } from './copy-out.ts';

const database = useDatabase();

it('gives what is copied, and leaves nothing that goes off later', async () => {
  const statementTimeoutMs = 60_000;
  const db = new Database({ url: database.url, name: 'copy', max: 1, statementTimeoutMs });
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const copied = await db.withConnection((client) => text(copyOut(client, "copy (select 'a', 1) to stdout")));
  expect(copied).toBe('a\t1\n');
  await db.end();
  expect(timers()).toBeLessThanOrEqual(before);
});
