import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ReportRow } from '../apps/api/src/features/reports/definition.ts';
import { invoiceDetails } from '../apps/api/src/features/reports/definitions/invoice-details.ts';
import { writeCsv } from '../apps/api/src/features/reports/formats/csv.ts';
import type { ReportHead, WriteFormat } from '../apps/api/src/features/reports/formats/format.ts';
import { writeXlsx } from '../apps/api/src/features/reports/formats/xlsx.ts';
import { openFileStore } from '../apps/api/src/files/open-file-store.ts';
import { writeTable } from '../apps/api/src/pdf/table/write-table.ts';
import { printFigure } from './support/figure.ts';

/**
 * A report of 10,000 lines with 16 columns in each format, written to the file store: how far the heap grows above
 * what it was before, and how long it takes. Prints one JSON line per figure.
 */
const LINES = 10_000;
const GROWTH_MIB = 100;
const LOOK_EVERY = 100;
const MIB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Heap and what is outside of it: buffers count too. */
const used = (): number => {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + Math.max(external, arrayBuffers);
};

const head: ReportHead = {
  title: invoiceDetails.name,
  company: 'Harbour Telecom',
  customer: 'Müller & Söhne',
  columns: invoiceDetails.columns,
  asked: [],
  madeAt: new Date(),
  byteOrderMark: true,
};

const lineOf = (n: number): ReportRow => [
  `INV-2026-${n % 97}`,
  '2026-03-01',
  '2026-03-31',
  `Mobile subscription ${n % 13}, data and calls`,
  'Mobile',
  `+1 555 01${n}`,
  `Cost centre ${n % 40}`,
  '2026-02-01',
  '2026-02-28',
  `${n % 50}.500000`,
  'h',
  '0.0125',
  `${n}.25`,
  `${n % 100}.10`,
  `${n}.35`,
  'USD',
];

/** @returns the highest use that was seen while the file was written; garbage that merely lies about is not use */
async function write(
  format: WriteFormat,
  name: string,
): Promise<{ readonly peak: number; readonly ms: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const store = openFileStore(pathToFileURL(`${folder}/`));
  collectGarbage();
  const before = used();
  let peak = 0;
  let looking = 0;
  async function* rows(): AsyncIterable<ReportRow> {
    for (let n = 0; n < LINES; n += 1) {
      yield lineOf(n);
      if (n % LOOK_EVERY === 0) {
        const start = performance.now();
        collectGarbage();
        peak = Math.max(peak, used() - before);
        looking += performance.now() - start;
      }
    }
  }
  const start = performance.now();
  await store.write(`bench/report.${name}`, format(head, rows()));
  const ms = performance.now() - start - looking;
  peak = Math.max(peak, used() - before);
  rmSync(folder, { recursive: true });
  return { peak, ms };
}

for (const [name, format] of [
  ['csv', writeCsv],
  ['xlsx', writeXlsx],
  ['pdf', writeTable],
] as const) {
  const { peak, ms } = await write(format, name);
  const print = (figure: string, value: number, unit: string, limit: number) =>
    printFigure({ bench: 'reports', figure: `${name}: ${figure}`, value, unit, limit, isMost: true });
  print('growth of memory over 10,000 lines', peak / MIB, 'MiB', GROWTH_MIB);
  print('10,000 lines', ms, 'ms', 10_000);
}
