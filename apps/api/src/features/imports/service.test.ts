import { join } from 'node:path';
import { newId } from '@counterfoil/domain/ids.ts';
import { describe, expect, it } from 'vitest';
import { counts, resellerId, useImportWorld } from '../../../test/import-world.ts';
import { sql } from '../../db/sql.ts';
import { sampleCall, sampleUbl } from './sample-documents.ts';

const world = useImportWorld();

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
    const paths = await Promise.all(garbage.map((content) => world.file(content)));
    const report = await world.run([...paths, join(world.folder, 'missing.xml'), world.folder]);
    expect(counts(report)).toEqual([...paths, '', ''].map(() => [0, 0, 0, 1]));
    expect(report.quarantine.map((entry) => entry.reason).slice(-2)).toEqual([
      'no such file',
      'a directory; name the files in it',
    ]);
    expect(report.files.slice(-2).map((entry) => entry.format)).toEqual([null, null]);
  });

  it('takes the good ones beside the bad ones', async () => {
    const report = await world.run([await world.file('junk'), await world.file(sampleUbl())]);
    expect(counts(report)).toEqual([
      [0, 0, 0, 1],
      [1, 0, 0, 0],
    ]);
  });

  it('leaves nothing of a file whose transaction breaks', async () => {
    await world.query(
      "create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$",
    );
    await world.query(
      'create trigger broken before insert on import_file for each row execute function refuse()',
    );
    try {
      await expect(world.take({ number: 'A-1' })).rejects.toThrow('no');
      await expect(
        world.run([await world.file(sampleCall())], { customer: world.customerId }),
      ).rejects.toThrow('no');
    } finally {
      await world.query('drop trigger broken on import_file');
      await world.query('drop function refuse');
    }
    for (const table of [
      'invoice',
      'invoice_line',
      'invoice_identity',
      'pay_link',
      'usage_record',
      'usage_day',
      'service_item',
    ]) {
      expect([table, await world.db.one(sql`select count(*)::int as n from ${sql.table(table)}`)]).toEqual([
        table,
        { n: 0 },
      ]);
    }
  });
});

describe('for whom', () => {
  it('asks for a reseller where it cannot tell', async () => {
    await expect(world.run([], { resellerId: 5 })).rejects.toThrow('there is no reseller 5');
    await world.query("insert into reseller (id, name) values (1, 'Other')");
    await expect(world.run([], { resellerId: undefined })).rejects.toThrow(
      'which reseller is this for? Give --reseller <id>',
    );
    await expect(world.run([], { resellerId: 5 })).rejects.toThrow('there is no reseller 5');
    await expect(world.run([], { customer: newId() })).rejects.toThrow(
      /there is no customer .* of reseller 7100/,
    );
  });

  it('a customer may be given by the provider’s own reference', async () => {
    const other = await world.addCustomer('Pier Café', { externalRef: 'P-77' });
    const path = await world.file(sampleUbl({ buyer: '999', buyerName: 'Nobody' }));
    const report = await world.run([path], { resellerId: undefined, customer: 'P-77' });
    expect(report.invoices).toMatchObject([{ customerId: other }]);
  });

  it('takes the only reseller there is', async () => {
    const report = await world.run([await world.file(sampleUbl())], { resellerId: undefined });
    expect(report.invoices).toMatchObject([{ customerId: world.customerId }]);
  });

  it('under DEMO=1 it is the demo world’s first reseller and its customer [decisions.5.demo-default-reseller, decisions.5.demo-default-customer]', async () => {
    await world.query("insert into reseller (id, name) values (1, 'Other')");
    await world.query('update reseller set is_demo = true where id = $1', [resellerId]);
    const user = newId();
    await world.query(
      "insert into app_user (id, reseller_id, email, display_name) values ($1, $2, 'stripe@demo.example', 'S')",
      [user, resellerId],
    );
    await world.query('insert into membership (user_id, customer_id) values ($1, $2)', [
      user,
      world.customerId,
    ]);
    const paths = [
      await world.file(sampleUbl({ buyer: '999', buyerName: 'Nobody' })),
      await world.file(sampleCall()),
    ];
    const demo = await world.run(paths, { resellerId: undefined, isDemo: true });
    expect(counts(demo)).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
    expect(demo.invoices).toMatchObject([{ customerId: world.customerId }]);
    const other = await world.run(paths, { resellerId: 1, isDemo: true });
    expect(counts(other)).toEqual([
      [0, 0, 0, 1],
      [0, 0, 0, 1],
    ]);
    await world.query('truncate app_user, membership cascade');
  });

  it('a customer of another reseller is not found [decisions.5.ubl-reseller]', async () => {
    await world.query("insert into reseller (id, name) values (1, 'Other')");
    const path = await world.file(sampleUbl());
    expect(counts(await world.run([path], { resellerId: 1 }))).toEqual([[0, 0, 0, 1]]);
  });
});
