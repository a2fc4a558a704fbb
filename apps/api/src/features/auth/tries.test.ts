import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { accountMails } from '../../../test/fixtures/account-mails.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { type BuiltApp, buildApp } from '../../build-app.ts';
import { Database } from '../../db/database.ts';
import { hashPassword } from './passwords/passwords.ts';

const fixture = useFixture({ env: () => ({ TRUST_PROXY: '0' }) });
const mails = accountMails(fixture);
const PASSWORD = 'Ledger!2026';
const MINUTE = 60_000;
const HOME = '198.51.100.7';
const ELSEWHERE = '203.0.113.66';
let passwordHash = '';

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});
// What earlier tests used up is free again.
beforeEach(() => {
  fixture.clock.advance(60 * MINUTE);
});

async function seedUser() {
  const { reseller, customer } = await fixture.seedPayer();
  return fixture.make.user({ resellerId: reseller.id, passwordHash, customerIds: [customer.id] });
}

interface From {
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly app?: BuiltApp['app'];
}
const token = (form: Readonly<Record<string, string>>, from: From = {}) =>
  (from.app ?? fixture.app).inject({
    method: 'POST',
    url: '/token',
    remoteAddress: from.address ?? HOME,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...from.headers },
    payload: new URLSearchParams({ client_id: 'counterfoil-portal', ...form }).toString(),
  });
const signIn = (username: string, password: string, from: From = {}) =>
  token({ grant_type: 'password', username, password }, from);
const status = async (username: string, password: string, from: From = {}) =>
  (await signIn(username, password, from)).statusCode;

/** Tries a wrong password until it is refused. @returns how many tries were looked at */
async function hammer(username: string, from: From | ((n: number) => From), most = 30): Promise<number> {
  for (let n = 0; n < most; n += 1) {
    if ((await status(username, `guess ${n}`, typeof from === 'function' ? from(n) : from)) === 429) return n;
  }
  return most;
}
const anywhere = (n: number): From => ({ address: `203.0.113.${n + 1}` });

describe('wrong passwords for one account', () => {
  it('are looked at ten times, then one every 90 seconds', async () => {
    const { email } = await seedUser();
    expect(await hammer(email, anywhere)).toBe(10);
    const refused = await signIn(email.toUpperCase(), PASSWORD, { address: '203.0.113.200' });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('90');
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(refused.json()).toEqual({
      error: 'slow_down',
      error_description: 'Too many tries. Please try again in 2 minutes',
    });
    fixture.clock.advance(90_000);
    expect(await status(email, 'once more', { address: '203.0.113.200' })).toBe(400);
    expect(await status(email, 'and again', { address: '203.0.113.200' })).toBe(429);
  });

  it('are counted and answered the same for an account that nobody has', async () => {
    const { email } = await seedUser();
    const course = async (username: string) => {
      const answers = [];
      for (let n = 0; n < 13; n += 1) {
        const { statusCode, headers, body } = await signIn(username, 'wrong', anywhere(n));
        answers.push([statusCode, headers['retry-after'], headers['content-type'], body]);
      }
      return answers;
    };
    const known = await course(email);
    expect(known.map(([code]) => code)).toEqual([...Array(10).fill(400), ...Array(3).fill(429)]);
    expect(await course('nobody-at-all@test.example')).toEqual(known);
  });

  it('tried at the same time do not pass together', async () => {
    const { email } = await seedUser();
    const tries = Array.from({ length: 40 }, (_, n) => status(email, `guess ${n}`, anywhere(n)));
    expect((await Promise.all(tries)).filter((code) => code === 400)).toHaveLength(10);
  });

  it('are not used up by right ones', async () => {
    const { email } = await seedUser();
    for (let n = 0; n < 25; n += 1) expect(await status(email, PASSWORD)).toBe(200);
    expect(await hammer(email, { address: HOME })).toBe(10);
  });
});

