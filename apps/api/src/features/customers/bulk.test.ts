import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BulkResult } from '@counterfoil/contract/operator/parts.ts';
import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { AppError } from '../../app-error.ts';
import { linesOfNdjson, putInBulk } from '../../bulk/bulk.ts';
import { linesOf } from '../../files/lines.ts';
import { spool } from '../../files/spool.ts';
import { bulkCustomers } from './bulk-routes.ts';

const fixture = useFixture();

const bytesOf = (line: object | string): Buffer =>
  Buffer.isBuffer(line) ? line : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line));

async function provider() {
  const { reseller } = await fixture.seedPayer();
  const key = await programKey(fixture, reseller.id, 'crm');
  const pool = fixture.database.pool();
  return {
    reseller,
    async send(lines: readonly (object | string)[], type = 'application/x-ndjson') {
      const answer = await fixture.app.inject({
        method: 'POST',
        url: '/v1/admin/customers/bulk',
        headers: { authorization: `Bearer ${key}`, 'content-type': type },
        payload: Buffer.concat(lines.flatMap((line) => [bytesOf(line), Buffer.from('\n')]).slice(0, -1)),
      });
      const results = answer.body.split('\n').filter((line) => line !== '');
      return {
        status: answer.statusCode,
        results: results.map((line) => JSON.parse(line) as BulkResult),
      };
    },
    async kept(): Promise<Record<string, string>> {
      const { rows } = await pool.query<{ external_ref: string; label: string }>(
        'select external_ref, label from customer where reseller_id = $1 and external_ref is not null order by external_ref',
        [reseller.id],
      );
      return Object.fromEntries(rows.map((row) => [row.external_ref, row.label]));
    },
    /** What a change of anything would change. */
    async print(): Promise<string> {
      const { rows } = await pool.query<{ print: string }>(
        `select md5(string_agg(t::text, '|' order by t::text)) as print from (
           select c::text as t from customer c where reseller_id = $1
           union all select r::text from reseller_customer r where reseller_id = $1
           union all select i::text from customer_identity i where reseller_id = $1
           union all select a::text from audit_event a where reseller_id = $1) t`,
        [reseller.id],
      );
      return rows[0]?.print ?? '';
    },
  };
}

const one = (n: number, label = `Customer ${n}`) => ({
  reference: `C-${n}`,
  label,
  email: `c${n}@x.example`,
});

