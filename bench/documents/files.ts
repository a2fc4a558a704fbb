import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleUbl } from '../../apps/api/src/features/imports/invoices/sample-documents.ts';

const LINES = 10;
const period =
  '<a:InvoicePeriod><b:StartDate>2026-02-01</b:StartDate><b:EndDate>2026-02-28</b:EndDate></a:InvoicePeriod>';

/** Writes UBL invoices of ten lines. @param numbers what their numbers begin with @returns the paths */
export async function writeInvoices(folder: string, numbers: string, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const path = join(folder, `${numbers}${n}.xml`);
    const lines = Array.from({ length: LINES }, (_, at) => ({
      name: `Calls of line ${at}`,
      quantity: `${1 + (n % 7)}`,
      price: '1.00',
      amount: `${1 + (n % 7)}.00`,
    }));
    const [net, tax] = [LINES * (1 + (n % 7)), LINES * (1 + (n % 7)) * 0.2];
    const sums = [net, tax, net + tax, net + tax].map((sum) => sum.toFixed(2));
    await writeFile(
      path,
      sampleUbl({
        number: `${numbers}${n}`,
        lines,
        more: period,
        sums: sums as [string, string, string, string],
      }),
    );
    paths.push(path);
  }
  return paths;
}
