import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, csvDecimal, csvRow, startsFormula } from './csv.ts';

/** A reader of our own after RFC 4180, to read back what is written. */
function readLine(line: string): string[] {
  const cells: string[] = [];
  let rest = line.replace(/\r\n$/, '');
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const cell = quoted?.[0] ?? /^[^,]*/.exec(rest)?.[0] ?? '';
    cells.push(quoted === null ? cell : (quoted[1] ?? '').replaceAll('""', '"'));
    rest = rest.slice(cell.length);
    if (!rest.startsWith(',')) return cells;
    rest = rest.slice(1);
  }
}

describe('csvCell', () => {
  it.each([
    ['plain', '"plain"'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['', '""'],
    [' kept ', '" kept "'],
    ['=1+1', '"\'=1+1"'],
    ['+491234', '"\'+491234"'],
    ['-5', '"\'-5"'],
    ['@SUM(A1)', '"\'@SUM(A1)"'],
    ['\tx', '"\'\tx"'],
    ['\rx', '"\'\rx"'],
    ['\nx', '"\'\nx"'],
    [' =1', '"\' =1"'],
    ['\u00a0=1', '"\'\u00a0=1"'],
    ['\ufeff=1', '"\'\ufeff=1"'],
    ['\u200b \u2003+1', '"\'\u200b \u2003+1"'],
    ['\ufeffx', '"\ufeffx"'],
    ['＝1', '"\'＝1"'],
    ['＋1', '"\'＋1"'],
    ['－1', '"\'－1"'],
    ['＠A1', '"\'＠A1"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['2 – 3', '"2 – 3"'],
    ['a=b', '"a=b"'],
    [-5, '-5'],
    [0.1, '0.1'],
    [-12n, '-12'],
    [null, ''],
    [Number.NaN, ''],
    [Number.POSITIVE_INFINITY, ''],
    [csvDecimal('-12.50'), '-12.50'],
  ])(
    '%o is written %j [decisions.8.{formula-equals,formula-plus,formula-minus,formula-at,formula-tab,formula-cr,number-stays}]',
    (value, cell) => {
      expect(csvCell(value)).toBe(cell);
    },
  );

  it.each(['', '=1', '1,5', '+1', '1e3', '-', "1'", '1\n'])('does not call %j a decimal', (text) => {
    expect(() => csvDecimal(text)).toThrow(RangeError);
  });
});

describe('csvRow', () => {
  it('ends every line with CRLF and leaves no blank line', () => {
    expect(csvRow(['a', null, 1])).toBe('"a",,1\r\n');
    expect(csvRow([null])).toBe('""\r\n');
    expect(csvRow([null, null])).toBe(',\r\n');
  });

  it('reads back as what was written, and no text starts a formula [decisions.8.{formula-equals,formula-plus,formula-minus,formula-at,formula-tab,formula-cr,number-stays}]', async () => {
    const text = fc.string({
      unit: fc.constantFrom(...'=+-@＝＋－＠\t\r\n\u00a0\ufeff\u200b",\' aé1'),
      maxLength: 8,
    });
    await fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (cells) => {
        const read = readLine(csvRow(cells));
        expect(read).toHaveLength(cells.length);
        for (const [i, cell] of read.entries()) {
          expect(cell).not.toMatch(/^([\t\r\n]|[\s\u200b]*[=+\-@＝＋－＠])/);
          expect([cells[i], `'${cells[i]}`]).toContain(cell);
          expect(cell === cells[i]).toBe(!startsFormula(cells[i] ?? ''));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
