import { beforeAll, describe, expect, it } from 'vitest';
import { newTenant, signInAt, type Tenant } from '../../../test/access-matrix/tenants.ts';
import { programKey } from '../../../test/fixtures/program.ts';
import { readZip } from '../../../test/fixtures/read-zip.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { tableClasses } from '../../db/table-classes.ts';
import { openFileStore } from '../../files/open-file-store.ts';
import { heldTables } from './held.ts';

const fixture = useFixture();
const MINE = 'of-the-asker';
const OTHER = 'of-somebody-else';
let mine: Tenant;
let other: Tenant;
let email = '';
let key = '';
let strangersKey = '';

const rows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await fixture.database.pool().query<Row>(text, values)).rows;

beforeAll(async () => {
  const { reseller } = await fixture.seedPayer();
  mine = await newTenant(fixture, reseller.id, MINE);
  other = await newTenant(fixture, reseller.id, OTHER);
  [{ email } = { email: '' }] = await rows<{ email: string }>('select email from app_user where id = $1', [
    mine.userId,
  ]);
  await rows("update app_user set password_hash = '$argon2id$secret-of-' || id");
  key = await programKey(fixture, reseller.id, 'privacy');
  const stranger = await fixture.seedPayer();
  strangersKey = await programKey(fixture, stranger.reseller.id, 'privacy');
  const [document] = await rows<{ file_key: string }>(
    `insert into invoice_document (customer_id, invoice_id, file_key, sha256, size_bytes, content_hash, stored_at)
     select customer_id, id, 'documents/' || id || '.pdf', '\\x00', 4, '\\x00', now() from invoice
      where customer_id = $1 and number = $2 on conflict do nothing returning file_key`,
    [mine.customerId, mine.invoiceNumber],
  );
  const { filesUrl, s3 } = fixture.deps.config;
  const content = async function* () {
    yield Buffer.from('%PDF');
  };
  if (document !== undefined) await openFileStore(filesUrl, s3).write(document.file_key, content());
});

const post = (url: string, authorization: string) =>
  fixture.app.inject({ method: 'POST', url, headers: { authorization } });
const ofCustomer = (id: string) => `/v1/admin/customers/${id}/data-export`;
const ofUser = (id: string, of: string) => `/v1/admin/customers/${id}/users/by-email/${of}/data-export`;

/** The exports that somebody gets of the asker, by who asks for which. */
const exportsOfMine = {
  'a customer': () => post(ofCustomer(mine.customerId), `Bearer ${key}`),
  'a user': () => post(ofUser(mine.customerId, email), `Bearer ${key}`),
  'the signed-in user': async () => {
    const { access_token } = (await signInAt(fixture, mine.userId, 'browser')) ?? { access_token: '' };
    return post('/v1/ec/me/data-export', `Bearer ${access_token}`);
  },
};

