import { describe, expect, it } from 'vitest';
import { call, file, useImportProgram } from '../../../../test/fixtures/import-program.ts';
import { webhookProgram } from '../../../../test/fixtures/webhooks/webhook-program.ts';
import { sumAccount } from '../../statement/account-sums.ts';
import { sampleUbl } from '../invoices/sample-documents.ts';
import { sweepImports } from './service.ts';
import { importUndoJob } from './undo-job.ts';

const { fixture, rows, deps, provider } = useImportProgram();

describe('a dry run of usage records', () => {
  it('says what would change and changes nothing; started it comes to just that', async () => {
    const { upload, work, take, show, post, books, trail, reseller } = await provider();
    const program = await webhookProgram(fixture, reseller.id);
    await program.listen();
    await take(file(call(1, 'A1'), call(2, 'A1')));
    const before = await books();
    const id = await upload(
      file(call(1, 'A1'), call(2, 'A1', '60', '0.75'), call(3, 'A1', '30', '2.00'), call(4, 'A2')),
      { dryRun: 'true' },
    );
    expect((await show(id)).state).toBe('checking');
    await work(id);
    expect(await show(id)).toMatchObject({
      state: 'checked',
      addedBy: 'key:erp',
      created: 0,
      preview: {
        created: 1,
        updated: 1,
        unchanged: 1,
        quarantined: 1,
        amounts: [{ currency: 'USD', created: '2.00', change: '0.25' }],
        changes: [{ what: 'line 3', member: 'price', was: '0.5', is: '0.75' }],
        reasons: [{ cause: 'owner', count: 1, line: 5, reason: expect.stringContaining("'A2'") }],
      },
    });
    expect(await books()).toEqual(before);
    expect(await post(`/imports/${id}/start`)).toMatchObject({ status: 202, data: { state: 'waiting' } });
    expect((await post(`/imports/${id}/start`)).status).toBe(202);
    await work(id);
    await work(id);
    const counts = { created: 1, updated: 1, unchanged: 1, quarantined: 1, waiting: 1 };
    expect(await show(id)).toMatchObject({ state: 'done', ...counts });
    expect(await books()).toEqual({ records: 3, counted: 3, price: '3.25', items: 1 });
    expect(await trail()).toHaveLength(3);
    expect(await trail()).toContain('import.started');
    // A dry run is no import, and one that has ended ends once.
    const told = await program.told();
    expect(told.map(({ type, data }) => [type, data['created'], data['quarantined']])).toEqual([
      ['import.finished', 2, 0],
      ['import.finished', 1, 1],
    ]);
  });

  it('makes no line, type or service known', async () => {
    const { upload, work, show, books, reseller } = await provider();
    const id = await upload(file(call(1, 'A1')), { dryRun: 'true' });
    await work(id);
    expect((await show(id)).preview).toMatchObject({ created: 1, quarantined: 0 });
    expect(await books()).toMatchObject({ records: 0, items: 0 });
    expect(await rows('select 1 from service where reseller_id = $1', [reseller.id])).toEqual([]);
    expect(await rows('select 1 from record_type where reseller_id = $1', [reseller.id])).toEqual([]);
  });

  it('is given up by a word, or after a week; then its file is gone and it cannot be started', async () => {
    const { upload, work, show, post } = await provider();
    const [one, other] = [
      await upload(file(call(1, 'A1')), { dryRun: 'true' }),
      await upload(file(call(2, 'A1')), { dryRun: 'true' }),
    ];
    for (const id of [one, other]) await work(id);
    expect(await post(`/imports/${one}/discard`)).toMatchObject({
      status: 200,
      data: { state: 'discarded' },
    });
    expect((await post(`/imports/${one}/discard`)).status).toBe(200);
    expect(await post(`/imports/${one}/start`)).toMatchObject({ status: 409, code: 'import.notStarted' });
    fixture.clock.advance(8 * 86_400_000);
    await sweepImports(deps());
    for (const id of [one, other]) {
      expect((await show(id)).state).toBe('discarded');
      expect(await deps().files.read(`imports/${id}.data`)).toBeUndefined();
    }
  });
});

