import { PASSKEY_GRANT } from '@counterfoil/contract/people/passkeys.ts';
import { SoftwareAuthenticator } from '@counterfoil/testing/authenticator.ts';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { sessionStatus } from '../../../test/fixtures/account-mails.ts';
import { type Person, passkeyFixture } from '../../../test/fixtures/passkey-fixture.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { refused } from '../auth/session.ts';
import { passkeyGrants } from './service.ts';

const fixture = useFixture();
const passkeys = passkeyFixture(fixture);

const query = async (text: string, values: unknown[]) =>
  (await fixture.database.pool().query(text, values)).rows;
const UNKNOWN = expect.stringMatching(/^This passkey does not open an account here/);
const EXPIRED = 'This took too long. Please try again';

/** A user with a passkey. */
async function withPasskey(device?: SoftwareAuthenticator): Promise<Person> {
  const person = await passkeys.person(device === undefined ? {} : { device });
  expect((await passkeys.add(person)).statusCode).toBe(200);
  return person;
}
const refusal = (answer: {
  statusCode: number;
  json: () => { error: string; error_description: string };
}) => [answer.statusCode, answer.json().error, answer.json().error_description];

describe('signing in with a passkey', () => {
  it('opens a session by the passkey alone, and says so among the sessions and in the audit trail [decisions.2.call.passkey-grant]', async () => {
    const person = await withPasskey();
    fixture.clock.advance(60_000);
    const answer = await passkeys.signIn(person);
    expect(answer.statusCode).toBe(200);
    const { access_token: token } = answer.json();
    expect(await sessionStatus(fixture, token)).toBe(200);
    const [session] = (await passkeys.call({ ...person, token }, 'GET', '/v1/ec/sessions')).json().data;
    expect(session).toMatchObject({ current: true, method: 'passkey' });
    const [mine] = (await passkeys.call(person, 'GET', '/v1/ec/passkeys')).json().data;
    expect(mine.lastUsedAt).toBe(fixture.clock.now().toISOString());
    const rows = await query(
      "select detail from audit_event where action = 'signIn.succeeded' and session_id = $1",
      [session.id],
    );
    expect(rows).toEqual([{ detail: { method: 'passkey', passkey: mine.id } }]);
  });

  it('asks everybody the same: no user, no list of passkeys, another challenge each time', async () => {
    const { host } = await withPasskey();
    const [one, two] = [await passkeys.challenge(host), await passkeys.challenge(host)];
    expect(one.options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: host,
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [],
    });
    expect(one.options.challenge).not.toBe(two.options.challenge);
    expect(one.challengeId).not.toBe(two.challengeId);
  });

  it('asks for no second factor', async () => {
    const person = await withPasskey();
    await query(
      `insert into second_factor (user_id, secret, created_at, confirmed_at, last_step)
       values ($1, '\\x00', now(), now(), 1)`,
      [person.id],
    );
    expect((await passkeys.signIn(person)).statusCode).toBe(200);
  });

  it('works time after time, with authenticators that count and with those that do not', async () => {
    for (const counts of [true, false]) {
      const person = await withPasskey(new SoftwareAuthenticator({ counts }));
      for (const _time of [1, 2, 3]) expect((await passkeys.signIn(person)).statusCode).toBe(200);
    }
  });
});

