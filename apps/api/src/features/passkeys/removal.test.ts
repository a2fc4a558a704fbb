import { readFile } from 'node:fs/promises';
import { SoftwareAuthenticator } from '@counterfoil/testing/authenticator.ts';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { describe, expect, it } from 'vitest';
import { sessionStatus } from '../../../test/fixtures/account-mails.ts';
import { type Person, passkeyFixture } from '../../../test/fixtures/passkey-fixture.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const passkeys = passkeyFixture(fixture);

const query = async (text: string, values: unknown[] = []) =>
  (await fixture.database.pool().query(text, values)).rows;
const list = async (person: Person) => (await passkeys.call(person, 'GET', '/v1/ec/passkeys')).json().data;
const codeOf = (answer: { statusCode: number; json: () => { code: string } }) => [
  answer.statusCode,
  answer.json().code,
];

/** How many wait for a lock, on each machine of a cluster. */
const COUNT = 'select count(*)::int as n from pg_locks where not granted';
const WAITING =
  clusterUrl() === undefined
    ? COUNT
    : `select sum(result::int)::int as n from run_command_on_all_nodes('${COUNT}')`;

describe('removing a passkey', () => {
  const tokenOf = (answer: { json: () => { access_token: string } }) => answer.json().access_token;
  const endReasons = (userId: string) =>
    query('select distinct end_reason from user_session where user_id = $1 and ended_at is not null', [
      userId,
    ]);

  it.each([
    [{}, [403, 'passkey.passwordNeeded']],
    [{ password: 'wrong' }, [400, 'password.wrongCurrent']],
    [{ password: '' }, [400, 'request.invalid']],
  ])('with %j is refused, however fresh the sign-in, and everything stays', async (body, refusal) => {
    const person = await passkeys.person();
    const { id } = (await passkeys.add(person)).json().data;
    const byPasskey = tokenOf(await passkeys.signIn(person));
    expect(codeOf(await passkeys.remove(person, id, body))).toEqual(refusal);
    expect(await list(person)).toHaveLength(1);
    expect(await sessionStatus(fixture, byPasskey)).toBe(200);
  });

  it('lets nobody guess the password by it', async () => {
    const person = await passkeys.person();
    const { id } = (await passkeys.add(person)).json().data;
    const answers: number[] = [];
    for (let n = 0; n < 10; n += 1)
      answers.push((await passkeys.remove(person, id, { password: `guess ${n}` })).statusCode);
    // One of the ten was used up by adding.
    expect(answers).toEqual([...Array(9).fill(400), 429]);
    expect((await passkeys.remove(person, id)).statusCode).toBe(429);
  });

  it('ends at once the sessions begun with it, whose refresh tokens too, and no other', async () => {
    const person = await passkeys.person();
    const { id } = (await passkeys.add(person)).json().data;
    const begun = await passkeys.signIn(person);
    const beside = { ...person, device: new SoftwareAuthenticator() };
    await passkeys.add(beside);
    const byOther = tokenOf(await passkeys.signIn(beside));
    expect(await sessionStatus(fixture, tokenOf(begun))).toBe(200);
    expect((await passkeys.remove(person, id)).statusCode).toBe(204);
    expect(await sessionStatus(fixture, tokenOf(begun))).toBe(401);
    const renewed = await passkeys.token(person.host, {
      grant_type: 'refresh_token',
      refresh_token: begun.json().refresh_token,
    });
    expect(renewed.json()).toMatchObject({ error: 'invalid_grant' });
    expect(await sessionStatus(fixture, byOther)).toBe(200);
    expect(await sessionStatus(fixture, person.token)).toBe(200);
    expect(await endReasons(person.id)).toEqual([{ end_reason: 'passkey' }]);
  });

  it('keeps the session it is removed from, which the password has just proven', async () => {
    const person = await passkeys.person();
    const { id } = (await passkeys.add(person)).json().data;
    const [here, there] = [tokenOf(await passkeys.signIn(person)), tokenOf(await passkeys.signIn(person))];
    expect((await passkeys.remove({ ...person, token: here }, id)).statusCode).toBe(204);
    expect(await sessionStatus(fixture, here)).toBe(200);
    expect(await sessionStatus(fixture, there)).toBe(401);
  });

  it('ends a session of which nobody knows by which passkey it was begun', async () => {
    const person = await passkeys.person();
    const { id } = (await passkeys.add(person)).json().data;
    const old = tokenOf(await passkeys.signIn(person));
    await query("update user_session set passkey_id = null where user_id = $1 and method = 'passkey'", [
      person.id,
    ]);
    await passkeys.remove(person, id);
    expect(await sessionStatus(fixture, old)).toBe(401);
  });

  it('knows older sessions from the audit trail', async () => {
    const person = await passkeys.person();
    const { id } = (await passkeys.add(person)).json().data;
    await passkeys.signIn(person);
    await query('update user_session set passkey_id = null where user_id = $1', [person.id]);
    const migration = new URL('../../../migrations/0036_safe_sign_in.sql', import.meta.url);
    const [fillIn = ''] = /update user_session[^;]+;/.exec(await readFile(migration, 'utf8')) ?? [];
    await query(fillIn);
    expect(
      await query('select method, passkey_id from user_session where user_id = $1 order by method', [
        person.id,
      ]),
    ).toEqual([
      { method: 'passkey', passkey_id: id },
      { method: 'password', passkey_id: null },
    ]);
  });

  it('goes by the password that stands: one that changes meanwhile proves nothing', async () => {
    const person = await passkeys.person();
    const { id } = (await passkeys.add(person)).json().data;
    const change = await fixture.database.pool().connect();
    await change.query('begin');
    await change.query("update app_user set password_hash = 'another' where id = $1", [person.id]);
    const removing = passkeys.remove(person, id);
    await expect.poll(async () => (await query(WAITING))[0]).not.toEqual({ n: 0 });
    await change.query('commit');
    change.release();
    expect(codeOf(await removing)).toEqual([400, 'password.wrongCurrent']);
    expect(await list(person)).toHaveLength(1);
  });

  it('of a user without a password wants a sign-in of the last ten minutes', async () => {
    const person = await passkeys.person({ withPassword: false });
    const { id } = (await passkeys.add(person)).json().data;
    const begun = tokenOf(await passkeys.signIn(person));
    fixture.clock.advance(10 * 60_000 + 1_000);
    for (const body of [{}, { password: 'any' }])
      expect(codeOf(await passkeys.remove(person, id, body))).toEqual([403, 'passkey.signInNeeded']);
    const fresh = tokenOf(await passkeys.signIn(person));
    expect((await passkeys.remove({ ...person, token: fresh }, id, {})).statusCode).toBe(204);
    expect(await sessionStatus(fixture, begun)).toBe(401);
    expect(await sessionStatus(fixture, fresh)).toBe(200);
  });
});
