import type { PasskeyChallenge, PasskeyRegistration } from '@counterfoil/contract/passkeys.ts';
import { type Lies, SoftwareAuthenticator } from '@counterfoil/testing/authenticator.ts';
import { hashPassword } from '../src/features/auth/passwords.ts';
import { signIn } from './account-mails.ts';
import type { TestFixture } from './test-fixture.ts';

export const PASSWORD = 'Ledger!2026';
let hash: Promise<string> | undefined;

export interface Person {
  readonly id: string;
  readonly email: string;
  /** The brand's, where they are. */
  readonly host: string;
  readonly token: string;
  readonly device: SoftwareAuthenticator;
}

interface Way {
  /** Where the request goes; the brand's host unless it says otherwise. */
  readonly host?: string;
  readonly lies?: Lies;
}

/** People with passkeys at the host of their brand. */
export function passkeyFixture(fixture: TestFixture) {
  const call = (
    person: Pick<Person, 'host' | 'token'>,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
  ) =>
    fixture.app.inject({
      method,
      url,
      headers: { host: `${person.host}:3000`, authorization: `Bearer ${person.token}` },
      ...(payload === undefined ? {} : { payload }),
    });
  const originAt = (host: string) => `http://${host}:3000`;

  const token = (host: string, form: Readonly<Record<string, string>>) =>
    fixture.app.inject({
      method: 'POST',
      url: '/token',
      headers: { host: `${host}:3000`, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ client_id: 'counterfoil-portal', ...form }).toString(),
    });

  const made = {
    call,
    originAt,
    token,
    async person(over: { readonly withPassword?: boolean; readonly device?: SoftwareAuthenticator } = {}) {
      const { reseller, customer } = await fixture.seedPayer();
      hash ??= hashPassword(PASSWORD);
      const passwordHash = await hash;
      const user = await fixture.make.user({
        resellerId: reseller.id,
        passwordHash,
        customerIds: [customer.id],
      });
      const auth = (await signIn(fixture, user.email, PASSWORD)).json();
      if (over.withPassword === false) {
        await fixture.database
          .pool()
          .query('update app_user set password_hash = null where id = $1', [user.id]);
      }
      const device = over.device ?? new SoftwareAuthenticator();
      return {
        id: user.id,
        email: user.email,
        host: reseller.host,
        token: String(auth.access_token),
        device,
      };
    },
    start: (person: Person, body: object = {}) => call(person, 'POST', '/v1/ec/passkeys/registration', body),
    /** Begins to add a passkey, has the device make it, and sends it. */
    async add(person: Person, { lies, host = person.host }: Way = {}) {
      const started = await made.start({ ...person, host });
      const { challengeId, options }: PasskeyRegistration = started.json().data;
      const credential = person.device.create(options, originAt(host), lies);
      return call({ ...person, host }, 'POST', '/v1/ec/passkeys', { challengeId, credential });
    },
    remove: (person: Pick<Person, 'host' | 'token'>, id: string, body: object = { password: PASSWORD }) =>
      call(person, 'POST', `/v1/ec/passkeys/${id}/removal`, body),
    async challenge(host: string): Promise<PasskeyChallenge> {
      const answer = await fixture.app.inject({
        method: 'POST',
        url: '/v1/ec/passkey-challenge',
        headers: { host: `${host}:3000` },
      });
      return answer.json().data;
    },
    /** Signs in with what the device signs. */
    async signIn(person: Person, { lies, host = person.host }: Way = {}) {
      const { challengeId, options } = await made.challenge(host);
      const credential = JSON.stringify(person.device.get(options, originAt(host), lies));
      return made.send(host, challengeId, credential);
    },
    send: (host: string, challengeId: string, credential: string) =>
      token(host, { grant_type: 'urn:counterfoil:passkey', challenge_id: challengeId, credential }),
  };
  return made;
}
