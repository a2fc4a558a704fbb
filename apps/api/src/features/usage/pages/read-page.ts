import type { UsagePage } from '@counterfoil/contract/usage.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { Known } from '../../../known.ts';
import { KeptSamples } from './kept-samples.ts';
import { type NameKeys, nameKeysOf, presentRecords, readNames } from './names.ts';
import { pagingOptions } from './options.ts';
import { type Part, partStatement, type ReadyPart, type RecordRow } from './part.ts';
import { makePlan, type PagesPlan, type PlanMeans } from './plan.ts';
import type { Window } from './running-sums.ts';
import { type PagesQuery, stampOf } from './state.ts';

export interface PageQuery extends PagesQuery {
  readonly isDescending: boolean;
  /** Records before the page. */
  readonly offset: number;
  readonly size: number;
}

/** Bytes of positions kept at most. */
const KEPT_POSITIONS = 48 * 1024 * 1024;
/** Records kept at most, about 1,200 bytes each with the answer that is written of them. */
const KEPT_RECORDS = 12_000;
/** Positions that were out of date so often are looked up under one snapshot. */
const TRIES = 3;

/** Reads pages, and remembers where records stand from one page to the next. One for a process. */
export class UsagePages {
  readonly #plans = new Known<PagesPlan>(KEPT_POSITIONS);
  readonly #records = new Known<KeptRecords>(KEPT_RECORDS);
  readonly #means: PlanMeans;

  constructor(options = pagingOptions) {
    this.#means = { options, samples: new KeptSamples() };
  }

  /**
   * Positions and records are of one moment although they are read one after the other: what positions depend on has
   * a stamp, which is read before they are looked up and again after the records. A stamp that is not the same is of
   * a change in between, and they are looked up again.
   * @throws {AppError} as `filterOf`
   */
  async read(db: Database, scope: CustomerScope, query: PageQuery): Promise<UsagePage> {
    for (let n = 0; n < TRIES; n += 1) {
      const page = await this.#tryToRead(db, scope, query);
      if (page !== undefined) return page;
    }
    return db.transaction(
      async (tx) => {
        const page = await this.#tryToRead(tx, scope, query);
        if (page === undefined) throw new Error('a snapshot has changed');
        return page;
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  }

  async #tryToRead(db: Db, scope: CustomerScope, query: PageQuery): Promise<UsagePage | undefined> {
    const key = keyOf(scope, query);
    const plan = this.#plans.get(key) ?? (await makePlan(db, scope, query, this.#means));
    const { total } = plan.positions;
    const { offset, size, isDescending } = query;
    const end = Math.min(offset + size, total);
    const window = isDescending ? { from: total - end, to: total - offset } : { from: offset, to: end };
    // While the stamp is the same, these very records stand here.
    const rowsKey = `${plan.stamp} ${key} ${window.from} ${window.to}`;
    const kept = this.#records.get(rowsKey) ?? (await recordsOf(db, plan, window));
    if (kept === 'changed') return this.#forget(key);
    const { stamp, names } = await readNames(db, scope, kept.keys, stampOf(scope, query));
    if (stamp !== plan.stamp) return this.#forget(key);
    this.#plans.set(key, plan, plan.positions.bytes);
    this.#records.set(rowsKey, kept, kept.rows.length + 1);
    return shownPage(kept, { names, isDescending, total });
  }

  #forget(key: string): undefined {
    this.#plans.forget(key);
  }
}

/** Records of a window, in ascending order. */
interface KeptRecords {
  readonly rows: readonly RecordRow[];
  readonly keys: NameKeys;
  /** As they were shown last, in each direction. */
  readonly shown: Map<boolean, { readonly names: string; readonly page: UsagePage }>;
}

const keptRecords = (rows: readonly RecordRow[]): KeptRecords => ({
  rows,
  keys: nameKeysOf(rows),
  shown: new Map(),
});

/** With the same names the page is the very one that was shown before, so that it need not be written again. */
function shownPage(
  { rows, shown }: KeptRecords,
  how: { readonly names: string; readonly isDescending: boolean; readonly total: number },
): UsagePage {
  const { names, isDescending, total } = how;
  const last = shown.get(isDescending);
  if (last?.names === names) return last.page;
  const ordered = isDescending ? rows.toReversed() : rows;
  const page: UsagePage = { endUsageDetails: presentRecords(ordered, names), totalCount: total };
  shown.set(isDescending, { names, page });
  return page;
}

async function recordsOf(db: Db, { positions }: PagesPlan, window: Window): Promise<KeptRecords | 'changed'> {
  if (window.from >= window.to) return keptRecords([]);
  const parts = await positions.partsOf(db, window);
  if (parts === 'changed') return parts;
  const rows = await readParts(db, parts);
  positions.learn?.(window, rows);
  return keptRecords(rows);
}

/** The records of parts that follow each other in ascending order. */
async function readParts(db: Db, parts: readonly (Part | ReadyPart)[]): Promise<RecordRow[]> {
  const read: RecordRow[][] = [];
  for (const part of parts) {
    const rows = await db.many(partStatement(part));
    read.push(part.isReversed ? rows.reverse() : rows);
  }
  return read.length === 1 ? (read[0] ?? []) : read.flat();
}

/** Both directions, all pages and sizes have the same positions. */
function keyOf(scope: CustomerScope, query: PageQuery): string {
  const { order, range, agreement, service, recordType, serviceItem, number } = query;
  return JSON.stringify([
    scope.customerId,
    order,
    range.from,
    range.until,
    agreement,
    service,
    recordType,
    serviceItem,
    number,
  ]);
}
