import type { MySession } from '@counterfoil/contract/people/sessions.ts';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { sessionStatus, signIn } from '../../../test/fixtures/account-mails.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { hashPassword } from '../auth/passwords/passwords.ts';
import { openSession } from '../auth/session.ts';

const fixture = useFixture();
const PASSWORD = 'Ledger!2026';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0';
let passwordHash = '';

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

interface Auth {
  readonly access_token: string;
  readonly refresh_token: string;
}

async function seedUser() {
  const { reseller, customer } = await fixture.seedPayer();
  return fixture.make.user({ resellerId: reseller.id, passwordHash, customerIds: [customer.id] });
}
const signedIn = async (email: string): Promise<Auth> => (await signIn(fixture, email, PASSWORD)).json();
const idOf = ({ access_token }: Auth) => String(decodeJwt(access_token)['sid']);
const call = (auth: Auth, method: 'GET' | 'DELETE', url = '/v1/ec/sessions') =>
  fixture.app.inject({ method, url, headers: { authorization: `Bearer ${auth.access_token}` } });
const list = async (auth: Auth): Promise<MySession[]> => (await call(auth, 'GET')).json().data;
const refresh = (auth: Auth) =>
  fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      client_id: 'counterfoil-portal',
      grant_type: 'refresh_token',
      refresh_token: auth.refresh_token,
    }).toString(),
  });

/** A session of support staff in the user's name. */
async function supportSession(email: string): Promise<Auth> {
  const { databases, secrets, clock } = fixture.deps;
  const pool = fixture.database.pool();
  const { rows } = await pool.query('select id from app_user where email = $1', [email]);
  const user = {
    id: rows[0].id,
    email,
    reseller_id: 0,
    display_name: email,
    password_hash: null,
    password_expires_at: null,
  };
  const answer = await openSession(
    { db: databases.web, secrets, clock, isDemo: false, sessionEnds: fixture.deps.config.sessionEnds },
    {
      user: { ...user, reseller_name: 'r', is_demo: false },
      method: 'code',
      actor: 'sam@provider.example',
      origin: { address: '192.0.2.9', agent: '' },
    },
  );
  if (answer === undefined) throw new Error('no session');
  return answer;
}

describe('where I am signed in', () => {
  it('lists living sessions with device, address, method and time; this one first and marked', async () => {
    const user = await seedUser();
    const first = await fixture.app.inject({
      method: 'POST',
      url: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': FIREFOX },
      remoteAddress: '192.0.2.1',
      payload: new URLSearchParams({
        client_id: 'counterfoil-portal',
        grant_type: 'password',
        username: user.email,
        password: PASSWORD,
      }).toString(),
    });
    const firstAt = fixture.clock.now().toISOString();
    fixture.clock.advance(60_000);
    const here = await signedIn(user.email);
    const sessions = await list(here);
    expect(sessions.map(({ id, current }) => [id, current])).toEqual([
      [idOf(here), true],
      [idOf(first.json()), false],
    ]);
    expect(sessions[1]).toEqual({
      id: idOf(first.json()),
      createdAt: firstAt,
      lastUsedAt: firstAt,
      address: '192.0.2.1',
      browser: 'Firefox',
      system: 'Windows',
      method: 'password',
      current: false,
      support: null,
    });
  });

  it('moves the last use with a refresh, and drops what has expired', async () => {
    const user = await seedUser();
    const old = await signedIn(user.email);
    fixture.clock.advance(20 * 24 * 3_600_000);
    const here = await signedIn(user.email);
    fixture.clock.advance(5 * 60_000);
    const renewed: Auth = (await refresh(here)).json();
    expect((await list(renewed))[0]?.lastUsedAt).toBe(fixture.clock.now().toISOString());
    expect(await list(renewed)).toHaveLength(2);
    fixture.clock.advance(11 * 24 * 3_600_000);
    const later: Auth = (await refresh(renewed)).json();
    expect((await list(later)).map(({ id }) => id)).not.toContain(idOf(old));
  });

  it('says when support is signed in, and who', async () => {
    const user = await seedUser();
    const here = await signedIn(user.email);
    const support = await supportSession(user.email);
    expect((await list(here)).find(({ id }) => id === idOf(support))).toMatchObject({
      method: 'support',
      support: 'sam@provider.example',
      browser: null,
      system: null,
    });
  });

  it('shows nobody else’s sessions', async () => {
    const [mine, theirs] = [await seedUser(), await seedUser()];
    const other = await signedIn(theirs.email);
    const here = await signedIn(mine.email);
    expect((await list(here)).map(({ id }) => id)).not.toContain(idOf(other));
  });
});

