import { lstat, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resellerId, useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import { sql } from '../../../db/sql.ts';
import { createSecrets } from '../../../secrets.ts';
import { sampleUbl } from '../invoices/sample-documents.ts';
import { dropFolders } from './drop-folders.ts';
import { folderWatch } from './watch.ts';

const fixture = useImportFixture();

/** A watched folder, and a clock that stands. */
async function watched() {
  const folder = await mkdtemp(join(fixture.folder, 'drop-'));
  let now = new Date('2026-04-01T10:00:00Z').getTime();
  const deps = {
    db: fixture.db,
    files: fixture.files,
    secrets: createSecrets('a key only for this test, long enough'),
    publicUrl: new URL('http://localhost:3000'),
    clock: { now: () => new Date(now) } as never,
  };
  const another = () => folderWatch(deps, { folder, resellerId });
  const watch = another();
  const later = (seconds: number) => {
    now += seconds * 1_000;
  };
  return {
    folder,
    deps,
    another,
    later,
    put: (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content),
    look: () => watch.look(),
    /** Looks until what lies there has been still for long enough. */
    async lookTwice() {
      const first = await watch.look();
      later(6);
      return [...first, ...(await watch.look())];
    },
    in: async (place: string) =>
      (await readdir(join(folder, place))).filter((name) => !name.includes('.report.')),
  };
}

const invoices = async () =>
  (await fixture.db.many<{ number: string }>(sql`select number from invoice order by number`)).map(
    ({ number }) => number,
  );
const imports = async () =>
  (await fixture.db.one<{ n: number }>(sql`select count(*)::int as n from import_file`)).n;

describe('a watched folder', () => {
  it('has each file imported and moved with its report; the same again changes nothing and takes no name away', async () => {
    const { put, lookTwice, folder, in: within } = await watched();
    await put('a b.xml', sampleUbl({ number: 'W-1' }));
    await put('junk.bin', 'x');
    expect(await lookTwice()).toMatchObject([
      { name: 'a b.xml', is: 'done', line: 'All 1 went in.' },
      { name: 'junk.bin', is: 'failed' },
    ]);
    expect([await within('.'), await within('done'), await within('failed')]).toEqual([
      ['.taking', 'done', 'failed'],
      ['a b.xml'],
      ['junk.bin'],
    ]);
    const report = JSON.parse(await readFile(join(folder, 'done/a b.xml.report.json'), 'utf8'));
    expect(report.files).toMatchObject([{ file: join(folder, 'a b.xml'), created: 1 }]);
    expect(await readFile(join(folder, 'failed/junk.bin.report.txt'), 'utf8')).toContain('Quarantined:');
    await put('a b.xml', sampleUbl({ number: 'W-1' }));
    await lookTwice();
    expect(await within('done')).toEqual(['2-a b.xml', 'a b.xml']);
    expect(await invoices()).toEqual(['W-1']);
  });

  it('leaves a file alone while it changes, and one whose name says that it is not whole', async () => {
    const { put, look, later, in: within } = await watched();
    const whole = sampleUbl({ number: 'W-2' });
    await put('slow.xml', whole.slice(0, 500));
    await put('upload.xml.part', whole);
    await look();
    later(4);
    await put('slow.xml', whole.slice(0, 900));
    expect(await look()).toEqual([]);
    later(4);
    expect(await look()).toEqual([]);
    await put('slow.xml', whole);
    expect(await look()).toEqual([]);
    later(6);
    expect(await look()).toMatchObject([{ name: 'slow.xml', is: 'done' }]);
    expect(await within('.')).toContain('upload.xml.part');
    expect(await invoices()).toEqual(['W-2']);
  });

  it('reads no link and works in no folder that is one', async () => {
    const { folder, lookTwice, another, deps } = await watched();
    const outside = await fixture.file(sampleUbl({ number: 'OUTSIDE' }));
    await symlink(outside, join(folder, 'link.xml'));
    expect(await lookTwice()).toMatchObject([
      { name: 'link.xml', is: 'failed', line: expect.stringContaining('a link') },
    ]);
    expect((await lstat(outside)).isFile()).toBe(true);
    expect(await invoices()).toEqual([]);
    const { folder: other, another: watch } = await watched();
    await symlink(folder, join(other, 'done'));
    await expect(watch().look()).rejects.toThrow('is no folder of its own');
    await expect(folderWatch(deps, { folder: join(folder, 'gone'), resellerId }).look()).rejects.toThrow(
      'there is no such folder',
    );
    expect(await another().look()).toEqual([]);
  });

  it('goes on with a file whose import was cut off between import and move, and changes nothing by it', async () => {
    const { folder, look, in: within } = await watched();
    const document = sampleUbl({ number: 'W-3' });
    await fixture.run([await fixture.file(document)]);
    await mkdir(join(folder, '.taking'));
    await writeFile(join(folder, '.taking', 'cut.xml'), document);
    expect(await look()).toMatchObject([{ name: 'cut.xml', is: 'done' }]);
    expect([await within('.taking'), await within('done'), await invoices()]).toEqual([
      [],
      ['cut.xml'],
      ['W-3'],
    ]);
  });

  it('is worked on by one process at a time', async () => {
    const { put, another, later } = await watched();
    const names = Array.from({ length: 6 }, (_, at) => `P-${at}`);
    for (const name of names) await put(`${name}.xml`, sampleUbl({ number: name }));
    const watches = [another(), another(), another()];
    await Promise.all(watches.map((watch) => watch.look()));
    later(6);
    const taken = await Promise.all(watches.map((watch) => watch.look()));
    expect(taken.flat().map(({ is }) => is)).toEqual(names.map(() => 'done'));
    expect([await invoices(), await imports()]).toEqual([names, 6]);
  });
});

it('drop folders are those of known resellers; what is wrong with one is said once and holds no other up', async () => {
  const { deps, later } = await watched();
  const root = await mkdtemp(join(fixture.folder, 'root-'));
  await fixture.query("insert into reseller (id, name) values (7101, 'Southline')");
  for (const name of [`${resellerId}`, '7101', '9999', 'notes']) await mkdir(join(root, name));
  await writeFile(join(root, '7101', 'done'), 'in the way');
  await writeFile(join(root, `${resellerId}`, 'one.xml'), sampleUbl({ number: 'D-1' }));
  const said: string[] = [];
  const log = { info: () => undefined, warn: (_: object, text: string) => said.push(text) } as never;
  const drops = dropFolders({ ...deps, log, root });
  for (const seconds of [6, 6, 0]) {
    await drops.round();
    later(seconds);
  }
  expect(await invoices()).toEqual(['D-1']);
  expect(said).toEqual([expect.stringContaining('a file stands where one of its folders belongs')]);
  expect(await readdir(join(root, '9999'))).toEqual([]);
});
