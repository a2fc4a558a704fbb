import pg from 'pg';
import { median } from '../support/figure.ts';
import { makeWorld } from './data/world.ts';
import { downloadFile } from './export-readers.ts';
import { filtersOf, lastDayOf, PAGE_SIZE, pathOf } from './pages/cases.ts';
import { look, sit } from './pages/measure.ts';
import type { Place } from './pages/places.ts';
import type { PageStage } from './pages/run.ts';
import { peerPage, VIEW, wantedOfPeer } from './peer/pages.ts';
import { type Peer, startPeer } from './peer/process.ts';
import { grouped, ms, print, say } from './report.ts';

const ROUNDS = 5;
/** A page that takes the peer seconds is looked at less often. */
const MOST_MS = 5_000;
const EXPORT_PAGES = 20;
const EXPORT_ROWS = 1_000;

/**
 * The same pages, rows in the same order with the same total, from a general data API over the same tables: PostGraphile, which
 * USAGE_PEER names by the folder it is installed in, e.g. after `npm install postgraphile@4 postgraphile-plugin-connection-filter@2` there. Left out without.
 */
export async function runPeer(stage: PageStage): Promise<void> {
  const folder = process.env['USAGE_PEER'];
  if (folder === undefined) return say('peer: left out, USAGE_PEER names no folder');
  const client = new pg.Client({ connectionString: stage.data.url });
  await client.connect();
  let peer: Peer | undefined;
  try {
    await client.query(VIEW.make);
    peer = await startPeer(folder, stage.data.url);
    await comparePages(stage, peer);
    await compareFiles(stage, peer);
  } finally {
    await peer?.stop();
    await client.query(VIEW.drop);
    await client.end();
  }
}

async function comparePages({ places, product, data }: PageStage, peer: Peer): Promise<void> {
  const world = makeWorld();
  const scope = { customerId: filtersOf(world).customerId, services: world.services };
  const seat = await sit(product.port, await product.signIn());
  const ratios: number[] = [];
  try {
    for (const place of places.filter((one) => wantedOfPeer(one.case))) {
      const query = peerPage(place.case, scope, (place.page - 1) * PAGE_SIZE, PAGE_SIZE);
      const ours = () => look(seat, pathOf(place.case, place.page));
      await ours();
      expectSame(place, await peer.ask(query));
      const times = { ours: [] as number[], peer: [] as number[] };
      const begun = performance.now();
      while (times.ours.length < ROUNDS && (times.ours.length === 0 || performance.now() - begun < MOST_MS)) {
        times.ours.push((await ours()).ms);
        times.peer.push((await peer.ask(query)).ms);
      }
      const [mine, theirs] = [median(times.ours), median(times.peer)];
      ratios.push(mine / theirs);
      say(`${place.case.name}, ${place.where}: ${ms(mine)} ms, PostGraphile ${ms(theirs)} ms`);
    }
  } finally {
    seat.connection.close();
  }
  const figure = `${grouped(data.records)} records: ${ratios.length} pages beside PostGraphile`;
  print({ figure: `${figure}, median`, value: median(ratios), unit: '×', limit: 1, isMost: true });
  print({ figure: `${figure}, worst`, value: Math.max(...ratios), unit: '×', limit: 1, isMost: true });
}

/** @throws {Error} where the peer answers another page than plain SQL: then there is nothing to compare */
function expectSame(
  { case: page, where, expected }: Place,
  answer: { ids: readonly string[]; total: number },
) {
  const ids = expected.endUsageDetails.map(({ id }) => id);
  const isSame = answer.total === expected.totalCount && ids.join() === answer.ids.join();
  if (!isSame) throw new Error(`${page.name}, ${where}: the peer shows another page`);
}

/** The peer has no file of rows: who wants all asks page after page. */
async function compareFiles({ data, product }: PageStage, peer: Peer): Promise<void> {
  const world = makeWorld();
  const scope = { customerId: filtersOf(world).customerId, services: world.services };
  const month = data.months.at(-1) ?? '';
  const range = { from: month, to: lastDayOf(month) };
  const file = await downloadFile({ port: product.port, token: await product.signIn(), range, counts: true });
  const list = {
    order: 'date',
    isDescending: false,
    filter: {},
    dateFrom: range.from,
    dateTo: range.to,
  } as const;
  let rows = 0;
  const begun = performance.now();
  for (let n = 0; n < EXPORT_PAGES; n += 1) {
    rows += (await peer.ask(peerPage({ ...list, name: '', limit: 1 }, scope, n * EXPORT_ROWS, EXPORT_ROWS)))
      .ids.length;
  }
  const theirs = (rows * 1_000) / (performance.now() - begun);
  const ours = ((file.lines - 1) * 1_000) / file.ms;
  print({
    figure: `CSV of ${grouped(file.lines - 1)} rows, limit: PostGraphile's pages of ${grouped(EXPORT_ROWS)}`,
    value: ours,
    unit: 'rows/s',
    limit: theirs,
  });
}
