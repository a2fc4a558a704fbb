import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { asMeant, type Stage, setStage } from '../../../test/bad-input/stage.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import type { Operation } from '../answers/openapi-document.ts';

const fixture = useFixture();
const ROWS = 5_200;
/** A handler that takes more rows from a statement at once works through them without giving way. */
const MOST_ROWS = 5_000;
/** The most of a JSON answer that is built in memory. */
const MOST_BYTES = 1024 * 1024;

let stage: Stage;
beforeAll(async () => {
  stage = await setStage(fixture);
  const { customerId, resellerId } = stage.owner;
  const pool = fixture.database.pool();
  const known = (path: string, name: string) => {
    const good = [...stage.good].find(([one]) => one.method === 'GET' && one.path === path)?.[1];
    return good?.path[name] ?? good?.query[name];
  };
  const invoiceId = known('/v1/ec/invoice/{id}', 'id');
  const periodId = known('/v1/ec/transactions', 'period');
  const serviceId = known('/v1/ec/service-items', 'service');
  await pool.query(`
    insert into invoice (customer_id, id, reseller_id, kind, number, supplier_key, issued_on, due_on, currency, subtotal_minor,
                         tax_minor, total_minor, payable_minor, status, content_hash, generated_at)
    select '${customerId}', gen_random_uuid(), ${resellerId}, 'invoice', 'MANY-' || n, 's', '2026-02-01', '2026-02-20', 'USD', 100,
           10, 110, 110, case when n % 2 = 0 then 10 else 11 end, '', now() from generate_series(1, ${ROWS}) n`);
  await pool.query(`
    insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_name, agreement_id, date_from, quantity, price,
                              currency, amount_minor)
    select p.customer_id, gen_random_uuid(), '${invoiceId}', 1000 + n, 'line', repeat('many ', 40) || n, p.agreement_id, p.period_start,
           1, 1, 'USD', 100 from billing_period p, generate_series(1, ${ROWS}) n where p.id = '${periodId}'`);
  await pool.query(`
    insert into service_item (customer_id, id, service_id, name, description, cost_centre)
    select '${customerId}', gen_random_uuid(), '${serviceId}', 'many-' || n, repeat('many ', 30), 'CC ' || n
      from generate_series(1, ${ROWS}) n`);
  await pool.query('analyze');
});
afterEach(() => vi.restoreAllMocks());

/** Counts the rows of every statement while `work` runs. @returns the most of one */
async function mostRows(work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function counted(
    this: pg.Client,
    ...given: unknown[]
  ) {
    const count = (result: { rows?: unknown[] } | undefined) => {
      most = Math.max(most, result?.rows?.length ?? 0);
      return result;
    };
    // A message of ours has the driver's own queries, which it calls back.
    const [own] = given as { queries?: { callback: (error: unknown, result: never) => void }[] }[];
    for (const one of own?.queries ?? []) {
      const { callback } = one;
      one.callback = (error, result) => callback(error, count(result) as never);
    }
    const answer: unknown = Reflect.apply(query, this, given);
    return (answer instanceof Promise ? answer.then(count) : answer) as never;
  });
  await work();
  return most;
}

/** As a caller would ask who names no more than has to be named. */
const sparing = ({ parameters = [] }: Operation, query: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(query).filter(([name]) =>
      parameters.some((one) => one.name === name && one.required === true),
    ),
  );

describe('a GET of a customer with many rows', () => {
  it('builds no answer of more than 1 MB in memory, and takes no more than 5,000 rows at a time', async () => {
    const found: string[] = [];
    const operations = [...stage.good].filter(
      ([{ method, path, responses }]) =>
        method === 'GET' &&
        path.startsWith('/v1/ec/') &&
        responses?.['200']?.content?.['application/json'] !== undefined,
    );
    expect(operations.length).toBeGreaterThan(20);
    for (const [operation, good] of operations) {
      for (const query of [good.query, sparing(operation, good.query)]) {
        const request = asMeant(stage, operation, { ...good, query });
        let bytes = 0;
        const rows = await mostRows(async () => {
          const { headers } = await fixture.app.inject(request);
          // What is sent in pieces has no length.
          if (/json/.test(String(headers['content-type']))) bytes = Number(headers['content-length'] ?? 0);
        });
        vi.restoreAllMocks();
        if (bytes > MOST_BYTES) found.push(`${operation.path} builds ${bytes} bytes`);
        if (rows > MOST_ROWS) found.push(`${operation.path} takes ${rows} rows at once`);
      }
    }
    expect([...new Set(found)]).toEqual([]);
  });
});
