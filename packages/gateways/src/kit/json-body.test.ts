import { describe, expect, it } from 'vitest';
import { lendJson } from './json-body.ts';
import { secretBytes } from './secret-bytes.ts';

const digits = (text: string) => secretBytes(new TextEncoder().encode(text));

describe('a JSON body', () => {
  it('carries secrets as strings of digits, and is overwritten afterwards', async () => {
    let kept = new Uint8Array();
    const text = await lendJson(
      { a: { number: digits('4111'), none: undefined }, b: [{ code: digits('900') }], c: 'é"' },
      async (bytes) => {
        kept = bytes;
        return new TextDecoder().decode(bytes);
      },
    );
    expect(JSON.parse(text)).toEqual({ a: { number: '4111' }, b: [{ code: '900' }], c: 'é"' });
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.every((byte) => byte === 0)).toBe(true);
  });

  it('with a secret that could end its string is not sent, and every secret is used up', async () => {
    const [wrong, other] = [digits('12","x":"'), digits('34')];
    await expect(lendJson({ wrong, other }, async () => 'sent')).rejects.toThrow(RangeError);
    await expect(other.use(() => 'used')).rejects.toThrow('used or destroyed');
  });
});
