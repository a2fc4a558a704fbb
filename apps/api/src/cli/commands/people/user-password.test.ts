import { Readable } from 'node:stream';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';
import { buildApp } from '../../../build-app.ts';
import { readSettings } from '../../../config.ts';
import { openRuntime, type Runtime } from '../../../runtime.ts';

const cli = useCommands();
const { run, json } = cli;
const DAY_MS = 24 * 60 * 60_000;
const CHOSEN = 'Harbour!47lantern';

/** The portal beside the commands, at a time the test says. */
let runtime: Runtime;
let app: Awaited<ReturnType<typeof buildApp>>['app'];
let now: Date;
let customerId: string;
let people = 0;

beforeAll(() => {
  now = new Date();
});
beforeEach(async () => {
  now = new Date();
  if (customerId !== undefined) return;
  await json('reseller', 'add', '--id', '4100', '--name', 'Northline Telecom');
  const brand = ['--colours', '#ffffff,#1b6ec2,#6b7a8c,#dcebfa,#0d2b4e,#f3f8fd,#e2e8ef'];
  await json('brand', 'add', '--reseller', '4100', '--name', 'Seaglass', ...brand);
  const made = await json<{ id: string }>('customer', 'add', '--reseller', '4100', '--label', 'Harbour');
  customerId = made.id;
  runtime = { ...(await openRuntime(readSettings())), clock: { now: () => now } };
  app = (await buildApp(runtime, { modules: gatewayModules })).app;
});
afterAll(async () => {
  await app.close();
  await runtime.close();
});

const person = (email: string) => [
  '--reseller',
  '4100',
  '--email',
  email,
  '--name',
  'Mia Harbour',
  '--customer',
  customerId,
];
const newEmail = () => {
  people += 1;
  return `mia${people}@harbour.example`;
};
/** From an address of each person's own: time goes back between tests, and what was counted later would still count. */
const token = (username: string, password: string) =>
  app.inject({
    remoteAddress: `203.0.113.${people}`,
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      grant_type: 'password',
      client_id: 'counterfoil-portal',
      username,
      password,
    }).toString(),
  });
