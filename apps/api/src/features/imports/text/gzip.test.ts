import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sampleCamt } from '../../../../test/fixtures/bank/sample-camt.ts';
import { counts, useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import { sampleCall, sampleUbl } from '../invoices/sample-documents.ts';
import { gunzipped } from './gzip.ts';

const fixture = useImportFixture();
const MIB = 1024 ** 2;

describe('a file packed with gzip', () => {
  it('is what it is unpacked, under its own name, of any kind', async () => {
    const contents = [sampleUbl({ number: 'G-1' }), sampleCall(), sampleCamt([{ text: 'x' }])];
    const paths = await Promise.all(contents.map((content) => fixture.file(gzipSync(content))));
    const report = await fixture.run(paths, { customer: fixture.customerId });
    expect(counts(report)).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
    expect(report.files.map(({ file, format }) => [file, format])).toEqual([
      [paths[0], 'ubl'],
      [paths[1], 'asterisk'],
      [paths[2], 'camt.053'],
    ]);
    const plain = await Promise.all(contents.map((content) => fixture.file(content)));
    expect(
      counts(await fixture.run(plain, { customer: fixture.customerId })).map(([created]) => created),
    ).toEqual([0, 0, 0]);
  });

  it('is refused with its reason where it unpacks to far too much, is cut off or is none', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB));
    const whole = gzipSync(sampleUbl());
    const broken = [
      bomb,
      whole.subarray(0, 200),
      Buffer.concat([whole.subarray(0, 10), Buffer.from('nothing')]),
    ];
    const report = await fixture.run(await Promise.all(broken.map((content) => fixture.file(content))));
    expect(report.quarantine.map(({ reason }) => reason)).toEqual([
      'packed with gzip, and it unpacks to more than 250 times its size',
      'packed with gzip, and it is no gzip, or damaged or cut off',
      'packed with gzip, and it is no gzip, or damaged or cut off',
    ]);
  });

  it('is bounded in what it unpacks to, over all its members', async () => {
    const read = async (most: number) => {
      let size = 0;
      const pieces = async function* () {
        yield gzipSync('1234');
        yield gzipSync('5678');
      };
      for await (const piece of gunzipped(pieces(), most)) size += piece.length;
      return size;
    };
    expect(await read(8)).toBe(8);
    await expect(read(7)).rejects.toThrow('more than 7 bytes');
  });
});
