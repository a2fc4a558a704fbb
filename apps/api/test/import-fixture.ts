import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@counterfoil/domain/ids.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Database } from '../src/db/database.ts';
import { type SampleDocument, sampleUbl } from '../src/features/imports/invoices/sample-documents.ts';
import type { FileReport, ImportReport } from '../src/features/imports/report/report.ts';
import { type ImportRequest, importFiles } from '../src/features/imports/service.ts';
import { createSecrets } from '../src/secrets.ts';

const secrets = createSecrets('a key only for this test, long enough');
const publicUrl = new URL('http://localhost:3000');
const now = new Date('2026-04-01T10:00:00Z');

export const resellerId = 7100;

const emptied = `brand_host, customer, customer_identity, reseller_customer, service, record_type, service_item_number,
  invoice_identity, usage_record, usage_day, usage_type_day, usage_item_month, usage_version, usage_billed, pay_link,
  import_file, import_quarantine, quarantine_entry, usage_mapping, app_user, membership`;

/** What the import tests share. Values are those of the running test. */
export interface ImportFixture {
  readonly db: Database;
  readonly databaseUrl: string;
  /** The one customer there is at first: 'Harbour Office', known by the electronic address of the samples' buyer. */
  readonly customerId: string;
  readonly folder: string;
  query(text: string, values?: readonly unknown[]): Promise<void>;
  /** @param identity kinds and values the customer is known by */
  addCustomer(label: string, identity?: Readonly<Record<string, string>>): Promise<string>;
  /** Makes a line known. @returns the service item's id */
  addServiceItem(number: string): Promise<string>;
  /** Writes a file into the folder. @returns its path */
  file(content: string | Uint8Array): Promise<string>;
  run(paths: readonly string[], more?: Partial<ImportRequest>): Promise<ImportReport>;
  /** Imports one document. */
  take(document: SampleDocument): Promise<ImportReport>;
}

/** Created, updated, unchanged, quarantined of each file. */
export const counts = (report: ImportReport): number[][] =>
  report.files.map(({ created, updated, unchanged, quarantined }: FileReport) => [
    created,
    updated,
    unchanged,
    quarantined,
  ]);

/** A database with one reseller, its brand and one customer, made anew before each test. Call at the top of a file. */
export function useImportFixture(): ImportFixture {
  const database = useDatabase();
  let db: Database;
  let folder = '';
  let customerId = '';
  let files = 0;

  beforeAll(async () => {
    db = new Database({ url: database.url, name: 'imports test', max: 6, statementTimeoutMs: 15_000 });
    folder = await mkdtemp(join(tmpdir(), 'imports-'));
  });
  afterAll(async () => {
    await db.end();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await fixture.query(`truncate ${emptied} cascade`);
    await fixture.query('delete from brand where id <> 0');
    await fixture.query('delete from reseller');
    await fixture.query("insert into reseller (id, name) values ($1, 'Northline')", [resellerId]);
    await fixture.query(
      `insert into brand (id, reseller_id, name, company_name, colours, time_zone)
       select $1, $1, 'N', 'N', colours, 'Europe/Stockholm' from brand where id = 0`,
      [resellerId],
    );
    await fixture.query(
      "insert into brand_host (host, brand_id, is_main) values ('bills.example', $1, true)",
      [resellerId],
    );
    customerId = await fixture.addCustomer('Harbour Office', { endpoint: '0088:7300010000902' });
  });

  const fixture: ImportFixture = {
    get db() {
      return db;
    },
    get databaseUrl() {
      return database.url;
    },
    get customerId() {
      return customerId;
    },
    get folder() {
      return folder;
    },
    async query(text, values = []) {
      await database.pool().query(text, [...values]);
    },
    async addCustomer(label, identity = {}) {
      const id = newId();
      await fixture.query('insert into customer (customer_id, reseller_id, label) values ($1, $2, $3)', [
        id,
        resellerId,
        label,
      ]);
      await fixture.query(
        'insert into reseller_customer (reseller_id, customer_id, label) values ($1, $2, $3)',
        [resellerId, id, label],
      );
      for (const [kind, value] of Object.entries(identity)) {
        await fixture.query('insert into customer_identity values ($1, $2, $3, $4)', [
          resellerId,
          kind,
          value,
          id,
        ]);
      }
      return id;
    },
    async addServiceItem(number) {
      const [service, item] = [newId(), newId()];
      await fixture.query("insert into service (id, reseller_id, code, name) values ($1, $2, $3, 'Voice')", [
        service,
        resellerId,
        number,
      ]);
      await fixture.query(
        'insert into service_item (customer_id, id, service_id, name) values ($1, $2, $3, $4)',
        [customerId, item, service, number],
      );
      await fixture.query('insert into service_item_number values ($1, $2, $3, $4)', [
        resellerId,
        number,
        customerId,
        item,
      ]);
      return item;
    },
    async file(content) {
      files += 1;
      const path = join(folder, `${files}.dat`);
      await writeFile(path, content);
      return path;
    },
    run: (paths, more = {}) =>
      importFiles({ db, secrets, publicUrl }, { files: paths, resellerId, isDemo: false, now, ...more }),
    take: async (document) => fixture.run([await fixture.file(sampleUbl(document))]),
  };
  return fixture;
}
