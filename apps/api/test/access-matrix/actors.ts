import { newId } from '@counterfoil/domain/text/ids.ts';
import { SignJWT } from 'jose';
import type { TestFixture } from '../fixtures/test-fixture.ts';
import { signInAt, type Tenant } from './tenants.ts';

/** Somebody whom every call has to refuse, and how. */
export interface Actor {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: readonly [status: number, code: string];
  /** Refused by calls for a customer only; a call for the person answers with their own. */
  readonly customerOnly?: boolean;
}

interface Cast {
  readonly me: Tenant;
  readonly resellerId: number;
  readonly sameReseller: Tenant;
  readonly otherReseller: Tenant;
}

const ENDED = [401, 'session.ended'] as const;
const MISSING = [401, 'session.missing'] as const;
const NOT_YOURS = [403, 'customer.notYours'] as const;

/** Everybody who has no business here: without a session, with a false or dead one, with somebody else's customer. */
export async function actorsOf(fixture: TestFixture, cast: Cast): Promise<Actor[]> {
  const { me, sameReseller, otherReseller } = cast;
  const mine = await signInAt(fixture, me.userId, 'mine');
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const valid = bearer(mine.access_token);
  const asCustomer = (name: string, id: string, headers = valid): Actor => ({
    name,
    headers: { ...headers, 'x-customer-id': id },
    refusal: NOT_YOURS,
    customerOnly: true,
  });
  const lonely = await fixture.make.user({ resellerId: cast.resellerId, customerIds: [] });
  const former = await fixture.make.user({
    resellerId: cast.resellerId,
    customerIds: [me.customerId, sameReseller.customerId],
  });
  const formerToken = bearer((await signInAt(fixture, former.id, 'former')).access_token);
  await fixture.database
    .pool()
    .query('delete from membership where user_id = $1 and customer_id = $2', [
      former.id,
      sameReseller.customerId,
    ]);
  // A membership that no command writes: the reseller still decides.
  const astray = await fixture.make.user({
    resellerId: cast.resellerId,
    customerIds: [me.customerId, otherReseller.customerId],
  });
  const astrayToken = bearer((await signInAt(fixture, astray.id, 'astray')).access_token);
  return [
    { name: 'nobody', headers: {}, refusal: MISSING },
    { name: 'a password as header', headers: { authorization: 'Basic bWU6cHc=' }, refusal: MISSING },
    { name: 'a token that is none', headers: bearer('x.y.z'), refusal: ENDED },
    { name: 'a refresh token', headers: bearer(mine.refresh_token), refusal: ENDED },
    ...(await forgers(fixture, mine.access_token, otherReseller)),
    ...(await theDead(fixture, cast)),
    asCustomer('another customer of the same reseller', sameReseller.customerId),
    asCustomer('a customer of another reseller', otherReseller.customerId),
    asCustomer('a customer that does not exist', newId()),
    asCustomer('no customer id', 'x'),
    asCustomer('two customer ids', `${me.customerId}, ${sameReseller.customerId}`),
    asCustomer('a customer one no longer belongs to', sameReseller.customerId, formerToken),
    asCustomer('a membership in another reseller', otherReseller.customerId, astrayToken),
    {
      name: 'a user without customers',
      refusal: [403, 'customer.none'],
      customerOnly: true,
      headers: bearer((await signInAt(fixture, lonely.id, 'lonely')).access_token),
    },
  ];
}

/** Tokens that our server never signed so. */
async function forgers(fixture: TestFixture, good: string, other: Tenant): Promise<Actor[]> {
  const { secrets, clock } = fixture.deps;
  const [head = '', body = '', signature = ''] = good.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(clock.now().getTime() / 1000);
  const signed = (over: object, key: Uint8Array = secrets.tokenKey, alg = 'HS256') =>
    new SignJWT({ ...claims, ...over }).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);
  const changed = encoded({ ...claims, sub: other.userId });
  const { exp: _exp, ...endless } = claims;
  const tokens: Readonly<Record<string, string>> = {
    'alg none': `${encoded({ alg: 'none', typ: 'JWT' })}.${body}.`,
    'alg none with the old signature': `${encoded({ alg: 'none' })}.${body}.${signature}`,
    'another algorithm': await signed({}, new Uint8Array(64).fill(7), 'HS512'),
    'our key under another algorithm': await signed({}, secrets.tokenKey, 'HS384'),
    'a wrong key': await signed({}, new Uint8Array(32).fill(7)),
    'a wrong audience': await signed({ aud: 'somebody-else' }),
    'no audience': await signed({ aud: undefined }),
    'a wrong issuer': await signed({ iss: 'somebody-else' }),
    'a changed payload': `${head}.${changed}.${signature}`,
    'a cut signature': `${head}.${body}.${signature.slice(0, -4)}`,
    'no end': await new SignJWT(endless).setProtectedHeader({ alg: 'HS256' }).sign(secrets.tokenKey),
    'a start in the future': await signed({ nbf: now + 3_600 }),
    'an expired token': await signed({ iat: now - 3_600, exp: now - 1 }),
    // Signed by us, so it takes our key: the session still has to be the user's.
    'a session of somebody else': await signed({ sub: other.userId }),
    'a session that does not exist': await signed({ sid: newId() }),
  };
  return Object.entries(tokens).map(([name, token]) => ({
    name: `forged: ${name}`,
    headers: { authorization: `Bearer ${token}` },
    refusal: ENDED,
  }));
}

/** Tokens that were good once. */
async function theDead(fixture: TestFixture, { me, resellerId }: Cast): Promise<Actor[]> {
  const pool = fixture.database.pool();
  const sid = (token: string) =>
    (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;
  const dead = async (name: string, userId: string, kill: (token: string) => Promise<unknown>) => {
    const { access_token: token } = await signInAt(fixture, userId, name);
    await kill(token);
    return { name, headers: { authorization: `Bearer ${token}` }, refusal: ENDED };
  };
  const user = await fixture.make.user({ resellerId, customerIds: [me.customerId] });
  return [
    await dead('who signed out', me.userId, (token) =>
      fixture.app.inject({
        method: 'POST',
        url: '/v1/ec/logout',
        headers: { authorization: `Bearer ${token}` },
      }),
    ),
    await dead('whose session has run out', me.userId, (token) =>
      pool.query('update user_session set expires_at = $2 where id = $1', [sid(token), fixture.clock.now()]),
    ),
    await dead('who was disabled', user.id, () =>
      pool.query('update app_user set is_active = false where id = $1', [user.id]),
    ),
  ];
}
