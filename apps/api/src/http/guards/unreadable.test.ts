import { problem } from '@counterfoil/contract/envelope.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendRaw } from '../../../test/fixtures/trouble/send-raw.ts';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { createApp } from '../app.ts';

const app = createApp({ config: readConfig({}), log: createLogger('silent') });
app.post('/echo', { config: { access: 'public' } }, async () => ({ data: 'taken' }));
beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }));
afterAll(() => app.close());

const post = (...headers: string[]) => ['POST /echo HTTP/1.1', ...headers, '', ''].join('\r\n');

it.each([
  ['noise', '\x00\x01\x02\xff\xfe\r\n\r\n'],
  ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['no method', ' / HTTP/1.1\r\n\r\n'],
  ['an unknown method', 'BREW /echo HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['half a version', 'POST /echo HTTP/1\r\n\r\n'],
  ['version 9', 'POST /echo HTTP/9.9\r\nhost: a\r\n\r\n'],
  ['a header with NUL', post('host: a', 'x: a\x00b')],
  ['a header without a name', post('host: a', ': b')],
  ['a negative length', post('host: a', 'content-length: -1')],
  ['two lengths', post('host: a', 'content-length: 1', 'content-length: 2')],
  ['length and chunks', post('host: a', 'content-length: 1', 'transfer-encoding: chunked')],
  [
    'a chunk of no size',
    `${post('host: a', 'content-type: application/json', 'transfer-encoding: chunked')}zz\r\n`,
  ],
  ['headers of 200 kB', post('host: a', `x: ${'a'.repeat(200_000)}`)],
])('%s is refused as every request is, and the connection ends', async (_name, bytes) => {
  const [head = '', body = ''] = (await sendRaw(app, bytes)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  expect(head).toMatch(/content-security-policy: default-src 'none'/i);
  const { code, requestId } = problem.parse(JSON.parse(body));
  expect(code).toMatch(/^request\.(malformed|headersTooLarge)$/);
  expect(head).toContain(requestId);
});

it('goes on answering', async () => {
  const answer = await sendRaw(
    app,
    post('host: a', 'content-type: application/json', 'content-length: 2', 'connection: close').concat('{}'),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});
