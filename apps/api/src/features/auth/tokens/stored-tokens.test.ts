import { expect, it } from 'vitest';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { sha256 } from '../../../secrets.ts';
import { hashPassword } from '../passwords/passwords.ts';

const fixture = useFixture();

it('keeps of a token that grants an account only the hash, wherever one looks in the database [decisions.8.token-hash]', async () => {
  const { reseller, customer } = await fixture.seedPayer();
  const password = 'Ledger!2026';
  const user = await fixture.make.user({
    resellerId: reseller.id,
    passwordHash: await hashPassword(password),
    customerIds: [customer.id],
  });
  const answer = await fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      client_id: 'counterfoil-portal',
      grant_type: 'password',
      username: user.email,
      password,
    }).toString(),
  });
  const { access_token, refresh_token } = answer.json() as { access_token: string; refresh_token: string };
  const pool = fixture.database.pool();
  const tables = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const asHex = Buffer.from(refresh_token).toString('hex');
  const found: Record<string, string[]> = {};
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from "${name}" t`);
    const text = rows.map(({ row }) => row).join('\n');
    for (const [what, needle] of [
      ['refresh token', refresh_token],
      ['refresh token as bytes', asHex],
      ['access token', access_token],
      ['password', password],
      ['hash', sha256(refresh_token).toString('hex')],
    ] as const) {
      if (text.includes(needle)) found[what] = [...(found[what] ?? []), name];
    }
  }
  expect(found).toEqual({ hash: ['refresh_token'] });
});