describe('an e-invoice', () => {
  it('is looked at, taken in and undone; one that differs says what was and what is', async () => {
    const { upload, work, show, post, take, undo, code, reseller, customer } = await provider();
    await rows("update customer_identity set kind = 'endpoint' where value = 'A1' and reseller_id = $1", [
      reseller.id,
    ]);
    await code('A1');
    const xml = (over: object = {}) => sampleUbl({ buyer: 'A1', number: 'U-1', ...over });
    const id = await upload(xml(), { dryRun: 'true' }, 'application/xml');
    await work(id);
    expect((await show(id)).preview).toMatchObject({
      created: 1,
      amounts: [{ currency: 'EUR', created: '12.00', change: '0.00' }],
    });
    const bills = () => rows('select 1 from invoice where customer_id = $1', [customer.id]);
    expect(await bills()).toHaveLength(0);
    await post(`/imports/${id}/start`);
    await work(id);
    expect(await show(id)).toMatchObject({
      state: 'done',
      format: 'ubl',
      created: 1,
      notUndoneBecause: null,
    });
    expect(await bills()).toHaveLength(1);
    const dearer = xml({ lines: [{ amount: '20.00' }], sums: ['20.00', '4.00', '24.00', '24.00'] });
    const differing = await upload(dearer, { dryRun: 'true' }, 'application/xml');
    await work(differing);
    expect((await show(differing)).preview).toMatchObject({
      quarantined: 1,
      changes: [{ what: 'U-1', member: 'payable', was: '12.00 EUR', is: '24.00 EUR' }],
      reasons: [{ cause: 'differs' }],
    });
    const sums = () =>
      rows('select billed_minor as minor from account_day where customer_id = $1', [customer.id]);
    await sumAccount(fixture.deps.databases.jobs, customer.id);
    expect(await sums()).toEqual([{ minor: 1200n }]);
    expect(await undo(id)).toMatchObject({ status: 202, data: { state: 'undoing' } });
    expect(await show(id)).toMatchObject({ state: 'undone', undone: 1 });
    expect(await bills()).toHaveLength(0);
    expect(await sums()).toEqual([{ minor: 0n }]);
    // As if it had never come: it can come again, and so can the other one.
    expect(await show(await take(dearer, {}, 'application/xml'))).toMatchObject({ created: 1 });
  });

  it.each([
    ['was paid', 'update invoice set paid_minor = 5 where id = $1', 'paid or credited'],
    ['is being paid', 'update invoice set held_minor = 5 where id = $1', 'tried to pay'],
    [
      'is announced',
      `insert into autopay_plan (customer_id, invoice_id, state, updated_at)
       select customer_id, id, 'noMethod', now() from invoice where id = $1`,
      'Auto-Pay',
    ],
    [
      'has a stored PDF',
      `insert into invoice_document (customer_id, invoice_id, file_key, sha256, size_bytes, content_hash, stored_at)
       select customer_id, id, 'x', '', 1, content_hash, now() from invoice where id = $1`,
      'a PDF of its own',
    ],
    ['is a credit', 'update invoice set payable_minor = -1 where id = $1', 'a credit'],
  ])('that %s is not undone, and says why', async (_what, change, reason) => {
    const { take, undo, show, customer } = await provider();
    await rows("update customer_identity set kind = 'endpoint' where customer_id = $1", [customer.id]);
    const id = await take(sampleUbl({ buyer: 'A1' }), {}, 'application/xml');
    const [bill] = await rows<{ id: string }>('select id from invoice where customer_id = $1', [customer.id]);
    await rows(change, [bill?.id]);
    await undo(id);
    expect(await show(id)).toMatchObject({
      state: 'done',
      undone: 0,
      notUndoneBecause: expect.stringContaining(reason),
    });
    expect(await rows('select 1 from invoice where id = $1', [bill?.id])).toHaveLength(1);
  });
});

describe('undoing an import of usage records', () => {
  it('takes out what it made, sums too, and nothing that was there; again it changes nothing', async () => {
    const { take, undo, show, books } = await provider();
    await take(file(call(1, 'A1')));
    const before = await books();
    const id = await take(file(call(1, 'A1'), call(2, 'A1'), call(3, 'A1'), call(4, 'A2')));
    expect(await show(id)).toMatchObject({ created: 2, waiting: 1, undoUntil: expect.any(String) });
    expect((await undo(id)).status).toBe(202);
    expect(await show(id)).toMatchObject({ state: 'undone', undone: 2, waiting: 0, price: '0.000000' });
    expect(await books()).toEqual(before);
    expect((await undo(id)).status).toBe(202);
    expect(await show(await take(file(call(2, 'A1'), call(3, 'A1'))))).toMatchObject({ created: 2 });
  });

  it('goes on where a worker was killed', async () => {
    const { take, post, show, books } = await provider();
    const id = await take(file(call(1, 'A1'), call(2, 'A1')));
    await post(`/imports/${id}/undo`, { note: 'x' });
    // One record is out, and its part of what is kept is gone.
    await rows('update import_file set undone_n = 1 where id = $1', [id]);
    await Promise.all([importUndoJob(deps()).run({ id }), importUndoJob(deps()).run({ id })]);
    expect(await show(id)).toMatchObject({ state: 'undone', undone: 3 });
    expect(await books()).toMatchObject({ records: 0, counted: 0, price: '0.00' });
  });

  it('is refused where something depends on it, with the reason', async () => {
    const { take, undo, show, customer } = await provider();
    const refused = async (id: string, reason: string) =>
      expect(await undo(id)).toMatchObject({
        status: 409,
        code: 'import.notUndone',
        message: expect.stringContaining(reason),
      });
    const first = await take(file(call(1, 'A1'), call(2, 'A1')));
    const correcting = await take(file(call(1, 'A1', '61')));
    await refused(correcting, 'It made nothing new');
    await refused(first, '1 of its records were corrected');
    const both = await take(file(call(1, 'A1', '62'), call(3, 'A1')));
    expect((await show(both)).notUndoneBecause).toContain('corrected a record');
    await refused(both, 'corrected a record');
    const billed = await take(file(call(7, 'A1')));
    await rows(
      `insert into usage_billed (customer_id, started_at, id, invoice_line_id)
       select customer_id, started_at, id, gen_random_uuid() from usage_record
        where customer_id = $1 order by started_at desc limit 1`,
      [customer.id],
    );
    await refused(billed, '1 of its records are billed');
    const late = await take(file(call(8, 'A1')));
    fixture.clock.advance(8 * 86_400_000);
    await refused(late, 'more than 7 days ago');
  });
});
