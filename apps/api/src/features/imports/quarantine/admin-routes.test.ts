import { describe, expect, it } from 'vitest';
import { call, file, useImportProgram } from '../../../../test/fixtures/import-program.ts';
import { quarantineRetryJob } from './admin-service.ts';

const { deps, provider } = useImportProgram();

describe('what imports have set aside', () => {
  it('is listed with the row and what is wrong of it, page by page; corrected and tried again it goes in', async () => {
    const { take, get, post, books, drop, code, trail, reseller } = await provider();
    const id = await take(file(call(1, 'A2'), call(2, 'A3'), call(3, 'A1', 'x')));
    const first = await get(`/quarantine?import=${id}&limit=2`);
    const rest = await get(`/quarantine?import=${id}&limit=2&cursor=${first.nextCursor}`);
    const all = [...first.data, ...rest.data];
    expect(rest.nextCursor).toBeNull();
    expect(all.map(({ line, cause }: { line: number; cause: string }) => [line, cause])).toEqual([
      [2, 'owner'],
      [3, 'owner'],
      [4, 'mapping'],
    ]);
    const wrong = all.map(({ values }) => values.filter((one: { isWrong: boolean }) => one.isWrong));
    expect(wrong).toEqual([
      [{ name: 'account', value: 'A2', isWrong: true }],
      [{ name: 'account', value: 'A3', isWrong: true }],
      [{ name: 'seconds', value: 'x', isWrong: true }],
    ]);
    expect((await get('/quarantine?cause=mapping')).data).toHaveLength(1);
    expect((await get('/quarantine')).data).toHaveLength(3);
    const retry = (at: number, body: object) => post(`/quarantine/${all[at].id}/retry`, body);
    expect(await retry(0, { values: { none: 'A1' } })).toMatchObject({
      status: 400,
      code: 'quarantine.values',
    });
    expect(await retry(0, { values: { account: 'A4' } })).toMatchObject({
      status: 200,
      data: { taken: false, entry: { reason: expect.stringContaining("'A4'"), tries: 1 } },
    });
    expect(await retry(0, { values: { account: 'A1' } })).toMatchObject({
      data: { taken: true, entry: null },
    });
    expect(await retry(0, {})).toMatchObject({ status: 404, code: 'quarantine.notFound' });
    expect(await retry(2, { values: { seconds: '90' } })).toMatchObject({ data: { taken: true } });
    expect(await books()).toMatchObject({ records: 2, counted: 2, price: '1.00' });
    await code('A3');
    const queued = await post('/quarantine/retry', { import: id });
    expect(queued).toMatchObject({ status: 202, data: { queued: 1 } });
    await quarantineRetryJob(deps()).run({ resellerId: reseller.id, fileId: id });
    expect(await books()).toMatchObject({ records: 3 });
    const other = await take(file(call(9, 'A9')));
    const [entry] = (await get(`/quarantine?import=${other}`)).data;
    expect((await drop(entry.id)).status).toBe(204);
    expect((await drop(entry.id)).status).toBe(404);
    // All at one moment of the test's clock: their order is not told.
    expect((await trail()).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'import.added',
      'import.added',
      'quarantine.corrected',
      'quarantine.corrected',
      'quarantine.corrected',
      'quarantine.dropped',
      'quarantine.retried',
      'quarantine.retried',
      'quarantine.retried',
    ]);
  });

  it('and imports are nobody else’s', async () => {
    const [one, other] = [await provider(), await provider()];
    const id = await one.take(file(call(1, 'A2')));
    const [entry] = (await one.get('/quarantine')).data;
    for (const [answer, code] of [
      [await other.get(`/imports/${id}`), 'import.notFound'],
      [await other.post(`/imports/${id}/undo`, { note: 'x' }), 'import.notFound'],
      [await other.post(`/imports/${id}/start`), 'import.notFound'],
      [await other.post(`/imports/${id}/discard`), 'import.notFound'],
      [await other.post(`/quarantine/${entry.id}/retry`, {}), 'quarantine.notFound'],
      [await other.drop(entry.id), 'quarantine.notFound'],
    ] as const)
      expect(answer).toMatchObject({ status: 404, code });
    expect((await other.get(`/quarantine?import=${id}`)).code).toBe('import.notFound');
    expect((await other.post('/quarantine/retry', { import: id })).code).toBe('import.notFound');
    expect((await other.get('/quarantine')).data).toEqual([]);
    expect((await other.get('/imports')).data).toEqual([]);
    const list = await one.get('/imports?limit=1');
    expect(list).toMatchObject({ data: [{ id, quarantined: 1 }], nextCursor: null });
  });
});
