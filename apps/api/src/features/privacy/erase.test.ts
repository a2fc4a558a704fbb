import { beforeAll, expect, it } from 'vitest';
import { newTenant, type Tenant } from '../../../test/access-matrix/tenants.ts';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { checkAudit, sealAudit } from '../../audit/seals.ts';
import { openFileStore } from '../../files/open-file-store.ts';
import { erase, foreseeErasure } from './erase.ts';
import { erasureRules } from './erasure-rules.ts';
import { heldTables } from './held.ts';
import { type Asked, findErasable } from './service.ts';

const fixture = useFixture();
const MARK = 'to-be-erased';
const OTHER = 'to-be-kept';
const BY = { actor: 'cli:test' };
let mine: Tenant;
let email = '';
/** The customer and user of the other tenant, who is gone in the end. */
let called: { email: string; id: string; reseller_id: number } | undefined;

const rows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await fixture.database.pool().query<Row>(text, values)).rows;
const deps = () => ({
  db: fixture.deps.databases.jobs,
  clock: fixture.clock,
  files: openFileStore(fixture.deps.config.filesUrl, fixture.deps.config.s3),
});
const found = async (asked: Asked) => {
  const of = await findErasable(deps().db, asked, undefined, fixture.clock.now());
  if (of === undefined) throw new Error('nobody was found');
  return of;
};
const seal = () => {
  fixture.clock.advance(120_000);
  return sealAudit({ db: deps().db, clock: fixture.clock, log: fixture.deps.log });
};
const tables = async (column: string): Promise<readonly string[]> =>
  (
    await rows<{ name: string }>(
      `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
         join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        where a.attname = $1 and c.relkind in ('r', 'p') and not c.relispartition`,
      [column],
    )
  ).map(({ name }) => name);
/** Where a text stands in the database: tables with how many rows. */
async function placesOf(text: string): Promise<Readonly<Record<string, number>>> {
  const all = await rows<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition",
  );
  const places: Record<string, number> = {};
  for (const { name } of all) {
    const [{ n } = { n: 0 }] = await rows<{ n: number }>(
      `select count(*)::int as n from ${name} x where strpos(x::text, $1) > 0`,
      [text],
    );
    if (n > 0) places[name] = n;
  }
  return places;
}

beforeAll(async () => {
  const { reseller } = await fixture.seedPayer();
  mine = await newTenant(fixture, reseller.id, MARK);
  await newTenant(fixture, reseller.id, OTHER);
  [{ email } = { email: '' }] = await rows<{ email: string }>('select email from app_user where id = $1', [
    mine.userId,
  ]);
  await seal();
});

it('has a rule for every table with rows about a user or a customer', async () => {
  for (const [kind, column, subject] of [
    ['user', 'user_id', { kind: 'user', id: mine.userId, email }],
    ['customer', 'customer_id', { kind: 'customer', id: mine.customerId }],
  ] as const) {
    const handedOut = Object.entries(heldTables).flatMap(([table, held]) =>
      typeof held === 'object' && held[kind] !== undefined ? [table] : [],
    );
    const rules = erasureRules({ subject, resellerId: 1, keepFrom: '2016-01-01', now: new Date() });
    const about = new Set([...handedOut, ...(await tables(column))]);
    expect(
      [...about].filter((table) => !(table in rules)),
      kind,
    ).toEqual([]);
  }
});

it('takes a person out of every table but what proves something, and the trail is what was sealed', async () => {
  const of = await found({ kind: 'user', email });
  const before = await placesOf(email);
  expect(before).toMatchObject({ app_user: 1 });
  const foreseen = await foreseeErasure(deps().db, of);
  expect(await placesOf(email)).toEqual(before);
  const done = await erase(deps(), of, BY);
  expect(done.map(({ table, becomes, rows: n }) => [table, becomes, n])).toEqual(
    foreseen.map(({ table, becomes, rows: n }) => [table, becomes, n]),
  );
  expect(await placesOf(email)).toEqual({});
  expect(await rows('select 1 from app_user where id = $1', [mine.userId])).toEqual([]);
  expect(await rows('select 1 from user_session where user_id = $1', [mine.userId])).toEqual([]);
  expect(
    await rows('select user_name, address from consent where user_id = $1 group by 1, 2', [mine.userId]),
  ).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ user_name: expect.stringContaining(MARK) })]),
  );
  await seal();
  const check = await checkAudit(deps().db, []);
  expect([check.faults, check.erased > 0]).toEqual([[], true]);
  const [line] = await rows("select actor, user_id, detail from audit_event where action = 'privacy.erased'");
  expect(line).toMatchObject({ actor: BY.actor, user_id: mine.userId, detail: { app_user: 1 } });
});

