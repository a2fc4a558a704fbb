import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../signin/connection.ts';
import { printFigure, quantile } from '../support/figure.ts';
import type { LargeWorld } from './world.ts';

const EACH = 30;
const WARM = 5;

/** Milliseconds of each of several runs, one after another; the first ones, which warm up, are left out. */
export async function timesOf(work: () => Promise<unknown>, each = EACH): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < each + WARM; n += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.slice(WARM);
}

/** Asks for a path as the customer's user. @throws {Error} where the answer is no success */
export async function reader(world: LargeWorld): Promise<{
  readonly get: (path: string) => Promise<string>;
  readonly close: () => void;
}> {
  const [connection, token] = [await Connection.open(world.port), await world.signIn()];
  return {
    async get(path) {
      const { status, body } = await connection.send({ method: 'GET', path, token });
      if (status !== 200) throw new Error(`${path} answered ${status}: ${body.slice(0, 300)}`);
      return body;
    },
    close: () => connection.close(),
  };
}

/** Prints the median of a call. */
export const printAlone = (figure: string, own: readonly number[], mostMs: number): void =>
  printFigure({
    bench: 'large',
    figure: `${figure}, p50`,
    value: quantile(own, 0.5),
    unit: 'ms',
    limit: mostMs,
    isMost: true,
  });

/** Prints the median of a call and how often it stands in that of the best statement, both of this run. */
export function printBeside(
  figure: string,
  own: readonly number[],
  best: readonly number[],
  mostMs: number,
): void {
  const [mine, bare] = [quantile(own, 0.5), quantile(best, 0.5)];
  printFigure({
    bench: 'large',
    figure: `${figure}, p50`,
    value: mine,
    unit: 'ms',
    limit: mostMs,
    isMost: true,
  });
  const against = `${figure}, times the best SQL (${bare.toFixed(1)} ms)`;
  printFigure({ bench: 'large', figure: against, value: mine / bare, unit: '×', limit: 2, isMost: true });
}

/** While `work` runs, somebody else asks for the smallest thing again and again. @returns the waits, milliseconds */
export async function waitsBeside(
  world: LargeWorld,
  work: () => Promise<unknown>,
): Promise<readonly number[]> {
  const connection = await Connection.open(world.port);
  const waits: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const { ms } = await connection.send({ method: 'GET', path: '/v1/brands-settings?d=brand.localhost' });
      waits.push(ms);
      await sleep(2);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await asking;
    connection.close();
  }
  return waits;
}

/** A call that is answered in pieces, whole. @returns its bytes */
export async function bytesOf(world: LargeWorld, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${await world.signIn()}` };
  const answer = await fetch(new URL(path, world.server.url), { headers });
  let bytes = 0;
  for await (const piece of answer.body ?? []) bytes += piece.length;
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return bytes;
}
