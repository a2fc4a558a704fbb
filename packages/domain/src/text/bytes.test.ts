import { expect, it } from 'vitest';
import { formatBytes } from './bytes.ts';

it.each([
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1024 ** 2 - 1, '1 MB'],
  [1024 ** 2, '1 MB'],
  [1.234 * 1024 ** 3, '1.23 GB'],
  [126 * 1024 ** 3, '126 GB'],
  [1024 ** 4, '1 TB'],
  [5000 * 1024 ** 4, '5000 TB'],
  [2n ** 40n, '1 TB'],
  [-1536, '-1.5 KB'],
  [-0.001, '0 B'],
  [Number.NaN, '–'],
  [Number.NEGATIVE_INFINITY, '–'],
])('%s bytes are %s [portal.format.constant.bytes]', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
