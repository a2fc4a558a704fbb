import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { entityWriters } from '../../bulk-kinds.ts';
import { sql } from '../../db/sql.ts';
import { openFileStore } from '../../files/open-file-store.ts';
import { revokeApiKey } from '../api-keys/service.ts';
import { sampleCall } from './invoices/sample-documents.ts';
import { remedyOf } from './report/causes.ts';
import { usageImportJob } from './uploads/job.ts';

const fixture = useFixture();
const path = '/v1/admin/usage-imports';

/** A program of a provider with one customer, 'C-1'. */
async function program() {
  const { reseller, customer } = await fixture.seedPayer();
  const { databases } = fixture.deps;
  const key = await programKey(fixture, reseller.id, 'mediation');
  const headers = { authorization: `Bearer ${key}` };
  return {
    reseller,
    customer,
    key,
    headers,
    upload: (
      payload: string | Buffer,
      query: Record<string, string> = {},
      more: Record<string, string> = {},
    ) =>
      fixture.app.inject({
        method: 'POST',
        url: path,
        payload,
        query: { customer: customer.id, ...query },
        headers: { 'content-type': 'text/csv', ...headers, ...more },
      }),
    show: async (id: string) => (await fixture.app.inject({ url: `${path}/${id}`, headers })).json().data,
    records: () =>
      databases.web.one(sql`
        select count(*)::int as n, coalesce(sum(units), 0)::text as units from usage_record
         where customer_id = ${customer.id}`),
  };
}

const job = () => {
  const { databases, clock, config, secrets } = fixture.deps;
  const files = openFileStore(config.filesUrl);
  const { publicUrl } = config;
  const writers = entityWriters({ secrets, publicUrl });
  return usageImportJob({ db: databases.exports, secrets, publicUrl, writers, clock, files });
};