describe('signing out elsewhere', () => {
  it('ends one session at once, its refresh token too, and leaves a line in the audit trail', async () => {
    const user = await seedUser();
    const [here, there] = [await signedIn(user.email), await signedIn(user.email)];
    const ended = await call(here, 'DELETE', `/v1/ec/sessions/${idOf(there)}`);
    expect([ended.statusCode, ended.body]).toEqual([204, '']);
    expect(await sessionStatus(fixture, there.access_token)).toBe(401);
    expect((await refresh(there)).statusCode).toBe(400);
    expect(await sessionStatus(fixture, here.access_token)).toBe(200);
    expect((await list(here)).map(({ id }) => id)).toEqual([idOf(here)]);
    const again = await call(here, 'DELETE', `/v1/ec/sessions/${idOf(there)}`);
    expect([again.statusCode, again.json().code]).toEqual([404, 'session.notFound']);
    const { rows } = await fixture.database.pool().query(
      `select s.end_reason, a.user_email, a.session_id, a.detail from user_session s
         join audit_event a on a.detail->>'ended' = s.id::text where s.id = $1`,
      [idOf(there)],
    );
    expect(rows).toEqual([
      {
        end_reason: 'elsewhere',
        user_email: user.email,
        session_id: idOf(here),
        detail: { ended: idOf(there) },
      },
    ]);
  });

  it('ends all sessions but this one', async () => {
    const user = await seedUser();
    const [here, ...others] = [
      await signedIn(user.email),
      await signedIn(user.email),
      await signedIn(user.email),
    ];
    const stranger = await signedIn((await seedUser()).email);
    expect((await call(here, 'DELETE')).statusCode).toBe(204);
    for (const other of others) expect(await sessionStatus(fixture, other.access_token)).toBe(401);
    expect(await sessionStatus(fixture, here.access_token)).toBe(200);
    expect(await sessionStatus(fixture, stranger.access_token)).toBe(200);
    const trail = await fixture.database
      .pool()
      .query("select detail from audit_event where action = 'session.endedElsewhere' and user_id = $1", [
        user.id,
      ]);
    expect(trail.rows).toEqual([{ detail: { ended: 2 } }]);
  });

  it('answers a foreign session like an unknown one, and leaves it alive', async () => {
    const here = await signedIn((await seedUser()).email);
    const stranger = await signedIn((await seedUser()).email);
    const words = async (id: string) => {
      const answer = await call(here, 'DELETE', `/v1/ec/sessions/${id}`);
      return [answer.statusCode, answer.json().code, answer.json().message];
    };
    const unknown = await words('019364b2-7a00-7000-8000-00000000f00d');
    expect(unknown.slice(0, 2)).toEqual([404, 'session.notFound']);
    expect(await words(idOf(stranger))).toEqual(unknown);
    expect(await sessionStatus(fixture, stranger.access_token)).toBe(200);
  });

  it('is not for support, who may look but end nothing', async () => {
    const user = await seedUser();
    const there = await signedIn(user.email);
    const support = await supportSession(user.email);
    expect((await list(support)).map(({ id }) => id)).toContain(idOf(there));
    for (const url of ['/v1/ec/sessions', `/v1/ec/sessions/${idOf(there)}`]) {
      const refused = await call(support, 'DELETE', url);
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'support.notAllowed']);
    }
    expect(await sessionStatus(fixture, there.access_token)).toBe(200);
  });
});
