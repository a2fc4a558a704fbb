import type { UsageData } from '../data/open.ts';
import { makeWorld } from '../data/world.ts';
import { type Product, startProduct } from '../product.ts';
import { print, say } from '../report.ts';
import { type BareServer, startBareServer } from './bare.ts';
import { filtersOf, pageCases } from './cases.ts';
import { measurePages, type Seat, sit } from './measure.ts';
import { findPlaces, type Place } from './places.ts';
import { printHead, printPage } from './report-pages.ts';

/** What the runs over pages share: the places, the servers, and what to do at the end. */
export interface PageStage {
  readonly data: UsageData;
  readonly places: readonly Place[];
  readonly product: Product;
  readonly bare: BareServer;
  stop(): Promise<void>;
}

/**
 * Finds the pages of the largest customer and starts both servers.
 * @param only a part of the names of cases; undefined: no pages are looked for
 */
export async function setStage(data: UsageData, only: string | undefined): Promise<PageStage> {
  const places = only === undefined ? [] : await placesOf(data, only);
  const product = await startProduct(data);
  const bare = await startBareServer(
    data.url,
    places.map(({ best }) => best),
  );
  return {
    data,
    places,
    product,
    bare,
    async stop() {
      await bare.stop();
      await product.stop();
    },
  };
}

function placesOf(data: UsageData, only: string, hasMore = false): Promise<Place[]> {
  const world = makeWorld();
  const scope = { customerId: filtersOf(world).customerId, services: world.services };
  const cases = pageCases(world, data.months).filter(({ name }) => name.includes(only));
  return findPlaces(data, cases, scope, say, hasMore);
}

/**
 * Pages through HTTP, signed in, on one connection: against the best hand-written SQL behind a bare server, and
 * against the same pages with fewer records.
 * @param small undefined: there is nothing smaller to compare with
 */
export async function runPages(stage: PageStage, small: UsageData | undefined, only = ''): Promise<void> {
  const faults = new Set<string>();
  const seats: Seat[] = [];
  const seat = async (port: number, token?: string) => {
    const taken = await sit(port, token);
    seats.push(taken);
    return taken;
  };
  const smaller = small === undefined ? undefined : await startProduct(small);
  try {
    const fewer = small === undefined ? undefined : await placesOf(small, only, true);
    const ours = await seat(stage.product.port, await stage.product.signIn());
    const bare = await seat(stage.bare.port);
    const less = smaller === undefined ? undefined : await seat(smaller.port, await smaller.signIn());
    say('looking at pages in turn');
    printHead();
    const measured = measurePages(
      stage.places,
      { ours, bare, ...(less === undefined ? {} : { small: less }) },
      fewer === undefined ? new Map() : counterparts(stage.places, fewer),
      (line) => {
        say(`WRONG ${line}`);
        faults.add(line.split(':')[0] ?? '');
      },
    );
    for await (const one of measured) printPage(one, stage.data.records, small?.records);
    print({
      figure: 'pages whose rows and total are those of plain SQL',
      unit: 'pages',
      value: stage.places.length - faults.size,
      limit: stage.places.length,
    });
  } finally {
    for (const { connection } of seats) connection.close();
    await smaller?.stop();
  }
}

/**
 * The same page of the same list among fewer records, by number of place. A last page has few rows or many: the one of
 * the last two is taken that is more like it.
 */
function counterparts(places: readonly Place[], others: readonly Place[]): ReadonlyMap<number, Place> {
  const kind = ({ where }: Place) =>
    where === 'first' || where.startsWith('last') ? where.slice(0, 4) : 'deep';
  const rows = ({ expected }: Place) => expected.endUsageDetails.length;
  return new Map(
    places.flatMap((place, n) => {
      const alike = others.filter(
        (other) => other.case.name === place.case.name && kind(other) === kind(place),
      );
      const [nearest] = alike.toSorted(
        (a, b) => Math.abs(rows(a) - rows(place)) - Math.abs(rows(b) - rows(place)),
      );
      return nearest === undefined ? [] : [[n, nearest] as const];
    }),
  );
}
