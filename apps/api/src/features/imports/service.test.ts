import { join } from 'node:path';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { describe, expect, it } from 'vitest';
import { counts, resellerId, useImportFixture } from '../../../test/fixtures/import-fixture.ts';
import { sql } from '../../db/sql.ts';
import { sampleCall, sampleUbl } from './invoices/sample-documents.ts';
import { reportLines } from './report/report-text.ts';

const fixture = useImportFixture();

describe('files', () => {
  it('never throws on what is in them', async () => {
    const garbage = [
      '',
      '<!DOCTYPE a [<!ENTITY b "c">]><Invoice/>',
      '<Invoice>',
      '\u0000\u0001\u0002',
      'x'.repeat(10 * 1024 * 1024),
      `${'"'.repeat(1_000_001)}`,
      `<${'a'.repeat(1024 * 1024)}`,
      Buffer.from(`\ufeff${sampleCall()}`, 'utf16le'),
      Buffer.from(sampleUbl({ buyerName: 'Café' }), 'latin1'),
      sampleUbl().slice(0, 900),
      '%PDF-1.7',
    ];
    const paths = await Promise.all(garbage.map((content) => fixture.file(content)));
    const report = await fixture.run([...paths, join(fixture.folder, 'missing.xml'), fixture.folder]);
    expect(counts(report)).toEqual([...paths, '', ''].map(() => [0, 0, 0, 1]));
    expect(report.quarantine.map((entry) => entry.reason).slice(-2)).toEqual([
      'no such file',
      'a directory; name the files in it',
    ]);
    expect(report.files.slice(-2).map((entry) => entry.format)).toEqual([null, null]);
  });

  it('takes the good ones beside the bad ones', async () => {
    const report = await fixture.run([await fixture.file('junk'), await fixture.file(sampleUbl())]);
    expect(counts(report)).toEqual([
      [0, 0, 0, 1],
      [1, 0, 0, 0],
    ]);
  });

  it('leaves those out that come after one that is stopped; the same again takes in the rest', async () => {
    const calls = ['10', '20', '30'].map((billsec) => sampleCall({ billsec }));
    const credit = sampleUbl({ number: 'C-1', kind: 'creditNote', credits: 'A-1' });
    const files = [credit, calls.join(''), sampleUbl({ number: 'A-1' })];
    const paths = await Promise.all(files.map((content) => fixture.file(content)));
    const options = { customer: fixture.customerId, sliceRows: 1 };
    const report = await fixture.run(paths, {
      ...options,
      onProgress: (_file, { step }) =>
        step === 'merging' ? fixture.query("update import_file set state = 'stopping'") : undefined,
    });
    expect(counts(report)).toEqual([[1, 0, 0, 0]]);
    expect(report.stopped).toEqual({ file: paths[1], notBegun: [paths[0], paths[2]] });
    expect(reportLines(report, () => [])).toContain(`Not begun: ${paths[0]}, ${paths[2]}.`);
    const again = await fixture.run(paths, options);
    expect(counts(again)).toEqual([
      [1, 0, 0, 0],
      [2, 0, 1, 0],
      [1, 0, 0, 0],
    ]);
    expect(again.stopped).toBeNull();
  });

  it('leaves nothing of a file whose transaction breaks', async () => {
    await fixture.query(
      "create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$",
    );
    await fixture.query(
      'create trigger broken before insert on import_file for each row execute function refuse()',
    );
    try {
      await expect(fixture.take({ number: 'A-1' })).rejects.toThrow('no');
      await expect(
        fixture.run([await fixture.file(sampleCall())], { customer: fixture.customerId }),
      ).rejects.toThrow('no');
    } finally {
      await fixture.query('drop trigger broken on import_file');
      await fixture.query('drop function refuse');
    }
    for (const table of [
      'invoice',
      'invoice_line',
      'invoice_identity',
      'pay_link',
      'invoice_pay_link',
      'usage_record',
      'usage_day',
      'service_item',
    ]) {
      expect([table, await fixture.db.one(sql`select count(*)::int as n from ${sql.table(table)}`)]).toEqual([
        table,
        { n: 0 },
      ]);
    }
  });
});

describe('for whom', () => {
  it('asks for a reseller where it cannot tell', async () => {
    await expect(fixture.run([], { resellerId: 5 })).rejects.toThrow('there is no reseller 5');
    await fixture.query("insert into reseller (id, name) values (1, 'Other')");
    await expect(fixture.run([], { resellerId: undefined })).rejects.toThrow(
      'which reseller is this for? Give --reseller <id>',
    );
    await expect(fixture.run([], { resellerId: 5 })).rejects.toThrow('there is no reseller 5');
    await expect(fixture.run([], { customer: newId() })).rejects.toThrow(
      /there is no customer .* of reseller 7100/,
    );
  });

  it('a customer may be given by the provider’s own reference', async () => {
    const other = await fixture.addCustomer('Pier Café', { externalRef: 'P-77' });
    const path = await fixture.file(sampleUbl({ buyer: '999', buyerName: 'Nobody' }));
    const report = await fixture.run([path], { resellerId: undefined, customer: 'P-77' });
    expect(report.invoices).toMatchObject([{ customerId: other }]);
  });

  it('takes the only reseller there is', async () => {
    const report = await fixture.run([await fixture.file(sampleUbl())], { resellerId: undefined });
    expect(report.invoices).toMatchObject([{ customerId: fixture.customerId }]);
  });

  it('under DEMO=1 it is the demo world’s first reseller and its customer [decisions.5.demo-default-reseller, decisions.5.demo-default-customer]', async () => {
    await fixture.query("insert into reseller (id, name) values (1, 'Other')");
    await fixture.query('update reseller set is_demo = true where id = $1', [resellerId]);
    const user = newId();
    await fixture.query(
      "insert into app_user (id, reseller_id, email, display_name) values ($1, $2, 'stripe@demo.example', 'S')",
      [user, resellerId],
    );
    await fixture.query('insert into membership (user_id, customer_id) values ($1, $2)', [
      user,
      fixture.customerId,
    ]);
    const paths = [
      await fixture.file(sampleUbl({ buyer: '999', buyerName: 'Nobody' })),
      await fixture.file(sampleCall()),
    ];
    const demo = await fixture.run(paths, { resellerId: undefined, isDemo: true });
    expect(counts(demo)).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
    expect(demo.invoices).toMatchObject([{ customerId: fixture.customerId }]);
    const other = await fixture.run(paths, { resellerId: 1, isDemo: true });
    expect(counts(other)).toEqual([
      [0, 0, 0, 1],
      [0, 0, 0, 1],
    ]);
    await fixture.query('truncate app_user, membership cascade');
  });

  it('a customer of another reseller is not found [decisions.5.ubl-reseller]', async () => {
    await fixture.query("insert into reseller (id, name) values (1, 'Other')");
    const path = await fixture.file(sampleUbl());
    expect(counts(await fixture.run([path], { resellerId: 1 }))).toEqual([[0, 0, 0, 1]]);
  });
});
