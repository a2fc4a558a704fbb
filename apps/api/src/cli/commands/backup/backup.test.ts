import { existsSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useStorage } from '../../../../test/fixtures/s3-server.ts';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';
import { receiveTraces } from '../../../../test/fixtures/trace-receiver.ts';
import { refuseOtherSchema } from '../../../backup/restore-backup.ts';
import { readConfig } from '../../../config.ts';
import { readMigrations } from '../../../db/migrate.ts';
import { openFileStore } from '../../../files/open-file-store.ts';

const cli = useCommands();
const { run, json } = cli;
const empty = useDatabase();
const storage = useStorage();
const at = (name: string) => join(cli.folder, name);

beforeEach(() => {
  vi.stubEnv('FILES_URL', `file://${cli.folder}/files/`);
});

describe('backup and restore', () => {
  it('write a file that its key opens, and no other', async () => {
    await json('reseller', 'add', '--id', '4100', '--name', 'Northline');
    const { publicKey } = await json<{ publicKey: string }>('backup', 'key', '--out', at('backup.key'));
    expect((await stat(at('backup.key'))).mode & 0o777).toBe(0o600);
    expect(await run('backup', 'key', '--out', at('backup.key'))).toMatchObject({ code: 1 });
    await json('backup', 'key', '--out', at('other.key'));
    await writeFile(at('keys'), `# ours\n${publicKey}\n`);
    const { file } = await json<{ file: string }>('backup', '--to', cli.folder, '--key', `@${at('keys')}`);
    expect(file).toMatch(/counterfoil-\d{8}T\d{6}Z\.tar\.age$/);
    expect(await json('backup', 'verify', file, '--key-file', at('backup.key'))).toMatchObject({
      isWhole: true,
    });
    expect(await run('backup', 'verify', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--key-file'),
    });
    expect(await run('backup', 'verify', file, '--key-file', at('other.key'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not open'),
    });
    expect(await run('backup', '--to', at('x.tar'), '--key', 'age1nonsense')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no public key'),
    });
    expect((await readdir(cli.folder)).filter((name) => name.includes('x.tar'))).toEqual([]);
  });

  it('take a passphrase instead', async () => {
    await writeFile(at('phrase'), 'a phrase of some words\n');
    const locked = ['--passphrase-file', at('phrase')];
    await json('backup', '--to', at('phrase.age'), ...locked);
    expect(await json('backup', 'verify', at('phrase.age'), ...locked)).toMatchObject({ isWhole: true });
    // Whoever guesses phrases is to take long for each; so does this, on a machine that is busy.
  });

  it('put an installation back, with its own key and where nothing is yet', async () => {
    await json('backup', '--to', at('plain.tar'));
    expect(await run('restore', at('plain.tar'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('in use: '),
    });
    vi.stubEnv('DATABASE_URL', empty.url);
    vi.stubEnv('DATA_DIR', at('elsewhere'));
    vi.stubEnv('SECRET_KEY', 'another key, of another installation');
    expect(await run('restore', at('plain.tar'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('not that of the installation'),
    });
    expect(existsSync(at('elsewhere'))).toBe(false);
    vi.stubEnv('SECRET_KEY', 'a key only for this test, long enough');
    const { code, out } = await run('restore', at('plain.tar'));
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('What to do next') });
    expect(await json('reseller', 'list')).toMatchObject({ resellers: [{ id: 4100, name: 'Northline' }] });
    expect((await json<{ events: { action: string }[] }>('audit')).events[0]).toMatchObject({
      action: 'backup.restored',
    });
  });

  it('are traced where it is wished: tables and files, and nothing of anybody', async () => {
    const collector = await receiveTraces();
    const traced = { ...storage.env('traced'), OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
    for (const [name, value] of Object.entries(traced)) vi.stubEnv(name, value);
    const { filesUrl, s3 } = readConfig(traced);
    await openFileStore(filesUrl, s3).write('imports/of-mia.csv', Readable.from([Buffer.from('Mia')]));
    await json('backup', '--to', at('traced.tar'));
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', undefined);
    await collector.stop();
    const { spans } = collector;
    const named = (name: string) => spans.find((span) => span.name === name);
    const command = named('command backup');
    expect(command).toMatchObject({ parent: '', resource: { 'counterfoil.process': 'command' } });
    expect(new Set(spans.map(({ trace }) => trace)).size).toBe(1);
    expect(named('read file')).toMatchObject({ parent: named('back up files')?.id, kind: 3, facts: {} });
    expect(named('list files')).toMatchObject({ kind: 3, facts: {} });
    const tables = spans.filter(({ name }) => name === 'back up table');
    expect(tables.map(({ parent }) => parent)).toEqual(tables.map(() => command?.id));
    expect(tables.map(({ facts }) => facts['db.collection.name'])).toContain('invoice');
    for (const secret of ['mia', 'Mia', storage.bucket]) expect(collector.text()).not.toContain(secret);
  });

  it('refuse a backup of a later version', async () => {
    const migrations = [...(await readMigrations()).map(({ checksum }) => checksum), 'of a later version'];
    const head = { format: 1, version: '9.9.9', migrations, queue: 20, keyCheck: null };
    await expect(refuseOtherSchema(head)).rejects.toThrow('install that version');
    await expect(refuseOtherSchema({ ...head, migrations: ['other'] })).rejects.toThrow('differs');
  });
});
