import { apiScopes } from '@counterfoil/contract/operator/access/api-keys.ts';
import {
  OPERATOR_IDLE_SECONDS,
  OPERATOR_SESSION_SECONDS,
  operatorRoles,
  roleScopes,
} from '@counterfoil/contract/operator/access/operators.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { describe, expect, it } from 'vitest';
import {
  anotherCookie,
  invitedOperator,
  operatorCookie,
  operatorPassword,
} from '../../../test/fixtures/operator.ts';
import { otpCode } from '../../../test/fixtures/otp-code.ts';
import { programKey } from '../../../test/fixtures/program.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { operationsOf } from '../../http/answers/openapi-document.ts';
import { operatorLimits } from '../../limits/limits.ts';
import { resetOperator, setOperator, setOperatorActive } from './service.ts';

const fixture = useFixture();

interface Asked {
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function ask(call: string, { cookie, headers, body }: Asked = {}) {
  const [method = '', url = ''] = call.split(' ');
  const answer = await fixture.app.inject({
    method: method as 'GET',
    url,
    headers: { ...headers, ...(cookie === undefined ? {} : { cookie }) },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  const set = answer.cookies.find(({ name }) => name === 'operator');
  const isJson = String(answer.headers['content-type']).includes('json');
  const json = isJson ? answer.json() : {};
  return { status: answer.statusCode, code: json.code, data: json.data, set };
}

/** Follows an invitation. @returns the secret of the authenticator app */
async function follow(token: string, password = operatorPassword) {
  const { data } = await ask('POST /v1/operator/invitation', { body: { token } });
  const code = otpCode(data.secret, fixture.clock.now());
  const body = { token, password, code };
  return {
    secret: data.secret as string,
    ...(await ask('POST /v1/operator/invitation/acceptance', { body })),
  };
}

const signIn = (email: string, code: string, password = operatorPassword) =>
  ask('POST /v1/operator/session', { body: { email, password, code } });

const lines = async (email: string) =>
  (
    await fixture.database
      .pool()
      .query('select action, actor, detail from audit_event where user_email = $1 order by id', [email])
  ).rows;

describe('an operator', () => {
  it('comes in by the invitation once, with a password and the code of the app, and the cookie is theirs alone', async () => {
    const { reseller } = await fixture.seedPayer();
    const { email, token } = await invitedOperator(fixture, reseller.id, 'support');
    const wrong = { token, password: operatorPassword, code: '000000' };
    expect(await ask('POST /v1/operator/invitation/acceptance', { body: wrong })).toMatchObject({
      code: 'secondFactor.wrongCode',
    });
    expect(await follow(token, 'too short')).toMatchObject({ code: 'password.tooShort' });
    const joined = await follow(token);
    expect(joined).toMatchObject({
      status: 200,
      data: { email, role: 'support', resellerId: reseller.id, resellers: [{ id: reseller.id }] },
      set: { httpOnly: true, sameSite: 'Strict', path: '/' },
    });
    const body = { token };
    expect(await ask('POST /v1/operator/invitation', { body })).toMatchObject({
      status: 410,
      code: 'operator.invitationOver',
    });
    const cookie = `operator=${joined.set?.value}`;
    expect(await ask('GET /v1/operator/session', { cookie })).toMatchObject({ status: 200, data: { email } });
    const stored = await fixture.database.pool().query('select * from operator_session');
    expect(JSON.stringify(stored.rows)).not.toContain(joined.set?.value);
    expect((await lines(email)).map(({ action }) => action)).toEqual([
      'operator.added',
      'operator.joined',
      'operator.signedIn',
    ]);
  });

  it('signs in by password and code together; whatever is wrong is answered alike, and a code works once', async () => {
    const { email, token } = await invitedOperator(fixture, null);
    const { secret } = await follow(token);
    const used = otpCode(secret, fixture.clock.now());
    fixture.clock.advance(60_000);
    const code = otpCode(secret, fixture.clock.now());
    for (const refused of [
      await signIn(email, used),
      await signIn(email, '000000'),
      await signIn(email, code, 'another grey heron'),
      await signIn('nobody@provider.example', code),
    ])
      expect(refused).toMatchObject({ status: 401, code: 'operator.refused', set: undefined });
    const first = await signIn(email.toUpperCase(), code);
    expect(first).toMatchObject({ status: 200, data: { email } });
    expect(await signIn(email, code)).toMatchObject({ status: 401 });
    const reasons = (await lines(email)).flatMap(({ detail }) => detail.reason ?? []);
    expect(reasons).toEqual(['wrongCode', 'wrongCode', 'wrongPassword', 'wrongCode']);
  });

  it('has so many tries, right ones not counted', async () => {
    const { email, token } = await invitedOperator(fixture, null);
    const { secret } = await follow(token);
    fixture.clock.advance(60_000);
    await fixture.database.pool().query('delete from rate_limit');
    await fixture.database
      .pool()
      .query("update operator_session set network = 'elsewhere', address = 'elsewhere'");
    for (let tries = 0; tries < operatorLimits.account.tries; tries += 1)
      expect(await signIn(email, '000000', 'wrong')).toMatchObject({ status: 401 });
    const right = otpCode(secret, fixture.clock.now());
    expect(await signIn(email, right)).toMatchObject({ status: 429, code: 'rate.limited' });
    fixture.clock.advance(operatorLimits.account.withinMs);
    expect(await signIn(email, otpCode(secret, fixture.clock.now()))).toMatchObject({ status: 200 });
  });

  it('is signed out after two idle hours, after twelve at the latest, and at once where they say so', async () => {
    const idle = await operatorCookie(fixture, null);
    fixture.clock.advance(OPERATOR_IDLE_SECONDS * 1000 - 1);
    expect(await ask('GET /v1/operator/session', idle)).toMatchObject({ status: 200 });
    fixture.clock.advance(OPERATOR_IDLE_SECONDS * 1000);
    expect(await ask('GET /v1/operator/session', idle)).toMatchObject({ status: 401 });
    const busy = await operatorCookie(fixture, null);
    for (let hours = 1; hours < OPERATOR_SESSION_SECONDS / 3_600; hours += 1) {
      fixture.clock.advance(3_600_000);
      expect(await ask('GET /v1/operator/session', busy)).toMatchObject({ status: 200 });
    }
    fixture.clock.advance(3_600_000);
    expect(await ask('GET /v1/operator/session', busy)).toMatchObject({ status: 401 });
    const here = await operatorCookie(fixture, null);
    const there = { cookie: await anotherCookie(fixture, here.email) };
    const { data } = await ask('GET /v1/operator/sessions', here);
    expect(data).toHaveLength(2);
    const other = data.find(({ current }: { current: boolean }) => !current).id;
    const stranger = await operatorCookie(fixture, null);
    for (const [who, id] of [
      [stranger, other],
      [here, newId()],
    ] as const)
      expect(await ask(`DELETE /v1/operator/sessions/${id}`, who)).toMatchObject({ status: 404 });
    expect(await ask(`DELETE /v1/operator/sessions/${other}`, here)).toMatchObject({ status: 204 });
    expect(await ask('GET /v1/operator/session', there)).toMatchObject({ status: 401 });
    expect(await ask('DELETE /v1/operator/session', here)).toMatchObject({ status: 204 });
    expect(await ask('GET /v1/operator/session', here)).toMatchObject({ code: 'operator.signInNeeded' });
  });

  it('who is shut out, reset or given another role is so from the next call on', async () => {
    const { reseller } = await fixture.seedPayer();
    const { databases, clock, secrets } = fixture.deps;
    const change = { actor: 'cli:test', now: clock.now() };
    const one = await operatorCookie(fixture, reseller.id);
    const key = 'PUT /v1/admin/customers/by-reference/x';
    expect(await ask(key, { ...one, body: { label: 'X' } })).toMatchObject({ status: 201 });
    await databases.web.transaction((tx) => setOperator(tx, one.email, { role: 'readOnly' }, change));
    expect(await ask(key, { ...one, body: { label: 'Y' } })).toMatchObject({ code: 'operator.role' });
    await databases.web.transaction((tx) => setOperatorActive(tx, one.email, false, change));
    expect(await ask('GET /v1/admin/customers', one)).toMatchObject({ status: 401 });
    const two = await operatorCookie(fixture, reseller.id);
    const inviting = { secrets, byMail: false };
    const { token = '' } = await databases.web.transaction((tx) =>
      resetOperator(tx, inviting, two.email, change),
    );
    expect(await ask('GET /v1/admin/customers', two)).toMatchObject({ status: 401 });
    expect(await follow(token)).toMatchObject({ status: 200 });
    expect((await lines(one.email)).at(-2)).toMatchObject({
      action: 'operator.changed',
      actor: 'cli:test',
      detail: { 'before.role': 'owner', 'after.role': 'readOnly' },
    });
  });
});

describe('a call for programs by an operator', () => {
  it('is allowed by the scope that the role has, for each call and role', async () => {
    const { reseller } = await fixture.seedPayer();
    const operations = operationsOf(await fixture.app.openapi()).filter(({ access }) => access === 'program');
    expect(operations.length).toBeGreaterThan(10);
    const wrong: string[] = [];
    for (const role of operatorRoles) {
      const { cookie } = await operatorCookie(fixture, reseller.id, role);
      for (const { method, path, security = [] } of operations) {
        await fixture.database.pool().query('delete from rate_limit');
        const [scope] = security.flatMap(({ program = [] }) => program);
        const { code } = await ask(`${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`, { cookie });
        const isAllowed = roleScopes[role].some((one) => one === scope);
        if ((code === 'operator.role') === isAllowed || code === 'apiKey.refused')
          wrong.push(`${role}: ${method} ${path}: ${code}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(roleScopes.owner).toEqual(Object.keys(apiScopes));
  });

  it('of a reseller is bound to it; one of the installation names it; the trail names the operator', async () => {
    const [one, other] = [await fixture.seedPayer(), await fixture.seedPayer()];
    const about = (id: number) => ({ 'x-reseller-id': String(id) });
    const bound = await operatorCookie(fixture, one.reseller.id);
    const wide = await operatorCookie(fixture, null);
    const path = (id: string) => `GET /v1/admin/customers/${id}`;
    expect(await ask(path(one.customer.id), bound)).toMatchObject({ status: 200 });
    expect(await ask(path(other.customer.id), bound)).toMatchObject({ code: 'customer.notFound' });
    const headers = about(other.reseller.id);
    expect(await ask(path(other.customer.id), { ...bound, headers })).toMatchObject({
      code: 'reseller.notFound',
    });
    expect(await ask(path(other.customer.id), wide)).toMatchObject({ code: 'reseller.missing' });
    expect(await ask(path(other.customer.id), { ...wide, headers })).toMatchObject({ status: 200 });
    expect(await ask(path(one.customer.id), { ...wide, headers })).toMatchObject({ status: 404 });
    expect(await ask(`POST /v1/admin/customers/${one.customer.id}/disable`, bound)).toMatchObject({
      status: 200,
    });
    const { rows } = await fixture.database
      .pool()
      .query(
        "select actor, detail from audit_event where action = 'customer.disabled' and customer_id = $1",
        [one.customer.id],
      );
    expect(rows).toEqual([
      { actor: `operator:${bound.email}`, detail: { 'before.status': 'active', 'after.status': 'disabled' } },
    ]);
  });

  it('is no session of a customer’s user, and theirs is no operator’s; a key beside the cookie counts alone', async () => {
    const { reseller, headers: bearer } = await signedIn(fixture);
    const { cookie } = await operatorCookie(fixture, reseller.id);
    expect(await ask('GET /v1/operator/session', { headers: bearer })).toMatchObject({ status: 401 });
    expect(await ask('GET /v1/admin/customers', { headers: bearer })).toMatchObject({
      code: 'apiKey.refused',
    });
    const [, token = ''] = bearer.authorization.split(' ');
    expect(await ask('GET /v1/admin/customers', { cookie: `operator=${token}` })).toMatchObject({
      status: 401,
    });
    expect(await ask('GET /v1/ec/sessions', { cookie })).toMatchObject({ code: 'session.missing' });
    const key = await programKey(fixture, reseller.id, 'narrow', { scopes: ['usage:read'] });
    const headers = { authorization: `Bearer ${key}` };
    expect(await ask('GET /v1/admin/customers', { cookie, headers })).toMatchObject({ code: 'apiKey.scope' });
  });

  it('that writes is taken from a page of this very origin alone', async () => {
    const { reseller, customer } = await fixture.seedPayer();
    const { cookie } = await operatorCookie(fixture, reseller.id);
    const call = `POST /v1/admin/customers/${customer.id}/enable`;
    const other = `http://${reseller.host}`;
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' },
      { origin: 'null' },
      // Another host of ours, which customers' pages may write to.
      { host: 'localhost', origin: other, 'sec-fetch-site': 'same-site' },
    ])
      expect(await ask(call, { cookie, headers }), JSON.stringify(headers)).toMatchObject({
        status: 403,
        code: 'request.crossSite',
      });
    expect(await ask(call, { cookie, headers: { 'sec-fetch-site': 'same-origin' } })).toMatchObject({
      status: 200,
    });
  });
});
