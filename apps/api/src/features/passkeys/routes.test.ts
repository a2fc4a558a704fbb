import { SoftwareAuthenticator } from '@counterfoil/testing/authenticator.ts';
import { describe, expect, it } from 'vitest';
import { accountMails, sessionStatus } from '../../../test/fixtures/account-mails.ts';
import { PASSWORD, passkeyFixture } from '../../../test/fixtures/passkey-fixture.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { openSession } from '../auth/session.ts';
import { hasPasskey } from './service.ts';

const fixture = useFixture();
const mails = accountMails(fixture);
const passkeys = passkeyFixture(fixture);
const BITWARDEN = 'd548826e-79b4-db40-a3d8-11116f7e8349';
const UNKNOWN_ID = '019364b2-7a00-7000-8000-00000000f00d';

const query = async (text: string, values: unknown[]) =>
  (await fixture.database.pool().query(text, values)).rows;
const list = async (person: { host: string; token: string }) =>
  (await passkeys.call(person, 'GET', '/v1/ec/passkeys')).json().data;
const codeOf = (answer: { statusCode: number; json: () => { code: string } }) => [
  answer.statusCode,
  answer.json().code,
];

describe('adding a passkey', () => {
  it('asks for one that signs in by itself behind the device’s lock, and for none it has', async () => {
    const person = await passkeys.person();
    const { options } = (await passkeys.start(person)).json().data;
    expect(options).toMatchObject({
      rp: { id: person.host, name: expect.stringContaining('Reseller') },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
      user: { name: person.email },
    });
    // Says nothing about the person to whoever finds the device.
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(16);
    await passkeys.add(person);
    const again = (await passkeys.start(person)).json().data.options;
    expect(again.excludeCredentials).toMatchObject([{ type: 'public-key', transports: ['internal'] }]);
    expect(again.user.id).toBe(options.user.id);
  });

  it('keeps it under the name of who made it, tells the person by mail and the audit trail', async () => {
    const person = await passkeys.person({ device: new SoftwareAuthenticator({ aaguid: BITWARDEN }) });
    expect(await hasPasskey(fixture.deps.databases.web, person.id)).toBe(false);
    const added = await passkeys.add(person);
    expect(added.json().data).toEqual({
      id: expect.any(String),
      name: 'Bitwarden',
      host: person.host,
      synced: true,
      createdAt: fixture.clock.now().toISOString(),
      lastUsedAt: null,
    });
    expect(await list(person)).toEqual([added.json().data]);
    expect(await hasPasskey(fixture.deps.databases.web, person.id)).toBe(true);
    const [mail] = (await mails.deliver()).filter(({ to }) => to === person.email).slice(-1);
    expect(mail?.subject).toMatch(/^The security of your account/);
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(
      `The passkey “Bitwarden” was added. It opens your account at ${person.host} without the password.`,
    );
    expect(
      await query("select detail from audit_event where action = 'passkey.added' and user_id = $1", [
        person.id,
      ]),
    ).toEqual([{ detail: { passkey: added.json().data.id, name: 'Bitwarden', host: person.host } }]);
  });

  it.each([
    ['at another origin', { origin: 'http://evil.example:3000' }],
    ['for another site', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: 'A'.repeat(43) }],
    ['with an unverified person', { userVerified: false }],
    ['without a person', { userPresent: false }],
  ])('refuses one made %s', async (_name, lies) => {
    const person = await passkeys.person();
    expect(codeOf(await passkeys.add(person, { lies }))).toEqual([400, 'passkey.refused']);
    expect(await list(person)).toEqual([]);
  });

  it('takes no certificates of makers, good ones either: nobody asked for them', async () => {
    const person = await passkeys.person();
    expect(codeOf(await passkeys.add(person, { lies: { certified: true } }))).toEqual([
      400,
      'passkey.refused',
    ]);
    expect(await list(person)).toEqual([]);
  });

  it('takes each challenge once, within five minutes, from the session that asked, at the same host', async () => {
    const [person, other] = [await passkeys.person(), await passkeys.person()];
    const make = async () => {
      const { challengeId, options } = (await passkeys.start(person)).json().data;
      return { challengeId, credential: person.device.create(options, passkeys.originAt(person.host)) };
    };
    const send = (who: { host: string; token: string }, body: object) =>
      passkeys.call(who, 'POST', '/v1/ec/passkeys', body);
    const expired = [410, 'passkey.expired'];
    const body = await make();
    expect(codeOf(await send({ ...other, host: person.host }, body))).toEqual(expired);
    expect(codeOf(await send({ ...person, host: other.host }, body))).toEqual(expired);
    expect((await send(person, body)).statusCode).toBe(200);
    expect(codeOf(await send(person, body))).toEqual(expired);
    const late = await make();
    fixture.clock.advance(5 * 60_000);
    expect(codeOf(await send(person, late))).toEqual(expired);
    const { challengeId } = await passkeys.challenge(person.host);
    expect(codeOf(await send(person, { ...late, challengeId }))).toEqual(expired);
    expect(await list(person)).toHaveLength(1);
    expect(await list(other)).toEqual([]);
  });

  it('refuses a key that is known already, in whosever account', async () => {
    const [person, other] = [await passkeys.person(), await passkeys.person()];
    await passkeys.add(other);
    const { challengeId, options } = (await passkeys.start(person)).json().data;
    const credential = person.device.create(options, passkeys.originAt(person.host));
    await query('update passkey set credential_id = $2 where user_id = $1', [
      other.id,
      Buffer.from(credential.id, 'base64url'),
    ]);
    const refused = await passkeys.call(person, 'POST', '/v1/ec/passkeys', { challengeId, credential });
    expect(codeOf(refused)).toEqual([409, 'passkey.known']);
    expect(await list(person)).toEqual([]);
  });

  it('ten minutes after the sign-in asks for the password first', async () => {
    const person = await passkeys.person();
    fixture.clock.advance(10 * 60_000);
    expect((await passkeys.start(person)).statusCode).toBe(200);
    fixture.clock.advance(1_000);
    expect(codeOf(await passkeys.start(person))).toEqual([403, 'passkey.passwordNeeded']);
    expect(codeOf(await passkeys.start(person, { password: 'wrong' }))).toEqual([
      400,
      'password.wrongCurrent',
    ]);
    expect((await passkeys.start(person, { password: PASSWORD })).statusCode).toBe(200);
  });

  it('asks a user without a password to sign in again', async () => {
    const person = await passkeys.person({ withPassword: false });
    expect((await passkeys.start(person)).statusCode).toBe(200);
    fixture.clock.advance(10 * 60_000 + 1_000);
    for (const body of [{}, { password: 'any' }]) {
      expect(codeOf(await passkeys.start(person, body))).toEqual([403, 'passkey.signInNeeded']);
    }
  });

  it('stops at twenty', async () => {
    const person = await passkeys.person();
    const { challengeId, options } = (await passkeys.start(person)).json().data;
    await query(
      `insert into passkey (id, user_id, credential_id, public_key, counter, transports, device_type, backed_up,
                            aaguid, name, rp_id, created_at)
       select gen_random_uuid(), $1, n::text::bytea, '\\x00', 0, '{}', 'multiDevice', true, gen_random_uuid(), 'x',
              'x', now() from generate_series(1, 20) n`,
      [person.id],
    );
    expect(codeOf(await passkeys.start(person))).toEqual([409, 'passkey.tooMany']);
    const credential = person.device.create(options, passkeys.originAt(person.host));
    const late = await passkeys.call(person, 'POST', '/v1/ec/passkeys', { challengeId, credential });
    expect(codeOf(late)).toEqual([409, 'passkey.tooMany']);
  });

  it('is not possible at a host that is nobody’s', async () => {
    const person = await passkeys.person();
    expect(codeOf(await passkeys.start({ ...person, host: 'evil.example' }))).toEqual([
      404,
      'brand.notFound',
    ]);
    expect((await passkeys.start({ ...person, host: 'localhost' })).json().data.options.rp.id).toBe(
      'localhost',
    );
  });
});