describe('a sign-in with a passkey is refused', () => {
  it.each([
    ['at another origin', { origin: 'http://evil.example:3000' }],
    ['at another port of the host', { origin: 'http://HOST:3001' }],
    ['over another scheme', { origin: 'https://HOST:3000' }],
    ['signed for another site', { rpId: 'localhost' }],
    ['that signed another challenge', { challenge: 'A'.repeat(43) }],
    ['with an unverified person', { userVerified: false }],
    ['without a person', { userPresent: false }],
    ['signed with another key', { otherKey: true }],
    ['in the name of another user', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
  ])('%s', async (_name, lies) => {
    const person = await withPasskey();
    const there = Object.fromEntries(
      Object.entries(lies).map(([key, value]) => [
        key,
        typeof value === 'string' ? value.replace('HOST', person.host) : value,
      ]),
    );
    const before = await query('select id from user_session where user_id = $1', [person.id]);
    expect(refusal(await passkeys.signIn(person, { lies: there }))).toEqual([400, 'invalid_grant', UNKNOWN]);
    expect(await query('select id from user_session where user_id = $1', [person.id])).toEqual(before);
    expect((await passkeys.signIn(person)).statusCode).toBe(200);
  });

  it('with another user’s credential and one’s own handle', async () => {
    const [victim, thief] = [await withPasskey(), await withPasskey()];
    const { challengeId, options } = await passkeys.challenge(victim.host);
    const theirs = victim.device.get(options, passkeys.originAt(victim.host));
    const own = thief.device.get(options, passkeys.originAt(victim.host));
    const mixes = [
      { ...own, id: theirs.id, rawId: theirs.rawId },
      {
        ...own,
        id: theirs.id,
        rawId: theirs.rawId,
        response: { ...own.response, userHandle: theirs.response.userHandle },
      },
    ];
    for (const mix of mixes) {
      const challenge = await passkeys.challenge(victim.host);
      expect(refusal(await passkeys.send(victim.host, challenge.challengeId, JSON.stringify(mix)))).toEqual([
        400,
        'invalid_grant',
        UNKNOWN,
      ]);
    }
    expect(challengeId).not.toBe('');
  });

  it('when its challenge comes back, also under twenty at once', async () => {
    const person = await withPasskey(new SoftwareAuthenticator({ counts: false }));
    const { challengeId, options } = await passkeys.challenge(person.host);
    const credential = JSON.stringify(person.device.get(options, passkeys.originAt(person.host)));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => passkeys.send(person.host, challengeId, credential)),
    );
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    expect(
      new Set(answers.filter(({ statusCode }) => statusCode !== 200).map((one) => refusal(one)[2])),
    ).toEqual(new Set([EXPIRED]));
    expect(refusal(await passkeys.send(person.host, challengeId, credential))[2]).toBe(EXPIRED);
  });

  it('when its challenge was used up by a wrong try', async () => {
    const person = await withPasskey();
    const { challengeId, options } = await passkeys.challenge(person.host);
    const origin = passkeys.originAt(person.host);
    const wrong = JSON.stringify(person.device.get(options, origin, { otherKey: true }));
    expect(refusal(await passkeys.send(person.host, challengeId, wrong))[2]).toEqual(UNKNOWN);
    const right = JSON.stringify(person.device.get(options, origin));
    expect(refusal(await passkeys.send(person.host, challengeId, right))[2]).toBe(EXPIRED);
  });

  it('after five minutes', async () => {
    const person = await withPasskey();
    const { challengeId, options } = await passkeys.challenge(person.host);
    const credential = JSON.stringify(person.device.get(options, passkeys.originAt(person.host)));
    fixture.clock.advance(5 * 60_000);
    expect(refusal(await passkeys.send(person.host, challengeId, credential))[2]).toBe(EXPIRED);
  });

  it('with a challenge of a registration, or of another host', async () => {
    const [person, other] = [await withPasskey(), await withPasskey()];
    const started = (await passkeys.start(person)).json().data;
    const elsewhere = await passkeys.challenge(other.host);
    for (const { challengeId, options } of [started, elsewhere]) {
      const signed = person.device.get({ ...options, rpId: person.host }, passkeys.originAt(person.host));
      const answer = await passkeys.send(person.host, challengeId, JSON.stringify(signed));
      expect(refusal(answer)[2]).toBe(EXPIRED);
    }
  });

  it('at another brand’s host, though the browser would not offer it there', async () => {
    const [person, other] = [await withPasskey(), await withPasskey()];
    expect(
      refusal(await passkeys.signIn(person, { host: other.host, lies: { rpId: person.host } }))[2],
    ).toEqual(UNKNOWN);
    expect(refusal(await passkeys.signIn(person, { host: other.host }))[2]).toEqual(UNKNOWN);
  });

  it('once it was removed, and for a user who was shut out', async () => {
    const [removed, shutOut] = [await withPasskey(), await withPasskey()];
    const [mine] = (await passkeys.call(removed, 'GET', '/v1/ec/passkeys')).json().data;
    expect((await passkeys.remove(removed, mine.id)).statusCode).toBe(204);
    expect(refusal(await passkeys.signIn(removed))).toEqual([400, 'invalid_grant', UNKNOWN]);
    await query('update app_user set is_active = false where id = $1', [shutOut.id]);
    expect(refusal(await passkeys.signIn(shutOut))).toEqual([400, 'invalid_grant', UNKNOWN]);
  });

  it('where a company demands its own sign-in, and only once the passkey has proven whose it is', async () => {
    const person = await withPasskey();
    const asked: string[] = [];
    const { databases, secrets, clock, config } = fixture.deps;
    const grant = passkeyGrants({
      db: databases.web,
      secrets,
      clock,
      publicUrl: config.publicUrl,
      isDemo: false,
      sessionEnds: config.sessionEnds,
      checks: [
        async (username) => {
          asked.push(username);
          return refused('invalid_grant', 'Please sign in through your company');
        },
      ],
    })[PASSKEY_GRANT];
    const send = async (lies = {}) => {
      const { challengeId, options } = await passkeys.challenge(person.host);
      const credential = JSON.stringify(person.device.get(options, passkeys.originAt(person.host), lies));
      const form = { grant_type: PASSKEY_GRANT, challenge_id: challengeId, credential };
      return grant?.(form, { address: '192.0.2.1', agent: '' }, { host: person.host } as FastifyRequest);
    };
    expect(await send({ otherKey: true })).toMatchObject({ error: { error_description: UNKNOWN } });
    expect(asked).toEqual([]);
    expect(await send()).toEqual(refused('invalid_grant', 'Please sign in through your company'));
    expect(asked).toEqual([person.email]);
  });

  it('for a user who is being shut out at that moment', async () => {
    const person = await withPasskey();
    const operator = await fixture.database.pool().connect();
    try {
      await operator.query('begin');
      await operator.query('update app_user set is_active = false where id = $1', [person.id]);
      const late = passkeys.signIn(person);
      await expect
        .poll(
          async () =>
            (
              await query(
                "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
                [],
              )
            ).length,
        )
        .toBeGreaterThan(0);
      await operator.query('commit');
      expect(refusal(await late)).toEqual([400, 'invalid_grant', UNKNOWN]);
    } finally {
      operator.release();
    }
  });

  it('when its count goes back: somewhere there is a copy', async () => {
    const person = await withPasskey();
    expect((await passkeys.signIn(person, { lies: { counter: 9 } })).statusCode).toBe(200);
    for (const counter of [9, 8, 0]) {
      const answer = await passkeys.signIn(person, { lies: { counter } });
      expect(refusal(answer)[2]).toMatch(/may have been copied/);
    }
    const copied =
      "select count(*)::int as n from audit_event where action = 'passkey.copied' and user_id = $1";
    expect(await query(copied, [person.id])).toEqual([{ n: 3 }]);
    // Only who has the key can say so: nobody else makes noise in the trail.
    await passkeys.signIn(person, { lies: { counter: 1, otherKey: true } });
    expect(await query(copied, [person.id])).toEqual([{ n: 3 }]);
    expect((await passkeys.signIn(person, { lies: { counter: 10 } })).statusCode).toBe(200);
  });

  it.each([
    ['nothing', {}],
    ['no credential', { challenge_id: 'x' }],
    ['no JSON', { challenge_id: 'x', credential: '{' }],
    ['other JSON', { challenge_id: 'x', credential: '[1]' }],
    [
      'no handle',
      { challenge_id: 'x', credential: '{"id":"a","rawId":"a","type":"public-key","response":{}}' },
    ],
  ])('as a bad form with %s', async (_name, form) => {
    const { host } = await passkeys.person();
    const answer = await passkeys.token(host, { grant_type: 'urn:counterfoil:passkey', ...form });
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request']);
  });

  it('at a host that is nobody’s', async () => {
    const person = await withPasskey();
    const answer = await fixture.app.inject({
      method: 'POST',
      url: '/v1/ec/passkey-challenge',
      headers: { host: 'evil.example' },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'brand.notFound']);
    const { challengeId, options } = await passkeys.challenge(person.host);
    const credential = JSON.stringify(person.device.get(options, passkeys.originAt(person.host)));
    expect(refusal(await passkeys.send('evil.example', challengeId, credential))[2]).toEqual(UNKNOWN);
    expect((await passkeys.send(person.host, challengeId, credential)).statusCode).toBe(200);
  });
});

describe('challenges', () => {
  it('are kept as a hash, and go once they are over', async () => {
    const { host } = await passkeys.person();
    fixture.clock.advance(6 * 60_000);
    for (let n = 0; n < 10; n += 1) await passkeys.challenge(host);
    const { challengeId } = await passkeys.challenge(host);
    const rows = await query('select c::text as c from passkey_challenge c where expires_at > $1', [
      fixture.clock.now(),
    ]);
    expect(rows).toHaveLength(11);
    expect(JSON.stringify(rows)).not.toContain(challengeId);
    fixture.clock.advance(6 * 60_000);
    await passkeys.challenge(host);
    expect(await query('select 1 as n from passkey_challenge', [])).toHaveLength(1);
  });
});
