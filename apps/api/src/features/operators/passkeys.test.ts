import type { PasskeyRegistration } from '@counterfoil/contract/people/passkeys.ts';
import { type Lies, SoftwareAuthenticator } from '@counterfoil/testing/authenticator.ts';
import { describe, expect, it } from 'vitest';
import { accountMails } from '../../../test/fixtures/account-mails.ts';
import { operatorPeople } from '../../../test/fixtures/operator-people.ts';
import { passkeyFixture } from '../../../test/fixtures/passkey-fixture.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const mails = accountMails(fixture);
const users = passkeyFixture(fixture);
const { ask, owner } = operatorPeople(fixture);
const path = '/v1/operator/passkeys';
/** Where requests go that name no host: the installation's own. */
const HERE = 'http://localhost:3000';
const FRESH_MS = 10 * 60_000;
const refused = { status: 401, code: 'operator.passkeyRefused', set: undefined };

type Person = Awaited<ReturnType<typeof owner>> & { readonly device: SoftwareAuthenticator };

async function add(person: Person, proof: object = {}, lies?: Lies) {
  const started = await person.ask(`POST ${path}/registration`, proof);
  if (started.status !== 200) return started;
  const { challengeId, options } = started.data as PasskeyRegistration;
  return person.ask(`POST ${path}`, { challengeId, credential: person.device.create(options, HERE, lies) });
}

async function withPasskey(device = new SoftwareAuthenticator()) {
  const person = { ...(await owner(null)), device };
  const { status, data } = await add(person);
  expect(status).toBe(201);
  return { ...person, passkeyId: String(data.id) };
}

const challenge = async () => (await ask('POST /v1/operator/passkey-challenge', undefined)).data;
const send = (challengeId: string, credential: object) =>
  ask('POST /v1/operator/session/passkey', undefined, { challengeId, credential });
async function signIn({ device }: { readonly device: SoftwareAuthenticator }, lies?: Lies) {
  const { challengeId, options } = await challenge();
  return send(challengeId, device.get(options, HERE, lies));
}
const trail = async (email: string) =>
  (
    await fixture.database
      .pool()
      .query('select action, detail from audit_event where user_email = $1 order by id', [email])
  ).rows;

describe('a passkey of an operator', () => {
  it('is added, named, signs in without password and code, and is removed with the sessions begun by it', async () => {
    const person = await withPasskey();
    expect((await person.ask(`GET ${path}`)).data).toMatchObject([
      { id: person.passkeyId, host: 'localhost' },
    ]);
    expect(await person.ask(`PUT ${path}/${person.passkeyId}`, { name: 'Olga’s laptop' })).toMatchObject({
      data: { name: 'Olga’s laptop' },
    });
    const session = await signIn(person);
    expect(session).toMatchObject({ status: 200, data: { email: person.email, role: 'owner' } });
    const cookie = `operator=${session.set?.value}`;
    const places = (await person.ask('GET /v1/operator/sessions')).data;
    expect(places.map(({ method }: { method: string }) => method).sort()).toEqual(['passkey', 'password']);
    expect(await person.ask(`POST ${path}/${person.passkeyId}/removal`, {})).toMatchObject({ status: 204 });
    expect(await ask('GET /v1/operator/session', cookie)).toMatchObject({ status: 401 });
    expect(await person.ask('GET /v1/operator/session')).toMatchObject({ status: 200 });
    expect(await signIn(person)).toMatchObject(refused);
    expect((await mails.deliver()).filter(({ to }) => to === person.email).map(({ text }) => text)).toEqual([
      expect.stringContaining('was added. It opens the console at localhost without'),
      expect.stringContaining('The passkey “Olga’s laptop” was removed'),
    ]);
    expect((await trail(person.email)).map(({ action }) => action).slice(3)).toEqual([
      'operator.passkeyAdded',
      'operator.passkeyRenamed',
      'operator.signedIn',
      'operator.passkeyRemoved',
    ]);
  });

  it('is changed within ten minutes of the sign-in, later by the newest code', async () => {
    const person = await withPasskey();
    fixture.clock.advance(FRESH_MS + 1);
    expect(await add(person)).toMatchObject({ status: 403, code: 'operator.codeNeeded' });
    expect(await add(person, { code: '000000' })).toMatchObject({ code: 'secondFactor.wrongCode' });
    expect(await add(person, { code: person.code() })).toMatchObject({ status: 201 });
    const removal = `POST ${path}/${person.passkeyId}/removal`;
    expect(await person.ask(removal, {})).toMatchObject({ code: 'operator.codeNeeded' });
    expect(await person.withCode(removal)).toMatchObject({ status: 204 });
  });

  it('is theirs alone, and gone when they start again', async () => {
    const [person, other] = [await withPasskey(), await withPasskey()];
    const at = `${path}/${other.passkeyId}`;
    for (const [call, body] of [
      [`PUT ${at}`, { name: 'Mine' }],
      [`POST ${at}/removal`, {}],
    ] as const)
      expect(await person.ask(call, body), call).toMatchObject({ status: 404, code: 'passkey.notFound' });
    const { data } = await person.ask('GET /v1/operator/operators');
    const { id } = data.find(({ email }: { email: string }) => email === other.email);
    expect(await person.ask(`POST /v1/operator/operators/${id}/disable`)).toMatchObject({ status: 200 });
    expect(await signIn(other)).toMatchObject(refused);
    expect(await person.withCode(`POST /v1/operator/operators/${id}/enable`)).toMatchObject({ status: 200 });
    expect(await signIn(other)).toMatchObject({ status: 200 });
    expect(await person.withCode(`POST /v1/operator/operators/${id}/reset`)).toMatchObject({ status: 200 });
    expect(await signIn(other)).toMatchObject(refused);
  });

  it('that is the only way in beside single sign-on cannot be removed', async () => {
    const person = await withPasskey();
    const pool = fixture.database.pool();
    await pool.query(
      'update operator set password_hash = null, otp_secret = null, last_step = null where email = $1',
      [person.email],
    );
    const removal = `POST ${path}/${person.passkeyId}/removal`;
    expect(await person.ask(removal, {})).toMatchObject({ status: 409, code: 'operator.lastWayIn' });
    const second = await add(person);
    expect(await person.ask(removal, {})).toMatchObject({ status: 204 });
    fixture.clock.advance(FRESH_MS + 1);
    expect(await person.ask(`POST ${path}/${second.data.id}/removal`, {})).toMatchObject({
      code: 'passkey.signInNeeded',
    });
  });
});