describe('the list of what is held', () => {
  it('names every table, and no table that is not there', () => {
    expect(new Set(Object.keys(heldTables))).toEqual(new Set(Object.keys(tableClasses)));
  });

  it('keeps back every column that is called like a secret', async () => {
    const columns = await rows<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
        where table_schema = 'public' and data_type <> 'bytea'
          and column_name ~ '(secret|password|token|hash|sealed|nonce|verifier|challenge|otp|client_key|public_id|file_key)'
          and column_name not in ('password_expires_at', 'content_hash')`,
    );
    const shown = columns.filter(({ table, column }) => {
      const held = heldTables[table];
      return typeof held === 'object' && held.without?.includes(column) !== true;
    });
    expect(shown).toEqual([]);
    expect(columns.length).toBeGreaterThan(5);
  });
});

describe.each(Object.entries(exportsOfMine))('the export of %s', (whose, ask) => {
  it('has every row about them, nothing of anybody else and no secret, and is on record', async () => {
    const answer = await ask();
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip']);
    const files = readZip(answer.rawPayload);
    const all = [...files.values()].join('\n');
    expect(all).not.toContain(OTHER);
    for (const secret of await secrets()) expect(all.includes(secret), secret).toBe(false);
    const found = new Map(
      [...files].flatMap(([name, text]) => {
        const table = /^data\/(.+)\.ndjson$/.exec(name)?.[1];
        return table === undefined
          ? []
          : [
              [
                table,
                text
                  .trimEnd()
                  .split('\n')
                  .map((line) => JSON.parse(line)),
              ] as const,
            ];
      }),
    );
    const column = whose === 'a customer' ? 'customer_id' : 'user_id';
    const id = whose === 'a customer' ? mine.customerId : mine.userId;
    for (const table of await tablesWith(column)) {
      const held = heldTables[table];
      const isHandedOut =
        typeof held === 'object' && (whose === 'a customer' ? held.customer : held.user) !== undefined;
      const [{ n } = { n: 0 }] = await rows<{ n: number }>(
        `select count(*)::int as n from ${table} where ${column} = $1`,
        [id],
      );
      // What is found by address comes beside; and what is written while it is handed out is not in it.
      if (isHandedOut && n > 0) expect(found.get(table)?.length ?? 0, table).toBeGreaterThanOrEqual(n);
      if (!isHandedOut) expect(found.has(table), table).toBe(false);
    }
    expect(found.get('audit_event')?.some(({ action }) => action === 'privacy.exported')).toBe(true);
    const index = files.get('index.html') ?? '';
    for (const name of files.keys())
      if (!name.startsWith('index.')) expect(index).toContain(`href="${name}"`);
    expect(index).not.toMatch(/<script/);
    expect(found.size).toBeGreaterThan(whose === 'a customer' ? 30 : 6);
    expect(files.has(`documents/${mine.invoiceNumber}.pdf`)).toBe(whose === 'a customer');
  });
});

describe('an export', () => {
  it.each([
    ['a customer of another reseller', () => ofCustomer(mine.customerId)],
    ['a user of another reseller', () => ofUser(mine.customerId, email)],
  ])('is refused to the program of a stranger: %s', async (_what, url) => {
    expect((await post(url(), `Bearer ${strangersKey}`)).statusCode).toBe(404);
  });

  it('of a user who does not sign in for the customer is refused', async () => {
    expect((await post(ofUser(other.customerId, email), `Bearer ${key}`)).json().code).toBe(
      'customer.noUser',
    );
  });

  it('needs a scope of its own', async () => {
    const [{ reseller_id: resellerId } = { reseller_id: 0 }] = await rows<{ reseller_id: number }>(
      'select reseller_id from app_user where id = $1',
      [mine.userId],
    );
    const reading = await programKey(fixture, resellerId, 'reads', {
      scopes: ['customers:read', 'audit:read'],
    });
    expect((await post(ofCustomer(mine.customerId), `Bearer ${reading}`)).statusCode).toBe(403);
  });
});

const tablesWith = async (column: string): Promise<readonly string[]> =>
  (
    await rows<{ name: string }>(
      `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
         join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        where a.attname = $1 and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
      [column],
    )
  ).map(({ name }) => name);

/** What opens something: hashed and sealed values as they may be written, hashes of passwords, tokens of links. */
async function secrets(): Promise<readonly string[]> {
  const columns = await rows<{ table: string; column: string }>(
    "select table_name as table, column_name as column from information_schema.columns where table_schema = 'public' and data_type = 'bytea'",
  );
  const found: string[] = [mine.payLink, mine.paidLink];
  for (const { table, column } of columns)
    for (const { value } of await rows<{ value: Buffer }>(
      `select ${column} as value from ${table} where length(${column}) >= 8 limit 50`,
    ))
      found.push(value.toString('hex'), value.toString('base64'), value.toString('base64url'));
  for (const { hash } of await rows<{ hash: string }>('select password_hash as hash from app_user'))
    found.push(hash);
  return found;
}