const call = (access: string, method: 'GET' | 'POST', url: string, payload?: object) =>
  app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${access}` },
    ...(payload === undefined ? {} : { payload }),
  });
const expiryTold = async (access: string) =>
  (await call(access, 'GET', '/v1/ec/me')).json().data.passwordExpiresAt;

interface Made {
  readonly password: string;
  readonly passwordExpiresAt: string;
}

describe('a password that a command made', () => {
  it.each(['user add', 'user password'])(
    '(%s) opens the account for seven days, then is refused as a wrong one is',
    async (command) => {
      const email = newEmail();
      if (command === 'user password') await json('user', 'add', ...person(email), '--password', CHOSEN);
      const made =
        command === 'user add'
          ? await json<Made>('user', 'add', ...person(email))
          : await json<Made>('user', 'password', '--email', email);
      const until = Date.parse(made.passwordExpiresAt);
      expect(Math.abs(until - now.getTime() - 7 * DAY_MS)).toBeLessThan(60_000);
      expect((await token(email, made.password)).statusCode).toBe(200);
      now = new Date(until - 1);
      expect((await token(email, made.password)).statusCode).toBe(200);
      now = new Date(until);
      const [over, wrong] = [await token(email, made.password), await token(email, 'wrong')];
      expect([over.statusCode, over.json()]).toEqual([wrong.statusCode, wrong.json()]);
      const { rows } = await cli.database
        .pool()
        .query(
          "select detail->>'reason' as reason from audit_event where action = 'signIn.refused' and user_email = $1 order by id",
          [email],
        );
      expect(rows).toEqual([{ reason: 'expiredPassword' }, { reason: 'wrongPassword' }]);
    },
  );

  it('is told to the portal until the user has chosen their own, which does not run out', async () => {
    const email = newEmail();
    const { password, passwordExpiresAt } = await json<Made>('user', 'add', ...person(email));
    const { access_token: access } = (await token(email, password)).json();
    expect(await expiryTold(access)).toBe(passwordExpiresAt);
    const change = { oldPassword: password, newPassword: CHOSEN };
    expect((await call(access, 'POST', '/v1/ec/password', change)).statusCode).toBe(204);
    expect(await expiryTold(access)).toBeNull();
    now = new Date(now.getTime() + 400 * DAY_MS);
    expect((await token(email, CHOSEN)).statusCode).toBe(200);
  });

  it('proves nobody any more once it has run out, in a session that was open before', async () => {
    const email = newEmail();
    const { password } = await json<Made>('user', 'add', ...person(email));
    now = new Date(now.getTime() + 7 * DAY_MS - 60_000);
    const { access_token: access } = (await token(email, password)).json();
    now = new Date(now.getTime() + 2 * 60_000);
    const change = { oldPassword: password, newPassword: CHOSEN };
    expect((await call(access, 'POST', '/v1/ec/password', change)).json()).toMatchObject({
      code: 'password.wrongCurrent',
    });
    expect((await call(access, 'GET', '/v1/ec/me')).statusCode).toBe(200);
  });

  it.each([
    ['6', 'composition', 22],
    ['12', 'length', 22],
    ['40', 'composition', 40],
  ])('keeps to the rules of registration with PASSWORD_MIN_LENGTH=%s and %s', async (least, rule, length) => {
    vi.stubEnv('PASSWORD_MIN_LENGTH', least);
    vi.stubEnv('PASSWORD_RULE', rule);
    const { password } = await json<Made>('user', 'add', ...person(newEmail()));
    expect(password.length).toBeGreaterThanOrEqual(length);
    for (const kind of [/\p{Lu}/u, /\p{Ll}/u, /\d/, /!/])
      if (rule === 'composition') expect(password).toMatch(kind);
  });

  it('is shown with its end, once, and in the list of users without itself', async () => {
    const email = newEmail();
    const { out } = await run('user', 'add', ...person(email));
    const [, password = ''] = /^password (\S+)$/m.exec(out) ?? [];
    expect(out).toMatch(/^It works until \d{4}-\d\d-\d\d \d\d:\d\d UTC: .*choose their own\.$/m);
    const listed = (await run('user', 'list', '--reseller', '4100')).out;
    expect(listed).toMatch(new RegExp(`${email}.*active, made password until \\d{4}-\\d\\d-\\d\\d`));
    expect(listed).not.toContain(password);
    const given = newEmail();
    expect((await run('user', 'add', ...person(given), '--password', CHOSEN)).out).toBe(
      `User ${given} created.`,
    );
  });
});

describe('a password that a command is given', () => {
  const COMMON = 'This password is too common. Please choose another';
  it.each([
    // [password, what user add says, what user password says]
    ['abc', 'a password has 6 to 256 characters', 'a password has 6 to 256 characters'],
    ['x'.repeat(257), 'a password has 6 to 256 characters', 'a password has 6 to 256 characters'],
    ['Abc!12', 'Password shorter than 8 characters.', undefined],
    ['harbourlantern47', "Password don't include at least one uppercase letter.", undefined],
    ['HARBOURLANTERN!4', "Password don't include at least one lowercase letter.", undefined],
    ['Harbourlantern!', "Password don't include at least one number.", undefined],
    ['Harbourlantern47', "Password don't include at least one special character.", undefined],
    ['password1', "Password don't include at least one uppercase letter.", COMMON],
    ['Seaglass!2026', COMMON, COMMON],
    ['Northline!1', COMMON, COMMON],
    ['Mia-Harbour!1', COMMON, COMMON],
    [CHOSEN, undefined, undefined],
  ])('%s is held to the rules of the pages', async (password, atAdd, atChange) => {
    const known = newEmail();
    await json('user', 'add', ...person(known), '--password', 'Quay%lamp88');
    for (const [args, refusal, name] of [
      [['user', 'add', ...person(newEmail())], atAdd, 'user add'],
      [['user', 'password', '--email', known], atChange, 'user password'],
    ] as const) {
      const ran = await run(...args, '--password', password);
      expect(ran).toMatchObject(
        refusal === undefined ? { code: 0, err: '' } : { code: 1, err: `counterfoil ${name}: ${refusal}` },
      );
    }
  });

  it('that is refused makes no user, and leaves the old one and its sessions', async () => {
    const email = newEmail();
    expect(await run('user', 'add', ...person(email), '--password', 'Northline!1')).toMatchObject({
      code: 1,
    });
    expect((await run('user', 'list')).out).not.toContain(email);
    await json('user', 'add', ...person(email), '--password', CHOSEN);
    const { access_token: access } = (await token(email, CHOSEN)).json();
    expect(await run('user', 'password', '--email', email, '--password', 'Northline!1')).toMatchObject({
      code: 1,
    });
    expect((await call(access, 'GET', '/v1/ec/me')).statusCode).toBe(200);
  });

  it('from standard input is held to the same rules', async () => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from(['Northline!1\n']) as never);
    expect(await run('user', 'add', ...person(newEmail()), '--password-stdin')).toMatchObject({
      code: 1,
      err: `counterfoil user add: ${COMMON}`,
    });
  });

  it('ends sessions and open links, and is mailed, as a change on the pages is', async () => {
    const email = newEmail();
    const { id } = await json<{ id: string }>('user', 'add', ...person(email), '--password', CHOSEN);
    const { access_token: access } = (await token(email, CHOSEN)).json();
    const pool = cli.database.pool();
    await pool.query(
      `insert into one_time_token (hash, kind, user_id, created_at, expires_at)
       values ($1, 'reset', $2, now(), now() + interval '1 hour')`,
      [Buffer.from(email), id],
    );
    expect(await json('user', 'password', '--email', email, '--password', 'Quay%lamp88')).toEqual({
      email,
      sessionsEnded: 1,
    });
    expect((await call(access, 'GET', '/v1/ec/me')).statusCode).toBe(401);
    const { rows } = await pool.query(
      `select (select retired_at is not null from one_time_token where user_id = $1) as retired,
              (select count(*)::int from graphile_worker._private_jobs j
                 join graphile_worker._private_tasks t on t.id = j.task_id
                where t.identifier like '%password%' and j.payload->>'userId' = $1::text) as mails`,
      [id],
    );
    expect(rows).toEqual([{ retired: true, mails: 1 }]);
    expect(await run('user', 'password', '--email', 'nobody@harbour.example')).toMatchObject({
      code: 1,
      err: 'counterfoil user password: there is no user nobody@harbour.example',
    });
  });
});
