import { usageOrders } from '@counterfoil/contract/usage.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test/bad-input/random.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { plainUsage } from '../../../test/fixtures/usage/plain-usage.ts';
import { useUsageCustomer } from '../../../test/fixtures/usage/usage-customer.ts';
import { mergeUsage, randomUsage } from '../../../test/fixtures/usage/usage-records.ts';
import { Database } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import { usageRange } from './filter.ts';
import { type PageQuery, UsagePages } from './pages/read-page.ts';

const fixture = useFixture();
const options = {
  nearEnd: 30,
  walkedAtEnd: 60,
  walkedInIndex: 90,
  sampleDistance: 9,
  samplesPerMonth: 30,
  walkedGroup: 40,
};
const days = { dateFrom: '2026-01-01', dateTo: '2026-03-31' };
const { things, scope } = useUsageCustomer(fixture, 20);
const range = usageRange(days.dateFrom, days.dateTo);
const queryOf = (over: Partial<PageQuery> = {}): PageQuery => ({
  range,
  order: 'date',
  isDescending: false,
  offset: 0,
  size: 50,
  ...over,
});
const plain = (query: PageQuery) =>
  plainUsage(fixture.database.pool(), { customerId: things().customerId, ...days, ...query });

beforeAll(async () => {
  const months = ['2025-12', '2026-01', '2026-02', '2026-03', '2026-04'];
  await mergeUsage(fixture, randomUsage(things(), { n: 1_500, months, seed: 3 }));
});

/** Merges small files one after the other until told to end. */
function keepMerging(months: readonly string[], seed: number): () => Promise<number> {
  let ended = false;
  let merged = 0;
  const work = (async () => {
    while (!ended) {
      await mergeUsage(fixture, randomUsage(things(), { n: 12, months, seed: seed + merged }));
      merged += 12;
    }
  })();
  return async () => {
    ended = true;
    await work;
    return merged;
  };
}

describe('pages one after the other', () => {
  it('are all records, none missing and none twice, while others arrive before and after the range', async () => {
    const pages = new UsagePages(options);
    const random = seededRandom(11);
    const stop = keepMerging(['2025-12', '2026-04'], 1_000);
    let shown = 0;
    for (const order of usageOrders)
      for (const isDescending of [false, true]) {
        const query = queryOf({ order, isDescending, size: random.pick([37, 100, 250]) });
        const ids: string[] = [];
        const totals = new Set<number>();
        for (let offset = 0; offset === 0 || offset < Math.max(...totals); offset += query.size) {
          const page = await pages.read(fixture.deps.databases.web, scope(), { ...query, offset });
          ids.push(...page.endUsageDetails.map(({ id }) => id));
          totals.add(page.totalCount);
        }
        const all = await plain(query);
        expect(ids, `${order} ${isDescending}`).toEqual(all.ids);
        expect(new Set(ids).size).toBe(ids.length);
        expect([...totals]).toEqual([ids.length]);
        shown += ids.length;
      }
    const merged = await stop();
    expect(merged).toBeGreaterThan(100);
    process.stdout.write(
      `records read page by page: ${shown}, none missing or twice, while ${merged} arrived\n`,
    );
  }, 240_000);

  it('have as many records as their total says, while others arrive in the range itself', async () => {
    const pages = [new UsagePages(options), new UsagePages(options)];
    const random = seededRandom(12);
    const stop = keepMerging(['2026-01', '2026-02', '2026-03'], 5_000);
    let read = 0;
    let before = 0;
    for (let n = 0; n < 120; n += 1) {
      const order = random.pick(usageOrders as unknown as [string, ...string[]]) as PageQuery['order'];
      const offset = random.integer(1_500);
      const query = queryOf({ order, isDescending: random.oneIn(2), offset });
      const page = await (pages[n % 2] as UsagePages).read(fixture.deps.databases.web, scope(), query);
      expect(page.endUsageDetails).toHaveLength(Math.max(0, Math.min(query.size, page.totalCount - offset)));
      expect(new Set(page.endUsageDetails.map(({ id }) => id)).size).toBe(page.endUsageDetails.length);
      expect(page.totalCount).toBeGreaterThanOrEqual(before);
      before = page.totalCount;
      read += 1;
    }
    const merged = await stop();
    process.stdout.write(
      `pages read while ${merged} records arrived in their range: ${read}, each of one moment\n`,
    );
    expect(merged).toBeGreaterThan(0);
  }, 240_000);
});

/** A database in which something happens just before some statements. */
class Eventful extends Database {
  happens: (() => Promise<unknown>) | undefined;
  override async many<Row>(query: Sql<Row>): Promise<Row[]> {
    await this.happens?.();
    return super.many(query);
  }
}

describe('what is remembered about pages', () => {
  const eventful = async (work: (db: Eventful) => Promise<void>) => {
    const db = new Eventful({
      url: fixture.database.url,
      name: 'eventful',
      max: 2,
      statementTimeoutMs: 10_000,
    });
    await work(db).finally(() => db.end());
  };
  const arrive = (seed: number) =>
    mergeUsage(fixture, randomUsage(things(), { n: 5, months: ['2026-02'], seed }));
  const agrees = async (pages: UsagePages, db: Database, query: PageQuery) => {
    const page = await pages.read(db, scope(), query);
    const all = await plain(query);
    expect(page.totalCount).toBe(all.ids.length);
    expect(page.endUsageDetails.map(({ id }) => id)).toEqual(
      all.ids.slice(query.offset, query.offset + query.size),
    );
  };

  it.each(usageOrders)(
    'is given up at once when records arrive, also between two statements: %s',
    async (order) => {
      await eventful(async (db) => {
        const pages = new UsagePages(options);
        const query = queryOf({ order, offset: 700 });
        await agrees(pages, db, query);
        await arrive(20_001 + usageOrders.indexOf(order));
        await agrees(pages, db, query);
        db.happens = async () => {
          db.happens = undefined;
          await arrive(30_001 + usageOrders.indexOf(order));
        };
        await agrees(pages, db, { ...query, offset: 740 });
        expect(db.happens).toBeUndefined();
      });
    },
  );

  it('is of one moment even where records never stop arriving', async () => {
    await eventful(async (db) => {
      let seed = 40_000;
      db.happens = async () => {
        seed += 1;
        await arrive(seed);
      };
      const query = queryOf({ offset: 700 });
      const page = await new UsagePages(options).read(db, scope(), query);
      expect(page.endUsageDetails).toHaveLength(50);
      expect(seed).toBeGreaterThan(40_002);
      db.happens = undefined;
      await agrees(new UsagePages(options), db, query);
    });
  });
});
