import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { writeBackupFile } from '../../../src/backup/backup-file.ts';
import { atOneMoment } from '../../../src/backup/cluster-moment.ts';
import { restoreBackup } from '../../../src/backup/restore-backup.ts';
import { verifyBackup } from '../../../src/backup/verify-backup.ts';
import { checkBooks } from '../../../src/features/books/check.ts';
import { openFileStore } from '../../../src/files/open-file-store.ts';
import { fixture, post, rows } from '../../fixtures/paying/pay-fixture.ts';
import { useFixture } from '../../fixtures/test-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const storeAt = (name: string) => openFileStore(pathToFileURL(`${join(folder, name)}/`));
const empty = useDatabase();
const restored = useFixture({ database: empty, clock: fixture.clock });
const unlocked = { keys: [], passphrase: undefined };

/** Two customers whose rows are on two machines. */
async function twoApart(): Promise<readonly [string, string]> {
  for (;;) {
    const [{ customer: one }, { customer: other }] = [await fixture.seedPayer(), await fixture.seedPayer()];
    const [found] = await rows<{ are: boolean }>(
      `select (select nodeport from citus_shards where shardid = get_shard_id_for_distribution_column('customer', $1::uuid))
           <> (select nodeport from citus_shards where shardid = get_shard_id_for_distribution_column('customer', $2::uuid)) as are`,
      [one.id, other.id],
    );
    if (found?.are) return [one.id, other.id];
  }
}

describe.skipIf(clusterUrl() === undefined)('a backup of a cluster', () => {
  it('has all machines at one moment: what concerns two of them is committed before it or after it, whole', async () => {
    const [one, other] = await twoApart();
    // A customer for each writer, so that none waits for another's row.
    const more = await Promise.all([fixture.seedPayer(), fixture.seedPayer(), fixture.seedPayer()]);
    const [b, c, d] = more.map(({ customer }) => customer.id) as [string, string, string];
    const committed: string[] = [];
    const write = async (name: string, ...texts: string[]) => {
      const client = new pg.Client({ connectionString: fixture.database.url });
      await client.connect();
      await client.query('begin');
      for (const text of texts) await client.query(text);
      await client.query('commit');
      committed.push(name);
      await client.end();
    };
    const label = (name: string, customer: string) =>
      `update customer set label = '${name}' where customer_id = '${customer}'`;
    const reader = new pg.Client({ connectionString: fixture.database.url });
    await reader.connect();
    await reader.query('begin isolation level repeatable read, read only');
    const writing: Promise<void>[] = [];
    await atOneMoment(reader, fixture.database.url, async () => {
      writing.push(write('two workers', label('A', one), label('A', other)));
      writing.push(
        write(
          'worker and coordinator',
          label('B', b),
          'insert into event_cursor values (gen_random_uuid(), null, now())',
        ),
      );
      // Keys lead from it into a table that each machine has whole, so Citus keeps it.
      writing.push(write('worker and a table kept by Citus', label('D', d), 'delete from api_key'));
      await expect.poll(() => committed).toEqual([]);
      await write('one worker', label('C', c));
      await sleep(500);
      expect(committed).toEqual(['one worker']);
    });
    await Promise.all(writing);
    expect(committed).toHaveLength(4);
    const { rows: seen } = await reader.query('select label from customer where label = any($1)', [
      ['A', 'B', 'D'],
    ]);
    expect(seen).toEqual([]);
    await reader.end();
  });

  it('made while people pay, and restored, has the books whole and every reference with its payment', async () => {
    const { databases } = fixture.deps;
    const people = await Promise.all(Array.from({ length: 6 }, () => fixture.seedPayer()));
    let isOver = false;
    let paid = 0;
    const goOn = async ({ customer }: (typeof people)[number]) => {
      while (!isOver) {
        const { token, number } = await fixture.seedPayable(customer);
        await rows('delete from rate_limit', []);
        const details = { uid: token, invoiceAmount: '110.00', invoiceNumber: number, cardToken: 'tok_visa' };
        expect((await post('/v1/ec/pay', details)).json()).toMatchObject({ data: { status: 'succeeded' } });
        paid += 1;
      }
    };
    const going = Promise.all(people.map(goOn));
    await expect.poll(() => paid, { timeout: 20_000 }).toBeGreaterThan(10);
    const path = join(folder, 'a.tar');
    const source = { databaseUrl: fixture.database.url, files: storeAt('files') };
    await writeBackupFile(source, unlocked, path, fixture.clock.now());
    isOver = true;
    await going;
    const target = {
      databaseUrl: empty.url,
      files: storeAt('restored'),
      dataDir: restored.deps.config.dataDir,
    };
    await restoreBackup(path, unlocked, await verifyBackup(path, unlocked), target);
    const { exports, web } = restored.deps.databases;
    const count = async (db: typeof web, table: string) =>
      Number((await db.pool.query(`select count(*) as n from ${table}`)).rows[0].n);
    const had = await count(web, 'capture');
    expect(had).toBeGreaterThan(10);
    expect(had).toBeLessThan(await count(databases.web, 'capture'));
    expect((await checkBooks(exports)).filter(({ broken }) => broken > 0)).toEqual([]);
    for (const [here, there] of [
      ['attempt', 'attempt_ref'],
      ['invoice_pay_link', 'pay_link'],
      ['pay_session', 'pay_session_ref'],
    ] as const)
      expect([there, await count(web, there)]).toEqual([there, await count(web, here)]);
  }, 120_000);
});
