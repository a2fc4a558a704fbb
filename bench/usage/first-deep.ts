import pg from 'pg';
import type { UsageData } from './data/open.ts';
import { makeWorld } from './data/world.ts';
import { filtersOf, PAGE_SIZE, type PageCase, pageCases, pathOf } from './pages/cases.ts';
import { forgetSamples } from './pages/forget.ts';
import { look, sit } from './pages/measure.ts';
import { plainCount } from './pages/plain-sql.ts';
import type { PageStage } from './pages/run.ts';
import { type Product, startProduct } from './product.ts';
import { grouped, print, say } from './report.ts';

const LIMIT_MS = 500;

/**
 * The first page in the middle of a filtered value sort that nobody has asked for before: its positions are counted
 * and sampled now. Each filter once, because the second time is another matter. Then all over with a server that knows
 * nothing yet: the first time much of it may have to come from the disk.
 */
export async function runFirstDeep({ data, product }: PageStage): Promise<void> {
  await lookAtFirst(data, product, 'as found on the disk');
  const another = await startProduct(data);
  try {
    await lookAtFirst(data, another, 'in memory');
  } finally {
    await another.stop();
  }
  say('first deep pages done');
}

async function lookAtFirst(data: UsageData, product: Product, where: string): Promise<void> {
  const world = makeWorld();
  const { customerId } = filtersOf(world);
  const client = new pg.Client({ connectionString: data.url });
  await client.connect();
  const seat = await sit(product.port, await product.signIn());
  try {
    await look(seat, '/v1/ec/me');
    await forgetSamples(client, customerId);
    for (const page of firstCases(pageCases(world, data.months))) {
      const { rows } = await client.query<{ n: number }>(
        plainCount(page, { customerId, services: world.services }),
      );
      const total = rows[0]?.n ?? 0;
      const { ms } = await look(seat, pathOf(page, Math.ceil(total / PAGE_SIZE / 2)));
      print({
        figure: `${grouped(data.records)} records: ${page.name}, middle page of ${grouped(total)} rows, for the first time, ${where}`,
        value: ms,
        unit: 'ms',
        limit: LIMIT_MS,
        isMost: true,
      });
    }
  } finally {
    seat.connection.close();
    await client.end();
  }
}

/** Value sorts of every filter over all months. */
function firstCases(cases: readonly PageCase[]): PageCase[] {
  const filtered = cases.filter(({ name, order }) => order === 'date' && / (?!no filter)/.test(name));
  const orders = ['price', 'units', 'serviceItem2'] as const;
  return filtered
    .filter(({ filter, isDescending }) => Object.keys(filter).length > 0 && !isDescending)
    .map((page, n) => {
      const order = orders[n % orders.length] ?? 'price';
      return { ...page, order, name: page.name.replace(/^date/, order) };
    });
}
