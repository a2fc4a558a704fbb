import type { UsagePage } from '../../packages/contract/src/usage.ts';
import type { UsageData } from '../usage/data/open.ts';
import { makeWorld } from '../usage/data/world.ts';
import { PAGE_SIZE, type PageCase, pageCases, pathOf } from '../usage/pages/cases.ts';
import { difference, look, p50, type Seat, sit } from '../usage/pages/measure.ts';
import { type Product, startProduct } from '../usage/product.ts';
import { ms, say } from '../usage/report.ts';
import { print } from './report.ts';

const WARM = 3;
const ROUNDS = 15;
/** How many times one node's p50 a page may take. */
const LIMIT = 3;

/** Looks at the first page and one in the middle of each list at both: the same rows, and how long they take. */
export async function comparePages(one: UsageData, cluster: UsageData): Promise<void> {
  const products: Product[] = [];
  const seats: Seat[] = [];
  const seat = async (data: UsageData) => {
    const product = await startProduct(data);
    products.push(product);
    const taken = await sit(product.port, await product.signIn());
    seats.push(taken);
    return taken;
  };
  try {
    const [alone, spread] = [await seat(one), await seat(cluster)];
    const cases = pageCases(makeWorld(), one.months);
    const all: { name: string; one: number; cluster: number }[] = [];
    let faults = 0;
    for (const page of cases) {
      for (const number of [1, await middleOf(alone, page)]) {
        const path = pathOf(page, number);
        const fault = difference(await pageAt(spread, path), await pageAt(alone, path));
        if (fault !== undefined) {
          faults += 1;
          say(`WRONG ${page.name}, page ${number}: ${fault}`);
        }
        const [a, c] = await timesOf(alone, spread, path);
        all.push({ name: `${page.name}, page ${number}`, one: p50(a), cluster: p50(c) });
      }
    }
    report(all, faults);
  } finally {
    for (const { connection } of seats) connection.close();
    for (const product of products) await product.stop();
  }
}

async function middleOf(seat: Seat, page: PageCase): Promise<number> {
  const { totalCount } = await pageAt(seat, pathOf(page, 1));
  return Math.max(2, Math.ceil(totalCount / PAGE_SIZE / 2));
}

async function pageAt(seat: Seat, path: string): Promise<UsagePage> {
  return (JSON.parse((await look(seat, path)).body) as { data: UsagePage }).data;
}

async function timesOf(alone: Seat, spread: Seat, path: string): Promise<readonly [number[], number[]]> {
  const times: readonly [number[], number[]] = [[], []];
  for (let round = -WARM; round < ROUNDS; round += 1) {
    for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const taken = (await look(at === 0 ? alone : spread, path)).ms;
      if (round >= 0) times[at as 0 | 1].push(taken);
    }
  }
  return times;
}

function report(all: readonly { name: string; one: number; cluster: number }[], faults: number): void {
  const byRatio = all.toSorted((a, b) => b.cluster / b.one - a.cluster / a.one);
  for (const { name, one, cluster } of byRatio.slice(0, 5))
    say(`${name}: one node ${ms(one)} ms, cluster ${ms(cluster)}`);
  say(`${all.length} pages: p50 of one node ${ms(p50(all.map(({ one }) => one)))} ms`);
  say(`${all.length} pages: p50 of the cluster ${ms(p50(all.map(({ cluster }) => cluster)))} ms`);
  print({
    figure: 'pages whose rows and total are those of one node',
    value: all.length - faults,
    unit: 'pages',
    limit: all.length,
  });
  print({
    figure: `p50 of a page on the cluster against one node, the middle of ${all.length} pages`,
    value: p50(all.map(({ one, cluster }) => cluster / one)),
    unit: 'times as long',
    limit: LIMIT,
    isMost: true,
  });
  const [worst] = byRatio;
  if (worst === undefined) return;
  print({
    figure: `the page that is most behind: ${worst.name}`,
    value: worst.cluster / worst.one,
    unit: 'times as long',
    limit: LIMIT,
    isMost: true,
  });
}
