import { beforeAll, describe, expect, it } from 'vitest';
import { accountMails } from '../../../test/fixtures/account-mails.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { neighbourhoodOf } from '../../http/requests/address.ts';
import { hashPassword } from './passwords/passwords.ts';
import { findUser } from './queries.ts';
import { openSession } from './session.ts';
import type { SignInMethod } from './sign-in-method.ts';

const fixture = useFixture();
const mails = accountMails(fixture);
const PASSWORD = 'Ledger!2026';
let passwordHash = '';
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

const firefox = (version: number) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const HOME = { address: '198.51.100.7', agent: firefox(142) };

async function seedUser(settings: Readonly<Record<string, unknown>> = {}) {
  const { reseller, customer } = await fixture.seedPayer(settings);
  const user = await fixture.make.user({ resellerId: reseller.id, passwordHash, customerIds: [customer.id] });
  return { reseller, user };
}

/** A sign-in by the form, from somewhere. */
async function from(email: string, { address, agent }: typeof HOME): Promise<number> {
  const answer = await fixture.app.inject({
    method: 'POST',
    url: '/token',
    remoteAddress: address,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': agent,
      host: 'evil.example',
    },
    payload: new URLSearchParams({
      client_id: 'counterfoil-portal',
      grant_type: 'password',
      username: email,
      password: PASSWORD,
    }).toString(),
  });
  return answer.statusCode;
}

/** A sign-in in another way. */
async function by(userId: string, method: SignInMethod, place: typeof HOME, actor?: string): Promise<void> {
  const { databases, secrets, clock, config } = fixture.deps;
  const user = await findUser(databases.web, userId);
  if (user === undefined) throw new Error('no such user');
  const signIn = { user, method, origin: place, ...(actor === undefined ? {} : { actor }) };
  const { sessionEnds } = config;
  await openSession({ db: databases.web, secrets, clock, isDemo: false, sessionEnds }, signIn);
}

describe('a sign-in from somewhere new', () => {
  it('is told by mail: when, with what, from where, how, and what to do', async () => {
    const { reseller, user } = await seedUser({
      supportEmail: 'help@halyard.example',
      supportPhone: '+46 8 1',
    });
    await fixture.database
      .pool()
      .query("update brand set time_zone = 'Europe/Stockholm' where id = $1", [reseller.brandId]);
    await from(user.email, HOME);
    expect(await mails.deliver()).toEqual([]);
    expect(await from(user.email, { address: '203.0.113.9', agent: SAFARI })).toBe(200);
    const [mail, ...more] = await mails.deliver();
    expect(more).toEqual([]);
    const at = fixture.clock.now();
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Stockholm' }).format(at).split('-');
    const time = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Stockholm',
      hour: '2-digit',
      minute: '2-digit',
    }).format(at);
    expect(mail).toMatchObject({
      to: user.email,
      from: { name: reseller.name, address: 'help@halyard.example' },
      subject: `New sign-in to your account at ${reseller.name}`,
    });
    for (const words of [
      `When:     ${day[1]}.${day[2]}.${day[0]} ${time} CE`,
      'Browser:  Safari',
      'System:   iPhone',
      'Address:  203.0.113.9',
      'Method:   Password',
      'If it was not you, ask for a new password on the sign-in page at once',
      `http://${reseller.host}:8080/login`,
      'help@halyard.example · +46 8 1',
    ]) {
      expect(mail?.text).toContain(words);
    }
    expect(`${mail?.text}${mail?.html}`).not.toContain('evil.example');
  });

  it.each([
    ['another browser', { ...HOME, agent: SAFARI }, 1],
    ['another network', { ...HOME, address: '198.51.101.7' }, 1],
    ['another network of IPv6', { ...HOME, address: '2001:db8:1:2::3' }, 1],
    ['another version of the browser', { ...HOME, agent: firefox(143) }, 0],
    ['another address of the network', { ...HOME, address: '198.51.100.200' }, 0],
    ['the same address as IPv6 writes it', { ...HOME, address: '::ffff:198.51.100.7' }, 0],
  ])('is %s', async (_name, place, count) => {
    const { user } = await seedUser();
    await from(user.email, HOME);
    await from(user.email, place);
    expect(await mails.deliver()).toHaveLength(count);
    await from(user.email, place);
    await from(user.email, HOME);
    expect(await mails.deliver()).toEqual([]);
  });

  it('is remembered when the session has ended long ago, and not taken from other users', async () => {
    const [{ user }, { user: other }] = [await seedUser(), await seedUser()];
    await from(user.email, HOME);
    await fixture.database
      .pool()
      .query("update user_session set ended_at = created_at, end_reason = 'logout' where user_id = $1", [
        user.id,
      ]);
    fixture.clock.advance(90 * 24 * 3_600_000);
    await from(other.email, { ...HOME, agent: SAFARI });
    await from(user.email, HOME);
    expect(await mails.deliver()).toEqual([]);
    await from(user.email, { ...HOME, agent: SAFARI });
    expect((await mails.deliver()).map(({ to }) => to)).toEqual([user.email]);
  });

  it('is the same news whatever the method, and none when support signs in: that is in the audit trail', async () => {
    const { user } = await seedUser();
    await by(user.id, 'code', HOME, 'sam@provider.example');
    await by(user.id, 'password', HOME);
    await by(user.id, 'code', { ...HOME, agent: SAFARI }, 'sam@provider.example');
    expect(await mails.deliver()).toEqual([]);
    await by(user.id, 'sso', { ...HOME, agent: SAFARI });
    const [mail] = await mails.deliver();
    expect(mail?.text).toContain('Method:   Company sign-in');
    const { rows } = await fixture.database
      .pool()
      .query("select actor from audit_event where user_id = $1 and action = 'signIn.succeeded' order by id", [
        user.id,
      ]);
    expect(rows.map(({ actor }) => actor)).toEqual([
      'sam@provider.example',
      null,
      'sam@provider.example',
      null,
    ]);
  });

  it('that was refused is none', async () => {
    const { user } = await seedUser();
    await from(user.email, HOME);
    const { databases, secrets, clock, config } = fixture.deps;
    const row = await findUser(databases.web, user.id);
    if (row === undefined) throw new Error('no such user');
    const signIn = { user: row, method: 'password', origin: { ...HOME, agent: SAFARI } } as const;
    await openSession(
      { db: databases.web, secrets, clock, isDemo: false, sessionEnds: config.sessionEnds },
      { ...signIn, stands: async () => false },
    );
    expect(await mails.deliver()).toEqual([]);
  });

  it('with a browser that says nothing, or lies, is told without its words', async () => {
    const { user } = await seedUser();
    await from(user.email, HOME);
    await from(user.email, { ...HOME, agent: '<script>alert(1)</script>\tBcc: x' });
    const [mail] = await mails.deliver();
    expect(mail?.text).toContain('Browser:  Unknown');
    expect(mail?.html).not.toContain('script');
  });
});

describe('a neighbourhood', () => {
  it.each([
    ['198.51.100.7', '198.51.100'],
    ['::ffff:198.51.100.7', '198.51.100'],
    ['2001:db8:aa:bb::1', '2001:db8:aa'],
    ['2001:0db8:00aa::1', '2001:db8:aa'],
    ['2001:db8::1', '2001:db8:0'],
    ['::1', '0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('of %s is %s', (address, range) => {
    expect(neighbourhoodOf(address)).toBe(range);
  });
});
