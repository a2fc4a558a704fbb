import { describe, expect, it } from 'vitest';
import { isUnreadable, ratioOf } from './logo-plate.ts';

const pixels = (...rgba: readonly (readonly number[])[]) => Uint8ClampedArray.from(rgba.flat());
const white = [255, 255, 255, 255];
const blue = [0, 94, 128, 255];
const clear = [255, 255, 255, 0];

describe('plate behind a logo', () => {
  it('measures contrast as WCAG does', () => {
    expect(ratioOf([255, 255, 255], [0, 0, 0])).toBeCloseTo(21, 5);
    expect(ratioOf([255, 255, 255], [53, 152, 219])).toBeCloseTo(3.15, 2);
  });
  it('is not needed for a white mark on a deep header', () => {
    expect(isUnreadable(pixels(white, clear, clear, white), [0, 94, 128])).toBe(false);
  });
  it('is needed when most of what is visible sinks into the header', () => {
    expect(isUnreadable(pixels(blue, blue, white, clear), [0, 94, 128])).toBe(true);
  });
  it('is not needed for an image with nothing visible', () => {
    expect(isUnreadable(pixels(clear, clear), [0, 94, 128])).toBe(false);
  });
});
