import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  HOST,
  newBrowser,
  PUBLIC_URL,
  signInPage,
  ssoEnv,
  useSso,
} from '../../../test/fixtures/sso-fixture.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture({ env: ssoEnv });
const sso = useSso(fixture, { idTokenSeconds: 60 });
const sql = (text: string, ...values: unknown[]) => fixture.database.pool().query(text, values);
const failedAt = (company: { name: string }) => ({ e: 'Authentication failed', b: company.name });

/** A sign-in up to the moment when the browser comes back. */
async function comingBack() {
  const company = await sso.company();
  const browser = newBrowser();
  const address = await sso.visit(browser, await sso.begin(browser, { b: company.name, ct: '2' }));
  const finish = async (by = browser, to = address) => signInPage(await sso.finish(by, to));
  const reasons = async () => (await sso.refusals(company)).map(({ reason, code }) => code ?? reason);
  return { company, browser, address, finish, reasons };
}
async function nobodyAt(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}`;
}
const sessions = async (userId: string): Promise<number> =>
  (await sql('select 1 from user_session where user_id = $1', userId)).rows.length;

describe('coming back is refused', () => {
  it('after ten minutes', async () => {
    const { company, finish, reasons } = await comingBack();
    fixture.clock.advance(10 * 60_000);
    expect(await finish()).toEqual(failedAt(company));
    expect(await reasons()).toEqual(['visit expired']);
  });

  it('a second time: the callback is replayed', async () => {
    const { company, finish, reasons } = await comingBack();
    expect(await finish()).toHaveProperty('code');
    expect(await finish()).toEqual(failedAt(company));
    expect(await reasons()).toEqual(['visit used']);
  });

  it('for all but one of twenty at the same time', async () => {
    const { finish } = await comingBack();
    const pages = await Promise.all(Array.from({ length: 20 }, () => finish()));
    expect(pages.filter((page) => 'code' in page)).toHaveLength(1);
  });

  it('in another browser, with a cookie of its own and without one, and still works in the right one', async () => {
    const { company, browser, finish, reasons } = await comingBack();
    const other = newBrowser();
    expect(await finish(other)).toEqual(failedAt(company));
    await sso.begin(other, { b: company.name, ct: '2' });
    expect(await finish(other)).toEqual(failedAt(company));
    expect(await reasons()).toEqual(['other browser', 'other browser']);
    expect(await finish(browser)).toHaveProperty('code');
  });

  it('with a state that was tampered with', async () => {
    const { browser, address, finish } = await comingBack();
    const tampered = new URL(address);
    const state = tampered.searchParams.get('state') ?? '';
    tampered.searchParams.set('state', `${state.startsWith('x') ? 'y' : 'x'}${state.slice(1)}`);
    expect(await finish(browser, tampered.href)).toEqual({ e: 'Authentication failed' });
  });

  it('when the ID token carries another nonce', async () => {
    const { company, finish, reasons } = await comingBack();
    await sql("update sso_attempt set nonce = 'another' where company_id = $1", company.id);
    expect(await finish()).toEqual(failedAt(company));
    expect(await reasons()).toEqual(['OAUTH_JWT_CLAIM_COMPARISON_FAILED']);
  });

  it('with the code of somebody else: PKCE [decisions.2.sso-pkce]', async () => {
    const mine = await comingBack();
    const theirs = await comingBack();
    const mixed = new URL(mine.address);
    mixed.searchParams.set('code', new URL(theirs.address).searchParams.get('code') ?? '');
    expect(await mine.finish(mine.browser, mixed.href)).toEqual(failedAt(mine.company));
    expect(await mine.reasons()).toEqual(['invalid_grant']);
  });

  it('when the person gave up at the provider', async () => {
    const { company, browser, address, reasons } = await comingBack();
    const back = new URL(address);
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    expect(signInPage(await sso.finish(browser, back.href))).toEqual(failedAt(company));
    expect(await reasons()).toEqual(['access_denied']);
  });

  it('when another provider answers than was asked', async () => {
    const { browser, address, finish, reasons } = await comingBack();
    const back = new URL(address);
    back.searchParams.set('iss', 'https://evil.example');
    expect(await finish(browser, back.href)).not.toHaveProperty('code');
    expect(await reasons()).toEqual(['OAUTH_INVALID_RESPONSE']);
  });

  it('when the company is blocked meanwhile', async () => {
    const { company, finish } = await comingBack();
    await sql('update company set is_active = false where id = $1', company.id);
    expect(await finish()).toEqual({ e: 'Unexpected redirect error', b: company.name });
  });
});

describe('a person is refused', () => {
  const refusedAs = async (change: (at: Awaited<ReturnType<typeof sso.company>>) => unknown) => {
    const company = await sso.company();
    await change(company);
    expect(signInPage(await sso.signIn(newBrowser(), company))).toEqual(failedAt(company));
    expect(await sessions(company.user.id)).toBe(0);
    return (await sso.refusals(company)).map(({ reason }) => reason);
  };

  it.each([
    ['says it is not', false],
    ['says nothing', undefined],
    ['says so in words', 'true'],
  ])('whose address is not verified: the provider %s', async (_how, email_verified) => {
    const reasons = await refusedAs(({ user }) => {
      sso.provider.person = { email: user.email, email_verified };
    });
    expect(reasons).toEqual(['e-mail not verified']);
  });

  it('without an address', async () => {
    const reasons = await refusedAs(() => {
      sso.provider.person = { email_verified: true };
    });
    expect(reasons).toEqual(['e-mail not verified']);
  });

  it('whom nobody knows, and no user is made', async () => {
    const before = (await sql('select 1 from app_user')).rows.length;
    const reasons = await refusedAs(() => {
      sso.provider.person = { email: 'stranger@test.example', email_verified: true };
    });
    expect(reasons).toEqual(['no such user']);
    expect((await sql('select 1 from app_user')).rows).toHaveLength(before + 1);
  });

  it('who is shut out', async () => {
    const reasons = await refusedAs(({ user }) =>
      sql('update app_user set is_active = false where id = $1', user.id),
    );
    expect(reasons).toEqual(['no such user']);
  });

  it('who is a user of another company of the same reseller [decisions.2.sso-company-provider]', async () => {
    const reasons = await refusedAs(async ({ resellerId }) => {
      const customer = await fixture.make.customer({ resellerId, brandId: resellerId });
      const other = await fixture.make.user({ resellerId, customerIds: [customer.id] });
      sso.provider.person = { email: other.email, email_verified: true };
    });
    expect(reasons).toEqual(['no such user']);
  });

  it('who is a user of another reseller, whatever customers the tables say', async () => {
    const reasons = await refusedAs(async ({ customerId }) => {
      const elsewhere = await fixture.make.reseller();
      const other = await fixture.make.user({ resellerId: elsewhere.id, customerIds: [customerId] });
      sso.provider.person = { email: other.email, email_verified: true };
    });
    expect(reasons).toEqual(['no such user']);
  });

  it('who sees other customers too, unless the address is in a domain of the company', async () => {
    const seesOthers = async ({ resellerId, user }: Awaited<ReturnType<typeof sso.company>>) => {
      const customer = await fixture.make.customer({ resellerId, brandId: resellerId });
      await sql('insert into membership (user_id, customer_id) values ($1, $2)', user.id, customer.id);
    };
    expect(await refusedAs(seesOthers)).toEqual(['user of others']);
    const company = await sso.company({ domains: ['test.example'] });
    await seesOthers(company);
    expect(signInPage(await sso.signIn(newBrowser(), company))).toHaveProperty('code');
  });
});

describe('a code', () => {
  const code = async () => {
    const { company, browser, finish } = await comingBack();
    return { company, browser, code: (await finish())['code'] ?? '' };
  };
  const spent = {
    error: 'invalid_grant',
    error_description: 'This sign-in has expired or was used already. Please sign in again',
  };

  it('works once: replayed it is refused [decisions.2.sso-code-once]', async () => {
    const one = await code();
    expect((await sso.trade(one.browser, one.code)).statusCode).toBe(200);
    const again = await sso.trade(one.browser, one.code);
    expect([again.statusCode, again.json()]).toEqual([400, spent]);
  });

  it('of twenty trades at once gives exactly one session [decisions.2.sso-code-once]', async () => {
    const { company, browser, code: one } = await code();
    const answers = await Promise.all(Array.from({ length: 20 }, () => sso.trade(browser, one)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(19);
    expect(await sessions(company.user.id)).toBe(1);
  });

  it('lives for 60 seconds [decisions.2.constant.sso-code-life]', async () => {
    const [young, old] = [await code(), await code()];
    fixture.clock.advance(59_999);
    expect((await sso.trade(young.browser, young.code)).statusCode).toBe(200);
    fixture.clock.advance(1);
    expect((await sso.trade(old.browser, old.code)).json()).toEqual(spent);
  });

  it('is good in the browser that began the sign-in only [decisions.2.sso-code-bound]', async () => {
    const one = await code();
    const other = newBrowser();
    expect((await sso.trade(other, one.code)).json()).toEqual(spent);
    await sso.begin(other, { b: one.company.name, ct: '2' });
    expect((await sso.trade(other, one.code)).json()).toEqual(spent);
    expect((await sso.trade(one.browser, one.code)).statusCode).toBe(200);
  });

  it('is good for the sign-in page it was made for only [portal.token.field.redirect_uri]', async () => {
    const one = await code();
    const redirect_uri = `${PUBLIC_URL}/elsewhere`;
    expect((await sso.trade(one.browser, one.code, { redirect_uri })).json()).toEqual(spent);
    expect((await sso.trade(one.browser, one.code, { redirect_uri: '' })).json()).toEqual({
      error: 'invalid_request',
    });
    expect((await sso.trade(one.browser, '')).json()).toEqual({ error: 'invalid_request' });
    expect((await sso.trade(one.browser, one.code)).statusCode).toBe(200);
  });

  it('is worth nothing once the user is shut out', async () => {
    const one = await code();
    await sql('update app_user set is_active = false where id = $1', one.company.user.id);
    expect((await sso.trade(one.browser, one.code)).json()).toEqual(spent);
  });
});

describe('a provider', () => {
  it('that changed its keys is believed at once', async () => {
    const company = await sso.company();
    for (let round = 0; round < 2; round += 1) {
      expect(signInPage(await sso.signIn(newBrowser(), company))).toHaveProperty('code');
      sso.provider.changeKey(true);
    }
  });

  it('is not believed what is signed with a key it does not publish', async () => {
    const company = await sso.company();
    sso.provider.changeKey(false);
    expect(signInPage(await sso.signIn(newBrowser(), company))).toEqual(failedAt(company));
    expect(await sso.refusals(company)).toMatchObject([{ code: 'OAUTH_KEY_SELECTION_FAILED' }]);
    sso.provider.changeKey(true);
  });

  it('that is down leads back with the message, and is asked again the next time', async () => {
    const company = await sso.company({ issuer: await nobodyAt() });
    const begin = async () =>
      signInPage(await sso.begin(newBrowser(), { b: company.name, ct: '2', r: '/usage' }));
    expect(await begin()).toEqual({ ...failedAt(company), r: '/usage' });
    expect(await begin()).toEqual({ ...failedAt(company), r: '/usage' });
    expect(await sso.refusals(company)).toMatchObject(
      Array(2).fill({ reason: 'provider', code: 'ECONNREFUSED' }),
    );
    const left = await fixture.app.inject({
      url: `/sso/login?b=${company.name}&ct=2`,
      headers: { host: HOST },
    });
    expect(left.headers['set-cookie']).toBeUndefined();
  });

  it('whose secret was sealed with another key leads back with the message', async () => {
    const company = await sso.company();
    await sql("update company set client_secret = '\\x01' where id = $1", company.id);
    expect(signInPage(await sso.begin(newBrowser(), { b: company.name, ct: '2' }))).toEqual(
      failedAt(company),
    );
  });

  describe('with another clock', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
    afterEach(() => void vi.useRealTimers());

    it.each([
      [55, true],
      [65, false],
    ])('whose token ended %s seconds ago: believed %s', async (seconds, isBelieved) => {
      const { company, finish, reasons } = await comingBack();
      // Its tokens live 60 seconds; while the answer travels, our clock runs ahead.
      sso.provider.afterTrade = () => void vi.setSystemTime(Date.now() + (60 + seconds) * 1000);
      const page = await finish();
      expect('code' in page).toBe(isBelieved);
      if (!isBelieved) expect(page).toEqual(failedAt(company));
      expect(await reasons()).toEqual(isBelieved ? [] : ['OAUTH_JWT_TIMESTAMP_CHECK_FAILED']);
    });
  });
});
