import { describe, expect, it } from 'vitest';
import { accountMails, post, signInStatus, tokenIn } from '../../../test/fixtures/account-mails.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { webhookProgram } from '../../../test/fixtures/webhooks/webhook-program.ts';
import { enqueueRegistrationMail } from '../auth/mail-queue.ts';

const fixture = useFixture();
const mails = accountMails(fixture);
const GOOD = 'Harbour!47lantern';

async function invited() {
  const { reseller, customer } = await fixture.seedPayer();
  const user = await fixture.make.user({ resellerId: reseller.id, customerIds: [customer.id] });
  return { reseller, user, token: await invite(user.id) };
}
async function invite(userId: string) {
  await fixture.deps.databases.web.transaction((tx) => enqueueRegistrationMail(tx, userId));
  const [mail] = await mails.deliver();
  return tokenIn(mail);
}
const finish = (token: string, password: string) =>
  post(fixture, '/v1/ec/user-registration', { token, password });

describe('finishing a registration', () => {
  it('mails a link to the brand’s host; the password set with it signs in, and no change is reported [payments.registration.{call.finish,field.finish.token,field.finish.password}]', async () => {
    const { reseller, customer } = await fixture.seedPayer();
    const user = await fixture.make.user({ resellerId: reseller.id, customerIds: [customer.id] });
    const program = await webhookProgram(fixture, reseller.id);
    await program.listen();
    await fixture.deps.databases.web.transaction((tx) => enqueueRegistrationMail(tx, user.id));
    const [mail] = await mails.deliver();
    expect(mail).toMatchObject({ to: user.email, from: { name: reseller.name } });
    expect(mail?.text).toContain(`http://${reseller.host}:8080/finish-registration/${tokenIn(mail)}`);
    expect(await signInStatus(fixture, user.email, GOOD)).toBe(400);
    expect((await finish(tokenIn(mail), GOOD)).statusCode).toBe(204);
    expect(await signInStatus(fixture, user.email, GOOD)).toBe(200);
    expect(await mails.deliver()).toEqual([]);
    expect((await program.told()).map(({ type, data }) => [type, data['id'], data['customerIds']])).toEqual([
      ['user.registered', user.id, [customer.id]],
    ]);
  });

  it('says that the session has expired: used, replaced, after seven days, made up [payments.registration.error.{expired,description}, decisions.7.constant.registration-token]', async () => {
    const expired = {
      code: 'registration.expired',
      message: 'Your registration session has expired. Please try again.',
      error_description: 'Your registration session has expired. Please try again.',
    };
    const { user, token } = await invited();
    const newer = await invite(user.id);
    expect((await finish(token, GOOD)).json()).toMatchObject(expired);
    fixture.clock.advance(7 * 24 * 3_600_000);
    const late = await finish(newer, GOOD);
    expect([late.statusCode, late.json().code]).toEqual([410, 'registration.expired']);
    const last = await invite(user.id);
    expect((await finish(last, GOOD)).statusCode).toBe(204);
    expect((await finish(last, GOOD)).json()).toMatchObject(expired);
    expect((await finish('made-up', GOOD)).json()).toMatchObject(expired);
  });

  it('lives for seven days [decisions.7.constant.registration-token]', async () => {
    const { token } = await invited();
    fixture.clock.advance(7 * 24 * 3_600_000 - 1_000);
    expect((await finish(token, GOOD)).statusCode).toBe(204);
  });

  it('of twenty uses at once exactly one counts [decisions.7.registration-token-single-use]', async () => {
    const { token } = await invited();
    const answers = await Promise.all(Array.from({ length: 20 }, () => finish(token, GOOD)));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([204, ...Array(19).fill(410)]);
  });

  it.each([
    ['Aa1!aaa', 'Password shorter than 8 characters.'],
    ['harbour!47', "Password don't include at least one uppercase letter."],
    ['HARBOUR!47', "Password don't include at least one lowercase letter."],
    ['Harbour!lantern', "Password don't include at least one number."],
    ['Harbour47', "Password don't include at least one special character."],
    ['Reseller!1', 'This password is too common. Please choose another'],
  ])(
    'refuses %s with its message and leaves the link good [payments.registration.{constant.min-length,uppercase,lowercase,digit,constant.special,error.short,error.no-uppercase,error.no-lowercase,error.no-number,error.no-special}, decisions.9.default-as-specified]',
    async (password, message) => {
      const { token } = await invited();
      const refused = await finish(token, password);
      expect([refused.statusCode, refused.json().message]).toEqual([400, message]);
      expect((await finish(token, GOOD)).statusCode).toBe(204);
    },
  );

  it('refuses a malformed body with 400', async () => {
    for (const body of [{}, { token: 'x' }, { token: '', password: GOOD }, { token: 1, password: [] }]) {
      expect((await post(fixture, '/v1/ec/user-registration', body)).statusCode).toBe(400);
    }
  });
});

describe('where only the length is asked for', () => {
  const strict = useFixture({ env: () => ({ PASSWORD_RULE: 'length', PASSWORD_MIN_LENGTH: '12' }) });
  const strictMails = accountMails(strict);

  it('takes any twelve characters and refuses eleven, at registration and reset alike [decisions.9.{password-min-length-setting,password-rule-setting,default-as-specified}]', async () => {
    const { reseller, customer } = await strict.seedPayer();
    const user = await strict.make.user({ resellerId: reseller.id, customerIds: [customer.id] });
    await strict.deps.databases.web.transaction((tx) => enqueueRegistrationMail(tx, user.id));
    const [mail] = await strictMails.deliver();
    const set = (password: string) =>
      post(strict, '/v1/ec/user-registration', { token: tokenIn(mail), password });
    expect((await set('elevenchars')).json().message).toBe('Password shorter than 12 characters.');
    expect((await set('twelve chars')).statusCode).toBe(204);
    const token = await strictMails.resetToken(user.email);
    const short = await post(strict, '/v1/ec/password-reset', { token, password: 'elevenchars' });
    expect(short.json().message).toBe('A password has at least 12 characters');
  });
});
