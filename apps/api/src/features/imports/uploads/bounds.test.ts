import { existsSync, readdirSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { programKey } from '../../../../test/fixtures/program.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { AppError } from '../../../app-error.ts';
import { entityWriters } from '../../../bulk-kinds.ts';
import { openFileStore } from '../../../files/open-file-store.ts';
import { authenticatedProgram } from '../../../http/requests/scope.ts';
import { Slots } from '../../../limits/slots.ts';
import { sampleCall } from '../invoices/sample-documents.ts';
import { usageImportJob } from './job.ts';
import { startUpload, type UploadBounds } from './upload.ts';

const fixture = useFixture();
const MIB = 1024 * 1024;
const roomy: UploadBounds = { sent: MIB, unpacked: MIB, unfinished: 50 };
beforeAll(() => fixture.app.listen({ port: 0, host: '127.0.0.1' }));

/** All files under the installation's folder for files. */
function filesLeft(): string[] {
  const root = fileURLToPath(fixture.deps.config.filesUrl);
  if (!existsSync(root)) return [];
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** A provider with one customer, and its program. */
async function provider() {
  const { reseller, customer } = await fixture.seedPayer();
  const { databases, clock, config, secrets } = fixture.deps;
  const files = openFileStore(config.filesUrl);
  const slots = new Slots({
    atOnce: 99,
    each: 99,
    tooManyOfOne: 'usageImport.tooMany',
    tooManyOfAll: 'server.uploading',
  });
  const key = await programKey(fixture, reseller.id, 'mediation');
  return {
    customer,
    key,
    /** @returns the upload's id, or the code of its refusal */
    async upload(content: string | Buffer, bounds: Partial<UploadBounds> = {}): Promise<string> {
      const deps = { db: databases.web, clock, files, slots, bounds: { ...roomy, ...bounds } };
      const scope = authenticatedProgram({
        resellerId: reseller.id,
        actor: 'key:mediation',
        scopes: [],
        isOfInstallation: false,
      });
      const query = { customer: customer.id, fileName: 'calls.csv' };
      const isGzip = typeof content !== 'string';
      try {
        const file = { content: Readable.from([Buffer.from(content)]), isGzip, format: 'csv' } as const;
        const plan = { takesDocuments: false, isDryRun: false, by: { actor: 'key:mediation' } };
        return await startUpload(deps, scope, query, file, plan);
      } catch (error) {
        if (error instanceof AppError) return error.code;
        throw error;
      }
    },
    takeIn: (id: string) =>
      usageImportJob({
        db: databases.exports,
        secrets,
        publicUrl: config.publicUrl,
        writers: entityWriters({ secrets, publicUrl: config.publicUrl }),
        clock,
        files,
      }).run({ id }),
    /** An upload of which nothing has come yet; it goes on until it is ended or broken off. */
    open: () => openUpload(customer.id, key ?? ''),
  };
}

interface Open {
  readonly sending: ClientRequest;
  readonly answer: Promise<{ status: number; code: string | undefined; retryAfter: string | undefined }>;
}

function openUpload(customerId: string, key: string): Open {
  const { port } = fixture.app.server.address() as AddressInfo;
  const sending = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/v1/admin/usage-imports?customer=${customerId}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', 'transfer-encoding': 'chunked' },
  });
  sending.flushHeaders();
  const answer = new Promise<Awaited<Open['answer']>>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', async (response) => {
      let text = '';
      for await (const part of response) text += part;
      const { code } = JSON.parse(text) as { code?: string };
      resolve({ status: response.statusCode ?? 0, code, retryAfter: response.headers['retry-after'] });
    });
  });
  answer.catch(() => undefined);
  return { sending, answer };
}

describe('how much one upload may bring', () => {
  it('is bounded as it comes and unpacked, however small it was packed, and nothing of it is kept', async () => {
    const { upload } = await provider();
    const bomb = gzipSync(Buffer.alloc(64 * MIB, sampleCall()), { level: 9 });
    expect(bomb.length).toBeLessThan(MIB / 2);
    expect(await upload(bomb)).toBe('usageImport.tooLarge');
    // Packed twice over in one file: gzip allows members one after the other.
    expect(await upload(Buffer.concat([gzipSync(sampleCall()), bomb]))).toBe('usageImport.tooLarge');
    expect(await upload(sampleCall().repeat(20_000))).toBe('usageImport.tooLarge');
    expect(await upload(sampleCall(), { sent: 20 })).toBe('usageImport.tooLarge');
    expect(filesLeft()).toEqual([]);
  });
});

describe('how many files of a provider may wait', () => {
  it('is bounded, also for files that come at the same time; others are not kept out', async () => {
    const [one, other] = [await provider(), await provider()];
    const bounds = { unfinished: 3 };
    const tries = Array.from({ length: 8 }, () => one.upload(sampleCall(), bounds));
    const ids = (await Promise.all(tries)).filter((id) => id !== 'usageImport.tooMany');
    expect(ids).toHaveLength(3);
    expect(filesLeft()).toHaveLength(3);
    expect(await one.upload(sampleCall(), bounds)).toBe('usageImport.tooMany');
    expect(await other.upload(sampleCall(), bounds)).toMatch(/^[\da-f-]{36}$/);
    await one.takeIn(ids[0] ?? '');
    expect(await one.upload(sampleCall(), bounds)).toMatch(/^[\da-f-]{36}$/);
    expect(await one.upload(sampleCall(), bounds)).toBe('usageImport.tooMany');
    // What has not been taken in for a day never will be, and keeps nobody out for ever.
    fixture.clock.advance(25 * 3_600_000);
    expect(await one.upload(sampleCall(), bounds)).toMatch(/^[\da-f-]{36}$/);
  });
});

describe('how many uploads are under way', () => {
  it('is bounded by provider and in all; who breaks off leaves a place and no file', async () => {
    const before = filesLeft().length;
    const [one, other, third] = [await provider(), await provider(), await provider()];
    const unfinished = () => filesLeft().length - before;
    const held = [one.open(), one.open(), other.open(), other.open()];
    for (const { sending } of held) sending.write(sampleCall());
    await vi.waitFor(() => expect(unfinished()).toBe(4), { timeout: 10_000 });
    const ended = ({ sending, answer }: Open) => {
      sending.end(sampleCall());
      return answer;
    };
    expect(await ended(one.open())).toEqual({ status: 429, code: 'usageImport.tooMany', retryAfter: '10' });
    expect(await ended(third.open())).toEqual({ status: 503, code: 'server.uploading', retryAfter: '10' });
    held[0]?.sending.destroy();
    await vi.waitFor(() => expect(unfinished()).toBe(3), { timeout: 10_000 });
    expect((await ended(third.open())).status).toBe(202);
    for (const open of held.slice(1)) expect((await ended(open)).status).toBe(202);
    expect((await ended(one.open())).status).toBe(202);
    expect(unfinished()).toBe(5);
  });
});
