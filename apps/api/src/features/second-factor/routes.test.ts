import { describe, expect, it } from 'vitest';
import { accountMails, sessionStatus } from '../../../test/fixtures/account-mails.ts';
import { factorPeople, PASSWORD } from '../../../test/fixtures/factor-people.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const people = factorPeople(fixture);
const mails = accountMails(fixture);
const { call, codeOf, signIn } = people;

const ENROL = '/v1/ec/second-factor/enrolment';
const CONFIRM = '/v1/ec/second-factor/enrolment/confirm';
const CODES = '/v1/ec/second-factor/recovery-codes';
const REMOVAL = '/v1/ec/second-factor/removal';
const codeIn = (answer: { json(): Record<string, unknown> }) => `${answer.json()['code']}`;
const data = <T>(answer: { json(): Record<string, unknown> }) => answer.json()['data'] as T;
const auditOf = async (userId: string) => {
  const { rows } = await fixture.database
    .pool()
    .query<{ action: string }>(
      "select action from audit_event where user_id = $1 and action like 'secondFactor.%' order by at, id",
      [userId],
    );
  return rows.map(({ action }) => action);
};
const told = async () => (await mails.deliver()).map(({ to, text }) => `${to}: ${text}`).join('\n');

describe('turning the second factor on', () => {
  it('needs a code of the app, answers ten codes once, ends other sessions, is mailed and audited', async () => {
    const person = await people.seed();
    const [here, elsewhere] = [await signIn(person.email), await signIn(person.email)];
    await mails.deliver();
    expect(await people.state(here)).toEqual({
      isOn: false,
      since: null,
      recoveryCodesLeft: 0,
      isRequired: false,
      hasPassword: true,
      needsPassword: false,
      methods: [],
    });
    const { secret, uri } = data<{ secret: string; uri: string }>(await call(here, 'POST', ENROL, {}));
    expect(uri).toContain(`secret=${secret}`);
    // Begun is not on: the password alone is still enough.
    expect((await people.password(person.email)).statusCode).toBe(200);
    const wrong = await call(here, 'POST', CONFIRM, { otp: codeOf(secret, 5) });
    expect([wrong.statusCode, codeIn(wrong)]).toEqual([400, 'secondFactor.wrongCode']);
    const on = await call(here, 'POST', CONFIRM, { otp: codeOf(secret) });
    expect(new Set(data<{ codes: string[] }>(on).codes).size).toBe(10);
    expect(on.headers['cache-control']).toContain('no-store');
    expect(await people.state(here)).toMatchObject({
      isOn: true,
      since: fixture.clock.now().toISOString(),
      recoveryCodesLeft: 10,
      methods: ['totp', 'recovery'],
    });
    expect([
      await sessionStatus(fixture, here.access_token),
      await sessionStatus(fixture, elsewhere.access_token),
    ]).toEqual([200, 401]);
    const { rows } = await fixture.database
      .pool()
      .query('select distinct end_reason from user_session where user_id = $1 and ended_at is not null', [
        person.id,
      ]);
    expect(rows).toEqual([{ end_reason: 'factor' }]);
    expect(await auditOf(person.id)).toEqual(['secondFactor.on']);
    expect(await told()).toContain(`${person.email}: `);
    // The code that turned it on opens no session.
    const replayed = await people.finish(await people.begin(person.email), { otp: codeOf(secret) });
    expect(replayed.statusCode).toBe(400);
  });

  it('keeps neither secret nor codes readable', async () => {
    const person = await people.seed();
    const { secret, codes } = await people.enrol(person);
    const { rows } = await fixture.database.pool().query<{ row: string }>(
      `select f::text as row from second_factor f where user_id = $1
        union all select c::text from recovery_code c where user_id = $1`,
      [person.id],
    );
    const stored = rows.map(({ row }) => Buffer.from(row).toString('latin1')).join('\n');
    expect(rows).toHaveLength(11);
    for (const plain of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(plain);
      expect(stored).not.toContain(Buffer.from(plain).toString('hex'));
    }
  });

  it('asks for the password ten minutes after the sign-in', async () => {
    const person = await people.seed();
    const signed = await signIn(person.email);
    fixture.clock.advance(601_000);
    expect(await people.state(signed)).toMatchObject({ needsPassword: true });
    for (const body of [{}, { password: 'nope' }]) {
      const refused = await call(signed, 'POST', ENROL, body);
      expect([refused.statusCode, codeIn(refused)]).toEqual([400, 'password.wrongCurrent']);
    }
    expect((await call(signed, 'POST', ENROL, { password: PASSWORD })).statusCode).toBe(200);
  });

  it('is started before it is confirmed, and not an hour ago', async () => {
    const person = await people.seed();
    const signed = await signIn(person.email);
    const early = await call(signed, 'POST', CONFIRM, { otp: '123456' });
    expect([early.statusCode, codeIn(early)]).toEqual([409, 'secondFactor.notStarted']);
    const { secret } = data<{ secret: string }>(await call(signed, 'POST', ENROL, { password: PASSWORD }));
    fixture.clock.advance(800_000);
    const refreshed = await people.token({
      grant_type: 'refresh_token',
      refresh_token: signed.refresh_token,
    });
    expect(refreshed.statusCode).toBe(200);
    fixture.clock.advance(2_801_000);
    const late = await call(await signIn(person.email), 'POST', CONFIRM, { otp: codeOf(secret) });
    expect(codeIn(late)).toBe('secondFactor.notStarted');
  });

  it('is not for who has no password', async () => {
    const person = await people.seed();
    const signed = await signIn(person.email);
    await fixture.database
      .pool()
      .query('update app_user set password_hash = null where id = $1', [person.id]);
    expect(await people.state(signed)).toMatchObject({ hasPassword: false });
    const refused = await call(signed, 'POST', ENROL, {});
    expect([refused.statusCode, codeIn(refused)]).toEqual([409, 'secondFactor.noPassword']);
  });
});