describe('a passkey of mine', () => {
  it('is renamed and removed; the person is told, and their session stays', async () => {
    const person = await passkeys.person();
    const { id } = (await passkeys.add(person)).json().data;
    const renamed = await passkeys.call(person, 'PUT', `/v1/ec/passkeys/${id}`, { name: '  My phone ' });
    expect(renamed.json().data).toMatchObject({ id, name: 'My phone' });
    expect(await list(person)).toMatchObject([{ name: 'My phone' }]);
    const nameless = await passkeys.call(person, 'PUT', `/v1/ec/passkeys/${id}`, { name: '  ' });
    expect(codeOf(nameless)).toEqual([400, 'request.invalid']);
    await mails.deliver();
    expect((await passkeys.remove(person, id)).statusCode).toBe(204);
    expect(await list(person)).toEqual([]);
    expect(codeOf(await passkeys.remove(person, id))).toEqual([404, 'passkey.notFound']);
    expect((await mails.deliver()).map(({ text }) => text.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringContaining('The passkey “My phone” was removed.'),
    ]);
    expect(await sessionStatus(fixture, person.token)).toBe(200);
    expect(
      await query(
        "select detail->>'name' as name from audit_event where action = 'passkey.removed' and user_id = $1",
        [person.id],
      ),
    ).toEqual([{ name: 'My phone' }]);
  });

  it('is like none to anybody else', async () => {
    const [mine, theirs] = [await passkeys.person(), await passkeys.person()];
    const { id } = (await passkeys.add(theirs)).json().data;
    expect(await list(mine)).toEqual([]);
    for (const foreign of [id, UNKNOWN_ID]) {
      const named = await passkeys.call(mine, 'PUT', `/v1/ec/passkeys/${foreign}`, { name: 'Mine now' });
      for (const answer of [named, await passkeys.remove(mine, foreign)])
        expect(codeOf(answer)).toEqual([404, 'passkey.notFound']);
    }
    expect(await list(theirs)).toMatchObject([{ id, name: expect.not.stringContaining('Mine') }]);
  });

  it('is seen by support, who can change nothing', async () => {
    const person = await passkeys.person();
    const { id } = (await passkeys.add(person)).json().data;
    const { databases, secrets, clock } = fixture.deps;
    const user = {
      id: person.id,
      reseller_id: 0,
      email: person.email,
      display_name: 'x',
      password_hash: null,
      password_expires_at: null,
    };
    const support = await openSession(
      { db: databases.web, secrets, clock, isDemo: false, sessionEnds: fixture.deps.config.sessionEnds },
      {
        user: { ...user, reseller_name: 'r', is_demo: false },
        method: 'code',
        actor: 'sam@provider.example',
        origin: { address: '192.0.2.9', agent: '' },
      },
    );
    const actor = { ...person, token: String(support?.access_token) };
    expect(await list(actor)).toHaveLength(1);
    const refused = [
      await passkeys.start(actor),
      await passkeys.call(actor, 'POST', '/v1/ec/passkeys', {}),
      await passkeys.call(actor, 'PUT', `/v1/ec/passkeys/${id}`, { name: 'x' }),
      await passkeys.remove(actor, id),
    ];
    for (const answer of refused) expect(codeOf(answer)).toEqual([403, 'support.notAllowed']);
  });
});
