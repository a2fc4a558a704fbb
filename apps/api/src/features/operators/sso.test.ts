import { SoftwareAuthenticator } from '@counterfoil/testing/authenticator.ts';
import { describe, expect, it } from 'vitest';
import { invitedOperator, operatorCookie, operatorPassword } from '../../../test/fixtures/operator.ts';
import { operatorPeople } from '../../../test/fixtures/operator-people.ts';
import { otpCode } from '../../../test/fixtures/otp-code.ts';
import {
  type Browser,
  HOST,
  newBrowser,
  PUBLIC_URL,
  ssoEnv,
  useSso,
} from '../../../test/fixtures/sso-fixture.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const CALLBACK = `${PUBLIC_URL}/v1/operator/sso/callback`;
const fixture = useFixture({ env: ssoEnv });
const sso = useSso(fixture, { redirectUris: [CALLBACK] });
const { ask, owner } = operatorPeople(fixture, HOST);
const path = '/v1/operator/sso';
const pool = () => fixture.database.pool();

const wanted = (resellerId: number | null, over: object = {}) => ({
  resellerId,
  name: `staff-${resellerId ?? 'all'}`,
  issuer: sso.provider.issuer,
  clientId: sso.provider.clientId,
  clientSecret: sso.provider.clientSecret,
  isDemanded: false,
  ...over,
});

/** An owner, with single sign-on set for their operators. */
async function withSso(resellerId: number | null, over: object = {}) {
  await pool().query('delete from operator_sso where reseller_id is not distinct from $1', [resellerId]);
  const one = await owner(resellerId);
  const set = await one.withCode(`PUT ${path}`, wanted(resellerId, over));
  expect(set).toMatchObject({ status: 200 });
  return { ...one, answer: set };
}

const begin = (browser: Browser, name?: string) =>
  sso.finish(browser, `${PUBLIC_URL}${path}/login${name === undefined ? '' : `?name=${name}`}`);
/** All of it. @returns where the browser ends */
async function visit(browser: Browser, name?: string) {
  return sso.finish(browser, await sso.visit(browser, await begin(browser, name)));
}
const cookieOf = (browser: Browser) => `operator=${browser.get(HOST)?.get('operator')}`;
const vouch = (email: string, sub = `sub of ${email}`, isVerified: unknown = true) => {
  sso.provider.person = { sub, email, email_verified: isVerified };
};
const session = (browser: Browser) => ask('GET /v1/operator/session', cookieOf(browser));
const lastOf = async (action: string) =>
  (
    await pool().query(
      'select user_email, actor, detail from audit_event where action = $1 order by id desc limit 1',
      [action],
    )
  ).rows[0];

async function seed() {
  const { reseller } = await fixture.seedPayer();
  const { email } = await invitedOperator(fixture, reseller.id, 'support');
  return { reseller, email, name: `staff-${reseller.id}` };
}

