import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvRow, readCsv } from './csv.ts';

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function rowsOf(text: string, size = 7): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const batch of readCsv(pieces(text, size))) rows.push(...batch);
  return rows;
}

const write = (rows: readonly (readonly string[])[], end: string): string =>
  rows.map((row) => `${row.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')}${end}`).join('');

describe('readCsv', () => {
  it('reads back whatever is written, in pieces of any size', async () => {
    const rows = fc.array(
      fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'é') }), { minLength: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom('\n', '\r\n'),
        async (table, size, end) => {
          const read = await rowsOf(write(table, end), size);
          expect(read.map((row) => ('fields' in row ? row.fields : row.fault))).toEqual(table);
        },
      ),
    );
  });

  it('counts lines through quoted line breaks and leaves empty lines out', async () => {
    expect(await rowsOf('a,b\n\n"x\ny",z\nlast,one')).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 3, fields: ['x\ny', 'z'] },
      { line: 5, fields: ['last', 'one'], isOpen: true },
    ]);
  });

  it('gives up one line for a quote that is never closed, not the rest of the file', async () => {
    const text = '"good","1"\n"cut off,"2"\n"good","3"\n"good","4"\n';
    for (const size of [1, 3, 1000]) {
      expect((await rowsOf(text, size)).map((row) => ('fields' in row ? row.fields[1] : 'fault'))).toEqual([
        '1',
        'fault',
        '3',
        '4',
      ]);
    }
  });

  it('says where a half file ends', async () => {
    expect(await rowsOf('"a","b"\n"c","d')).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, fault: 'the line ends inside a quoted field; the file seems cut off' },
    ]);
  });

  it('refuses text after a closing quote and quotes inside plain fields', async () => {
    expect(await rowsOf('"a"b,c\nd"e,f\ng,h\n')).toEqual([
      { line: 1, fault: 'column 1: text after the closing quote' },
      { line: 2, fault: 'a quote inside an unquoted field' },
      { line: 3, fields: ['g', 'h'] },
    ]);
  });

  it('bounds the length of a record', async () => {
    const rows = await rowsOf(
      `${'x'.repeat(300_000)},y\n"${'\n'.repeat(200)}${'z'.repeat(300_000)}\nok,1\n`,
      50_000,
    );
    expect(rows.at(0)).toEqual({ line: 1, fault: 'the record is longer than 65536 characters' });
    expect(rows.at(-1)).toEqual({ line: 203, fields: ['ok', '1'] });
  });

  it('never throws and never hangs on arbitrary text', async () => {
    const noise = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '\0', 'a'), maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(noise, fc.integer({ min: 1, max: 50 }), async (text, size) => {
        const rows = await rowsOf(text, size);
        expect(rows).toEqual(await rowsOf(text, 1000));
        expect(rows.length).toBeLessThanOrEqual(text.split('\n').length);
      }),
    );
  });
});
