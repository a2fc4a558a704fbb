import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesMatching } from '../../../../../../tools/project-files.ts';
import { PROVES } from '../../../../test/simulation/seeded.ts';
import { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { FileStore } from '../../../files/file-store.ts';
import { openFileStore } from '../../../files/open-file-store.ts';
import { createSecrets } from '../../../secrets.ts';
import type { ImportReport } from '../report/report.ts';
import { importFiles } from '../service.ts';

const samples = join(import.meta.dirname, '../../../../../../../shared/samples');
const areHere = existsSync(samples);
const note = areHere ? '' : ' (skipped: no ../shared/samples beside the checkout)';

const database = useDatabase();
const secrets = createSecrets('a key only for this test, long enough');
const now = new Date('2026-11-20T10:00:00Z');

/** A line a file: what it is, and what came of it. */
const tableOf = ({ files, quarantine }: ImportReport): string =>
  files
    .map(({ file, format, created, updated, unchanged, quarantined, warnings }) => {
      const why = [...warnings, ...quarantine.filter((one) => one.file === file).map(({ reason }) => reason)];
      const counts = `new ${created}, changed ${updated}, known ${unchanged}, set aside ${quarantined}`;
      return `${basename(file).padEnd(52)} ${`${format}`.padEnd(9)} ${counts}${why.length > 0 ? `: ${why.join('; ')}` : ''}\n`;
    })
    .join('');

describe(`real files of the field${note}`, () => {
  let db: Database;
  let folder = '';
  let store: FileStore;
  const runs: ImportReport[] = [];
  const customerId = newId();
  let first: ImportReport;
  let second: ImportReport;

  const filesIn = (pattern: RegExp): string[] =>
    filesMatching(samples, pattern).map((name) => join(samples, name));

  beforeAll(async () => {
    db = new Database({ url: database.url, name: 'samples test', max: 4, statementTimeoutMs: 15_000 });
    folder = await mkdtemp(join(tmpdir(), 'samples-'));
    store = openFileStore(pathToFileURL(`${folder}/`));
    if (!areHere) return;
    await seedDemoOwner();
    const files = [...filesIn(/^ubl\/[^/]+\.xml$/), ...filesIn(/^cdr\/[^/]+\.csv$/)];
    first = await take(files);
    second = await take(files);
  });
  afterAll(async () => {
    if (PROVES) process.stdout.write(runs.map(tableOf).join('\n'));
    await db.end();
    await rm(folder, { recursive: true, force: true });
  });

  const take = async (files: readonly string[]) => {
    const deps = { db, secrets, publicUrl: new URL('http://localhost:3000'), files: store };
    const report = await importFiles(deps, { files, isDemo: true, now });
    runs.push(report);
    return report;
  };

  /** What the demo world has of its first reseller, as far as an import sees it. */
  async function seedDemoOwner(): Promise<void> {
    const pool = database.pool();
    const user = newId();
    await pool.query(
      "insert into reseller (id, name, is_demo) values (2204, 'Demo', true), (3000, 'Other', true)",
    );
    await pool.query("insert into customer (customer_id, reseller_id, label) values ($1, 2204, 'First')", [
      customerId,
    ]);
    await pool.query(
      "insert into reseller_customer (reseller_id, customer_id, label) values (2204, $1, 'First')",
      [customerId],
    );
    await pool.query(
      "insert into app_user (id, reseller_id, email, display_name) values ($1, 2204, 'stripe@demo.example', 'S')",
      [user],
    );
    await pool.query('insert into membership (user_id, customer_id) values ($1, $2)', [user, customerId]);
  }

  const reportOf = (report: ImportReport, name: string) => {
    const found = report.files.find((file) => file.file.endsWith(name));
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  const one = (number: string, kind: string) =>
    db.one<{
      id: string;
      payable_minor: bigint;
      due_minor: bigint;
      rounding_minor: bigint;
      status: number;
    }>(sql`
      select * from invoice where number = ${number} and kind = ${kind}`);

  it.skipIf(!areHere)('takes nine documents and quarantines the second full credit of 2018133', () => {
    expect(first.invoices.map((invoice) => [invoice.number, invoice.kind]).sort()).toEqual(
      [
        ['018304 / 28865', 'creditNote'],
        ['2007-99123', 'invoice'],
        ['2018133', 'invoice'],
        ['2018140', 'creditNote'],
        ['20180112', 'invoice'],
        ['2018210', 'invoice'],
        ['471102', 'invoice'],
        ['TOSL108', 'invoice'],
        ['TOSL110', 'invoice'],
      ].sort(),
    );
    expect(first.quarantine).toMatchObject([
      {
        file: expect.stringContaining('negativ_faktura'),
        line: null,
        reason: 'credits invoice 2018133, which is credited in full already (by 2018140)',
      },
    ]);
  });

  it.skipIf(!areHere)(
    'takes 218 call records, repeats included [decisions.5.constant.cdr-repeats, decisions.5.asterisk-units]',
    async () => {
      expect(reportOf(first, '.csv')).toMatchObject({
        created: 218,
        updated: 0,
        unchanged: 0,
        quarantined: 0,
      });
      expect(
        await db.one(sql`select count(*)::int as n, sum(units)::text as units from usage_record`),
      ).toEqual({
        n: 218,
        units: '38947.000000',
      });
      expect(
        await db.one(sql`select sum(n)::int as n, sum(units)::text as units from usage_item_month`),
      ).toEqual({
        n: 218,
        units: '38947.000000',
      });
    },
  );

  it.skipIf(!areHere)('changes nothing the second time', () => {
    expect(second.files.map((file) => [file.created, file.updated])).toEqual(second.files.map(() => [0, 0]));
    expect(reportOf(second, '.csv').unchanged).toBe(218);
    expect(second.files.reduce((sum, file) => sum + file.unchanged, 0)).toBe(218 + 9);
    expect(second.quarantine).toEqual(first.quarantine);
    expect(second.invoices).toEqual(first.invoices);
  });

  it.skipIf(!areHere)(
    'keeps the telephone bill to the öre: 1039.00 with 12 lines and 0.22 rounding',
    async () => {
      const bill = await one('2007-99123', 'invoice');
      expect(bill).toMatchObject({
        subtotal_minor: 83_102n,
        tax_minor: 20_776n,
        total_minor: 103_878n,
        rounding_minor: 22n,
        payable_minor: 103_900n,
        due_minor: 103_900n,
        currency: 'SEK',
        status: 10,
        discrepancies: [],
        details: { costCentre: 'UserID111, 6081', serviceItem: '0765123456' },
      });
      const lines = await db.one(sql`
      select count(*)::int as n, sum(amount_minor)::text as amount, sum(tax_minor)::text as tax,
             bool_and(cost_centre = 'UserID111, 6081' and service_item = '0765123456') as bound
        from invoice_line where invoice_id = ${bill.id}`);
      expect(lines).toEqual({ n: 12, amount: '83102', tax: '20776', bound: true });
      expect(first.invoices.find((invoice) => invoice.number === '2007-99123')).toMatchObject({
        total: '1039.00',
        customerId,
      });
    },
  );

  it.skipIf(!areHere)('flags the contradicting lines of example 3 and nothing else', () => {
    expect(reportOf(first, 'example3.xml').warnings).toEqual([
      'line 1: quantity × price, less allowances, plus charges: 1600.00, stated 800.00 DKK',
      'line 2: quantity × price, less allowances, plus charges: 1600.00, stated 800.00 DKK',
    ]);
    expect(first.files.filter((file) => file.warnings.length > 0)).toHaveLength(1);
  });

  it.skipIf(!areHere)('settles the credited invoice', async () => {
    expect(await one('2018133', 'invoice')).toMatchObject({
      status: 12,
      due_minor: 0n,
      credited_minor: 1_000_000n,
    });
    expect(await one('2018140', 'creditNote')).toMatchObject({ payable_minor: -1_000_000n });
  });

  it.skipIf(!areHere)('keeps prepaid amounts apart', async () => {
    expect(await one('TOSL110', 'invoice')).toMatchObject({
      total_minor: 467_500n,
      prepaid_minor: 233_750n,
      due_minor: 233_750n,
    });
    expect(await one('20180112', 'invoice')).toMatchObject({
      prepaid_minor: 40_000_000n,
      due_minor: 7_500_000n,
    });
  });

  it.skipIf(!areHere)(
    'takes CII and the PDF for the invoice that came as UBL, and shows the customer the PDF from then on',
    async () => {
      const document = () => db.maybeOne(sql`select size_bytes, file_key from invoice_document`);
      const files = [...filesIn(/^cii\/[^/]+\.xml$/), ...filesIn(/^facturx\/[^/]+\.pdf$/)];
      const report = await take(files);
      const counts = { created: 0, updated: 0, unchanged: 1, quarantined: 0, warnings: [] };
      expect(report.files).toMatchObject([
        { format: 'cii', ...counts },
        { format: 'facturx', ...counts },
      ]);
      const kept = await document();
      expect(kept).toMatchObject({ size_bytes: 149_084 });
      await take(files);
      expect(await document()).toEqual(kept);
    },
  );

  it.skipIf(!areHere)('names what it cannot read: OpenAPI', async () => {
    const report = await take(filesIn(/^tmf\/[^/]+\.json$/));
    expect(report.quarantine.map((entry) => entry.reason)).toEqual([
      expect.stringMatching(/^neither an e-invoice \(UBL, CII, Factur-X\) nor call records/),
    ]);
  });
});