describe('moving to another app', () => {
  it('needs the old one or a recovery code, which goes on working until the new one is confirmed', async () => {
    const person = await people.seed();
    const { access_token, secret: old, codes } = await people.enrol(person);
    const signed = { access_token };
    expect(codeIn(await call(signed, 'POST', ENROL, { password: PASSWORD }))).toBe(
      'secondFactor.codeMissing',
    );
    const wrong = await call(signed, 'POST', ENROL, { password: PASSWORD, otp: '000000' });
    expect([wrong.statusCode, codeIn(wrong)]).toEqual([400, 'secondFactor.wrongCode']);
    const started = await call(signed, 'POST', ENROL, { password: PASSWORD, recoveryCode: codes[0] });
    const { secret } = data<{ secret: string }>(started);
    expect((await people.finish(await people.begin(person.email), { otp: codeOf(old) })).statusCode).toBe(
      200,
    );
    fixture.clock.advance(30_000);
    await mails.deliver();
    expect((await call(signed, 'POST', CONFIRM, { otp: codeOf(secret) })).statusCode).toBe(200);
    fixture.clock.advance(30_000);
    const status = async (otp: string) =>
      (await people.finish(await people.begin(person.email), { otp })).statusCode;
    expect([await status(codeOf(old)), await status(codeOf(secret))]).toEqual([400, 200]);
    const stale = await people.finish(await people.begin(person.email), { recovery_code: `${codes[1]}` });
    expect(stale.statusCode).toBe(400);
    expect(await auditOf(person.id)).toEqual(['secondFactor.on', 'secondFactor.replaced']);
    expect(await told()).toContain('moved to another authenticator app');
  });

  it('counts wrong codes, and waits like the sign-in', async () => {
    const person = await people.seed();
    const { access_token, secret } = await people.enrol(person);
    for (let n = 0; n < 5; n += 1) {
      await call({ access_token }, 'POST', REMOVAL, { password: PASSWORD, otp: '000000' });
      await people.finish(await people.begin(person.email), { otp: '000000' });
    }
    const refused = await call({ access_token }, 'POST', ENROL, { password: PASSWORD, otp: codeOf(secret) });
    expect([refused.statusCode, codeIn(refused), refused.headers['retry-after']]).toEqual([
      429,
      'rate.limited',
      '900',
    ]);
    expect((await people.finish(await people.begin(person.email), { otp: codeOf(secret) })).statusCode).toBe(
      429,
    );
  });
});

