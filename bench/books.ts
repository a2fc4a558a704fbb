import type { Database } from '../apps/api/src/db/database.ts';
import { sql } from '../apps/api/src/db/sql.ts';
import { checkBooks } from '../apps/api/src/features/books/check.ts';
import { startBooksWorld } from './books/world.ts';
import { median, printFigure, printHeld } from './support/figure.ts';
import { peakMib } from './support/memory.ts';

/**
 * `counterfoil books verify` on large books: 200,000 invoices (BOOKS_INVOICES), half of them paid through a gateway, with all that
 * belongs to them, a twentieth of one customer. Each rule and all of them, beside one plain pass over the same tables. About a
 * minute; 1,000,000 invoices take some.
 */
const invoices = Number(process.env['BOOKS_INVOICES'] || 200_000);
/** What one pass over all rows sums up. */
const AMOUNTS = {
  invoice: 'payable_minor',
  capture: 'amount_minor',
  allocation: 'amount_minor',
  ledger: 'amount_minor',
  attempt: 'amount_minor',
  claim: 'amount_minor',
  transition: 'seq',
  outbox: 'length(dedupe_key)',
  reversal: 'amount_minor',
  external_payment: 'amount_minor',
  external_payment_share: 'amount_minor',
  invoice_credit: 'amount_minor',
  credit_use: 'amount_minor',
  customer_credit: 'balance_minor',
  pay_session: 'total_minor',
  payment_method: 'length(kind)',
  account_day: 'billed_minor',
};
const PASSES = 5;
/** The most, in plain passes. A look-up for each row of a large customer takes hundreds, so one is seen in any noise. */
const MOST = { rule: 10, all: 50 };

const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

async function plainPass(db: Database): Promise<number> {
  const started = performance.now();
  for (const [table, amount] of Object.entries(AMOUNTS))
    await db.one(sql`select sum(${sql.raw(amount)}) from ${sql.table(table)}`);
  return performance.now() - started;
}

const world = await startBooksWorld(invoices, say);
try {
  const passes: number[] = [];
  const pass = async () => passes.push(await plainPass(world.exports));
  // The first one brings the tables into memory, as far as they fit.
  await plainPass(world.exports);
  for (let n = 0; n < PASSES; n += 1) await pass();
  const begun: { readonly rule: string; readonly at: number }[] = [];
  const rules = await checkBooks(world.exports, (rule) => {
    begun.push({ rule, at: performance.now() });
  });
  const ended = performance.now();
  for (let n = 0; n < PASSES; n += 1) await pass();
  const broken = rules.filter((one) => one.broken > 0);
  if (broken.length > 0) throw new Error(`the books are not true: ${JSON.stringify(broken)}`);

  const plain = median(passes);
  const figures = begun.map(({ rule, at }, n) => ({ rule, ms: (begun[n + 1]?.at ?? ended) - at }));
  for (const { rule, ms } of figures)
    printHeld({
      bench: 'books',
      figure: rule,
      value: ms,
      unit: 'ms',
      limit: MOST.rule * plain,
      isMost: true,
    });
  const all = ended - (begun[0]?.at ?? ended);
  const figure = (name: string, value: number, unit: string, limit: number) => ({
    bench: 'books',
    figure: `${name}, ${invoices} invoices`,
    value,
    unit,
    limit,
    isMost: true,
  });
  printFigure(figure('one plain pass over the tables', plain, 'ms', plain));
  printFigure(figure('all rules', all, 'ms', MOST.all * plain));
  printHeld(figure('all rules, in plain passes', all / plain, '×', MOST.all));
  printFigure(figure('most memory of the process', peakMib('self'), 'MiB', 256));
} finally {
  await world.stop();
}