it('does not erase a customer who owes or has a saved method', async () => {
  const of = await found({ kind: 'customer', id: mine.customerId });
  await expect(erase(deps(), of, BY)).rejects.toMatchObject({ code: 'privacy.notErasable' });
});

it('takes a customer’s people, lines and calls out, keeps invoices for their term and the books, and leaves others alone', async () => {
  const of = await found({ kind: 'customer', id: mine.customerId });
  const id = [mine.customerId];
  await rows("update attempt set state = 'declined' where customer_id = $1 and is_open", id);
  await rows("update payment_method set state = 'gone', is_default = false where customer_id = $1", id);
  await rows('update customer_credit set balance_minor = 0 where customer_id = $1', id);
  await settle(id);
  const [books] = await rows('select count(*)::int as ledger from ledger where customer_id = $1', id);
  const before = await placesOf(OTHER);
  const [old] = await rows<{ id: string }>(
    `update invoice set issued_on = '2001-01-01', due_on = null, buyer = jsonb_build_object('name', $2::text)
      where customer_id = $1 and number = $3 returning id`,
    [...id, MARK, mine.invoiceNumber],
  );
  const foreseen = await foreseeErasure(deps().db, of);
  const done = await erase(deps(), of, BY);
  expect(done.map(({ table, rows: n }) => [table, n])).toEqual(
    foreseen.map(({ table, rows: n }) => [table, n]),
  );
  expect(await rows('select label, email, address from customer where customer_id = $1', id)).toEqual([
    { label: 'Erased', email: null, address: {} },
  ]);
  for (const table of ['usage_record', 'mail', 'membership', 'service_item_number', 'pay_link'])
    expect(await rows(`select 1 from ${table} where customer_id = $1`, id), table).toEqual([]);
  expect(await rows('select buyer from invoice where id = $1', [old?.id])).toEqual([{ buyer: {} }]);
  expect(await rows('select count(*)::int as ledger from ledger where customer_id = $1', id)).toEqual([
    books,
  ]);
  expect(await placesOf(OTHER)).toEqual(before);
  await seal();
  expect((await checkAudit(deps().db, [])).faults).toEqual([]);
});

/** As if everything had been paid. */
const settle = (id: readonly string[]) =>
  rows(
    `update invoice set paid_minor = paid_minor + due_minor, status = 11
      where customer_id = $1 and kind = 'invoice' and due_minor <> 0`,
    [...id],
  );

it.each([
  ['asked only', { forGood: false }, 200],
  ['of another reseller', { forGood: true }, 404],
  ['without the scope', { forGood: true }, 403],
  ['for good', { forGood: true }, 200],
  ['for good once more', { forGood: true }, 404],
] as const)('the call for a user, %s', async (title, payload, status) => {
  const of = await rows<{ email: string; id: string; reseller_id: number }>(
    `select u.email, c.customer_id as id, c.reseller_id from app_user u join membership m on m.user_id = u.id
       join customer c on c.customer_id = m.customer_id where c.label = '${OTHER} customer'`,
  );
  called = of[0] ?? called;
  const stranger =
    title === 'of another reseller' ? (await fixture.seedPayer()).reseller.id : called?.reseller_id;
  const key = await programKey(
    fixture,
    stranger ?? 0,
    title,
    title === 'without the scope' ? { scopes: ['users:write'] } : {},
  );
  const answer = await fixture.app.inject({
    method: 'POST',
    url: `/v1/admin/customers/${called?.id}/users/by-email/${called?.email}/erasure`,
    headers: { authorization: `Bearer ${key}` },
    payload,
  });
  expect([answer.statusCode, answer.json().data?.isDone]).toEqual([
    status,
    status === 200 ? payload.forGood : undefined,
  ]);
});
