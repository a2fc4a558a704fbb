import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { beforeAll, expect, it } from 'vitest';
import { post, signIn } from '../../../../test/fixtures/account-mails.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { createLogger } from '../../../logger.ts';

const logged: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    logged.push(String(chunk));
    done();
  },
});
const fixture = useFixture({ log: createLogger('trace', sink) });

/** Passwords as people type them into the wrong field; some look like an address. */
const TYPED = ['Tr0ub4dor&3-harbour', 'p@ssw0rd.Lantern', 'mia@harbour.example/Lantern7', ' Lantern 47! '];
beforeAll(async () => {
  const { reseller } = await fixture.seedPayer();
  for (const text of TYPED) {
    await signIn(fixture, text, 'correct horse battery');
    // Until the limit is on record, too.
    for (let n = 0; n < 11; n += 1) await signIn(fixture, text, `guess ${n}`);
    await signIn(fixture, 'mia@harbour.example', text);
    await post(fixture, '/v1/ec/password-reset-request', { email: text });
    await post(fixture, '/v1/ec/password-reset', { token: text, password: text });
    await post(fixture, '/v1/ec/user-registration', { token: text, password: text });
    await post(fixture, '/v1/ec/login-by-code', { code: text });
    const company = new URLSearchParams({ b: text, r: `/${text}` });
    await fixture.app.inject({ url: `/sso/login?${company}`, headers: { host: reseller.host } });
    await fixture.app.inject({
      url: '/v1/admin/usage-imports/00000000-0000-7000-8000-000000000000',
      headers: { authorization: `Bearer ${text}` },
    });
  }
});

/** A text as it could be kept: as it is, in small letters, or as a hash that anybody can compute of a guess. */
const formsOf = (text: string): string[] =>
  [text, text.trim(), text.toLowerCase(), text.trim().toLowerCase()].flatMap((form) => {
    const hashes = ['md5', 'sha1', 'sha256'].map((name) => createHash(name).update(form).digest());
    return [
      form,
      JSON.stringify(form).slice(1, -1),
      Buffer.from(form).toString('hex'),
      ...hashes.flatMap((hash) => [
        hash.toString('hex'),
        hash.toString('base64url'),
        hash.toString('base64'),
      ]),
    ];
  });

it('what somebody types to get in is kept nowhere: in no table, no queue and no log, not even guessable', async () => {
  const pool = fixture.database.pool();
  const tables = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'graphile_worker')`,
  );
  const found: string[] = [];
  const look = (where: string, content: string) => {
    for (const text of TYPED)
      for (const form of formsOf(text)) if (content.includes(form)) found.push(`${where}: ${form}`);
  };
  let rowsRead = 0;
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`);
    rowsRead += rows.length;
    look(name, rows.map(({ row }) => row).join('\n'));
  }
  look('the log', logged.join(''));
  expect(found).toEqual([]);
  expect(rowsRead).toBeGreaterThan(50);
  expect(logged.length).toBeGreaterThan(50);
});

it('refused sign-ins are on record all the same, and those of one name are known to be that', async () => {
  const { rows } = await fixture.database.pool().query<{ names: number; email: number; looked: number }>(
    `select count(distinct detail ->> 'nameDigest')::int as names, count(user_email)::int as email,
            count(*) filter (where detail ->> 'reason' = 'unknownUser')::int as looked
       from audit_event where action = 'signIn.refused'`,
  );
  expect(rows).toEqual([{ names: TYPED.length + 1, email: 0, looked: 10 * TYPED.length + TYPED.length }]);
});
