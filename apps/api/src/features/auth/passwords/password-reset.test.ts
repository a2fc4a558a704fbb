import { beforeAll, describe, expect, it } from 'vitest';
import {
  accountMails,
  post,
  sessionStatus,
  signIn,
  signInStatus,
  tokenIn,
} from '../../../../test/fixtures/account-mails.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { hashPassword } from './passwords.ts';

const fixture = useFixture();
const mails = accountMails(fixture);
const OLD = 'Ledger!2026';
const NEW = 'harbour-lantern-47';
let passwordHash = '';

beforeAll(async () => {
  passwordHash = await hashPassword(OLD);
});

async function seedUser() {
  const { reseller, customer } = await fixture.seedPayer();
  const user = await fixture.make.user({ resellerId: reseller.id, passwordHash, customerIds: [customer.id] });
  return { reseller, user };
}
const reset = (token: string, password: string) =>
  post(fixture, '/v1/ec/password-reset', { token, password });
const ask = (email: string, headers: Record<string, string> = {}) =>
  post(fixture, '/v1/ec/password-reset-request', { email }, headers);

describe('asking for a reset', () => {
  it('mails a link in the brand’s name, to the brand’s own host whatever the Host header says [portal.reset.call.request, portal.reset.field.request.email]', async () => {
    const { reseller, user } = await seedUser();
    const asked = await ask(user.email.toUpperCase(), { host: 'evil.example' });
    expect([asked.statusCode, asked.body]).toEqual([204, '']);
    const [mail] = await mails.deliver();
    expect(mail).toMatchObject({ to: user.email, from: { name: reseller.name } });
    const link = `http://${reseller.host}:8080/reset-password/${tokenIn(mail)}`;
    expect(mail?.text).toContain(link);
    expect(mail?.html).toContain(link);
    expect(`${mail?.text}${mail?.html}`).not.toContain('evil.example');
    expect(tokenIn(mail)).toMatch(/^[\w-]{43}$/);
  });

  it('answers an unknown address exactly as a known one [decisions.8.reset-tells-nothing-answer, decisions.8.reset-tells-nothing-wording]', async () => {
    const { user } = await seedUser();
    const known = await ask(user.email);
    const unknown = await ask('nobody@test.example');
    const facts = (answer: typeof known) => {
      const { 'x-request-id': _id, date: _date, ...headers } = answer.headers;
      return [answer.statusCode, answer.body, headers];
    };
    expect(facts(unknown)).toEqual(facts(known));
    expect((await mails.deliver()).map((mail) => mail.to)).toEqual([user.email]);
  });

  it('does the same work for an unknown address: the same statements, and a job of the same look [decisions.8.reset-tells-nothing-timing]', async () => {
    const { user } = await seedUser();
    const statements = async (email: string) => {
      const seen: string[] = [];
      const client = await fixture.deps.databases.web.pool.connect();
      const original = Object.getPrototypeOf(client) as typeof client;
      const query = original.query;
      client.release();
      original.query = function (this: typeof client, ...args: unknown[]) {
        const [asked] = args as [string | { text: string }];
        seen.push(typeof asked === 'string' ? asked : asked.text);
        return Reflect.apply(query, this, args) as never;
      } as typeof query;
      try {
        await ask(email);
      } finally {
        original.query = query;
      }
      return seen;
    };
    const known = await statements(user.email);
    expect(await statements('nobody-at-all@test.example')).toEqual(known);
    expect(known.filter((text) => text.includes('add_job'))).toHaveLength(1);
    const { rows } = await fixture.database.pool().query<{ job: string; userId: string }>(
      `select (to_jsonb(j) - 'id')::text as job, payload ->> 'userId' as "userId"
           from graphile_worker._private_jobs j order by id`,
    );
    const looks = rows.map(({ job }) => job.replaceAll(/[\da-f-]{36}|reset-mail:[\w-]{43}/g, '…'));
    expect(looks).toHaveLength(2);
    expect(looks[1]?.replaceAll(/"\d{4}-[^"]+"/g, '')).toBe(looks[0]?.replaceAll(/"\d{4}-[^"]+"/g, ''));
    expect(rows[0]?.userId).toBe(user.id);
  });

  it('sends one mail however often it is asked while the first waits, and none to a user shut out', async () => {
    const { user } = await seedUser();
    const gone = await seedUser();
    await fixture.database
      .pool()
      .query('update app_user set is_active = false where id = $1', [gone.user.id]);
    await Promise.all(Array.from({ length: 10 }, () => ask(user.email)));
    await ask(gone.user.email);
    expect((await mails.deliver()).map((mail) => mail.to)).toEqual([user.email]);
  });

  it('is forgotten when no mail could be sent within the hour', async () => {
    const { user } = await seedUser();
    await ask(user.email);
    fixture.clock.advance(61 * 60_000);
    expect(await mails.deliver()).toEqual([]);
  });

  it.each([
    ['no address', {}],
    ['an empty one', { email: '  ' }],
    ['a very long one', { email: `${'x'.repeat(400)}@test.example` }],
    ['no text', { email: { $ne: '' } }],
    ['a NUL byte', { email: 'a\0@test.example' }],
  ])('refuses %s with 400', async (_name, body) => {
    expect((await post(fixture, '/v1/ec/password-reset-request', body)).statusCode).toBe(400);
  });
});

