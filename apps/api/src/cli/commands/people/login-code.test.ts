import { userInfo } from 'node:os';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';

const cli = useCommands();
const { run, json, database } = cli;
const me = `cli:${userInfo().username}`;
const user = ['--user', 'Lena@codes.example'];
const why = ['--reason', 'ticket 17'];
let customerId = '';

interface Made {
  readonly url: string;
  readonly expiresAt: string;
  readonly user: string;
  readonly actor: string;
}
const make = (...args: readonly string[]) => json<Made>('login-code', ...user, ...why, ...args);

beforeAll(async () => {
  const publicUrl = 'https://portal.example:8443';
  for (const [name, value] of Object.entries({
    DATABASE_URL: database.url,
    DATA_DIR: cli.folder,
    LOG_LEVEL: 'silent',
    DEMO: '0',
    PUBLIC_URL: publicUrl,
    SECRET_KEY: 'a key only for this test, long enough',
  })) {
    vi.stubEnv(name, value);
  }
  await json('reseller', 'add', '--id', '4301', '--name', 'Codes');
  const { id: brand } = await json<{ id: number }>(
    'brand',
    'add',
    '--reseller',
    '4301',
    '--name',
    'Codes',
    '--host',
    'bills.codes.example',
    '--setting',
    'allowedOrigins=https://shop.codes.example',
  );
  const customer = ['customer', 'add', '--reseller', '4301', '--brand', `${brand}`];
  customerId = (await json<{ id: string }>(...customer, '--label', 'Quay')).id;
  await json(
    'user',
    'add',
    '--reseller',
    '4301',
    '--email',
    'lena@codes.example',
    '--name',
    'Lena',
    '--customer',
    customerId,
  );
});

describe('counterfoil login-code', () => {
  it('prints a link at the brand’s host, once: the database has its hash only', async () => {
    vi.stubEnv('PUBLIC_URL', 'https://portal.example:8443');
    const made = await make('--customer', customerId, '--redirect', '/invoices?page=2');
    const url = new URL(made.url);
    expect(url.origin).toBe('https://bills.codes.example:8443');
    expect(url.pathname).toMatch(/^\/la\/[\w-]{43}$/);
    expect([url.searchParams.get('c'), url.searchParams.get('r')]).toEqual([customerId, '/invoices?page=2']);
    expect(made).toMatchObject({ user: 'lena@codes.example', actor: me });
    const { rows } = await database
      .pool()
      .query(
        'select t::text as text, extract(epoch from expires_at - created_at)::int as life from login_code t',
      );
    expect(rows[0]?.life).toBe(300);
    expect(JSON.stringify(rows)).not.toContain(url.pathname.slice('/la/'.length));
  });

  it('says in words who may do what, for people', async () => {
    const { out } = await run('login-code', ...user, ...why, '--actor', 'Sam (support)');
    expect(out).toMatch(
      /^Sam \(support\) may sign in as lena@codes\.example once, until [\d-]+T[\d:.]+Z:\nhttp/,
    );
  });

  it('is on record with whoever ran it, for whom and why', async () => {
    await make('--actor', 'Sam (support)', '--customer', customerId);
    const { events } = await json<{ events: object[] }>(
      'audit',
      '--user',
      'lena@codes.example',
      '--action',
      'loginCode.made',
      '--limit',
      '1',
    );
    expect(events).toMatchObject([
      {
        actor: me,
        user_email: 'lena@codes.example',
        reseller_id: 4301,
        customer_id: customerId,
        detail: { for: 'Sam (support)', reason: 'ticket 17' },
      },
    ]);
  });

  it.each([
    ['no reason', [...user], 2],
    ['an empty reason', [...user, '--reason', ' '], 2],
    ['a reason of two lines', [...user, '--reason', 'a\nb'], 2],
    ['no user', [...why], 2],
    ['an empty actor', [...user, ...why, '--actor', ''], 2],
    ['an unknown user', ['--user', 'nobody@codes.example', ...why], 1],
    [
      'a customer of somebody else',
      [...user, ...why, '--customer', '01924f2e-0000-7000-8000-00000000000a'],
      1,
    ],
    ['a redirect that leaves', [...user, ...why, '--redirect', '//evil.example'], 1],
    ['a redirect to a foreign origin', [...user, ...why, '--redirect', 'https://evil.example/'], 1],
  ])('refuses %s and makes none', async (_name, args, code) => {
    const count = async () =>
      (await database.pool().query('select count(*)::int as n from login_code')).rows[0]?.n;
    const before = await count();
    expect(await run('login-code', ...args)).toMatchObject({ code });
    expect(await count()).toBe(before);
  });

  it('takes a redirect to an origin the brand lists', async () => {
    const { url } = await make('--redirect', 'https://shop.codes.example/x');
    expect(new URL(url).searchParams.get('r')).toBe('https://shop.codes.example/x');
  });

  it('refuses a user who is shut out', async () => {
    await json('user', 'disable', '--email', 'lena@codes.example');
    expect(await run('login-code', ...user, ...why)).toMatchObject({
      code: 1,
      err: expect.stringContaining('shut out'),
    });
  });
});
