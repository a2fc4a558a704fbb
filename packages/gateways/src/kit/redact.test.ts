import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { describeFault, redact } from './redact.ts';
import { destroySecrets, lendSecrets, secretBytes } from './secret-bytes.ts';

describe('redacting', () => {
  it.each([
    ['card 4242424242424242 was', 'card [number] was'],
    ['4242 4242 4242 4242', '[number]'],
    ['4242-4242-4242-4242', '[number]'],
    ['pi_3Abc_secret_9Xyz', 'pi_3Abc_secret_[hidden]'],
    ['whsec_AbC/+1=', 'whsec_[hidden]'],
    ['sk_live_abc rk_test_1', 'sk_live_[hidden] rk_test_[hidden]'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [hidden]'],
    ['DE89370400440532013000', '[iban]'],
    ['AT61 1904 3002 3457 3201', '[iban]'],
    ['tok_1AbC', 'tok_[hidden]'],
    ['a\u0000\nb', 'a b'],
  ])('%j becomes %j', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it('leaves what support needs: ids, codes, amounts, short numbers', () => {
    const text = 'pi_3MtwBwLkdIwHu7ix pm_B2 req_8Hk HTTP 402 card_declined 125.50 AUD 12345678';
    expect(redact(text)).toBe(text);
  });

  it('cuts what is long', () => {
    expect(redact('x '.repeat(1_000)).length).toBeLessThanOrEqual(401);
  });

  it('describes a fault with its causes [decisions.8.card-not-in-error]', () => {
    const cause = Object.assign(new Error('connect 127.0.0.1'), { code: 'ECONNREFUSED' });
    expect(describeFault(new TypeError('fetch failed', { cause }))).toBe(
      'TypeError: fetch failed (Error ECONNREFUSED: connect 127.0.0.1)',
    );
    expect(describeFault('sk_test_abc')).toBe('sk_test_[hidden]');
  });
});

describe('secret bytes', () => {
  it('are lent once and zeroed after use, also when the use fails', async () => {
    for (const end of [() => Promise.resolve(1), () => Promise.reject(new Error('no'))]) {
      const buffer = new TextEncoder().encode('4242');
      const secret = secretBytes(buffer);
      let seen = '';
      await secret
        .use((bytes) => {
          seen = new TextDecoder().decode(bytes);
          return end();
        })
        .catch(() => undefined);
      expect(seen).toBe('4242');
      expect([...buffer]).toEqual([0, 0, 0, 0]);
      await expect(secret.use(() => 1)).rejects.toThrow('used or destroyed');
    }
  });

  it('can be destroyed unused', async () => {
    const buffer = new Uint8Array([1, 2]);
    const secret = secretBytes(buffer);
    secret.destroy();
    expect([...buffer]).toEqual([0, 0]);
    await expect(secret.use(() => 1)).rejects.toThrow('used or destroyed');
  });

  it('are moved to a new owner, whom the old one cannot destroy them under', async () => {
    const buffer = new TextEncoder().encode('4242');
    const first = secretBytes(buffer);
    const second = first.move();
    first.destroy();
    expect(() => first.move()).toThrow('used or destroyed');
    expect(await second.use((bytes) => new TextDecoder().decode(bytes))).toBe('4242');
    expect([...buffer]).toEqual([0, 0, 0, 0]);
  });

  it.each([
    ['is done with them', () => Promise.resolve(1)],
    ['fails', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('lent with their input are zeroed when it %s', async (_name, end) => {
    const [number, code] = [new Uint8Array([1, 2]), new Uint8Array([3])];
    const input = { secrets: { number: secretBytes(number), code: secretBytes(code) }, beside: { a: 'b' } };
    const lent = lendSecrets(input, async ({ secrets, beside }) => {
      destroySecrets(input);
      expect([await secrets.number.use((bytes) => [...bytes]), beside.a, [...code]]).toEqual([
        [1, 2],
        'b',
        [3],
      ]);
      return end();
    });
    await lent.catch(() => undefined);
    expect([...number, ...code]).toEqual([0, 0, 0]);
    await expect(lendSecrets(input, async () => 1)).rejects.toThrow('used or destroyed');
    expect(await lendSecrets({ token: 'tok_1' }, async ({ token }) => token)).toBe('tok_1');
  });

  it('show nothing when printed, logged or serialised', () => {
    const secret = secretBytes(new TextEncoder().encode('4242'));
    expect([String(secret), JSON.stringify({ secret }), inspect({ secret })].join()).not.toMatch(/4242|52/);
  });
});
