import { readFileSync } from 'node:fs';
import { newRef } from '@counterfoil/domain/text/ids.ts';
import type { Catalogue } from '../memory-database/catalogue.ts';
import { databaseClock } from '../memory-database/functions.ts';
import { MemoryDatabase } from '../memory-database/memory-database.ts';
import { randomFrom } from '../seeded.ts';
import { simulate, startOfTime } from './simulate.ts';
import { VirtualTime } from './virtual-time.ts';

/**
 * A process of its own that simulates markets one after another and prints what each came to, a line of JSON each.
 * Arguments: file with the catalogue, payments of each market, seeds.
 */
const [file = '', payments = '', ...seeds] = process.argv.slice(2);
const catalogue = JSON.parse(readFileSync(file, 'utf8')) as Catalogue;

for (const seed of seeds.map(Number)) {
  drawFrom(seed);
  const time = new VirtualTime(startOfTime);
  databaseClock.now = time.clock.now;
  const memory = new MemoryDatabase(catalogue);
  const result = await simulate({
    seed,
    payments: Number(payments),
    time,
    database: memory.asDatabase(),
    pool: memory.asPool(),
  });
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
process.exit(0);

/** From here on ids, and with them the order of rows, are those of this seed. */
function drawFrom(seed: number): void {
  const random = randomFrom(seed);
  let isDrawn = false;
  globalThis.crypto.getRandomValues = (bytes) => {
    isDrawn = true;
    if (bytes instanceof Uint8Array) for (let n = 0; n < bytes.length; n += 1) bytes[n] = random() * 256;
    return bytes;
  };
  // What is left of the last seed's is used up.
  while (!isDrawn) newRef();
}
