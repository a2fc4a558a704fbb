import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { money } from '@counterfoil/domain/money/money.ts';
import type { ListedCharge } from '@counterfoil/gateways/port/gateway.ts';
import { newGatewayRef, remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBackupFile } from '../../src/backup/backup-file.ts';
import type { Lock, Opener } from '../../src/backup/locked.ts';
import { newKeyPair } from '../../src/backup/locked.ts';
import type { BackupManifest } from '../../src/backup/manifest.ts';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { verifyBackup } from '../../src/backup/verify-backup.ts';
import { noticeRestored } from '../../src/features/payments/pause/restored.ts';
import { scanPaused } from '../../src/features/payments/pause/scan.ts';
import { ensureMonths } from '../../src/features/usage/months/months.ts';
import type { FileStore } from '../../src/files/file-store.ts';
import { openFileStore } from '../../src/files/open-file-store.ts';
import { keepKeyCheck } from '../../src/key-check.ts';
import { newTenant, signInAt, type Tenant } from '../access-matrix/tenants.ts';
import { addRareThings } from '../fixtures/paying/rare-things.ts';
import { useFixture } from '../fixtures/test-fixture.ts';

const SECRET_KEY = 'cd'.repeat(32);
const folder = mkdtempSync(join(tmpdir(), 'backup-test-'));
const storeAt = (name: string): FileStore => openFileStore(pathToFileURL(`${join(folder, name)}/`));
const filesUrlOf = (name: string) => ({ FILES_URL: pathToFileURL(`${join(folder, name)}/`).href });

