import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { qrPath } from './qr-path.ts';

describe('the path of a QR code', () => {
  it('draws runs of dark modules, with a quiet zone of four', () => {
    const drawn = qrPath([
      [true, true, false],
      [false, false, false],
      [true, false, true],
    ]);
    expect(drawn).toEqual({
      size: 11,
      path: 'M4 4h2v1h-2zM4 6h1v1h-1zM6 6h1v1h-1z',
    });
  });

  it('has as many dark modules as the code', () => {
    const { data } = encode('otpauth://totp/Voltline:ada%40demo.example?secret=GEZDGNBVGY3TQOJQ', {
      border: 0,
    });
    const { path, size } = qrPath(data);
    const drawn = [...path.matchAll(/h(\d+)v/g)].reduce((sum, [, length]) => sum + Number(length), 0);
    expect(drawn).toBe(data.flat().filter(Boolean).length);
    expect(size).toBe(data.length + 8);
  });
});
