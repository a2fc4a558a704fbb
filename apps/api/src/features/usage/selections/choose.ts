import { readSnapshot } from '../../../db/cursor.ts';
import type { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { keepSelections, type Selected } from './write.ts';

/** How often a worker looks whether selections are to be chosen. */
export const CHOOSE_SELECTIONS_EVERY_MS = 60_000;
/** So many records are quickly read: only what has more gets sums of its own. */
const LEAST = 10_000;
/** Selections are chosen again when a customer has so many times the records. */
const GROWTH = 1.5;

/** Chooses the selections of one customer that has many more records than at the last time. @returns false: of none */
export async function chooseNext(db: Database, least = LEAST): Promise<boolean> {
  const next = await db.maybeOne<{ customer_id: string }>(sql`
    select customer_id from usage_customer
     where n >= ${least} and n >= ${GROWTH}::numeric * chosen_n order by chosen_n, customer_id limit 1`);
  if (next === undefined) return false;
  const customerId = next.customer_id;
  const selected = [
    ...(await largeLines(db, customerId, least)),
    ...(await largeNumbers(db, customerId, least)),
  ];
  await keepSelections(db, customerId, selected);
  return true;
}

async function largeLines(db: Database, customerId: string, least: number): Promise<Selected[]> {
  const rows = await db.many<{ id: string }>(sql`
    select service_item_id as id from usage_item_month where customer_id = ${customerId}
     group by 1 having sum(n) >= ${least}`);
  return rows.map(({ id }) => ({ serviceItemId: id }));
}

/** Reads each number once, with how many records it has, in order. */
function largeNumbers(db: Database, customerId: string, least: number): Promise<Selected[]> {
  return readSnapshot(db, async (snapshot) => {
    const tree = new LargeBeginnings(least);
    const counted = snapshot.stream<{ number: string; n: number }>(sql`
      select service_item2 as number, count(*)::int as n from usage_record
       where customer_id = ${customerId} and service_item2 > '' group by 1 order by 1`);
    for await (const { number, n } of counted) tree.add(number, n);
    return tree.end().map((number) => ({ number }));
  });
}

/**
 * Finds the beginnings that many numbers share, from the longest to the shortest. One is chosen when what it would be read
 * from otherwise is too much: `least` records that are in no longer chosen one, each of those counting as half of that. So
 * whatever beginning is asked for, it is read from one or two sums and fewer records than `least`; and there are no more
 * chosen ones than twice the records divided by `least`.
 */
export class LargeBeginnings {
  readonly #least: number;
  readonly #chosen: string[] = [];
  #letters: string[] = [];
  /** Of the beginnings of the last number, by their length: what there would be to read. */
  readonly #left: number[] = [];

  constructor(least: number) {
    this.#least = least;
  }

  /** @param number in the order of its bytes; none twice */
  add(number: string, n: number): void {
    const letters = [...number];
    const same = letters.findIndex((letter, at) => letter !== this.#letters[at]);
    this.#close(same === -1 ? letters.length : same);
    this.#letters = letters;
    while (this.#left.length < letters.length) this.#left.push(0);
    this.#left[letters.length - 1] = (this.#left[letters.length - 1] ?? 0) + n;
  }

  /** No more numbers come. @returns what was chosen */
  end(): readonly string[] {
    this.#close(0);
    return this.#chosen;
  }

  #close(length: number): void {
    while (this.#left.length > length) {
      const left = this.#left.pop() ?? 0;
      const at = this.#left.length;
      const isChosen = left >= this.#least;
      if (isChosen) this.#chosen.push(this.#letters.slice(0, at + 1).join(''));
      if (at > 0) this.#left[at - 1] = (this.#left[at - 1] ?? 0) + (isChosen ? this.#least / 2 : left);
    }
  }
}
