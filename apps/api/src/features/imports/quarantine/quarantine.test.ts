import { describe, expect, it } from 'vitest';
import { counts, resellerId, useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import { sql } from '../../../db/sql.ts';
import { createSecrets } from '../../../secrets.ts';
import { ensureMonths } from '../../usage/months/months.ts';
import { sampleCall, sampleUbl } from '../invoices/sample-documents.ts';
import { readMapping, storeMapping } from '../mappings/find-mapping.ts';
import { countEntries, dropEntries, listEntries } from './queries.ts';
import { type RetryRequest, retryQuarantined } from './retry.ts';

const fixture = useImportFixture();
const secrets = createSecrets('a key only for this test, long enough');
const publicUrl = new URL('http://localhost:3000');
const later = (minutes: number) => new Date(Date.parse('2026-04-01T10:00:00Z') + minutes * 60_000);

const waiting = async () =>
  Object.fromEntries((await countEntries(fixture.db, {})).map(({ cause, count }) => [cause, count]));
const retry = (minutes: number, more: Partial<RetryRequest> = {}) =>
  retryQuarantined({ db: fixture.db, secrets, publicUrl, files: fixture.files }, {
    only: 'due',
    now: later(minutes),
    ...more,
  } as RetryRequest);
const totals = () =>
  fixture.db.one(sql`
    select (select coalesce(sum(n), 0)::int from usage_day) as n, (select count(*)::int from usage_record) as records,
           (select coalesce(sum(units), 0)::text from usage_day) as units,
           (select coalesce(sum(units), 0)::text from usage_record) as recounted`);
const all = (records: number, units: string) => ({ n: records, records, units, recounted: units });

/** A mapping with a key, so that a later row corrects an earlier one. */
const own = (units = 'seconds') => {
  const mapping = readMapping(
    {
      name: 'own',
      title: 'Own',
      format: 'csv',
      key: ['id'],
      csv: { trim: true },
      serviceItem: ['account'],
      accountCodes: ['account'],
      startedAt: { column: 'at', form: 'epoch' },
      services: { voice: { name: 'Voice', serviceItemLabel: 'Line', unitsLabel: 'Seconds' } },
      kinds: [{ service: 'voice', recordType: { code: 'call', description: 'Call' } }],
      units: { column: units },
    },
    'own',
  );
  if (typeof mapping === 'string') throw new Error(mapping);
  return mapping;
};
const store = (units?: string, at = 0) =>
  fixture.db.transaction((tx) => storeMapping(tx, resellerId, own(units), later(at)));
const calls = (...rows: readonly string[]) =>
  fixture.file(`id,at,account,seconds,"other"\n${rows.map((row) => `${row}\n`).join('')}`);

describe('rows nobody is known for', () => {
  it('wait once, however often their file comes, and go in by themselves when the customer is known', async () => {
    const call = sampleCall({ accountCode: 'A1' });
    // Two of them are the same: both happened.
    const path = await fixture.file(
      call + call + sampleCall({ accountCode: 'A1', billsec: '30' }) + sampleCall({ accountCode: 'A2' }),
    );
    const first = await fixture.run([path]);
    expect(counts(first)).toEqual([[0, 0, 0, 4]]);
    expect(first.summary).toMatchObject({
      in: 0,
      quarantined: 4,
      takenFromQuarantine: 0,
      reasons: [{ cause: 'owner', count: 4, remedy: expect.stringContaining('customer add') }],
    });
    expect(first.quarantine[0]).toMatchObject({
      line: 1,
      cause: 'owner',
      reason: expect.stringContaining("'A1'"),
    });
    await fixture.run([path]);
    expect(await waiting()).toEqual({ owner: 4 });
    expect(await retry(1)).toMatchObject({ tried: 0 });

    await fixture.addCustomer('Quay', { accountCode: 'A1' });
    expect(await retry(2)).toMatchObject({ tried: 3, taken: 3 });
    expect(await totals()).toEqual(all(3, '150.000000'));
    expect(await waiting()).toEqual({ owner: 1 });
    // The file again finds what went in, and the one that waits.
    expect(counts(await fixture.run([path]))).toEqual([[0, 0, 3, 1]]);
    expect(await totals()).toEqual(all(3, '150.000000'));

    // Any later import looks, too.
    await fixture.addCustomer('Pier', { accountCode: 'A2' });
    const other = await fixture.run([await fixture.file(sampleUbl())], { now: later(9) });
    expect(other.summary).toMatchObject({ in: 1, quarantined: 0, takenFromQuarantine: 1 });
    expect(await waiting()).toEqual({});
    expect(await totals()).toEqual(all(4, '210.000000'));
  });

  it('are settled by what goes in another way, and never take the place of something newer', async () => {
    await store();
    const old = await calls('1,1772442000,A1,60,x', '2,1772442000,A1,61,x');
    await fixture.run([old], { mapping: 'own' });
    // The second row comes again with other content, and its customer is given.
    const newer = await calls('2,1772442000,A1,99,x');
    await fixture.run([newer], { mapping: 'own', customer: fixture.customerId });
    expect(await waiting()).toEqual({ owner: 1 });
    await fixture.addCustomer('Quay', { accountCode: 'A1' });
    expect(await retry(1)).toMatchObject({ tried: 1, taken: 1 });
    expect(await totals()).toEqual(all(2, '159.000000'));
  });

  it('are as they were after a try that broke off, and after it counted once', async () => {
    const path = await fixture.file(
      sampleCall({ accountCode: 'A1' }) + sampleCall({ accountCode: 'A1', billsec: '7' }),
    );
    await fixture.run([path]);
    await fixture.addCustomer('Quay', { accountCode: 'A1' });
    for (const [refuse, allow, says] of [
      // Before the rows are booked, and after that, before the import has ended.
      [
        'usage_day add constraint broken check (false) not valid',
        'usage_day drop constraint broken',
        'broken',
      ],
      ['import_quarantine rename to away', 'away rename to import_quarantine', 'import_quarantine'],
    ] as const) {
      await fixture.query(`alter table ${refuse}`);
      await expect(retry(1)).rejects.toThrow(says);
      await fixture.query(`alter table ${allow}`);
    }
    await retry(2);
    expect(await waiting()).toEqual({});
    expect(await totals()).toEqual(all(2, '67.000000'));
  });

  it('are given to somebody by a person, or dropped', async () => {
    await fixture.run([
      await fixture.file(sampleCall({ accountCode: 'A1' }) + sampleCall({ accountCode: 'A2' })),
    ]);
    const [first, second] = await listEntries(fixture.db, { cause: 'owner' }, 10);
    expect(first?.record).toContain('A1');
    const these = { only: 'these', ids: [first?.id ?? ''] } as const;
    expect(await retry(1, { ...these, customerId: fixture.customerId })).toMatchObject({
      tried: 1,
      taken: 1,
    });
    await fixture.db.transaction((tx) => dropEntries(tx, [second?.id ?? '']));
    expect(await waiting()).toEqual({});
    expect(await totals()).toEqual(all(1, '60.000000'));
  });
});

describe('what waits for something else', () => {
  it('is read again when its mapping was changed, and says so when it still does not fit', async () => {
    await store();
    // A value with a line end and quotes, as files have them.
    const path = await calls('1,1772442000,A1,"6""\n0",30');
    await fixture.addCustomer('Quay', { accountCode: 'A1' });
    expect(counts(await fixture.run([path], { mapping: 'own' }))).toEqual([[0, 0, 0, 1]]);
    expect(await waiting()).toEqual({ mapping: 1 });
    expect(await retry(1)).toMatchObject({ tried: 0 });
    await store('missing', 2);
    expect(await retry(3)).toMatchObject({ tried: 1, taken: 0 });
    expect((await listEntries(fixture.db, {}, 1))[0]).toMatchObject({
      tries: 1,
      reason: expect.stringContaining("'missing'"),
    });
    await store('other', 4);
    expect(await retry(5)).toMatchObject({ tried: 1, taken: 1 });
    expect(await totals()).toEqual(all(1, '30.000000'));
  });

  it('rows that become the same by another mapping are as many as they were', async () => {
    const storeKeyless = (units: string, at: number) => {
      const { key: _, ...keyless } = own(units);
      return fixture.db.transaction((tx) => storeMapping(tx, resellerId, keyless, later(at)));
    };
    await storeKeyless('seconds', 0);
    await fixture.addCustomer('Quay', { accountCode: 'A1' });
    const path = await calls('1,1772442000,A1,bad,30', ' 1,1772442000,A1,bad,30', '1,1772442000,A1,bad,30');
    await fixture.run([path], { mapping: 'own' });
    expect(await waiting()).toEqual({ mapping: 3 });
    await storeKeyless('other', 2);
    expect(await retry(3)).toMatchObject({ tried: 3, taken: 3 });
    expect(await totals()).toEqual(all(3, '90.000000'));
    expect(counts(await fixture.run([path], { mapping: 'own' }))).toEqual([[0, 0, 3, 0]]);
  });

  it('a closed month takes its records when it is open again and their file comes again', async () => {
    await ensureMonths(fixture.db, ['2026-03-01']);
    await fixture.query("update usage_month set state = 'closed' where month = '2026-03-01'");
    const path = await fixture.file(sampleCall());
    try {
      expect(counts(await fixture.run([path], { customer: fixture.customerId }))).toEqual([[0, 0, 0, 1]]);
      expect(await waiting()).toEqual({ month: 1 });
    } finally {
      await fixture.query("update usage_month set state = 'open' where month = '2026-03-01'");
    }
    await fixture.run([path], { customer: fixture.customerId });
    expect(await waiting()).toEqual({});
  });

  it('an invoice goes in when its buyer is known; one that differs is for a person', async () => {
    const invoice = sampleUbl({ number: 'A-1', buyer: '111', buyerName: 'Quay' });
    const report = await fixture.run([await fixture.file(invoice)]);
    expect(report.quarantine).toMatchObject([
      { cause: 'buyer', reason: expect.stringContaining('0088:111') },
    ]);
    expect(await retry(1)).toMatchObject({ tried: 0 });
    await fixture.addCustomer('Quay');
    const done = await retry(2);
    expect(done).toMatchObject({ tried: 1, taken: 1, invoices: [{ number: 'A-1' }] });
    expect(await waiting()).toEqual({});
    // Other content under the number is for a person.
    await fixture.run([
      await fixture.file(
        sampleUbl({ number: 'A-1', buyer: '111', buyerName: 'Quay', issuedOn: '2026-02-01' }),
      ),
    ]);
    expect(await waiting()).toEqual({ differs: 1 });
    expect(await retry(99)).toMatchObject({ tried: 0 });
    expect(await retry(99, { only: 'all' })).toMatchObject({ tried: 1, taken: 0 });
  });

  it('documents go in together, a credit after its invoice; where one breaks off, the others', async () => {
    const buyer = { buyer: '222', buyerName: 'Pier' };
    const credit = { ...buyer, kind: 'creditNote', number: 'C-1', credits: 'B-1' } as const;
    const documents = [credit, ...['B-1', 'B-2', 'BROKEN'].map((number) => ({ ...buyer, number }))];
    await fixture.run(await Promise.all(documents.map((one) => fixture.file(sampleUbl(one)))));
    expect(await waiting()).toEqual({ buyer: 4 });
    await fixture.query("alter table invoice add constraint broken check (number <> 'BROKEN')");
    await fixture.addCustomer('Pier');
    await fixture.query(
      `update quarantine_entry set id = 'ffffffff-ffff-4fff-bfff-ffffffffffff' where position('BROKEN'::bytea in record) > 0`,
    );
    await expect(retry(2)).rejects.toThrow('broken');
    await fixture.query('alter table invoice drop constraint broken');
    const booked = () =>
      fixture.db.many<{ number: string; due: number; tx: string }>(
        sql`select number, due_minor::int as due, xmin::text as tx from invoice where number <> 'BROKEN' order by 1`,
      );
    expect(await waiting()).toEqual({ buyer: 1 });
    expect(await retry(3)).toMatchObject({ tried: 1, taken: 1 });
    expect(await booked()).toMatchObject([
      { number: 'B-1', due: 0 },
      { number: 'B-2', due: 1200 },
      { number: 'C-1' },
    ]);
    await fixture.query('truncate invoice, invoice_identity, pay_link, ledger, customer_credit cascade');
    await fixture.query("delete from reseller_customer where label = 'Pier'");
    await fixture.run(await Promise.all(documents.map((one) => fixture.file(sampleUbl(one)))));
    await fixture.query('update quarantine_entry set missing = $1', [['Harbour Office']]);
    expect(await retry(9, { customerId: fixture.customerId })).toMatchObject({ tried: 4, taken: 4 });
    expect(new Set((await booked()).map(({ tx }) => tx)).size).toBe(1);
  });

  it('a file of no known kind is settled when it comes again with its mapping', async () => {
    await store();
    const path = await calls('1,1772442000,A1,60,x');
    await fixture.run([path]);
    expect(await waiting()).toEqual({ file: 1 });
    await fixture.run([path], { mapping: 'own', customer: fixture.customerId });
    expect(await waiting()).toEqual({});
  });
});
