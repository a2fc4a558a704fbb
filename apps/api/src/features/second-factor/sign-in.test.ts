import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { accountMails, post } from '../../../test/fixtures/account-mails.ts';
import { factorPeople, PASSWORD } from '../../../test/fixtures/factor-people.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { Limiter } from '../../limits/limiter.ts';
import { signIn } from '../auth/sign-in.ts';
import { askForSecondFactor } from './service.ts';

const fixture = useFixture();
const people = factorPeople(fixture);
const mails = accountMails(fixture);
const { begin, codeOf, finish, password } = people;

describe('a sign-in with a second factor', () => {
  it('is answered mfa_required with mfa_token after the right password, and a code opens the session [decisions.2.{mfa-required,field.mfa-required.error,field.mfa-required.mfa_token,call.mfa-grant}]', async () => {
    const person = await people.seed();
    const { secret } = await people.enrol(person);
    const asked = await password(person.email);
    expect([asked.statusCode, asked.json()]).toEqual([
      400,
      {
        error: 'mfa_required',
        error_description: 'Please enter the code of your authenticator app',
        mfa_token: expect.stringMatching(/^[\w-]{43}$/),
        mfa_methods: ['totp', 'recovery'],
      },
    ]);
    expect(asked.headers['cache-control']).toBe('no-store');
    const opened = await finish(`${asked.json()['mfa_token']}`, { otp: codeOf(secret) });
    expect([opened.statusCode, opened.json()['token_type']]).toEqual([200, 'Bearer']);
    expect(decodeJwt(`${opened.json()['access_token']}`).sub).toBe(person.id);
    const { rows } = await fixture.database.pool().query(
      `select s.method, a.detail from user_session s join audit_event a on a.session_id = s.id
        where s.user_id = $1 and a.action = 'signIn.succeeded' order by s.created_at desc limit 1`,
      [person.id],
    );
    expect(rows).toEqual([{ method: 'password', detail: { method: 'password', factor: 'totp' } }]);
  });

  it('says nothing of the factor to who does not know the password', async () => {
    const person = await people.seed();
    await people.enrol(person);
    const wrong = await password(person.email, 'nope');
    expect(wrong.json()).toEqual({
      error: 'invalid_grant',
      error_description: 'Invalid username or password',
    });
  });

  it('is not passed by because the factor came while the password was checked', async () => {
    const person = await people.seed();
    const db = fixture.deps.databases.web;
    const { sessionEnds } = fixture.deps.config;
    const limiter = new Limiter({ ...fixture.deps, db });
    const deps = { ...fixture.deps, db, isDemo: false, sessionEnds, limiter };
    const origin = { address: '198.51.100.9', agent: 'test', requestId: 'test' };
    const turnOn = async () => {
      await fixture.database
        .pool()
        .query(
          `insert into second_factor (user_id, created_at, secret, confirmed_at) values ($1, $2, '\\x00', $2)`,
          [person.id, fixture.clock.now()],
        );
      return undefined;
    };
    const after = [turnOn, askForSecondFactor(deps)];
    const meanwhile = await signIn(deps, person.email, PASSWORD, origin, { before: [], after });
    expect(meanwhile).toMatchObject({ ok: false, error: { error: 'invalid_grant' } });
    const again = await signIn(deps, person.email, PASSWORD, origin, { before: [], after: after.slice(1) });
    expect(again).toMatchObject({ ok: false, error: { error: 'mfa_required' } });
  });

  it('takes no code twice, not even in parallel', async () => {
    const person = await people.seed();
    const { secret } = await people.enrol(person);
    const begun = await Promise.all(Array.from({ length: 4 }, () => begin(person.email)));
    const otp = codeOf(secret);
    const answers = await Promise.all(begun.map((one) => finish(one, { otp })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400]);
    const later = await finish(await begin(person.email), { otp });
    expect([later.statusCode, later.json()['error']]).toEqual([400, 'mfa_required']);
  });

  it('takes an older code never after a newer one, and the neighbours of the present step', async () => {
    const person = await people.seed();
    const { secret } = await people.enrol(person);
    const status = async (steps: number) =>
      (await finish(await begin(person.email), { otp: codeOf(secret, steps) })).statusCode;
    expect([await status(-2), await status(2), await status(-1), await status(1)]).toEqual([
      400, 400, 200, 200,
    ]);
    expect([await status(0), await status(-1)]).toEqual([400, 400]);
  });

  it('is opened once by one mfa_token, whatever is sent with it', async () => {
    const person = await people.seed();
    const { secret, codes } = await people.enrol(person);
    const begun = await begin(person.email);
    const answers = await Promise.all([
      finish(begun, { otp: codeOf(secret) }),
      ...codes.slice(0, 5).map((code) => finish(begun, { recovery_code: code })),
    ]);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const again = await finish(begun, { recovery_code: `${codes[9]}` });
    expect([again.statusCode, again.json()['error']]).toEqual([400, 'invalid_grant']);
  });

  it('ends after five wrong codes or five minutes, and begins again with the password', async () => {
    const person = await people.seed();
    const { secret } = await people.enrol(person);
    const begun = await begin(person.email);
    const errors = [];
    for (let n = 0; n < 6; n += 1) errors.push((await finish(begun, { otp: '000000' })).json()['error']);
    expect(errors).toEqual([...Array(4).fill('mfa_required'), 'invalid_grant', 'invalid_grant']);
    expect((await finish(begun, { otp: codeOf(secret) })).statusCode).toBe(400);
    const late = await begin(person.email);
    fixture.clock.advance(300_000);
    expect((await finish(late, { otp: codeOf(secret) })).json()['error']).toBe('invalid_grant');
    expect((await finish(await begin(person.email), { otp: codeOf(secret) })).statusCode).toBe(200);
  });

  it('waits after ten wrong codes over all sign-ins, but for recovery codes, and never for good', async () => {
    const person = await people.seed();
    const { secret, codes } = await people.enrol(person);
    for (let n = 0; n < 5; n += 1) {
      const begun = await begin(person.email);
      await Promise.all([finish(begun, { otp: '000000' }), finish(begun, { otp: '000001' })]);
    }
    const begun = await begin(person.email);
    const waiting = await finish(begun, { otp: codeOf(secret) });
    expect([waiting.statusCode, waiting.headers['retry-after'], waiting.json()]).toEqual([
      429,
      '900',
      {
        error: 'mfa_required',
        error_description: 'Too many wrong codes. Please wait 15 minutes, or use a recovery code',
        mfa_token: begun,
        mfa_methods: ['totp', 'recovery'],
      },
    ]);
    expect((await finish(begun, { recovery_code: `${codes[0]}` })).statusCode).toBe(200);
    fixture.clock.advance(899_000);
    expect((await finish(await begin(person.email), { otp: codeOf(secret) })).statusCode).toBe(429);
    fixture.clock.advance(1_000);
    expect((await finish(await begin(person.email), { otp: codeOf(secret) })).statusCode).toBe(200);
  });

  it('opens with a recovery code, once even in parallel, and the person is mailed', async () => {
    const person = await people.seed();
    const { codes } = await people.enrol(person);
    await mails.deliver();
    const typed = `${codes[3]}`.toUpperCase().replaceAll('-', ' ');
    const begun = await Promise.all(Array.from({ length: 4 }, () => begin(person.email)));
    const answers = await Promise.all(begun.map((one) => finish(one, { recovery_code: typed })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400]);
    const used = answers.find(({ statusCode }) => statusCode === 400);
    expect(used?.json()).toMatchObject({
      error: 'mfa_required',
      error_description: 'This recovery code is not correct, or it was used before',
    });
    const opened = answers.find(({ statusCode }) => statusCode === 200);
    expect(await people.state({ access_token: `${opened?.json()['access_token']}` })).toMatchObject({
      recoveryCodesLeft: 9,
    });
    const [mail] = (await mails.deliver()).filter(({ text }) => text.includes('recovery code'));
    expect(mail).toMatchObject({ to: person.email });
    expect(mail?.text).toContain('9 are left');
  });

  it('offers no recovery code to who has used all of them', async () => {
    const person = await people.seed();
    const { codes } = await people.enrol(person);
    for (const code of codes) {
      expect((await finish(await begin(person.email), { recovery_code: code })).statusCode).toBe(200);
    }
    expect((await password(person.email)).json()['mfa_methods']).toEqual(['totp']);
  });

  it('is over when the password changes or the user is shut out meanwhile', async () => {
    const person = await people.seed();
    const { secret } = await people.enrol(person);
    const begun = await begin(person.email);
    const reset = await mails.resetToken(person.email);
    await post(fixture, '/v1/ec/password-reset', { token: reset, password: 'harbour-lantern-47' });
    const stale = await finish(begun, { otp: codeOf(secret) });
    expect([stale.statusCode, stale.json()['error']]).toEqual([400, 'invalid_grant']);
    const other = await people.seed();
    const { secret: theirs } = await people.enrol(other);
    const theirBegun = await begin(other.email);
    await fixture.database.pool().query('update app_user set is_active = false where id = $1', [other.id]);
    expect((await finish(theirBegun, { otp: codeOf(theirs) })).json()['error']).toBe('invalid_grant');
  });

  it('keeps the factor when the password is reset', async () => {
    const person = await people.seed();
    const { secret } = await people.enrol(person);
    const reset = await mails.resetToken(person.email);
    await post(fixture, '/v1/ec/password-reset', { token: reset, password: 'harbour-lantern-47' });
    const asked = await password(person.email, 'harbour-lantern-47');
    expect(asked.json()['error']).toBe('mfa_required');
    expect((await finish(`${asked.json()['mfa_token']}`, { otp: codeOf(secret) })).statusCode).toBe(200);
  });

  it.each([
    ['no token', { otp: '123456' }],
    ['no code', { mfa_token: 'x' }],
    ['an empty code', { mfa_token: 'x', otp: '' }],
  ])('refuses a form with %s', async (_name, form) => {
    const answer = await people.token({ grant_type: 'urn:counterfoil:mfa', ...form });
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'invalid_request' }]);
  });

  it('refuses a token nobody was given, and another person’s code', async () => {
    const [one, two] = [await people.seed(), await people.seed()];
    await people.enrol(one);
    const { secret, codes } = await people.enrol(two);
    expect((await finish('x'.repeat(43), { otp: codeOf(secret) })).json()['error']).toBe('invalid_grant');
    const begun = await begin(one.email);
    expect((await finish(begun, { otp: codeOf(secret) })).statusCode).toBe(400);
    expect((await finish(begun, { recovery_code: `${codes[0]}` })).statusCode).toBe(400);
  });
});
