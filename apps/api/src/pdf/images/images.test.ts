import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PdfFile } from '../writer/pdf-file.ts';
import { readJpeg } from './jpeg.ts';
import { readLogo } from './logo.ts';
import { readPng } from './png.ts';
import { unfilter } from './png-filter.ts';
import { readSvg } from './svg.ts';
import { paintOf } from './svg-paint.ts';
import { pathOperators } from './svg-path.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function chunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

function png(
  [width, height, bits, colourType]: readonly [number, number, number, number],
  rows: readonly (readonly number[])[],
  extra: readonly Buffer[] = [],
  interlace = 0,
): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([bits, colourType, 0, 0, interlace], 8);
  const data = deflateSync(Uint8Array.from(rows.flat()));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const count = (file: Uint8Array): number => {
  const pdf = new PdfFile();
  readPng(file).write(pdf);
  return pdf.reserve() - 1;
};

describe('PNG', () => {
  it.each([
    [
      'grey, 1 bit',
      png(
        [3, 2, 1, 0],
        [
          [0, 0b10100000],
          [0, 0b01000000],
        ],
      ),
    ],
    ['grey, 16 bit', png([1, 1, 16, 0], [[0, 1, 2]])],
    ['colour', png([1, 1, 8, 2], [[0, 1, 2, 3]])],
    ['palette', png([2, 1, 4, 3], [[0, 0x01]], [chunk('PLTE', Uint8Array.from([1, 2, 3, 4, 5, 6]))])],
    ['colour with opaque alpha', png([1, 1, 8, 6], [[0, 1, 2, 3, 255]])],
  ])('%s becomes one picture', (_kind, file) => {
    expect(count(file)).toBe(1);
  });

  it.each([
    ['colour with alpha', png([1, 1, 8, 6], [[0, 1, 2, 3, 128]])],
    ['grey with alpha', png([1, 1, 8, 4], [[0, 1, 0]])],
    [
      'a transparent palette entry',
      png(
        [1, 1, 8, 3],
        [[0, 0]],
        [chunk('PLTE', Uint8Array.from([1, 2, 3])), chunk('tRNS', Uint8Array.from([0]))],
      ),
    ],
    [
      'a transparent colour',
      png([1, 1, 8, 2], [[0, 1, 2, 3]], [chunk('tRNS', Uint8Array.from([0, 1, 0, 2, 0, 3]))]),
    ],
  ])('%s becomes a picture with a mask', (_kind, file) => {
    expect(count(file)).toBe(2);
  });

  it('undoes every filter', () => {
    const raw = Uint8Array.from([0, 1, 2, 1, 1, 2, 2, 1, 2, 3, 1, 2, 4, 1, 2]);
    expect([...unfilter(raw, 2, 5, 1)]).toEqual([1, 2, 1, 3, 2, 5, 2, 5, 3, 7]);
  });

  it.each([
    ['cut off', png([1, 1, 8, 2], [[0, 1, 2, 3]]).subarray(0, 40)],
    ['too short inside', png([9, 9, 8, 2], [[0, 1, 2, 3]])],
    ['interlaced', png([1, 1, 8, 2], [[0, 1, 2, 3]], [], 1)],
    ['enormous', png([60_000, 60_000, 8, 2], [[0]])],
    ['no PNG', bytes('GIF89a')],
  ])('refuses one that is %s', (_kind, file) => {
    expect(() => readPng(file)).toThrow();
  });
});

describe('JPEG', () => {
  const jpeg = (components: number, bits = 8): Uint8Array =>
    Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, bits, 0, 10, 0, 40, components]);

  it.each([1, 3, 4])('reads size and colour space of %i components', (components) => {
    expect(readJpeg(jpeg(components)).ratio).toBe(4);
  });

  it.each([
    ['two components', jpeg(2)],
    ['12 bits', jpeg(3, 12)],
    ['a cut', jpeg(3).subarray(0, 9)],
    ['another kind', bytes('hello, world')],
  ])('refuses %s', (_kind, file) => {
    expect(() => readJpeg(file)).toThrow();
  });
});

describe('SVG', () => {
  it.each([
    ['M1 2L3 4z', '1 2 m\n3 4 l\nh\n'],
    ['m1 2 3 4h-1v2', '1 2 m\n4 6 l\n3 6 l\n3 8 l\n'],
    ['M0 0C1 1 2 2 3 3S5 5 6 6', '0 0 m\n1 1 2 2 3 3 c\n4 4 5 5 6 6 c\n'],
    ['M0 0Q3 3 6 0T12 0', '0 0 m\n2 2 4 2 6 0 c\n8 -2 10 -2 12 0 c\n'],
    ['M-.5.5-1-1', '-0.5 0.5 m\n-1 -1 l\n'],
    ['M0 0a1 1 0 014 0', '0 0 m\n0 -1.1 0.9 -2 2 -2 c\n3.1 -2 4 -1.1 4 0 c\n'],
    ['M0 0A0 5 0 0 1 4 0', '0 0 m\n0 0 4 0 4 0 c\n'],
    ['M1 1L2', '1 1 m\n'],
    ['nonsense', ''],
  ])('path %s', (data, expected) => {
    expect(pathOperators(data)).toBe(expected);
  });

  it.each([
    ['#f80', '#ff8800'],
    ['rgb(255, 0, 16)', '#ff0010'],
    ['url(#gradient)', '#000000'],
    ['none', undefined],
  ])('fill %s is %s', (fill, expected) => {
    expect(paintOf({ fill }).fill).toBe(expected);
    expect(paintOf({ style: `fill: ${fill}` }).fill).toBe(expected);
  });

  it('draws shapes, groups and transforms', () => {
    const source = `<svg viewBox="0 0 20 10"><g transform="translate(1 2) rotate(90)" fill="#fff"><rect x="1" y="1" width="4"
      height="4" rx="1"/><circle cx="5" cy="5" r="2" stroke="red"/><polygon points="0,0 1,1 2,0"/></g></svg>`;
    const art = readSvg(bytes(source));
    expect(art.ratio).toBe(2);
    expect(art.write(new PdfFile())).toBe(1);
  });

  it.each([
    ['nothing to draw', '<svg viewBox="0 0 1 1"><script>alert(1)</script><image href="x"/></svg>'],
    ['no size', '<svg><path d="M0 0L1 1"/></svg>'],
    ['no SVG', '<html></html>'],
    ['entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 0 0"/>'],
  ])('refuses a file with %s', (_kind, source) => {
    expect(() => readSvg(bytes(source))).toThrow();
  });
});

describe('logo', () => {
  it.each(['png', 'jpeg', 'svg'] as const)('that is no %s is left out', (type) => {
    expect(readLogo({ type, data: bytes('something else') })).toBeUndefined();
  });
});