const fixture = useFixture({ secretKey: SECRET_KEY, env: () => filesUrlOf('files') });
const empty = useDatabase();
const restored = useFixture({
  database: empty,
  secretKey: SECRET_KEY,
  clock: fixture.clock,
  env: () => filesUrlOf('restored'),
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const unlocked = { keys: [], passphrase: undefined };

/** Every table as the catalogue of the standard knows it, the partitions of one too: count and hash of its rows. */
async function everything(url: string, snapshot?: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read');
    if (snapshot !== undefined) await client.query(`set transaction snapshot '${snapshot}'`);
    const { rows } = await client.query<{ schema: string; name: string }>(
      `select table_schema as schema, table_name as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1, 2`,
    );
    const all: Record<string, string> = {};
    for (const { schema, name } of rows) {
      const { rows: found } = await client.query<{ value: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as value
           from "${schema}"."${name}" t`,
      );
      all[`${schema}.${name}`] = found[0]?.value ?? '';
    }
    return all;
  } finally {
    await client.end();
  }
}

/** Tables that tell of the database itself: which it is, and when the queue's library made its schema. */
const ITS_OWN = ['public.key_check', 'graphile_worker.migrations'];
const compared = (all: Record<string, string>) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !ITS_OWN.includes(name)));

/** Keys, checks and sequences by their names; of a cluster without those of the tables that hold its parts. */
async function structureOf(pool: pg.Pool): Promise<readonly unknown[]> {
  const { rows } = await pool.query(
    `select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as is from pg_constraint
      where connamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and conrelid::regclass::text !~ '_\\d{6}$'
     union all
     select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal
     union all
     select schemaname || '.' || sequencename, 'last', last_value::text from pg_sequences
      where schemaname in ('public', 'graphile_worker') order by 1, 2, 3`,
  );
  return rows;
}

async function filesOf(store: FileStore): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for await (const { key } of store.list()) {
    const hash = createHash('sha256');
    for await (const chunk of (await store.read(key))?.content ?? []) hash.update(chunk as Buffer);
    all[key] = hash.digest('hex');
  }
  return all;
}

let tenant: Tenant;
let resellerId = 0;
let atSnapshot: Record<string, string> = {};
let filesThen: Record<string, string> = {};
let writes = 0;
let takenAt = new Date(0);
let keys = { publicKey: '', secretKey: '' };
const path = join(folder, 'a.tar.age');

beforeAll(async () => {
  const { reseller, accountId } = await fixture.seedPayer();
  resellerId = reseller.id;
  tenant = await newTenant(fixture, reseller.id, 'whole');
  await addRareThings(fixture, { ...tenant, resellerId: reseller.id, accountId, mark: 'whole' });
  const { databases, secrets } = fixture.deps;
  await fixture.database.pool().query('delete from payment_pause');
  await ensureMonths(databases.web, ['2025-11-01', '2026-01-01']);
  // As closing a month leaves it: its rows are there, and no other may come.
  await fixture.database
    .pool()
    .query('alter table usage_record_2026_01 add constraint month_closed check (false) not valid');
  await keepKeyCheck(databases.web, secrets);
  await noticeRestored(databases.web, fixture.clock.now());
  const files = storeAt('files');
  for (const n of [1, 2, 3])
    await files.write(`reports/a-${n}.csv`, Readable.from([Buffer.alloc(n * 100_000, `line ${n}\n`)]));
  keys = await newKeyPair();
});

const source = (onSnapshot?: (name: string) => Promise<void>, files = storeAt('files')) => ({
  databaseUrl: fixture.database.url,
  files,
  ...(onSnapshot === undefined ? {} : { onSnapshot }),
});
const write = (lock: Lock, to: string, from = source()) => writeBackupFile(from, lock, to, new Date());
const target = (name: string) => ({
  databaseUrl: empty.url,
  files: storeAt(name),
  dataDir: restored.deps.config.dataDir,
});

describe('a backup, restored', () => {
  const opener = (): Opener => ({ keys: [keys.secretKey], passphrase: undefined });
  let manifest: BackupManifest;

  it('is made while everything is written to, and is whole', async () => {
    let isOver = false;
    const goOn = async () => {
      while (!isOver) {
        await fixture.make.invoice({ customerId: tenant.customerId, resellerId });
        writes += 1;
      }
    };
    // The moment of a cluster can be told to nobody else: there they write once it was looked at.
    let writer = clusterUrl() === undefined ? goOn() : undefined;
    const onSnapshot = async (name: string) => {
      atSnapshot = await everything(fixture.database.url, name);
      writer ??= goOn();
      filesThen = await filesOf(storeAt('files'));
      const now = writes;
      // Later writes are not in it, nor files of after the snapshot.
      await expect.poll(() => writes).toBeGreaterThan(now + 3);
      await storeAt('files').write('reports/late.csv', Readable.from([Buffer.from('late')]));
    };
    const lock = { keys: [keys.publicKey], passphrase: undefined };
    const written = await write(lock, path, source(onSnapshot));
    isOver = true;
    await writer;
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/\.part$/));
    manifest = await verifyBackup(path, opener());
    expect(manifest).toEqual(written.manifest);
    takenAt = new Date(manifest.takenAt);
    expect(Object.keys(compared(atSnapshot)).length).toBeGreaterThan(100);
    expect(compared(await everything(fixture.database.url))).not.toEqual(compared(atSnapshot));
  });

  it('broken off while it was restored, it is begun again', async () => {
    const files = storeAt('restored');
    let left = 2;
    const cut: FileStore = {
      ...files,
      write: (key, content) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('killed')) : files.write(key, content);
      },
    };
    const into = { ...target('restored'), files: cut };
    await expect(restoreBackup(path, opener(), manifest, into)).rejects.toThrow('killed');
    expect(Object.keys(await filesOf(files))).not.toEqual([]);
    await restoreBackup(path, opener(), manifest, target('restored'));
  });

  it('has every table and every file as they were at the snapshot', async () => {
    expect(compared(await everything(empty.url))).toEqual(compared(atSnapshot));
    expect(await structureOf(empty.pool())).toEqual(await structureOf(fixture.database.pool()));
    expect(await filesOf(storeAt('restored'))).toEqual(filesThen);
    await expect(restoreBackup(path, opener(), manifest, target('restored'))).rejects.toThrow('in use');
  });

  it('lets people in, and takes no payment before the gateway was scanned for what was paid since', async () => {
    const { web } = restored.deps.databases;
    const now = fixture.clock.now();
    expect(await keepKeyCheck(web, restored.deps.secrets)).toBe('fits');
    expect(await noticeRestored(web, now)).toEqual({ accounts: 1, since: takenAt });
    expect(await noticeRestored(web, now)).toBeUndefined();
    expect(await signInAt(restored, tenant.userId, 'test')).toMatchObject({
      access_token: expect.any(String),
    });
    const body = { uid: tenant.payLink, invoiceAmount: '110.00', invoiceNumber: tenant.invoiceNumber };
    const pay = async () =>
      (
        await restored.app.inject({
          method: 'POST',
          url: '/v1/ec/pay',
          payload: { ...body, cardToken: 'tok_x' },
        })
      ).json();
    expect(await pay()).toMatchObject({ code: 'payments.paused' });
    const ref = newGatewayRef();
    const amount = money(11_000n, 'USD');
    const forgotten: ListedCharge = {
      ref,
      amount,
      kind: 'card',
      at: now,
      labels: { customer: tenant.customerId, invoice: tenant.invoiceNumber },
      outcome: { is: 'succeeded', remote: remoteId(`r_${ref}`), captured: amount, state: {} },
    };
    restored.gateway.onListCharges = async function* () {
      yield forgotten;
    };
    expect(await scanPaused(restored.engine)).toBe(1);
    const { rows } = await empty
      .pool()
      .query('select status, due_minor::int as due from invoice where number = $1', [tenant.invoiceNumber]);
    expect(rows).toEqual([{ status: 11, due: 0 }]);
    const { charge } = restored.gateway.calls;
    expect(await pay()).not.toMatchObject({ code: 'payments.paused' });
    expect(restored.gateway.calls.charge).toBe(charge);
  });
});

describe('what is not whole', () => {
  const plain = join(folder, 'plain.tar');
  let bytes = Buffer.alloc(0);
  beforeAll(async () => {
    await write(unlocked, plain);
    bytes = readFileSync(plain);
  });
  const verified = (content: Buffer, opener: Opener = unlocked) => {
    const file = join(folder, 'broken');
    writeFileSync(file, content);
    return verifyBackup(file, opener);
  };
  const flippedAt = (at: number) => {
    const content = Buffer.from(bytes);
    content[at] = (content[at] ?? 0) ^ 1;
    return content;
  };

  it.each([
    ['head.json', 'head.json'],
    ['a name', 'files/reports/a-2.csv', 0],
    ['a file', 'files/reports/a-2.csv'],
    ['rows', 'tables/public/invoice/'],
    ['manifest.json', 'manifest.json'],
    ['its sum', 'manifest.sha256'],
  ])('is told of: a byte of %s', async (_, part, from = 512 + 20) => {
    await expect(verified(flippedAt(bytes.indexOf(part) + from))).rejects.toThrow('it');
  });

  it.each([0, 1, 600, -20_000, -3_000, -1_536])('is told of: cut at %s', async (at) => {
    await expect(verified(bytes.subarray(0, at))).rejects.toThrow('it');
  });

  it('is told of where it is encrypted, whatever byte was changed', async () => {
    const locked = readFileSync(path);
    const opener = { keys: [keys.secretKey], passphrase: undefined };
    for (const at of [3, 200, locked.length >> 1, locked.length - 2]) {
      const content = Buffer.from(locked);
      content[at] = (content[at] ?? 0) ^ 1;
      await expect(verified(content, opener)).rejects.toThrow('it');
    }
    await expect(verified(locked.subarray(0, locked.length - 70_000), opener)).rejects.toThrow('it');
    await expect(verified(locked, unlocked)).rejects.toThrow('--key-file');
    const other = await newKeyPair();
    await expect(verified(locked, { keys: [other.secretKey], passphrase: undefined })).rejects.toThrow(
      'does not open',
    );
  });

  it('never has a backup’s name: one that breaks off leaves nothing', async () => {
    const files = storeAt('files');
    const broken: FileStore = { ...files, read: () => Promise.reject(new Error('the disk is gone')) };
    const to = join(folder, 'never.tar');
    await expect(write(unlocked, to, source(undefined, broken))).rejects.toThrow('the disk is gone');
    expect((await readdir(folder)).filter((name) => name.includes('never'))).toEqual([]);
  });

  it('takes nothing’s place', async () => {
    await expect(write(unlocked, plain)).rejects.toThrow('there already');
  });
});
