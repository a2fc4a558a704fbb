import { expect, it } from 'vitest';
import { createSecrets } from '../../../secrets.ts';
import { issueAccessToken, readAccessToken } from './access-token.ts';

const at = (time: string) => ({ now: () => new Date(time) });
const claims = { sub: 'user', sid: 'session', BrandId: 1, resellername: 'Ledger', DisplayName: 'Ada' };
const first = 'a'.repeat(64);

it('takes a token until its last second, however often it came before', async () => {
  const secrets = createSecrets(first);
  const token = await issueAccessToken(claims, secrets, at('2026-05-01T10:00:00Z'));
  const read = (time: string) => readAccessToken(token, secrets, at(time));
  expect(await read('2026-05-01T10:00:00Z')).toMatchObject(claims);
  expect(await read('2026-05-01T10:14:59.999Z')).toMatchObject(claims);
  expect(await read('2026-05-01T10:15:00Z')).toBeUndefined();
});

it('takes a token for as long as its key is one of those in use, though it is known', async () => {
  const now = at('2026-05-01T10:00:00Z');
  const before = createSecrets(first);
  const token = await issueAccessToken(claims, before, now);
  for (const secrets of [before, createSecrets('b'.repeat(64), first), createSecrets('b'.repeat(64), first)])
    for (const _ of [1, 2]) expect(await readAccessToken(token, secrets, now)).toMatchObject(claims);
  const own = { ...before, tokenKeys: createSecrets('b'.repeat(64)).tokenKeys };
  expect(await readAccessToken(token, own, now)).toBeUndefined();
});

it('takes none of which a letter is another', async () => {
  const now = at('2026-05-01T10:00:00Z');
  const secrets = createSecrets(first);
  const token = await issueAccessToken(claims, secrets, now);
  expect(await readAccessToken(token, secrets, now)).toBeDefined();
  const changed = token.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
  expect(await readAccessToken(changed, secrets, now)).toBeUndefined();
});
