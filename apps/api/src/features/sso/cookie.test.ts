import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { browserOf, markBrowser } from './cookie.ts';

/** Marks whoever asks, and says whether the mark was there before. */
async function marking(publicUrl: string) {
  const app = Fastify();
  await app.register(cookie);
  app.get('/', async (request, reply) => {
    const known = browserOf(request, new URL(publicUrl));
    const marked = markBrowser(request, reply, new URL(publicUrl));
    return { isKnown: known?.equals(marked) ?? false };
  });
  return async (sent?: string) => {
    const answer = await app.inject({ url: '/', headers: sent === undefined ? {} : { cookie: sent } });
    return { set: String(answer.headers['set-cookie']), isKnown: answer.json().isKnown };
  };
}

it('under https the cookie is one that only this host can set, and never sent in the clear', async () => {
  const { set } = await (await marking('https://bills.example'))();
  expect(set).toMatch(/^__Host-sso=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

it('a cookie of ours stays, anything else gives way to a new one', async () => {
  const mark = await marking('http://bills.localhost:3000');
  const [pair = ''] = (await mark()).set.split(';');
  const again = await mark(pair);
  expect([again.isKnown, again.set.startsWith(`${pair};`)]).toEqual([true, true]);
  for (const other of [
    'sso=short',
    `sso=${'x'.repeat(44)}`,
    `sso=${'é'.repeat(43)}`,
    `__Host-${pair}`,
    'sso=',
  ]) {
    const answer = await mark(other);
    expect([answer.isKnown, answer.set]).toEqual([false, expect.stringMatching(/^sso=[\w-]{43};/)]);
    expect(answer.set.startsWith(`${other};`)).toBe(false);
  }
});
