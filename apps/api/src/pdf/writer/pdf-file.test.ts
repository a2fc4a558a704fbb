import { describe, expect, it } from 'vitest';
import { PdfFile } from './pdf-file.ts';
import { colourOperands, dateString, num, textString } from './syntax.ts';

describe('syntax', () => {
  it.each([
    [0, '0'],
    [-0.001, '0'],
    [1.005, '1'],
    [12.346, '12.35'],
    [-3.5, '-3.5'],
    [1e7, '10000000'],
  ])('writes %d as %s', (value, expected) => {
    expect(num(value)).toBe(expected);
  });

  it.each([
    ['plain', '(plain)'],
    ['a(b)\\c', '(a\\(b\\)\\\\c)'],
    ['é', '<feff00e9>'],
    ['🎉', '<feffd83cdf89>'],
    ['line\nbreak', '<feff006c0069006e0065000a0062007200650061006b>'],
  ])('writes the text %s as %s', (text, expected) => {
    expect(textString(text)).toBe(expected);
  });

  it.each([
    ['2026-11-05T08:00:00Z', '(D:20261105080000Z)'],
    ['2026-11-05T10:00:00+02:00', '(D:20261105080000Z)'],
    ['nonsense', '(D:19700101000000Z)'],
    ['-000001-01-01T00:00:00Z', '(D:19700101000000Z)'],
  ])('writes the date %s as %s', (iso, expected) => {
    expect(dateString(iso)).toBe(expected);
  });

  it('writes colours as fractions and anything else as black', () => {
    expect(colourOperands('#ff8000')).toBe('1 0.502 0');
    expect(colourOperands('red; q')).toBe('0 0 0');
  });
});

describe('file', () => {
  const write = (): Uint8Array => {
    const file = new PdfFile();
    file.reserve();
    const stream = file.compressed('/Type/Test', 'content');
    const root = file.object(`<</Type/Catalog/Test ${stream} 0 R>>`);
    return file.finish(root, file.object('<</Title(x)>>'));
  };

  it('points to its cross-reference stream', () => {
    const text = Buffer.from(write()).toString('latin1');
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    expect(text.slice(start)).toMatch(/^\d+ 0 obj\n<<\/Type\/XRef/);
    expect(text.startsWith('%PDF-1.7\n')).toBe(true);
  });

  it('is the same every time', () => {
    expect(Buffer.compare(write(), write())).toBe(0);
  });
});
