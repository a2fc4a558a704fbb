import { useDatabase } from '@counterfoil/testing/database.ts';
import { describe, expect, it } from 'vitest';
import { newTenant, signInAt, type Tenant } from '../../test/access-matrix/tenants.ts';
import { type TestFixture, useFixture } from '../../test/fixtures/test-fixture.ts';
import { Database } from '../db/database.ts';
import { keepKeyCheck } from '../key-check.ts';
import { createSecrets } from '../secrets.ts';
import { RotationRefused, rotateKeys } from './rotate.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

const [OLD, NEW] = ['old key '.repeat(5), 'new key '.repeat(5)] as const;
const database = useDatabase();
/** As servers are restarted: the new key is accepted, then it seals, then it is the only one. */
const first = useFixture({ database, secretKey: OLD, fallbackKey: NEW });
const second = useFixture({ database, secretKey: NEW, fallbackKey: OLD, clock: first.clock });
const last = useFixture({ database, secretKey: NEW, clock: first.clock });

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await database.pool().query(text, values)).rows as T[];

it('every column that holds something sealed is known', async () => {
  const found = await rows<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and table_name not in ('key_check', 'usage_columns')
        and column_name !~ '(hash|digest|^key|entry_key|sha256|content|record|fingerprint|credential_id|public_key|default_seen|^previous|^personal)$'`,
  );
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(known));
});

/** Values that begin as those sealed with a key do, wherever they are. */
async function sealedWith(key: string): Promise<number> {
  const found = await rows<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea'`,
  );
  const begin = createSecrets(key).sealedBegin;
  let count = 0;
  for (const { table, column } of found) {
    const [row] = await rows<{ n: number }>(
      `select count(*)::int as n from "${table}" where substring("${column}" from 1 for 5) = $1`,
      [begin],
    );
    count += row?.n ?? 0;
  }
  return count;
}

/** Values the stage of the access matrix writes that are not sealed at all. */
const ODD_BYTES = { 'second_factor.pending_secret': 1, 'webhook_endpoint.secret_sealed': 3 };

let tenant: Tenant;
const keep = (fixture: TestFixture) => keepKeyCheck(fixture.deps.databases.web, fixture.deps.secrets);

/** What customers do, over and over, until it is told to stop. @returns the answers that were not as they should be */
function traffic(fixtures: readonly TestFixture[]) {
  let isOver = false;
  let done = 0;
  const wrong: string[] = [];
  const see = (what: string, is: boolean) => {
    done += 1;
    if (!is) wrong.push(what);
  };
  const running = fixtures.map(async (fixture) => {
    const { id, resellerId } = await customerOf();
    while (!isOver) {
      const invoice = await fixture.seedPayable({ id, resellerId });
      const body = { uid: invoice.token, invoiceAmount: '110.00', invoiceNumber: invoice.number };
      const paid = await fixture.app.inject({
        method: 'POST',
        url: '/v1/ec/pay',
        payload: { ...body, cardToken: 'tok_visa' },
      });
      see(`pay ${paid.body}`, paid.json().data?.status === 'succeeded');
      const { access_token } = await signInAt(fixture, tenant.userId, 'test');
      for (const one of fixtures) {
        const answer = await one.app.inject({
          url: '/v1/ec/sessions',
          headers: { authorization: `Bearer ${access_token}` },
        });
        see(`sessions ${answer.body}`, answer.statusCode === 200);
      }
    }
  });
  return {
    count: () => done,
    stop: async () => {
      isOver = true;
      await Promise.all(running);
      return wrong;
    },
  };
}

const customerOf = async () => {
  const [row] = await rows<{ id: string; resellerId: number }>(
    'select customer_id as id, reseller_id as "resellerId" from customer where customer_id = $1',
    [tenant.customerId],
  );
  if (row === undefined) throw new Error('no customer');
  return row;
};

describe('a change of SECRET_KEY', () => {
  const rotate = (fixture: TestFixture) =>
    rotateKeys(fixture.deps.databases.jobs, fixture.deps.secrets, async () => undefined);

  it('is made while customers pay and sign in: none is refused, and nothing is left under the old key', async () => {
    await keep(first);
    const { reseller } = await first.seedPayer();
    tenant = await newTenant(first, reseller.id, 'keys');
    const digest = first.deps.secrets.digest('a recovery code', 'x');
    expect(await sealedWith(OLD)).toBeGreaterThan(5);

    // Servers are restarted one after another: both kinds run.
    await keep(second);
    const both = traffic([first, second]);
    await expect.poll(both.count, { timeout: 20_000 }).toBeGreaterThan(15);
    expect(await both.stop()).toEqual([]);

    const all = traffic([second]);
    const { sealed, unreadable } = await rotate(second);
    await expect.poll(all.count, { timeout: 20_000 }).toBeGreaterThan(10);
    expect(await all.stop()).toEqual([]);
    expect(sealed).toBeGreaterThan(10);
    expect(unreadable).toEqual(ODD_BYTES);
    expect(await sealedWith(OLD)).toBe(0);
    // Done is done.
    expect((await rotate(second)).sealed).toBe(0);

    expect(await keep(last)).toBe('fits');
    expect(last.deps.secrets.digest('a recovery code', 'x')).toEqual(digest);
    const own = traffic([last]);
    await expect.poll(own.count, { timeout: 20_000 }).toBeGreaterThan(3);
    expect(await own.stop()).toEqual([]);
    const [link] = await rows<{ sealed: Buffer; id: string }>(
      `select l.token_sealed as sealed, l.invoice_id as id from invoice_pay_link l
         join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id
        where i.number = $1`,
      [tenant.invoiceNumber],
    );
    expect(last.deps.secrets.open(link?.sealed ?? Buffer.of(), `pay-link:${link?.id}`)).toBe(tenant.payLink);
  });

  it('refuses the old key from then on, and is refused without the key that goes', async () => {
    const old = { ...first.deps, secrets: createSecrets(OLD) };
    expect(await keepKeyCheck(old.databases.web, old.secrets)).toBe('wrong');
    await expect(rotate(last)).rejects.toThrow(RotationRefused);
  });

  it('is gone on with where it was broken off', async () => {
    const db = new Database({ url: database.url, name: 'keys', max: 2, statementTimeoutMs: 10_000 });
    const [back, other] = [createSecrets(OLD, NEW), createSecrets('third key '.repeat(4), OLD)];
    try {
      expect((await rotateKeys(db, back, async () => undefined)).sealed).toBeGreaterThan(10);
      await expect(rotateKeys(db, other, () => Promise.reject(new Error('killed')))).rejects.toThrow(
        'killed',
      );
      expect((await rotateKeys(db, other, async () => undefined)).sealed).toBe(0);
    } finally {
      await db.end();
    }
  });
});