describe('POST /v1/admin/usage-imports', () => {
  it('keeps the file, answers where to look, and its job takes it in; quantities are decimal strings [decisions.3.money-admin]', async () => {
    const { upload, show, records, headers } = await program();
    const answer = await upload([sampleCall(), sampleCall({ billsec: '30' }), 'junk\n'].join(''), {
      fileName: 'monday.csv',
    });
    expect(answer.statusCode).toBe(202);
    const { id } = answer.json().data;
    expect(answer.headers['location']).toBe(`${path}/${id}`);
    expect(answer.json().data).toMatchObject({
      state: 'waiting',
      fileName: 'monday.csv',
      mapping: 'asterisk',
    });
    expect(await records()).toEqual({ n: 0, units: '0' });
    await job().run({ id });
    expect(await show(id)).toEqual({
      id,
      fileName: 'monday.csv',
      mapping: 'asterisk',
      state: 'done',
      rowsRead: 0,
      rowsMerged: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      quarantined: 1,
      units: '90.000000',
      price: '0.000000',
      warnings: [],
      quarantine: [
        { line: 3, reason: '1 columns instead of 18', cause: 'mapping', remedy: remedyOf('mapping') },
      ],
      waiting: 1,
      summary: '2 went in, 1 is in quarantine.',
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    });
    expect(await records()).toEqual({ n: 2, units: '90.000000' });
    await job().run({ id });
    expect(await records()).toEqual({ n: 2, units: '90.000000' });
    const files = openFileStore(fixture.deps.config.filesUrl);
    expect(await files.read(`imports/${id}.data`)).toBeUndefined();
    expect((await fixture.app.inject({ url: path, headers })).statusCode).toBe(404);
  });

  it('takes compressed files, by content type and by coding, larger than other bodies may be', async () => {
    const { upload, show } = await program();
    const text = Array.from({ length: 8_000 }, (_, n) => sampleCall({ uniqueId: `${n}` })).join('');
    expect(text.length).toBeGreaterThan(1024 * 1024);
    const packed = gzipSync(text);
    const plain = await upload(text);
    const coded = await upload(packed, {}, { 'content-encoding': 'gzip' });
    const zipped = await upload(packed, {}, { 'content-type': 'application/gzip' });
    expect([plain, coded, zipped].map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
    await job().run({ id: plain.json().data.id });
    await job().run({ id: zipped.json().data.id });
    expect(await show(plain.json().data.id)).toMatchObject({ created: 8_000, unchanged: 0 });
    expect(await show(zipped.json().data.id)).toMatchObject({ created: 0, unchanged: 8_000 });
  });

  it('refuses what cannot be taken, with what is wrong, and keeps nothing', async () => {
    const { upload } = await program();
    const of = async (...args: Parameters<typeof upload>) => {
      const { statusCode, json } = await upload(...args);
      return [statusCode, json().code, json().message];
    };
    const unfit = [422, 'usageImport.unfit'];
    expect(await of('')).toEqual([...unfit, 'The file is empty']);
    expect(await of('a,b\n1,2\n')).toEqual([
      ...unfit,
      expect.stringMatching(/^Neither .*\(line 1 has 2 columns\)/),
    ]);
    expect(await of('a,b\n1,2\n', { mapping: 'cisco-cucm' })).toEqual([
      ...unfit,
      "Mapping 'cisco-cucm' names column 'dateTimeOrigination', which line 1 of the file does not have",
    ]);
    expect(await of('<Invoice/>')).toEqual([...unfit, 'This call takes usage records, not invoices']);
    expect(await of(sampleCall(), { mapping: 'other' })).toEqual([
      400,
      'usageImport.noMapping',
      expect.any(String),
    ]);
    expect(await of(sampleCall(), { customer: 'nobody' })).toEqual([
      400,
      'usageImport.noTarget',
      expect.any(String),
    ]);
    expect(await of(sampleCall(), { timeZone: 'Mars/Base' })).toEqual([
      400,
      'usageImport.timeZone',
      expect.any(String),
    ]);
    expect(await of(sampleCall(), { colour: 'red' })).toEqual([400, 'request.invalid', expect.any(String)]);
    expect(await of('{}', {}, { 'content-type': 'application/json' })).toEqual([
      415,
      'request.mediaType',
      expect.any(String),
    ]);
    expect(await of('x', {}, { 'content-encoding': 'br' })).toEqual([
      415,
      'request.mediaType',
      expect.any(String),
    ]);
    expect(await of('no gzip', {}, { 'content-encoding': 'gzip' })).toEqual([
      400,
      'usageImport.unreadable',
      expect.any(String),
    ]);
    expect(
      await fixture.deps.databases.web.one(sql`select count(*)::int as n from import_file where name = 'upload'
                                               and state = 'waiting' and digest = sha256('')`),
    ).toEqual({ n: 0 });
  });

  it('serves the provider of the key only, and nobody without one', async () => {
    const [one, other] = [await program(), await program()];
    const answer = await one.upload(sampleCall());
    const { id } = answer.json().data;
    const look = async (headers: Record<string, string>) =>
      (await fixture.app.inject({ url: `${path}/${id}`, headers })).statusCode;
    expect(await look(one.headers)).toBe(200);
    expect(await look(other.headers)).toBe(404);
    expect(await look({})).toBe(401);
    expect(await look({ authorization: `Bearer ${one.key?.slice(0, -2)}AA` })).toBe(401);
    expect((await other.upload(sampleCall(), { customer: one.customer.id })).json().code).toBe(
      'usageImport.noTarget',
    );
    const { databases, clock } = fixture.deps;
    await databases.web.transaction((tx) => revokeApiKey(tx, one.reseller.id, 'mediation', clock.now()));
    expect(await look(one.headers)).toBe(401);
    const row = await databases.web.one<{ hash: Buffer }>(sql`
      select hash from api_key where reseller_id = ${one.reseller.id}`);
    expect(row.hash.toString()).not.toContain(one.key);
  });
});
