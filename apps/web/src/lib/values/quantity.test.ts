import { expect, it } from 'vitest';
import { formatQuantity } from './quantity.ts';

it.each([
  [416, 'second', '0:06:56'],
  ['4444445', 'SEC', '1,234:34:05'],
  [1_500.25, 'megabyte', '1,500.25\u00a0MB'],
  [1, 'message', '1\u00a0message'],
  [-2, 'message', '\u22122\u00a0messages'],
  [437_189_022, 'byte', '416.94\u00a0MB'],
  [1, 'MON', '1\u00a0month'],
  [12, 'C62', '12'],
  [12, 'KGM', '12\u00a0KGM'],
  [60, null, '60'],
] as const)('%s of %s is shown as %s', (quantity, unit, text) => {
  expect(formatQuantity(quantity, unit)).toBe(text);
});