describe('the rightful user, while somebody hammers the account from elsewhere', () => {
  it('signs in from where they have been before, however long it goes on', async () => {
    const { email } = await seedUser();
    expect(await status(email, PASSWORD, { address: HOME })).toBe(200);
    for (let round = 0; round < 5; round += 1) {
      await hammer(email, { address: ELSEWHERE });
      expect(await status(email, PASSWORD, { address: ELSEWHERE })).toBe(429);
      expect(await status(email, PASSWORD, { address: HOME })).toBe(200);
      fixture.clock.advance(3 * MINUTE);
    }
  });

  it('may mistype there as often as ever', async () => {
    const { email } = await seedUser();
    expect(await status(email, PASSWORD, { address: HOME })).toBe(200);
    await hammer(email, { address: ELSEWHERE });
    expect(await hammer(email, { address: HOME })).toBe(10);
  });

  it('has been there with another address of the same IPv6 network', async () => {
    const { email } = await seedUser();
    expect(await status(email, PASSWORD, { address: '2001:db8:1:2::10' })).toBe(200);
    await hammer(email, { address: ELSEWHERE });
    expect(await status(email, PASSWORD, { address: '2001:db8:1:2:ffff::99' })).toBe(200);
    expect(await status(email, PASSWORD, { address: '2001:db8:1:3::10' })).toBe(429);
  });

  it('gets in from a new place by choosing a new password there', async () => {
    const { email } = await seedUser();
    await hammer(email, { address: ELSEWHERE });
    expect(await status(email, PASSWORD, { address: HOME })).toBe(429);
    const chosen = 'Halyard-lantern-47';
    const resetToken = await mails.resetToken(email);
    const set = await fixture.app.inject({
      method: 'POST',
      url: '/v1/ec/password-reset',
      remoteAddress: HOME,
      payload: { token: resetToken, password: chosen },
    });
    expect(set.statusCode).toBe(204);
    expect(await status(email, chosen, { address: ELSEWHERE })).toBe(429);
    expect(await status(email, chosen, { address: HOME })).toBe(200);
  });

  it('is not helped by a visit of support in their name', async () => {
    const { email, id } = await seedUser();
    const now = fixture.clock.now();
    await fixture.database.pool().query(
      `insert into user_session (id, user_id, created_at, last_used_at, expires_at, address, network, actor)
       values (gen_random_uuid(), $1, $2, $2, $3, $4, $4, 'sam')`,
      [id, now, new Date(now.getTime() + MINUTE), '192.0.2.50'],
    );
    await hammer(email, { address: ELSEWHERE });
    expect(await status(email, PASSWORD, { address: '192.0.2.50' })).toBe(429);
  });
});

describe('one address', () => {
  it('has a hundred wrong passwords over all accounts; right ones are not among them', async () => {
    const { email } = await seedUser();
    expect(await status(email, PASSWORD, { address: '192.0.2.9' })).toBe(200);
    const tried = async () => {
      for (let n = 0; n < 120; n += 1) {
        if ((await status(`guess${n}@test.example`, 'x', { address: '192.0.2.9' })) === 429) return n;
      }
      return 120;
    };
    expect(await tried()).toBe(100);
    expect(await status('somebody-else@test.example', 'x', { address: '192.0.2.10' })).toBe(400);
    // The account whose turn it was lost nothing by the refusal of the address.
    expect(await hammer('guess99@test.example', anywhere)).toBe(9);
    // A hundred hashes, each made slow on purpose, on a machine that may be busy.
  });

  it('is not what the caller says', async () => {
    const { email } = await seedUser();
    expect(await status(email, PASSWORD, { address: HOME })).toBe(200);
    const pretend = (n: number): From => ({
      address: ELSEWHERE,
      headers: { 'x-forwarded-for': n % 2 === 0 ? HOME : `198.51.100.${n}`, forwarded: `for=${HOME}` },
    });
    expect(await hammer(email, pretend)).toBe(10);
  });

  it.each([
    ['refresh_token', { refresh_token: 'made-up' }, 3_000],
    ['authorization_code', { code: 'made-up', redirect_uri: 'http://localhost/x' }, 600],
  ])('may use the grant %s often, and not without end', async (grant, form, most) => {
    const { rowCount } = await fixture.database.pool().query('delete from rate_limit');
    expect(rowCount).not.toBeNull();
    const use = async () => (await token({ grant_type: grant, ...form })).statusCode;
    expect(await use()).toBe(400);
    // As if all but one were used up.
    const spent = ((most - 1) / most) * 15 * MINUTE;
    await fixture.database
      .pool()
      .query('update rate_limit set used_until = $1', [new Date(fixture.clock.now().getTime() + spent)]);
    expect(await use()).toBe(400);
    const refused = await token({ grant_type: grant, ...form });
    expect([refused.statusCode, refused.json().error]).toEqual([429, 'slow_down']);
  });
});