describe('single sign-on of operators', () => {
  it('is set by an owner with a code, its secret told to nobody, and tried', async () => {
    const { reseller } = await seed();
    const one = await withSso(reseller.id);
    expect(one.answer.data).toMatchObject({
      redirectUri: CALLBACK,
      settings: [{ resellerId: reseller.id, hasSecret: true, isDemanded: false, people: 0 }],
    });
    const { rows } = await pool().query('select * from operator_sso');
    const told = JSON.stringify([
      one.answer,
      await one.ask(`GET ${path}`),
      rows,
      await lastOf('operator.ssoSet'),
    ]);
    expect(told).not.toContain(sso.provider.clientSecret);
    expect(await one.ask(`POST ${path}/test`, { resellerId: reseller.id })).toMatchObject({
      data: {
        steps: [
          { step: 'provider', isGood: true },
          { step: 'pkce', isGood: true },
          { step: 'client', isGood: true },
        ],
      },
    });
    // What is not given stays with the same client, and is nothing to another.
    await one.withCode(`PUT ${path}`, wanted(reseller.id, { clientSecret: undefined, name: 'renamed' }));
    expect((await one.ask(`POST ${path}/test`, { resellerId: reseller.id })).data.steps[2].isGood).toBe(true);
    await one.withCode(`PUT ${path}`, wanted(reseller.id, { clientSecret: 'wrong' }));
    const { steps } = (await one.ask(`POST ${path}/test`, { resellerId: reseller.id })).data;
    expect(steps[2]).toMatchObject({ step: 'client', isGood: false, told: expect.any(String) });
    await one.withCode(
      `PUT ${path}`,
      wanted(reseller.id, { issuer: 'http://127.0.0.1:1', clientSecret: null }),
    );
    expect((await one.ask(`POST ${path}/test`, { resellerId: reseller.id })).data.steps).toMatchObject([
      { step: 'provider', isGood: false },
    ]);
    expect(await one.withCode(`POST ${path}/removal`, { resellerId: reseller.id })).toMatchObject({
      status: 204,
    });
    expect(await one.ask(`POST ${path}/test`, { resellerId: reseller.id })).toMatchObject({
      code: 'operator.ssoNotFound',
    });
  });

  it('is no matter of other roles, of other resellers’ owners, or of a key', async () => {
    const [mine, other] = [await seed(), await seed()];
    const one = await owner(mine.reseller.id);
    await withSso(other.reseller.id);
    expect((await one.ask(`GET ${path}`)).data.settings).toEqual([]);
    for (const resellerId of [null, other.reseller.id]) {
      expect(await one.withCode(`PUT ${path}`, wanted(resellerId))).toMatchObject({
        code: 'reseller.notFound',
      });
      expect(await one.ask(`POST ${path}/test`, { resellerId })).toMatchObject({ code: 'reseller.notFound' });
      expect(await one.withCode(`POST ${path}/removal`, { resellerId })).toMatchObject({
        code: 'reseller.notFound',
      });
    }
    for (const issuer of ['no address', 'http://login.example', 'https://user:pass@login.example'])
      expect(await one.withCode(`PUT ${path}`, wanted(mine.reseller.id, { issuer })), issuer).toMatchObject({
        status: 400,
        code: 'operator.ssoNotSet',
      });
    expect(
      await one.withCode(`PUT ${path}`, wanted(mine.reseller.id, { name: `STAFF-${other.reseller.id}` })),
    ).toMatchObject({ code: 'operator.ssoNotSet' });
    expect(await one.ask(`PUT ${path}`, { ...wanted(mine.reseller.id), code: '000000' })).toMatchObject({
      code: 'secondFactor.wrongCode',
    });
    const { cookie } = await operatorCookie(fixture, mine.reseller.id, 'billing');
    expect(await ask(`GET ${path}`, cookie)).toMatchObject({ code: 'operator.role' });
  });

  it('signs in who is an operator already, and binds them to the provider’s own id from then on', async () => {
    const { reseller, email, name } = await seed();
    await withSso(reseller.id);
    vouch(email.toUpperCase(), 'one');
    const browser = newBrowser();
    expect(await visit(browser, name)).toBe('/admin');
    expect(await session(browser)).toMatchObject({ status: 200, data: { email, role: 'support' } });
    expect(await lastOf('operator.signedIn')).toMatchObject({ user_email: email, detail: { method: 'sso' } });
    expect(await lastOf('operator.ssoBound')).toMatchObject({
      detail: { 'after.issuer': sso.provider.issuer },
    });
    // The address has gone to somebody else at the provider.
    vouch(email, 'two');
    const other = newBrowser();
    expect(await visit(other, name)).toBe('/admin/sign-in?sso=refused');
    expect(await session(other)).toMatchObject({ status: 401 });
    expect(await lastOf('operator.ssoRefused')).toMatchObject({
      user_email: email,
      detail: { reason: 'another person' },
    });
    vouch(email, 'one');
    expect(await visit(newBrowser(), name)).toBe('/admin');
    // Nor is one person two operators.
    const second = await invitedOperator(fixture, reseller.id);
    vouch(second.email, 'one');
    expect(await visit(newBrowser(), name)).toBe('/admin/sign-in?sso=refused');
  });

  it.each([
    ['an address that nobody has', async () => vouch('nobody@provider.example'), 'no such operator'],
    ['an address that is not verified', async ({ email }) => vouch(email, 'x', false), 'e-mail not verified'],
    [
      'an operator who is shut out',
      async ({ email }) => {
        await pool().query('update operator set disabled_at = now() where email = $1', [email]);
        vouch(email);
      },
      'no such operator',
    ],
    [
      'an operator of another reseller',
      async () => vouch((await invitedOperator(fixture, (await seed()).reseller.id)).email),
      'operator of others',
    ],
    [
      'an operator of the installation',
      async () => vouch((await invitedOperator(fixture, null)).email),
      'operator of others',
    ],
  ] as readonly [string, (seeded: { readonly email: string }) => Promise<void>, string][])(
    'of a reseller does not sign in %s',
    async (_who, prepare, reason) => {
      const seeded = await seed();
      await withSso(seeded.reseller.id);
      await prepare(seeded);
      expect(await visit(newBrowser(), seeded.name)).toBe('/admin/sign-in?sso=refused');
      expect(await lastOf('operator.ssoRefused')).toMatchObject({ detail: { reason } });
    },
  );

  it('counts once, in the browser that began it, and leads back in words where it cannot begin', async () => {
    const { reseller, email, name } = await seed();
    await withSso(reseller.id);
    vouch(email);
    const browser = newBrowser();
    const back = await sso.visit(browser, await begin(browser, name));
    expect(await sso.finish(newBrowser(), back)).toBe('/admin/sign-in?sso=failed');
    const changed = new URL(back);
    changed.searchParams.set('state', 'A'.repeat(43));
    expect(await sso.finish(browser, changed.href)).toBe('/admin/sign-in?sso=failed');
    expect(await sso.finish(browser, back)).toBe('/admin');
    expect(await sso.finish(browser, back)).toBe('/admin/sign-in?sso=failed');
    expect(await begin(browser, 'unknown')).toBe('/admin/sign-in?sso=unknown');
    const late = await sso.visit(browser, await begin(browser, name));
    fixture.clock.advance(11 * 60_000);
    expect(await sso.finish(browser, late)).toBe('/admin/sign-in?sso=failed');
    await pool().query("update operator_sso set issuer = 'http://127.0.0.1:1' where reseller_id = $1", [
      reseller.id,
    ]);
    expect(await begin(browser, name)).toBe('/admin/sign-in?sso=failed');
    expect(await lastOf('operator.ssoRefused')).toMatchObject({ detail: { reason: 'provider' } });
  });

  it('of the installation needs no name, and is for resellers without one of their own too', async () => {
    await withSso(null);
    const { reseller, email, name } = await seed();
    vouch(email);
    expect(await visit(newBrowser())).toBe('/admin');
    expect((await ask('GET /v1/operator/sign-in-ways', undefined)).data.ssoOfInstallation).toBe(true);
    await withSso(reseller.id);
    expect(await visit(newBrowser())).toBe('/admin/sign-in?sso=refused');
    expect(await visit(newBrowser(), name)).toBe('/admin');
    await pool().query('delete from operator_sso');
  });
});

