import { roleScopes } from '@counterfoil/contract/operator/access/operators.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { describe, expect, it } from 'vitest';
import { invitedOperator, operatorCookie } from '../../../test/fixtures/operator.ts';
import { operatorPeople } from '../../../test/fixtures/operator-people.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const { ask, joined, owner } = operatorPeople(fixture);
const operators = '/v1/operator/operators';
const keys = '/v1/operator/api-keys';

const newcomer = (resellerId: number | null) => ({
  email: `${newId()}@provider.example`,
  displayName: 'Nora New',
  role: 'support',
  resellerId,
});
const wanted = (resellerId: number | null, name = `k${newId()}`) => ({
  resellerId,
  name,
  scopes: ['customers:read'],
  expiresAt: null,
});
const trail = async (like: string) =>
  (
    await fixture.database
      .pool()
      .query('select action, actor, detail from audit_event where action like $1 order by id desc limit 3', [
        like,
      ])
  ).rows;

describe('operators by an owner', () => {
  it('are made, changed, shut out, let in and reset; the link is told once and works', async () => {
    const { reseller } = await fixture.seedPayer();
    const one = await owner(reseller.id);
    const made = await one.withCode(`POST ${operators}`, newcomer(reseller.id));
    expect(made).toMatchObject({ status: 201, data: { state: 'invited', role: 'support', isSelf: false } });
    const { id, email, url } = made.data;
    const person = await joined(new URL(url).pathname.split('/').at(-1) ?? '');
    const session = async () => (await ask('GET /v1/operator/session', person.cookie)).data?.scopes;
    expect(await session()).toEqual([...roleScopes.support]);
    const body = { displayName: 'Nora New', role: 'billing', resellerId: reseller.id };
    expect(await one.withCode(`PUT ${operators}/${id}`, body)).toMatchObject({ data: { role: 'billing' } });
    expect(await session()).toEqual([...roleScopes.billing]);
    expect(await one.ask(`POST ${operators}/${id}/disable`)).toMatchObject({ data: { state: 'disabled' } });
    expect(await session()).toBeUndefined();
    expect(await one.withCode(`POST ${operators}/${id}/enable`)).toMatchObject({ data: { state: 'active' } });
    expect(await one.withCode(`POST ${operators}/${id}/reset`)).toMatchObject({
      data: { state: 'invited', url: expect.stringMatching(/\/admin\/invitation\/[\w-]{43}$/) },
    });
    const { data: listed } = await one.ask(`GET ${operators}`);
    expect(listed.map((row: { email: string; isSelf: boolean }) => [row.email, row.isSelf])).toEqual(
      expect.arrayContaining([
        [one.email, true],
        [email, false],
      ]),
    );
    expect(JSON.stringify(listed)).not.toContain('/admin/invitation/');
    expect((await trail('operator.changed'))[0]).toMatchObject({
      actor: `operator:${one.email}`,
      detail: { 'before.role': 'support', 'after.role': 'billing' },
    });
  });

  it('are no matter of other roles, of other resellers, or of themselves; and the code works once', async () => {
    const [mine, other] = [await fixture.seedPayer(), await fixture.seedPayer()];
    const one = await owner(mine.reseller.id);
    const { cookie } = await operatorCookie(fixture, mine.reseller.id, 'billing');
    for (const call of [`GET ${operators}`, `GET ${keys}`])
      expect(await ask(call, cookie), call).toMatchObject({ status: 403, code: 'operator.role' });
    const theirs = await invitedOperator(fixture, other.reseller.id);
    const { rows } = await fixture.database
      .pool()
      .query('select id from operator where email = $1', [theirs.email]);
    const their = `${operators}/${rows[0].id}`;
    expect(await one.ask(`POST ${their}/disable`)).toMatchObject({ status: 404, code: 'operator.notFound' });
    for (const to of [null, other.reseller.id, 999_999])
      expect(await one.withCode(`POST ${operators}`, newcomer(to))).toMatchObject({
        code: 'reseller.notFound',
      });
    const self = (await one.ask(`GET ${operators}`)).data.find((row: { isSelf: boolean }) => row.isSelf);
    expect(await one.ask(`POST ${operators}/${self.id}/disable`)).toMatchObject({ code: 'operator.self' });
    const code = one.code();
    expect(await one.ask(`POST ${operators}`, { ...newcomer(mine.reseller.id), code })).toMatchObject({
      status: 201,
    });
    expect(await one.ask(`POST ${operators}`, { ...newcomer(mine.reseller.id), code })).toMatchObject({
      status: 400,
      code: 'secondFactor.wrongCode',
    });
    const wide = await owner(null);
    expect((await wide.ask(`POST ${their}/disable`)).data).toMatchObject({ state: 'disabled' });
    expect(await wide.withCode(`POST ${operators}`, newcomer(null))).toMatchObject({ status: 201 });
  });
});

