import { beforeAll, describe, expect, it } from 'vitest';
import { newTenant, type Tenant } from '../../../test/access-matrix/tenants.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { checkAudit, sealAudit } from '../../audit/seals.ts';
import type { Retention } from '../../config.ts';
import { openFileStore } from '../../files/open-file-store.ts';
import { applyRetention, foreseeRetention } from './retention.ts';

const fixture = useFixture();
const FOR_EVER: Retention = { mails: 0, signIns: 0, gatewayEvents: 0, quarantine: 0, documents: 0, audit: 0 };
let tenant: Tenant;

const rows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await fixture.database.pool().query<Row>(text, values)).rows;
const count = async (table: string): Promise<number> =>
  (await rows<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n ?? 0;
const files = () => openFileStore(fixture.deps.config.filesUrl, fixture.deps.config.s3);
const deps = (keep: Partial<Retention>) => ({
  db: fixture.deps.databases.jobs,
  clock: fixture.clock,
  files: files(),
  keep: { ...FOR_EVER, ...keep },
});
const older = (figures: readonly { readonly name: string; readonly older: number }[]) =>
  Object.fromEntries(figures.filter(({ older: n }) => n > 0).map(({ name, older: n }) => [name, n]));

beforeAll(async () => {
  const { reseller } = await fixture.seedPayer();
  tenant = await newTenant(fixture, reseller.id, 'kept');
});

/** What makes some rows of a class old, how many it is then, and a table that they leave. */
const cases: readonly (readonly [keyof Retention, string, () => Promise<number>])[] = [
  [
    'mails',
    'mail',
    async () =>
      (await rows("update mail set created_at = created_at - interval '2 years' returning 1")).length,
  ],
  [
    'signIns',
    'user_session',
    async () => {
      await rows(
        "update one_time_token set used_at = null, retired_at = null, expires_at = now() + interval '9 years'",
      );
      await rows("update login_code set used_at = null, expires_at = now() + interval '9 years'");
      const ended =
        "update user_session set ended_at = timestamptz '2020-01-01', end_reason = 'logout' returning 1";
      return (await rows(ended)).length;
    },
  ],
  [
    'gatewayEvents',
    'inbox',
    async () =>
      (
        await rows(
          `update inbox set handled_at = timestamptz '2020-01-01', outcome = 'done', event_sealed = null where not is_open returning 1`,
        )
      ).length,
  ],
  [
    'documents',
    'invoice_document',
    async () => {
      await files().write('documents/old.pdf', pieces('%PDF'));
      const of = [tenant.customerId, tenant.invoiceNumber];
      await rows(
        `insert into invoice_document (customer_id, invoice_id, file_key, sha256, size_bytes, content_hash, stored_at)
         select customer_id, id, 'documents/old.pdf', '\\x00', 4, '\\x00', now() from invoice where customer_id = $1 and number = $2`,
        of,
      );
      await rows(
        "update invoice set issued_on = '2020-01-01', due_on = null where customer_id = $1 and number = $2",
        of,
      );
      return 1;
    },
  ],
];

describe.each(cases)('%s that are older than they are kept', (name, table, makeOld) => {
  it(`are counted by a dry run, then deleted from ${table} and on record; kept for ever, they stay`, async () => {
    const old = await makeOld();
    expect(old).toBeGreaterThan(0);
    const before = await count(table);
    const keep = { [name]: 400 };
    expect(older(await applyRetention(deps({})))).toEqual({});
    expect(older(await foreseeRetention(deps(keep).db, deps(keep).keep, fixture.clock.now()))).toEqual({
      [name]: old,
    });
    expect(await count(table)).toBe(before);
    expect(older(await applyRetention(deps(keep), 'cli:test'))).toEqual({ [name]: old });
    expect(await count(table)).toBeLessThan(before);
    expect(older(await applyRetention(deps(keep)))).toEqual({});
    const lines = await rows(
      "select actor, detail from audit_event where action = 'retention.applied' order by id desc",
    );
    expect(lines[0]).toEqual({ actor: 'cli:test', detail: { [name]: old } });
  });
});

it('a document that is older goes with its file', async () => {
  expect(await files().read('documents/old.pdf')).toBeUndefined();
});

it('lines of the audit trail that are older go with whole seals, and what is left is a chain', async () => {
  await rows('delete from audit_event');
  await rows('delete from audit_seal');
  const start = fixture.clock.now().getTime();
  const seal = () => sealAudit({ db: deps({}).db, clock: fixture.clock, log: fixture.deps.log });
  const line = (at: Date) =>
    rows(
      "insert into audit_event (id, at, action, detail) values (gen_random_uuid(), $1, 'customer.added', '{}')",
      [at],
    );
  for (let year = 0; year < 4; year += 1) {
    await line(new Date(start + year * 365 * 86_400_000));
    fixture.clock.set(new Date(start + (year * 365 + 1) * 86_400_000).toISOString());
    await seal();
  }
  const keep = { audit: 500 };
  expect(older(await foreseeRetention(deps(keep).db, deps(keep).keep, fixture.clock.now()))).toEqual({
    audit: 2,
  });
  expect(older(await applyRetention(deps(keep)))).toEqual({ audit: 2 });
  const check = await checkAudit(deps({}).db, []);
  expect(check).toMatchObject({ seals: 2, lines: 2, unsealed: 1, faults: [] });
});

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