describe('where single sign-on is demanded', () => {
  const signIn = (email: string, code: string) =>
    ask('POST /v1/operator/session', undefined, { email, password: operatorPassword, code });

  it('it has to be tried first; then passwords sign in nobody but owners of the installation', async () => {
    const { reseller, email, name } = await seed();
    const one = await withSso(reseller.id);
    const demanded = wanted(reseller.id, { isDemanded: true, clientSecret: undefined });
    expect(await one.withCode(`PUT ${path}`, demanded)).toMatchObject({
      status: 409,
      code: 'operator.ssoUntried',
    });
    vouch(email);
    const browser = newBrowser();
    expect(await visit(browser, name)).toBe('/admin');
    const colleague = await owner(reseller.id, 'billing');
    const ofAll = await owner(null);
    const device = new SoftwareAuthenticator();
    const started = await colleague.ask('POST /v1/operator/passkeys/registration', {});
    const credential = device.create(started.data.options, PUBLIC_URL);
    await colleague.ask('POST /v1/operator/passkeys', { challengeId: started.data.challengeId, credential });
    expect(await one.withCode(`PUT ${path}`, demanded)).toMatchObject({ status: 200 });
    // Sessions that were begun in another way end, but for the owner's own, and those of the installation's owners.
    expect(await colleague.ask('GET /v1/operator/session')).toMatchObject({ status: 401 });
    for (const person of [one, ofAll])
      expect(await person.ask('GET /v1/operator/session')).toMatchObject({ status: 200 });
    expect(await session(browser)).toMatchObject({ status: 200 });
    expect(await signIn(colleague.email, colleague.code())).toMatchObject({
      status: 403,
      code: 'operator.ssoDemanded',
      set: undefined,
    });
    const { data: asked } = await ask('POST /v1/operator/passkey-challenge', undefined);
    const signed = { challengeId: asked.challengeId, credential: device.get(asked.options, PUBLIC_URL) };
    expect(await ask('POST /v1/operator/session/passkey', undefined, signed)).toMatchObject({
      code: 'operator.ssoDemanded',
      set: undefined,
    });
    expect(await signIn(colleague.email, '000000')).toMatchObject({ code: 'operator.refused' });
    expect(await signIn(ofAll.email, ofAll.code())).toMatchObject({ status: 200 });
    // Whoever follows an invitation has password and app for what asks for a code, and no session by them.
    const { token } = await invitedOperator(fixture, reseller.id, 'owner');
    const { data } = await ask('POST /v1/operator/invitation', undefined, { token });
    const body = { token, password: operatorPassword, code: otpCode(data.secret, fixture.clock.now()) };
    expect(await ask('POST /v1/operator/invitation/acceptance', undefined, body)).toMatchObject({
      code: 'operator.ssoDemanded',
      set: undefined,
    });
    vouch(data.email);
    expect(await visit(newBrowser(), name)).toBe('/admin');
    await pool().query('delete from operator_sso');
  });
});
