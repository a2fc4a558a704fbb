import { Database } from '../apps/api/src/db/database.ts';
import { addApiKey } from '../apps/api/src/features/api-keys/service.ts';
import { BEST_SQL, bestValues } from './search/best.ts';
import { ownCustomer, randomUpTo, type SearchCase, searchCases } from './search/cases.ts';
import { LARGE, type Sizes, SMALL, startSearchWorld } from './search/world.ts';
import { Connection } from './signin/connection.ts';
import { printFigure, quantile } from './support/figure.ts';

/**
 * The console's search over 1 million customers and users, 1 million service items and 10 million invoices (SEARCH_CUSTOMERS,
 * SEARCH_INVOICES), by HTTP, beside the best statement on a bare connection: for the program of a reseller that has nearly all of
 * it, of one that has a twentieth, and for a key of the installation. Some ten minutes, most of them to fill the database.
 */
const customers = Number(process.env['SEARCH_CUSTOMERS'] || 1_000_000);
const sizes: Sizes = {
  customers,
  invoices: Number(process.env['SEARCH_INVOICES'] || 10_000_000),
  items: customers,
};
const EACH = Number(process.env['SEARCH_EACH'] || 60);
/** As many of each kind as the console counts. */
const LIMIT = 100;
const MOST_MS = 100;
/** A key is let through 1,200 times a minute; a pause would be no part of a search. */
const KEYS = 12;

const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

interface Caller {
  readonly name: string;
  readonly resellerId: number;
  readonly keys: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

const world = await startSearchWorld(sizes, say);
const connection = await Connection.open(world.port);
const db = new Database({
  url: world.pool.options.connectionString ?? '',
  name: 'bench',
  max: 1,
  statementTimeoutMs: 60_000,
});

async function callerOf(name: string, resellerId: number, isInstallation = false): Promise<Caller> {
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n += 1) {
    const key = await db.transaction((tx) =>
      addApiKey(
        tx,
        {
          resellerId: isInstallation ? null : resellerId,
          name: `${name} ${n}`,
          scopes: ['search:read'],
          expiresAt: null,
        },
        new Date(),
      ),
    );
    keys.push(key ?? '');
  }
  return { name, resellerId, keys, headers: isInstallation ? { 'x-reseller-id': `${resellerId}` } : {} };
}

let asked = 0;
async function ask(
  { keys, headers }: Caller,
  text: string,
): Promise<{ readonly ms: number; readonly found: number }> {
  asked += 1;
  const { status, body, ms } = await connection.send({
    method: 'GET',
    path: `/v1/admin/search?q=${encodeURIComponent(text)}&limit=${LIMIT}`,
    token: keys[asked % keys.length] ?? '',
    headers,
  });
  if (status !== 200) throw new Error(`'${text}' answered ${status}: ${body}`);
  const { data } = JSON.parse(body) as { data: Readonly<Record<string, unknown[]>> };
  return { ms, found: Object.values(data).flat().length };
}

async function askBest({ resellerId }: Caller, text: string): Promise<number> {
  const started = performance.now();
  await world.pool.query({ name: 'best', text: BEST_SQL, values: bestValues(resellerId, text, LIMIT) });
  return performance.now() - started;
}

const textOf = ({ of, text }: SearchCase, resellerId: number): string =>
  text(of === 'customers' ? ownCustomer(sizes.customers, resellerId === SMALL) : randomUpTo(sizes[of]));

try {
  const callers = [
    await callerOf('large', LARGE),
    await callerOf('small', SMALL),
    await callerOf('installation', LARGE, true),
  ];
  for (const caller of callers) {
    const [all, best]: [number[], number[]] = [[], []];
    for (const one of searchCases) {
      const [own, bare]: [number[], number[]] = [[], []];
      for (let n = 0; n < EACH; n += 1) {
        const text = textOf(one, caller.resellerId);
        const { ms, found } = await ask(caller, text);
        // Numbers are spread over both resellers.
        if ((found === 0) !== (one.isMiss === true) && one.of === 'customers')
          throw new Error(`'${text}' of ${caller.name} found ${found}`);
        own.push(ms);
        bare.push(await askBest(caller, text));
      }
      all.push(...own);
      best.push(...bare);
      say(
        `${caller.name}, ${one.name}: p50 ${quantile(own, 0.5).toFixed(1)} ms, p95 ${quantile(own, 0.95).toFixed(1)} ms; best p50 ${quantile(bare, 0.5).toFixed(1)} ms, p95 ${quantile(bare, 0.95).toFixed(1)} ms`,
      );
      printFigure({
        bench: 'search',
        figure: `${caller.name}: ${one.name}, p95`,
        value: quantile(own, 0.95),
        unit: 'ms',
        limit: MOST_MS,
        isMost: true,
      });
    }
    for (const share of [0.5, 0.95])
      printFigure({
        bench: 'search',
        figure: `${caller.name}: all, p${share * 100} (best SQL ${quantile(best, share).toFixed(1)} ms)`,
        value: quantile(all, share),
        unit: 'ms',
        limit: MOST_MS,
        isMost: true,
      });
  }
} finally {
  connection.close();
  await db.end();
  await world.stop();
}
