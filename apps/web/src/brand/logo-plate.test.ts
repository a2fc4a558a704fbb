import { describe, expect, it } from 'vitest';
import { plateFor, ratioOf } from './logo-plate.ts';

const pixels = (...rgba: readonly (readonly number[])[]) => Uint8ClampedArray.from(rgba.flat());
const white = [255, 255, 255, 255];
const blue = [0, 94, 128, 255];
const black = [0, 0, 0, 255];
const pale = [255, 240, 160, 255];
const header = [0, 94, 128] as const;
const clear = [255, 255, 255, 0];

describe('plate behind a logo', () => {
  it('measures contrast as WCAG does', () => {
    expect(ratioOf([255, 255, 255], [0, 0, 0])).toBeCloseTo(21, 5);
    expect(ratioOf([255, 255, 255], [53, 152, 219])).toBeCloseTo(3.15, 2);
  });
  it.each([
    ['a white mark on a deep header', [white, clear, clear, white], header, 'none'],
    ['a mark that sinks into the header', [blue, blue, white, clear], header, 'light'],
    ['a black mark in the dark', [black, black, clear], [24, 27, 30], 'light'],
    ['a pale mark on a pale header', [pale, pale, clear], [240, 240, 200], 'dark'],
    ['an image with nothing visible', [clear, clear], header, 'none'],
  ] as const)('of %s', (_name, mark, behind, plate) => {
    expect(plateFor(pixels(...mark), behind)).toBe(plate);
  });
});