describe('two processes', () => {
  const late: { built?: BuiltApp; db?: Database } = {};
  beforeAll(async () => {
    const db = new Database({
      url: fixture.database.url,
      name: 'other',
      max: 4,
      statementTimeoutMs: 10_000,
    });
    late.db = db;
    const databases = { web: db, exports: db, jobs: db };
    late.built = await buildApp(
      { ...fixture.deps, databases, log: pino({ level: 'silent' }) },
      { modules: [] },
    );
  });
  afterAll(async () => {
    await late.built?.app.close();
    await late.db?.end();
  });

  it('count together, and both refuse', async () => {
    const { email } = await seedUser();
    const apps = [fixture.app, late.built?.app];
    const from = (n: number): From => {
      const app = apps[n % 2];
      return app === undefined ? {} : { ...anywhere(n), app };
    };
    expect(await hammer(email, from)).toBe(10);
    expect(await status(email, PASSWORD, from(0))).toBe(429);
    expect(await status(email, PASSWORD, from(1))).toBe(429);
  });
});

describe('the audit trail', () => {
  const refusals = async (email: string, known = true) => {
    const nameDigest = fixture.deps.secrets.digest(email, 'user-name').toString('base64url');
    const { rows } = await fixture.database
      .pool()
      .query<{ reason: string; user_id: string | null; count: number }>(
        `select detail ->> 'reason' as reason, user_id, count(*)::integer as count from audit_event
        where action = 'signIn.refused' and $1 in (user_email, detail ->> 'nameDigest') group by 1, 2 order by 1`,
        [known ? email : nameDigest],
      );
    return rows;
  };

  it('has each wrong password that was looked at, and one line for all that were not', async () => {
    const { email, id } = await seedUser();
    await hammer(email, anywhere);
    for (let n = 0; n < 40; n += 1) await status(email, `guess ${n}`, anywhere(n));
    expect(await refusals(email)).toEqual([
      { reason: 'tooManyTries', user_id: id, count: 1 },
      { reason: 'wrongPassword', user_id: id, count: 10 },
    ]);
    const unknown = 'nobody-on-record@test.example';
    await hammer(unknown, anywhere);
    expect(await refusals(unknown, false)).toEqual([
      { reason: 'tooManyTries', user_id: null, count: 1 },
      { reason: 'unknownUser', user_id: null, count: 10 },
    ]);
  });
});

describe('a database that does not answer', () => {
  it('is 503 as ever, and lets nobody try without being counted', async () => {
    const { web } = fixture.deps.databases;
    const broken = new Database({
      url: 'postgres://nobody:x@127.0.0.1:1/none',
      name: 'none',
      max: 1,
      statementTimeoutMs: 1_000,
    });
    const { app } = await buildApp(
      { ...fixture.deps, databases: { web: broken, exports: web, jobs: web } },
      { modules: [] },
    );
    expect(await status('a@test.example', 'x', { app })).toBe(503);
    const reset = await app.inject({
      method: 'POST',
      url: '/v1/ec/password-reset',
      payload: { token: 'x', password: 'x' },
    });
    expect([reset.statusCode, reset.json().code]).toEqual([503, 'server.unavailable']);
    await app.close();
    await broken.end();
  });
});
