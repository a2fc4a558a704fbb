import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Signing, verifyDelivery } from './webhook.ts';

const now = new Date('2026-11-21T10:00:00Z');
const seconds = now.getTime() / 1_000;
const raw = new TextEncoder().encode('{"id":"evt_1","amount":45.00}');
const sign = (secret: string, t: number | '' = seconds, bytes = raw, algorithm = 'sha256') =>
  createHmac(algorithm, secret)
    .update(t === '' ? '' : `${t}.`)
    .update(bytes)
    .digest('hex');
const timed: Signing = { header: 'signature', part: 'v1', now, status: 400 };
const read = (
  header: string | undefined,
  over: { bytes?: Uint8Array; secrets?: string[]; by?: Signing } = {},
) => {
  const { bytes = raw, secrets = ['one'], by = timed } = over;
  const headers = new Headers(header === undefined ? {} : { Signature: header });
  return verifyDelivery(bytes, headers, secrets, by);
};
const good = `t=${seconds},v1=${sign('one')}`;

describe('a signature over time and bytes', () => {
  it('is taken, also as the second of two, of the second of two secrets, and 300 s old [decisions.2.webhook-signature]', () => {
    expect(read(good)).toEqual({ is: 'read', body: { id: 'evt_1', amount: 45 } });
    for (const [header, secrets] of [
      [`t=${seconds},v1=${sign('old')},v1=${sign('one')},v0=aa`, ['one']],
      [`t=${seconds},v1=${sign('two').toUpperCase()}`, ['one', 'two']],
      [`t=${seconds - 300},v1=${sign('one', seconds - 300)}`, ['one']],
    ] as const)
      expect(read(header, { secrets: [...secrets] }).is).toBe('read');
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no time', `v1=${sign('one')}`],
    ['no signature', `t=${seconds}`],
    ['another secret', `t=${seconds},v1=${sign('two')}`],
    ['another scheme', `t=${seconds},v0=${sign('one')}`],
    ['a signature of another time', `t=${seconds - 1},v1=${sign('one')}`],
    ['a signature of the bytes alone', `t=${seconds},v1=${sign('one', '')}`],
    ['half a signature', `t=${seconds},v1=${sign('one').slice(0, 32)}`],
    ['301 s old', `t=${seconds - 301},v1=${sign('one', seconds - 301)}`],
    ['301 s ahead', `t=${seconds + 301},v1=${sign('one', seconds + 301)}`],
    ['the 21st signature alone', `t=${seconds},${`v1=${sign('two')},`.repeat(20)}v1=${sign('one')}`],
  ])('is refused: %s', (_name, header) => {
    expect(read(header)).toMatchObject({ is: 'refused', status: 400 });
  });

  it('is refused when one byte changed [decisions.2.webhook-signature]', () => {
    for (const at of raw.keys()) {
      const bytes = Uint8Array.from(raw);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(read(good, { bytes }).is).toBe('refused');
    }
  });

  it('is refused without a configured secret, and over more than a mebibyte', () => {
    expect(read(good, { secrets: [] })).toMatchObject({ is: 'refused', status: 400 });
    expect(read(good, { bytes: new Uint8Array(1024 * 1024 + 1) })).toMatchObject({ status: 413 });
  });

  it('is taken at any time where the provider’s time is not looked at', () => {
    const { now: _, ...by } = timed;
    expect(read(`t=1,v1=${sign('one', 1)}`, { by }).is).toBe('read');
  });
});

describe('a signature over the bytes alone', () => {
  const by: Signing = { header: 'signature', prefix: 'sha512=', algorithm: 'sha512', status: 401 };
  const signature = sign('one', '', raw, 'sha512');
  it('is taken with its prefix only, and refused by its own status', () => {
    expect(read(`sha512=${signature}`, { by }).is).toBe('read');
    for (const header of [signature, `sha512=${sign('two', '', raw, 'sha512')}`, `sha512=${sign('one', '')}`])
      expect(read(header, { by })).toMatchObject({ is: 'refused', status: 401 });
  });
});

it('a body that is no JSON is read as nothing', () => {
  const bytes = new TextEncoder().encode('{');
  expect(read(`t=${seconds},v1=${sign('one', seconds, bytes)}`, { bytes })).toEqual({
    is: 'read',
    body: undefined,
  });
});
