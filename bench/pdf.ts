import { renderLetter } from '../apps/api/src/pdf/letter/render-letter.ts';
import { sampleLetter } from '../apps/api/src/pdf/letter/sample-letter.ts';
import { createPdfRenderer } from '../apps/api/src/pdf/process/pool.ts';
import { renderWithPdfkit } from './pdf/with-pdfkit.ts';
import { median, printFigure } from './support/figure.ts';

/**
 * Invoice PDFs: two pages, 60 lines, logo, embedded fonts, tagged. Prints one JSON line per figure; `ratio` is how
 * far the value is on the good side of its limit (1 or more holds).
 */
const documents = Array.from({ length: 100 }, (_, seed) => sampleLetter(60, seed));
const rounds = 5;
const roundMs = 1000;

const print = (figure: string, value: number, unit: string, limit: number, isMost = false): void =>
  printFigure({ bench: 'pdf', figure, value, unit, limit, isMost });

/** Runs for about a second. @returns calls per second, and per second of this process's processor time */
async function rate(
  call: (index: number) => unknown,
): Promise<{ readonly wall: number; readonly cpu: number }> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < roundMs) await call(count++);
  const used = process.cpuUsage(cpu);
  return {
    wall: (count * 1000) / (performance.now() - start),
    cpu: (count * 1_000_000) / (used.user + used.system),
  };
}

const documentAt = (index: number): (typeof documents)[number] =>
  documents[index % documents.length] ?? sampleLetter(60);

const ours = (index: number): unknown => renderLetter(documentAt(index));
const theirs = (index: number): Promise<unknown> => renderWithPdfkit(documentAt(index));
await rate(ours);
await rate(theirs);

const own = { wall: [] as number[], cpu: [] as number[] };
const pdfkit = { wall: [] as number[], cpu: [] as number[] };
for (let i = 0; i < rounds; i++) {
  for (const [call, into] of [
    [ours, own],
    [theirs, pdfkit],
  ] as const) {
    const { wall, cpu } = await rate(call);
    into.wall.push(wall);
    into.cpu.push(cpu);
  }
}
// Processor time includes garbage collection and does not count what other programs take from the core.
print('invoices per second of one core', median(own.cpu), '1/s', 100);
print(
  'invoices per second of one core, limit: untuned pdfkit in the same run',
  median(own.cpu),
  '1/s',
  median(pdfkit.cpu),
);
print(
  'invoices per second by the clock, limit: untuned pdfkit in the same run',
  median(own.wall),
  '1/s',
  median(pdfkit.wall),
);
print('size of the file', renderLetter(documentAt(0)).length / 1024, 'KiB', 64, true);

const long = sampleLetter(500);
const times = Array.from({ length: 15 }, () => {
  const start = performance.now();
  renderLetter(long);
  return performance.now() - start;
});
print('500 lines', median(times), 'ms', 100, true);

const renderer = createPdfRenderer();
const first = performance.now();
await renderer.render(documentAt(0));
print('first invoice, start of the rendering process included', performance.now() - first, 'ms', 2000, true);
const batch = async (): Promise<number> => {
  const start = performance.now();
  await Promise.all(documents.map((document) => renderer.render(document)));
  return (documents.length * 1000) / (performance.now() - start);
};
await batch();
const batches: number[] = [];
for (let i = 0; i < rounds; i++) batches.push(await batch());
print('invoices per second through the rendering process', median(batches), '1/s', 100);
renderer.close();
