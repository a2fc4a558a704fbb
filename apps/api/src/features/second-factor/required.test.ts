import { newId } from '@counterfoil/domain/text/ids.ts';
import { describe, expect, it } from 'vitest';
import {
  type FactorPerson,
  factorPeople,
  PASSWORD,
  type Signed,
} from '../../../test/fixtures/factor-people.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { operationsOf } from '../../http/answers/openapi-document.ts';

const fixture = useFixture();
const people = factorPeople(fixture);
const { call, signIn } = people;

const require = async (person: FactorPerson, isRequired = true) => {
  await fixture.database
    .pool()
    .query(`update brand set settings = settings || $2::jsonb where id = $1`, [
      person.brandId,
      JSON.stringify({ requireSecondFactor: isRequired }),
    ]);
};
const status = async (signed: Pick<Signed, 'access_token'>, url: string) =>
  (await call(signed, 'GET', url)).statusCode;
const addPasskey = (userId: string) =>
  fixture.database.pool().query(
    `insert into passkey (id, user_id, credential_id, public_key, counter, transports, device_type, backed_up, aaguid,
                          name, rp_id, created_at)
     values ($1, $2, $3, $3, 0, '{}', 'multiDevice', true, $1, 'Key', 'portal.example', now())`,
    [newId(), userId, Buffer.from(userId)],
  );

describe('a brand that asks for a second factor', () => {
  it('lets a user without one reach nothing but setting it up', async () => {
    const person = await people.seed();
    await require(person);
    const signed = await signIn(person.email);
    const refused = await call(signed, 'GET', '/v1/ec/invoices');
    expect([refused.statusCode, refused.json()['code']]).toEqual([403, 'secondFactor.required']);
    const me = await call(signed, 'GET', '/v1/ec/me');
    expect(me.json()['data']).toMatchObject({ needsSecondFactor: true });
    expect(await people.state(signed)).toMatchObject({ isOn: false, isRequired: true });
    expect(await status(signed, '/v1/ec/settings')).toBe(200);
  });

  it('keeps every other route of the document shut, whichever it is', async () => {
    const person = await people.seed();
    await require(person);
    const { access_token } = await signIn(person.email);
    const document = await fixture.app.openapi();
    const wayOut = '/v1/ec/logout';
    // Programs have keys, operators a session of another kind.
    const ofUsers = ['session', 'customer'];
    const guarded = operationsOf(document).filter(
      ({ access, path }) => ofUsers.includes(access) && path !== wayOut,
    );
    const open: string[] = [];
    for (const { method, path } of guarded) {
      const answer = await fixture.app.inject({
        method: method as 'GET',
        url: path.replaceAll(/\{\w+\}/g, person.customerId),
        headers: { authorization: `Bearer ${access_token}` },
        ...(method === 'GET' ? {} : { payload: {} }),
      });
      const isShut = answer.statusCode === 403 && answer.json().code === 'secondFactor.required';
      if (!isShut) open.push(`${method} ${path}`);
    }
    expect(guarded.length - open.length).toBeGreaterThan(20);
    const setUp = /^(GET|POST) \/v1\/ec\/(second-factor|passkeys)/;
    expect(new Set(open.filter((one) => !setUp.test(one)))).toEqual(
      new Set(['GET /v1/ec/me', 'GET /v1/ec/settings', 'GET /v1/brands-settings/{id}']),
    );
    const out = await fixture.app.inject({
      method: 'POST',
      url: wayOut,
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(out.statusCode).toBe(204);
  });

  it('opens everything once it is set up, and at the next sign-in asks for it', async () => {
    const person = await people.seed();
    await require(person);
    const enrolled = await people.enrol(person);
    expect(await status(enrolled, '/v1/ec/invoices')).toBe(200);
    expect((await call(enrolled, 'GET', '/v1/ec/me')).json()['data']).toMatchObject({
      needsSecondFactor: false,
    });
    const refused = await call(enrolled, 'POST', '/v1/ec/second-factor/removal', {
      password: PASSWORD,
      recoveryCode: enrolled.codes[0],
    });
    expect([refused.statusCode, refused.json()['code']]).toEqual([409, 'secondFactor.keep']);
    expect((await people.password(person.email)).json()['error']).toBe('mfa_required');
  });

  it('holds for a session that was open before, and lets go when it asks no more', async () => {
    const person = await people.seed();
    const signed = await signIn(person.email);
    expect(await status(signed, '/v1/ec/invoices')).toBe(200);
    await require(person);
    expect(await status(signed, '/v1/ec/invoices')).toBe(403);
    await require(person, false);
    expect(await status(signed, '/v1/ec/invoices')).toBe(200);
  });

  it('holds for whoever has one customer of that brand among others', async () => {
    const [first, second] = [await people.seed(), await people.seed()];
    await fixture.database.pool().query('insert into membership (user_id, customer_id) values ($1, $2)', [
      first.id,
      (
        await fixture.make.customer({
          resellerId: (await resellerOf(first)) ?? 0,
          brandId: await brandBeside(first),
        })
      ).id,
    ]);
    const signed = await signIn(first.email);
    expect(await status(signed, '/v1/ec/invoices')).toBe(403);
    expect(await status(await signIn(second.email), '/v1/ec/invoices')).toBe(200);
  });

  it.each(['sso', 'passkey', 'code'])('is satisfied by a sign-in by %s', async (method) => {
    const person = await people.seed();
    await require(person);
    const signed = await signIn(person.email);
    await fixture.database
      .pool()
      .query('update user_session set method = $2 where user_id = $1', [person.id, method]);
    expect(await status(signed, '/v1/ec/invoices')).toBe(200);
  });

  it('takes a passkey for a second factor, which then is asked for after the password', async () => {
    const person = await people.seed();
    await addPasskey(person.id);
    expect((await people.password(person.email)).statusCode).toBe(200);
    await require(person);
    const asked = await people.password(person.email);
    expect(asked.json()).toMatchObject({
      error: 'mfa_required',
      error_description: 'Please sign in with your passkey',
      mfa_methods: ['passkey'],
    });
    const { secret } = { secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' };
    const guessed = await people.finish(`${asked.json()['mfa_token']}`, { otp: people.codeOf(secret) });
    expect(guessed.statusCode).toBe(400);
  });
});

async function resellerOf(person: FactorPerson): Promise<number | undefined> {
  const { rows } = await fixture.database
    .pool()
    .query<{ id: number }>('select reseller_id as id from brand where id = $1', [person.brandId]);
  return rows[0]?.id;
}

/** Another brand of the same reseller, which asks for a second factor. */
async function brandBeside(person: FactorPerson): Promise<number> {
  const { rows } = await fixture.database.pool().query<{ id: number }>(
    `insert into brand as b (id, reseller_id, name, company_name, colours, settings)
     select (select max(id) + 1 from brand), reseller_id, name, company_name, colours, '{"requireSecondFactor": true}'
       from brand where id = $1 returning b.id`,
    [person.brandId],
  );
  return rows[0]?.id ?? 0;
}