describe('a sign-in by an operator’s passkey is refused', () => {
  it.each<[string, Lies]>([
    ['at another origin', { origin: 'http://evil.example:3000' }],
    ['over another scheme', { origin: 'https://localhost:3000' }],
    ['signed for another site', { rpId: 'evil.example' }],
    ['that signed another challenge', { challenge: 'A'.repeat(43) }],
    ['with an unverified person', { userVerified: false }],
    ['signed with another key', { otherKey: true }],
    ['in the name of another operator', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
  ])('%s', async (_name, lies) => {
    const person = await withPasskey();
    expect(await signIn(person, lies)).toMatchObject(refused);
    expect(await signIn(person)).toMatchObject({ status: 200 });
  });

  it('with another operator’s credential, or a challenge that was used, or made for users', async () => {
    const [victim, thief] = [await withPasskey(), await withPasskey()];
    const { challengeId, options } = await challenge();
    const [theirs, own] = [victim.device.get(options, HERE), thief.device.get(options, HERE)];
    expect(await send(challengeId, { ...own, id: theirs.id, rawId: theirs.rawId })).toMatchObject(refused);
    expect(await send(challengeId, own)).toMatchObject({ status: 410, code: 'passkey.expired' });
    const ofUsers = await users.challenge('localhost');
    expect(await send(ofUsers.challengeId, thief.device.get(ofUsers.options, HERE))).toMatchObject({
      code: 'passkey.expired',
    });
  });

  it('of a user of a customer, and an operator’s opens no portal', async () => {
    const person = await users.person();
    expect((await users.add(person)).statusCode).toBe(200);
    const { challengeId, options } = await challenge();
    const credential = person.device.get(options, HERE);
    expect(await send(challengeId, credential)).toMatchObject(refused);
    const operator = await withPasskey();
    const asked = await users.challenge('localhost');
    const signed = JSON.stringify(operator.device.get(asked.options, HERE));
    const answer = await users.send('localhost', asked.challengeId, signed);
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_grant']);
  });

  it('whose counter goes back, and that is on record', async () => {
    const person = await withPasskey();
    expect(await signIn(person)).toMatchObject({ status: 200 });
    expect(await signIn(person, { counter: 1 })).toMatchObject({
      status: 401,
      code: 'operator.passkeyCopied',
    });
    expect((await trail(person.email)).at(-1)).toMatchObject({
      action: 'operator.signInRefused',
      detail: { reason: 'passkeyCopied' },
    });
  });
});