describe('new recovery codes', () => {
  it.each(['password', 'otp'] as const)('are made for the %s, and the old ones stop working', async (by) => {
    const person = await people.seed();
    const { access_token, secret, codes } = await people.enrol(person);
    await mails.deliver();
    const proof = by === 'otp' ? { otp: codeOf(secret) } : { password: PASSWORD };
    const made = await call({ access_token }, 'POST', CODES, proof);
    expect(data<{ codes: string[] }>(made).codes.filter((code) => codes.includes(code))).toEqual([]);
    const status = async (code: string) =>
      (await people.finish(await people.begin(person.email), { recovery_code: code })).statusCode;
    expect([
      await status(`${codes[0]}`),
      await status(`${data<{ codes: string[] }>(made).codes[0]}`),
    ]).toEqual([400, 200]);
    expect(await auditOf(person.id)).toEqual(['secondFactor.on', 'secondFactor.newCodes']);
    expect(await told()).toContain('New recovery codes were made');
  });

  it.each([
    ['nothing', {}, 'secondFactor.codeMissing'],
    ['a wrong password', { password: 'nope' }, 'password.wrongCurrent'],
    ['a wrong code', { otp: '000000' }, 'secondFactor.wrongCode'],
  ])('are not made for %s', async (_name, body, code) => {
    const { access_token } = await people.enrol(await people.seed());
    expect(codeIn(await call({ access_token }, 'POST', CODES, body))).toBe(code);
    expect(await people.state({ access_token })).toMatchObject({ recoveryCodesLeft: 10 });
  });

  it('are not made while the factor is off', async () => {
    const signed = await signIn((await people.seed()).email);
    const refused = await call(signed, 'POST', CODES, { password: PASSWORD });
    expect([refused.statusCode, codeIn(refused)]).toEqual([409, 'secondFactor.isOff']);
  });
});

describe('turning it off', () => {
  it('needs password and code, ends other sessions, is mailed and audited', async () => {
    const person = await people.seed();
    const { access_token, secret, codes } = await people.enrol(person);
    const begun = await people.begin(person.email);
    const other = await people.finish(await people.begin(person.email), { otp: codeOf(secret) });
    const refusals = [
      [{ password: PASSWORD }, 'secondFactor.codeMissing'],
      [{ password: 'nope', otp: codeOf(secret, 1) }, 'password.wrongCurrent'],
      [{ password: PASSWORD, otp: codeOf(secret) }, 'secondFactor.wrongCode'],
      [{ password: PASSWORD, recoveryCode: 'k3d9-x7mq-2fht' }, 'secondFactor.wrongRecoveryCode'],
    ] as const;
    for (const [body, code] of refusals) {
      expect(codeIn(await call({ access_token }, 'POST', REMOVAL, body))).toBe(code);
    }
    await mails.deliver();
    const off = await call({ access_token }, 'POST', REMOVAL, { password: PASSWORD, recoveryCode: codes[0] });
    expect([off.statusCode, off.body]).toEqual([204, '']);
    expect(await people.state({ access_token })).toMatchObject({ isOn: false, recoveryCodesLeft: 0 });
    expect(await sessionStatus(fixture, `${other.json()['access_token']}`)).toBe(401);
    expect((await people.finish(begun, { otp: codeOf(secret, 1) })).statusCode).toBe(400);
    expect((await people.password(person.email)).statusCode).toBe(200);
    expect(await auditOf(person.id)).toEqual(['secondFactor.on', 'secondFactor.off']);
    expect(await told()).toContain('Two-step sign-in was turned off. You have been signed out');
    expect(codeIn(await call({ access_token }, 'POST', REMOVAL, { password: PASSWORD }))).toBe(
      'secondFactor.isOff',
    );
  });
});

describe('support in a user’s name', () => {
  it('sees the state and changes nothing', async () => {
    const person = await people.seed();
    const { access_token, secret } = await people.enrol(person);
    await fixture.database
      .pool()
      .query("update user_session set actor = 'mia@provider.example', method = 'code' where user_id = $1", [
        person.id,
      ]);
    expect(await people.state({ access_token })).toMatchObject({ isOn: true });
    const otp = codeOf(secret);
    for (const [url, body] of [
      [ENROL, { password: PASSWORD, otp }],
      [CONFIRM, { otp }],
      [CODES, { password: PASSWORD }],
      [REMOVAL, { password: PASSWORD, otp }],
    ] as const) {
      const refused = await call({ access_token }, 'POST', url, body);
      expect([url, refused.statusCode, codeIn(refused)]).toEqual([url, 403, 'support.notAllowed']);
    }
  });
});