describe('POST /v1/admin/customers/bulk', () => {
  it('makes and changes customers, a result a line; the same file again changes nothing', async () => {
    const { send, kept, print } = await provider();
    const first = await send([one(1), one(2), '', one(3)]);
    expect(first).toMatchObject({
      status: 200,
      results: [
        { line: 1, reference: 'C-1', status: 'created', version: 1 },
        { line: 2, reference: 'C-2', status: 'created' },
        { line: 4, reference: 'C-3', status: 'created' },
      ],
    });
    const file = [one(1), one(2, 'Renamed'), one(4)];
    expect((await send(file)).results.map(({ status, version }) => [status, version])).toEqual([
      ['unchanged', 1],
      ['changed', 2],
      ['created', 1],
    ]);
    const before = await print();
    expect((await send(file)).results.map(({ status }) => status)).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
    expect(await print()).toBe(before);
    expect(await kept()).toEqual({
      'C-1': 'Customer 1',
      'C-2': 'Renamed',
      'C-3': 'Customer 3',
      'C-4': 'Customer 4',
    });
  });

  it('says of each bad line what is wrong with it, and takes all others', async () => {
    const [{ send, kept }, other] = [await provider(), await provider()];
    const { results } = await send([
      one(1),
      '{"reference":"C-x","label":',
      { reference: 'C-x' },
      { ...one(5), email: 'nobody' },
      { ...one(6), strange: 1 },
      { ...one(7), brandId: other.reseller.brandId },
      '{"reference":"C-x","label":"\\u0000"}',
      '{"reference":"C-x","label":"\\ud800"}',
      `{"reference":"C-x","label":"${'x'.repeat(70_000)}"}`,
      '[]',
      'null',
      Buffer.from('{"reference":"C-x","label":"\xc3("}', 'latin1'),
      one(2),
    ]);
    expect(results.map(({ line, status, code }) => [line, status, code])).toEqual([
      [1, 'created', undefined],
      [2, 'refused', 'request.malformed'],
      [3, 'refused', 'request.invalid'],
      [4, 'refused', 'request.invalid'],
      [5, 'refused', 'request.invalid'],
      [6, 'refused', 'customer.noBrand'],
      [7, 'refused', 'request.malformed'],
      [8, 'refused', 'request.malformed'],
      [9, 'refused', 'request.malformed'],
      [10, 'refused', 'request.invalid'],
      [11, 'refused', 'request.invalid'],
      [12, 'refused', 'request.malformed'],
      [13, 'created', undefined],
    ]);
    expect(results[3]?.errors).toEqual([{ path: 'email', message: 'is no e-mail address' }]);
    expect(Object.keys(await kept())).toEqual(['C-1', 'C-2']);
  });

  it('a reference that comes twice is changed twice, in the order of the lines', async () => {
    const { send, kept } = await provider();
    const { results } = await send([one(1, 'first'), one(2), one(1, 'second'), one(1, 'third')]);
    expect(results.map(({ status, version }) => [status, version])).toEqual([
      ['created', 1],
      ['created', 1],
      ['changed', 2],
      ['changed', 3],
    ]);
    expect(await kept()).toEqual({ 'C-1': 'third', 'C-2': 'Customer 2' });
  });

  it('two files at once end as one after the other, over several transactions', async () => {
    const { send, kept } = await provider();
    const file = (label: string) => Array.from({ length: 2_300 }, (_, n) => one(n, label));
    // From both ends, so that in step each would come first somewhere.
    const both = await Promise.all([send(file('one')), send(file('two').reverse())]);
    for (const { status, results } of both) expect([status, results.length]).toEqual([200, 2_300]);
    expect(new Set(Object.values(await kept())).size).toBe(1);
    const created = both.flatMap(({ results }) => results.filter(({ status }) => status === 'created'));
    expect(created).toHaveLength(2_300);
  });

  it('waits for another file for a while, then refuses without having done anything', async () => {
    const { reseller, kept } = await provider();
    const { databases, clock } = fixture.deps;
    const of = { resellerId: reseller.id, by: { actor: 'test' } };
    const file = async function* () {
      yield Buffer.from(`${JSON.stringify(one(1))}\n`);
    };
    const holding = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const first = putInBulk(
      { db: databases.exports, clock },
      bulkCustomers,
      of,
      linesOfNdjson(file()),
      async () => {
        holding.resolve();
        await held.promise;
      },
    );
    await holding.promise;
    const second = putInBulk(
      { db: databases.exports, clock, waitMs: 0 },
      bulkCustomers,
      of,
      linesOfNdjson(file()),
      async () => undefined,
    );
    await expect(second).rejects.toMatchObject({ code: 'bulk.running' });
    held.resolve();
    await first;
    expect(await kept()).toEqual({ 'C-1': 'Customer 1' });
  });

  it('goes on no further than it is read, and another file goes in afterwards', async () => {
    const { reseller, kept, send } = await provider();
    const { databases, clock } = fixture.deps;
    const of = { resellerId: reseller.id, by: { actor: 'test' } };
    const file = async function* () {
      for (let n = 0; n < 3_000; n += 1) yield Buffer.from(`${JSON.stringify(one(n))}\n`);
    };
    const broken = putInBulk(
      { db: databases.exports, clock },
      bulkCustomers,
      of,
      linesOfNdjson(file()),
      async () => {
        throw new Error('the reader has gone');
      },
    );
    await expect(broken).rejects.toThrow('the reader has gone');
    // What was told of was committed, and nothing beyond it was begun.
    expect(Object.keys(await kept())).toHaveLength(1_000);
    expect((await send([one(1)])).results).toMatchObject([{ status: 'unchanged' }]);
  });

  it('takes NDJSON only', async () => {
    const { send } = await provider();
    expect((await send([one(1)], 'application/json')).status).toBe(415);
  });
});

describe('what is received', () => {
  const pieces = async function* (...texts: string[]) {
    for (const text of texts) yield Buffer.from(text);
  };
  it('is read by lines, wherever it was cut', async () => {
    const text = async function* () {
      yield* ['a', 'b\r\n\n', 'ü\nlonger than eight', ' characters\nc'];
    };
    const found: unknown[] = [];
    for await (const lines of linesOf(text(), 8))
      found.push(...lines.map((line) => [line.number, line.text, line.isEnd]));
    expect(found).toEqual([
      [1, 'ab', false],
      [3, 'ü', false],
      [4, undefined, false],
      [5, 'c', true],
    ]);
  });

  it('lies on the disk without a name, up to its bound', async () => {
    const folder = join(fixture.deps.config.dataDir, 'spooled');
    const tooLarge = () => new AppError('request.tooLarge');
    const kept = await spool(folder, pieces('one', 'two'), 6, tooLarge);
    expect(await readdir(folder)).toEqual([]);
    for (const _again of [1, 2]) {
      const read: Uint8Array[] = [];
      for await (const piece of kept.read()) read.push(piece);
      expect(Buffer.concat(read).toString()).toBe('onetwo');
    }
    await kept.close();
    await kept.close();
    await expect(spool(folder, pieces('one', 'two', '3'), 6, tooLarge)).rejects.toMatchObject({
      code: 'request.tooLarge',
    });
  });
});
