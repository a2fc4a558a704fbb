import { wholeLists } from './large/lists.ts';
import { pagesOfLists } from './large/pages.ts';
import { longInvoice } from './large/paper.ts';
import { manyCustomers } from './large/people.ts';
import { statements } from './large/statement.ts';
import { type LargeWorld, startLargeWorld } from './large/world.ts';

/**
 * A customer with 50,000 invoices, 100,000 transactions in one period, 100,000 service items and an invoice of 10,000 lines, by HTTP.
 * LARGE_SHARE=0.1 makes a tenth of it, LARGE_ONLY=pages,whole measures only these parts. About three minutes.
 */
const parts: Readonly<Record<string, (world: LargeWorld) => Promise<void>>> = {
  pages: pagesOfLists,
  whole: wholeLists,
  paper: longInvoice,
  statement: statements,
  people: manyCustomers,
};

const only = process.env['LARGE_ONLY']?.split(',');
const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

const world = await startLargeWorld(say);
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (only !== undefined && !only.includes(name)) continue;
    say(`measuring ${name}`);
    await measure(world);
  }
} finally {
  await world.stop();
}
