import { expect, it } from 'vitest';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { AppError } from '../../../app-error.ts';
import { DatabaseUnavailable } from '../../../db/database.ts';
import { createApp } from '../../../http/app.ts';
import { Limiter } from '../../../limits/limiter.ts';
import { authRoutes } from '../routes.ts';

const fixture = useFixture();

it.each([
  [
    'too many wait for a core',
    new AppError('server.busy', { headers: { 'retry-after': '5' } }),
    [503, '5', 'temporarily_unavailable', /Many people are signing in/],
  ],
  [
    'there were too many tries',
    new AppError('rate.limited', { headers: { 'retry-after': '90' } }),
    [429, '90', 'slow_down', /Too many tries/],
  ],
  [
    'the database is away',
    new DatabaseUnavailable('no answer'),
    [503, undefined, 'server_error', /try again/],
  ],
] as const)('says at /token in the words of RFC 6749 that %s', async (_name, error, expected) => {
  const { deps, clock } = fixture;
  const db = deps.databases.web;
  const app = createApp(deps);
  const auth = { db, secrets: deps.secrets, clock, isDemo: false, sessionEnds: deps.config.sessionEnds };
  authRoutes(
    app,
    { ...auth, limiter: new Limiter(auth) },
    {
      password: async () => {
        throw error;
      },
    },
  );
  const answer = await app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=password&client_id=counterfoil-portal&username=a&password=b',
  });
  const [status, retryAfter, code, words] = expected;
  expect([answer.statusCode, answer.headers['retry-after'], answer.json().error]).toEqual([
    status,
    retryAfter,
    code,
  ]);
  expect(answer.json().error_description).toMatch(words);
  expect(answer.headers['cache-control']).toBe('no-store');
  await app.close();
});
