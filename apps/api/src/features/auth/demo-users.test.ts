import { newId } from '@counterfoil/domain/text/ids.ts';
import { describe, expect, it } from 'vitest';
import { accountMails, post, sessionStatus, signIn } from '../../../test/fixtures/account-mails.ts';
import { factorPeople } from '../../../test/fixtures/factor-people.ts';
import { PASSWORD, type Person, passkeyFixture } from '../../../test/fixtures/passkey-fixture.ts';
import { programKey } from '../../../test/fixtures/program.ts';
import { newBrowser, PUBLIC_URL, signInPage, useSso } from '../../../test/fixtures/sso-fixture.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { makeLoginCode } from '../login-as/service.ts';
import { issueToken, type TokenKind } from './tokens/one-time-token.ts';

/** Tries to get in, or to change how one gets in. @returns whether it went through */
type Try = () => Promise<boolean>;
const WAYS = [
  'a session that is open',
  'a refresh token',
  'the password',
  'the code asked for after the password',
  'a passkey',
  'single sign-on',
  'the code of a single sign-on',
  'a login code of support',
  'a reset link',
  'a registration link',
  'a mail with a reset link',
  'a key of a program',
] as const;

describe.each([
  [undefined, false],
  ['0', false],
  ['1', true],
] as const)('a user of a demo world where DEMO is %s', (demo, mayEnter) => {
  const fixture = useFixture({ env: () => ({ PUBLIC_URL, ...(demo === undefined ? {} : { DEMO: demo }) }) });
  const passkeys = passkeyFixture(fixture);
  const factors = factorPeople(fixture);
  const sso = useSso(fixture);
  const mails = accountMails(fixture);
  const pool = () => fixture.database.pool();
  const inTx = <T>(work: Parameters<typeof fixture.deps.databases.web.transaction<T>>[0]) =>
    fixture.deps.databases.web.transaction(work);
  const isIn = async (answer: Promise<{ readonly statusCode: number }>) => (await answer).statusCode < 300;
  const token = (form: Readonly<Record<string, string>>) => factors.token(form);

  const mailedLink = async (person: Person, kind: TokenKind, url: string): Promise<Try> => {
    const link = await inTx((tx) => issueToken(tx, kind, person.id, fixture.clock.now()));
    return () => isIn(post(fixture, url, { token: link, password: 'Harbour!Lantern47' }));
  };

  /** What each way needs, had before the reseller was a demo's. */
  const ways: Readonly<Record<(typeof WAYS)[number], (person: Person) => Promise<Try>>> = {
    'a session that is open':
      async ({ token: open }) =>
      async () =>
        (await sessionStatus(fixture, open)) === 200,
    async 'a refresh token'({ email }) {
      const { refresh_token } = (await signIn(fixture, email, PASSWORD)).json();
      return () => isIn(token({ grant_type: 'refresh_token', refresh_token }));
    },
    'the password':
      async ({ email }) =>
      () =>
        isIn(signIn(fixture, email, PASSWORD)),
    async 'the code asked for after the password'({ id, email }) {
      const { secret } = await factors.enrol({ id, email, customerId: '', brandId: 0 });
      const begun = await factors.begin(email);
      return () => isIn(factors.finish(begun, { otp: factors.codeOf(secret) }));
    },
    async 'a passkey'(person) {
      await passkeys.add(person);
      return () => isIn(passkeys.signIn(person));
    },
    async 'single sign-on'() {
      const company = await sso.company();
      return async () => {
        const browser = newBrowser();
        const { code } = signInPage(await sso.signIn(browser, company));
        return isIn(sso.trade(browser, code ?? ''));
      };
    },
    async 'the code of a single sign-on'() {
      const [company, browser] = [await sso.company(), newBrowser()];
      const { code } = signInPage(await sso.signIn(browser, company));
      return () => isIn(sso.trade(browser, code ?? ''));
    },
    async 'a login code of support'({ id }) {
      const wanted = { userId: id, customerId: undefined, actor: 'Sam', reason: 'ticket 17' };
      const { code } = await inTx((tx) => makeLoginCode(tx, wanted, fixture.clock.now()));
      return () => isIn(post(fixture, '/v1/ec/login-by-code', { code }));
    },
    'a reset link': (person) => mailedLink(person, 'reset', '/v1/ec/password-reset'),
    'a registration link': (person) => mailedLink(person, 'registration', '/v1/ec/user-registration'),
    'a mail with a reset link':
      async ({ email }) =>
      async () => {
        await post(fixture, '/v1/ec/password-reset-request', { email });
        return (await mails.deliver()).length === 1;
      },
    async 'a key of a program'({ id }) {
      const { rows } = await pool().query('select reseller_id from app_user where id = $1', [id]);
      const key = await programKey(fixture, rows[0].reseller_id, 'mediation');
      const headers = { authorization: `Bearer ${key}` };
      const url = `/v1/admin/usage-imports/${newId()}`;
      return async () => (await fixture.app.inject({ url, headers })).statusCode === 404;
    },
  };

  const sessions = async () => (await pool().query('select 1 from user_session')).rowCount;

  it.each(WAYS)(`${mayEnter ? 'gets in' : 'is refused'}: %s`, async (way) => {
    const tryIt = await ways[way](await passkeys.person());
    await pool().query('update reseller set is_demo = true');
    const before = await sessions();
    expect(await tryIt()).toBe(mayEnter);
    if (!mayEnter) expect(await sessions()).toBe(before);
    await pool().query('update reseller set is_demo = false');
  });

  it.each(WAYS)('somebody else’s user gets in: %s', async (way) => {
    const tryIt = await ways[way](await passkeys.person());
    await pool().query(
      "insert into reseller (id, name, is_demo) values (1, 'Demo', true) on conflict do nothing",
    );
    expect(await tryIt()).toBe(true);
  });

  it('hears the same as with a wrong password', async () => {
    const person = await passkeys.person();
    const said = async (email: string, password: string) => {
      const answer = await signIn(fixture, email, password);
      return [answer.statusCode, answer.json()];
    };
    const wrong = await said(person.email, 'wrong');
    await pool().query('update reseller set is_demo = true');
    if (!mayEnter) expect(await said(person.email, PASSWORD)).toEqual(wrong);
  });
});
