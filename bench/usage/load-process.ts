import { readFileSync } from 'node:fs';
import { Connection } from '../signin/connection.ts';
import { quantile } from '../support/figure.ts';

/** What a load is. */
export interface Load {
  readonly port: number;
  readonly token?: string;
  readonly paths: readonly string[];
  /** Ends when each path was asked for; without it they are asked for again. */
  readonly isOnce?: boolean;
  readonly connections: number;
  readonly ms: number;
}

/** What came of it. */
export interface LoadResult {
  /** Pages that came. */
  readonly count: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

/** A process of its own that asks for pages on kept connections; the argument is a file with the load. */
const load = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Load;
const times: number[] = [];
let failed = 0;
let next = 0;
const start = performance.now();

async function person(): Promise<void> {
  const connection = await Connection.open(load.port);
  while (performance.now() - start < load.ms && !(load.isOnce && next >= load.paths.length)) {
    const path = load.paths[next++ % load.paths.length] ?? '/';
    const token = load.token === undefined ? {} : { token: load.token };
    const { status, ms } = await connection.send({ method: 'GET', path, ...token });
    if (status === 200) times.push(ms);
    else failed += 1;
  }
  connection.close();
}

await Promise.all(Array.from({ length: load.connections }, person));
const result: LoadResult = {
  count: times.length,
  perSecond: (times.length * 1000) / (performance.now() - start),
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
  failed,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