describe('API keys by an owner', () => {
  it('are made, rotated and ended; the secret is told once, and no key makes one', async () => {
    const { reseller } = await fixture.seedPayer();
    const one = await owner(reseller.id);
    const made = await one.withCode(`POST ${keys}`, wanted(reseller.id, 'erp'));
    expect(made).toMatchObject({
      status: 201,
      data: { name: 'erp', scopes: ['customers:read'], revokedAt: null },
    });
    const works = async (key: string) =>
      (
        await fixture.app.inject({
          url: '/v1/admin/customers',
          headers: { authorization: `Bearer ${key}` },
        })
      ).statusCode;
    expect(await works(made.data.key)).toBe(200);
    expect(await one.withCode(`POST ${keys}`, wanted(reseller.id, 'erp'))).toMatchObject({
      status: 409,
      code: 'apiKey.nameTaken',
    });
    const { id } = made.data;
    const second = await one.withCode(`POST ${keys}/${id}/rotate`, { graceMinutes: 60 });
    expect([await works(made.data.key), await works(second.data.key)]).toEqual([200, 200]);
    const third = await one.withCode(`POST ${keys}/${id}/rotate`, { graceMinutes: 0 });
    expect([await works(second.data.key), await works(third.data.key)]).toEqual([401, 200]);
    const { data: listed } = await one.ask(`GET ${keys}`);
    expect(JSON.stringify(listed)).not.toContain('cfk_');
    expect(await one.ask(`POST ${keys}/${id}/revoke`)).toMatchObject({
      data: { revokedAt: expect.any(String) },
    });
    expect(await works(third.data.key)).toBe(401);
    expect(await one.withCode(`POST ${keys}/${id}/rotate`)).toMatchObject({ code: 'apiKey.ended' });
    expect((await trail('apiKey.%')).map(({ action, actor }) => [action, actor])).toEqual([
      ['apiKey.revoked', `operator:${one.email}`],
      ['apiKey.rotated', `operator:${one.email}`],
      ['apiKey.rotated', `operator:${one.email}`],
    ]);
    const refused = await fixture.app.inject({
      method: 'POST',
      url: keys,
      headers: { authorization: `Bearer ${third.data.key}` },
      payload: { ...wanted(reseller.id), code: one.code() },
    });
    expect(refused.json()).toMatchObject({ status: 401, code: 'operator.signInNeeded' });
  });

  it('are those of the owner’s reseller alone, and run out in the future', async () => {
    const [mine, other] = [await fixture.seedPayer(), await fixture.seedPayer()];
    const [one, wide] = [await owner(mine.reseller.id), await owner(null)];
    const theirs = await wide.withCode(`POST ${keys}`, wanted(other.reseller.id));
    expect(await one.ask(`POST ${keys}/${theirs.data.id}/revoke`)).toMatchObject({ code: 'apiKey.notFound' });
    expect((await one.ask(`GET ${keys}`)).data).toEqual([]);
    expect(await one.withCode(`POST ${keys}`, wanted(null))).toMatchObject({ code: 'reseller.notFound' });
    const past = { ...wanted(mine.reseller.id), expiresAt: '2020-01-01T00:00:00Z' };
    expect(await one.withCode(`POST ${keys}`, past)).toMatchObject({ code: 'apiKey.expiryPast' });
    expect(await wide.withCode(`POST ${keys}`, wanted(null))).toMatchObject({ status: 201 });
  });
});
