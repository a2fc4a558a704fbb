import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { createApp } from '../app.ts';
import { compressed } from './compressed.ts';

const text = '<p>größer</p>'.repeat(100);
const app = createApp({ config: readConfig({}), log: createLogger('silent') });
app.get('/page', { config: { access: 'public' } }, (request, reply) =>
  compressed(text, request, reply.type('text/html; charset=utf-8')),
);

it.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip;q=0.8, br;q=0', 'gzip', gunzipSync],
  ['GZIP', 'gzip', gunzipSync],
  ['br;q=0.5', 'br', brotliDecompressSync],
] as const)('answers %s in %s', async (accepted, coding, open) => {
  const answer = await app.inject({ url: '/page', headers: { 'accept-encoding': accepted } });
  expect(answer.headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' });
  expect(open(answer.rawPayload).toString()).toBe(text);
  expect(answer.rawPayload.length).toBeLessThan(200);
});

it.each(['', 'identity', 'deflate', 'br;q=0'])('answers "%s" as it is', async (accepted) => {
  const answer = await app.inject({ url: '/page', headers: { 'accept-encoding': accepted } });
  expect(answer.headers).not.toHaveProperty('content-encoding');
  expect(answer.body).toBe(text);
});
