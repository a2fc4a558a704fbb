import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesMatching } from '../../../../../tools/project-files.ts';
import { useImportFixture } from '../../../test/fixtures/import-fixture.ts';
import { PROVES } from '../../../test/simulation/seeded.ts';
import { sql } from '../../db/sql.ts';
import { authorisedCustomer } from '../../http/requests/scope.ts';
import { composeEInvoice, type SellerFacts } from './compose.ts';
import type { EInvoice } from './model.ts';
import { brokenRules, rulesFolder } from './published-rules.ts';
import { allELines, findEInvoice } from './queries.ts';
import { checkEInvoice } from './rules.ts';
import { generatedRows, sampleFacts } from './sample-rows.ts';
import { writeCii } from './write-cii.ts';
import { writeUbl } from './write-ubl.ts';

const fixture = useImportFixture();
const folder = rulesFolder(process.env['E_INVOICE_RULES']);
const COUNT = PROVES ? 1_000 : 60;
const samples = join(import.meta.dirname, '../../../../../../shared/samples');
const note =
  folder === undefined
    ? ' (skipped: E_INVOICE_RULES names no folder with the rules, or Saxon is missing)'
    : '';

/** What we say of an invoice beside what the published rules say. */
function judged(invoices: ReadonlyMap<string, EInvoice>, syntax: 'ubl' | 'cii') {
  const write = syntax === 'ubl' ? writeUbl : writeCii;
  const documents = new Map([...invoices].map(([name, invoice]) => [name, write(invoice)]));
  const theirs = brokenRules(folder ?? '', syntax, documents);
  return [...invoices].map(([name, invoice]) => {
    const ours = checkEInvoice(invoice).filter(({ of }) => syntax === 'ubl' || of === 'en16931');
    return { name, ours: ours.map(({ rule }) => rule), theirs: theirs.get(name) ?? ['not judged'] };
  });
}

type Judged = ReturnType<typeof judged>;

function tell(title: string, rows: Judged): void {
  if (!PROVES) return;
  const handedOut = rows.filter(({ ours }) => ours.length === 0);
  const reasons = Map.groupBy(
    rows.flatMap(({ ours }) => [...new Set(ours)]),
    (rule) => rule,
  );
  const counts = [...reasons]
    .map(([rule, all]) => `${rule} ${all.length}`)
    .sort((a, b) => a.localeCompare(b));
  process.stdout.write(
    `${title}: ${rows.length} invoices; handed out ${handedOut.length}, of these refused by the published rules ${handedOut.filter(({ theirs }) => theirs.length > 0).length}; ` +
      `not handed out ${rows.length - handedOut.length}, of these refused by the published rules ${rows.filter(({ ours, theirs }) => ours.length > 0 && theirs.length > 0).length}\n` +
      `  by reason: ${counts.join(', ')}\n`,
  );
}

describe(`e-invoices under the published rules${note}`, () => {
  it.skipIf(folder === undefined)(
    'none that is handed out breaks one of EN 16931 or Peppol BIS Billing 3',
    () => {
      const invoices = new Map(
        Array.from({ length: COUNT }, (_, seed) => {
          const { row, lines, facts } = generatedRows(seed);
          return [`${seed}`, composeEInvoice(row, lines, facts)] as const;
        }),
      );
      for (const syntax of ['ubl', 'cii'] as const) {
        const rows = judged(invoices, syntax);
        tell(`generated, ${syntax}`, rows);
        const handedOut = rows.filter(({ ours }) => ours.length === 0);
        expect(handedOut.length).toBeGreaterThan(COUNT / 10);
        expect(handedOut.filter(({ theirs }) => theirs.length > 0)).toEqual([]);
      }
    },
    300_000,
  );

  it.skipIf(folder === undefined || !existsSync(samples))(
    'of the sample invoices too, written again from the books',
    async () => {
      const files = filesMatching(samples, /^(?:ubl\/[^/]+\.xml|cii\/[^/]+\.xml)$/);
      await fixture.run(
        files.map((name) => join(samples, name)),
        { customer: fixture.customerId },
      );
      const invoices = await composedFromBooks();
      for (const syntax of ['ubl', 'cii'] as const) {
        const rows = judged(invoices, syntax);
        tell(`samples, ${syntax}`, rows);
        if (PROVES)
          for (const { name, ours, theirs } of rows)
            process.stdout.write(
              `  ${name.padEnd(28)} ${ours.length === 0 ? 'handed out' : `refused: ${ours.join(' ')}`}; published rules: ${theirs.length === 0 ? 'passed' : [...new Set(theirs)].join(' ')}\n`,
            );
        expect(rows.filter(({ ours, theirs }) => ours.length === 0 && theirs.length > 0)).toEqual([]);
      }
    },
  );
});

async function composedFromBooks(): Promise<ReadonlyMap<string, EInvoice>> {
  const { db, customerId } = fixture;
  const scope = authorisedCustomer(customerId, 7100, 'system');
  // Its supplier's facts are its own: the brand adds none of somebody else.
  const facts: SellerFacts = {
    companyName: 'Northline',
    settings: { ...sampleFacts.settings, vatId: '', legalId: '', endpoint: '', iban: '', country: '' },
  };
  const ids = await db.many<{ id: string }>(
    sql`select id from invoice where customer_id = ${customerId} order by number, kind`,
  );
  const composed = new Map<string, EInvoice>();
  for (const { id } of ids) {
    const row = await findEInvoice(db, scope, id);
    if (row === undefined) continue;
    const invoice = composeEInvoice(row, await db.many(allELines(scope, id)), facts);
    composed.set(`${row.kind}-${row.number.replaceAll(/\W+/g, '_')}`, invoice);
  }
  return composed;
}
