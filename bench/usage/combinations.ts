import pg from 'pg';
import { type UsagePage, usageOrders } from '../../packages/contract/src/usage.ts';
import { quantile } from '../support/figure.ts';
import type { UsageData } from './data/open.ts';
import { makeWorld, type World } from './data/world.ts';
import { bestPage, type KeyRow } from './pages/best-sql.ts';
import { type Filter, filtersOf, lastDayOf, PAGE_SIZE, type PageCase, pathOf } from './pages/cases.ts';
import { joined, lit, type Scope, shownColumns, uuids } from './pages/conditions.ts';
import { forgetSamples } from './pages/forget.ts';
import { look, p50, type Seat, sit } from './pages/measure.ts';
import type { PageStage } from './pages/run.ts';
import { grouped, ms, print, say } from './report.ts';

const p95 = (times: readonly number[]): number => quantile(times, 0.95);
const LIMIT_MS = 200;
/** No combination is begun after so long. */
const MOST_MS = 240_000;
const LOOKS = ['first page', 'middle page, for the first time', 'page never read'] as const;

interface Look {
  readonly name: string;
  readonly ms: number;
  /** The best hand-written statement for the same rows, once, warm. */
  readonly best: number;
}

/**
 * All filters there can be, with or without agreement, type, line and number, in all orders over all months: the first page and
 * two more that nobody has read before, each once, by a server that knows nothing of the list. Beside each the best
 * statement, which is told where the page lies and has its rows in memory by then.
 */
export async function runCombinations({ data, product }: PageStage, only: string): Promise<void> {
  const world = makeWorld();
  const { customerId } = filtersOf(world);
  const scope = { customerId, services: world.services };
  const client = new pg.Client({ connectionString: data.url });
  await client.connect();
  const seat = await sit(product.port, await product.signIn());
  const looks = new Map<string, Look[]>(LOOKS.map((name) => [name, []]));
  const begun = performance.now();
  try {
    await forgetSamples(client, customerId);
    const cases = combinationsOf(world, data.months).filter(({ name }) => name.includes(only));
    for (const [n, page] of cases.entries()) {
      if (performance.now() - begun > MOST_MS) {
        say(`stopped after ${n} of ${cases.length} combinations`);
        break;
      }
      const first = await lookAt(client, seat, page, scope, 1);
      const pages = Math.ceil(first.total / PAGE_SIZE);
      const numbers = [1, Math.ceil(pages / 2), Math.ceil(pages * 0.3)];
      for (const [at, name] of LOOKS.entries()) {
        const one = at === 0 ? first : await lookAt(client, seat, page, scope, Math.max(1, numbers[at] ?? 1));
        looks
          .get(name)
          ?.push({ name: `${page.name} of ${grouped(first.total)} rows`, ms: one.ms, best: one.best });
      }
    }
    for (const [name, all] of looks) report(data, name, all);
  } finally {
    seat.connection.close();
    await client.end();
  }
}

function report({ records }: UsageData, name: string, looks: readonly Look[]): void {
  const times = looks.map((one) => one.ms);
  const best = looks.map((one) => one.best);
  const [worst, ...next] = looks.toSorted((a, b) => b.ms - a.ms);
  if (worst === undefined) return;
  for (const one of [worst, ...next.slice(0, 4)])
    say(`${name}: ${one.name}: ${ms(one.ms)} ms, best ${ms(one.best)}`);
  say(
    `${name}, ${looks.length} lists: p50 ${ms(p50(times))}, p95 ${ms(p95(times))}; best p50 ${ms(p50(best))}, p95 ${ms(p95(best))}`,
  );
  print({
    figure: `${grouped(records)} records: ${name} of ${looks.length} filters and orders, the worst: ${worst.name}`,
    value: worst.ms,
    unit: 'ms',
    limit: LIMIT_MS,
    isMost: true,
  });
}

function combinationsOf(world: World, months: readonly string[]): PageCase[] {
  const { byName } = filtersOf(world);
  const [line] = world.customers[0]?.lines ?? [];
  const parts: Readonly<Record<string, Filter>> = {
    agreement: { agreement: line?.agreementId ?? '' },
    type: byName.type,
    'big line': byName['one big line'],
    number: { number: '+1555' },
  };
  const names = Object.keys(parts);
  const filters = Array.from({ length: 2 ** names.length }, (_, n) =>
    names.filter((_name, at) => (n >> at) & 1),
  );
  return filters.flatMap((chosen) =>
    usageOrders.map((order) => ({
      name: `${order}, ${chosen.join(', ') || 'no filter'}`,
      order,
      isDescending: false,
      filter: Object.assign({}, ...chosen.map((name) => parts[name])) as Filter,
      dateFrom: months[0] ?? '',
      dateTo: lastDayOf(months.at(-1) ?? ''),
      limit: 0,
    })),
  );
}

async function lookAt(
  client: pg.Client,
  seat: Seat,
  page: PageCase,
  scope: Scope,
  number: number,
): Promise<{ readonly ms: number; readonly best: number; readonly total: number }> {
  const answer = await look(seat, pathOf(page, number));
  const { endUsageDetails: rows, totalCount: total } = (JSON.parse(answer.body) as { data: UsagePage }).data;
  const statement = bestPage(page, scope, await keysOf(client, scope, rows), total);
  const begun = performance.now();
  await client.query(statement);
  return { ms: answer.ms, best: performance.now() - begun, total };
}

/** Where the rows of an answer lie, as the database has it, in their order. */
async function keysOf(
  client: pg.Client,
  { customerId }: Scope,
  rows: UsagePage['endUsageDetails'],
): Promise<readonly KeyRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const days = rows.map(({ date }) => date).sort();
  const found = await client.query<KeyRow>(`
    select ${shownColumns}, u.started_at::text as started_at_text, u.service_item_id
      from usage_record u ${joined(customerId)}
     where u.customer_id = ${lit(customerId)} and u.id = any(${uuids(ids)})
       and u.started_at between ${lit(days[0] ?? '')} and ${lit(days.at(-1) ?? '')}::timestamptz + interval '1 second'
       and u.started_at = any(array[${days.map((at) => `${lit(at)}::timestamptz`).join(', ')}])`);
  return found.rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}
