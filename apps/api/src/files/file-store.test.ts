import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { useStorage } from '../../test/fixtures/s3-server.ts';
import { useFixture } from '../../test/fixtures/test-fixture.ts';
import { type FileStore, FilesUnavailable } from './file-store.ts';
import { openFileStore } from './open-file-store.ts';

const storage = useStorage();
const folder = mkdtempSync(join(tmpdir(), 'files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MB = 1024 * 1024;
async function* pieces(count: number, bytes: number, failsAfter = Number.POSITIVE_INFINITY) {
  for (let n = 0; n < count; n += 1) {
    if (n === failsAfter) throw new Error('the source broke off');
    yield Buffer.alloc(bytes, `piece ${n} `);
  }
}
async function hashOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

describe.each<[string, () => FileStore]>([
  ['file:', () => openFileStore(pathToFileURL(`${folder}/`))],
  ['s3:', () => openFileStore(new URL('s3://bills/some/prefix'), storage.settings)],
])('files at %s', (_, open) => {
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of open().list()) found.push(key);
    return found.sort((a, b) => (a < b ? -1 : 1));
  };
  const sizeOf = async (key: string) => {
    const stored = await open().read(key);
    stored?.content.destroy();
    return stored?.sizeBytes;
  };
  const write = (key: string, ...of: Parameters<typeof pieces>) => open().write(key, pieces(...of));

  it('are written, read, replaced, listed and deleted', async () => {
    expect(await open().read('reports/a.csv')).toBeUndefined();
    expect(await write('reports/a.csv', 2, 10)).toBe(20);
    expect(await write('usage-archive/2025-01/records.tsv.gz', 1, 3)).toBe(3);
    const stored = await open().read('reports/a.csv');
    expect(stored?.sizeBytes).toBe(20);
    expect(await hashOf(stored?.content ?? pieces(0, 0))).toBe(await hashOf(pieces(2, 10)));
    const stamps = async () => {
      for await (const { key, stamp, sizeBytes } of open().list())
        if (key === 'reports/a.csv') return `${stamp} ${sizeBytes}`;
      return undefined;
    };
    const before = await stamps();
    await write('reports/a.csv', 1, 21);
    expect(await stamps()).not.toBe(before);
    expect(await keys()).toEqual(['reports/a.csv', 'usage-archive/2025-01/records.tsv.gz']);
    await open().delete('reports/a.csv');
    await open().delete('reports/a.csv');
    await open().delete('usage-archive/2025-01/records.tsv.gz');
    expect(await keys()).toEqual([]);
    expect(await open().fault()).toBeUndefined();
  });

  it('of any size come back as they were', async () => {
    expect(await write('big.bin', 18, MB)).toBe(18 * MB);
    expect(await hashOf((await open().read('big.bin'))?.content ?? pieces(0, 0))).toBe(
      await hashOf(pieces(18, MB)),
    );
    expect(await write('none.bin', 0, 0)).toBe(0);
    expect(await sizeOf('none.bin')).toBe(0);
    for (const key of ['big.bin', 'none.bin']) await open().delete(key);
  });

  it.each([
    ['small', 2, 10],
    ['large', 18, MB],
  ])('are not there where their source breaks off, and one before stays: %s', async (_size, count, bytes) => {
    await expect(write('new.bin', count, bytes, count - 1)).rejects.toThrow('broke off');
    expect(await keys()).toEqual([]);
    await write('old.bin', 1, 5);
    await expect(write('old.bin', count, bytes, count - 1)).rejects.toThrow('broke off');
    expect(await sizeOf('old.bin')).toBe(5);
    await open().delete('old.bin');
  });

  it('have keys of ours only', async () => {
    for (const key of ['../a.csv', '/a.csv', 'a', 'a//b.csv'])
      await expect(async () => open().read(key)).rejects.toThrow(RangeError);
  });
});

describe('a storage that cannot be used', () => {
  const fixture = useFixture({ env: () => storage.env('server') });
  const faultOf = (over: object, bucket = 'bills') =>
    openFileStore(new URL(`s3://${bucket}/x`), { ...storage.settings, ...over }).fault();

  it('says why', async () => {
    expect(await faultOf({}, 'other')).toBe('there is no bucket other (FILES_URL)');
    expect(await faultOf({ secretAccessKey: 'wrong' })).toContain('AWS_SECRET_ACCESS_KEY');
    expect(await faultOf({ accessKeyId: 'wrong' })).toContain('AWS_ACCESS_KEY_ID');
    expect(await faultOf({ endpoint: 'http://127.0.0.1:9' })).toContain('cannot be reached');
  });

  it('makes a server not ready, and is a 503 to who wants a file: nothing is lost', async () => {
    const ready = async () => {
      const answer = await fixture.app.inject('/readyz');
      return { status: answer.statusCode, disk: answer.json().checks.disk };
    };
    expect(await ready()).toEqual({ status: 200, disk: 'ok' });
    storage.removeBucket();
    await expect
      .poll(ready, { timeout: 15_000 })
      .toEqual({ status: 503, disk: 'there is no bucket bills (FILES_URL)' });
    const { config } = fixture.deps;
    const files = openFileStore(config.filesUrl, config.s3);
    await expect(files.write('a.csv', pieces(1, 1))).rejects.toThrow(FilesUnavailable);
    await expect(files.read('a.csv')).rejects.toThrow(FilesUnavailable);
  });
});
