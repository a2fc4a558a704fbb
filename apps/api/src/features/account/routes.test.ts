import { beforeAll, describe, expect, it } from 'vitest';
import {
  accountMails,
  post,
  sessionStatus,
  signIn,
  signInStatus,
} from '../../../test/fixtures/account-mails.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { hashPassword } from '../auth/passwords/passwords.ts';

const fixture = useFixture();
const mails = accountMails(fixture);
const OLD = 'Ledger!2026';
const NEW = 'harbour-lantern-47';
let passwordHash = '';

beforeAll(async () => {
  passwordHash = await hashPassword(OLD);
});

async function signedIn() {
  const { reseller, customer } = await fixture.seedPayer();
  const user = await fixture.make.user({ resellerId: reseller.id, passwordHash, customerIds: [customer.id] });
  const auth = (await signIn(fixture, user.email, OLD)).json() as { access_token: string };
  return { user, token: auth.access_token };
}
const change = (token: string, oldPassword: string, newPassword: string) =>
  post(fixture, '/v1/ec/password', { oldPassword, newPassword }, { authorization: `Bearer ${token}` });

describe('changing the password', () => {
  it('keeps this session, ends the others, and mails the person [portal.account.{call.password,field.password.oldPassword,field.password.newPassword}]', async () => {
    const { user, token } = await signedIn();
    const other = (await signIn(fixture, user.email, OLD)).json().access_token as string;
    const done = await change(token, OLD, NEW);
    expect([done.statusCode, done.body]).toEqual([204, '']);
    expect(await sessionStatus(fixture, token)).toBe(200);
    expect(await sessionStatus(fixture, other)).toBe(401);
    expect(await signInStatus(fixture, user.email, OLD)).toBe(400);
    expect(await signInStatus(fixture, user.email, NEW)).toBe(200);
    expect(await mails.deliver()).toMatchObject([
      { to: user.email, subject: expect.stringContaining('was changed') },
    ]);
  });

  it('makes an open reset link useless', async () => {
    const { user, token } = await signedIn();
    const reset = await mails.resetToken(user.email);
    await change(token, OLD, NEW);
    const late = await post(fixture, '/v1/ec/password-reset', { token: reset, password: 'another-harbour' });
    expect(late.statusCode).toBe(410);
  });

  it('refuses a wrong current password and changes nothing [decisions.error.7.wrong-old-password]', async () => {
    const { user, token } = await signedIn();
    const refused = await change(token, 'wrong', NEW);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      code: 'password.wrongCurrent',
      message: 'The current password is not correct',
    });
    expect(await signInStatus(fixture, user.email, OLD)).toBe(200);
    expect(await mails.deliver()).toEqual([]);
  });

  it.each([
    ['a short one', '12345', 'password.tooShort'],
    ['a common one', 'sunshine', 'password.tooCommon'],
    ['a very long one', 'x'.repeat(300), 'password.tooLong'],
  ])('refuses %s', async (_name, password, code) => {
    const { token } = await signedIn();
    const refused = await change(token, OLD, password);
    expect([refused.statusCode, refused.json().code]).toEqual([400, code]);
  });

  it('of several changes at once from the same old password one counts', async () => {
    const { user, token } = await signedIn();
    const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => change(token, OLD, `${NEW}-${n}`)));
    const won = answers.flatMap((answer, n) => (answer.statusCode === 204 ? [n] : []));
    expect(won).toHaveLength(1);
    expect(await signInStatus(fixture, user.email, `${NEW}-${won[0]}`)).toBe(200);
  });

  it('needs a session, and both passwords', async () => {
    expect((await post(fixture, '/v1/ec/password', { oldPassword: OLD, newPassword: NEW })).statusCode).toBe(
      401,
    );
    const { token } = await signedIn();
    expect((await change(token, '', NEW)).statusCode).toBe(400);
    expect((await change(token, OLD, '')).statusCode).toBe(400);
  });

  it('is not for support staff who are signed in as the person', async () => {
    const { user, token } = await signedIn();
    await fixture.database
      .pool()
      .query("update user_session set actor = 'helpdesk' where user_id = $1", [user.id]);
    const refused = await change(token, OLD, NEW);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'support.notAllowed']);
  });
});