describe('setting the new password', () => {
  it('works once: the new password signs in, the old one does not, and every session ends [portal.reset.{call.finish,field.finish.token,field.finish.password}, decisions.7.reset-token-single-use]', async () => {
    const { user } = await seedUser();
    const before = (await signIn(fixture, user.email, OLD)).json();
    const token = await mails.resetToken(user.email);
    expect((await reset(token, NEW)).statusCode).toBe(204);
    expect(await signInStatus(fixture, user.email, NEW)).toBe(200);
    expect(await signInStatus(fixture, user.email, OLD)).toBe(400);
    expect(await sessionStatus(fixture, before.access_token)).toBe(401);
    const { rows } = await fixture.database
      .pool()
      .query('select end_reason from user_session where user_id = $1 and ended_at is not null', [user.id]);
    expect(rows).toEqual([{ end_reason: 'password' }]);
    expect((await reset(token, `${NEW}!`)).statusCode).toBe(410);
  });

  it('mails that the password was changed, and never the password [decisions.9.no-password-mailed]', async () => {
    const { user } = await seedUser();
    await reset(await mails.resetToken(user.email), NEW);
    const [mail] = await mails.deliver();
    expect(mail).toMatchObject({ to: user.email, subject: expect.stringContaining('was changed') });
    expect(`${mail?.subject}${mail?.text}${mail?.html}`).not.toContain(NEW);
  });

  it('of twenty uses at once exactly one sets the password [decisions.7.reset-token-single-use]', async () => {
    const { user } = await seedUser();
    const token = await mails.resetToken(user.email);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => reset(token, `${NEW}-${n}`)));
    const won = answers.flatMap((answer, n) => (answer.statusCode === 204 ? [n] : []));
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => answer.statusCode === 410)).toHaveLength(19);
    expect(await signInStatus(fixture, user.email, `${NEW}-${won[0]}`)).toBe(200);
    expect(await mails.deliver()).toHaveLength(1);
  });

  it('says that the session has expired: used, replaced by a newer one, an hour old, of another kind, made up [portal.reset.error.{expired,description}, decisions.constant.7.reset-token]', async () => {
    const { user } = await seedUser();
    const expired = {
      code: 'reset.expired',
      message: 'Your change password session has expired. Please try again.',
      error_description: 'Your change password session has expired. Please try again.',
    };
    const older = await mails.resetToken(user.email);
    const newer = await mails.resetToken(user.email);
    const replaced = await reset(older, NEW);
    expect(replaced.statusCode).toBe(410);
    expect(replaced.json()).toMatchObject(expired);
    fixture.clock.advance(60 * 60_000);
    expect((await reset(newer, NEW)).json()).toMatchObject(expired);
    expect((await reset('made-up', NEW)).json()).toMatchObject(expired);
    const fresh = await mails.resetToken(user.email);
    const elsewhere = await post(fixture, '/v1/ec/user-registration', {
      token: fresh,
      password: 'Aa1!harbour',
    });
    expect(elsewhere.statusCode).toBe(410);
    expect((await reset(fresh, NEW)).statusCode).toBe(204);
    expect((await reset(fresh, NEW)).json()).toMatchObject(expired);
  });

  it('lives for an hour [decisions.constant.7.reset-token]', async () => {
    const { user } = await seedUser();
    const token = await mails.resetToken(user.email);
    fixture.clock.advance(60 * 60_000 - 1_000);
    expect((await reset(token, NEW)).statusCode).toBe(204);
  });

  it.each([
    ['a short one', '12345', 'password.tooShort', 'A password has at least 6 characters'],
    ['a very long one', 'x'.repeat(257), 'password.tooLong', 'A password has at most 256 characters'],
    ['the commonest', '123456', 'password.tooCommon', 'This password is too common. Please choose another'],
    [
      'a common one in capitals',
      'QWERTY',
      'password.tooCommon',
      'This password is too common. Please choose another',
    ],
    [
      'the brand’s own word',
      'Reseller-1',
      'password.tooCommon',
      'This password is too common. Please choose another',
    ],
  ])(
    'refuses %s and leaves the link good [decisions.error.7.common-password, decisions.9.block-list, decisions.9.long-passwords]',
    async (_name, password, code, message) => {
      const { user } = await seedUser();
      const token = await mails.resetToken(user.email);
      const refused = await reset(token, password);
      expect(refused.statusCode).toBe(400);
      expect(refused.json()).toMatchObject({ code, message });
      expect((await reset(token, 'x'.repeat(128))).statusCode).toBe(204);
      expect(await signInStatus(fixture, user.email, 'x'.repeat(128))).toBe(200);
    },
  );

  it('lets nobody in by the old password while the new one is being stored', async () => {
    const { user } = await seedUser();
    const change = await fixture.database.pool().connect();
    try {
      await change.query('begin');
      await change.query('update app_user set password_hash = $2 where id = $1', [user.id, 'changed']);
      const late = signInStatus(fixture, user.email, OLD);
      await expect
        .poll(async () => {
          const { rows } = await fixture.database
            .pool()
            .query(
              "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            );
          return rows.length;
        })
        .toBeGreaterThan(0);
      await change.query('commit');
      expect(await late).toBe(400);
    } finally {
      change.release();
    }
  });

  it('refuses a user who was shut out after the mail', async () => {
    const { user } = await seedUser();
    const token = await mails.resetToken(user.email);
    await fixture.database.pool().query('update app_user set is_active = false where id = $1', [user.id]);
    expect((await reset(token, NEW)).statusCode).toBe(410);
  });

  it('keeps no token in the database, only its hash', async () => {
    const { user } = await seedUser();
    const token = await mails.resetToken(user.email);
    const { rows } = await fixture.database
      .pool()
      .query('select t::text as t from one_time_token t where user_id = $1', [user.id]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    const queue = await fixture.database.pool().query('select payload from graphile_worker._private_jobs');
    expect(JSON.stringify(queue.rows)).not.toContain(token);
  });
});
