import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { call, file, useImportProgram } from '../../../../test/fixtures/import-program.ts';
import { sampleUbl } from '../invoices/sample-documents.ts';
import { takeDocument } from '../invoices/take-document.ts';
import { findUsageMapping } from '../mappings/find-mapping.ts';
import { takeUsage } from '../usage/take-usage.ts';
import { sweepImports } from './service.ts';

const { rows, deps, provider } = useImportProgram();

const content = file(call(1, 'A1'), call(2, 'A1'), call(3, 'A1'), call(4, 'A2'), call(5, 'A1'));
const whole = { records: 4, counted: 4, price: '2.00', items: 1 };

/** Takes an upload in by slices of a row, and stops it by the API at a moment. */
async function stopAt(
  { reseller, post }: Awaited<ReturnType<typeof provider>>,
  id: string,
  step: 'reading' | 'merging',
) {
  const { db, clock } = deps();
  const mapping = await findUsageMapping(db, reseller.id, 'own');
  if (mapping === undefined) throw new Error('the provider has its mapping');
  const source = {
    name: 'calls.csv',
    digest: createHash('sha256').update(content).digest(),
    async *read() {
      if (step === 'reading') await post(`/imports/${id}/stop`);
      yield Buffer.from(content);
    },
  };
  return takeUsage(db, source, {
    target: { resellerId: reseller.id, defaultCustomerId: null },
    mapping,
    timeZone: undefined,
    now: clock.now(),
    sliceRows: 1,
    runId: id,
    onProgress: async (progress) => {
      if (step === 'merging' && progress.step === step && progress.rows === 2)
        expect(await post(`/imports/${id}/stop`)).toMatchObject({ status: 202, data: { state: 'stopping' } });
    },
  });
}

describe('an import that is stopped', () => {
  it('leaves off between slices, keeps what is in, is undone, and the same file is whole again', async () => {
    const one = await provider();
    const { upload, work, take, show, undo, books, trail } = one;
    const id = await upload(content);
    expect(await stopAt(one, id, 'merging')).toMatchObject({ state: 'stopped', created: 2 });
    expect(await show(id)).toMatchObject({
      state: 'stopped',
      rowsMerged: 2,
      created: 2,
      unchanged: 0,
      waiting: 0,
      price: '1.000000',
      undoUntil: expect.any(String),
    });
    expect(await books()).toEqual({ records: 2, counted: 2, price: '1.00', items: 1 });
    expect((await trail()).filter((action) => action === 'import.stopped')).toHaveLength(1);
    // The file goes with the job, which does nothing more.
    await work(id);
    expect(await deps().files.read(`imports/${id}.data`)).toBeUndefined();
    const again = await take(content);
    expect(await show(again)).toMatchObject({ state: 'done', created: 2, unchanged: 2, quarantined: 1 });
    expect(await books()).toEqual(whole);
    await undo(again);
    await undo(id);
    expect(await show(id)).toMatchObject({ state: 'undone', undone: 2 });
    expect(await books()).toMatchObject({ records: 0, counted: 0, price: '0.00' });
    await take(content);
    expect(await books()).toEqual(whole);
  });

  it('while it is read has taken in nothing, and sets nothing aside', async () => {
    const one = await provider();
    const id = await one.upload(content);
    expect(await stopAt(one, id, 'reading')).toMatchObject({ state: 'stopped', created: 0 });
    expect(await one.show(id)).toMatchObject({
      state: 'stopped',
      quarantined: 0,
      waiting: 0,
      undoUntil: null,
    });
    expect(await one.books()).toMatchObject({ records: 0 });
  });

  it('whose undo is refused is stopped again', async () => {
    const one = await provider();
    const id = await one.upload(content);
    await stopAt(one, id, 'merging');
    await one.post(`/imports/${id}/undo`, { note: 'x' });
    await rows("update usage_month set state = 'closed'");
    await one.undo(id);
    await rows("update usage_month set state = 'open'");
    expect(await one.show(id)).toMatchObject({
      state: 'stopped',
      notUndoneBecause: expect.stringContaining('months that take no changes'),
    });
  });

  it.each([
    ['waits for a worker', "state = 'waiting'"],
    ['was left by a process that was killed', "state = 'running', merged_n = 3, created_n = 2"],
    ['was to stop when its process was killed', "state = 'stopping', merged_n = 3, created_n = 2"],
  ])('that %s has ended at once; the same again changes nothing', async (_what, values) => {
    const { upload, work, show, post, books, trail } = await provider();
    const id = await upload(content);
    await rows(`update import_file set ${values} where id = $1`, [id]);
    const { merged_n: merged = '0' } =
      (await rows<{ merged_n: string }>('select merged_n from import_file where id = $1', [id]))[0] ?? {};
    for (const _ of [1, 2])
      expect(await post(`/imports/${id}/stop`)).toMatchObject({
        status: 202,
        data: { state: 'stopped', rowsMerged: Number(merged), finishedAt: expect.any(String) },
      });
    expect((await trail()).filter((action) => action === 'import.stopped').length).toBeLessThan(2);
    await work(id);
    expect(await show(id)).toMatchObject({ state: 'stopped' });
    expect(await deps().files.read(`imports/${id}.data`)).toBeUndefined();
    expect(await books()).toMatchObject({ records: 0 });
  });

  it('and whose process is gone is ended by the next round, and by its job', async () => {
    const { upload, work, show } = await provider();
    for (const end of [() => sweepImports(deps()), (id: string) => work(id)]) {
      const id = await upload(content);
      await rows("update import_file set state = 'stopping' where id = $1", [id]);
      await end(id);
      expect((await show(id)).state).toBe('stopped');
    }
  });

  it('as an e-invoice that waits is not taken in', async () => {
    const { upload, work, show, post, reseller, customer } = await provider();
    const id = await upload(sampleUbl({ buyer: 'A1' }), {}, 'application/xml');
    expect(await post(`/imports/${id}/stop`)).toMatchObject({ status: 202, data: { state: 'stopped' } });
    await work(id);
    // One that a worker had taken up before.
    const target = { resellerId: reseller.id, defaultCustomerId: customer.id };
    const pieces = Readable.from([Buffer.from(sampleUbl())]);
    await takeDocument(deps(), { id, name: 'invoice.xml', target, content: pieces, now: deps().clock.now() });
    expect((await show(id)).state).toBe('stopped');
    expect(await rows('select 1 from invoice where customer_id = $1', [customer.id])).toEqual([]);
  });

  it.each([
    ['has ended', 'done', 'was given up or has ended'],
    ['is undone', 'undone', 'was given up or has ended'],
    ['has not begun', 'checked', 'It has not begun'],
  ])('is refused where it %s', async (_what, state, words) => {
    const { upload, post } = await provider();
    const id = await upload(content);
    await rows('update import_file set state = $2 where id = $1', [id, state]);
    expect(await post(`/imports/${id}/stop`)).toMatchObject({
      status: 409,
      code: 'import.notStopped',
      message: expect.stringContaining(words),
    });
  });
});

it('an import says to those who uploaded usage that it was stopped', async () => {
  const { upload, post, get } = await provider();
  const id = await upload(content);
  await post(`/imports/${id}/stop`);
  expect(await get(`/usage-imports/${id}`)).toMatchObject({
    data: { state: 'stopped', summary: 'The import was stopped; 0 went in.' },
  });
});
